use crd2idx::prelude::*;

fn tiles(rows: usize) {
    let a = layout!((rows, 64) : (64, 1));
    let _ = a.logical_divide(shape!((8)));
}

fn main() {
    tiles(32);
}
