//! Transfers against a loop over coordinates.

mod cases;
mod naive;
mod others;
mod random;
