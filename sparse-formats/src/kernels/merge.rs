//! A stable merge sort of entries in place, with limited working memory.

use alloc::vec::Vec;
use array_kernels::merge_path::bound;
use array_kernels::parallel;

/// Three arrays that are sorted together: the two keys of each entry, and its value.
pub(super) struct EntryArrays<'a, A, I, V> {
    pub rows: &'a mut [A],
    pub coordinates: &'a mut [I],
    pub values: &'a mut [V],
}

/// The length up to which runs are sorted by insertion.
const RUN: usize = 32;

impl<A: Copy + Ord, I: Copy + Ord, V: Clone> EntryArrays<'_, A, I, V> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn key(&self, k: usize) -> (A, I) {
        (self.rows[k], self.coordinates[k])
    }

    fn part(&mut self, from: usize, to: usize) -> EntryArrays<'_, A, I, V> {
        EntryArrays { rows: &mut self.rows[from..to], coordinates: &mut self.coordinates[from..to], values: &mut self.values[from..to] }
    }

    /// Sorts by row, then by coordinate, stably. It copies at most `room` entries at a time, so it serves buckets that are
    /// too large to be sorted into other memory.
    pub fn sort(&mut self, room: usize) {
        let len = self.len();
        if len <= RUN {
            for end in 1..len {
                let at = (0..end).rfind(|&k| self.key(k) <= self.key(end)).map_or(0, |k| k + 1);
                self.part(at, end + 1).rotate(end - at);
            }
            return;
        }
        self.part(0, len / 2).sort(room);
        self.part(len / 2, len).sort(room);
        self.merge(len / 2, room);
    }

    /// Moves the first `by` entries to the end.
    fn rotate(&mut self, by: usize) {
        self.rows.rotate_left(by);
        self.coordinates.rotate_left(by);
        self.values.rotate_left(by);
    }

    /// Returns the position of the first entry of `from..to` whose key does not satisfy `before`, or `to`.
    fn bound(&self, from: usize, to: usize, before: impl Fn((A, I)) -> bool) -> usize {
        from + bound(to - from, |k| before(self.key(from + k)))
    }

    /// Merges the sorted entries before `mid` with the sorted entries from `mid` on, stably. It copies at most `room`
    /// entries at a time.
    fn merge(&mut self, mid: usize, room: usize) {
        let len = self.len();
        if mid == 0 || mid == len || self.key(mid - 1) <= self.key(mid) {
            return;
        }
        if mid > room.max(1) {
            // Split the left run in half, rotate the entries of the right run that belong before its upper half, and
            // merge both sides.
            let left = mid / 2;
            let key = self.key(left);
            let right = self.bound(mid, len, |other| other < key);
            self.part(left, right).rotate(mid - left);
            let middle = left + right - mid;
            self.part(0, middle).merge(left, room);
            self.part(middle, len).merge(right - middle, room);
            return;
        }
        let left: Vec<(A, I, V)> = (0..mid).map(|k| (self.rows[k], self.coordinates[k], self.values[k].clone())).collect();
        let (mut right, mut at) = (mid, 0);
        for (row, coordinate, value) in left {
            while right < len && self.key(right) < (row, coordinate) {
                self.rows[at] = self.rows[right];
                self.coordinates[at] = self.coordinates[right];
                parallel::set(self.values, at, right);
                (right, at) = (right + 1, at + 1);
            }
            self.rows[at] = row;
            self.coordinates[at] = coordinate;
            self.values[at] = value;
            at += 1;
        }
    }
}
