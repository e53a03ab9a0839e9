use crd2idx::prelude::*;

fn main() {
    let a = layout!((4, 8) : (1, 4));
    let _ = a.crd2idx((1, 2, 3));
}
