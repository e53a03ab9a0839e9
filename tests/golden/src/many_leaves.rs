//! Nine to sixteen leaves: the steps are written out for any number of leaves.

use layout_core::{Int, Layout, Strided, make_layout};
use core::num::NonZeroUsize;

type Two = Int<2>;
type Twos4 = (Two, Two, Two, Two);

#[unsafe(no_mangle)]
pub fn nine_matched_layout(c: &[usize; 9]) -> usize {
    let shape = (Int::<2>, Int::<3>, Int::<4>, Int::<5>, Int::<2>, Int::<3>, Int::<2>, Int::<5>, Int::<7>);
    let stride = (Int::<8>, Int::<16>, Int::<1>, Int::<48>, Int::<4>, Int::<240>, Int::<720>, Int::<1440>, Int::<7200>);
    let &[a, b, c, d, e, f, g, h, i] = c;
    make_layout(shape, stride).crd2idx((a, b, c, d, e, f, g, h, i))
}

#[unsafe(no_mangle)]
pub fn nine_matched_hand(c: &[usize; 9]) -> usize {
    let &[a, b, c, d, e, f, g, h, i] = c;
    8 * a + 16 * b + c + 48 * d + 4 * e + 240 * f + 720 * g + 1440 * h + 7200 * i
}

// Ten bits in reverse order.
#[unsafe(no_mangle)]
pub fn ten_bits_layout(x: usize) -> usize {
    let stride = (Int::<512>, Int::<256>, Int::<128>, Int::<64>, Int::<32>, Int::<16>, Int::<8>, Int::<4>, Int::<2>, Int::<1>);
    make_layout((Two {}, Two {}, Two {}, Two {}, Two {}, Two {}, Two {}, Two {}, Two {}, Two {}), stride).crd2idx(x)
}

#[unsafe(no_mangle)]
pub fn ten_bits_hand(x: usize) -> usize {
    let nine = (x & 1) << 9
        | (x & 2) << 7
        | (x & 4) << 5
        | (x & 8) << 3
        | (x & 16) << 1
        | (x & 32) >> 1
        | (x & 64) >> 3
        | (x & 128) >> 5
        | (x & 256) >> 7;
    // The last digit is not reduced, so it may carry.
    nine + (x >> 9)
}

/// The strides of a 3 x 4 arrangement of bits.
pub struct Strides {
    pub s: [usize; 4],
    pub t: [usize; 4],
    pub u: [usize; 4],
}

type Stride4 = (usize, usize, usize, usize);

