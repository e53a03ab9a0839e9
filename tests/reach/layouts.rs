//! Rows of the table: whole layouts.

use crate::case::{Case, LEN, Leaf, ORIGIN, Rank0, Rank1, Rank2, Rank3, Rank5};
use crd2idx::layouts::{Bits, Composed, Swizzle};
use crd2idx::number::Xor;
use crd2idx::prelude::*;

/// Returns the image of `index` under the swizzle `S<bits, base, shift>`, computed by hand.
pub fn swizzle(bits: u32, base: u32, shift: u32, index: isize) -> isize {
    index ^ (index & ((1 << bits) - 1) << (base + shift)) >> shift
}

/// Returns the coordinate `((inner), (outer))` of a tensor of one mode in whole tiles.
pub fn in_one(inner: &[usize], outer: &[usize]) -> ((usize,), (usize,)) {
    ((inner[0],), (outer[0],))
}

pub fn in_two(inner: &[usize], outer: &[usize]) -> ((usize, usize), (usize, usize)) {
    ((inner[0], inner[1]), (outer[0], outer[1]))
}

// Static, mixed, run-time.

row! {
    static_rows: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| 3 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!((4, 3) : (3, 1))).unwrap(); } t;
    numbers; tiles (Int::<2>, Int::<2>), [2, 2]; vectors 3 along 1; slices; masked (Int::<3>, Int::<2>), [3, 2], in_two;
}

row! {
    static_columns: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| c[0] + 4 * c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!((4, 3) : (1, 4))).unwrap(); } t;
    numbers; tiles (Int::<4>, Int::<2>), [4, 2]; vectors 4 along 0; slices; masked (Int::<3>, Int::<2>), [3, 2], in_two;
}

row! {
    mixed: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| c[0] + 6 * c[1]);
    |data| { let n = 3; let t = Tensor::with_origin(data, ORIGIN, make_layout((Int::<4>, n), (Int::<1>, 6))).unwrap(); } t;
    numbers; tiles (Int::<3>, 2), [3, 2]; vectors 2 along 0; slices; masked (Int::<3>, Int::<2>), [3, 2], in_two;
}

row! {
    run_time: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| 7 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4), (7, 1))).unwrap(); } t;
    numbers; tiles (2, 3), [2, 3]; no vectors "which stride is 1 is not known of the types"; slices; masked (Int::<2>, Int::<3>), [2, 3], in_two;
}

row! {
    three_modes: Case::<u64, Rank3>::new(&[3, 2, 4], ORIGIN, |c| c[0] + 12 * c[1] + 3 * c[2]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, 2, 4), (Int::<1>, 12, 3))).unwrap(); } t;
    numbers; tiles (2, 1, 3), [2, 1, 3]; vectors 3 along 0; slices;
}

row! {
    five_modes: Case::<u64, Rank5>::new(&[2, 2, 2, 2, 3], ORIGIN, |c| 16 * c[0] + 8 * c[1] + 4 * c[2] + 2 * c[3] + 32 * c[4] - 9);
    |data| { let t = Tensor::with_origin(data, ORIGIN - 9, make_layout((2, 2, 2, 2, 3), (16, 8, 4, 2, 32))).unwrap(); } t;
    numbers; tiles (2, 1, 2, 1, 2), [2, 1, 2, 1, 2]; no vectors "no stride is 1"; slices;
}

row! {
    an_integer: Case::<u64, Leaf>::new(&[6], ORIGIN, |c| 2 * c[0]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout(6, Int::<2>)).unwrap(); } t;
    numbers; no tiles "the extents of a partial tile are a tuple, the tile an integer"; no vectors "no stride is 1"; slices;
}

row! {
    certified: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| 4 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4), (4, Int::<1>))).unwrap().injective().unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; vectors 2 along 1; slices;
}

row! {
    hoisted: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| 5 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, 4), (5, Int::<1>)).hoist::<4>()).unwrap(); } t;
    numbers; tiles (2, 3), [2, 3]; slices;
}

