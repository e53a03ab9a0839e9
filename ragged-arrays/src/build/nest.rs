//! Ragged arrays from vectors of vectors, to any depth.

use crate::structure::RaggedShape;
use crate::{RaggedArray, RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::DynLevel;
use core::ops::Range;

/// `D` vectors in one another: `Vec<T>` to depth 1, `Vec<Vec<T>>` to depth 2, ... to 8.
pub trait Nest<const D: usize> {
    /// The type of the elements of the innermost vectors.
    type Leaf: Clone + 'static;

    /// Its number of outer elements.
    fn len(&self) -> usize;

    /// Returns true if it has no outer element.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the lengths of its lists to one list for each axis but the first, and its leaves.
    fn unpack(self, lengths: &mut [Vec<usize>], leaves: &mut Vec<Self::Leaf>);

    /// The vectors of these elements of axis `axis`, and of all below them.
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
    /// The array of vectors nested to depth `D`.
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
    /// Vectors nested as deep as the array, which is `D`: the inverse of [`RaggedArray::from_nested`].
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
