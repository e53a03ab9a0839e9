//! The search for a layout with the fewest bank conflicts for given accesses.

// `demand` states accesses as spans of bits, and `linear` searches the maps of bits. `constant` and `simple` are the searches that
// users call: in constants, and while the program runs.
mod constant;
mod demand;
mod linear;
#[cfg(feature = "alloc")]
mod simple;

pub use constant::{Found, swizzle_for};
#[cfg(feature = "alloc")]
pub use simple::{Answer, Arrangement, SwizzleSearch};
