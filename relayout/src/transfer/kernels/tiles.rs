//! Transposes in registers.
//!
//! A tile is a line of the target by a vector of the source. `R = 16 / E` rows of the source at a time are transposed
//! within the 16-byte lanes of their vectors: in each of `log2 R` rounds, vector `i` is zipped with vector `i + R /
//! 2`. Then lanes are transposed between the groups of rows. Each line of the target is stored whole, and each line of
//! the source is read once.

use super::rows::to_line;
use super::vector::{LINE, Lanes, PAGE, Set, Vector};
use super::{KernelCall, OffsetTables};

/// The byte offsets of the turns of `p` in the source and of `q` in the target. On the other side, turns are contiguous.
///
/// Turn `p + more` is turn `more` of the tile that begins at turn `p`, so that all tiles share the multiples of a stride.
pub(super) trait TileOffsets: Copy {
    fn source(self, p: usize, more: usize) -> isize;
    fn target(self, q: usize, more: usize) -> isize;

    /// Tests whether turns are whole lines apart: of `p` in the source, and of `q` in the target.
    fn on_lines(self) -> [bool; 2];

    /// Prefetches what is read after the tile of `length` rows from turn `p` on, whose first row is at `source` plus its
    /// offset.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of the vectors.
    #[inline(always)]
    unsafe fn prefetch<V: Vector>(self, _source: *const u8, _p: usize, _length: usize) {}
}

/// The constant steps of `p` in the source and of `q` in the target.
#[derive(Clone, Copy)]
pub(super) struct Strides(isize, isize);

/// Strides with a distance of prefetches. This is a separate type, so that tiles in cache do not even test for prefetches.
#[derive(Clone, Copy)]
pub(super) struct PrefetchedStrides(Strides, isize);

impl TileOffsets for Strides {
    #[inline(always)]
    fn source(self, p: usize, more: usize) -> isize {
        p as isize * self.0 + more as isize * self.0
    }

    #[inline(always)]
    fn target(self, q: usize, more: usize) -> isize {
        q as isize * self.1 + more as isize * self.1
    }

    #[inline(always)]
    fn on_lines(self) -> [bool; 2] {
        [self.0 % LINE as isize == 0, self.1 % LINE as isize == 0]
    }
}

impl TileOffsets for PrefetchedStrides {
    #[inline(always)]
    fn source(self, p: usize, more: usize) -> isize {
        self.0.source(p, more)
    }

    #[inline(always)]
    fn target(self, q: usize, more: usize) -> isize {
        self.0.target(q, more)
    }

    #[inline(always)]
    fn on_lines(self) -> [bool; 2] {
        self.0.on_lines()
    }

    #[inline(always)]
    unsafe fn prefetch<V: Vector>(self, source: *const u8, p: usize, length: usize) {
        let later = source.wrapping_offset(self.1);
        // SAFETY: promised by the caller.
        (0..length).for_each(|row| unsafe { V::fetch(later.wrapping_offset(self.source(p, row))) });
    }
}

/// [`OffsetTables`] as slices by value: for all that the compiler knows, a store to the target may change what a
/// reference points to.
#[derive(Clone, Copy)]
pub(super) struct TabledOffsets<'a> {
    source: &'a [isize],
    target: &'a [isize],
    on_lines: bool,
    far: bool,
}

impl OffsetTables {
    #[inline(always)]
    pub(super) fn places(&self) -> TabledOffsets<'_> {
        TabledOffsets { source: &self.source, target: &self.target, on_lines: self.on_lines, far: self.far }
    }
}

impl TileOffsets for TabledOffsets<'_> {
    #[inline(always)]
    fn source(self, p: usize, more: usize) -> isize {
        debug_assert!(p + more < self.source.len());
        // SAFETY: the shape has as many turns as the table has offsets.
        unsafe { *self.source.get_unchecked(p + more) }
    }

    #[inline(always)]
    fn target(self, q: usize, more: usize) -> isize {
        debug_assert!(q + more < self.target.len());
        // SAFETY: as above.
        unsafe { *self.target.get_unchecked(q + more) }
    }

    #[inline(always)]
    fn on_lines(self) -> [bool; 2] {
        [false, self.on_lines]
    }

    #[inline(always)]
    unsafe fn prefetch<V: Vector>(self, source: *const u8, p: usize, length: usize) {
        if self.far {
            let rows = self.source.iter().skip(p + length).take(length);
            // SAFETY: promised by the caller.
            rows.for_each(|row| unsafe { V::fetch(source.wrapping_offset(*row)) });
        }
    }
}

