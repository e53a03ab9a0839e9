//! Sparse tensors: a [`Pattern`] of checked arrays, and what it does with the values that Python keeps. [`crate::arrays`] has the rules for borrowing arrays.

mod contraction;
mod files;
mod pattern;
mod products;
mod structure;
mod values;

pub use contraction::{contract, explain_contraction};
pub use files::{read, write};
pub use pattern::{Pattern, format_of};
pub use structure::build;
