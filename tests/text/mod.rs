//! The notation: read, written, refused at the right place, and never a panic.

mod errors;
mod fuzz;
mod generate;
mod round_trip;
