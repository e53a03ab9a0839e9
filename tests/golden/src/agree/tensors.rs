//! Tensors and tiles: the functions of every pair sum, or write, the same elements.

use super::{Inputs, place, place_mut};
use crate::tensors::{self, Plain};
use crate::tiles;
use layout_core::tensor::Window;
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Owned, Tensor, TypedLayout, View, make_layout};

/// Fewer rounds than for single indices, because each round visits many elements.
pub(super) const ROUNDS: usize = 40;

/// Returns small whole numbers, whose sums are exact in any order.
pub(super) fn numbers<const N: usize>(inputs: &mut Inputs) -> [f32; N] {
    std::array::from_fn(|_| inputs.below(16) as f32)
}

pub(super) fn many(inputs: &mut Inputs, layout: impl Layout) -> Vec<f32> {
    let range = layout.index_range().expect("a range");
    (0..range.end.max(0)).map(|_| inputs.below(16) as f32).collect()
}

/// Compares both functions on a tensor with small extents and strides.
pub(super) fn same<L: Layout, R: PartialEq + std::fmt::Debug, const N: usize>(
    make: impl Fn([usize; N], [usize; N]) -> L,
    layout: impl Fn(&View<f32, L>) -> R,
    hand: impl Fn(&Plain<N>) -> R,
) {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (extents, strides) = (std::array::from_fn(|_| inputs.below(9)), std::array::from_fn(|_| inputs.below(30)));
        let l = make(extents, strides);
        let data = many(&mut inputs, l);
        let t = Tensor::new(&data[..], l).expect("long enough");
        assert_eq!(layout(&t), hand(&Plain { data: place(&data), extents, strides }));
    }
}

macro_rules! on_arrays {
    ($($name:ident: |$inputs:ident| $layout:expr, $hand:expr;)*) => { $(
        #[test]
        fn $name() {
            let inputs = &mut Inputs::new();
            for _ in 0..ROUNDS {
                let $inputs = &mut Inputs(inputs.0);
                let layout = $layout;
                let $inputs = &mut *inputs;
                assert_eq!(layout, $hand);
            }
        }
    )* };
}

on_arrays! {
    proven_static: |inputs| tensors::proven_static_layout(&numbers(inputs)), tensors::proven_static_hand(&numbers(inputs));
    checked_swizzled: |inputs| tensors::checked_swizzled_layout(&numbers(inputs), inputs.below(20)),
        tensors::checked_swizzled_hand(&numbers(inputs), inputs.below(20));
    walk_static: |inputs| tensors::walk_static_layout(&numbers(inputs)), tensors::walk_static_hand(&numbers(inputs));
    sum_static: |inputs| tensors::sum_static_layout(&Owned::from_array(tensors::Box4::default(), numbers(inputs))),
        tensors::sum_static_hand(&numbers(inputs));
    vectors_copy: |inputs| {
        let mut to = numbers(inputs);
        tiles::vectors_copy_layout(&numbers(inputs), &mut to);
        to
    }, {
        let mut to = numbers(inputs);
        tiles::vectors_copy_hand(&numbers(inputs), &mut to);
        to
    };
    vectors_static: |inputs| {
        let mut sums = numbers(inputs);
        tiles::vectors_static_layout(&numbers(inputs), &mut sums);
        sums
    }, {
        let mut sums = numbers(inputs);
        tiles::vectors_static_hand(&numbers(inputs), &mut sums);
        sums
    };
}

macro_rules! on_tensors {
    ($($name:ident: $file:ident $layout:ident $hand:ident, |$extents:ident, $strides:ident| $make:expr;)*) => { $(
        #[test]
        fn $name() {
            same(|$extents, $strides| $make, |t| $file::$layout(t), |t| unsafe { $file::$hand(t) });
        }
    )* };
}

