//! Questions about layouts as functions of the linear coordinate, each with a witness or a certificate.
//!
//! [`equal_functions`] compares two layouts. Its answer has the least coordinate at which they differ.

mod columns;
mod equality;
mod images;
mod known;
mod points;
mod sorted;
mod space;
mod walk;

#[cfg(feature = "alloc")]
#[cfg(test)]
mod refusals;
#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

pub use equality::{Difference, Equality, OpenEquality, equal_functions};
pub use images::{Certificate, IndexAt, SharedIndex, Verdict, covers, disjoint, in_bounds, injective};
