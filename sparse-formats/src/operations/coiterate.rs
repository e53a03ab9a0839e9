//! The loop of a merge: visits two tensors with sorted levels over the same axes, level by level in step. `merge` converts
//! tensors to such levels and checks shapes; this module relies on both.

use super::merge_rows::{MergeOperand, row};
use crate::pattern::PatternWriter;
use crate::{Format, Indices, OperationError, SparseError, SparseTensor, SparsityPattern, Width};
use alloc::vec::Vec;
use array_kernels::memory::room;
use array_kernels::{LevelView, with_width};
use core::ops::Range;
use layout_levels::Index;

/// The number of elements by which the arrays of a result grow beyond what a row needs.
const STEP: usize = 1 << 10;

/// A progress callback. It receives the number of elements of the left and of the right tensor that have been processed.
pub(super) type OnProgress<'t> = &'t mut (dyn FnMut([usize; 2]) + 't);

/// Returns the pattern and the values of the merge of two tensors, in storage order. With `union` it has the elements of at
/// least one tensor, otherwise those of both. A value is `f` of the two values; a missing element has the fill value.
///
/// The levels of both must be sorted and store the axes in the order of `format`. `told` is called after each row. Fails if
/// a tensor stores no values, or memory has no room.
pub(super) fn merged<V: Clone, W: Clone, U: Clone>(
    left: &SparseTensor<V>,
    right: &SparseTensor<W>,
    union: bool,
    format: &Format,
    told: Option<OnProgress<'_>>,
    mut f: impl FnMut(&V, &W) -> U,
) -> Result<(SparsityPattern<'static>, Vec<U>), OperationError> {
    let (levels, block) = (format.levels(), left.pattern().block());
    let (a, b) = (left.pattern().any_levels(), right.pattern().any_levels());
    let result_fill = f(left.fill(), right.fill());
    let most = if union { left.stored().saturating_add(right.stored()) } else { left.stored().min(right.stored()) };
    let memory = || SparseError::Memory { elements: most };
    let values = most.checked_mul(block).and_then(room).ok_or_else(memory)?;
    let append = PatternWriter::new(left.shape(), format)?;
    let Some(last) = levels.checked_sub(1) else {
        // Both tensors have one block.
        let mut zip = Coiteration {
            append,
            left: MergeOperand::new(left, &[])?,
            right: MergeOperand::new(right, &[])?,
            left_levels: &a,
            right_levels: &b,
            last: Vec::<u8>::new(),
            values,
            union,
            block,
            told,
            f,
            result_fill,
        };
        zip.blocks(Some(0), Some(0));
        zip.append.elements = 1;
        return Ok((zip.append.finish(Indices::narrowest(&[]))?, zip.values));
    };
    let extent = left.pattern().level_extents()[last];
    with_width!(Width::below(extent), T => {
        // Coordinates of elements are compared most often, so bring them to one width.
        let (x, y) = (left.pattern().indices(last), right.pattern().indices(last));
        let (Some(x), Some(y)) = (x.and_then(Indices::cast::<T>), y.and_then(Indices::cast::<T>)) else { return Err(memory().into()) };
        let (left, right) = (MergeOperand::new(left, &x)?, MergeOperand::new(right, &y)?);
        let mut zip = Coiteration { append, left, right, left_levels: &a, right_levels: &b, last: room::<T>(most).ok_or_else(memory)?, values, union, block, told, f, result_fill };
        let (roots, other) = (zip.left_levels[0].below(0..1), zip.right_levels[0].below(0..1));
        zip.descend(0, roots, other, 0)?;
        let Coiteration { append, mut last, mut values, .. } = zip;
        last.truncate(append.elements);
        values.truncate(append.elements * block);
        last.shrink_to_fit();
        values.shrink_to_fit();
        Ok((append.finish(last.into())?, values))
    })
}

struct Coiteration<'m, 't, T, V, W, U, F> {
    append: PatternWriter<'m>,
    left: MergeOperand<'m, T, V>,
    right: MergeOperand<'m, T, W>,
    left_levels: &'m [LevelView<'m>],
    right_levels: &'m [LevelView<'m>],
    /// The coordinates of the result's elements in the last level, and their values.
    last: Vec<T>,
    values: Vec<U>,
    union: bool,
    block: usize,
    told: Option<OnProgress<'t>>,
    f: F,
    result_fill: U,
}

