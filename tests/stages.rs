//! The stages agree: what the algebra says of a layout does not depend on when its numbers become known.

mod common;

#[path = "stages/constant/mod.rs"]
mod constant;
#[path = "stages/mixed.rs"]
mod mixed;
#[path = "stages/typed.rs"]
mod typed;