// Nested modes.

row! {
    nested: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| 2 * (c[0] % 2) + c[0] / 2 + 4 * c[1]).without_strides("the leaves of mode 0 do not follow each other");
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!(((2, 2), 3) : ((2, 1), 4))).unwrap(); } t;
    numbers; tiles (Int::<2>, Int::<2>), [2, 2]; slices;
}

row! {
    nested_in_a_row: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| 6 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout(((2, 2), 3), ((6, 12), Int::<1>))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; vectors 3 along 1; slices;
}

row! {
    dynamic: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| 4 * c[0] + 2 * (c[1] % 2) + c[1] / 2).without_strides("the leaves of mode 1 do not follow each other");
    |data| { let t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("(3,(2,2)):(4,(2,1))").unwrap()).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; no slices "a dynamic layout has no type to slice";
}

row! {
    dynamic_in_a_row: Case::<u64, Rank2>::new(&[4, 4], ORIGIN, |c| c[0] + 4 * c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("(4,(2,2)):(1,(4,8))").unwrap()).unwrap(); } t;
    numbers; tiles (3, 2), [3, 2]; vectors 4 along 0; no slices "a dynamic layout has no type to slice";
}

// Elements that are shared, interleaved, repeated.

row! {
    broadcast: Case::<u64, Rank2>::new(&[3, 4], ORIGIN, |c| c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, Int::<4>), (Int::<0>, Int::<1>))).unwrap(); } t;
    numbers; tiles (2, Int::<2>), [2, 2]; vectors 2 along 1;
}

row! {
    overlapping: Case::<u64, Rank2>::new(&[3, 3], ORIGIN, |c| c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((3, 3), (1, 1))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2];
}

row! {
    interleaved: Case::<u64, Rank2>::new(&[2, 3], ORIGIN, |c| 3 * c[0] + 2 * c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!((2, 3) : (3, 2))).unwrap(); } t;
    numbers; tiles (Int::<1>, Int::<2>), [1, 2]; slices;
}

// Negative strides.

row! {
    negative: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| 4 * c[1] - c[0]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((4, 3), (Signed(-1), 4))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; slices; masked (Int::<3>, Int::<2>), [3, 2], in_two;
}

row! {
    negative_static: Case::<u64, Rank2>::new(&[3, 4], LEN - 1, |c| -5 * c[0] - c[1]);
    |data| { let t = Tensor::with_origin(data, LEN - 1, layout!((3, 4) : (-5, -1))).unwrap(); } t;
    numbers; tiles (Int::<2>, Int::<2>), [2, 2]; slices;
}

row! {
    negative_dynamic: Case::<u64, Rank1>::new(&[6], LEN - 1, |c| -2 * c[0]);
    |data| { let t = Tensor::with_origin(data, LEN - 1, DynLayout::<16>::parse("(6):(-2)").unwrap()).unwrap(); } t;
    numbers; tiles (4,), [4];
}

// Swizzled, composed with an offset, XOR strides.

const SWIZZLED: &str = "a swizzle moves elements";

row! {
    swizzled: Case::<u64, Rank2>::new(&[4, 8], ORIGIN, |c| swizzle(1, 1, 2, 8 * c[0] + c[1])).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<1, 1, 2>.composition(layout!((4, 8) : (8, 1)))).unwrap(); } t;
    numbers; tiles (Int::<3>, Int::<2>), [3, 2]; vectors 2 along 1; slices;
}

row! {
    swizzled_at_run_time: Case::<u64, Rank2>::new(&[4, 4], ORIGIN, |c| swizzle(2, 0, 2, c[0] + 4 * c[1])).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, ORIGIN, Composed::of(Swizzle::new(2, 0, 2).unwrap(), make_layout((4, 4), (1, 4)))).unwrap(); } t;
    numbers; tiles (2, 3), [2, 3]; slices;
}

