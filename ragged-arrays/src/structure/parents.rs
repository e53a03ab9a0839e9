//! The relation of leaves and rows at every level: the arrays I (row), S (first leaf of the row) and J (local index in
//! the row), and single elements.

use super::lists::{Lists, with_lists};
use super::room::resized;
use super::shape::RaggedShape;
use array_kernels::memory;
use array_kernels::merge_path::{Rows, bound};
use array_kernels::spread::{repeat, spread};

use crate::{RaggedError, Result};
use alloc::vec::Vec;
use layout_levels::Index;

/// These methods describe consecutive lists. [`RaggedArray::pack`](crate::RaggedArray::pack) makes the lists of any
/// array consecutive.
///
/// ```
/// use ragged_arrays::RaggedArray;
/// // Two documents of 2 and 1 sentences, of 2, 0 and 3 words.
/// let text = RaggedArray::from_nested_lengths(&[vec![2, 1], vec![2, 0, 3]], vec!['a', 'b', 'c', 'd', 'e'])?;
/// let shape = text.shape();
/// // The sentence of each word (I), its first word (S), and the place of the word in it (J).
/// assert_eq!((shape.parents(1), shape.starts(1)), (vec![0, 0, 2, 2, 2], vec![0, 0, 2, 2, 2]));
/// assert_eq!(shape.local_indices(1), [0, 1, 0, 1, 2]);
/// // The document of each word, its first word, and the words at which documents begin and end.
/// assert_eq!((shape.leaf_rows(0), shape.leaf_starts(0)), (vec![0, 0, 1, 1, 1], vec![0, 0, 2, 2, 2]));
/// assert_eq!(shape.leaf_offsets(0), [0, 2, 5]);
/// // One word: word 1 of sentence 0 of document 1.
/// assert_eq!((shape.locate(&[1, 0, 1])?, shape.decompose(3)?), (3, vec![1, 0, 1]));
/// let error = shape.locate(&[0, 1, 0]).unwrap_err();
/// assert_eq!(error.to_string(), "axis 2: index 0 is out of range for list 1, which has 0 elements");
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
impl RaggedShape<'_> {
    /// Returns I: for each element of axis `q + 1`, the number of the list of level `q` that owns it.
    ///
    /// Empty lists own no element, so their numbers do not occur.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![0, 2, 0, 3, 0], vec![(); 5]).expect("lengths");
    /// assert_eq!(a.shape().parents(0), [1, 1, 3, 3, 3]);
    /// assert_eq!(a.shape().starts(0), [0, 0, 2, 2, 2]);
    /// assert_eq!(a.shape().local_indices(0), [0, 1, 0, 1, 2]);
    /// ```
    pub fn parents(&self, q: usize) -> Vec<usize> {
        self.lists(q).parents()
    }

    /// Returns S: for each element of axis `q + 1`, the number of the first element of the list of level `q` that owns it.
    pub fn starts(&self, q: usize) -> Vec<usize> {
        self.lists(q).starts()
    }

    /// Returns J: for each element of axis `q + 1`, its local index, from 0, in its list of level `q`.
    pub fn local_indices(&self, q: usize) -> Vec<usize> {
        let lists = self.lists(q);
        let mut out = memory::defaults(lists.elements());
        let head = core::array::from_fn(|place| place);
        with_lists!(&lists, rows => spread(rows, &mut out, |_| head, |_, place| place));
        out
    }

    /// Replaces the contents of `out` with [`RaggedShape::parents`] in another width. Fails if a number does not fit.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![0, 2, 1], vec![(); 3])?;
    /// let mut rows: Vec<u32> = Vec::new();
    /// a.shape().parents_into(0, &mut rows)?;
    /// assert_eq!(rows, [1, 1, 2]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn parents_into<I: Index>(&self, q: usize, out: &mut Vec<I>) -> Result<()> {
        I::from_usize(self.count(q).saturating_sub(1)).ok_or(RaggedError::Overflow)?;
        let number = |row: usize| Index::from_low_bits(row as u64);
        let lists = self.lists(q);
        resized(out, lists.elements())?;
        with_lists!(&lists, rows => repeat(rows, out, number));
        Ok(())
    }

    /// Replaces the contents of `out` with [`RaggedShape::local_indices`] in another width. Fails if a number does not fit.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let rows = RaggedArray::from_lengths(vec![2, 0, 300], vec![(); 302])?;
    /// let mut positions: Vec<i32> = Vec::new();
    /// rows.shape().local_indices_into(0, &mut positions)?;
    /// assert_eq!((&positions[..4], positions[301]), (&[0, 1, 0, 1][..], 299));
    /// assert!(rows.shape().local_indices_into(0, &mut Vec::<u8>::new()).is_err());
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn local_indices_into<I: Index>(&self, q: usize, out: &mut Vec<I>) -> Result<()> {
        let lists = self.lists(q);
        let mut longest = 0;
        with_lists!(&lists, rows => rows.each(0..rows.rows(), |_, entries| longest = longest.max(entries.len())));
        I::from_usize(longest.saturating_sub(1)).ok_or(RaggedError::Overflow)?;
        let number = |place: usize| Index::from_low_bits(place as u64);
        resized(out, lists.elements())?;
        let head = core::array::from_fn(number);
        with_lists!(&lists, rows => spread(rows, out, |_| head, |_, place| number(place)));
        Ok(())
    }

    /// Returns the first leaf below each element of axis `q`, and the end of the last one. These are the offsets of
    /// all levels from `q` on, combined.
    pub fn leaf_offsets(&self, q: usize) -> Vec<usize> {
        let mut out: Vec<usize> = (0..=self.count(q)).collect();
        for level in q..self.levels().len() {
            let ends = self.count(level + 1);
            for offset in &mut out {
                *offset = if *offset < self.count(level) { self.row(level, *offset).start } else { ends };
            }
        }
        out
    }

    /// Returns, for each leaf, the number of the element of axis `q` that the leaf is below.
    pub fn leaf_rows(&self, q: usize) -> Vec<usize> {
        self.leaf_lists(q).parents()
    }

    /// Returns the coordinate of each leaf on `axis`: the local index of the element of this axis that the leaf is below. The list
    /// is empty if there is no such axis.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 3], vec![(); 5]).expect("lengths");
    /// assert_eq!(a.shape().leaf_coordinates(0), [0, 0, 2, 2, 2]);
    /// assert_eq!(a.shape().leaf_coordinates(1), [0, 1, 0, 1, 2]);
    /// ```
    pub fn leaf_coordinates(&self, axis: usize) -> Vec<usize> {
        let mut out = self.leaf_rows(axis);
        if axis > 0 && axis < self.depth() {
            let places = self.local_indices(axis - 1);
            out.iter_mut().for_each(|element| *element = places.get(*element).copied().unwrap_or(0));
        }
        out
    }

    /// Returns, for each leaf, the number of the first leaf below the same element of axis `q`.
    pub fn leaf_starts(&self, q: usize) -> Vec<usize> {
        self.leaf_lists(q).starts()
    }

    /// Returns the coordinates of leaf number `leaf`, with one binary search per level. Fails if there is no such leaf.
    pub fn decompose(&self, leaf: usize) -> Result<Vec<usize>> {
        let leaves = self.leaf_span().len();
        if leaf >= leaves {
            return Err(RaggedError::NoSuchLeaf { leaf, leaves });
        }
        let mut coordinates = alloc::vec![0; self.depth()];
        let mut position = leaf;
        for q in (0..self.levels().len()).rev() {
            let parent = self.parent(q, position);
            coordinates[q + 1] = position - self.row(q, parent).start;
            position = parent;
        }
        coordinates[0] = position;
        Ok(coordinates)
    }

    /// Returns the list of level `q` that owns element `position` of axis `q + 1`: the last list that begins at or before it.
    pub(crate) fn parent(&self, q: usize, position: usize) -> usize {
        bound(self.count(q), |list| self.row(q, list).start <= position).saturating_sub(1)
    }

    /// Returns the number of the leaf with these coordinates, one for each axis. Fails if there is none.
    pub fn locate(&self, coordinates: &[usize]) -> Result<usize> {
        if coordinates.len() != self.depth() {
            return Err(RaggedError::Axis { axis: coordinates.len(), least: self.depth(), depth: self.depth() + 1 });
        }
        let out_of_range = |axis: usize, len, list| {
            let index = isize::try_from(coordinates[axis]).unwrap_or(isize::MAX);
            RaggedError::OutOfRange { axis, index, len, list }
        };
        let mut position = coordinates[0];
        if position >= self.count(0) {
            return Err(out_of_range(0, self.count(0), 0));
        }
        for q in 0..self.levels().len() {
            let range = self.row(q, position);
            if coordinates[q + 1] >= range.len() {
                return Err(out_of_range(q + 1, range.len(), position));
            }
            position = range.start + coordinates[q + 1];
        }
        Ok(position)
    }

    /// Returns the coordinates of every leaf, in order.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!["a", "b", "c"]).expect("lengths");
    /// assert_eq!(a.shape().coordinates(), [[0, 0], [0, 1], [2, 0]]);
    /// ```
    pub fn coordinates(&self) -> Vec<Vec<usize>> {
        let mut out = alloc::vec![Vec::new(); self.leaf_span().len()];
        self.visit_leaves(&self.all(), &mut out[..], |coordinates, of_leaf| of_leaf.extend_from_slice(coordinates));
        out
    }
}

impl Lists<'_> {
    /// Returns the number of elements that all lists have together.
    fn elements(&self) -> usize {
        with_lists!(self, rows => rows.entries())
    }

    /// Returns the number of the list of each element.
    fn parents(&self) -> Vec<usize> {
        let mut out = memory::defaults(self.elements());
        with_lists!(self, rows => repeat(rows, &mut out, |row| row));
        out
    }

    /// Returns, for each element, the number of the first element of its list.
    fn starts(&self) -> Vec<usize> {
        let mut out = memory::defaults(self.elements());
        with_lists!(self, rows => repeat(rows, &mut out, |row| rows.begin(row)));
        out
    }
}
