//! Functions without checks are `unsafe`, because the caller must promise their conditions.

#![forbid(unsafe_code)]

use crd2idx::{Int, Strided, Tensor, View};

fn main() {
    let layout = Strided::<(Int<2>,), (Int<1>,)>::default();
    let t = Tensor::from_parts([0u8; 1], layout);
    let _ = View::<u8, _>::from_raw(std::ptr::null(), layout);
    let _ = t.get_unchecked((7,));
}
