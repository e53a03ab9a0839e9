//! The loop of a merge: visits two tensors with sorted levels over the same axes, level by level in step. `merge` converts
//! tensors to such levels and checks shapes; this module relies on both.

use crate::pattern::PatternWriter;
use crate::{Format, Indices, OperationError, SparseError, SparseTensor, SparsityPattern, Width};
use alloc::vec::Vec;
use array_kernels::memory::room;
use array_kernels::{LevelView, with_width};
use core::hint::select_unpredictable;
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
            left: MergeOperand::new(left, &a, &[])?,
            right: MergeOperand::new(right, &b, &[])?,
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
        let (left, right) = (MergeOperand::new(left, &a, &x)?, MergeOperand::new(right, &b, &y)?);
        let mut zip = Coiteration { append, left, right, last: room::<T>(most).ok_or_else(memory)?, values, union, block, told, f, result_fill };
        let (roots, other) = (zip.left.levels[0].below(0..1), zip.right.levels[0].below(0..1));
        zip.descend(0, roots, other, 0)?;
        let Coiteration { append, mut last, mut values, .. } = zip;
        last.truncate(append.elements);
        values.truncate(append.elements * block);
        last.shrink_to_fit();
        values.shrink_to_fit();
        Ok((append.finish(last.into())?, values))
    })
}

/// One of the two tensors of a merge.
struct MergeOperand<'m, T, V> {
    levels: &'m [LevelView<'m>],
    /// The coordinates of the elements in the last level.
    last: &'m [T],
    values: &'m [V],
    /// The stride from the value of one element to the next: 1, or 0 if all elements have one value.
    unit: usize,
    fill: &'m V,
}

impl<'m, T, V: Clone> MergeOperand<'m, T, V> {
    fn new(tensor: &'m SparseTensor<'_, V>, levels: &'m [LevelView<'m>], last: &'m [T]) -> Result<Self, OperationError> {
        let (values, unit) = tensor.values().strided()?;
        Ok(MergeOperand { levels, last, values, unit, fill: tensor.fill() })
    }
}

struct Coiteration<'m, 't, T, V, W, U, F> {
    append: PatternWriter<'m>,
    left: MergeOperand<'m, T, V>,
    right: MergeOperand<'m, T, W>,
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
        if k + 1 == self.left.levels.len() {
            let gone = [a.end, b.end];
            self.elements(a, b);
            if let Some(told) = &mut self.told {
                told(gone);
            }
            return Ok(());
        }
        let first = self.append.first_entry(k, parent);
        let (left, right) = (self.left.levels[k], self.right.levels[k]);
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
            let (x, y) = (self.left.levels[k + 1].below(from.0..i), self.right.levels[k + 1].below(from.1..j));
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
        match (self.block, self.union) {
            (1, true) => self.either(a, b),
            (1, false) => self.both(a, b),
            _ => self.rows_of_blocks(a, b),
        }
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

    /// Stores the union of two rows, without a branch that depends on coordinates. Each step takes the lesser coordinate; a
    /// tensor without it contributes its fill value.
    #[inline]
    fn either(&mut self, a: Range<usize>, b: Range<usize>) {
        let used = self.reserve(a.len() + b.len());
        let (x, y) = (&self.left.last[a.clone()], &self.right.last[b.clone()]);
        let (u, fill) = (self.left.unit, self.left.fill);
        let (t, other_fill) = (self.right.unit, self.right.fill);
        let (v, w) = (&self.left.values[a.start * u..], &self.right.values[b.start * t..]);
        let out = &mut self.last[used..][..x.len() + y.len()];
        let values = &mut self.values[used..][..x.len() + y.len()];
        let (mut i, mut j, mut n) = (0, 0, 0);
        while i < x.len() && j < y.len() {
            let (p, q) = (x[i], y[j]);
            let (has, other) = (p <= q, q <= p);
            let value = select_unpredictable(has, &v[i * u], fill);
            let with = select_unpredictable(other, &w[j * t], other_fill);
            out[n] = p.min(q);
            values[n] = (self.f)(value, with);
            (i, j, n) = (i + usize::from(has), j + usize::from(other), n + 1);
        }
        for i in i..x.len() {
            out[n] = x[i];
            values[n] = (self.f)(&v[i * u], other_fill);
            n += 1;
        }
        for j in j..y.len() {
            out[n] = y[j];
            values[n] = (self.f)(fill, &w[j * t]);
            n += 1;
        }
        self.append.elements = used + n;
    }

    /// Stores the intersection of two rows.
    #[inline]
    fn both(&mut self, a: Range<usize>, b: Range<usize>) {
        let used = self.reserve(a.len().min(b.len()));
        let (x, y) = (&self.left.last[a.clone()], &self.right.last[b.clone()]);
        let (left, right) = (&self.left, &self.right);
        let (mut i, mut j, mut n) = (0, 0, used);
        while i < x.len() && j < y.len() {
            let (p, q) = (x[i], y[j]);
            if p == q {
                self.last[n] = p;
                self.values[n] = (self.f)(&left.values[(a.start + i) * left.unit], &right.values[(b.start + j) * right.unit]);
                n += 1;
            }
            (i, j) = (i + usize::from(p <= q), j + usize::from(q <= p));
        }
        self.append.elements = n;
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
