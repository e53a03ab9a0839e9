//! Builds the arrays of a format from coordinates in any order, which `sort` has sorted.

use super::{Arrays, SparsityPattern};
use crate::format::Group;
use crate::kernels::pointers_of;
use crate::shape::{pick, product};
use crate::sort::{EntryOrder, Prefixes};
use crate::{ArrayName, Format, Indices, LevelKind, SparseError, Width};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::room;
use array_kernels::with_width;

/// The widths of arrays of indices and pointers. By default, an array gets the narrowest width that holds all coordinates
/// below the extent of its axis, or all its pointers.
///
/// ```
/// use sparse_formats::{ArrayName, Builder, Format, Indices, Width, Widths};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let build = |widths, columns_of_matrix| {
///     let a = Builder::new(Format::csr(), 0).widths(widths).build(&[2, columns_of_matrix], &columns, vec![5, 6])?;
///     let arrays = a.into_parts().arrays;
///     Ok::<_, sparse_formats::SparseError>([&arrays.pointers[0], &arrays.indices[1]].map(|array| array.as_ref().map(Indices::width)))
/// };
/// assert_eq!(build(Widths::narrowest(), 300)?, [Some(Width::U8), Some(Width::U16)]);
/// let mixed = Widths::all(Width::U32).with(ArrayName::Pointers(0), Width::U64);
/// assert_eq!(build(mixed, 300)?, [Some(Width::U64), Some(Width::U32)]);
/// assert_eq!(build(Widths::all(Width::U8), 300).unwrap_err().to_string(), "indices_1: 299 does not fit 8 bits");
/// # Ok::<(), sparse_formats::SparseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Widths {
    all: Option<Width>,
    given: Vec<(ArrayName, Width)>,
}

impl Widths {
    /// Returns the default: every array gets the narrowest width that fits.
    pub fn narrowest() -> Widths {
        Widths::default()
    }

    /// Returns the widths that give all arrays the width `width`.
    pub fn all(width: Width) -> Widths {
        Widths { all: Some(width), given: Vec::new() }
    }

    /// Sets the width of one array, which then differs from the width of all.
    pub fn with(mut self, array: ArrayName, width: Width) -> Widths {
        self.given.push((array, width));
        self
    }

    /// Returns the width of an array whose numbers are at most `most`. Fails if the given width does not hold `most`.
    pub(crate) fn of(&self, array: ArrayName, most: u64) -> Result<Width, SparseError> {
        let given = self.given.iter().rev().find(|(name, _)| *name == array).map(|(_, width)| *width).or(self.all);
        match given {
            Some(width) if width.most() < most => Err(SparseError::Width { array, width, most }),
            Some(width) => Ok(width),
            None => Ok(Width::of(most)),
        }
    }
}

/// Tuples of coordinates, their order, and the positions in this order at which prefixes change.
pub(crate) struct Sorted<'c> {
    /// One array for each axis, in storage order, as the caller gave them.
    columns: Vec<Indices<'c>>,
    order: EntryOrder,
    prefixes: Prefixes,
    /// The length of the prefix that identifies an element: tuples that agree in it are one element.
    each: usize,
}

