//! Functions of integers.

use super::{Inputs, Plain, ROUNDS};
use crate::many_leaves::*;
use crate::xor_strides::*;
use crate::{
    composed::*, divided::*, inverse::*, mixed::*, nested::*, products::*, signed::*, sliced::*, static_::*, swizzled::*, xored::*,
};

macro_rules! agree {
    ($($name:ident: $layout:ident $hand:ident ($($arg:ident: $draw:ident $(<$div:literal>)?),*);)*) => { $(
        #[test]
        #[allow(unused_mut, unused_variables)]
        fn $name() {
            let mut inputs = Inputs::new();
            for _ in 0..ROUNDS {
                $(let $arg = inputs.$draw$(::<$div>)?();)*
                assert_eq!($layout($($arg),*), $hand($($arg.plain()),*), "{:?}", ($($arg.plain(),)*));
            }
        }
    )* };
}

// Pairs of `static_`.
agree! {
    const_33: const_33_layout const_33_hand ();
    const_129: const_129_layout const_129_hand ();
    const_590: const_590_layout const_590_hand ();
    const_192: const_192_layout const_192_hand ();
    const_type: const_type_layout const_type_hand ();
    const_size: const_size_layout const_size_hand ();
    flat_static: flat_static_layout flat_static_hand (i: any, j: any);
    packed_static: packed_static_layout packed_static_hand (i: any, j: any, k: any);
    nested_static: nested_static_layout nested_static_hand (i: any, j: any);
    matched_static: matched_static_layout matched_static_hand (a: any, b: any, c: any, d: any);
    linear_static: linear_static_layout linear_static_hand (i: any);
    half_static: half_static_layout half_static_hand (i: any);
    empty_static: empty_static_layout empty_static_hand (i: any, j: any);
    compact_static: compact_static_layout compact_static_hand (i: any);
    compact_modes: compact_modes_layout compact_modes_hand (i: any, j: any);
    broadcast_static: broadcast_static_layout broadcast_static_hand (i: any, j: any);
    checked_static: checked_static_layout checked_static_hand (i: any, j: any);
}

// Pairs of `mixed`.
agree! {
    mixed: mixed_layout mixed_hand (m: any, ld: any, i: any, j: any);
    mixed_linear: mixed_linear_layout mixed_linear_hand (m: any, ld: any, i: any);
    mixed_nonzero: mixed_nonzero_layout mixed_nonzero_hand (m: some, ld: any, i: any);
    mixed_half: mixed_half_layout mixed_half_hand (m: any, ld: any, i: any);
    rows: rows_layout rows_hand (m: any, n: any, ld: any, i: any, j: any);
    rows_3d: rows_3d_layout rows_3d_hand (n: any, p: any, i: any, j: any, k: any);
    rows_linear: rows_linear_layout rows_linear_hand (m: some, n: any, i: any);
    columns_linear: columns_linear_layout columns_linear_hand (m: any, n: any, i: any);
    channels_last: channels_last_layout channels_last_hand (h: any, w: any, b: any, y: any, x: any, c: any);
    size: size_layout size_hand (m: any, n: any);
    extent: extent_layout extent_hand (m: any, n: any);
    checked: checked_layout checked_hand (m: any, ld: any, i: any, j: any);
    checked_linear: checked_linear_layout checked_linear_hand (m: some, ld: any, i: any);
    checked_guarded: checked_guarded_layout checked_guarded_hand (m: any, ld: any, i: any);
    checked_columns: checked_columns_layout checked_columns_hand (m: some, n: any, i: any);
}

// Pairs of `nested`.
agree! {
    deep_matched: deep_matched_layout deep_matched_hand (m: any, s: any, a: any, b: any, c: any, d: any);
    deep_inner: deep_inner_layout deep_inner_hand (m: any, s: any, a: any, b: any, d: any);
    deep_modes: deep_modes_layout deep_modes_hand (m: any, s: any, i: any, d: any);
    deep_linear: deep_linear_layout deep_linear_hand (m: some, s: any, i: any);
    volume_linear: volume_linear_layout volume_linear_hand (m: any, n: any, s: any, t: any, i: any);
    volume_nonzero: volume_nonzero_layout volume_nonzero_hand (m: some, n: some, s: any, t: any, i: any);
    unravel_static: unravel_static_layout unravel_static_hand (i: any);
    unravel_mixed: unravel_mixed_layout unravel_mixed_hand (m: any, ld: any, i: any);
    unravel_nested: unravel_nested_layout unravel_nested_hand (m: some, i: any);
    relayout: relayout_layout relayout_hand (m: some, ld: any, i: any);
}

