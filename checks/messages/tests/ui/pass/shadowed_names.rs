//! The expansion uses no name that surrounding code can redefine.
#![allow(dead_code)]

struct Int;
struct Strided;
struct Default;
mod core {}
mod layout_core {}

crd2idx::layout! { type Tile = zipped_divide((32, 16) : (1, 32), (8, 4)); }

fn main() {
    let m = 3;
    let layout = crd2idx::layout!((m, 4) : (-4, 1));
    assert_eq!(crd2idx::ops::crd2idx((0, 2), layout), 2);
    assert_eq!(crd2idx::ops::crd2idx(((1, 2), (3, 1)), Tile), 1 + 2 * 32 + 3 * 8 + 4 * 32);
}
