//! Weaves a few streams into one and separates them again: structures of arrays and arrays of structures, and every
//! k-th element.

use super::rows::{fetched, to_line};
use super::tables;
use super::vector::{LINE, Permute};
use super::{KernelCall, KernelKind};

/// Expands to `$body` with the constant `K`, the number of streams.
macro_rules! of_streams {
    ($count:expr, $K:ident => $body:expr) => {
        match $count {
            2 => {
                const $K: usize = 2;
                $body
            }
            3 => {
                const $K: usize = 3;
                $body
            }
            4 => {
                const $K: usize = 4;
                $body
            }
            _ => {
                const $K: usize = 8;
                $body
            }
        }
    };
}

/// Expands to `$body` with the constant `N`: the number of streams `K`, or the number of elements of a lane if it is smaller and
/// divides `K`.
macro_rules! of_group {
    ($elements:expr, $K:ident, $N:ident => $body:expr) => {
        match $elements {
            1 => {
                const $N: usize = 1;
                $body
            }
            2 if $K == 4 || $K == 8 => {
                const $N: usize = 2;
                $body
            }
            4 if $K == 8 => {
                const $N: usize = 4;
                $body
            }
            _ => {
                const $N: usize = $K;
                $body
            }
        }
    };
}

/// The byte permutations that weave and separate vectors.
struct Weave<V: Permute> {
    zip: [V::Index; 2],
    zip3: [V::Index; 3],
    unzip: [V::Index; 2],
    unzip3: [V::Index; 3],
}

impl<V: Permute> Weave<V> {
    /// Loads the permutations for elements of `width` bytes.
    ///
    /// # Safety
    ///
    /// The promises of [`Vector`](super::vector::Vector), as for all functions here.
    #[inline(always)]
    unsafe fn new(width: usize) -> Self {
        let tables = tables::of(V::LANE, width);
        // SAFETY: promised by the caller.
        unsafe {
            Weave {
                zip: [V::index(&tables.zip[0]), V::index(&tables.zip[1])],
                zip3: [V::index(&tables.zip3[0]), V::index(&tables.zip3[1]), V::index(&tables.zip3[2])],
                unzip: [V::index(&tables.unzip[0]), V::index(&tables.unzip[1])],
                unzip3: [V::index(&tables.unzip3[0]), V::index(&tables.unzip3[1]), V::index(&tables.unzip3[2])],
            }
        }
    }

    /// Interleaves the elements of `K` vectors. For 2, 4 and 8 vectors, each round zips vector `i` with vector `i + N / 2` in
    /// each group of `N` vectors. Afterwards vector `i` of each group has element `i` of all its streams in every lane.
    #[inline(always)]
    unsafe fn together<const K: usize, const N: usize>(&self, mut v: [V; K]) -> [V; K] {
        debug_assert!(K.is_multiple_of(N));
        // SAFETY: promised by the caller.
        unsafe {
            if K == 3 && N == 3 {
                let before = v;
                for k in 0..3 {
                    v[k] = V::three(before[0], before[1], before[2], self.zip3[k]);
                }
                return V::collect(v);
            }
            let mut round = 1;
            while round < N {
                let before = v;
                for i in 0..K / 2 {
                    let from = i / (N / 2) * N + i % (N / 2);
                    let (a, b) = (before[from], before[from + N / 2]);
                    (v[2 * i], v[2 * i + 1]) = (V::two(a, b, self.zip[0]), V::two(a, b, self.zip[1]));
                }
                round *= 2;
            }
            let groups = v;
            for i in 0..K {
                v[i] = groups[i % (K / N) * N + i / (K / N)];
            }
            V::collect(v)
        }
    }

