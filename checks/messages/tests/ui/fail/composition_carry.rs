use crd2idx::prelude::*;

fn main() {
    let _ = layout!((4, 8) : (8, 1)).composition(layout!((3, 4) : (1, 3)));
}
