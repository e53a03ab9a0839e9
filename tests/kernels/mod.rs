//! Operations of a kernel on any layout: every kind of layout gives the same answers.

mod broadcast;
mod composed;
mod constants;
mod convolutions;
mod empty_modes;
mod masked;
mod neighbours;
mod stack;
mod storage;

use crd2idx::layouts::{Coordinate, RawLayout, StorageSpan};
use crd2idx::prelude::*;

layout! { type Tile = (8, 4) : (4, 1); }

/// Checks every method of `Layout` for a layout of 8 by 4 with the indices of `want`. `what` names the layout in messages.
fn agrees<L: Layout>(layout: &L, want: &DynLayout, what: &str) {
    assert_eq!((layout.rank(), layout.size()), (2, 32), "{what}");
    assert_eq!((layout.mode_size::<0>(), layout.mode_size::<1>()), (8, 4), "{what}");
    assert_eq!(layout.shape::<(usize, usize)>(), (8, 4), "{what}");
    for (k, (i, j)) in layout.coordinates::<(usize, usize)>().enumerate() {
        let index = want.index(&[i, j]).expect("rank 2");
        assert_eq!((i, j), (k % 8, k / 8), "{what}");
        assert_eq!(layout.crd2idx((i, j)), index, "{what} at ({i},{j})");
        assert_eq!(layout.crd2idx([i, j]), index, "{what} at [{i},{j}]");
        assert_eq!(layout.crd2idx(k), index, "{what} at {k}");
        assert_eq!(layout.offset((i, j)), index as isize, "{what} at ({i},{j})");
        assert_eq!(layout.checked_crd2idx((i, j)), Some(index), "{what} at ({i},{j})");
        assert_eq!(layout.idx2crd::<[usize; 2]>(k), [i, j], "{what} at {k}");
    }
    for outside in [(8, 0), (0, 4), (usize::MAX, 0)] {
        assert_eq!(layout.checked_crd2idx(outside), None, "{what} at {outside:?}");
    }
    assert_eq!(layout.crd2idx((Int::<3>, 2)), want.index(&[3, 2]).expect("rank 2"), "{what}");
}

#[test]
fn one_trait_for_all_kinds() -> Result<(), LayoutError> {
    let want = DynLayout::parse("(8,4):(4,1)")?;
    let (m, ld) = (std::hint::black_box(8), std::hint::black_box(4));
    let mixed = layout!((m, 4) : (ld, 1));
    let derived = layout!((4, m) : (1, ld)).select(shape!(1, 0));
    agrees(&layout!((8, 4) : (4, 1)), &want, "static");
    agrees(&mixed, &want, "mixed");
    agrees(&derived, &want, "derived");
    agrees(&Tile, &want, "named");
    agrees(&mixed.hoist::<2>(), &want, "hoisted");
    agrees(&derived.hoist::<4>(), &want, "hoisted, derived");
    agrees(&want, &want, "dynamic");
    agrees(&StaticSwizzle::<0, 0, 0>.composition(Tile), &want, "composed");
    agrees(&crd2idx::layouts::Composed::new(layout!((32) : (1)), Int::<0>, want), &want, "composed, dynamic");
    Ok(())
}

#[test]
fn modes_at_any_depth() -> Result<(), LayoutError> {
    let m = std::hint::black_box(16);
    let tiled = layout!((m, 6) : (6, 1)).try_logical_divide(shape!(4, 3))?;
    let dynamic = tiled.to_dyn::<8>()?;
    assert_eq!(tiled.shape::<((usize, usize), usize)>(), ((4, 4), 6));
    assert_eq!(tiled.stride::<((usize, usize), (usize, usize))>(), ((6, 24), (1, 3)));
    assert_eq!(Layout::shape::<(usize, (usize, usize))>(&dynamic), (16, (3, 2)));
    for k in 0..tiled.size() {
        let c: ((usize, usize), (usize, usize)) = tiled.idx2crd(k);
        assert_eq!(c, Layout::idx2crd(&dynamic, k));
        assert_eq!(tiled.crd2idx(c), tiled.crd2idx(k));
        assert_eq!(tiled.idx2crd::<(usize, usize)>(k), (k % 16, k / 16));
        assert_eq!(tiled.idx2crd::<usize>(k), k);
    }
    // The last integer takes the whole quotient.
    assert_eq!(tiled.idx2crd::<(usize, usize)>(16 * 100), (0, 100));
    Ok(())
}

#[test]
fn layouts_print_and_compare() -> Result<(), LayoutError> {
    let m = std::hint::black_box(16);
    let a = layout!((m, 6) : (6, 1));
    let tiled = a.try_logical_divide(shape!(4, _))?;
    assert_eq!(format!("{a} {a:?}"), "(16,6):(6,1) (16,6):(6,1)");
    assert_eq!(tiled.to_string(), "((4,4),6):((6,24),1)");
    assert_eq!(tiled.hoist::<4>().to_string(), tiled.to_string());
    assert_eq!(Tile.to_string(), "(8,4):(4,1)");
    assert_eq!(StaticSwizzle::<2, 0, 3>.composition(Tile).to_string(), "S<2,0,3> o 0 o (8,4):(4,1)");
    assert_eq!(tiled, a.try_logical_divide(shape!(4, _))?);
    assert_ne!(tiled, layout!((m + 4, 6) : (6, 1)).try_logical_divide(shape!(4, _))?);
    assert_eq!(tiled.hoist::<4>(), tiled.hoist::<4>());
    assert_ne!(layout!((m, 6) : (6, 1)), layout!((m + 1, 6) : (6, 1)));
    Ok(())
}

