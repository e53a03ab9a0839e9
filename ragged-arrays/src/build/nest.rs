//! Ragged arrays from and to vectors of vectors, to any depth.

use crate::structure::RaggedShape;
use crate::{RaggedArray, RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::DynLevel;
use core::ops::Range;

/// Vectors nested to depth `D`: `Vec<T>` has depth 1, `Vec<Vec<T>>` depth 2, and so on to depth 8.
///
/// A function that takes lists of any depth has this trait as its bound:
///
/// ```
/// use ragged_arrays::{Nest, RaggedArray, Result};
/// /// Returns the sum of all numbers, however deep they are.
/// fn total<const D: usize>(lists: impl Nest<D, Leaf = i64>) -> Result<i64> {
///     if lists.is_empty() { Ok(0) } else { RaggedArray::from_nested(lists)?.total() }
/// }
/// assert_eq!(total::<1>(vec![1, 2])?, 3);
/// assert_eq!(total::<3>(vec![vec![vec![1, 2], vec![]], vec![vec![4]]])?, 7);
/// // A vector of two vectors has depth 2, and also depth 1 with vectors as leaves.
/// let lists = vec![vec![1, 2], vec![3]];
/// assert_eq!((Nest::<1>::len(&lists), Nest::<2>::len(&lists)), (2, 2));
/// # Ok::<(), ragged_arrays::RaggedError>(())
/// ```
pub trait Nest<const D: usize> {
    /// The type of the elements of the innermost vectors.
    type Leaf: Clone + 'static;

    /// Returns the number of elements of the outermost vector.
    fn len(&self) -> usize;

    /// Tests whether the outermost vector is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the lengths of the lists to `lengths`, which has one vector for each axis but the first, and the leaves
    /// to `leaves`.
    ///
    /// ```
    /// use ragged_arrays::Nest;
    /// let (mut lengths, mut leaves) = ([Vec::new()], Vec::new());
    /// Nest::<2>::unpack(vec![vec!['a', 'b'], vec![], vec!['c']], &mut lengths, &mut leaves);
    /// assert_eq!((lengths, leaves), ([vec![2, 0, 1]], vec!['a', 'b', 'c']));
    /// ```
    fn unpack(self, lengths: &mut [Vec<usize>], leaves: &mut Vec<Self::Leaf>);

    /// Builds the vector of the elements `elements` of `axis`, with the vectors of everything below them.
    ///
    /// ```
    /// use ragged_arrays::{Nest, RaggedArray};
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!['a', 'b', 'c'])?;
    /// let tail: Vec<Vec<char>> = Nest::<2>::collect(a.shape(), a.leaves(), 0, 1..3);
    /// assert_eq!(tail, [vec![], vec!['c']]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    fn collect(shape: &RaggedShape<'_>, leaves: &[Self::Leaf], axis: usize, elements: Range<usize>) -> Self;
}

impl<T: Clone + 'static> Nest<1> for Vec<T> {
    type Leaf = T;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn unpack(self, _: &mut [Vec<usize>], leaves: &mut Vec<T>) {
        leaves.extend(self);
    }

    fn collect(_: &RaggedShape<'_>, leaves: &[T], _: usize, elements: Range<usize>) -> Self {
        leaves.get(elements).unwrap_or(&[]).to_vec()
    }
}

macro_rules! deeper {
    ($($depth:literal $below:literal;)*) => { $(
        impl<N: Nest<$below>> Nest<$depth> for Vec<N> {
            type Leaf = N::Leaf;

            fn len(&self) -> usize {
                Vec::len(self)
            }

            fn unpack(self, lengths: &mut [Vec<usize>], leaves: &mut Vec<N::Leaf>) {
                let Some((of_rows, below)) = lengths.split_first_mut() else { return };
                for row in self {
                    of_rows.push(Nest::<$below>::len(&row));
                    row.unpack(below, leaves);
                }
            }

            fn collect(shape: &RaggedShape<'_>, leaves: &[N::Leaf], axis: usize, elements: Range<usize>) -> Self {
                elements.map(|row| N::collect(shape, leaves, axis + 1, shape.row(axis, row))).collect()
            }
        }
    )* };
}

deeper! { 2 1; 3 2; 4 3; 5 4; 6 5; 7 6; 8 7; }

impl<T: Clone + 'static> RaggedArray<'static, T> {
    /// Creates an array from vectors nested to depth `D`. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_nested::<3, _>(vec![vec![vec![1, 2], vec![]], vec![], vec![vec![3]]])?;
    /// assert_eq!((a.shape().offsets(), a.leaves()), (vec![vec![0, 2, 2, 3], vec![0, 2, 2, 3]], &[1, 2, 3][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn from_nested<const D: usize, N: Nest<D, Leaf = T>>(nested: N) -> Result<Self> {
        let (outer, mut lengths, mut leaves) = (nested.len(), alloc::vec![Vec::new(); D - 1], Vec::new());
        nested.unpack(&mut lengths, &mut leaves);
        let levels = lengths.iter().map(|lengths| DynLevel::of_lengths(lengths)).collect::<core::result::Result<_, _>>()?;
        RaggedArray::new(outer, levels, leaves)
    }
}

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns nested vectors of depth `D`: the inverse of [`RaggedArray::from_nested`]. Fails unless `D` is the depth
    /// of the array.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![2, 0, 1], vec!['a', 'b', 'c'])?;
    /// assert_eq!(a.to_nested::<2, Vec<Vec<char>>>()?, [vec!['a', 'b'], vec![], vec!['c']]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn to_nested<const D: usize, N: Nest<D, Leaf = T>>(&self) -> Result<N> {
        if self.depth() != D {
            return Err(RaggedError::Axis { axis: D - 1, least: self.depth() - 1, depth: self.depth() });
        }
        Ok(N::collect(self.shape(), self.leaves(), 0, 0..self.len()))
    }
}
