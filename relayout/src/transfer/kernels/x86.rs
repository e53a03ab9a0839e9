//! The vectors of x86-64 for the traits of `vector`.

use super::vector::{Lanes, Permute, Set, Vector};
use core::arch::asm;
use core::arch::x86_64::*;

/// The vectors of AVX2, of 16 and 32 bytes.
pub(crate) struct Avx2;

impl Set for Avx2 {
    type Wide = __m256i;
    type Half = __m256i;
    type Bytes = __m256i;
    type Short = __m128i;
}

/// The vectors of AVX-512, of 16, 32 and 64 bytes, with byte permutations (VBMI).
pub(crate) struct Avx512;

impl Set for Avx512 {
    type Wide = __m512i;
    type Half = __m256i;
    type Bytes = __m512i;
    type Short = __m128i;
}

macro_rules! vector {
    ($type:ident, $load:ident, $store:ident, $stream:ident, $one:ident $two:ident $four:ident $eight:ident $sixteen:expr) => {
        impl Vector for $type {
            const BYTES: usize = size_of::<$type>();

            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: promised by the caller.
                unsafe { $load(from.cast()) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: promised by the caller.
                unsafe { $store(to.cast(), self) }
            }

            #[inline(always)]
            unsafe fn stream(self, to: *mut u8) {
                // SAFETY: promised by the caller.
                unsafe { $stream(to.cast(), self) }
            }

            #[inline(always)]
            unsafe fn own(at: *const u8) {
                // SAFETY: a hint, which never fails; a processor that has AVX2 but not this instruction ignores it.
                unsafe { asm!("prefetchw [{}]", in(reg) at.addr(), options(nomem, nostack, preserves_flags)) }
            }

            #[inline(always)]
            unsafe fn fetch(at: *const u8) {
                // SAFETY: as above.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) }
            }

            #[inline(always)]
            unsafe fn splat(from: *const u8, width: usize) -> Self {
                // SAFETY: promised by the caller.
                unsafe {
                    match width {
                        1 => $one(from.cast::<i8>().read_unaligned()),
                        2 => $two(from.cast::<i16>().read_unaligned()),
                        4 => $four(from.cast::<i32>().read_unaligned()),
                        8 => $eight(from.cast::<i64>().read_unaligned()),
                        _ => $sixteen(_mm_loadu_si128(from.cast())),
                    }
                }
            }
        }
    };
}

vector!(__m128i, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128, _mm_set1_epi8 _mm_set1_epi16 _mm_set1_epi32 _mm_set1_epi64x core::convert::identity);
vector!(__m256i, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256,
    _mm256_set1_epi8 _mm256_set1_epi16 _mm256_set1_epi32 _mm256_set1_epi64x _mm256_broadcastsi128_si256);
vector!(__m512i, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512,
    _mm512_set1_epi8 _mm512_set1_epi16 _mm512_set1_epi32 _mm512_set1_epi64 _mm512_broadcast_i32x4);

macro_rules! zip {
    ($($low:ident $high:ident),*) => {
        #[inline(always)]
        unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self) {
            // SAFETY: the caller promises that the processor has the instructions.
            unsafe { zip!(@ E, self, other, $($low $high),*) }
        }
    };
    (@ $e:ident, $a:ident, $b:ident, $low1:ident $high1:ident, $low2:ident $high2:ident, $low4:ident $high4:ident, $low8:ident $high8:ident) => {
        match $e {
            1 => ($low1($a, $b), $high1($a, $b)),
            2 => ($low2($a, $b), $high2($a, $b)),
            4 => ($low4($a, $b), $high4($a, $b)),
            _ => ($low8($a, $b), $high8($a, $b)),
        }
    };
}

impl Lanes for __m128i {
    const LANES: usize = 1;

    zip!(_mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16, _mm_unpacklo_epi32 _mm_unpackhi_epi32,
        _mm_unpacklo_epi64 _mm_unpackhi_epi64);

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        // SAFETY: the caller promises that the processor has the instruction.
        unsafe { _mm_shuffle_epi8(self, order) }
    }

    #[inline(always)]
    unsafe fn transpose(_: &mut [Self; 4]) {}
}

impl Lanes for __m256i {
    const LANES: usize = 2;

    zip!(_mm256_unpacklo_epi8 _mm256_unpackhi_epi8, _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
        _mm256_unpacklo_epi32 _mm256_unpackhi_epi32, _mm256_unpacklo_epi64 _mm256_unpackhi_epi64);

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe {
            let lanes = _mm256_shuffle_epi8(self, order);
            _mm256_permute2x128_si256::<0x01>(lanes, lanes)
        }
    }

    #[inline(always)]
    unsafe fn transpose(vectors: &mut [Self; 4]) {
        let [a, b, ..] = *vectors;
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe {
            vectors[0] = _mm256_permute2x128_si256::<0x20>(a, b);
            vectors[1] = _mm256_permute2x128_si256::<0x31>(a, b);
        }
    }
}

