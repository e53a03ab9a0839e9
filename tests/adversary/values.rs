//! Values of the algebra whose public fields were set by hand.

use crd2idx::algebra::value::{LayoutValue, TupleValue};
use crd2idx::prelude::*;

const N: usize = 4;

/// Returns a layout value whose public fields are any numbers, most of them small. `below(n)` returns a number below `n`.
fn any(mut below: impl FnMut(usize) -> usize) -> LayoutValue<N> {
    let mut lay = LayoutValue::<N>::empty();
    for k in 0..N {
        let mut depth = || [0, 1, 1, 2, 2, 3, 0x80, 0x81, 0x82, 0x83, 60, 255][below(12)];
        (lay.tree.depth[k], lay.tree.join[k]) = (depth(), depth());
        let mut number = || [0, 1, 1, 2, 3, -1, i64::MIN, i64::MIN + 1, i64::MAX, 1 << 40][below(10)];
        (lay.shape[k], lay.stride[k]) = (number(), number());
    }
    lay.tree.len = [0, 1, 2, 3, 4, 5, usize::MAX][below(7)];
    lay
}

/// Returns a random generator: a function of `n` that returns a number below `n`.
fn random() -> impl FnMut(usize) -> usize {
    let mut state = 1u64;
    move |n| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    }
}

/// Checks an accepted layout: its notation gives the same layout, and a tensor visits as many elements as the layout has.
fn check(layout: DynLayout<N>) {
    let text = layout.to_string();
    let same = DynLayout::<N>::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(same.to_string(), text);
    assert_eq!((layout.size(), layout.rank()), (same.size(), same.rank()), "{text}");
    assert_eq!(layout.coalesce().unwrap().to_string(), same.coalesce().unwrap().to_string(), "{text}");
    if layout.size() > 64 || layout.cosize() > 64 {
        return;
    }
    let data = [1u8; 256];
    let Ok(tensor) = Tensor::with_origin(&data, 128, layout) else { return };
    let mut sum = 0;
    tensor.for_each(|x| sum += i64::from(*x));
    assert_eq!((sum, tensor.iter().count() as i64), (layout.size(), layout.size()), "{text}");
    let coordinates: Vec<usize> = layout.extents()[..Layout::rank(&layout)].iter().map(|extent| extent.wrapping_sub(1)).collect();
    assert_eq!(layout.index(&coordinates), same.index(&coordinates), "{text}");
    if let Ok(window) = tensor.window((0,), (layout.size() as usize,)) {
        assert_eq!(window.iter().count() as i64, layout.size(), "{text}");
    }
}

const ROUNDS: usize = if cfg!(miri) { 400 } else { 200_000 };

#[test]
fn layouts_set_by_hand() {
    let (mut below, mut accepted) = (random(), 0);
    for _ in 0..ROUNDS {
        if let Ok(layout) = DynLayout::from_value(any(&mut below)) {
            check(layout);
            accepted += 1;
        }
    }
    assert!(accepted > ROUNDS / 1000, "{accepted}");
}

#[test]
fn tuples_set_by_hand() {
    let (mut below, mut accepted) = (random(), 0);
    let compact = DynLayout::<N>::parse("(2,2,2):(1,2,4)").unwrap();
    for _ in 0..ROUNDS {
        let lay = any(&mut below);
        let tuple = |leaf| DynCoord::from_value(TupleValue { tree: lay.tree, leaf });
        let (Ok(shape), Ok(stride)) = (tuple(lay.shape), tuple(lay.stride)) else { continue };
        accepted += 1;
        let made = [DynLayout::new(&shape, &stride), compact.unflatten(&shape), shape.col_major(), shape.row_major()];
        made.into_iter().flatten().for_each(check);
        if let Ok(tiler) = DynTiler::shape(&shape) {
            [compact.zipped_divide(&tiler), compact.composition_by(&tiler), compact.logical_divide(&tiler)]
                .into_iter()
                .flatten()
                .for_each(check);
        }
    }
    assert!(accepted > ROUNDS / 1000, "{accepted}");
}

/// Two leaves that share no tuple: the rank counts one mode, but there are two extents.
#[test]
fn leaves_without_a_tuple() {
    let mut tuple = TupleValue::<N>::empty();
    (tuple.tree.len, tuple.tree.depth, tuple.leaf) = (2, [1, 1, 0, 0], [4, 4, 0, 0]);
    assert!(DynCoord::from_value(tuple).is_err());
    tuple.tree.join[0] = 1;
    assert!(DynCoord::from_value(tuple).is_ok());
    // `DynLayout::index` reads the shared tuples of the last leaf.
    tuple.tree.join[1] = 1;
    assert!(DynCoord::from_value(tuple).is_err());
}
