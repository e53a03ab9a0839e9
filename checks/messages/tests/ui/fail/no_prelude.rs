use crd2idx::layout;

fn main() {
    let a = layout!((4, 8) : (8, 1));
    let _ = a.crd2idx((2, 3));
}
