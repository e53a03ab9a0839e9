//! Reads and prints lines of numbers, as in Matrix Market and FROSTT files. The headers of these files are in `matrix_market`
//! and `tns`. A new type of values implements `Field` in `field`.

mod entries;
mod field;
mod print;

pub(crate) use entries::{Claim, Layout, column, line_of, place, read, word};
pub(crate) use field::{Field, blank, number};
pub(crate) use print::print;
