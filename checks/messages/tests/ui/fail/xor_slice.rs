use crd2idx::prelude::*;

fn row(tile: impl Fn() -> usize) -> usize {
    layout!((8, 8) : (^9, ^1)).slice((tile(), Keep)).1
}

fn main() {
    row(|| 3);
}
