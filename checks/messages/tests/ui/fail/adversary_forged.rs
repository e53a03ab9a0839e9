//! Safe code cannot construct parts and proofs by their fields; only checked functions make them.

#![forbid(unsafe_code)]

use crd2idx::{Int, Strided, Tensor};
use crd2idx::tensor::Window;

fn main() {
    let layout = Strided::<(Int<2>,), (Int<0>,)>::default();
    let _ = Window { layout, corner: (7,), extents: (9,) };
    let _ = Tensor { storage: [0u8; 1], layout };
}
