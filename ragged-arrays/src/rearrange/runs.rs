//! Runs of equal leaves in the lists of the last axis: their values and lengths, and the distinct leaves of each list.

use crate::{Number, RaggedArray, Result};
use alloc::vec::Vec;
use array_kernels::RowLengths;

impl<T: Clone + PartialEq + 'static> RaggedArray<'_, T> {
    /// Returns the runs of equal neighbours in each list of the last axis: an array of their leaves, and one of their lengths.
    /// Both have the same lists, and the lengths of a list add up to its length in this array. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec!['a', 'a', 'b', 'b', 'b'])?;
    /// let (leaves, lengths) = a.run_lengths()?;
    /// assert_eq!(leaves.shape().offsets(), [[0, 2, 2, 3]]);
    /// assert_eq!((leaves.leaves(), lengths.leaves()), (&['a', 'b', 'b'][..], &[2, 1, 2][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn run_lengths(&self) -> Result<(RaggedArray<'static, T>, RaggedArray<'static, usize>)> {
        self.runs(|before, leaf| before == leaf)
    }
}

impl<T: Number> RaggedArray<'_, T> {
    /// Returns the distinct leaves of each list of the last axis, in ascending order. NaN equals NaN. Fails if memory is short.
    ///
    /// ```
    /// use ragged_arrays::RaggedArray;
    /// let a = RaggedArray::from_lengths(vec![3, 0, 2], vec![7, 1, 7, 4, 4])?;
    /// let distinct = a.unique()?;
    /// assert_eq!((distinct.shape().offsets(), distinct.leaves()), (vec![vec![0, 2, 2, 3]], &[1, 7, 4][..]));
    /// # Ok::<(), ragged_arrays::RaggedError>(())
    /// ```
    pub fn unique(&self) -> Result<RaggedArray<'static, T>> {
        Ok(self.sort()?.runs(|before, leaf| before.order(*leaf).is_eq())?.0)
    }
}

impl<T: Clone + 'static> RaggedArray<'_, T> {
    /// Returns the first leaf and the length of each run of neighbours that are the `same`, list by list. Fails without memory.
    fn runs(&self, same: impl Fn(&T, &T) -> bool) -> Result<(RaggedArray<'static, T>, RaggedArray<'static, usize>)> {
        let a = self.settled()?;
        let (depth, mut firsts, mut lengths) = (a.depth(), Vec::new(), Vec::new());
        let mut rows = RowLengths::with_capacity(if depth > 1 { a.shape().count(depth - 2) } else { 1 })?;
        a.shape().for_last_rows(|range| {
            let before = firsts.len();
            for run in a.leaves().get(range).unwrap_or(&[]).chunk_by(&same) {
                firsts.extend(run.first().cloned());
                lengths.push(run.len());
            }
            rows.push(firsts.len() - before);
        });
        if depth == 1 {
            return Ok((RaggedArray::from_leaves(firsts)?, RaggedArray::from_leaves(lengths)?));
        }
        let mut levels = a.shape().packed_levels(depth - 2)?;
        levels.push(rows.finish()?);
        Ok((RaggedArray::new(a.len(), levels.clone(), firsts)?, RaggedArray::new(a.len(), levels, lengths)?))
    }
}
