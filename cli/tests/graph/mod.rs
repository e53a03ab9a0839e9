//! Coordinate graphs through JSON: what is read and written, drawn, asked through `batch` and through the command, and that no input ends it.

mod command;
mod drawings;
mod errors;
pub mod every;
mod mutations;
mod protocol;
mod ranges;
mod round_trip;
pub mod vectors;
