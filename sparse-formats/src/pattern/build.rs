//! The arrays of a format from coordinates.

use super::{Arrays, SparsityPattern};
use crate::format::Group;
use crate::kernels::pointers_of;
use crate::shape::{pick, product};
use crate::sort::{Order, Prefixes};
use crate::{ArrayName, Format, Indices, LevelKind, SparseError, Width};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::room;
use array_kernels::with_width;

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
    pub(crate) fn of(&self, array: ArrayName, most: u64) -> Result<Width, SparseError> {
        let given = self.given.iter().rev().find(|(name, _)| *name == array).map(|(_, width)| *width).or(self.all);
        match given {
            Some(width) if width.most() < most => Err(SparseError::Width { array, width, most }),
            Some(width) => Ok(width),
            None => Ok(Width::of(most)),
        }
    }
}

/// Coordinates, their order, and where the prefixes of the ordered ones change.
pub(crate) struct Sorted<'c> {
    /// One for each axis, in storage order, as they were given.
    columns: Vec<Indices<'c>>,
    order: Order,
    prefixes: Prefixes,
    /// An element starts with each prefix of so many coordinates.
    each: usize,
}

impl<'c> Sorted<'c> {
    /// The tuples of these columns, of one length, whose order by the columns `known` is known; equal ones are elements of their own, as they come.
    pub fn new(columns: Vec<Indices<'c>>, known: &[usize]) -> Result<Sorted<'c>, SparseError> {
        let length = columns.first().map_or(0, Indices::len);
        let memory = |_: SparseError| SparseError::Memory { elements: length };
        let order = crate::sort::order_known(&columns, known).map_err(memory)?;
        let prefixes = order.prefixes(&columns).map_err(memory)?;
        Ok(Sorted { columns, order, prefixes, each: usize::MAX })
    }

    /// With one element for equal tuples.
    pub fn distinct(self) -> Self {
        Sorted { each: self.columns.len(), ..self }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.prefixes.count(self.each)
    }

    /// The stable order of the tuples.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Where their prefixes change.
    pub fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The coordinates of tuple `k` of the order.
    pub fn tuple(&self, k: usize) -> Vec<u64> {
        self.columns.iter().map(|column| column.get(self.order.index(k)).unwrap_or(0)).collect()
    }

    /// For each element its entry in dense levels over all columns from `first` on, below the number of its prefix of `first` coordinates.
    pub fn places(&self, first: usize, extents: &[u64]) -> Result<Vec<usize>, SparseError> {
        self.order.linear(&self.columns, &self.prefixes, self.each, first, extents)
    }
}

/// The entries of one level: one for each prefix of `length` coordinates, each stored `repeats` times.
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
    /// The most entries of a level.
    most: usize,
}

/// The pattern of the leading coordinates of tuples, distinct unless the format is that of a multigraph.
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
    // Without levels there is one element, whether or not it is given.
    counts.push(if levels == 0 { 1 } else { assembly.sorted.len() });
    Ok(SparsityPattern::of(shape.to_vec(), format.clone(), arrays, counts))
}

impl Assembly<'_, '_> {
    fn memory(&self, _: SparseError) -> SparseError {
        SparseError::Memory { elements: self.sorted.order.len() }
    }

    /// The entries of a level that stores indices; of the elements, below the last.
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

    /// The number of these entries as stored.
    fn count(&self, level: usize, entries: Entries) -> Result<usize, SparseError> {
        let first = self.sorted.prefixes.count(entries.length);
        let count = first.checked_mul(entries.repeats).filter(|count| *count <= self.most);
        count.ok_or(SparseError::Entries { level, parents: first, extents: vec![entries.repeats as u64] })
    }

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

    /// The number of entries of a compressed level: one for each coordinate of its chain below each prefix that occurs.
    fn dense_entries(&self, level: usize) -> Result<usize, SparseError> {
        let first = self.format.chain_start(level);
        let parents = if first == 0 { 1 } else { self.sorted.prefixes.count(first) };
        let extents = self.extents[first..=level].to_vec();
        let entries = product(extents.iter().copied().chain([parents as u64]));
        entries.filter(|entries| *entries < self.most).ok_or(SparseError::Entries { level, parents, extents })
    }

    /// The pointers of a level of so many entries to those of the next, or to elements.
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
