//! Choices against enumeration: every reported number is counted again element by element, and small problems are searched in full.

mod amd;
mod count;
mod errors;
mod exhaustive;
mod programs;
mod shared;
