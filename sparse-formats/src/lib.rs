//! Sparse and ragged arrays as chains of levels over the layouts of `layout-core`.
//!
//! Nothing is here yet: levels, formats and conversions come on the traits that `layout-core` has now. A dense level is any
//! [`Layout`](layout_core::Layout), so its part of an index folds as a layout's does.
#![no_std]
