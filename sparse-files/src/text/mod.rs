//! Reads and prints lines of numbers, as in Matrix Market and FROSTT files. Their headers are read in `matrix_market`
//! and `tns`.

mod entries;
mod field;
mod print;

pub(crate) use entries::{Claim, Layout, column, line_of, place, read, word};
pub(crate) use field::{Field, blank, number};
pub(crate) use print::print;