impl<'c> Sorted<'c> {
    /// Sorts the tuples of these columns, which have equal lengths and are already sorted by the columns
    /// `known[0]`, `known[1]`, ... Every tuple is an element, also if it repeats; equal tuples keep their order. Fails if
    /// memory has no room.
    pub fn new(columns: Vec<Indices<'c>>, known: &[usize]) -> Result<Sorted<'c>, SparseError> {
        let length = columns.first().map_or(0, Indices::len);
        let memory = |_: SparseError| SparseError::Memory { elements: length };
        let order = crate::sort::order_known(&columns, known).map_err(memory)?;
        let prefixes = order.prefixes(&columns).map_err(memory)?;
        Ok(Sorted { columns, order, prefixes, each: usize::MAX })
    }

    /// Returns the same tuples, with equal tuples as one element.
    pub fn distinct(self) -> Self {
        Sorted { each: self.columns.len(), ..self }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.prefixes.count(self.each)
    }

    /// Returns the stable order of the tuples.
    pub fn order(&self) -> &EntryOrder {
        &self.order
    }

    /// Returns the prefixes of the sorted tuples.
    pub fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// Returns the coordinates of tuple `k` of the order.
    pub fn tuple(&self, k: usize) -> Vec<u64> {
        self.columns.iter().map(|column| column.get(self.order.index(k)).unwrap_or(0)).collect()
    }

    /// Returns for each element its entry number in dense levels over the columns from `first` on, with these extents.
    /// The parent of these levels is the number of the element's prefix of `first` coordinates. Fails if a number exceeds
    /// `usize`.
    pub fn places(&self, first: usize, extents: &[u64]) -> Result<Vec<usize>, SparseError> {
        self.order.linear(&self.columns, &self.prefixes, self.each, first, extents)
    }
}

/// The entries of one level: one for each prefix of `length` coordinates, stored `repeats` times. With a length above
/// the rank, each tuple has its own entry.
#[derive(Clone, Copy)]
struct Entries {
    length: usize,
    repeats: usize,
}

struct Assembly<'s, 'c> {
    format: &'s Format,
    extents: Vec<u64>,
    sorted: Sorted<'c>,
    widths: &'s Widths,
    /// The maximum number of entries of a level.
    most: usize,
}

/// Builds the pattern of tuples, from as many leading coordinates as the format has levels.
///
/// Tuples differ in these coordinates unless the format is a multigraph. Fails if a level exceeds `most` entries or memory,
/// or if a given width does not hold the numbers of an array.
pub(crate) fn assemble(
    shape: &[u64],
    format: &Format,
    sorted: Sorted,
    widths: &Widths,
    most: usize,
) -> Result<SparsityPattern<'static>, SparseError> {
    let levels = format.levels();
    let mut sorted = sorted;
    if sorted.columns.len() > levels {
        sorted.each = levels;
    }
    let mut assembly = Assembly { format, extents: pick(shape, &format.axis_order()[..levels]), sorted, widths, most };
    if let Some(balance) = format.balanced() {
        let children = assembly.entries(balance.level + 1)?;
        assembly.sorted.prefixes.split(balance.level, balance.most, children.length);
    }
    let mut arrays = Arrays::new();
    let mut counts = Vec::with_capacity(levels + 1);
    for (level, kind) in format.kinds().iter().enumerate() {
        let count = if *kind == LevelKind::Pointers {
            assembly.dense_entries(level)?
        } else {
            let indices = assembly.indices(level)?;
            let count = indices.len();
            arrays = arrays.with_indices(level, indices);
            count
        };
        if format.stores_pointers(level) {
            arrays = arrays.with_pointers(level, assembly.pointers(level, count)?);
        }
        counts.push(count);
    }
    // A tensor without levels has one element, even if none is given.
    counts.push(if levels == 0 { 1 } else { assembly.sorted.len() });
    Ok(SparsityPattern::of(shape.to_vec(), format.clone(), arrays, counts))
}

impl Assembly<'_, '_> {
    /// Replaces an error of `sort`, which speaks of columns, by the error for too many elements.
    fn memory(&self, _: SparseError) -> SparseError {
        SparseError::Memory { elements: self.sorted.order.len() }
    }

    /// Returns the entries of a level that stores indices. After the last level, returns the elements. Fails if an extent
    /// exceeds `usize`.
    fn entries(&self, level: usize) -> Result<Entries, SparseError> {
        let levels = self.format.levels();
        if level == levels {
            return Ok(Entries { length: self.sorted.each, repeats: 1 });
        }
        let Group::Tuples { end, repeats, .. } = self.format.group_from(level) else {
            return Ok(Entries { length: level + 1, repeats: 1 });
        };
        if repeats {
            let count = usize::try_from(self.extents[end]);
            let parents = self.sorted.order.len();
            let too_large = SparseError::Entries { level, parents, extents: self.extents[end..=end].to_vec() };
            return Ok(Entries { length: end, repeats: count.map_err(|_| too_large)? });
        }
        let each = self.format.kinds()[end - 1] == LevelKind::Indices;
        Ok(Entries { length: if each { self.sorted.each } else { end }, repeats: 1 })
    }

