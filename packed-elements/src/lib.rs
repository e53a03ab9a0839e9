#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#[cfg(feature = "alloc")]
extern crate alloc;

// `element`, `integers` and `floats` have the elements. `bits` reads and writes runs of bits, and `place` single elements. `slice` and
// `tensor` are the views of them. `pairs` loops over two layouts, and `transfer` moves elements along these loops. `emit` prints
// accesses for kernels.
mod bits;
mod element;
#[cfg(feature = "emit")]
mod emit;
mod error;
mod floats;
mod integers;
mod pairs;
mod place;
mod slice;
mod tensor;
mod transfer;

pub use element::{PackedElement, packed_bytes};
#[cfg(feature = "emit")]
pub use emit::PackedText;
pub use error::{PackedError, Result};
pub use floats::{F4E2M1, F6E2M3, F6E3M2};
pub use integers::{I2, I4, I6, U1, U2, U4, U6};
pub use slice::{PackedIter, PackedSlice, PackedSliceMut};
#[cfg(feature = "alloc")]
pub use slice::{pack, unpack};
pub use tensor::PackedTensor;
pub use transfer::transfer_packed;
