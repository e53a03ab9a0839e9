use crd2idx::prelude::*;

fn main() {
    let _ = layout!((4, 8) : (8, 1)).composition(layout!((3, 3) : (1, 2)));
}
