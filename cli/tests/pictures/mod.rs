//! Pictures: what they say, that nothing overlaps, that the same input gives the same bytes.

mod cases;
mod command;
mod golden;
#[cfg(feature = "png")]
mod legible;
mod terminal;
