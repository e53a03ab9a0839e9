//! Swizzled indices: two bit fields of an index combined by exclusive-or.

use layout_core::{Dyn, Int, Layout, LayoutAlgebra, Strided, Swizzle, make_layout};

/// The swizzle of a known triple.
const fn swizzle(bits: i64, base: i64, shift: i64) -> Swizzle {
    match Swizzle::new(bits, base, shift) {
        Ok(swizzle) => swizzle,
        Err(_) => panic!("not a swizzle"),
    }
}

const S343: Swizzle = swizzle(3, 4, 3);
const S233: Swizzle = swizzle(2, 3, 3);

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
    S233.apply_index(Strided::<(Int<8>, Int<32>), (Int<32>, Int<1>)>::default().crd2idx((i, j)))
}

#[unsafe(no_mangle)]
pub fn swizzled_rows_hand(i: usize, j: usize) -> usize {
    let x = i * 32 + j;
    x ^ ((x >> 3) & 0x18)
}

#[unsafe(no_mangle)]
pub fn swizzled_linear_layout(t: usize) -> usize {
    S233.apply_index(Strided::<(Int<8>, Int<32>), (Int<32>, Int<1>)>::default().crd2idx(t))
}

#[unsafe(no_mangle)]
pub fn swizzled_linear_hand(t: usize) -> usize {
    let x = t % 8 * 32 + t / 8;
    x ^ ((x >> 3) & 0x18)
}

#[unsafe(no_mangle)]
pub fn swizzled_tile_layout(m: Dyn<8>, n: Dyn<8>, ld: usize, t: usize, bi: usize, bj: usize) -> usize {
    let tiles = make_layout((m, n), (ld, Int::<1>)).zipped_divide((Int::<8>, Int::<8>));
    S343.apply_index(tiles.crd2idx((t, (bi, bj))))
}

#[unsafe(no_mangle)]
pub fn swizzled_tile_hand(m: usize, n: usize, ld: usize, t: usize, bi: usize, bj: usize) -> usize {
    let x = (8 * bi + t % 8) * ld + 8 * bj + t / 8;
    x ^ ((x >> 3) & 0x70)
}

#[unsafe(no_mangle)]
pub fn const_swizzled_layout() -> usize {
    S233.apply_index(Strided::<(Int<8>, Int<32>), (Int<32>, Int<1>)>::default().crd2idx((Int::<6>, Int::<9>)))
}

#[unsafe(no_mangle)]
pub fn const_swizzled_hand() -> usize {
    209
}
