//! Pictures: their contents, that nothing overlaps, and that equal input gives equal bytes.

mod cases;
mod command;
mod golden;
#[cfg(feature = "png")]
mod legible;
mod terminal;
