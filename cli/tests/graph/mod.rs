//! Coordinate graphs: their JSON, their drawings, and questions through `batch` and the command. No input makes it panic.

mod command;
mod drawings;
mod errors;
pub mod every;
mod mutations;
mod protocol;
mod ranges;
mod round_trip;
pub mod vectors;
mod verify;
