//! Swizzled indices: two bit fields of an index combined by exclusive-or.

use layout_core::layouts::{StaticSwizzle, Swizzle, Swizzled};
use layout_core::number::Keep;
use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, make_layout};

/// Returns the swizzle of these three fields.
const fn swizzle(bits: i64, base: i64, shift: i64) -> Swizzle {
    match Swizzle::new(bits, base, shift) {
        Ok(swizzle) => swizzle,
        Err(_) => panic!("not a swizzle"),
    }
}

const S343: Swizzle = swizzle(3, 4, 3);

/// `S<2,3,3> o 0 o (8,32):(32,1)`.
type Rows = Swizzled<2, 3, 3, Strided<(Int<8>, Int<32>), (Int<32>, Int<1>)>>;

#[unsafe(no_mangle)]
pub fn swizzle_layout(x: usize) -> usize {
    S343.apply_index(x)
}

#[unsafe(no_mangle)]
pub fn swizzle_hand(x: usize) -> usize {
    x ^ ((x >> 3) & 0x70)
}

#[unsafe(no_mangle)]
pub fn swizzle_left_layout(x: usize) -> usize {
    const { swizzle(2, 0, -3) }.apply_index(x)
}

#[unsafe(no_mangle)]
pub fn swizzle_left_hand(x: usize) -> usize {
    x ^ ((x & 3) << 3)
}

#[unsafe(no_mangle)]
pub fn swizzled_rows_layout(i: usize, j: usize) -> usize {
    Rows::default().crd2idx((i, j))
}

#[unsafe(no_mangle)]
pub fn swizzled_rows_hand(i: usize, j: usize) -> usize {
    let x = i * 32 + j;
    x ^ ((x >> 3) & 0x18)
}

#[unsafe(no_mangle)]
pub fn swizzled_linear_layout(t: usize) -> usize {
    Rows::default().crd2idx(t)
}

#[unsafe(no_mangle)]
pub fn swizzled_linear_hand(t: usize) -> usize {
    let x = t % 8 * 32 + t / 8;
    x ^ ((x >> 3) & 0x18)
}

#[unsafe(no_mangle)]
pub fn swizzled_tile_layout(m: Dyn<8>, n: Dyn<8>, ld: usize, t: usize, bi: usize, bj: usize) -> usize {
    let tiles = make_layout((m, n), (ld, Int::<1>)).zipped_divide((Int::<8>, Int::<8>));
    StaticSwizzle::<3, 4, 3>.composition(tiles).crd2idx((t, (bi, bj)))
}

#[unsafe(no_mangle)]
pub fn swizzled_tile_hand(m: usize, n: usize, ld: usize, t: usize, bi: usize, bj: usize) -> usize {
    let x = (8 * bi + t % 8) * ld + 8 * bj + t / 8;
    x ^ ((x >> 3) & 0x70)
}

#[unsafe(no_mangle)]
pub fn const_swizzled_layout() -> usize {
    Rows::default().crd2idx((Int::<6>, Int::<9>))
}

#[unsafe(no_mangle)]
pub fn const_swizzled_hand() -> usize {
    209
}

// A tile of a divided layout: the index of the fixed modes is added before the exchange.
#[unsafe(no_mangle)]
pub fn swizzled_slice_layout(bi: usize, i: usize, j: usize) -> usize {
    Rows::default().zipped_divide((Int::<4>, Int::<8>)).slice((Keep, (bi, Int::<1>))).crd2idx(((i, j),))
}

#[unsafe(no_mangle)]
pub fn swizzled_slice_hand(bi: usize, i: usize, j: usize) -> usize {
    let x = bi * 128 + 8 + i * 32 + j;
    x ^ ((x >> 3) & 0x18)
}
