//! The stages agree: a result of the algebra does not depend on when the numbers of a layout become known. A script generates `constant`.

mod constant;
mod mixed;
pub mod typed;