on_tensors! {
    checked_mixed: tensors checked_mixed_layout checked_mixed_hand, |e, d| { let ([m], [ld]) = (e, d); make_layout((m, Int), (ld, Int)) };
    checked_runtime: tensors checked_runtime_layout checked_runtime_hand, |e, d| make_layout((e[0], e[1]), (Int, d[1]));
    checked_hoisted: tensors checked_hoisted_layout checked_hoisted_hand, |e, d| {
        let ([n], [ld]) = (e, d);
        make_layout((Int, n), (Int, ld)).zipped_divide((Int,)).hoist()
    };
    walk_mixed: tensors walk_mixed_layout walk_mixed_hand, |e, d| { let ([m], [ld]) = (e, d); make_layout((m, Int), (ld, Int)) };
    walk_cube: tensors walk_cube_layout walk_cube_hand, |e, d| make_layout((Int, e[1], e[2]), (Int, d[1], d[2]));
    walk_four: tensors walk_four_layout walk_four_hand, |e, d| make_layout((e[0], e[1], e[2], e[3]), (d[0], d[1], d[2], d[3]));
    sum_mixed: tensors sum_mixed_layout sum_mixed_hand, |e, d| make_layout((e[0], e[1]), (Int, d[1]));
    tile_full: tiles tile_full_layout tile_full_hand, |e, d| make_layout((8 + e[0], 4 + e[1]), (Int, d[1])).composition((Int, Int));
    tiles_whole: tiles tiles_whole_layout tiles_whole_hand, |e, d| make_layout((e[0], e[1]), (Int, d[1]));
    row_slices: tiles row_slices_layout row_slices_hand, |e, d| make_layout((e[0], e[1]), (Int, d[1]));
}

/// Returns extents up to 30 and 12, so that there are tiles of each kind.
fn matrix(inputs: &mut Inputs) -> (Vec<f32>, [usize; 2], [usize; 2]) {
    let (m, n) = (inputs.below(30), inputs.below(12));
    let ld = m + inputs.below(3);
    (numbers::<400>(inputs).to_vec(), [m, n], [1, ld])
}

#[test]
fn fill_mixed() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut a, extents, strides) = matrix(&mut inputs);
        let mut b = a.clone();
        let layout = make_layout((extents[0], extents[1]), (Int, strides[1]));
        tensors::fill_mixed_layout(&mut Tensor::new(&mut a[..], layout).expect("long enough"), 99.0);
        unsafe { tensors::fill_mixed_hand(&mut Plain { data: place_mut(&mut b), extents, strides }, 99.0) };
        assert_eq!(a, b);
    }
}

#[test]
fn tiles_tail() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut a, extents, strides) = matrix(&mut inputs);
        let mut b = a.clone();
        let layout = make_layout((extents[0], extents[1]), (Int, strides[1]));
        let t = Tensor::new(&mut a[..], layout).expect("long enough").injective();
        tiles::tiles_tail_layout(&mut t.expect("no element twice"), 99.0);
        unsafe { tiles::tiles_tail_hand(&mut Plain { data: place_mut(&mut b), extents, strides }, 99.0) };
        assert_eq!(a, b);
    }
}

#[test]
fn tiles_shifted() {
    // Some tensors are smaller than a tile.
    let longer = |[m, n]: [usize; 2]| [7 + m, 3 + n];
    same(
        |extents, strides: [usize; 2]| make_layout::<(usize, usize), _>(longer(extents).into(), (Int, strides[1])),
        |t| tiles::tiles_shifted_layout(t),
        |t: &Plain<2>| unsafe { tiles::tiles_shifted_hand(&Plain { data: t.data, extents: longer(t.extents), strides: t.strides }) },
    );
}

#[test]
fn shifted_fill() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (mut a, extents, strides) = matrix(&mut inputs);
        let mut b = a.clone();
        let layout = make_layout((extents[0], extents[1]), (Int, strides[1]));
        let t = Tensor::new(&mut a[..], layout).expect("long enough").injective();
        let whole = tiles::shifted_fill_layout(&mut t.expect("no element twice"), 99.0);
        assert_eq!(whole, unsafe { tiles::shifted_fill_hand(&mut Plain { data: place_mut(&mut b), extents, strides }, 99.0) });
        assert_eq!(a, b);
    }
}

#[test]
fn window_walk() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n, ld) = (inputs.below(9), inputs.below(9), inputs.below(30));
        let layout = make_layout((m, n), (Int, ld));
        let data = many(&mut inputs, layout);
        let corner = [inputs.below(m + 1), inputs.below(n + 1)];
        let extents = [inputs.below(m - corner[0] + 1), inputs.below(n - corner[1] + 1)];
        let t = Tensor::new(&data[..], layout).expect("long enough");
        let layout = tiles::window_walk_layout(&t.window(corner.into(), extents.into()).expect("inside"));
        let hand = unsafe { tiles::window_walk_hand(&tiles::Part { data: place(&data), ld, corner, extents }) };
        assert_eq!(layout, hand);
    }
}

