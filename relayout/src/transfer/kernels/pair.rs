//! Pairs of 16-byte vectors, for processors whose registers have 16 bytes.
//!
//! A pair does the work of an AVX2 vector: two loads or stores of one pair are one instruction on aarch64, and lanes
//! change their places without any instruction.

use super::vector::{Lanes, Permute, Vector};

/// Two vectors of one lane each, as one vector.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V>(V, V);

impl<V> Pair<V> {
    /// Returns the second vector if `upper`, otherwise the first one.
    #[inline(always)]
    fn half(self, upper: bool) -> V {
        if upper { self.1 } else { self.0 }
    }
}

impl<V: Vector> Vector for Pair<V> {
    const BYTES: usize = 2 * V::BYTES;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: promised by the caller, as for all functions here.
        unsafe { Pair(V::load(from), V::load(from.add(V::BYTES))) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: as above.
        unsafe {
            self.0.store(to);
            self.1.store(to.add(V::BYTES));
        }
    }

    #[inline(always)]
    unsafe fn splat(from: *const u8, width: usize) -> Self {
        // SAFETY: as above.
        let half = unsafe { V::splat(from, width) };
        Pair(half, half)
    }
}

impl<V: Lanes> Lanes for Pair<V> {
    const LANES: usize = 2 * V::LANES;

    #[inline(always)]
    unsafe fn zip<const E: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: as above.
        let ((low, high), (low2, high2)) = unsafe { (self.0.zip::<E>(other.0), self.1.zip::<E>(other.1)) };
        (Pair(low, low2), Pair(high, high2))
    }

    #[inline(always)]
    unsafe fn backwards(self, order: Self) -> Self {
        // SAFETY: as above.
        unsafe { Pair(self.1.backwards(order.1), self.0.backwards(order.0)) }
    }

    #[inline(always)]
    unsafe fn transpose(vectors: &mut [Self; 4]) {
        const { assert!(V::LANES == 1) };
        let [a, b, ..] = *vectors;
        vectors[0] = Pair(a.0, b.0);
        vectors[1] = Pair(a.1, b.1);
    }
}

impl<V: Permute> Permute for Pair<V> {
    const LANE: usize = V::LANE;

    type Index = V::Index;

    #[inline(always)]
    unsafe fn index(bytes: &[u8; 64]) -> V::Index {
        // SAFETY: as above.
        unsafe { V::index(bytes) }
    }

    #[inline(always)]
    unsafe fn one(a: Self, index: V::Index) -> Self {
        // SAFETY: as above.
        unsafe { Pair(V::one(a.0, index), V::one(a.1, index)) }
    }

    #[inline(always)]
    unsafe fn two(a: Self, b: Self, index: V::Index) -> Self {
        // SAFETY: as above.
        unsafe { Pair(V::two(a.0, b.0, index), V::two(a.1, b.1, index)) }
    }

    #[inline(always)]
    unsafe fn three(a: Self, b: Self, c: Self, index: V::Index) -> Self {
        // SAFETY: as above.
        unsafe { Pair(V::three(a.0, b.0, c.0, index), V::three(a.1, b.1, c.1, index)) }
    }

    #[inline(always)]
    unsafe fn deal<const K: usize>(v: [Self; K]) -> [Self; K] {
        let lane = |lane: usize| v[lane / 2].half(lane % 2 == 1);
        let mut out = v;
        for k in 0..K {
            out[k] = Pair(lane(k), lane(K + k));
        }
        out
    }

    #[inline(always)]
    unsafe fn collect<const K: usize>(v: [Self; K]) -> [Self; K] {
        let lane = |lane: usize| v[lane % K].half(lane >= K);
        let mut out = v;
        for k in 0..K {
            out[k] = Pair(lane(2 * k), lane(2 * k + 1));
        }
        out
    }
}
