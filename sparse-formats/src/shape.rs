//! Arithmetic on shapes: products of extents that detect overflow, and permutations of axes.

use alloc::vec::Vec;

/// Returns the product of extents as a `usize`, or `None` if it does not fit.
pub(crate) fn product(extents: impl IntoIterator<Item = u64>) -> Option<usize> {
    // An extent of 0 makes the product 0, even if the product of the others overflows.
    let mut out = Some(1usize);
    let mut zero = false;
    for extent in extents {
        zero |= extent == 0;
        out = out.and_then(|out| out.checked_mul(usize::try_from(extent).ok()?));
    }
    if zero { Some(0) } else { out }
}

/// Returns `items[order[0]], items[order[1]], ...`.
pub(crate) fn pick<T: Copy>(items: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|k| items[*k]).collect()
}

/// Returns the inverse permutation: `out[order[k]] = k`.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut out = alloc::vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, axis)| out[*axis] = k);
    out
}
