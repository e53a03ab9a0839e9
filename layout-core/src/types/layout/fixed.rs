//! The tables of the fixed modes of a slice.

use super::ops::Slice;
use crate::types::index::evaluate::{Tabled, tables};
use crate::types::index::index_table::{IndexTable, Purpose};
use crate::types::index::typed_layout::TypedLayout;
use crate::types::pattern::operand::IntTuple;
use layout_algebra::error::Op;

tables! {
    /// The table that computes the index of the fixed modes of a slice.
    Fixed: Slice, Index, |L, C| Slice::<L, C>::UNCONDITIONAL;
    /// The table that checks whether the fixed modes of a slice are inside the shape.
    FixedInside: Slice, Checked, |L, C| Slice::<L, C>::UNCONDITIONAL;
}
