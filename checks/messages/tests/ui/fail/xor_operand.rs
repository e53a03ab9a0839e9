use crd2idx::prelude::*;
use crd2idx::make_layout;
use crd2idx::number::Xor;

fn main() {
    let tile = make_layout((Int::<8>, Int::<8>), (Xor::<9>, Xor::<1>));
    // A step of ^9 moves inside a group of two as well.
    let _ = tile.upcast(Int::<2>);
    // A coordinate has no XOR strides.
    let _ = tile.crd2idx((3, Xor::<1>));
}
