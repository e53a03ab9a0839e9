//! Filters a tile: keeps the elements whose rows belong to one thread.

use super::tile::{Tile, expand};
use alloc::vec::Vec;
use core::ops::Range;

impl<V: Copy> Tile<'_, V> {
    /// Keeps the elements whose coordinate in `axis` lies in `coordinates`, in their order.
    ///
    /// Their numbers in the tensor are lost. `leaf` is the leaf axis of a tile by fibers, where a fiber may lose all
    /// its elements.
    pub fn keep(&mut self, axis: usize, coordinates: Range<u64>, leaf: Option<usize>) {
        self.split_groups(leaf);
        let (mut kept, mut more) = (core::mem::take(&mut self.scratch.ends), core::mem::take(&mut self.scratch.child_ends));
        let (by_fiber, before) = (self.by_fiber, self.len);
        let own = |axis: usize| !by_fiber || leaf == Some(axis);
        let slots = if own(axis) { self.len } else { self.fibers() };
        find(&self.coordinates[axis][..slots], coordinates, &mut kept, &mut more);
        if kept.len() == slots || kept.is_empty() {
            // All or none are kept, which is frequent because neighbours often have close coordinates.
            if kept.is_empty() {
                self.len = 0;
                self.fiber_ends.clear();
                self.group_ends.clear();
            }
            (self.scratch.ends, self.scratch.child_ends) = (kept, more);
            return;
        }
        if own(axis) {
            // Fibers now end after their last kept element.
            self.fiber_ends.iter_mut().filter(|end| **end > 0).for_each(|end| *end = more[*end - 1]);
        } else {
            let mut ends = core::mem::take(&mut self.value_positions);
            more.clear();
            ends.clear();
            for slot in &kept {
                more.extend(self.fiber(*slot));
                ends.push(more.len());
            }
            self.coordinates.iter_mut().enumerate().filter(|(axis, _)| !own(*axis)).for_each(|(_, column)| select(column, &kept));
            self.value_positions = core::mem::replace(&mut self.fiber_ends, ends);
            core::mem::swap(&mut kept, &mut more);
        }
        self.coordinates.iter_mut().enumerate().filter(|(axis, _)| own(*axis)).for_each(|(_, column)| select(column, &kept));
        match self.shared.take() {
            Some(values) => {
                self.own.clear();
                self.own.extend(kept.iter().map(|slot| values[*slot]));
            }
            None => select(&mut self.own, &kept),
        }
        self.group_ends.truncate(self.fiber_ends.len());
        self.len = kept.len();
        self.stored_per_element = before.div_ceil(kept.len().max(1));
        self.value_positions.clear();
        self.extend_columns(leaf);
        (self.scratch.ends, self.scratch.child_ends) = (kept, more);
    }

    /// Splits the groups, so that each fiber is a group, and every column has one slot per fiber or per element.
    fn split_groups(&mut self, leaf: Option<usize>) {
        for axis in (0..self.is_grouped.len()).filter(|axis| self.is_grouped[*axis]) {
            core::mem::swap(&mut self.scratch.column, &mut self.coordinates[axis]);
            expand(&self.scratch.column[..self.group_ends.len()], &self.group_ends, &mut self.coordinates[axis]);
        }
        self.group_ends.clear();
        self.group_ends.extend(1..self.fiber_ends.len() + 1);
        self.extend_columns(leaf);
    }
}

/// Finds the slots whose coordinate lies in `coordinates`. `up_to[k]` is the number of these slots up to and
/// including slot `k`.
fn find(column: &[u64], coordinates: Range<u64>, slots: &mut Vec<usize>, up_to: &mut Vec<usize>) {
    slots.resize(column.len(), 0);
    up_to.resize(column.len(), 0);
    let mut count = 0;
    // No branch, because chance decides it: write every slot number, and let the next one overwrite it if its
    // coordinate is outside.
    for ((slot, x), up_to) in column.iter().enumerate().zip(&mut *up_to) {
        slots[count] = slot;
        count += usize::from(coordinates.contains(x));
        *up_to = count;
    }
    slots.truncate(count);
}

/// Keeps only the elements at the given slots, which ascend.
fn select<X: Copy>(all: &mut Vec<X>, slots: &[usize]) {
    for (to, from) in slots.iter().enumerate() {
        all[to] = all[*from];
    }
    all.truncate(slots.len());
}