    /// Separates interleaved elements; inverts [`Weave::together`].
    #[inline(always)]
    unsafe fn apart<const K: usize, const N: usize>(&self, mut v: [V; K]) -> [V; K] {
        debug_assert!(K.is_multiple_of(N));
        // SAFETY: promised by the caller.
        unsafe {
            v = V::deal(v);
            if K == 3 && N == 3 {
                let before = v;
                for k in 0..3 {
                    v[k] = V::three(before[0], before[1], before[2], self.unzip3[k]);
                }
                return v;
            }
            let dealt = v;
            for i in 0..K {
                v[i % (K / N) * N + i / (K / N)] = dealt[i];
            }
            let mut round = 1;
            while round < N {
                let before = v;
                for i in 0..K / 2 {
                    let to = i / (N / 2) * N + i % (N / 2);
                    let (a, b) = (before[2 * i], before[2 * i + 1]);
                    (v[to], v[to + N / 2]) = (V::two(a, b, self.unzip[0]), V::two(a, b, self.unzip[1]));
                }
                round *= 2;
            }
            v
        }
    }

    /// Returns the first vector of [`Weave::apart`], or the last one if `last`.
    #[inline(always)]
    unsafe fn every<const K: usize>(&self, v: [V; K], last: bool) -> V {
        // SAFETY: promised by the caller.
        unsafe {
            let mut v = V::deal(v);
            if K == 3 {
                return V::three(v[0], v[1], v[2], self.unzip3[if last { 2 } else { 0 }]);
            }
            let mut left = K;
            while left > 1 {
                left /= 2;
                for i in 0..left {
                    v[i] = V::two(v[2 * i], v[2 * i + 1], self.unzip[usize::from(last)]);
                }
            }
            v[0]
        }
    }
}

