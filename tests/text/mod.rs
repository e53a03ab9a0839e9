//! The notation is read, written, and refused at the right byte, and nothing panics. A refused text goes into `errors`.

mod errors;
mod fuzz;
mod generate;
mod round_trip;