    /// Returns the number of stored entries of a level. Fails if it exceeds the limit.
    fn count(&self, level: usize, entries: Entries) -> Result<usize, SparseError> {
        let first = self.sorted.prefixes.count(entries.length);
        let count = first.checked_mul(entries.repeats).filter(|count| *count <= self.most);
        count.ok_or(SparseError::Entries { level, parents: first, extents: vec![entries.repeats as u64] })
    }

    /// Returns the indices of a level. Fails if they exceed the limit, memory or the given width.
    fn indices(&self, level: usize) -> Result<Indices<'static>, SparseError> {
        let entries = self.entries(level)?;
        let width = self.widths.of(ArrayName::Indices(level), self.extents[level].saturating_sub(1))?;
        let count = self.count(level, entries)?;
        let Sorted { columns, order, prefixes, .. } = &self.sorted;
        Ok(with_width!(width, T => {
            let indices = order.select::<T>(level, columns, prefixes, entries.length).map_err(|error| self.memory(error))?;
            if entries.repeats == 1 {
                indices.into()
            } else {
                let parents = indices.len();
                let too_large = || SparseError::Entries { level, parents, extents: vec![entries.repeats as u64] };
                let mut out: Vec<T> = room(count).ok_or_else(too_large)?;
                indices.iter().for_each(|index| out.resize(out.len() + entries.repeats, *index));
                out.into()
            }
        }))
    }

    /// Returns the number of entries of a `C` level: one for each coordinate of its run of `C` levels, below
    /// each prefix that occurs. Fails if it exceeds the limit.
    fn dense_entries(&self, level: usize) -> Result<usize, SparseError> {
        let first = self.format.chain_start(level);
        let parents = if first == 0 { 1 } else { self.sorted.prefixes.count(first) };
        let extents = self.extents[first..=level].to_vec();
        let entries = product(extents.iter().copied().chain([parents as u64]));
        entries.filter(|entries| *entries < self.most).ok_or(SparseError::Entries { level, parents, extents })
    }

    /// Returns the pointers from a level with `length` entries to the entries of the next level, or to elements. Fails if
    /// they exceed the limit, memory or the given width.
    fn pointers(&self, level: usize, length: usize) -> Result<Indices<'static>, SparseError> {
        let children = self.entries(level + 1)?;
        let last = self.count(level + 1, children)? as u64;
        let width = self.widths.of(ArrayName::Pointers(level), last)?;
        let memory = |error| self.memory(error);
        let Sorted { columns, order, prefixes, .. } = &self.sorted;
        Ok(with_width!(width, P => {
            let mut pointers: Vec<P> = if self.format.kinds()[level] == LevelKind::Pointers {
                let first = self.format.chain_start(level);
                let extents = &self.extents[first..=level];
                let of = match u32::try_from(length) {
                    Ok(_) => pointers_of(&order.linear::<u32>(columns, prefixes, children.length, first, extents).map_err(memory)?, length),
                    Err(_) => pointers_of(&order.linear::<u64>(columns, prefixes, children.length, first, extents).map_err(memory)?, length),
                };
                of.map_err(|_| SparseError::Entries { level, parents: 1, extents: vec![length as u64] })?
            } else {
                prefixes.pointers(self.entries(level)?.length, children.length).map_err(memory)?
            };
            if children.repeats != 1 {
                pointers.iter_mut().for_each(|pointer| *pointer *= children.repeats as P);
            }
            pointers.into()
        }))
    }
}
