//! The macros work in a crate without the standard library and without names of this crate in scope.
#![no_std]

extern crate std;

const LD: usize = 40;

crd2idx::layout! {
    /// A tile.
    pub type Tile = (32, 32) : (LD, 1);
}

const STATIC: crd2idx::Strided<crd2idx::shape!(4, 8), crd2idx::stride!(8, 1)> = crd2idx::layout!((4, 8) : (8, 1));

fn main() {
    let rows = 7;
    let mixed = crd2idx::layout!((rows, 4) : (4, 1));
    std::assert_eq!(crd2idx::ops::crd2idx(crd2idx::coord!(1, 2), mixed), 6);
    std::assert_eq!(crd2idx::ops::crd2idx((3, 7), STATIC), 31);
    std::assert_eq!(crd2idx::ops::crd2idx(crd2idx::coord!(1, 2), Tile), 42);
}
