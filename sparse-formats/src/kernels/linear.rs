//! Row-major linear indices: what the levels of GCS, GCXS and dense levels count by.

use super::check::{below, fits, same_length, same_lengths};
use crate::{Indices, SparseError, with_indices};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel::{self, TILE};
use core::slice;
use layout_levels::Index;

/// The row-major linear index of every tuple of `columns` in `extents`.
///
/// ```
/// use sparse_formats::{Indices, kernels::linear};
/// assert_eq!(linear::<u32>(&[Indices::from(vec![1u8, 2]), Indices::from(vec![0u32, 4])], &[3, 5])?, [5, 14]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Columns of different lengths or another number of extents, coordinates outside them, a product of extents that does not fit `T`.
pub fn linear<T: Index>(columns: &[Indices<'_>], extents: &[u64]) -> Result<Vec<T>, SparseError> {
    same_length("extents", extents.len(), columns.len())?;
    let len = same_lengths(columns)?;
    if len == 0 {
        return Ok(Vec::new());
    }
    linear_fits::<T>(extents)?;
    let tuples = Linear { columns, extents };
    let mut out = memory::defaults(len);
    let in_range = parallel::each(&mut out, |start, part| {
        part.chunks_mut(TILE).enumerate().all(|(k, tile)| {
            let start = start + k * TILE;
            tuples.fill(start, tile);
            tuples.in_range(start, tile.len())
        })
    });
    if !in_range.into_iter().all(|in_range| in_range) {
        let mut columns = columns.iter().zip(extents);
        columns.try_for_each(|(column, &extent)| with_indices!(column, array => below("column", array, extent)))?;
    }
    Ok(out)
}

/// Tests that `T` holds the linear indices in `extents`.
pub(crate) fn linear_fits<T: Index>(extents: &[u64]) -> Result<(), SparseError> {
    // An empty shape has no index that could be too large.
    let product = extents.iter().try_fold(1u64, |product, &extent| product.checked_mul(extent.max(1)));
    fits("linear indices", product.map_or(u64::MAX, |product| product - 1), u64::MAX >> (64 - T::BITS))
}

/// Linear indices made where they are asked for; of one column, its coordinates. Columns have one length.
#[derive(Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub columns: &'a [Indices<'a>],
    pub extents: &'a [u64],
}

impl<'a> Linear<'a> {
    /// The coordinates of one column.
    pub fn one(column: &'a Indices<'a>) -> Self {
        // The first extent has no part in an index.
        Linear { columns: slice::from_ref(column), extents: &[0] }
    }

    /// Sets `out` to the indices of the tuples from `start` on, cut to the width of `T`.
    pub fn fill<T: Index>(&self, start: usize, out: &mut [T]) {
        let mut columns = self.columns.iter().zip(self.extents);
        match columns.next() {
            Some((column, _)) => with_indices!(column, array => {
                out.iter_mut().zip(&array[start..]).for_each(|(slot, x)| *slot = Index::from_low_bits(x.to_u64()));
            }),
            None => out.fill(T::default()),
        }
        for (column, &extent) in columns {
            with_indices!(column, array => {
                let next = |slot: T, x: u64| Index::from_low_bits(slot.to_u64().wrapping_mul(extent).wrapping_add(x));
                out.iter_mut().zip(&array[start..]).for_each(|(slot, x)| *slot = next(*slot, x.to_u64()));
            });
        }
    }

    /// Tests whether the coordinates of `len` tuples are in range.
    fn in_range(&self, start: usize, len: usize) -> bool {
        self.columns.iter().zip(self.extents).all(|(column, &extent)| {
            with_indices!(column, array => array[start..start + len].iter().max().is_none_or(|most| most.to_u64() < extent))
        })
    }
}