// Pairs of `divided`.
agree! {
    logical_matched: logical_matched_layout logical_matched_hand (m: times<8>, n: times<4>, ld: any, i: any, bi: any, j: any, bj: any);
    logical_modes: logical_modes_layout logical_modes_hand (m: times<8>, n: times<4>, ld: any, i: any, j: any);
    zipped_matched: zipped_matched_layout zipped_matched_hand (m: times<8>, n: times<4>, ld: any, i: any, j: any, bi: any, bj: any);
    zipped_modes: zipped_modes_layout zipped_modes_hand (m: times<8>, n: times<4>, ld: any, t: any, b: any);
    flat_divided: flat_divided_layout flat_divided_hand (m: times<8>, n: times<4>, ld: any, i: any, j: any, bi: any, bj: any);
    rows_divided: rows_divided_layout rows_divided_hand (m: times<8>, n: times<4>, ld: any, t: any, b: any);
    vector_divided: vector_divided_layout vector_divided_hand (n: times<128>, t: any, b: any);
    static_logical: static_logical_layout static_logical_hand (i: any, j: any);
    static_zipped: static_zipped_layout static_zipped_hand (t: any, b: any);
    const_divided: const_divided_layout const_divided_hand ();
    strided_tile: strided_tile_layout strided_tile_hand (t: any, b: any);
    divided_twice: divided_twice_layout divided_twice_hand (m: times<64>, ld: any, w: any, t: any, b: any);
}

// Pairs of `composed`.
agree! {
    composed_modes: composed_modes_layout composed_modes_hand (i: any, j: any);
    composed_linear: composed_linear_layout composed_linear_hand (i: any);
    const_composed: const_composed_layout const_composed_hand ();
    sampled: sampled_layout sampled_hand (ld: any, i: any, j: any);
    thread_values: thread_values_layout thread_values_hand (ld: any, t: any, v: any);
    composed_by_mode: composed_by_mode_layout composed_by_mode_hand (m: times<8>, n: times<4>, ld: any, i: any, j: any);
    composed_stride: composed_stride_layout composed_stride_hand (s: any, i: any);
    coalesced: coalesced_layout coalesced_hand (ld: any, i: any);
}

// Pairs of `products`.
agree! {
    blocked: blocked_layout blocked_hand (i: any, j: any);
    raked: raked_layout raked_hand (i: any, j: any);
    copies: copies_layout copies_hand (n: any, t: any, b: any);
    tiled_to_shape: tiled_to_shape_layout tiled_to_shape_hand (m: times<8>, n: times<4>, i: any, j: any);
    upcast: upcast_layout upcast_hand (m: times<4>, ld: times<4>, i: any, j: any);
    upcast_static: upcast_static_layout upcast_static_hand (i: any, j: any);
    downcast: downcast_layout downcast_hand (m: any, ld: any, i: any, j: any);
}

// Pairs of `sliced`.
agree! {
    row_of: row_of_layout row_of_hand (m: any, ld: any, i: any, j: any);
    thread_of: thread_of_layout thread_of_hand (t: any, v: any);
    tile_of: tile_of_layout tile_of_hand (m: times<8>, n: times<4>, ld: any, bi: any, bj: any, i: any, j: any);
    fixed_part: fixed_part_layout fixed_part_hand (m: times<8>, n: times<4>, ld: any, b: any);
    grouped: grouped_layout grouped_hand (s: any, t: any, i: any, j: any);
    appended: appended_layout appended_hand (ld: any, batch: any, i: any, j: any, b: any);
    dice: dice_layout dice_hand (m: any, ld: any, j: any);
}

// Pairs of `inverse`.
agree! {
    right_inverse: right_inverse_layout right_inverse_hand (i: any);
    transposed: transposed_layout transposed_hand (i: any);
    left_inverse: left_inverse_layout left_inverse_hand (i: any);
    reindexed: reindexed_layout reindexed_hand (ld: any, i: any);
    reindexed_static: reindexed_static_layout reindexed_static_hand (i: any);
    complement: complement_layout complement_hand (i: any);
    const_inverse: const_inverse_layout const_inverse_hand ();
}

