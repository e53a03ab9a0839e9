//! Ragged arrays from vectors of vectors, to any depth.

use super::array::{RaggedArray, of_lengths};
use super::error::Result;
use alloc::vec::Vec;

/// `D` vectors in one another: `Vec<T>` to depth 1, `Vec<Vec<T>>` to depth 2, ... to 8.
pub trait Nest<const D: usize> {
    /// What the innermost vectors hold.
    type Leaf: Clone + 'static;

    /// Its number of outer elements.
    fn len(&self) -> usize;

    /// Whether it has no outer element.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the lengths of its lists to one list for each axis but the first, and its leaves.
    fn unpack(self, lengths: &mut [Vec<usize>], leaves: &mut Vec<Self::Leaf>);
}

impl<T: Clone + 'static> Nest<1> for Vec<T> {
    type Leaf = T;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn unpack(self, _: &mut [Vec<usize>], leaves: &mut Vec<T>) {
        leaves.extend(self);
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
        }
    )* };
}

deeper! { 2 1; 3 2; 4 3; 5 4; 6 5; 7 6; 8 7; }

impl<T: Clone + 'static> RaggedArray<'static, T> {
    /// The array of vectors nested to depth `D`.
    ///
    /// ```
    /// use sparse_formats::ragged::RaggedArray;
    /// let a = RaggedArray::from_nested::<3, _>(vec![vec![vec![1, 2], vec![]], vec![], vec![vec![3]]])?;
    /// assert_eq!((a.shape().offsets(), a.leaves()), (vec![vec![0, 2, 2, 3], vec![0, 2, 2, 3]], &[1, 2, 3][..]));
    /// # Ok::<(), sparse_formats::ragged::RaggedError>(())
    /// ```
    pub fn from_nested<const D: usize, N: Nest<D, Leaf = T>>(nested: N) -> Result<Self> {
        let (outer, mut lengths, mut leaves) = (nested.len(), alloc::vec![Vec::new(); D - 1], Vec::new());
        nested.unpack(&mut lengths, &mut leaves);
        let levels = lengths.iter().map(|lengths| of_lengths(lengths)).collect::<Result<_>>()?;
        RaggedArray::new(outer, levels, leaves)
    }
}