impl KernelCall<'_> {
    /// Returns the offsets of a shape whose loops have constant steps.
    #[inline(always)]
    pub(super) fn strides(&self) -> Strides {
        Strides(self.form.p.source, self.form.q.target)
    }

    /// Returns the offsets of `KernelCall::strides` with the distance of prefetches.
    #[inline(always)]
    pub(super) fn far(&self) -> PrefetchedStrides {
        PrefetchedStrides(self.strides(), self.form.ahead)
    }

    /// Transposes by tiles, with the offsets `places`.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`], as for all functions here; `places` are the offsets of the shape.
    #[inline(always)]
    pub(super) unsafe fn transposed<S: Set>(&self, places: impl TileOffsets) {
        // SAFETY: promised by the caller.
        unsafe {
            match self.form.width {
                1 => self.transpose::<S, 1, 16>(places),
                2 => self.transpose::<S, 2, 8>(places),
                4 => self.transpose::<S, 4, 4>(places),
                8 => self.transpose::<S, 8, 2>(places),
                _ => self.transpose::<S, 16, 1>(places),
            }
        }
    }

    /// Transposes in tiles of whole lines. If there are too few elements, or if columns should be few, it takes
    /// smaller tiles, and at last single elements. `R` is `16 / E`.
    #[inline(always)]
    unsafe fn transpose<S: Set, const E: usize, const R: usize>(&self, places: impl TileOffsets) {
        let (line, wide) = (LINE / E, S::Wide::LANES * R);
        // SAFETY: each branch checks that a tile fits into the turns of the call.
        unsafe {
            // If `Wide` is `Half`, the next branch has the same tiles.
            if S::Wide::LANES > S::Half::LANES && self.p >= line && self.q >= wide && !(self.form.narrow && self.p >= 2 * R) {
                self.tiles::<S::Wide, E, R>(line, places)
            } else if self.p >= line && self.q >= 2 * R {
                self.tiles::<S::Half, E, R>(line, places)
            } else if self.p >= 2 * R && self.q >= 2 * R {
                self.tiles::<S::Half, E, R>(2 * R, places)
            } else if self.p >= R && self.q >= R && E < 16 {
                self.tiles::<S::Short, E, R>(R, places)
            } else {
                self.plain()
            }
        }
    }

    /// Transposes in tiles of `length` rows by the elements of a vector. The last tiles overlap the tiles before them.
    #[inline(always)]
    unsafe fn tiles<V: Lanes, const E: usize, const R: usize>(&self, length: usize, places: impl TileOffsets) {
        let width = V::LANES * R;
        let (last_p, last_q) = (self.p - length, self.q - width);
        let lines = self.stream && length * E == LINE;
        let (mut p, mut q) =
            (TileSteps { second: length, step: length, last: last_p }, TileSteps { second: width, step: width, last: last_q });
        let mut fetch = false;
        if last_p | last_q != 0 {
            // There is more than one tile.
            let [rows, columns] = places.on_lines();
            p.second = second(self.target, columns, E, p, lines);
            q.second = second(self.source, rows, E, q, false);
            // Prefetch for writing if stores would wait: for two lines each, or for many lines that are near one another.
            let near = width as isize * places.target(1, 0) <= PAGE as isize;
            fetch = !self.stream && (!columns || near);
        }
        // SAFETY: all tiles lie within the turns of the call.
        unsafe {
            if self.form.along_target {
                self.nested::<V, E, R, true>(q, p, length, lines, fetch, places)
            } else {
                self.nested::<V, E, R, false>(p, q, length, lines, fetch, places)
            }
        }
    }

    /// Moves all tiles. The inner loop is over `p` if `P_INSIDE`. With a run-time choice, tiles are up to a third slower.
    #[inline(always)]
    unsafe fn nested<V: Lanes, const E: usize, const R: usize, const P_INSIDE: bool>(
        &self,
        outer: TileSteps,
        inner: TileSteps,
        length: usize,
        lines: bool,
        fetch: bool,
        places: impl TileOffsets,
    ) {
        let mut a = 0;
        loop {
            let mut b = 0;
            loop {
                let (p, q) = if P_INSIDE { (b, a) } else { (a, b) };
                // SAFETY: the tile lies within the turns of the call.
                unsafe { self.tile::<V, E, R>(p, q, length, lines, fetch, places) };
                if b == inner.last {
                    break;
                }
                b = inner.next(b);
            }
            if a == outer.last {
                break;
            }
            a = outer.next(a);
        }
    }

    /// Moves `length` rows of the source, one vector of each, from turns `p` and `q` on, to columns of the target.
    #[inline(always)]
    unsafe fn tile<V: Lanes, const E: usize, const R: usize>(
        &self,
        p: usize,
        q: usize,
        length: usize,
        lines: bool,
        fetch: bool,
        places: impl TileOffsets,
    ) {
        // SAFETY: these are rows and columns of the tile.
        unsafe {
            let (source, target) = (self.source.add(q * E), self.target.add(p * E));
            let side = V::LANES * R;
            let to = |column: usize| target.offset(places.target(q, column));
            if fetch {
                (0..side).for_each(|column| V::own(to(column)));
            }
            places.prefetch::<V>(source, p, length);
            let stream = lines && to(0).addr().is_multiple_of(LINE);
            let one = square::<V, E, R>(source, p, places);
            if length == 2 * side {
                // Two tiles side by side make whole lines.
                let two = square::<V, E, R>(source, p + side, places);
                for j in 0..R {
                    for l in 0..V::LANES {
                        let to = to(l * R + j);
                        one[j][l].write(to, stream);
                        two[j][l].write(to.add(V::BYTES), stream);
                    }
                }
            } else {
                for j in 0..R {
                    for l in 0..V::LANES {
                        one[j][l].write(to(l * R + j), stream);
                    }
                }
            }
        }
    }
}

