//! Moves element by element: on every processor, for values of any kind.
//!
//! Elements are copied as memory: padding and pointers stay what they are.

use super::{Call, Kind};
use core::ptr::copy_nonoverlapping;

/// `$body` with the width of an element as the constant `E`.
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

impl Call<'_> {
    /// Without vectors.
    ///
    /// # Safety
    ///
    /// That of [`Call`].
    pub(super) unsafe fn plain(&self) {
        // SAFETY: promised by the caller.
        unsafe {
            match &self.form.kind {
                Kind::Rows => {
                    for q in 0..self.q {
                        let row = self.part((0, self.p), (q, 1));
                        copy_nonoverlapping(row.source, row.target, self.p);
                    }
                }
                Kind::Table(runs) => {
                    for (source, target) in &runs.starts {
                        copy_nonoverlapping(self.source.offset(*source), self.target.offset(*target), self.form.width);
                    }
                }
                _ => of_width!(self.form.width, E => self.nest::<E>()),
            }
        }
    }

    #[inline(always)]
    pub(super) unsafe fn nest<const E: usize>(&self) {
        /// Elements of both loops that stay in the nearest cache.
        const BLOCK: usize = 16;
        // Copies: bytes of the target might be those of the form, for all that a compiler knows.
        let (along, across) = (self.form.p, self.form.q);
        if self.q == 1 {
            for p in 0..self.p as isize {
                // SAFETY: an element on both sides.
                unsafe { copy_nonoverlapping(self.source.offset(p * along.source), self.target.offset(p * along.target), E) };
            }
            return;
        }
        let mut from = 0;
        while from < self.q {
            let to = (from + BLOCK).min(self.q);
            for p in 0..self.p {
                for q in from..to {
                    let offset = |a: isize, b: isize| p as isize * a + q as isize * b;
                    // SAFETY: an element on both sides.
                    unsafe {
                        let source = self.source.offset(offset(along.source, across.source));
                        copy_nonoverlapping(source, self.target.offset(offset(along.target, across.target)), E);
                    }
                }
            }
            from = to;
        }
    }
}