#[test]
fn vectors_runtime() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (m, n, ld) = (4 * inputs.below(9), inputs.below(9), 4 * inputs.below(9));
        let layout = make_layout((Dyn::<4>::new(m).expect("a multiple"), n), (Int::<1>, Dyn::<4>::new(ld).expect("a multiple")));
        let data = many(&mut inputs, layout);
        let t = Tensor::new(&data[..], layout).expect("long enough");
        let [mut a, mut b] = [[0.0; 4]; 2];
        tiles::vectors_runtime_layout(&t.vectors::<4>().expect("multiples of 4"), &mut a);
        unsafe { tiles::vectors_runtime_hand(&Plain { data: place(&data), extents: [m, n], strides: [1, ld] }, &mut b) };
        assert_eq!(a, b);
    }
}

#[test]
fn vectors_mixed() {
    let mut inputs = Inputs::new();
    for _ in 0..ROUNDS {
        let (n, ld) = (inputs.below(9), 4 * inputs.below(9));
        let layout = make_layout((Int::<8>, n), (Int::<1>, ld));
        let data = many(&mut inputs, layout);
        let t = Tensor::new(&data[..], layout).expect("long enough");
        let [mut a, mut b] = [[0.0; 4]; 2];
        tiles::vectors_mixed_layout(&t.vectors::<4>().expect("multiples of 4"), &mut a);
        unsafe { tiles::vectors_mixed_hand(&Plain { data: place(&data), extents: [n], strides: [ld] }, &mut b) };
        assert_eq!(a, b);
    }
}

#[test]
fn element() {
    let mut inputs = Inputs::new();
    let (i, j) = (inputs.below(10), inputs.below(10));
    same(
        |[m], [ld]| make_layout((m, Int), (ld, Int)),
        |t| tensors::element_layout(t, i, j),
        |t: &Plain<1>| unsafe { tensors::element_hand(t, i, j) },
    );
}

/// Compares both functions on a tile of 8 by 4 that is partly used: no extent exceeds that of a whole tile.
fn partial<R: PartialEq + std::fmt::Debug>(layout: impl Fn(&View<f32, tiles::Rest>) -> R, hand: impl Fn(&Plain<2>) -> R) {
    let used = |[m, n]: [usize; 2]| [m.min(8), n.min(4)];
    same(
        |extents, strides| Window::clipped(make_layout((Int, Int), (Int, strides[1])), used(extents).into()),
        layout,
        |t: &Plain<2>| hand(&Plain { data: t.data, extents: used(t.extents), strides: t.strides }),
    );
}

#[test]
fn tile_partial() {
    partial(|t| tiles::tile_partial_layout(t), |t| unsafe { tiles::tile_partial_hand(t) });
}

#[test]
fn partial_element() {
    for (i, j) in (0..10).flat_map(|i| (0..6).map(move |j| (i, j))) {
        partial(|t| tiles::partial_element_layout(t, i, j), |t| unsafe { tiles::partial_element_hand(t, i, j) });
    }
}

#[test]
fn masked_exact() {
    for g in 0..3 {
        same(
            |_: [usize; 2], strides| make_layout((Dyn::new(24).expect("3 tiles"), Int), (Int, strides[1])),
            |t| tiles::masked_exact_layout(t, g),
            |t| unsafe { tiles::masked_exact_hand(t, g) },
        );
    }
}

#[test]
fn masked_element() {
    for (g, i) in (0..3).flat_map(|g| (0..8).map(move |i| (g, i))) {
        same(
            |extents: [usize; 2], strides| make_layout((extents[0], Int), (Int, strides[1])),
            |t| tiles::masked_element_layout(t, g, i),
            |t| unsafe { tiles::masked_element_hand(t, g, i) },
        );
    }
}

#[test]
fn masked_rows() {
    for g in 0..3 {
        same(
            |extents: [usize; 2], strides| make_layout((2 * extents[0], Int), (Int, strides[1])),
            |t| tiles::masked_rows_layout(t, g),
            |t: &Plain<2>| {
                let [m, n] = t.extents;
                unsafe { tiles::masked_rows_hand(&Plain { data: t.data, extents: [2 * m, n], strides: t.strides }, g) }
            },
        );
    }
}

#[test]
fn const_in_bounds() {
    let data = [0.0; 128];
    for (g, i) in (0..2).flat_map(|g| (0..8).map(move |i| (g, i))) {
        assert_eq!(tiles::const_in_bounds_layout(&data, g, i), tiles::const_in_bounds_hand(&data, g, i));
    }
}