impl KernelCall<'_> {
    #[inline(always)]
    pub(super) unsafe fn interleave<V: Permute>(&self) {
        // SAFETY: promised by the caller.
        unsafe { of_streams!(self.form.p.count, K => of_group!(V::LANE / self.form.width, K, N => self.interleave_of::<V, K, N>())) }
    }

    #[inline(always)]
    pub(super) unsafe fn deinterleave<V: Permute>(&self) {
        // SAFETY: promised by the caller.
        unsafe { of_streams!(self.form.q.count, K => of_group!(V::LANE / self.form.width, K, N => self.deinterleave_of::<V, K, N>())) }
    }

    #[inline(always)]
    pub(super) unsafe fn every<V: Permute>(&self) {
        // SAFETY: promised by the caller.
        unsafe { of_streams!(self.form.p.source.unsigned_abs() / self.form.width, K => self.every_of::<V, K>()) }
    }

    #[inline(always)]
    unsafe fn interleave_of<V: Permute, const K: usize, const N: usize>(&self) {
        let (width, apart, ahead) = (self.form.width, self.form.p.source, self.form.ahead);
        let step = V::BYTES / width;
        // SAFETY: `step` elements of each stream become `K` vectors of the target.
        unsafe {
            if self.q < step {
                return self.plain();
            }
            let weave = Weave::<V>::new(width);
            // A line of the target begins within fewer elements than a line has bytes, or at no element.
            let head = (0..LINE.min(self.q - step)).find(|q| (self.target.addr() + q * K * width).is_multiple_of(LINE));
            let (mut q, stream) = (if self.stream { head.unwrap_or(0) } else { 0 }, self.stream && head.is_some());
            self.part((0, K), (0, q)).plain_if_any();
            loop {
                // The last vectors overlap the vectors before them, so that no single elements are left.
                let (at, whole) = (q.min(self.q - step), q + step <= self.q);
                let mut v = [V::load(self.source); K];
                for k in 0..K {
                    let from = self.source.offset(k as isize * apart).add(at * width);
                    fetched::<V>(from, V::BYTES, ahead);
                    v[k] = V::load(from);
                }
                let v = weave.together::<K, N>(v);
                for k in 0..K {
                    v[k].write(self.target.add(at * K * width + k * V::BYTES), stream && whole);
                }
                q += step;
                if q >= self.q {
                    break;
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn deinterleave_of<V: Permute, const K: usize, const N: usize>(&self) {
        let (width, apart, ahead) = (self.form.width, self.form.q.target, self.form.ahead);
        let step = V::BYTES / width;
        // SAFETY: `K` vectors of the source become `step` elements of each stream.
        unsafe {
            if self.p < step {
                return self.plain();
            }
            let weave = Weave::<V>::new(width);
            let skip = to_line(self.target);
            let stream =
                self.stream && (apart as usize).is_multiple_of(LINE) && skip.is_multiple_of(width) && skip / width + step <= self.p;
            let mut p = if stream { skip / width } else { 0 };
            self.part((0, p), (0, K)).plain_if_any();
            if stream && V::BYTES < LINE {
                // Write a whole line of one stream before the next stream: incomplete lines would go to memory one by one.
                let parts = LINE / V::BYTES;
                while p + parts * step <= self.p {
                    fetched::<V>(self.source.add(p * K * width), K * LINE, ahead);
                    let mut line = [[V::load(self.source); K]; 4];
                    for part in 0..parts {
                        line[part] = weave.apart::<K, N>(loaded::<V, K>(self.source.add((p + part * step) * K * width)));
                    }
                    for k in 0..K {
                        let to = self.target.add(p * width).offset(k as isize * apart);
                        for part in 0..parts {
                            line[part][k].stream(to.add(part * V::BYTES));
                        }
                    }
                    p += parts * step;
                }
            }
            while p < self.p {
                // The last vectors overlap the vectors before them, so that no single elements are left.
                let (at, whole) = (p.min(self.p - step), p + step <= self.p);
                fetched::<V>(self.source.add(at * K * width), K * V::BYTES, ahead);
                let v = weave.apart::<K, N>(loaded::<V, K>(self.source.add(at * K * width)));
                for k in 0..K {
                    v[k].write(self.target.add(at * width).offset(k as isize * apart), stream && whole && V::BYTES == LINE);
                }
                p += step;
            }
        }
    }

    #[inline(always)]
    unsafe fn every_of<V: Permute, const K: usize>(&self) {
        let (width, ahead) = (self.form.width, self.form.ahead);
        let step = V::BYTES / width;
        // SAFETY: every read of `K * step` elements stays between the first and the last element of the row. In the loop,
        // another element follows. The last read ends with the last element and begins behind the first, as `p > 0`.
        unsafe {
            let weave = Weave::<V>::new(width);
            for q in 0..self.q {
                let row = self.part((0, self.p), (q, 1));
                let skip = to_line(row.target);
                let stream = self.stream && skip.is_multiple_of(width) && skip / width < self.p;
                let mut p = if stream { skip / width } else { 0 };
                row.part((0, p), (0, 1)).plain_if_any();
                while p + step < row.p {
                    fetched::<V>(row.source.add(p * K * width), K * V::BYTES, ahead);
                    let v = weave.every::<K>(loaded::<V, K>(row.source.add(p * K * width)), false);
                    v.write(row.target.add(p * width), stream);
                    p += step;
                }
                if row.p > step {
                    // The last vector overlaps the vector before it, so that no single elements are left.
                    let p = row.p - step;
                    let v = weave.every::<K>(loaded::<V, K>(row.source.add((p * K + 1 - K) * width)), true);
                    v.store(row.target.add(p * width));
                } else {
                    row.part((p, row.p - p), (0, 1)).plain_if_any();
                }
            }
        }
    }

    /// Moves the single elements before or behind the vectors, if there are any.
    #[inline(always)]
    unsafe fn plain_if_any(&self) {
        debug_assert!(!matches!(self.form.kind, KernelKind::Rows | KernelKind::Table(_)));
        if self.p > 0 && self.q > 0 {
            // SAFETY: promised by the caller.
            unsafe { self.plain() }
        }
    }
}

/// Loads `K` vectors that are consecutive in memory from `from` on.
#[inline(always)]
unsafe fn loaded<V: Permute, const K: usize>(from: *const u8) -> [V; K] {
    // SAFETY: promised by the caller.
    unsafe {
        let mut v = [V::load(from); K];
        for k in 1..K {
            v[k] = V::load(from.add(k * V::BYTES));
        }
        v
    }
}
