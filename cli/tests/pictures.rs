//! Pictures: what they say, that nothing overlaps, that the same input gives the same bytes.

#[path = "common/command.rs"]
mod command;

mod pictures {
    mod cases;
    mod command;
    mod golden;
    #[cfg(feature = "png")]
    mod legible;
    mod terminal;
}
