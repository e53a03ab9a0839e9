//! The search for a layout with the fewest bank conflicts for given accesses.

mod constant;
mod demand;
mod linear;
#[cfg(feature = "alloc")]
mod simple;

pub use constant::{Found, swizzle_for};
#[cfg(feature = "alloc")]
pub use simple::{Answer, Arrangement, Search};
