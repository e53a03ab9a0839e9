//! The notation `((2,4),(3,5)):((3,6),(1,24))`: parsing, printing, and expressions of operations.

// `parse` reads the notation and `print` writes it. `expr` evaluates operations by name, and `nearest` suggests names. `names` puts numbers in their place.
mod expr;
#[cfg(feature = "alloc")]
mod names;
#[cfg(feature = "alloc")]
mod nearest;
mod parse;
mod print;

pub use expr::evaluate;
#[cfg(feature = "alloc")]
pub use names::bind;
#[cfg(feature = "alloc")]
pub use nearest::nearest;
pub use parse::Parser;
pub use print::layout_text;
