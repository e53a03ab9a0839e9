//! The trait of layouts, and every type that implements it.
//!
//! `layout` has the trait and `typed` its implementation for layout types. `ops` has the operations. Other files each have one kind of
//! layout; a new kind gets a file here, with `RawLayout` and `Layout` for it.

pub(in crate::types) mod affine;
pub(in crate::types) mod bit_map;
pub(in crate::types) mod composed;
pub(in crate::types) mod dynamic;
pub(in crate::types) mod fixed;
pub(in crate::types) mod identity;
#[allow(clippy::module_inception)]
pub(in crate::types) mod layout;
pub(in crate::types) mod ops;
pub(in crate::types) mod strided;
pub(in crate::types) mod typed;
pub(in crate::types) mod vectored;