// Pairs of `signed`.
agree! {
    reversed: reversed_layout reversed_hand (i: any);
    flipped: flipped_layout flipped_hand (m: any, ld: signed, i: any, j: any);
    flipped_nested: flipped_nested_layout flipped_nested_hand (i: any);
    signed_linear: signed_linear_layout signed_linear_hand (m: any, s: signed, t: signed, i: any);
    signed_divided: signed_divided_layout signed_divided_hand (n: times<8>, s: signed, t: any, b: any);
    signed_rows: signed_rows_layout signed_rows_hand (ld: signed, t: any, b: any);
    const_signed: const_signed_layout const_signed_hand ();
}

// Pairs of `swizzled`.
agree! {
    swizzle: swizzle_layout swizzle_hand (x: any);
    swizzle_left: swizzle_left_layout swizzle_left_hand (x: any);
    swizzled_rows: swizzled_rows_layout swizzled_rows_hand (i: any, j: any);
    swizzled_linear: swizzled_linear_layout swizzled_linear_hand (t: any);
    swizzled_tile: swizzled_tile_layout swizzled_tile_hand (m: times<8>, n: times<8>, ld: any, t: any, bi: any, bj: any);
    const_swizzled: const_swizzled_layout const_swizzled_hand ();
    swizzled_slice: swizzled_slice_layout swizzled_slice_hand (bi: any, i: any, j: any);
}

// Pairs of `xored`.
agree! {
    xored_modes: xored_modes_layout xored_modes_hand (i: any, j: any);
    xored_linear: xored_linear_layout xored_linear_hand (x: any);
    const_xored: const_xored_layout const_xored_hand ();
    xored_stages: xored_stages_layout xored_stages_hand (stages: any, i: any, j: any, k: any);
    xored_pitch: xored_pitch_layout xored_pitch_hand (pitch: times<64>, i: any, j: any, k: any);
    xored_vectors: xored_vectors_layout xored_vectors_hand (row: any, vector: any);
    const_xored_searched: const_xored_searched_layout const_xored_searched_hand ();
    xored_gray: xored_gray_layout xored_gray_hand (t: any);
    xored_slice: xored_slice_layout xored_slice_hand (row: any, j: any);
    xored_quarters: xored_quarters_layout xored_quarters_hand (i: any, j: any, a: any, b: any);
}

// Pairs of `xor_strides`.
agree! {
    xor_tile: xor_tile_layout xor_tile_hand (i: any, j: any);
    xor_linear: xor_linear_layout xor_linear_hand (x: any);
    const_xor: const_xor_layout const_xor_hand ();
    xor_swizzle: xor_swizzle_layout xor_swizzle_hand (i: any, j: any);
    xor_ring: xor_ring_layout xor_ring_hand (stages: any, pitch: any, i: any, j: any, k: any);
    xor_ring_linear: xor_ring_linear_layout xor_ring_linear_hand (stages: any, pitch: any, x: any);
    xor_rows: xor_rows_layout xor_rows_hand (rows: times<8>, i: any, j: any, k: any);
    xor_quarters: xor_quarters_layout xor_quarters_hand (i: any, j: any, a: any, b: any);
    xor_composed: xor_composed_layout xor_composed_hand (t: any);
    xor_inverse: xor_inverse_layout xor_inverse_hand (x: any);
    xor_stage: xor_stage_layout xor_stage_hand (stages: any, i: any, j: any, k: any);
    xor_checked: xor_checked_layout xor_checked_hand (i: any, j: any);
}

#[test]
fn xor_load() {
    let data: Vec<f32> = (0..512).map(|x| x as f32).collect();
    for (row, vector, k) in (0..512).map(|x| (x & 7, x >> 3 & 7, x >> 6)) {
        // SAFETY: the tile has 512 elements.
        let (layout, hand) = unsafe { (xor_load_layout(data.as_ptr(), row, vector, k), xor_load_hand(data.as_ptr(), row, vector, k)) };
        assert_eq!(layout, hand, "{:?}", (row, vector, k));
    }
}

// Pairs of `many_leaves`.
agree! {
    ten_bits: ten_bits_layout ten_bits_hand (x: any);
    twelve_mixed: twelve_mixed_layout twelve_mixed_hand (s: any, t: any, thread: any, register: any, tile: any);
    nine_extents: nine_extents_layout nine_extents_hand (m: some, n: some, p: some, i: any, j: any, k: any);
    sixteen_modes: sixteen_modes_layout sixteen_modes_hand (i: any, j: any, k: any, l: any);
}
