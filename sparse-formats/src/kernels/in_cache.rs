//! Moves lists that fit a cache straight to their rows.
//!
//! Buckets (`partition.rs`) save misses of caches and of page tables. Lists in the second or third cache have few, and one write an
//! entry is less work than two. Conversions that sort gain nothing, because the sort touches each row again.

use super::Value;
use super::partition::{EntrySource, rows_beyond};
use crate::SparseError;
use layout_levels::Index;

/// The largest number of bytes of the coordinates and values of a compression in cache.
const BYTES: usize = 4 << 20;

/// Returns true if `len` entries with rows below `extent` are few enough for [`place`].
pub(super) fn fits<I, V>(len: usize, extent: usize) -> bool {
    len.saturating_mul(size_of::<I>() + size_of::<V>()) <= BYTES && extent / 2 <= len
}

/// Moves the entries of `source` to their rows, in the order of the input, and sets the end of each row. All ends are zeros at first.
/// Returns the greatest coordinate, or `None` without entries. Returns an error if a row is not below the number of ends.
pub(super) fn place<P: Index, I: Index, V: Value>(
    source: &dyn EntrySource<I, V>,
    ends: &mut [P],
    keys: &mut [I],
    values: &mut [V],
) -> Result<Option<I>, SparseError> {
    let (len, mut most, mut beyond) = (source.values().len(), None, None);
    let next = |end: &mut P| {
        let at = *end;
        *end = Index::from_low_bits(at.to_u64() + 1);
        at.to_usize()
    };
    source.rows_of(0..len, |start, rows| {
        for (k, row) in rows.iter().enumerate() {
            match usize::try_from(*row).ok().and_then(|row| ends.get_mut(row)) {
                Some(end) => _ = next(end),
                None => beyond = beyond.or(Some((start + k, *row))),
            }
        }
    });
    if let Some((at, found)) = beyond {
        return Err(rows_beyond(at, found, ends.len()));
    }
    let mut begin = 0;
    for end in ends.iter_mut() {
        let count = end.to_u64();
        *end = Index::from_low_bits(begin);
        begin += count;
    }
    // Each entry advances the begin of its row, which becomes the end.
    source.tiles(0..len, |_, rows, coordinates, of_tile| {
        most = most.max(coordinates.iter().copied().max());
        for ((row, coordinate), value) in rows.iter().zip(coordinates).zip(of_tile) {
            let at = next(&mut ends[*row as usize]);
            keys[at] = *coordinate;
            values[at].clone_from(value);
        }
    });
    Ok(most)
}
