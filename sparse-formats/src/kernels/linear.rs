//! Row-major linear indices of coordinates, which dense levels and the levels of GCS and GCXS count by.

use super::check::{below, fits, same_length, same_lengths};
use crate::{Indices, SparseError, with_indices};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::parallel::{self, TILE};
use core::slice;
use layout_levels::Index;

/// Returns the row-major linear index, in `extents`, of every tuple of coordinates in `columns`.
///
/// ```
/// use sparse_formats::{Indices, kernels::linear};
/// assert_eq!(linear::<u32>(&[Indices::from(vec![1u8, 2]), Indices::from(vec![0u32, 4])], &[3, 5])?, [5, 14]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the columns have different lengths, if there is not one extent per column, if a coordinate is
/// not below its extent, or if the product of the extents does not fit `T`.
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

/// Fails unless `T` can hold all linear indices in `extents`.
pub(crate) fn linear_fits<T: Index>(extents: &[u64]) -> Result<(), SparseError> {
    // Count an extent of 0 as 1: an empty shape has no index, so none is too large.
    let product = extents.iter().try_fold(1u64, |product, &extent| product.checked_mul(extent.max(1)));
    fits("linear indices", product.map_or(u64::MAX, |product| product - 1), u64::MAX >> (64 - T::BITS))
}

/// Linear indices of tuples that are computed on demand: column `k` has coordinate `k` of each tuple, and `extents[k]` its
/// extent. With one column, they are its coordinates. All columns have the same length.
#[derive(Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub columns: &'a [Indices<'a>],
    pub extents: &'a [u64],
}

impl<'a> Linear<'a> {
    /// Returns the linear indices of one column, which are its coordinates.
    pub fn one(column: &'a Indices<'a>) -> Self {
        // The first extent does not affect an index.
        Linear { columns: slice::from_ref(column), extents: &[0] }
    }

    /// Sets `out` to the linear indices of the tuples from `start` on, truncated to the bits of `T`.
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

    /// Tests whether all coordinates of `len` tuples from `start` on are below their extents.
    fn in_range(&self, start: usize, len: usize) -> bool {
        self.columns.iter().zip(self.extents).all(|(column, &extent)| {
            with_indices!(column, array => array[start..start + len].iter().max().is_none_or(|most| most.to_u64() < extent))
        })
    }
}
