//! Transposition in registers.
//!
//! A tile is a line of the target by a vector of the source. `R = 16 / E` rows of the source at a time are transposed within the 16-byte lanes of
//! their vectors, by `log2 R` rounds in which vector `i` and vector `i + R / 2` are zipped; then lanes are transposed between the groups of rows. So
//! lines of the target are whole when they are stored, and those of the source are read once.

use super::rows::to_line;
use super::vector::{LINE, Lanes, PAGE, Set};
use super::{KernelCall, OffsetTables};

/// Where turns are in bytes: those of `p` in the source, those of `q` in the target. On the other side they are contiguous.
///
/// A turn is the sum of that where a tile begins and one in the tile, so that multiples of a stride are the same for all tiles.
pub(super) trait TileOffsets: Copy {
    fn source(self, p: usize, more: usize) -> isize;
    fn target(self, q: usize, more: usize) -> isize;

    /// Turns are whole lines apart: of `p` in the source, of `q` in the target.
    fn on_lines(self) -> [bool; 2];

    /// How far behind what is read lies what is asked for meanwhile.
    #[inline(always)]
    fn ahead(self) -> isize {
        0
    }
}

/// The steps of `p` in the source and of `q` in the target.
#[derive(Clone, Copy)]
pub(super) struct Strides(isize, isize);

/// The same, of a source that is asked for ahead: a type of its own, as tiles in cache should not even look whether they ask.
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
    fn ahead(self) -> isize {
        self.1
    }
}

/// [`OffsetTables`] by value: bytes of the target might be theirs, for all that a compiler knows.
#[derive(Clone, Copy)]
pub(super) struct TabledOffsets<'a> {
    source: &'a [isize],
    target: &'a [isize],
    on_lines: bool,
}

impl OffsetTables {
    #[inline(always)]
    pub(super) fn places(&self) -> TabledOffsets<'_> {
        TabledOffsets { source: &self.source, target: &self.target, on_lines: self.on_lines }
    }
}

impl TileOffsets for TabledOffsets<'_> {
    #[inline(always)]
    fn source(self, p: usize, more: usize) -> isize {
        debug_assert!(p + more < self.source.len());
        // SAFETY: the form has as many turns as there are places.
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
}

impl KernelCall<'_> {
    /// The places of a form whose loops are even.
    #[inline(always)]
    pub(super) fn strides(&self) -> Strides {
        Strides(self.form.p.source, self.form.q.target)
    }

    /// The same with what is asked for.
    #[inline(always)]
    pub(super) fn far(&self) -> PrefetchedStrides {
        PrefetchedStrides(self.strides(), self.form.ahead)
    }

    /// # Safety
    ///
    /// That of [`KernelCall`], as for all functions here; the places are those of the form.
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

    /// Tiles of whole lines; smaller ones where there are not as many elements, or should not be as many columns; single elements otherwise. `R` is `16 / E`.
    #[inline(always)]
    unsafe fn transpose<S: Set, const E: usize, const R: usize>(&self, places: impl TileOffsets) {
        let (line, wide) = (LINE / E, S::Wide::LANES * R);
        // SAFETY: the tiles lie in the form.
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

    /// Tiles of `length` by the elements of a vector. The last ones overlap those before them.
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
            // A store to lines that are not there takes long: to two of them, or to many that are near one another.
            let near = width as isize * places.target(1, 0) <= PAGE as isize;
            fetch = !self.stream && (!columns || near);
        }
        // SAFETY: the tiles lie in the form.
        unsafe {
            if self.form.along_target {
                self.nested::<V, E, R, true>(q, p, length, lines, fetch, places)
            } else {
                self.nested::<V, E, R, false>(p, q, length, lines, fetch, places)
            }
        }
    }

    /// Moves all tiles. The inner loop is that over `p` if `P_INSIDE`: with a run-time choice tiles are up to a third slower.
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
                // SAFETY: a tile at a place where the form has one.
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

    /// `length` rows of the source from turn `p` and turn `q` on, a vector of each, to columns of the target.
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
        // SAFETY: rows and columns of the tile.
        unsafe {
            let (source, target) = (self.source.add(q * E), self.target.add(p * E));
            let side = V::LANES * R;
            let to = |column: usize| target.offset(places.target(q, column));
            if fetch {
                (0..side).for_each(|column| V::own(to(column)));
            }
            if places.ahead() != 0 {
                let later = source.wrapping_offset(places.ahead());
                (0..length).for_each(|row| V::fetch(later.wrapping_offset(places.source(p, row))));
            }
            let stream = lines && to(0).addr().is_multiple_of(LINE);
            let one = square::<V, E, R>(source, p, places);
            if length == 2 * side {
                // Two tiles side by side are whole lines.
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

/// The beginnings of tiles along a loop: 0, `second`, and then each `step` further; the last tile ends with the form.
#[derive(Clone, Copy)]
struct TileSteps {
    second: usize,
    step: usize,
    last: usize,
}

impl TileSteps {
    /// The place of the tile behind that at `at`.
    #[inline(always)]
    fn next(self, at: usize) -> usize {
        (if at == 0 { self.second } else { at + self.step }).min(self.last)
    }
}

/// Where the second tile begins: where whole lines do, if all rows have them at one place (`even`) and it is worth an overlapping tile.
#[inline(always)]
fn second(at: *const u8, even: bool, width: usize, TileSteps { step, last, .. }: TileSteps, lines: bool) -> usize {
    /// Tiles that are worth one more.
    const MANY: usize = 6;
    let head = to_line(at) / width;
    let worth = lines || (step * width == LINE && even && last >= MANY * step);
    if worth && head > 0 && head <= last { head } else { step }
}

/// As many rows as a vector has elements, from turn `p` on, transposed: column `l * R + j` at `[j][l]`.
#[inline(always)]
unsafe fn square<V: Lanes, const E: usize, const R: usize>(source: *const u8, p: usize, places: impl TileOffsets) -> [[V; 4]; R] {
    // SAFETY: rows of the tile.
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
