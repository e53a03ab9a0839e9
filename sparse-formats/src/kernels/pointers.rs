//! Conversions between the pointers of compressed rows and the row of every entry.

use super::check::fits;
use crate::{ArrayName, SparseError};
use alloc::vec::Vec;
use array_kernels::memory;
use array_kernels::merge_path::Offsets;
use array_kernels::parallel;
use array_kernels::spread::repeat;
use layout_levels::Index;

/// Fails unless pointers begin at 0, never decrease, and end at the number of entries.
pub(crate) fn check_pointers<P: Index>(pointers: &[P], entries: usize) -> Result<(), SparseError> {
    let array = ArrayName::Argument("pointers");
    match pointers {
        [] => Err(SparseError::Length { array, found: 0, expected: 1 }),
        [first, ..] if first.to_u64() != 0 => Err(SparseError::First { array, found: first.to_u64() }),
        [.., last] if last.to_u64() != entries as u64 => Err(SparseError::Last { array, found: last.to_u64(), expected: entries }),
        _ if pointers.is_sorted() => Ok(()),
        _ => {
            let at = (1..pointers.len()).find(|&k| pointers[k] < pointers[k - 1]).unwrap_or(1);
            Err(SparseError::Decreasing { array, at, before: pointers[at - 1].to_u64(), found: pointers[at].to_u64() })
        }
    }
}

/// Returns the pointers of `extent` rows, given the sorted row numbers of the entries: row `r` has the entries
/// `pointers[r]..pointers[r + 1]`.
///
/// ```
/// use sparse_formats::kernels::pointers_of;
/// assert_eq!(pointers_of::<_, u32>(&[0u8, 0, 2], 4)?, [0, 2, 2, 3, 3]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the row numbers decrease or are not below `extent`, if `P` cannot count the entries, or if
/// memory has no room for the pointers.
pub fn pointers_of<A: Index, P: Index>(rows: &[A], extent: usize) -> Result<Vec<P>, SparseError> {
    fits("entries", rows.len() as u64, P::MOST as u64)?;
    let mut pointers = Vec::new();
    let short = |_| SparseError::TooLarge { what: "rows", number: extent as u64, most: isize::MAX as u64 / size_of::<P>() as u64 };
    pointers.try_reserve_exact(extent.saturating_add(1)).map_err(short)?;
    pointers.resize(extent + 1, P::default());
    let fault = |at: usize| match rows[at].to_u64() {
        found if found >= extent as u64 => SparseError::Range { array: ArrayName::Argument("rows"), at, found, extent: extent as u64 },
        _ => SparseError::Descending { at },
    };
    let wrong = |position: usize| rows[position].to_u64() >= extent as u64 || position > 0 && rows[position] < rows[position - 1];
    let blocks = parallel::ranges(rows.len(), parallel::threads(rows.len()));
    let faults = parallel::map(blocks.clone(), |mut block| block.find(|position| wrong(*position)));
    if let Some(position) = faults.into_iter().flatten().next() {
        return Err(fault(position));
    }
    // The entries of a block set the pointers of the rows after the row of the entry before the block, up to the row
    // of its last entry.
    let behind = |position: usize| if position == 0 { 0 } else { rows[position - 1].to_usize() + 1 };
    let (mut rest, mut parts) = (&mut pointers[..], Vec::new());
    for block in blocks {
        parts.push((behind(block.start), parallel::carve(&mut rest, behind(block.end) - behind(block.start)), block));
    }
    rest.fill(Index::from_low_bits(rows.len() as u64));
    parallel::map(parts, |(mut row, mut part, block)| {
        for position in block {
            // The rows up to this one that have no pointer yet start at this entry.
            let end = rows[position].to_usize() + 1;
            parallel::carve(&mut part, end - row).fill(Index::from_low_bits(position as u64));
            row = end;
        }
    });
    Ok(pointers)
}

/// Returns the row of every entry: the inverse of [`pointers_of`].
///
/// ```
/// use sparse_formats::kernels::expand;
/// assert_eq!(expand::<_, u8>(&[0u32, 2, 2, 3], 3)?, [0, 0, 2]);
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
///
/// # Errors
/// Returns an error if the pointers do not begin at 0, decrease, or do not end at `entries`, if a row does not fit
/// `A`, or if memory has no room for the entries.
pub fn expand<P: Index, A: Index>(pointers: &[P], entries: usize) -> Result<Vec<A>, SparseError> {
    check_pointers(pointers, entries)?;
    fits("rows", (pointers.len() - 1).saturating_sub(1) as u64, A::MOST as u64)?;
    // Pointers can claim more entries than memory can hold.
    let short = || SparseError::TooLarge { what: "entries", number: entries as u64, most: isize::MAX as u64 / u64::from(A::BITS / 8) };
    let mut out = memory::try_repeated(A::default(), entries).ok_or_else(short)?;
    repeat(&Offsets::new(pointers), &mut out, |row| Index::from_low_bits(row as u64));
    Ok(out)
}