row! {
    offset: Case::<u64, Rank2>::new(&[2, 6], ORIGIN, |c| swizzle(2, 1, 2, 21 + 6 * c[0] + c[1])).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, ORIGIN, Composed::new(StaticSwizzle::<2, 1, 2>, 21, make_layout((2, 6), (6, Int::<1>)))).unwrap(); } t;
    numbers; tiles (1, 4), [1, 4]; slices;
}

row! {
    /// The first element is at the beginning of the buffer, index 0 behind its end.
    offset_below_zero: Case::<u64, Rank1>::new(&[8], LEN, |c| swizzle(2, 0, 3, c[0] - 160)).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, LEN, Composed::new(Swizzle::new(2, 0, 3).unwrap(), Signed(-160), make_layout((8,), (1,)))).unwrap(); } t;
    numbers; tiles (3,), [3]; slices;
}

row! {
    offset_of_one_element: Case::<u64, Rank1>::new(&[1], LEN, |c| swizzle(2, 0, 3, c[0] - 157));
    |data| { let t = Tensor::with_origin(data, LEN, Composed::new(Swizzle::new(2, 0, 3).unwrap(), Signed(-157), make_layout((1,), (1,)))).unwrap(); } t;
    numbers; tiles (3,), [3]; slices;
}

row! {
    swizzled_downwards: Case::<u64, Rank1>::new(&[8], ORIGIN, |c| swizzle(1, 0, 2, -c[0])).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, ORIGIN, StaticSwizzle::<1, 0, 2>.composition(make_layout((8,), (Signed(-1),)))).unwrap(); } t;
    numbers; tiles (3,), [3]; slices;
}

row! {
    behind_a_layout: Case::<u64, Rank1>::new(&[4], ORIGIN, |c| 7 * ((2 + c[0]) % 4) + (2 + c[0]) / 4)
        .without_strides("a layout moves elements").without_loops("a layout has no period").unproven("the inner layout is not asked");
    |data| { let t = Tensor::with_origin(data, ORIGIN, Composed::new(make_layout((4, 7), (7, 1)), 2, make_layout((4,), (1,)))).unwrap(); } t;
    numbers; tiles (3,), [3]; slices;
}

row! {
    xor_static: Case::<u64, Rank2>::new(&[4, 4], ORIGIN, |c| (c[0] ^ c[0] << 2) ^ c[1]).without_strides("strides are exchanged").without_loops("what is exchanged takes no steps");
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!((4, 4) : (^5, ^1))).unwrap(); } t;
    numbers; tiles (Int::<4>, Int::<4>), [4, 4]; refused tiles (Int::<2>, Int::<4>); slices;
}

row! {
    xor_mixed: Case::<u64, Rank2>::new(&[4, 3], ORIGIN, |c| (c[0] ^ c[0] << 1) + 8 * c[1]).without_strides("strides are exchanged").without_loops("what is exchanged takes no steps");
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((Int::<4>, 3), (Xor::<3>, 8))).unwrap(); } t;
    numbers; slices;
}

row! {
    xor_dynamic: Case::<u64, Rank2>::new(&[8, 4], ORIGIN, |c| (c[0] ^ c[0] >> 1 << 3) ^ (c[1] << 3)).without_strides("strides are exchanged").without_loops("what is exchanged takes no steps");
    |data| { let t = Tensor::with_origin(data, ORIGIN, DynLayout::<16>::parse("((2,4),4):((^1,^10),^8)").unwrap()).unwrap(); } t;
    numbers; tiles (8, 4), [8, 4]; refused tiles (2, 4);
}

row! {
    map_of_bits: Case::<u64, Rank2>::new(&[4, 8], ORIGIN, |c| swizzle(2, 0, 3, 8 * c[0] + c[1])).without_strides(SWIZZLED).without_loops("a map of bits has no period");
    |data| { let t = Tensor::with_origin(data, ORIGIN, Bits::<StaticSwizzle<2, 0, 3>>::NEW.composition(layout!((4, 8) : (8, 1)))).unwrap(); } t;
    tiles (Int::<3>, Int::<2>), [3, 2]; slices; no numbers "a map of bits has no equality, which a transfer asks for";
}

