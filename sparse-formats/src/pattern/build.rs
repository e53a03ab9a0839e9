//! The arrays of a format from sorted coordinates.

use super::{ArrayName, Arrays, Pattern};
use crate::format::Group;
use crate::narrow::{Narrow, filled, room, with_width};
use crate::shape::{pick, product};
use crate::tensor::BuildError;
use crate::{Format, Indices, LevelKind, Width, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use layout_core::level::Index;

/// The widths of index arrays: the narrowest that hold every coordinate of the axis and every position, where none is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Widths {
    all: Option<Width>,
    given: Vec<(ArrayName, Width)>,
}

impl Widths {
    /// The narrowest that fit.
    pub fn narrowest() -> Widths {
        Widths::default()
    }

    /// One width for all arrays.
    pub fn all(width: Width) -> Widths {
        Widths { all: Some(width), given: Vec::new() }
    }

    /// With this width for one array.
    pub fn with(mut self, array: ArrayName, width: Width) -> Widths {
        self.given.push((array, width));
        self
    }

    /// The width of an array whose numbers are at most `most`.
    fn of(&self, array: ArrayName, most: u64) -> Result<Width, BuildError> {
        let given = self.given.iter().rev().find(|(name, _)| *name == array).map(|(_, width)| *width).or(self.all);
        match given {
            Some(width) if width.most() < most => Err(BuildError::Width { array, width, most }),
            Some(width) => Ok(width),
            None => Ok(Width::of(most)),
        }
    }
}

/// Coordinates in the order of the levels, sorted.
pub(crate) struct Sorted<'c> {
    /// One for each axis, in storage order.
    columns: Vec<Indices<'c>>,
    /// For each element, the number of leading coordinates that it has in common with the one before it; 0 for the first.
    common: Vec<u8>,
    /// Where each element was, unless it is where it was.
    permutation: Option<Vec<usize>>,
}

/// The permutation that sorts `length` tuples, equal ones as they come; none where they are sorted.
pub(crate) fn permutation(columns: &[Indices], length: usize) -> Result<Option<Vec<usize>>, BuildError> {
    let order = crate::sort::order(columns).map_err(|_| BuildError::Memory { elements: length })?;
    Ok((!order.is_identity()).then(|| order.iter().collect()))
}

impl<'c> Sorted<'c> {
    /// The `length` tuples of these columns in order.
    pub fn new(columns: &'c [Indices<'c>], length: usize) -> Result<Sorted<'c>, BuildError> {
        let permutation = permutation(columns, length)?;
        let columns: Vec<Indices> = match &permutation {
            None => columns.iter().map(Indices::view).collect(),
            Some(permutation) => columns.iter().map(|column| column.gather(permutation)).collect(),
        };
        let mut common = filled(length, columns.len() as u8).ok_or(BuildError::Memory { elements: length })?;
        for (k, column) in columns.iter().enumerate().rev() {
            with_indices!(column, column => {
                for (common, pair) in common.iter_mut().skip(1).zip(column.windows(2)) {
                    *common = if pair[0] == pair[1] { *common } else { k as u8 };
                }
            });
        }
        if let Some(first) = common.first_mut() {
            *first = 0;
        }
        Ok(Sorted { columns, common, permutation })
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.common.len()
    }

    /// Whether element `k` has the coordinates of the one before it in the first `levels` levels; all have no coordinates in common with what
    /// comes before the first.
    pub fn continues(&self, k: usize, levels: usize) -> bool {
        k > 0 && self.common[k] as usize >= levels
    }

    /// The coordinates of an element, in storage order.
    pub fn tuple(&self, k: usize) -> Vec<u64> {
        self.columns.iter().map(|column| column.get(k).unwrap_or(0)).collect()
    }

    /// Coordinate `k` of an element, in storage order.
    pub fn coordinate(&self, axis: usize, k: usize) -> u64 {
        self.columns[axis].get(k).unwrap_or(0)
    }

    /// Where element `k` was.
    pub fn source(&self, k: usize) -> usize {
        self.permutation.as_ref().map_or(k, |permutation| permutation[k])
    }

    /// Where each element was, unless it is where it was.
    pub fn permutation(&self) -> Option<&[usize]> {
        self.permutation.as_deref()
    }

    /// The elements that `keep` names, in increasing order: the first of each run of equal leading `levels` coordinates among them.
    pub fn select(&self, keep: &[usize], levels: usize) -> Sorted<'static> {
        let columns = self.columns[..levels].iter().map(|column| column.gather(keep)).collect();
        // What is left out had all `levels` coordinates in common with what is kept of its run.
        let mut next = 0;
        let common = keep.iter().map(|k| {
            let least = (next..=*k).map(|k| self.common[k]).min().unwrap_or(0).min(levels as u8);
            next = k + 1;
            least
        });
        let common = common.collect();
        Sorted { columns, common, permutation: Some(keep.iter().map(|k| self.source(*k)).collect()) }
    }
}

