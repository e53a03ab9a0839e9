//! Moves element by element, on every processor and for values of any kind.
//!
//! Elements are copied as opaque memory, which preserves padding and pointers.

use super::tiles::TileOffsets;
use super::{KernelCall, KernelKind};
use core::ptr::copy_nonoverlapping;

/// Expands to `$body` with the constant `E`, the width of an element.
macro_rules! of_width {
    ($width:expr, $E:ident => $body:expr) => {
        match $width {
            1 => {
                const $E: usize = 1;
                $body
            }
            2 => {
                const $E: usize = 2;
                $body
            }
            4 => {
                const $E: usize = 4;
                $body
            }
            8 => {
                const $E: usize = 8;
                $body
            }
            _ => {
                const $E: usize = 16;
                $body
            }
        }
    };
}

impl KernelCall<'_> {
    /// Runs the kernel without vectors.
    ///
    /// # Safety
    ///
    /// The promises of [`KernelCall`].
    pub(super) unsafe fn plain(&self) {
        // SAFETY: promised by the caller.
        unsafe {
            match &self.form.kind {
                KernelKind::Rows => {
                    for q in 0..self.q {
                        let row = self.part((0, self.p), (q, 1));
                        copy_nonoverlapping(row.source, row.target, self.p);
                    }
                }
                KernelKind::Table(runs) => {
                    for (source, target) in &runs.starts {
                        copy_nonoverlapping(self.source.offset(*source), self.target.offset(*target), self.form.width);
                    }
                }
                KernelKind::Transpose => of_width!(self.form.width, E => self.nest::<E>(self.strides())),
                KernelKind::OffsetTables(digits) => of_width!(self.form.width, E => self.nest::<E>(digits.places())),
                _ => {
                    let (along, across) = (self.form.p, self.form.q);
                    let sum = |p: usize, q: usize, a: isize, b: isize| p as isize * a + q as isize * b;
                    let offset = move |p, q| (sum(p, q, along.source, across.source), sum(p, q, along.target, across.target));
                    of_width!(self.form.width, E => self.elements::<E>(offset))
                }
            }
        }
    }

    /// Transposes without vectors, with the offsets `places`.
    #[inline(always)]
    unsafe fn nest<const E: usize>(&self, places: impl TileOffsets) {
        // SAFETY: promised by the caller.
        unsafe { self.elements::<E>(move |p, q| (places.source(p, 0) + (q * E) as isize, (p * E) as isize + places.target(q, 0))) }
    }

    /// Copies element by element. `offset` returns the source and target offsets of a turn of `p` and a turn of `q`.
    #[inline(always)]
    unsafe fn elements<const E: usize>(&self, offset: impl Fn(usize, usize) -> (isize, isize)) {
        /// Turns of `q` per block, so that the elements of both loops stay in the nearest cache.
        const BLOCK: usize = 16;
        // Copy the pointers: for all that the compiler knows, a store to the target may change `self`.
        let (source, target) = (self.source, self.target);
        // SAFETY: the caller promises an element at these offsets on both sides.
        let one = move |(from, to): (isize, isize)| unsafe { copy_nonoverlapping(source.offset(from), target.offset(to), E) };
        if self.q == 1 {
            return (0..self.p).for_each(|p| one(offset(p, 0)));
        }
        let mut from = 0;
        while from < self.q {
            let to = (from + BLOCK).min(self.q);
            for p in 0..self.p {
                (from..to).for_each(|q| one(offset(p, q)));
            }
            from = to;
        }
    }
}
