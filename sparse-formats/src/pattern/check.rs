//! Checks of everything that a format promises about its arrays: `counts` tests lengths in every pattern, and `contents`
//! the rest unless the caller promises it. A new promise of a format is tested in `contents`.

use super::Arrays;
use super::siblings::Siblings;
use crate::format::Group;
use crate::shape::pick;
use crate::{ArrayName, Format, Indices, LevelKind, SparseError, with_indices};
use alloc::vec::Vec;
use layout_levels::Index;

type Result<T> = core::result::Result<T, SparseError>;

/// Returns the number of entries of each level, and then of elements. Derives them from lengths and last pointers alone.
/// Fails unless exactly the arrays of the format are there, and lengths, first pointers and last pointers are right.
pub(super) fn counts(shape: &[u64], format: &Format, arrays: &Arrays) -> Result<Vec<usize>> {
    if shape.len() != format.rank() {
        return Err(SparseError::Rank { shape: shape.len(), format: format.rank() });
    }
    let levels = format.levels();
    for level in 0..arrays.levels().max(levels) {
        present(arrays.indices(level), format.stores_indices(level), ArrayName::Indices(level))?;
        present(arrays.pointers(level), format.stores_pointers(level), ArrayName::Pointers(level))?;
    }
    let extents = pick(shape, format.axis_order());
    let mut counts = Vec::with_capacity(levels + 1);
    // A tensor without levels has one element.
    let mut below = 1;
    let mut before = None;
    for (level, (kind, extent)) in format.kinds().iter().zip(&extents).enumerate() {
        let count = match kind {
            LevelKind::Pointers => compressed(level, *extent, below, before)?,
            _ => listed(arrays.indices(level), level, below, before)?,
        };
        counts.push(count);
        before = Some(*kind);
        below = match arrays.pointers(level) {
            None => count,
            Some(pointers) => ends(pointers, level, count)?,
        };
        if let (Some(pointers), Some(next)) = (arrays.pointers(level), arrays.indices(level + 1))
            && below != next.len()
        {
            return Err(SparseError::Last {
                array: ArrayName::Pointers(level),
                found: pointers.get(count).unwrap_or(0),
                expected: next.len(),
            });
        }
    }
    counts.push(below);
    Ok(counts)
}

/// Fails unless the array `name` is there exactly if the level has it (`stored`).
fn present(array: Option<&Indices>, stored: bool, name: ArrayName) -> Result<()> {
    match (array, stored) {
        (None, true) => Err(SparseError::Missing { array: name }),
        (Some(_), false) => Err(SparseError::Unexpected { array: name }),
        _ => Ok(()),
    }
}

/// Returns the number of entries of a `C` level below `parents` entries of the level before it, whose kind is `before`. Fails
/// if entries that an `S` level repeats are no whole blocks, or if the number exceeds `usize`.
fn compressed(level: usize, extent: u64, parents: usize, before: Option<LevelKind>) -> Result<usize> {
    if before == Some(LevelKind::Indices) {
        // An `S` level above repeats its entries for each coordinate of this level.
        let whole = if extent == 0 { parents == 0 } else { (parents as u64).is_multiple_of(extent) };
        let blocks = SparseError::PartialBlock { array: ArrayName::Indices(level - 1), found: parents as u64, extent };
        return if whole { Ok(parents) } else { Err(blocks) };
    }
    let count = usize::try_from(extent).ok().and_then(|extent| parents.checked_mul(extent));
    // There is one pointer more than entries.
    count.filter(|count| *count < usize::MAX).ok_or(SparseError::Overflow { level, parents, extent })
}

/// Returns the number of entries of a level that stores indices: their length. Fails if they are missing, or if the level
/// before is `S`, whose `parents` entries share the positions, and has another number.
fn listed(indices: Option<&Indices>, level: usize, parents: usize, before: Option<LevelKind>) -> Result<usize> {
    let array = ArrayName::Indices(level);
    let found = indices.ok_or(SparseError::Missing { array })?.len();
    if before == Some(LevelKind::Indices) && found != parents {
        return Err(SparseError::Length { array, found, expected: parents });
    }
    Ok(found)
}

