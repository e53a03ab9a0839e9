//! The notation: `((2,4),(3,5)):((3,6),(1,24))`, read and written.

mod expr;
mod parse;
mod print;

pub use expr::evaluate;
pub use parse::Parser;
pub(crate) use print::layout_text;
