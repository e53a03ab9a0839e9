//! Iterators over entries and elements, one at a time. `visit` has loops that call a function instead.

use super::SparsityPattern;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::LevelView;
use core::ops::Range;
use layout_levels::{Consecutive, Level};

/// Coordinates that occur, and the elements that have them.
///
/// ```
/// use sparse_formats::{Arrays, Entry, Format, SparsityPattern};
/// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
/// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
/// let mut rows = pattern.fibers(1);
/// assert_eq!(rows.next_entry(), Some(Entry { coordinates: &[0], elements: 0..2 }));
/// // Row 1 is empty.
/// assert_eq!(rows.next_entry(), Some(Entry { coordinates: &[2], elements: 2..3 }));
/// assert_eq!(rows.next_entry(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'w> {
    /// The coordinates in the walked levels, in storage order.
    pub coordinates: &'w [u64],
    /// The range of the numbers of the elements that have these coordinates.
    pub elements: Range<usize>,
}

/// An iterator over the entries of a level, or over elements, in storage order. It stores one path of the levels.
///
/// ```
/// use sparse_formats::{Arrays, Entry, Format, SparsityPattern};
/// let arrays = Arrays::new().with_indices(0, vec![0u8, 0, 2]).with_indices(1, vec![1u8, 3, 0]);
/// let pattern = SparsityPattern::from_parts(&[3, 4], Format::coo(2), arrays)?;
/// // An entry borrows from the walk, so `while let` takes the place of `for`.
/// let (mut walk, mut sum) = (pattern.elements(), 0);
/// while let Some(Entry { coordinates, .. }) = walk.next_entry() {
///     sum += coordinates[0] * 10 + coordinates[1];
/// }
/// assert_eq!(sum, 1 + 3 + 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'p, 'a> {
    pattern: &'p SparsityPattern<'a>,
    levels: Vec<LevelView<'p>>,
    /// The number of walked levels, plus 1 if the walk visits single elements.
    depth: usize,
    /// For each open level, the first sibling and the remaining range. Elements are the level after the last.
    open: Vec<(usize, Range<usize>)>,
    coordinates: Vec<u64>,
    /// The coordinates of the returned entry. `coordinates` may already belong to a later one.
    shown: Vec<u64>,
    /// The elements of the next entry, found while the walk searched for the end of the one before it.
    pending: Option<Range<usize>>,
}

impl<'a> SparsityPattern<'a> {
    /// Iterates over the elements, one at a time, with the coordinates of all levels.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_pointers(0, vec![0u8, 2, 2, 3]).with_indices(1, vec![1u8, 3, 0]);
    /// let pattern = SparsityPattern::from_parts(&[3, 4], Format::csr(), arrays)?;
    /// let (mut walk, mut seen) = (pattern.elements(), Vec::new());
    /// while let Some(entry) = walk.next_entry() {
    ///     seen.push((entry.coordinates.to_vec(), entry.elements.start));
    /// }
    /// assert_eq!(seen, [(vec![0, 1], 0), (vec![0, 3], 1), (vec![2, 0], 2)]);
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn elements(&self) -> Walk<'_, 'a> {
        let levels = self.format().levels();
        Walk::new(self, levels + 1)
    }

    /// Iterates over the fibers: the coordinates of the first `levels` levels, each with its elements. Skips
    /// coordinates without elements.
    ///
    /// Equal coordinates that follow one another form one fiber.
    ///
    /// ```
    /// use sparse_formats::{Arrays, Format, SparsityPattern};
    /// let arrays = Arrays::new().with_indices(0, vec![0u8, 0, 2]).with_indices(1, vec![1u8, 3, 0]);
    /// let list = SparsityPattern::from_parts(&[3, 4], Format::coo(2), arrays)?;
    /// let (mut rows, mut lengths) = (list.fibers(1), Vec::new());
    /// while let Some(row) = rows.next_entry() {
    ///     lengths.push((row.coordinates[0], row.elements.len()));
    /// }
    /// assert_eq!(lengths, [(0, 2), (2, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fibers(&self, levels: usize) -> Walk<'_, 'a> {
        Walk::new(self, levels.min(self.format().levels()))
    }
}

impl<'p, 'a> Walk<'p, 'a> {
    fn new(pattern: &'p SparsityPattern<'a>, depth: usize) -> Self {
        let roots = if depth == 0 { 0..usize::from(pattern.stored() > 0) } else { 0..pattern.counts[0] };
        let (levels, walked) = (pattern.any_levels(), depth.min(pattern.format().levels()));
        Walk { pattern, levels, depth, open: vec![(0, roots)], coordinates: vec![0; walked], shown: vec![0; walked], pending: None }
    }

    /// Returns the next entry, or `None` at the end.
    pub fn next_entry(&mut self) -> Option<Entry<'_>> {
        let mut elements = match self.pending.take() {
            Some(pending) => pending,
            None => self.step()?,
        };
        self.shown.copy_from_slice(&self.coordinates);
        if self.depth <= self.pattern.format().levels() {
            // Levels of tuples and split nodes have equal entries one after the other; join them.
            while let Some(more) = self.step() {
                if self.coordinates != self.shown {
                    self.pending = Some(more);
                    break;
                }
                elements.end = more.end;
            }
        }
        Some(Entry { coordinates: &self.shown, elements })
    }

    /// Moves to the next entry that has elements, and returns their range, or `None` at the end.
    fn step(&mut self) -> Option<Range<usize>> {
        let levels = self.pattern.format().levels();
        if self.depth == 0 {
            return self.open[0].1.next().map(|_| 0..self.pattern.stored());
        }
        loop {
            let level = self.open.len().checked_sub(1)?;
            let (begin, siblings) = &mut self.open[level];
            let Some(entry) = siblings.next() else {
                self.open.pop();
                continue;
            };
            if level == levels {
                return Some(entry..entry + 1);
            }
            self.coordinates[level] = self.levels[level].at(*begin, entry);
            if level + 1 < self.depth {
                let children = self.levels.get(level + 1).map_or(entry..entry + 1, |next| next.range(entry));
                self.open.push((children.start, children));
                continue;
            }
            let first = |entry| self.levels[level + 1..].iter().fold(entry, |entry, next| next.begin(entry));
            let elements = first(entry)..first(entry + 1);
            if !elements.is_empty() {
                return Some(elements);
            }
        }
    }
}