// Extents of 0 and 1, rank 0.

row! {
    empty: Case::<u64, Rank2>::new(&[0, 3], ORIGIN, |_| 0).without_loops("a plan has no such strides");
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((0, 3), (1, usize::MAX / 2))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; slices;
}

row! {
    empty_swizzled: Case::<u64, Rank2>::new(&[3, 0], LEN, |_| 0).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, LEN, Composed::new(StaticSwizzle::<2, 0, 3>, Signed(-1000), make_layout((3, 0), (Int::<1>, 77)))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; slices;
}

row! {
    empty_dynamic: Case::<u64, Rank1>::new(&[0], LEN, |_| 0);
    |data| { let t = Tensor::with_origin(data, LEN, DynLayout::<16>::parse("((2,0)):((5,7))").unwrap()).unwrap(); } t;
    numbers; tiles (2,), [2];
}

row! {
    ones: Case::<u64, Rank2>::new(&[1, 1], LEN - 1, |_| 0);
    |data| { let t = Tensor::with_origin(data, LEN - 1, make_layout((1, 1), (usize::MAX / 2, Signed(-99)))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; slices; masked (Int::<2>, Int::<2>), [2, 2], in_two;
}

row! {
    one_and_more: Case::<u64, Rank2>::new(&[1, 4], ORIGIN, |c| c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((1, 4), (1000, Int::<1>))).unwrap(); } t;
    numbers; tiles (2, 3), [2, 3]; vectors 2 along 1; slices;
}

row! {
    ones_swizzled: Case::<u64, Rank2>::new(&[1, 1], ORIGIN, |_| swizzle(2, 0, 3, 11)).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, ORIGIN, Composed::new(StaticSwizzle::<2, 0, 3>, 11, make_layout((1, 1), (5, 7)))).unwrap(); } t;
    numbers; tiles (2, 2), [2, 2]; slices;
}

row! {
    rank_0: Case::<u64, Rank0>::new(&[], LEN - 1, |_| 0);
    |data| { let t = Tensor::with_origin(data, LEN - 1, make_layout((), ())).unwrap(); } t;
    numbers;
}

row! {
    rank_0_dynamic: Case::<u64, Rank0>::new(&[], LEN - 1, |_| 0);
    |data| { let t = Tensor::with_origin(data, LEN - 1, DynLayout::<16>::parse("():()").unwrap()).unwrap(); } t;
    numbers;
}

row! {
    rank_0_swizzled: Case::<u64, Rank0>::new(&[], LEN, |_| swizzle(2, 0, 3, -77)).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, LEN, Composed::new(StaticSwizzle::<2, 0, 3>, Signed(-77), make_layout((), ()))).unwrap(); } t;
    numbers;
}

// Elements without a size.

row! {
    nothing_static: Case::<(), Rank2>::new(&[4, 3], ORIGIN, |c| 3 * c[0] + c[1]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, layout!((4, 3) : (3, 1))).unwrap(); } t;
    tiles (Int::<2>, Int::<2>), [2, 2]; vectors 3 along 1; slices;
}

row! {
    nothing_negative: Case::<(), Rank2>::new(&[4, 3], ORIGIN, |c| 4 * c[1] - c[0]);
    |data| { let t = Tensor::with_origin(data, ORIGIN, make_layout((4, 3), (Signed(-1), 4))).unwrap(); } t;
    tiles (2, 2), [2, 2]; slices;
}

row! {
    nothing_swizzled: Case::<(), Rank2>::new(&[4, 8], LEN, |c| swizzle(1, 1, 2, 8 * c[0] + c[1] - 64)).without_strides(SWIZZLED);
    |data| { let t = Tensor::with_origin(data, LEN, Composed::new(StaticSwizzle::<1, 1, 2>, Signed(-64), layout!((4, 8) : (8, 1)))).unwrap(); } t;
    tiles (Int::<3>, Int::<2>), [3, 2]; vectors 2 along 1; slices;
}