impl<T: Index, V: Clone, W: Clone, U: Clone, F: FnMut(&V, &W) -> U> Coiteration<'_, '_, T, V, W, U, F> {
    /// Merges the entries `a` of the left and `b` of the right tensor in level `k`, below entry `parent` of the result. Dense
    /// levels are indexed; in other levels, an intersection skips to the next coordinate of the opposite tensor.
    fn descend(&mut self, k: usize, a: Range<usize>, b: Range<usize>, parent: usize) -> Result<(), SparseError> {
        if k + 1 == self.left_levels.len() {
            let gone = [a.end, b.end];
            self.elements(a, b);
            if let Some(told) = &mut self.told {
                told(gone);
            }
            return Ok(());
        }
        let first = self.append.first_entry(k, parent);
        let (left, right) = (self.left_levels[k], self.right_levels[k]);
        let (mut i, mut j) = (a.start, b.start);
        while (i < a.end && j < b.end) || (self.union && (i < a.end || j < b.end)) {
            // `u64::MAX` marks a side that has ended. Every coordinate is less, because it is below an extent.
            let x = if i < a.end { left.at(a.start, i) } else { u64::MAX };
            let y = if j < b.end { right.at(b.start, j) } else { u64::MAX };
            if !self.union && x != y {
                if x < y {
                    i = left.skip(a.start, i, a.end, y)
                } else {
                    j = right.skip(b.start, j, b.end, x)
                }
                continue;
            }
            let (c, from) = (x.min(y), (i, j));
            if x == c {
                i = left.run_end(i, a.end);
            }
            if y == c {
                j = right.run_end(j, b.end);
            }
            let (x, y) = (self.left_levels[k + 1].below(from.0..i), self.right_levels[k + 1].below(from.1..j));
            let some = if self.union { !x.is_empty() || !y.is_empty() } else { !x.is_empty() && !y.is_empty() };
            if some {
                // Only `C` levels use the number of the entry, and their coordinates fit `usize`.
                let (before, entry) = (self.append.elements, first.wrapping_add(c as usize));
                self.descend(k + 1, x, y, entry)?;
                if self.append.elements > before {
                    self.append.close(k, c, entry)?;
                }
            }
        }
        Ok(())
    }

    /// Merges the elements `a` of the left and `b` of the right tensor, which are of one row.
    #[inline]
    fn elements(&mut self, a: Range<usize>, b: Range<usize>) {
        if self.block != 1 {
            return self.rows_of_blocks(a, b);
        }
        let used = self.reserve(if self.union { a.len() + b.len() } else { a.len().min(b.len()) });
        let (columns, values) = (&mut self.last[used..], &mut self.values[used..]);
        self.append.elements += row(&self.left, &self.right, self.union, [a, b], columns, values, &mut self.f);
    }

    /// Makes room for `more` elements of the result and returns the number of elements so far. The arrays grow in steps, and
    /// `merged` cuts them at the end.
    #[inline(always)]
    fn reserve(&mut self, more: usize) -> usize {
        let used = self.append.elements;
        if self.last.len() - used < more {
            // Stay within the capacity, which suffices for the whole result.
            let length = (used + more + STEP).min(self.last.capacity()).max(used + more);
            self.last.resize(length, T::default());
            self.values.resize(length, self.result_fill.clone());
        }
        used
    }

    /// Merges two rows whose elements are blocks.
    fn rows_of_blocks(&mut self, a: Range<usize>, b: Range<usize>) {
        let (mut i, mut j) = (a.start, b.start);
        while i < a.end || j < b.end {
            let p = if i < a.end { Some(self.left.last[i]) } else { None };
            let q = if j < b.end { Some(self.right.last[j]) } else { None };
            // `None` marks the end of a side and sorts first, so test for it.
            let has = p.is_some() && (q.is_none() || p <= q);
            let other = q.is_some() && (p.is_none() || q <= p);
            if self.union || (has && other) {
                self.last.extend(if has { p } else { q });
                self.append.elements += 1;
                self.blocks(has.then_some(i), other.then_some(j));
            }
            (i, j) = (i + usize::from(has), j + usize::from(other));
        }
    }

    /// Appends the merge of block `i` of the left and block `j` of the right tensor. A missing block (`None`) has the fill
    /// value.
    fn blocks(&mut self, i: Option<usize>, j: Option<usize>) {
        let (left, right) = (&self.left, &self.right);
        for k in 0..self.block {
            let value = i.map_or(left.fill, |i| &left.values[(i * self.block + k) * left.unit]);
            let with = j.map_or(right.fill, |j| &right.values[(j * self.block + k) * right.unit]);
            self.values.push((self.f)(value, with));
        }
    }
}
