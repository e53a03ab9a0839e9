//! The stages agree: what the algebra says of a layout does not depend on when its numbers become known.

mod constant;
mod mixed;
pub mod typed;
