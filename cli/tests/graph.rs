//! Coordinate graphs through JSON: what is read and written, drawn, asked through `batch` and through the command, and that no input ends it.

#[path = "common/batch.rs"]
mod batch;
#[path = "common/command.rs"]
mod command;
#[path = "../../tests/common/mod.rs"]
mod common;

mod graph {
    mod command;
    mod drawings;
    mod errors;
    pub mod every;
    mod mutations;
    mod protocol;
    mod ranges;
    mod round_trip;
    pub mod vectors;
}
