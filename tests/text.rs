//! The notation: read, written, refused at the right place, and never a panic.

mod common;

mod text {
    mod errors;
    mod fuzz;
    mod generate;
    mod round_trip;
}