/// The first turns of the tiles along a loop: 0, `second`, and then every `step`. The last tile ends with the loop.
#[derive(Clone, Copy)]
struct TileSteps {
    second: usize,
    step: usize,
    last: usize,
}

impl TileSteps {
    /// Returns the first turn of the tile after the tile that begins at turn `at`.
    #[inline(always)]
    fn next(self, at: usize) -> usize {
        (if at == 0 { self.second } else { at + self.step }).min(self.last)
    }
}

/// Returns the first turn of the second tile: `step`, or the turn at which whole lines begin from `at` on. The latter needs lines
/// that begin at the same turn in all rows (`even`), and must be worth an overlapping tile.
#[inline(always)]
fn second(at: *const u8, even: bool, width: usize, TileSteps { step, last, .. }: TileSteps, lines: bool) -> usize {
    /// The minimum number of tiles for which one more tile is worth it.
    const MANY: usize = 6;
    let head = to_line(at) / width;
    let worth = lines || (step * width == LINE && even && last >= MANY * step);
    if worth && head > 0 && head <= last { head } else { step }
}

/// Loads as many rows as a vector has elements, from turn `p` of the rows on, and transposes them. Column `l * R + j` of the
/// result is at `[j][l]`.
#[inline(always)]
unsafe fn square<V: Lanes, const E: usize, const R: usize>(source: *const u8, p: usize, places: impl TileOffsets) -> [[V; 4]; R] {
    // SAFETY: these are rows of the tile.
    unsafe {
        let row = |k: usize| V::load(source.offset(places.source(p, k)));
        let any = row(0);
        let mut out = [[any; 4]; R];
        for group in 0..V::LANES {
            let mut rows = [any; R];
            for i in 0..R {
                rows[i] = row(group * R + i);
            }
            let mut round = 1;
            while round < R {
                let before = rows;
                for i in 0..R / 2 {
                    (rows[2 * i], rows[2 * i + 1]) = before[i].zip::<E>(before[i + R / 2]);
                }
                round *= 2;
            }
            for j in 0..R {
                out[j][group] = rows[j];
            }
        }
        for vectors in &mut out {
            V::transpose(vectors);
        }
        out
    }
}
