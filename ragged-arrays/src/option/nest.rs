//! Arrays with missing lists from and to vectors of optional vectors, to any depth.

use super::OptionArray;
use super::marks;
use crate::{RaggedArray, RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::DynLevel;
use core::ops::Range;

/// Vectors of optional vectors, nested to depth `D`: `Vec<Option<T>>` has depth 1, `Vec<Option<Vec<Option<T>>>>` depth 2, and so on to
/// depth 8.
///
/// ```
/// use ragged_arrays::{OptionArray, OptionNest, Result};
/// /// Returns the number of leaves that are present.
/// fn present<const D: usize>(lists: impl OptionNest<D, Leaf = i64>) -> Result<usize> {
///     Ok(OptionArray::from_nested(lists)?.leaves().iter().flatten().count())
/// }
/// assert_eq!(present::<2>(vec![Some(vec![Some(1), None]), None])?, 1);
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
pub trait OptionNest<const D: usize> {
    /// The type of the present elements of the innermost vectors.
    type Leaf: Clone + 'static;

    /// Returns the number of elements of the outermost vector.
    fn len(&self) -> usize;

    /// Tests whether the outermost vector is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the lengths of the lists to `lengths`, which has one vector for each axis but the first, and the leaves to `leaves`. The
    /// length of a missing list is `None`.
    ///
    /// ```
    /// use ragged_arrays::OptionNest;
    /// let (mut lengths, mut leaves) = ([Vec::new()], Vec::new());
    /// OptionNest::<2>::unpack(vec![Some(vec![Some('a'), None]), None], &mut lengths, &mut leaves);
    /// assert_eq!((lengths, leaves), ([vec![Some(2), None]], vec![Some('a'), None]));
    /// ```
    fn unpack(self, lengths: &mut [Vec<Option<usize>>], leaves: &mut Vec<Option<Self::Leaf>>);

    /// Builds the vector of the elements `elements` of `axis`, with the vectors of everything below them.
    ///
    /// ```
    /// use ragged_arrays::{OptionArray, OptionNest};
    /// let a = OptionArray::from_nested::<2, _>(vec![Some(vec![Some('a')]), None, Some(vec![])])?;
    /// let tail: Vec<Option<Vec<Option<char>>>> = OptionNest::<2>::collect(&a, 0, 1..3);
    /// assert_eq!(tail, [None, Some(vec![])]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    fn collect(array: &OptionArray<'_, Self::Leaf>, axis: usize, elements: Range<usize>) -> Self;
}

impl<T: Clone + 'static> OptionNest<1> for Vec<Option<T>> {
    type Leaf = T;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn unpack(self, _: &mut [Vec<Option<usize>>], leaves: &mut Vec<Option<T>>) {
        leaves.extend(self);
    }

    fn collect(array: &OptionArray<'_, T>, _: usize, elements: Range<usize>) -> Self {
        array.leaves().get(elements).unwrap_or(&[]).to_vec()
    }
}

macro_rules! deeper {
    ($($depth:literal $below:literal;)*) => { $(
        impl<N: OptionNest<$below>> OptionNest<$depth> for Vec<Option<N>> {
            type Leaf = N::Leaf;

            fn len(&self) -> usize {
                Vec::len(self)
            }

            fn unpack(self, lengths: &mut [Vec<Option<usize>>], leaves: &mut Vec<Option<N::Leaf>>) {
                let Some((of_rows, below)) = lengths.split_first_mut() else { return };
                for row in self {
                    of_rows.push(row.as_ref().map(OptionNest::<$below>::len));
                    if let Some(row) = row {
                        row.unpack(below, leaves);
                    }
                }
            }

            fn collect(array: &OptionArray<'_, N::Leaf>, axis: usize, elements: Range<usize>) -> Self {
                let list = |row| (!array.is_missing(axis, row)).then(|| N::collect(array, axis + 1, array.shape().row(axis, row)));
                elements.map(list).collect()
            }
        }
    )* };
}

deeper! { 2 1; 3 2; 4 3; 5 4; 6 5; 7 6; 8 7; }

impl<T: Clone + 'static> OptionArray<'static, T> {
    /// Creates an array from vectors of optional vectors nested to depth `D`. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::OptionArray;
    /// let a = OptionArray::from_nested::<3, _>(vec![Some(vec![Some(vec![Some(1)]), None]), None])?;
    /// assert_eq!((a.missing(0), a.missing(1), a.leaves()), (&[false, true][..], &[false, true][..], &[Some(1)][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_nested<const D: usize, N: OptionNest<D, Leaf = T>>(nested: N) -> Result<Self> {
        let (outer, mut lengths, mut leaves) = (nested.len(), alloc::vec![Vec::new(); D - 1], Vec::new());
        nested.unpack(&mut lengths, &mut leaves);
        let level = |lengths: &Vec<Option<usize>>| DynLevel::of_lengths(&lengths.iter().map(|len| len.unwrap_or(0)).collect::<Vec<_>>());
        let levels = lengths.iter().map(level).collect::<core::result::Result<_, _>>()?;
        let missing = lengths.iter().map(|lengths| marks(lengths.iter().map(Option::is_none).collect())).collect();
        Ok(OptionArray { array: RaggedArray::new(outer, levels, leaves)?, missing })
    }
}

impl<T: Clone + 'static> OptionArray<'_, T> {
    /// Returns nested vectors of depth `D`: the inverse of [`OptionArray::from_nested`]. Fails unless `D` is the depth of the array.
    ///
    /// ```
    /// use ragged_arrays::{OptionArray, RaggedArray};
    /// let a = OptionArray::new(RaggedArray::from_lengths(vec![1, 0], vec![Some('a')])?, vec![vec![false, true]])?;
    /// assert_eq!(a.to_nested::<2, Vec<Option<Vec<Option<char>>>>>()?, [Some(vec![Some('a')]), None]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn to_nested<const D: usize, N: OptionNest<D, Leaf = T>>(&self) -> Result<N> {
        if self.depth() != D {
            return Err(RaggedError::Axis { axis: D - 1, least: self.depth() - 1, depth: self.depth() });
        }
        Ok(N::collect(self, 0, 0..self.len()))
    }
}
