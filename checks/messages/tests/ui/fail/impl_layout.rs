use crd2idx::prelude::*;

fn matrix() -> impl Layout {
    layout!((8, 4) : (4, 1))
}

fn main() {
    let _ = matrix().zipped_divide(shape!(4, 2));
}
