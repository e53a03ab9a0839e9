//! Parts and proofs are not made but by those who check them.

#![forbid(unsafe_code)]

use crd2idx::{Int, Shared, Strided, Tensor, View, Window};

fn main() {
    let layout = Strided::<(Int<2>,), (Int<0>,)>::default();
    let _ = Window { layout, corner: (7,), extents: (9,) };
    let _ = Tensor { storage: [0u8; 1], layout };
    let _ = Tensor::from_parts([0u8; 1], layout);
    let _ = Shared::<u8>::new(std::ptr::null());
    let _ = crd2idx::Dyn::<8>(7);
    let _ = View::<u8, _>::from_raw(std::ptr::null(), layout);
}