#[unsafe(no_mangle)]
pub fn twelve_dynamic_layout(a: &Strided<(Twos4, Twos4, Twos4), (Stride4, Stride4, Stride4)>, i: usize, j: usize, k: usize) -> usize {
    a.crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn twelve_dynamic_hand(a: &Strides, i: usize, j: usize, k: usize) -> usize {
    let &Strides { s: [s0, s1, s2, s3], t: [t0, t1, t2, t3], u: [u0, u1, u2, u3] } = a;
    (i & 1) * s0
        + (i >> 1 & 1) * s1
        + (i >> 2 & 1) * s2
        + (i >> 3) * s3
        + (j & 1) * t0
        + (j >> 1 & 1) * t1
        + (j >> 2 & 1) * t2
        + (j >> 3) * t3
        + (k & 1) * u0
        + (k >> 1 & 1) * u1
        + (k >> 2 & 1) * u2
        + (k >> 3) * u3
}

// The threads of a tensor core and the registers of each: twelve leaves with two run-time strides.
#[unsafe(no_mangle)]
pub fn twelve_mixed_layout(s: usize, t: usize, thread: usize, register: usize, tile: usize) -> usize {
    let shape =
        ((Int::<2>, Int::<4>, Int::<4>, Int::<2>), (Int::<2>, Int::<2>, Int::<2>, Int::<2>), (Int::<3>, Int::<2>, Int::<5>, Int::<2>));
    let stride =
        ((Int::<2>, Int::<4>, s, Int::<64>), (Int::<1>, Int::<128>, Int::<256>, t), (Int::<512>, Int::<1536>, Int::<3072>, Int::<30720>));
    make_layout(shape, stride).crd2idx((thread, register, tile))
}

#[unsafe(no_mangle)]
pub fn twelve_mixed_hand(s: usize, t: usize, thread: usize, register: usize, tile: usize) -> usize {
    thread % 8 * 2
        + thread / 8 % 4 * s
        + thread / 32 * 64
        + register % 2
        + register / 2 % 4 * 128
        + register / 8 * t
        + tile % 30 * 512
        + tile / 30 * 30720
}

// Nine leaves, three of which have run-time extents.
#[unsafe(no_mangle)]
pub fn nine_extents_layout(m: NonZeroUsize, n: NonZeroUsize, p: NonZeroUsize, i: usize, j: usize, k: usize) -> usize {
    let shape = ((m, Int::<2>, Int::<4>), (n, Int::<2>, Int::<4>), (p, Int::<2>, Int::<4>));
    let stride = ((Int::<1>, Int::<100>, Int::<1000>), (Int::<200>, Int::<400>, Int::<4000>), (Int::<10000>, Int::<20000>, Int::<80000>));
    make_layout(shape, stride).crd2idx((i, j, k))
}

#[unsafe(no_mangle)]
pub fn nine_extents_hand(m: NonZeroUsize, n: NonZeroUsize, p: NonZeroUsize, i: usize, j: usize, k: usize) -> usize {
    let (iq, jq, kq) = (i / m, j / n, k / p);
    let first = i % m + iq % 2 * 100 + iq / 2 * 1000;
    let second = j % n * 200 + jq % 2 * 400 + jq / 2 * 4000;
    let third = k % p * 10000 + kq % 2 * 20000 + kq / 2 * 80000;
    first + second + third
}

#[unsafe(no_mangle)]
pub fn sixteen_matched_layout(c: &[usize; 16], s: usize, t: usize) -> usize {
    let shape = (Twos4::default(), Twos4::default(), Twos4::default(), Twos4::default());
    let stride = (
        (Int::<1>, Int::<2>, Int::<4>, Int::<8>),
        (Int::<32>, Int::<16>, s, Int::<64>),
        (Int::<128>, t, Int::<256>, Int::<512>),
        (Int::<4096>, Int::<1024>, Int::<2048>, Int::<8192>),
    );
    let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = c;
    make_layout(shape, stride).crd2idx(((a, b, c, d), (e, f, g, h), (i, j, k, l), (m, n, o, p)))
}

#[unsafe(no_mangle)]
pub fn sixteen_matched_hand(c: &[usize; 16], s: usize, t: usize) -> usize {
    let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = c;
    let first = a + 2 * b + 4 * c + 8 * d;
    let second = 32 * e + 16 * f + s * g + 64 * h;
    let third = 128 * i + t * j + 256 * k + 512 * l;
    first + second + third + 4096 * m + 1024 * n + 2048 * o + 8192 * p
}

// Bits 0 and 1 of each mode are swapped; the others move together.
#[unsafe(no_mangle)]
pub fn sixteen_modes_layout(i: usize, j: usize, k: usize, l: usize) -> usize {
    let shape = (Twos4::default(), Twos4::default(), Twos4::default(), Twos4::default());
    let stride = (
        (Int::<2>, Int::<1>, Int::<4>, Int::<8>),
        (Int::<32>, Int::<16>, Int::<64>, Int::<128>),
        (Int::<512>, Int::<256>, Int::<1024>, Int::<2048>),
        (Int::<8192>, Int::<4096>, Int::<16384>, Int::<32768>),
    );
    make_layout(shape, stride).crd2idx((i, j, k, l))
}

#[unsafe(no_mangle)]
pub fn sixteen_modes_hand(i: usize, j: usize, k: usize, l: usize) -> usize {
    let swapped = |x: usize| (x & 1) << 1 | (x >> 1 & 1) | (x & !3);
    swapped(i) + 16 * swapped(j) + 256 * swapped(k) + 4096 * swapped(l)
}
