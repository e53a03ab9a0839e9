//! The indices of a function in order, for questions that are answered coordinate by coordinate.

use super::known::KnownFunction;
use crate::error::{Result, ok, refuse_if};
use crate::value::{ExprGraph, SymInt};

/// The maximum number of indices that are sorted.
pub(super) const SORTED: i64 = 1 << 11;

/// The indices of a function, sorted, with their coordinates.
pub(super) struct Sorted {
    len: usize,
    index: [i64; SORTED as usize],
    coordinate: [u16; SORTED as usize],
}

impl Sorted {
    /// Returns the indices of `f`. Fails for more than [`SORTED`] coordinates.
    pub const fn of<const N: usize, const E: usize>(f: &KnownFunction<N>, cx: &ExprGraph<E>) -> Result<Sorted> {
        let size = f.size();
        refuse_if!(cx, size > SORTED, TooManyCoordinates, SymInt(size), SymInt(SORTED));
        let mut out = Sorted { len: size as usize, index: [0; SORTED as usize], coordinate: [0; SORTED as usize] };
        each!(k, 0..out.len, {
            out.index[k] = ok!(f.index(k as i64, cx));
            out.coordinate[k] = k as u16;
        });
        // A heap, whose greatest element goes to the end.
        let mut root = out.len / 2;
        while root > 0 {
            root -= 1;
            out.sink(root, out.len);
        }
        let mut end = out.len;
        while end > 1 {
            end -= 1;
            out.swap(0, end);
            out.sink(0, end);
        }
        Ok(out)
    }

    const fn is_less(&self, a: usize, b: usize) -> bool {
        self.index[a] < self.index[b] || self.index[a] == self.index[b] && self.coordinate[a] < self.coordinate[b]
    }

    const fn swap(&mut self, a: usize, b: usize) {
        (self.index[a], self.index[b]) = (self.index[b], self.index[a]);
        (self.coordinate[a], self.coordinate[b]) = (self.coordinate[b], self.coordinate[a]);
    }

    /// Exchanges element `at` with its greater child, down to its place in the heap of the first `end` elements.
    const fn sink(&mut self, mut at: usize, end: usize) {
        while 2 * at + 1 < end {
            let mut child = 2 * at + 1;
            if child + 1 < end && self.is_less(child, child + 1) {
                child += 1;
            }
            if !self.is_less(at, child) {
                return;
            }
            self.swap(at, child);
            at = child;
        }
    }

    /// Returns the place of the first element with this index.
    const fn place(&self, index: i64) -> Option<usize> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if self.index[middle] < index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < self.len && self.index[low] == index { Some(low) } else { None }
    }

    /// Returns the least coordinate with this index.
    pub const fn find(&self, index: i64) -> Option<i64> {
        match self.place(index) {
            Some(place) => Some(self.coordinate[place] as i64),
            None => None,
        }
    }

    /// Returns the index that is first repeated, with its first two coordinates.
    pub const fn repeated(&self) -> Option<(i64, [i64; 2])> {
        let mut found: Option<(i64, [i64; 2])> = None;
        each!(k, 1..self.len, {
            if self.index[k] == self.index[k - 1] {
                let pair = [self.coordinate[k - 1] as i64, self.coordinate[k] as i64];
                if match found {
                    Some((_, first)) => pair[1] < first[1],
                    None => true,
                } {
                    found = Some((self.index[k], pair));
                }
            }
        });
        found
    }

    /// Returns the least coordinate whose index `f` does not have.
    pub const fn missing<const N: usize, const E: usize>(&self, f: &KnownFunction<N>, cx: &ExprGraph<E>) -> Result<Option<i64>> {
        let mut has = [false; SORTED as usize];
        each!(x, 0..f.size(), {
            if let Some(place) = self.place(ok!(f.index(x, cx))) {
                has[place] = true;
            }
        });
        let (mut least, mut first): (Option<i64>, usize) = (None, 0);
        each!(k, 0..self.len, {
            if self.index[k] != self.index[first] {
                first = k;
            }
            let coordinate = self.coordinate[k] as i64;
            if !has[first]
                && match least {
                    Some(least) => coordinate < least,
                    None => true,
                }
            {
                least = Some(coordinate);
            }
        });
        Ok(least)
    }
}