impl Lanes for __m512i {
    const LANES: usize = 4;

    zip!(_mm512_unpacklo_epi8 _mm512_unpackhi_epi8, _mm512_unpacklo_epi16 _mm512_unpackhi_epi16,
        _mm512_unpacklo_epi32 _mm512_unpackhi_epi32, _mm512_unpacklo_epi64 _mm512_unpackhi_epi64);

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe {
            let lanes = _mm512_shuffle_epi8(self, order);
            _mm512_shuffle_i32x4::<0x1b>(lanes, lanes)
        }
    }

    #[inline(always)]
    unsafe fn transpose(vectors: &mut [Self; 4]) {
        let [a, b, c, d] = *vectors;
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe {
            let (low, high) = (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
            let (low2, high2) = (_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
            *vectors = [
                _mm512_shuffle_i32x4::<0x88>(low, low2),
                _mm512_shuffle_i32x4::<0xdd>(low, low2),
                _mm512_shuffle_i32x4::<0x88>(high, high2),
                _mm512_shuffle_i32x4::<0xdd>(high, high2),
            ];
        }
    }
}

/// Joins a half of `low` and a half of `high`. Each flag chooses the upper half.
#[inline(always)]
unsafe fn halves(low: __m256i, upper: bool, high: __m256i, upper_high: bool) -> __m256i {
    // SAFETY: the caller promises that the processor has the instructions.
    unsafe {
        match (upper, upper_high) {
            (false, false) => _mm256_permute2x128_si256::<0x20>(low, high),
            (false, true) => _mm256_blend_epi32::<0xf0>(low, high),
            (true, false) => _mm256_permute2x128_si256::<0x21>(low, high),
            (true, true) => _mm256_permute2x128_si256::<0x31>(low, high),
        }
    }
}

impl Permute for __m256i {
    const LANE: usize = 16;

    /// One shuffle index per vector. The sign bit is set if the byte comes from another vector.
    type Index = [__m256i; 3];

    #[inline(always)]
    unsafe fn index(bytes: &[u8; 64]) -> [__m256i; 3] {
        // SAFETY: the table has more than 16 bytes; the caller promises that the processor has the instructions.
        unsafe {
            let bytes = Self::splat(bytes.as_ptr(), 16);
            let of = |first: i8| {
                let number = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
                let inside = _mm256_cmpeq_epi8(_mm256_min_epu8(number, _mm256_set1_epi8(15)), number);
                _mm256_or_si256(number, _mm256_xor_si256(inside, _mm256_set1_epi8(-1)))
            };
            [of(0), of(16), of(32)]
        }
    }

    #[inline(always)]
    unsafe fn one(a: Self, index: [__m256i; 3]) -> Self {
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe { _mm256_shuffle_epi8(a, index[0]) }
    }

    #[inline(always)]
    unsafe fn two(a: Self, b: Self, index: [__m256i; 3]) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_or_si256(_mm256_shuffle_epi8(a, index[0]), _mm256_shuffle_epi8(b, index[1])) }
    }

    #[inline(always)]
    unsafe fn three(a: Self, b: Self, c: Self, index: [__m256i; 3]) -> Self {
        // SAFETY: as above.
        unsafe { _mm256_or_si256(Self::two(a, b, index), _mm256_shuffle_epi8(c, index[2])) }
    }

    #[inline(always)]
    unsafe fn deal<const K: usize>(v: [Self; K]) -> [Self; K] {
        let mut out = v;
        for k in 0..K {
            let other = K + k;
            // SAFETY: as above.
            out[k] = unsafe { halves(v[k / 2], k % 2 == 1, v[other / 2], other % 2 == 1) };
        }
        out
    }

    #[inline(always)]
    unsafe fn collect<const K: usize>(v: [Self; K]) -> [Self; K] {
        let mut out = v;
        for k in 0..K {
            let (low, high) = (2 * k, 2 * k + 1);
            // SAFETY: as above.
            out[k] = unsafe { halves(v[low % K], low >= K, v[high % K], high >= K) };
        }
        out
    }
}

impl Permute for __m512i {
    const LANE: usize = 64;

    type Index = __m512i;

    #[inline(always)]
    unsafe fn index(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: the table has 64 bytes.
        unsafe { Self::load(bytes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn one(a: Self, index: __m512i) -> Self {
        // SAFETY: the caller promises that the processor has the instructions.
        unsafe { _mm512_permutexvar_epi8(index, a) }
    }

    #[inline(always)]
    unsafe fn two(a: Self, b: Self, index: __m512i) -> Self {
        // SAFETY: as above.
        unsafe { _mm512_permutex2var_epi8(a, index, b) }
    }

    #[inline(always)]
    unsafe fn three(a: Self, b: Self, c: Self, index: __m512i) -> Self {
        // SAFETY: as above; byte numbers from 128 on have their highest bit set, which selects the third vector.
        unsafe { _mm512_mask_permutexvar_epi8(Self::two(a, b, index), _mm512_movepi8_mask(index), index, c) }
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
