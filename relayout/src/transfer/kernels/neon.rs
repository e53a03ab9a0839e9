//! The vectors of aarch64 for the traits of `vector`: registers of 16 bytes, alone and in pairs.
//!
//! There are no prefetches: a hint is an instruction, and no machine with this architecture has timed its gain.

use super::pair::Pair;
use super::vector::{Lanes, Permute, Set, Vector};
use core::arch::aarch64::*;

/// The vectors of NEON, of 16 bytes and of two times 16 bytes.
pub(crate) struct Neon;

impl Set for Neon {
    type Wide = Pair<uint8x16_t>;
    type Half = Pair<uint8x16_t>;
    type Bytes = Pair<uint8x16_t>;
    type Short = uint8x16_t;
}

impl Vector for uint8x16_t {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: promised by the caller.
        unsafe { vld1q_u8(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: promised by the caller.
        unsafe { vst1q_u8(to, self) }
    }

    #[inline(always)]
    unsafe fn splat(from: *const u8, width: usize) -> Self {
        // SAFETY: promised by the caller.
        unsafe {
            match width {
                1 => vdupq_n_u8(from.read()),
                2 => vreinterpretq_u8_u16(vdupq_n_u16(from.cast::<u16>().read_unaligned())),
                4 => vreinterpretq_u8_u32(vdupq_n_u32(from.cast::<u32>().read_unaligned())),
                8 => vreinterpretq_u8_u64(vdupq_n_u64(from.cast::<u64>().read_unaligned())),
                _ => Self::load(from),
            }
        }
    }
}

impl Lanes for uint8x16_t {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self) {
        macro_rules! zip {
            ($to:ident $from:ident $low:ident $high:ident) => {{
                let (a, b) = ($to(self), $to(other));
                ($from($low(a, b)), $from($high(a, b)))
            }};
        }
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe {
            match E {
                1 => (vzip1q_u8(self, other), vzip2q_u8(self, other)),
                2 => zip!(vreinterpretq_u16_u8 vreinterpretq_u8_u16 vzip1q_u16 vzip2q_u16),
                4 => zip!(vreinterpretq_u32_u8 vreinterpretq_u8_u32 vzip1q_u32 vzip2q_u32),
                _ => zip!(vreinterpretq_u64_u8 vreinterpretq_u8_u64 vzip1q_u64 vzip2q_u64),
            }
        }
    }

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        // SAFETY: as above.
        unsafe { vqtbl1q_u8(self, order) }
    }

    #[inline(always)]
    unsafe fn transpose(_: &mut [Self; 4]) {}
}

impl Permute for uint8x16_t {
    const LANE: usize = 16;

    type Index = uint8x16_t;

    #[inline(always)]
    unsafe fn index(bytes: &[u8; 64]) -> Self {
        // SAFETY: the table has more than 16 bytes; the caller promises that the processor has the instructions.
        unsafe { Self::load(bytes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn one(a: Self, index: Self) -> Self {
        // SAFETY: as above.
        unsafe { vqtbl1q_u8(a, index) }
    }

    #[inline(always)]
    unsafe fn two(a: Self, b: Self, index: Self) -> Self {
        // SAFETY: as above.
        unsafe { vqtbl2q_u8(uint8x16x2_t(a, b), index) }
    }

    #[inline(always)]
    unsafe fn three(a: Self, b: Self, c: Self, index: Self) -> Self {
        // SAFETY: as above.
        unsafe { vqtbl3q_u8(uint8x16x3_t(a, b, c), index) }
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
