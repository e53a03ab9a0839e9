//! Numbers in lines: what Matrix Market and FROSTT files have in common.

mod entries;
mod field;
mod print;

pub(crate) use entries::{Layout, column, place, read};
pub(crate) use field::{Field, blank, number};
pub(crate) use print::print;
