//! The notation: `((2,4),(3,5)):((3,6),(1,24))`, read and written.

mod buffer;
mod expr;
mod parse;
mod print;

pub use buffer::Text;
pub use expr::evaluate;
pub use parse::{Composed, Inner, Operand, Parser};
pub(crate) use print::layout_text;
