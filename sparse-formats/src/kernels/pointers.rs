//! Pointers of compressed levels.

use super::error::{Error, fits, same_length};
use super::tasks;
use alloc::vec::Vec;
use layout_core::level::Index;

/// That pointers rise from 0 to the number of entries.
pub(crate) fn check_pointers<P: Index>(pointers: &[P], entries: usize) -> Result<(), Error> {
    let wrong = |position: usize| Error::Pointers { position, value: pointers.get(position).map_or(0, |p| p.to_u64()) };
    match pointers {
        [] => Err(Error::Length { array: "pointers", found: 0, expected: 1 }),
        [first, ..] if first.to_u64() != 0 => Err(wrong(0)),
        [.., last] if last.to_u64() != entries as u64 => Err(wrong(pointers.len() - 1)),
        _ if pointers.is_sorted() => Ok(()),
        _ => Err(wrong((1..pointers.len()).find(|&k| pointers[k] < pointers[k - 1]).unwrap_or(0))),
    }
}

/// The pointers of `extent` rows to entries whose rows, in order, are `rows`.
///
/// ```
/// use sparse_formats::kernels::pointers_of;
/// assert_eq!(pointers_of::<_, u32>(&[0u8, 0, 2], 4)?, [0, 2, 2, 3, 3]);
/// # Ok::<(), sparse_formats::kernels::Error>(())
/// ```
///
/// # Errors
/// Rows that fall, or are not below `extent`; more entries than `P` counts, more rows than memory holds.
pub fn pointers_of<A: Index, P: Index>(rows: &[A], extent: usize) -> Result<Vec<P>, Error> {
    fits("entries", rows.len() as u64, P::MOST as u64)?;
    let mut pointers = Vec::new();
    let short = |_| Error::TooLarge { what: "rows", number: extent as u64, most: isize::MAX as u64 / size_of::<P>() as u64 };
    pointers.try_reserve_exact(extent.saturating_add(1)).map_err(short)?;
    let mut before = 0;
    for (position, row) in rows.iter().enumerate() {
        let row = row.to_u64();
        if row >= extent as u64 {
            return Err(Error::OutOfRange { array: "rows", position, coordinate: row, extent: extent as u64 });
        }
        if row < before {
            return Err(Error::Unsorted { position });
        }
        before = row;
        // Rows up to this one start at or before this entry.
        while pointers.len() <= row as usize {
            pointers.push(P::from_usize(position).unwrap_or_default());
        }
    }
    pointers.resize(extent + 1, P::from_usize(rows.len()).unwrap_or_default());
    Ok(pointers)
}

/// The row of every entry: the inverse of [`pointers_of`].
///
/// ```
/// use sparse_formats::kernels::expand;
/// assert_eq!(expand::<_, u8>(&[0u32, 2, 2, 3], 3)?, [0, 0, 2]);
/// # Ok::<(), sparse_formats::kernels::Error>(())
/// ```
///
/// # Errors
/// Pointers that do not rise from 0 to `entries`, rows that do not fit `A`.
pub fn expand<P: Index, A: Index>(pointers: &[P], entries: usize) -> Result<Vec<A>, Error> {
    check_pointers(pointers, entries)?;
    fits("rows", (pointers.len() - 1).saturating_sub(1) as u64, A::MOST as u64)?;
    let mut out = alloc::vec![A::default(); entries];
    let (mut rest, mut parts) = (&mut out[..], Vec::new());
    for rows in tasks::ranges(pointers.len() - 1, tasks::threads(entries)) {
        let part = tasks::carve(&mut rest, pointers[rows.end].to_usize() - pointers[rows.start].to_usize());
        parts.push((rows, part));
    }
    tasks::map(parts, |(rows, mut part)| {
        for row in rows {
            let len = pointers[row + 1].to_usize() - pointers[row].to_usize();
            tasks::carve(&mut part, len).fill(A::from_usize(row).unwrap_or_default());
        }
    });
    Ok(out)
}

/// The row-major linear index of every tuple of `columns` in `extents`: what the levels of GCS, GCXS and dense levels count by.
///
/// ```
/// use sparse_formats::{Indices, kernels::linear};
/// assert_eq!(linear::<u32>(&[Indices::from(vec![1u8, 2]), Indices::from(vec![0u32, 4])], &[3, 5])?, [5, 14]);
/// # Ok::<(), sparse_formats::kernels::Error>(())
/// ```
///
/// # Errors
/// Columns of different lengths or another number of extents, coordinates outside them, a product of extents that does not fit `T`.
pub fn linear<T: Index>(columns: &[crate::Indices<'_>], extents: &[u64]) -> Result<Vec<T>, Error> {
    same_length("extents", extents.len(), columns.len())?;
    let len = columns.first().map_or(0, crate::Indices::len);
    for column in columns {
        same_length("column", column.len(), len)?;
    }
    if len == 0 {
        return Ok(Vec::new());
    }
    linear_fits::<T>(extents)?;
    let mut out = alloc::vec![T::default(); len];
    let (mut rest, mut parts) = (&mut out[..], Vec::new());
    for range in tasks::ranges(len, tasks::threads(len)) {
        parts.push((range.start, tasks::carve(&mut rest, range.len())));
    }
    let done = tasks::map(parts, |(start, part)| {
        for (k, part) in part.chunks_mut(1024).enumerate() {
            for (column, &extent) in columns.iter().zip(extents) {
                crate::with_indices!(column, array => append(part, array, start + k * 1024, extent))?;
            }
        }
        Ok(())
    });
    done.into_iter().collect::<Result<(), _>>()?;
    Ok(out)
}

/// That `T` holds the linear indices in `extents`.
pub(crate) fn linear_fits<T: Index>(extents: &[u64]) -> Result<(), Error> {
    // An empty shape has no index that could be too large.
    let product = extents.iter().try_fold(1u64, |product, &extent| product.checked_mul(extent.max(1)));
    fits("linear indices", product.map_or(u64::MAX, |product| product - 1), T::MOST as u64)
}

/// `out * extent + array[start..]`, element by element.
fn append<T: Index, A: Index>(out: &mut [T], array: &[A], start: usize, extent: u64) -> Result<(), Error> {
    let mut most = 0;
    for (slot, x) in out.iter_mut().zip(&array[start..]) {
        most = most.max(x.to_u64());
        *slot = T::from_usize((slot.to_u64().wrapping_mul(extent).wrapping_add(x.to_u64())) as usize).unwrap_or_default();
    }
    if most < extent {
        return Ok(());
    }
    let position = start + array[start..].iter().position(|x| x.to_u64() >= extent).unwrap_or(0);
    Err(Error::OutOfRange { array: "column", position, coordinate: array[position].to_u64(), extent })
}