/// Which elements begin an entry.
#[derive(Clone, Copy)]
enum Begins<'s> {
    /// Each does.
    Each,
    /// Those that differ from the one before in the first so many coordinates.
    Prefix(usize),
    /// Those, and others that begin a part of a split node.
    Split(usize, &'s [bool]),
}

impl Begins<'_> {
    #[inline(always)]
    fn at(self, k: usize, common: &[u8]) -> bool {
        match self {
            Begins::Each => true,
            Begins::Prefix(levels) => k == 0 || (common[k] as usize) < levels,
            Begins::Split(levels, split) => k == 0 || (common[k] as usize) < levels || split[k],
        }
    }
}

/// The entries of one level: an element begins `repeats` of them, or none.
#[derive(Clone, Copy)]
struct Entries<'s> {
    begins: Begins<'s>,
    repeats: usize,
}

struct Assembly<'s, 'c> {
    format: &'s Format,
    extents: Vec<u64>,
    sorted: &'s Sorted<'c>,
    widths: &'s Widths,
    /// The most entries of a level.
    most: usize,
    /// For each element, whether it begins a further part of a node of the balanced level.
    split: Vec<bool>,
}

/// The pattern of sorted coordinates, distinct unless the format is that of a multigraph; the columns are those of the levels.
pub(crate) fn assemble(
    shape: &[u64],
    format: &Format,
    sorted: &Sorted,
    widths: &Widths,
    most: usize,
) -> Result<Pattern<'static>, BuildError> {
    let levels = format.levels();
    let mut assembly = Assembly { format, extents: pick(shape, &format.axis_order()[..levels]), sorted, widths, most, split: Vec::new() };
    if let Some(balance) = format.balanced() {
        assembly.split(balance.level, balance.most)?;
    }
    let mut arrays = Arrays::new();
    let mut counts = Vec::with_capacity(levels + 1);
    for (level, kind) in format.kinds().iter().enumerate() {
        let count = if *kind == LevelKind::Compressed {
            assembly.dense_entries(level)?
        } else {
            let entries = assembly.entries(level)?;
            let indices = assembly.indices(level, entries)?;
            let count = indices.len();
            arrays = arrays.with_indices(level, indices);
            count
        };
        if format.stores_pointers(level) {
            arrays = arrays.with_pointers(level, assembly.pointers(level, count)?);
        }
        counts.push(count);
    }
    counts.push(sorted.len());
    Ok(Pattern::of(shape.to_vec(), format.clone(), arrays, counts))
}

impl Assembly<'_, '_> {
    fn memory(&self) -> BuildError {
        BuildError::Memory { elements: self.sorted.len() }
    }

