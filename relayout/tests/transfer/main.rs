//! Compares transfers with a loop over coordinates.

mod cases;
mod checked;
mod in_place;
mod naive;
mod others;
mod permutations;
mod random;
