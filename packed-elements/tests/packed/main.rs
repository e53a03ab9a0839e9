//! Elements, views, transfers and text, compared with definitions that read single bits.

mod elements;
mod interleaves;
mod random;
mod slices;
mod tensors;
#[cfg(feature = "emit")]
mod text;
mod transfers;