    /// The entries of a level that stores indices; of the elements, below the last.
    fn entries(&self, level: usize) -> Result<Entries<'_>, BuildError> {
        let levels = self.format.levels();
        if level == levels {
            return Ok(Entries { begins: Begins::Each, repeats: 1 });
        }
        let Group::Tuples { end, repeats, .. } = self.format.group_from(level) else {
            return Ok(Entries { begins: Begins::Prefix(level + 1), repeats: 1 });
        };
        if repeats {
            let count = usize::try_from(self.extents[end]);
            let too_large = BuildError::Entries { level, parents: self.sorted.len(), extents: self.extents[end..=end].to_vec() };
            return Ok(Entries { begins: Begins::Prefix(end), repeats: count.map_err(|_| too_large)? });
        }
        let begins = match self.format.kinds()[end - 1] {
            LevelKind::Sparse => Begins::Each,
            _ if self.format.balanced().is_some_and(|balance| balance.level + 1 == end) && !self.split.is_empty() => {
                Begins::Split(end, &self.split)
            }
            _ => Begins::Prefix(end),
        };
        Ok(Entries { begins, repeats: 1 })
    }

    /// Marks the elements that begin a further part of a node.
    fn split(&mut self, level: usize, most: usize) -> Result<(), BuildError> {
        let children = self.entries(level + 1)?.begins;
        let mut split = filled(self.sorted.len(), false).ok_or_else(|| self.memory())?;
        let mut count = 0;
        for (k, split) in split.iter_mut().enumerate() {
            if !self.sorted.continues(k, level + 1) {
                count = 1;
            } else if children.at(k, &self.sorted.common) {
                *split = count == most;
                count = if *split { 1 } else { count + 1 };
            }
        }
        self.split = split;
        Ok(())
    }

    fn indices(&self, level: usize, entries: Entries) -> Result<Indices<'static>, BuildError> {
        let array = ArrayName::Indices(level);
        let width = self.widths.of(array, self.extents[level].saturating_sub(1))?;
        let common = self.sorted.common.as_slice();
        let (begins, repeats) = (entries.begins, entries.repeats);
        let first = (0..self.sorted.len()).filter(|k| begins.at(*k, common)).count();
        let length = first.checked_mul(repeats).filter(|length| *length <= self.most);
        let too_large = || BuildError::Entries { level, parents: first, extents: vec![repeats as u64] };
        Ok(with_width!(width, T => with_indices!(&self.sorted.columns[level], column => {
            let mut out: Vec<T> = length.and_then(room).ok_or_else(too_large)?;
            if repeats == 1 {
                out.extend((0..column.len()).filter(|k| begins.at(*k, common)).map(|k| T::narrow(column[k].to_u64())));
            } else {
                for k in (0..column.len()).filter(|k| begins.at(*k, common)) {
                    out.resize(out.len() + repeats, T::narrow(column[k].to_u64()));
                }
            }
            out.into()
        })))
    }

    /// The first level of the compressed levels that end with this one.
    fn chain(&self, level: usize) -> usize {
        level - self.format.kinds()[..level].iter().rev().take_while(|kind| **kind == LevelKind::Compressed).count()
    }

    /// The number of entries of a compressed level: one for each coordinate of its chain below each prefix that occurs.
    fn dense_entries(&self, level: usize) -> Result<usize, BuildError> {
        let first = self.chain(level);
        let common = self.sorted.common.as_slice();
        let parents = if first == 0 { 1 } else { (0..common.len()).filter(|k| Begins::Prefix(first).at(*k, common)).count() };
        let extents = self.extents[first..=level].to_vec();
        let entries = product(extents.iter().copied().chain([parents as u64]));
        entries.filter(|entries| *entries < self.most).ok_or(BuildError::Entries { level, parents, extents })
    }

    /// The pointers of a level of so many entries to those of the next, or to elements.
    fn pointers(&self, level: usize, length: usize) -> Result<Indices<'static>, BuildError> {
        let common = self.sorted.common.as_slice();
        let children = self.entries(level + 1)?;
        let last = (0..common.len()).filter(|k| children.begins.at(*k, common)).count() as u64;
        let last = last.checked_mul(children.repeats as u64);
        let too_large = || BuildError::Entries { level: level + 1, parents: common.len(), extents: vec![children.repeats as u64] };
        let width = self.widths.of(ArrayName::Pointers(level), last.ok_or_else(too_large)?)?;
        let too_many = || BuildError::Entries { level, parents: 1, extents: vec![length as u64] };
        let mut count = 0u64;
        let step = |k: usize| if children.begins.at(k, common) { children.repeats as u64 } else { 0 };
        Ok(with_width!(width, T => {
            let mut out: Vec<T> = length.checked_add(1).and_then(room).ok_or_else(too_many)?;
            if self.format.kinds()[level] == LevelKind::Compressed {
                let first = self.chain(level);
                let mut parent = 0;
                for k in 0..common.len() {
                    parent += usize::from(first > 0 && k > 0 && Begins::Prefix(first).at(k, common));
                    let coordinates = (first..=level).map(|level| (self.sorted.coordinate(level, k) as usize, self.extents[level] as usize));
                    let entry = coordinates.fold(parent, |entry, (coordinate, extent)| entry * extent + coordinate);
                    // Entries up to this one begin at its first child, which this element begins, or the element before it.
                    if out.len() <= entry {
                        out.resize(entry + 1, T::narrow(count));
                    }
                    count += step(k);
                }
            } else {
                let begins = self.entries(level)?.begins;
                for k in 0..common.len() {
                    if begins.at(k, common) {
                        out.push(T::narrow(count));
                    }
                    count += step(k);
                }
            }
            out.resize(length + 1, T::narrow(count));
            out.into()
        }))
    }
}
