//! Operations by name, on operands of any kind, as the command-line tool calls them.
//!
//! [`apply`] runs any operation of [`Op`](crate::error::Op), also for layout types and macros while the program is compiled.
//! [`evaluate`] parses an expression and applies its operations; [`Parser`] parses one operand.
//!
//! ```
//! use layout_algebra::error::Op;
//! use layout_algebra::expression::{Operand, Parser, apply};
//! use layout_algebra::value::ExprGraph;
//! let mut scope = ExprGraph::<0>::new(Op::Parse);
//! let layout = Parser::whole::<16, 0>("(8,6):(1,8)", &mut scope)?;
//! let tiler = Parser::whole("(4,3)", &mut scope)?;
//! let tiles: Operand<16> = apply(Op::ZippedDivide, &[layout, tiler], &mut scope)?;
//! assert_eq!(tiles.to_string(), "((4,3),(2,2)):((1,8),(4,24))");
//! # Ok::<(), layout_algebra::LayoutError>(())
//! ```

pub use crate::algebra::dispatch::apply;
pub use crate::algebra::operands::{ComposedValue, Inner, Operand};
pub use crate::algebra::tiler::Tiler;
#[cfg(feature = "alloc")]
pub use crate::text::bind;
pub use crate::text::{Parser, evaluate};