#[test]
fn hoisted_layouts_are_operands() -> Result<(), LayoutError> {
    let m = std::hint::black_box(16);
    let columns = layout!((m, 6) : (6, 1)).try_logical_divide(shape!(4, _))?.hoist::<4>().select(shape!(1, 0));
    assert_eq!(columns.to_string(), "(6,(4,4)):(1,(6,24))");
    assert_eq!(columns.crd2idx((5, (3, 2))), 5 + 18 + 48);
    Ok(())
}

#[test]
fn dynamic_layouts_become_types() -> Result<(), LayoutError> {
    type A = Strided<(Int<8>, (usize, Dyn<4, 64>)), (Signed, (Int<1>, std::num::NonZeroUsize))>;
    let a = A::try_from(&DynLayout::<16>::parse("(8,(3,12)):(-5,(1,3))")?)?;
    assert_eq!(a.to_string(), "(8,(3,12)):(-5,(1,3))");
    assert_eq!(a.offset((2, (1, 5))), -10 + 1 + 15);
    let refusal = |text: &str| A::try_from(&DynLayout::<16>::parse(text).expect(text)).expect_err(text).to_string();
    assert_eq!(refusal("(8,36):(1,1)"), "make_layout: mode 1 is an integer, but a tuple of 2 is given");
    assert_eq!(refusal("(8,3,12):(1,1,1)"), "make_layout: the layout has 3 modes, but 2 are given");
    assert_eq!(refusal("((2,4),(3,12)):((1,1),(1,1))"), "make_layout: shape and stride differ in nesting at mode 0");
    assert_eq!(refusal("(9,(3,12)):(1,(1,3))"), "make_layout: mode 0 has 9, where the type has 8");
    assert_eq!(refusal("(8,(3,12)):(1,(2,3))"), "make_layout: mode 1.0 has 2, where the type has 1");
    let facts = "where the type asks for a multiple of 4 from 0 on and within its bound";
    assert_eq!(refusal("(8,(3,10)):(1,(1,3))"), format!("make_layout: mode 1.1 has 10, {facts}"));
    assert_eq!(refusal("(8,(3,68)):(1,(1,3))"), format!("make_layout: mode 1.1 has 68, {facts}"));
    let facts = "where the type asks for a multiple of 1 from 1 on and within its bound";
    assert_eq!(refusal("(8,(3,12)):(1,(1,0))"), format!("make_layout: mode 1.1 has 0, {facts}"));
    Ok(())
}

#[test]
fn coordinates_that_do_not_fit_a_dynamic_layout() -> Result<(), LayoutError> {
    let a: DynLayout = "(8,(3,12)):(1,(8,24))".parse()?;
    assert_eq!(Layout::checked_crd2idx(&a, (1, 2, 3)), None);
    assert_eq!(Layout::checked_crd2idx(&a, ((1, 2), 3)), None);
    let panic = std::panic::catch_unwind(|| Layout::crd2idx(&a, (1, 2, 3))).expect_err("three modes");
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("the coordinate (1,2,3) does not fit (8,(3,12)):(1,(8,24))"));
    assert_eq!(<DynLayout as RawLayout>::SPAN, StorageSpan::Unknown);
    Ok(())
}

/// The function is generic over the coordinate, too.
#[test]
fn coordinates_are_collected() {
    fn all<L: Layout, C: Coordinate>(layout: &L) -> Vec<C> {
        layout.coordinates().collect()
    }
    assert_eq!(all::<_, (usize, usize)>(&layout!((2, 2) : (1, 2))), [(0, 0), (1, 0), (0, 1), (1, 1)]);
    assert_eq!(all::<_, usize>(&Tile).len(), 32);
}

#[test]
fn an_index_that_overflows_is_none() {
    let byte = usize::BITS / 8;
    let big = std::hint::black_box(1usize << (5 * byte));
    assert_eq!(make_layout(big, big).checked_crd2idx(1 << (4 * byte)), None);
    assert_eq!(make_layout(big, big).checked_crd2idx(1 << (2 * byte)), Some(1 << (7 * byte)));
    assert_eq!(make_layout((big, 4), (Int::<1>, big)).checked_crd2idx((5, 3)), Some(5 + (3 << (5 * byte))));
    assert_eq!(make_layout((big, big), (big, big)).checked_crd2idx((1 << (3 * byte - 1), 1 << (3 * byte - 1))), None);
    // Strides that are multiples of one another are multiplied in steps, and an overflow in a step counts.
    assert_eq!(make_layout((big, big, 4), (big * 16, 16, Int::<1>)).checked_crd2idx((1 << (3 * byte - 4), 0, 0)), None);
    assert_eq!(make_layout((big, 4), (Signed(-(1 << (5 * byte))), Int::<1>)).checked_crd2idx((1 << (3 * byte), 1)), None);
    assert_eq!(make_layout((big, 4), (Signed(-4), Int::<1>)).checked_crd2idx((2, 1)), Some(7usize.wrapping_neg()));
    // Nothing overflows if facts bound it, or if the index is the coordinate.
    assert_eq!(make_layout(Dyn::<1, 64>::new(64).expect("64"), Int::<3>).checked_crd2idx(63), Some(189));
    assert_eq!(col_major((big, big)).checked_crd2idx(usize::MAX >> 1), Some(usize::MAX >> 1));
}
mod tensors;
mod vectors;
mod windows;
mod xor;
