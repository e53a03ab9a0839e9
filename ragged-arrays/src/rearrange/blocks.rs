//! Views of the innermost axes of fixed size as blocks: arrays of arrays in the same memory.

use crate::structure::RaggedShape;
use crate::{RaggedArray, RaggedError, Result, product};
use alloc::borrow::Cow;
use array_kernels::DynLevel;

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns the innermost axes of fixed size as blocks of `N` leaves: as few axes as have `N` leaves together. The
    /// leaves are borrowed.
    ///
    /// The axes above stay as they are, whatever their kind. The type of an element says that it has `N` numbers.
    /// Loops over it have a constant length, and an index by a static layout is constant-folded.
    ///
    /// Fails unless axes of fixed size have `N` leaves together; slices and other selections make axes of lists, even
    /// of equal lengths. The compiler checks that `N` is not 0.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // Sequences of 2, 0 and 1 tokens with 2 heads of 3 numbers.
    /// let batch = RaggedArray::from_cu_seqlens(vec![0_u32, 2, 2, 3], &[2, 3], (0..18).collect::<Vec<i32>>())?;
    /// let tokens = batch.blocks::<6>()?;
    /// assert_eq!((tokens.depth(), tokens.row(2)), (2, &[[12, 13, 14, 15, 16, 17]][..]));
    /// assert_eq!(tokens.map(|token| token.iter().sum::<i32>())?.row(0), [15, 51]);
    /// assert_eq!(batch.blocks::<3>()?.get(&[0, 1, 1])?, &[9, 10, 11]);
    /// let error = batch.blocks::<4>().unwrap_err();
    /// assert_eq!(error.to_string(), "a block has 4 elements, but the fixed axes from axis 2 on have 6");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn blocks<const N: usize>(&self) -> Result<RaggedArray<'_, [T; N]>> {
        const { assert!(N > 0, "RaggedArray::blocks: a block must have at least one leaf") };
        let axes = self.shape().axes_above_block(N)?;
        // A list of fixed size begins at a multiple of its size, whatever lists are above it, so the blocks are where
        // the lists were.
        let (blocks, _) = self.data.as_chunks();
        Ok(RaggedArray { shape: self.shape().truncated(axes), data: Cow::Borrowed(blocks) })
    }
}

impl<'a, T: Clone + 'static, const N: usize> RaggedArray<'a, [T; N]> {
    /// Returns the elements of the blocks as innermost axes of these sizes: the inverse of [`RaggedArray::blocks`].
    /// The memory stays the same, owned or borrowed. Fails unless the product of the sizes is `N`.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![1, 0, 2], vec![[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])?;
    /// let split = a.view().unblock(&[2, 2])?;
    /// assert_eq!((split.depth(), split.get(&[2, 1, 0, 1])?), (4, &10));
    /// assert_eq!(a.unblock(&[3]).unwrap_err().to_string(), "a block has 4 elements, but the fixed axes from axis 2 on have 3");
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn unblock(self, sizes: &[usize]) -> Result<RaggedArray<'a, T>> {
        let size = product(sizes)?;
        if size != N {
            return Err(RaggedError::NotABlock { axis: self.depth(), size, expected: N });
        }
        let (outer, mut levels, data) = self.into_parts();
        // Only elements without a size can have so great a number.
        data.len().checked_mul(N).ok_or(RaggedError::Overflow)?;
        levels.extend(sizes.iter().map(|n| DynLevel::fixed(*n)));
        match data {
            Cow::Borrowed(blocks) => RaggedArray::new(outer, levels, blocks.as_flattened()),
            Cow::Owned(blocks) => RaggedArray::new(outer, levels, blocks.into_flattened()),
        }
    }
}

impl RaggedShape<'_> {
    /// Returns the size of all lists of an axis; `None` if it is not fixed, or if there is no such axis. Axis 0 is one list.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// // Sequences of 2, 0 and 1 tokens with 4 numbers each.
    /// let batch = RaggedArray::from_cu_seqlens(vec![0_u32, 2, 2, 3], &[4], vec![0.0; 12])?;
    /// assert_eq!([0, 1, 2, 3].map(|axis| batch.shape().fixed(axis)), [Some(3), None, Some(4), None]);
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn fixed(&self, axis: usize) -> Option<usize> {
        match axis.checked_sub(1) {
            None => Some(self.count(0)),
            Some(q) => self.levels().get(q)?.fixed_size(),
        }
    }

    /// Returns the number of axes above the fewest innermost axes, below axis 0, that have `expected` elements
    /// together. Fails if no such axes have them.
    fn axes_above_block(&self, expected: usize) -> Result<usize> {
        let (mut axis, mut size) = (self.depth(), 1_usize);
        while axis > 1
            && size < expected
            && let Some(fixed) = self.fixed(axis - 1)
        {
            (axis, size) = (axis - 1, size.checked_mul(fixed).ok_or(RaggedError::Overflow)?);
        }
        match self.depth() - axis {
            _ if size == expected => Ok(axis),
            0 if axis > 1 => Err(RaggedError::Kind { axis: axis - 1, expected: "fixed", found: self.levels()[axis - 2].kind() }),
            _ => Err(RaggedError::NotABlock { axis, size, expected }),
        }
    }
}
