use crd2idx::prelude::*;

fn main() {
    let i: i64 = 3;
    let _ = layout!((4, 8) : (8, 1)).crd2idx((1, i));
}
