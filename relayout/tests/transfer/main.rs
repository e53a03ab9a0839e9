//! Transfers against a loop over coordinates.

mod cases;
mod checked;
mod in_place;
mod naive;
mod others;
mod random;
