//! Layouts with some leaves known only at run time.

use crd2idx::ops::{LogicalDivide, ZippedDivide};
use crd2idx::prelude::*;

const BLOCK_M: usize = 8;
const LD: usize = 64;

fn notation<L: TypedLayout>(_: L) -> &'static str {
    L::NOTATION
}

#[test]
fn a_layout_stores_its_run_time_leaves_only() {
    let (m, ld) = (30, 40);
    assert_eq!(size_of_val(&layout!((BLOCK_M, 4) : (1, const { LD / 2 }))), 0);
    assert_eq!(size_of_val(&layout!((const BLOCK_M, m) : (1, const { LD / 2 }))), size_of::<usize>());
    assert_eq!(size_of_val(&layout!((m, 64) : (1, ld))), 2 * size_of::<usize>());
    assert_eq!(notation(layout!((BLOCK_M, m) : (1, { LD / 2 }))), "(8,?):(1,32)");
    assert_eq!(notation(layout!(m : 1)), "?:1");
    assert_eq!(notation(layout!((m) : (1))), "(?):(1)");
    assert_eq!(notation(layout!((m, _4):(-4, -1))), "(?,4):(-4,-1)");
    assert_eq!(layout!((m, 64) : (1, ld)).crd2idx((3, 5)), 203);
    assert_eq!(layout!(((2, m), 3) : ((ld, 1), m * ld)).crd2idx(((1, 2), 2)), 40 + 2 + 2 * 1200);
}

#[test]
fn values_stand_for_whole_tuples() {
    let (shape, stride) = (shape!(4, 6), stride!(6, 1));
    let a = layout!(shape : stride);
    assert_eq!(notation(a), "(4,6):(6,1)");
    assert_eq!(notation(layout!((shape, 5) : (stride, 24))), "((4,6),5):((6,1),24)");
}

#[test]
fn operations_by_name_are_the_methods() -> Result<(), LayoutError> {
    let (m, ld) = (96, 128);
    let a = layout!((m, 64) : (1, ld));
    let by_name: LogicalDivide<_, (Keep, Int<8>)> = layout!(logical_divide(a, [_; 8]));
    assert_eq!(by_name.crd2idx((3, (5, 2))), a.logical_divide((Keep, Int::<8>)).crd2idx((3, (5, 2))));

    let in_one_go = layout!(coalesce(select((m, 64, 2):(1, ld, 1), (1, 0))));
    assert_eq!(in_one_go.crd2idx((5, 3)), 3 + 5 * 128);

    // Tilers inside tilers are layouts.
    let columns = layout!(zipped_divide(a, [_;(4:2)]));
    assert_eq!(columns.crd2idx(((3, 2), (0, (1, 3)))), a.crd2idx((3, 2 * 2 + 1 + 3 * 8)));
    assert_eq!(layout!(col_major((m, 4))).crd2idx((1, 2)), 1 + 2 * 96);
    assert_eq!(layout!(get(a, 1)).crd2idx(2), 256);

    let checked: ZippedDivide<_, (Int<4>, Int<8>)> = layout!(try_zipped_divide(a, (4, 8)))?;
    assert_eq!(checked.crd2idx(((1, 2), (3, 4))), a.crd2idx((13, 34)));
    let refused = layout!(try_zipped_divide(a, (5, 8))).map(|_| ()).unwrap_err();
    assert_eq!(refused.to_string(), "zipped_divide: tile 5 does not divide the extent 96 of mode 0");
    Ok(())
}

/// Returns the value of a block whose last expression is the macro.
fn last_expression(m: usize) -> impl Layout {
    layout!((m, 2) : (2, 1))
}

#[test]
fn a_macro_ends_a_function() {
    assert_eq!(last_expression(3).crd2idx((2, 1)), 5);
}
