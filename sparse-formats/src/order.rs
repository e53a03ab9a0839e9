//! The order of coordinates.

use crate::Indices;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The permutation that sorts tuples, the first column first, equal ones as they come; none where they are sorted.
///
/// Column `k` has numbers less than `extents[k]`.
pub(crate) fn order(columns: &[Indices], extents: &[u64]) -> Option<Vec<usize>> {
    debug_assert_eq!(columns.len(), extents.len());
    let length = columns.first().map_or(0, Indices::len);
    let compare = |a: usize, b: usize| columns.iter().map(|column| column.get(a).cmp(&column.get(b))).fold(Ordering::Equal, Ordering::then);
    if (1..length).all(|k| compare(k - 1, k) != Ordering::Greater) {
        return None;
    }
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|a, b| compare(*a, *b));
    Some(order)
}
