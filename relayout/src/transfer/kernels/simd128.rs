//! The vectors of WebAssembly for the traits of `vector`: values of 16 bytes, alone and in pairs.

use super::pair::Pair;
use super::vector::{Lanes, Permute, Set, Vector};
use core::arch::wasm32::*;

/// The vectors of `simd128`, of 16 bytes and of two times 16 bytes.
pub(crate) struct Simd128;

impl Set for Simd128 {
    type Wide = Pair<v128>;
    type Half = Pair<v128>;
    type Bytes = Pair<v128>;
    type Short = v128;
}

impl Vector for v128 {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: promised by the caller.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: promised by the caller.
        unsafe { v128_store(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn splat(from: *const u8, width: usize) -> Self {
        // SAFETY: promised by the caller.
        unsafe {
            match width {
                1 => v128_load8_splat(from),
                2 => v128_load16_splat(from.cast()),
                4 => v128_load32_splat(from.cast()),
                8 => v128_load64_splat(from.cast()),
                _ => Self::load(from),
            }
        }
    }
}

impl Lanes for v128 {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self) {
        let (a, b) = (self, other);
        match E {
            1 => (
                u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
                u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
            ),
            2 => (u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b), u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
            4 => (u32x4_shuffle::<0, 4, 1, 5>(a, b), u32x4_shuffle::<2, 6, 3, 7>(a, b)),
            _ => (u64x2_shuffle::<0, 2>(a, b), u64x2_shuffle::<1, 3>(a, b)),
        }
    }

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        u8x16_swizzle(self, order)
    }

    #[inline(always)]
    unsafe fn transpose(_: &mut [Self; 4]) {}
}

impl Permute for v128 {
    const LANE: usize = 16;

    /// One index per vector. A number above 15 selects 0, and the bytes of the other vectors are added.
    type Index = [v128; 3];

    #[inline(always)]
    unsafe fn index(bytes: &[u8; 64]) -> [v128; 3] {
        // SAFETY: the table has more than 16 bytes.
        let bytes = unsafe { Self::load(bytes.as_ptr()) };
        [bytes, u8x16_sub(bytes, u8x16_splat(16)), u8x16_sub(bytes, u8x16_splat(32))]
    }

    #[inline(always)]
    unsafe fn one(a: Self, index: [v128; 3]) -> Self {
        u8x16_swizzle(a, index[0])
    }

    #[inline(always)]
    unsafe fn two(a: Self, b: Self, index: [v128; 3]) -> Self {
        v128_or(u8x16_swizzle(a, index[0]), u8x16_swizzle(b, index[1]))
    }

    #[inline(always)]
    unsafe fn three(a: Self, b: Self, c: Self, index: [v128; 3]) -> Self {
        // SAFETY: the build has the instructions.
        unsafe { v128_or(Self::two(a, b, index), u8x16_swizzle(c, index[2])) }
    }

    #[inline(always)]
    unsafe fn deal<const K: usize>(v: [Self; K]) -> [Self; K] {
        v
    }

    #[inline(always)]
    unsafe fn collect<const K: usize>(v: [Self; K]) -> [Self; K] {
        v
    }
}
