//! The notation is read, written, and refused at the right byte, and nothing panics.

mod errors;
mod fuzz;
mod generate;
mod round_trip;