/// Returns the last pointer of a level with `entries` entries. Fails if the array has a wrong length, or if the first pointer
/// is not 0.
fn ends(pointers: &Indices, level: usize, entries: usize) -> Result<usize> {
    let array = ArrayName::Pointers(level);
    if pointers.len() != entries + 1 {
        return Err(SparseError::Length { array, found: pointers.len(), expected: entries + 1 });
    }
    let (first, last) = (pointers.get(0).unwrap_or(0), pointers.get(entries).unwrap_or(0));
    if first != 0 {
        return Err(SparseError::First { array, found: first });
    }
    usize::try_from(last).map_err(|_| SparseError::Overflow { level: level + 1, parents: entries, extent: last })
}

/// Fails unless pointers do not decrease, indices are in range, no node exceeds the balance of the format, and entries have
/// the order that the format promises. `counts` has the number of entries of each level, and then of elements.
pub(super) fn contents(shape: &[u64], format: &Format, arrays: &Arrays, counts: &[usize]) -> Result<()> {
    let extents = pick(shape, format.axis_order());
    for (level, (kind, extent)) in format.kinds().iter().zip(&extents).enumerate() {
        if let Some(pointers) = arrays.pointers(level) {
            increase(pointers, level, *kind == LevelKind::IndexedPointers)?;
        }
        if let Some(indices) = arrays.indices(level) {
            in_range(indices, level, *extent)?;
        }
    }
    if let Some(balance) = format.balanced() {
        let pointers = arrays.pointers(balance.level).ok_or(SparseError::Missing { array: ArrayName::Pointers(balance.level) })?;
        for at in 0..counts[balance.level] {
            let found = pointers.get(at + 1).unwrap_or(0) - pointers.get(at).unwrap_or(0);
            if found > balance.most as u64 {
                return Err(SparseError::Children { level: balance.level, at, found, most: balance.most });
            }
        }
    }
    let mut siblings = Siblings::new(counts[0]);
    for group in format.groups() {
        match group {
            Group::Dense { level } => siblings.below(arrays.pointers(level)),
            Group::Tuples { first, end, repeats } => {
                let stride = if repeats { (extents[end] as usize).max(1) } else { 1 };
                siblings.check(format, arrays, first..end, stride)?;
                occupied(format, arrays, &extents, end, counts[end - 1], stride)?;
                siblings.below(arrays.pointers(end - 1));
            }
        }
    }
    Ok(())
}

/// Fails if pointers decrease, or with `strictly` if two are equal.
fn increase(pointers: &Indices, level: usize, strictly: bool) -> Result<()> {
    let array = ArrayName::Pointers(level);
    with_indices!(pointers, p => {
        let decreasing = p.windows(2).position(|pair| pair[1] < pair[0]);
        if let Some(k) = decreasing {
            return Err(SparseError::Decreasing { array, at: k + 1, before: p[k].to_u64(), found: p[k + 1].to_u64() });
        }
        match strictly.then(|| p.windows(2).position(|pair| pair[1] == pair[0])).flatten() {
            Some(at) => Err(SparseError::Childless { level, at }),
            None => Ok(()),
        }
    })
}

/// Fails unless all indices of a level are below its extent.
fn in_range(indices: &Indices, level: usize, extent: u64) -> Result<()> {
    let at = with_indices!(indices, array => array.iter().position(|x| x.to_u64() >= extent));
    match at {
        Some(at) => Err(SparseError::Range { array: ArrayName::Indices(level), at, found: indices.get(at).unwrap_or(0), extent }),
        None => Ok(()),
    }
}

/// Fails unless each of the `entries` entries of level `first - 1` has an element below it, if `C` levels follow from level
/// `first` on. Each entry is stored `stride` times.
///
/// An entry stands for a coordinate that occurs, so it needs an element even if `C` levels lie between them.
fn occupied(format: &Format, arrays: &Arrays, extents: &[u64], first: usize, entries: usize, stride: usize) -> Result<()> {
    let tuples = entries / stride;
    let chain = format.kinds()[first..].iter().take_while(|kind| **kind == LevelKind::Pointers).count();
    let Some(pointers) = (chain > 0 && tuples > 0).then(|| arrays.pointers(first + chain - 1)).flatten() else { return Ok(()) };
    // `counts` has compared the lengths of the arrays with these products, so they fit.
    let span: usize = extents[first..first + chain].iter().map(|extent| *extent as usize).product();
    match (0..tuples).find(|at| pointers.get(at * span) == pointers.get((at + 1) * span)) {
        Some(at) => Err(SparseError::Childless { level: first - 1, at: at * stride }),
        None => Ok(()),
    }
}
