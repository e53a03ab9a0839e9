//! Composed layouts as types, compared with the same expressions as values.

use crd2idx::algebra::expression::evaluate;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::layouts::{Composed, RawLayout, StorageSpan, Swizzle};
use crd2idx::prelude::*;

layout! { type Rows = (8, 64) : (64, 1); }

/// Checks that the typed layout has the indices of the expression, which is composed.
fn same<L: Layout>(layout: &L, expression: &str) {
    let composed = evaluate::<64, 0>(expression, &mut ExprGraph::new(Op::Parse)).is_ok_and(|value| value.to_string().contains(" o "));
    assert!(composed, "{expression}");
    same_indices(layout, expression);
}

/// Checks that the typed layout has the size and the indices of the expression.
fn same_indices<L: Layout>(layout: &L, expression: &str) {
    let value = |text: &str| match evaluate::<64, 0>(text, &mut ExprGraph::new(Op::Parse)) {
        Ok(value) => value.to_string(),
        Err(error) => panic!("{text}: {error}"),
    };
    assert_eq!(value(&format!("size({expression})")), layout.size().to_string(), "{expression}");
    for k in 0..layout.size() {
        let index = layout.crd2idx(k);
        assert_eq!(value(&format!("crd2idx({expression}, {k})")), index.to_string(), "{expression} at {k}");
        assert_eq!(layout.checked_crd2idx(k), Some(index), "{expression} at {k}");
    }
}

#[test]
fn operations_are_those_of_the_outer_layout() -> Result<(), LayoutError> {
    let rows = "(8,64):(64,1)";
    let s = StaticSwizzle::<3, 3, 3>.composition(Rows);
    let text = format!("S<3,3,3> o 0 o {rows}");
    same(&s, &text);
    same(&s.logical_divide(shape!(4, 8)), &format!("logical_divide({text}, (4,8))"));
    same(&s.zipped_divide(shape!(4, 8)), &format!("zipped_divide({text}, (4,8))"));
    same(&s.tiled_divide(shape!(4, 8)), &format!("tiled_divide({text}, (4,8))"));
    same(&s.flat_divide(shape!(4, 8)), &format!("flat_divide({text}, (4,8))"));
    same(&s.composition(layout!((8, 4) : (1, 8))), &format!("composition({text}, (8,4):(1,8))"));
    same(&s.coalesce(), &format!("coalesce({text})"));
    same(&s.select(shape!(1, 0)), &format!("select({text}, (1,0))"));
    same(&s.slice(coord!(3, _)), &format!("slice({text}, (3,_))"));
    same(&s.slice(coord!(5, _)).logical_divide(shape!((8))), &format!("logical_divide(slice({text}, (5,_)), (8))"));
    same(&StaticSwizzle::<2, 0, -3>.composition(Rows), &format!("S<2,0,-3> o 0 o {rows}"));
    same(&Composed::of(Swizzle::new(3, 3, 3)?, Rows), &text);
    same(&Composed::new(StaticSwizzle::<3, 3, 3>, 64, Rows), &format!("S<3,3,3> o 64 o {rows}"));
    same(&Composed::new(layout!((64, 64) : (64, 2)), Int::<3>, layout!((8) : (2))), "(64,64):(64,2) o 3 o (8):(2)");
    Ok(())
}

#[test]
fn run_time_leaves_and_hoisting() -> Result<(), LayoutError> {
    let m = std::hint::black_box(8);
    let s = StaticSwizzle::<3, 3, 3>.composition(layout!((m, 64) : (64, 1)));
    let tiles = s.try_zipped_divide(shape!(4, 8))?;
    let hoisted = Composed::new(tiles.inner(), Int::<0>, tiles.outer().hoist::<4>());
    for k in 0..tiles.size() {
        assert_eq!(tiles.crd2idx(k), hoisted.crd2idx(k));
    }
    assert!(s.try_zipped_divide(shape!(3, 8)).is_err());
    assert_eq!(s.slice((2, Keep)).to_string(), "S<3,3,3> o 128 o (64):(1)");
    Ok(())
}

#[test]
fn storage_of_swizzled_layouts() {
    type Shared = crd2idx::layouts::Swizzled<3, 3, 3, Rows>;
    let mut shared = Owned::<u16, Shared, 512>::filled(Shared::default(), 0);
    for (k, c) in Rows.coordinates::<(usize, usize)>().enumerate() {
        shared[c] = k as u16 + 1;
    }
    assert_eq!(shared.get((8, 0)), None);
    assert_eq!(shared[(3, 10)], 3 + 80 + 1);
    assert_eq!(shared.as_slice()[3 * 64 + (10 ^ (3 << 3))], 3 + 80 + 1);
    let mut stored = shared.as_slice().to_vec();
    stored.sort();
    assert!(stored.into_iter().eq(1..=512));
    assert_eq!(crd2idx::tensor::Stored::filled(Shared::default(), 0u8).as_slice().len(), 512);
    // A swizzle moves indices within blocks of 64 elements, so the span is a whole block.
    layout! { type Odd = (5, 9) : (9, 1); }
    assert_eq!(<crd2idx::layouts::Swizzled<3, 3, 3, Odd> as RawLayout>::SPAN, StorageSpan::Elements(64));
}

/// Operations on more than the outer layout give the result for the same function with XOR strides, as for values.
#[test]
fn swizzled_types_answer_as_values() {
    const TILE: &str = "S<2,1,3> o 0 o (8,16):(16,1)";
    let tile = StaticSwizzle::<2, 1, 3>.composition(layout!((8, 16) : (16, 1)));
    same_indices(&tile.right_inverse(), &format!("right_inverse({TILE})"));
    same_indices(&tile.left_inverse(), &format!("left_inverse({TILE})"));
    same_indices(&tile.nullspace(), &format!("nullspace({TILE})"));
    same_indices(&tile.complement(Int::<512>), &format!("complement({TILE}, 512)"));
    same_indices(&tile.upcast(Int::<2>), &format!("upcast({TILE}, 2)"));
    same_indices(&tile.downcast(Int::<2>), &format!("downcast({TILE}, 2)"));
    same_indices(&tile.max_common_layout(layout!((8, 16) : (16, 1))), &format!("max_common_layout({TILE}, (8,16):(16,1))"));
    same_indices(&tile.layout_like(), &format!("make_layout_like({TILE})"));
    // A swizzled layout as the right operand is a layout with XOR strides.
    same_indices(&layout!(128 : 2).composition(tile), &format!("composition(128:2, {TILE})"));
}
