//! Transposition in registers.
//!
//! A tile is a line of the target by a vector of the source. `R = 16 / E` rows of the source at a time are transposed within the 16-byte lanes of
//! their vectors, by `log2 R` rounds in which vector `i` and vector `i + R / 2` are zipped; then lanes are transposed between the groups of rows. So
//! lines of the target are whole when they are stored, and those of the source are read once.

use super::rows::to_line;
use super::vector::{LINE, Lanes, Set};
use super::{Call, Turn};

impl Call<'_> {
    /// Tiles of whole lines; smaller ones where there are not as many elements; single elements otherwise. `R` is `16 / E`.
    ///
    /// # Safety
    ///
    /// That of [`Call`].
    #[inline(always)]
    pub(super) unsafe fn transpose<S: Set, const E: usize, const R: usize>(&self) {
        // SAFETY: the tiles lie in the form.
        unsafe {
            if self.p >= LINE / E && self.q >= S::Wide::LANES * R {
                self.tiles::<S::Wide, E, R>(LINE / E)
            } else if self.p >= 2 * R && self.q >= 2 * R {
                self.tiles::<S::Half, E, R>(2 * R)
            } else if self.p >= R && self.q >= R && E < 16 {
                self.tiles::<S::Short, E, R>(R)
            } else {
                self.nest::<E>()
            }
        }
    }

    /// Tiles of `length` by the elements of a vector. The last ones overlap those before them.
    #[inline(always)]
    unsafe fn tiles<V: Lanes, const E: usize, const R: usize>(&self, length: usize) {
        let width = V::LANES * R;
        let (last_p, last_q) = (self.p - length, self.q - width);
        let lines = self.stream && length * E == LINE;
        if last_p == 0 && last_q == 0 {
            // SAFETY: the form is one tile.
            return unsafe { self.tile::<V, E, R>(0, 0, length, lines) };
        }
        let (begin, begin_q) = (
            self.begin(self.target, self.form.q.target, E, length, last_p, lines),
            self.begin(self.source, self.form.p.source, E, width, last_q, false),
        );
        if self.form.along_target {
            let mut q = 0;
            loop {
                let mut p = 0;
                loop {
                    // SAFETY: a tile at a place where the form has one.
                    unsafe { self.tile::<V, E, R>(p, q, length, lines) };
                    if p == last_p {
                        break;
                    }
                    p = next(p, begin, length, last_p);
                }
                if q == last_q {
                    break;
                }
                q = next(q, begin_q, width, last_q);
            }
        } else {
            let mut p = 0;
            loop {
                let mut q = 0;
                loop {
                    // SAFETY: as above.
                    unsafe { self.tile::<V, E, R>(p, q, length, lines) };
                    if q == last_q {
                        break;
                    }
                    q = next(q, begin_q, width, last_q);
                }
                if p == last_p {
                    break;
                }
                p = next(p, begin, length, last_p);
            }
        }
    }

    /// Where the second tile begins: where whole lines do, if all rows have them at one place and it is worth an overlapping tile.
    #[inline(always)]
    fn begin(&self, at: *const u8, stride: isize, width: usize, step: usize, last: usize, lines: bool) -> usize {
        /// Tiles that are worth one more.
        const MANY: usize = 6;
        let head = to_line(at) / width;
        let worth = lines || (step * width == LINE && stride % LINE as isize == 0 && last >= MANY * step);
        if worth && head > 0 && head <= last { head } else { step }
    }

    /// `length` rows of the source from turn `p` and turn `q` on, a vector of each, to columns of the target.
    #[inline(always)]
    unsafe fn tile<V: Lanes, const E: usize, const R: usize>(&self, p: usize, q: usize, length: usize, lines: bool) {
        let (along, across) = (self.form.p, self.form.q);
        // SAFETY: rows and columns of the tile.
        unsafe {
            let source = self.source.offset(p as isize * along.source).add(q * E);
            let target = self.target.add(p * E).offset(q as isize * across.target);
            let stream = lines && target.addr().is_multiple_of(LINE);
            let side = V::LANES * R;
            let one = square::<V, E, R>(source, along);
            if length == 2 * side {
                // Two tiles side by side are whole lines.
                let two = square::<V, E, R>(source.offset(side as isize * along.source), along);
                for j in 0..R {
                    for l in 0..V::LANES {
                        let to = target.offset((l * R + j) as isize * across.target);
                        one[j][l].write(to, stream);
                        two[j][l].write(to.add(V::BYTES), stream);
                    }
                }
            } else {
                for j in 0..R {
                    for l in 0..V::LANES {
                        one[j][l].write(target.offset((l * R + j) as isize * across.target), stream);
                    }
                }
            }
        }
    }
}

/// The place of the tile behind that at `at`; the last one ends where the form does.
#[inline(always)]
fn next(at: usize, begin: usize, step: usize, last: usize) -> usize {
    (if at == 0 { begin } else { at + step }).min(last)
}

/// As many rows as a vector has elements, transposed: column `l * R + j` at `[j][l]`.
#[inline(always)]
unsafe fn square<V: Lanes, const E: usize, const R: usize>(source: *const u8, p: Turn) -> [[V; 4]; R] {
    // SAFETY: rows of the tile.
    unsafe {
        let any = V::load(source);
        let mut out = [[any; 4]; R];
        for group in 0..V::LANES {
            let mut rows = [any; R];
            for i in 0..R {
                rows[i] = V::load(source.offset((group * R + i) as isize * p.source));
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
