//! Moves runs that are contiguous in the target: copies, fills, reversals, and short runs from a table.

use super::vector::{LINE, Lanes, Permute, Set, Vector};
use super::{KernelCall, Lines, Runs, StridedLoop, tables};
use core::ptr::copy_nonoverlapping;

/// The maximum bytes of a run of vectors that is copied without alignment to lines.
const SHORT: usize = 1 << 11;

/// The maximum bytes of a run that is not left to `memcpy`, which is as fast for runs outside the near caches.
const LONG: usize = 1 << 13;

/// The distance at which lines of the target are prefetched before a store, in bytes. A store that waits for its line
/// delays the stores behind it.
const AHEAD: usize = 512;

/// Returns the number of bytes from `to` to the first line that begins at or after it.
#[inline(always)]
pub(super) fn to_line(to: *const u8) -> usize {
    to.addr().wrapping_neg() % LINE
}

impl KernelCall<'_> {
    /// Copies rows, for all turns of the loop around: the branch on the length of a row is taken once.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`], as for all functions here.
    #[inline(always)]
    pub(super) unsafe fn rows<V: Vector>(&self) {
        // SAFETY: promised by the caller; each arm checks that a row has the vectors that it copies.
        unsafe {
            match self.p {
                bytes if self.stream || bytes % V::BYTES != 0 => {}
                bytes if bytes == V::BYTES => return self.rows_of::<V, 1>(),
                bytes if bytes == 2 * V::BYTES => return self.rows_of::<V, 2>(),
                bytes if bytes % (4 * V::BYTES) == 0 && bytes <= SHORT => return self.rows_of::<V, 4>(),
                _ => {}
            }
        }
        // SAFETY: the caller promises a run on both sides.
        self.each_row(|from, to| unsafe {
            if self.stream { streamed::<V>(from, to, self.p, self.form.ahead) } else { copied::<V>(from, to, self.p) }
        });
    }

    /// Returns the distance in bytes in the target from a row to the row that is prefetched meanwhile.
    #[inline(always)]
    fn ahead(&self) -> isize {
        (AHEAD / self.p).max(1) as isize * self.form.q.target
    }

    /// Calls `f` with the addresses of the first byte of every row in the source and in the target.
    #[inline(always)]
    fn each_row(&self, f: impl Fn(*const u8, *mut u8)) {
        let (around, q) = (self.around, self.form.q);
        for turn in 0..around.count as isize {
            let (from, to) = (self.source.wrapping_offset(turn * around.source), self.target.wrapping_offset(turn * around.target));
            (0..self.q as isize).for_each(|k| f(from.wrapping_offset(k * q.source), to.wrapping_offset(k * q.target)));
        }
    }

    /// Copies rows of `N` vectors. With `N = 4`, a row may be any multiple of four vectors.
    #[inline(always)]
    unsafe fn rows_of<V: Vector, const N: usize>(&self) {
        let ahead = self.ahead();
        // SAFETY: the caller promises a run of these vectors on both sides.
        self.each_row(|from, to| unsafe {
            let mut at = 0;
            loop {
                for k in 0..N {
                    V::own(to.wrapping_offset(ahead).wrapping_add(at + k * V::BYTES));
                }
                let mut v = [V::load(from.add(at)); N];
                for k in 1..N {
                    v[k] = V::load(from.add(at + k * V::BYTES));
                }
                for k in 0..N {
                    v[k].store(to.add(at + k * V::BYTES));
                }
                at += N * V::BYTES;
                if N < 4 || at == self.p {
                    break;
                }
            }
        });
    }

    #[inline(always)]
    pub(super) unsafe fn fill<V: Vector>(&self) {
        let width = self.form.width;
        let bytes = self.p * width;
        for q in 0..self.q {
            // SAFETY: the source has an element and the target a run; all bytes of the pattern come from the element.
            unsafe {
                let row = self.part((0, self.p), (q, 1));
                if bytes < LINE {
                    row.plain();
                    continue;
                }
                // Write whole lines, and the bytes before and behind them: as overlapping lines, or as single elements
                // if the lines are streamed.
                let value = V::splat(row.source, width);
                let skip = to_line(row.target);
                let whole = skip.is_multiple_of(width) && skip + LINE <= bytes;
                let (mut at, stream) = (if whole { skip } else { 0 }, self.stream && whole);
                match (at, stream) {
                    (0, _) => {}
                    (_, false) => line(row.target, value, false),
                    (_, true) => row.part((0, at / width), (0, 1)).plain(),
                }
                while at + LINE <= bytes {
                    line(row.target.add(at), value, stream);
                    at += LINE;
                }
                match (bytes - at, stream) {
                    (0, _) => {}
                    (_, false) => line(row.target.add(bytes - LINE), value, false),
                    (rest, true) => row.part((at / width, rest / width), (0, 1)).plain(),
                }
            }
        }
    }

    #[inline(always)]
    pub(super) unsafe fn reverse<V: Lanes>(&self) {
        let (width, ahead) = (self.form.width, self.form.ahead);
        let step = V::BYTES / width;
        // SAFETY: the order has 16 bytes.
        let order = unsafe { V::splat(tables::backwards(width).as_ptr(), 16) };
        for q in 0..self.q {
            // SAFETY: `step` elements are contiguous in the target, and contiguous backwards in the source.
            unsafe {
                let row = self.part((0, self.p), (q, 1));
                if self.p < step {
                    row.plain();
                    continue;
                }
                let last = row.source.add(width);
                let skip = to_line(row.target);
                let stream = self.stream && skip.is_multiple_of(width) && skip / width + step <= self.p;
                let mut at = 0;
                if stream {
                    at = skip / width;
                    row.part((0, at), (0, 1)).plain();
                }
                while at + 4 * step <= self.p {
                    fetched::<V>(last.sub((at + 4 * step) * width), 4 * V::BYTES, ahead);
                    for k in 0..4 {
                        let at = at + k * step;
                        V::load(last.sub((at + step) * width)).backwards(order).write(row.target.add(at * width), stream);
                    }
                    at += 4 * step;
                }
                while at < self.p {
                    // The last vector overlaps the vector before it, so that no single elements are left.
                    let (here, whole) = (at.min(self.p - step), at + step <= self.p);
                    V::load(last.sub((here + step) * width)).backwards(order).write(row.target.add(here * width), stream && whole);
                    at += step;
                }
            }
        }
    }

    /// Copies the runs of a table, for all turns of the loop around. Copies whole lines if the runs form lines and the
    /// vectors of the instruction set can.
    #[inline(always)]
    pub(super) unsafe fn table<S: Set>(&self, runs: &Runs) {
        let width = self.form.width;
        // Streamed lines must begin at lines of memory. Single runs need not: each vector is streamed if it is aligned.
        let whole = (S::Bytes::BYTES == LINE || width == 16) && (!self.stream || self.target.addr().is_multiple_of(LINE));
        // SAFETY: the caller promises a run on both sides for each pair of offsets; only whole vectors are streamed.
        unsafe {
            if let (Some(lines), true) = (&runs.lines, whole) {
                return self.lines::<S>(lines);
            }
            for turn in 0..self.around.count {
                let call = self.at(turn);
                match width {
                    _ if width.is_multiple_of(S::Wide::BYTES) => call.runs::<S::Wide>(&runs.starts),
                    _ if width.is_multiple_of(S::Short::BYTES) => call.runs::<S::Short>(&runs.starts),
                    _ => call.plain(),
                }
            }
        }
    }

    /// Copies lines for a few turns of the loop around at a time, so that a byte order is read once for these turns.
    #[inline(always)]
    unsafe fn lines<S: Set>(&self, lines: &Lines) {
        const TURNS: usize = 4;
        let mut turn = 0;
        // SAFETY: these are turns of the loop around.
        unsafe {
            while turn + TURNS <= self.around.count {
                self.lines_of::<S, TURNS>(turn, lines);
                turn += TURNS;
            }
            while turn < self.around.count {
                self.lines_of::<S, 1>(turn, lines);
                turn += 1;
            }
        }
    }

    /// Copies lines for `N` turns of the loop around, from `turn` on.
    #[inline(always)]
    unsafe fn lines_of<S: Set, const N: usize>(&self, turn: usize, lines: &Lines) {
        let KernelCall { source: from, target: to, .. } = self.at(turn);
        let StridedLoop { source: on, target: on_target, .. } = self.around;
        for (source, target, order) in &lines.starts {
            // SAFETY: the caller promises a line on both sides; all lines of the target have the same alignment. If no
            // vector has the size of a line, runs have 16 bytes.
            unsafe {
                let order = lines.orders.get_unchecked(*order);
                let (from, to) = (from.offset(*source), to.offset(*target));
                if S::Bytes::BYTES == LINE {
                    let order = S::Bytes::index(order);
                    for k in 0..N as isize {
                        let line = S::Bytes::load(from.offset(k * on));
                        S::Bytes::one(line, order).write(to.offset(k * on_target), self.stream);
                    }
                } else {
                    let order = [0, 16, 32, 48].map(|at| usize::from(order[at]));
                    for k in 0..N as isize {
                        let (from, to) = (from.offset(k * on), to.offset(k * on_target));
                        let mut line = [S::Short::load(from.add(order[0])); 4];
                        for k in 1..4 {
                            line[k] = S::Short::load(from.add(order[k]));
                        }
                        for k in 0..4 {
                            line[k].write(to.add(16 * k), self.stream);
                        }
                    }
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn runs<V: Lanes>(&self, starts: &[(isize, isize)]) {
        /// Runs that are read before the first of them is written. If reads and writes alternated, each read would
        /// wait for the write before it.
        const MANY: usize = 8;
        // SAFETY: the caller promises a run of whole vectors on both sides.
        unsafe {
            let mut at = 0;
            while at < self.form.width {
                let (many, rest) = starts.as_chunks::<MANY>();
                many.iter().for_each(|runs| self.moved::<V, MANY>(runs, at));
                rest.iter().for_each(|run| self.moved::<V, 1>(&[*run], at));
                at += V::BYTES;
            }
        }
    }

    /// Copies one vector of each of `N` runs, from byte `at` of the run on.
    #[inline(always)]
    unsafe fn moved<V: Lanes, const N: usize>(&self, runs: &[(isize, isize); N], at: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            let mut v = [V::load(self.source.offset(runs[0].0).add(at)); N];
            for k in 1..N {
                v[k] = V::load(self.source.offset(runs[k].0).add(at));
            }
            for k in 0..N {
                let to = self.target.offset(runs[k].1).add(at);
                v[k].write(to, self.stream && to.addr().is_multiple_of(V::BYTES));
            }
        }
    }
}

/// Fills the line at `to` with the pattern of a vector.
#[inline(always)]
unsafe fn line<V: Vector>(to: *mut u8, value: V, stream: bool) {
    let mut part = 0;
    while part < LINE {
        // SAFETY: promised by the caller.
        unsafe { value.write(to.add(part), stream) };
        part += V::BYTES;
    }
}

#[inline(always)]
unsafe fn copied<V: Vector>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: no vector reaches beyond the run; the last one ends with it.
    unsafe {
        if bytes < V::BYTES {
            return short(from, to, bytes);
        }
        if bytes > LONG {
            return copy_nonoverlapping(from, to, bytes);
        }
        let mut at = 0;
        if bytes > SHORT {
            // Align the stores: a vector stored to two lines takes twice as long.
            V::load(from).store(to);
            at = to.addr().wrapping_neg() % V::BYTES;
        }
        while at + 4 * V::BYTES <= bytes {
            let mut part = 0;
            while part < 4 * V::BYTES {
                V::own(to.wrapping_add(at + AHEAD + part));
                part += LINE;
            }
            let v = [
                V::load(from.add(at)),
                V::load(from.add(at + V::BYTES)),
                V::load(from.add(at + 2 * V::BYTES)),
                V::load(from.add(at + 3 * V::BYTES)),
            ];
            v[0].store(to.add(at));
            v[1].store(to.add(at + V::BYTES));
            v[2].store(to.add(at + 2 * V::BYTES));
            v[3].store(to.add(at + 3 * V::BYTES));
            at += 4 * V::BYTES;
        }
        while at + V::BYTES <= bytes {
            V::load(from.add(at)).store(to.add(at));
            at += V::BYTES;
        }
        if at < bytes {
            V::load(from.add(bytes - V::BYTES)).store(to.add(bytes - V::BYTES));
        }
    }
}

/// Copies a run that is shorter than a vector as two overlapping numbers.
#[inline(always)]
unsafe fn short(from: *const u8, to: *mut u8, bytes: usize) {
    macro_rules! twice {
        ($type:ty) => {{
            let rest = bytes - size_of::<$type>();
            let (first, last) = (from.cast::<$type>().read_unaligned(), from.add(rest).cast::<$type>().read_unaligned());
            to.cast::<$type>().write_unaligned(first);
            to.add(rest).cast::<$type>().write_unaligned(last);
        }};
    }
    // SAFETY: both numbers lie in the run.
    unsafe {
        match bytes {
            0 => {}
            1 => twice!(u8),
            2..4 => twice!(u16),
            4..8 => twice!(u32),
            8..16 => twice!(u64),
            16..33 => twice!([u64; 2]),
            _ => copy_nonoverlapping(from, to, bytes),
        }
    }
}

/// Prefetches the lines that are `ahead` bytes from these bytes, unless `ahead` is 0.
#[inline(always)]
pub(super) unsafe fn fetched<V: Vector>(from: *const u8, bytes: usize, ahead: isize) {
    let mut part = 0;
    while ahead != 0 && part < bytes {
        // SAFETY: a prefetch is a hint and may have any address.
        unsafe { V::fetch(from.wrapping_add(part).wrapping_offset(ahead)) };
        part += LINE;
    }
}

#[inline(always)]
unsafe fn streamed<V: Vector>(from: *const u8, to: *mut u8, bytes: usize, ahead: isize) {
    let skip = to_line(to);
    // SAFETY: these lines lie in the run.
    unsafe {
        if bytes < skip + LINE {
            return copied::<V>(from, to, bytes);
        }
        copied::<V>(from, to, skip);
        let mut at = skip;
        while at + 4 * LINE <= bytes {
            fetched::<V>(from.add(at), 4 * LINE, ahead);
            let mut part = 0;
            while part < 4 * LINE {
                V::load(from.add(at + part)).stream(to.add(at + part));
                part += V::BYTES;
            }
            at += 4 * LINE;
        }
        while at + LINE <= bytes {
            fetched::<V>(from.add(at), LINE, ahead);
            let mut part = 0;
            while part < LINE {
                V::load(from.add(at + part)).stream(to.add(at + part));
                part += V::BYTES;
            }
            at += LINE;
        }
        copied::<V>(from.add(at), to.add(at), bytes - at);
    }
}
