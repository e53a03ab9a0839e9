//! Computes the coordinates that a layout of coordinates returns instead of indices: one table for each integer of the result.

use super::evaluate::{Tabled, index};
use super::index_table::{IndexTable, Purpose};
use super::typed_layout::TypedLayout;
use crate::types::pattern::operand::{Coordinate, Fits, IntTuple, MAX_LEAVES};
use crate::types::pattern::pattern::Pattern;
use layout_algebra::error::Op;
use layout_algebra::value::Basis;

/// The table that computes integer `K` of the coordinate that the layout `L` returns for a coordinate of type `C`.
struct Along<L, C, const K: usize>(core::marker::PhantomData<(L, C)>);

impl<L: TypedLayout, C: IntTuple, const K: usize> Tabled for Along<L, C, K> {
    const TABLE: &'static IndexTable = &IndexTable::new(Op::Slice, &along(L::PATTERN, K), &C::DESCRIPTOR, Purpose::Index);
}

impl<L: TypedLayout, C: IntTuple, const K: usize> Fits for Along<L, C, K> {
    const FITS: () = {
        let () = L::VALID;
        Self::TABLE.require()
    };
}

/// Returns the layout whose index is integer `k` of the resulting coordinate: all strides along other integers become 0.
const fn along(pattern: &Pattern, k: usize) -> Pattern {
    let mut along = *pattern;
    each!(leaf, 0..MAX_LEAVES, {
        let basis = Basis(along.lay.basis[leaf]);
        let counts = if basis.is_integer() { k == 0 } else { !basis.is_xor() && basis.len() == 1 && basis.step(0) == k };
        if !counts {
            along.lay.stride[leaf] = 0;
        }
        along.lay.basis[leaf] = 0;
    });
    along
}

/// Fails the build if one of the first `integers` integers of the coordinate is itself a tuple, or if a stride is an XOR stride.
#[track_caller]
const fn require_integer(pattern: &Pattern, integers: usize) {
    each!(leaf, 0..pattern.lay.len(), {
        let basis = Basis(pattern.lay.basis[leaf]);
        assert!(!basis.is_xor(), "crd2crd: XOR strides walk an index");
        assert!(basis.len() < 2 || basis.step(0) >= integers, "crd2crd: a mode of the coordinate is nested");
    });
}

/// Computes [`TypedLayout::crd2crd`] of `layout` for the coordinate `c`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(in crate::types) fn crd2crd<L: TypedLayout, C: IntTuple, R: Coordinate>(layout: &L, c: &C) -> R {
    const {
        let () = <Along<L, C, 0> as Fits>::FITS;
        assert!(R::DESCRIPTOR.inputs() <= 8, "crd2crd: a coordinate has at most 8 integers");
        require_integer(L::PATTERN, R::DESCRIPTOR.inputs());
    };
    let mut integers = [0; MAX_LEAVES];
    macro_rules! each_integer {
        ($($k:literal)*) => { $(if const { R::DESCRIPTOR.inputs() > $k } {
            integers[$k] = index::<Along<L, C, $k>, L, C>(layout, c);
        })* };
    }
    each_integer!(0 1 2 3 4 5 6 7);
    R::from_values(&integers, &mut 0)
}
