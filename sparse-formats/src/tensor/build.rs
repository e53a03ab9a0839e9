//! Builds tensors from coordinates in any order.
//!
//! [`Builder::build`] of `n` elements in `l` levels takes these steps. The calls in the code have the same numbers.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Check | Compares the shape with the format, and the lengths of columns and values. | `O(l)` | never |
//! | 2. Compress | Builds a matrix by rows, by columns or as a list: two passes over buckets of rows that fit a cache, and a third over each row. It replaces steps 3 to 7. | reads and writes each element twice; working memory of at most a quarter of input and output | `l != 2`, `n < 8192`, a list has more than `n` rows, or no kernel is compiled for the widths |
//! | 3. Sort | Packs each tuple with the number of its element into a word of 64 bits, sorts the words by radix, and compares neighbours. | reads `n` tuples four times: for their order, for the bits that vary, for the counts of buckets, for the words. Writes `8n` bytes of words by bucket and sorts them in cache. If tuples exceed a word, each word of a tuple costs a random read for each element and a pass over the words for ten bits. The comparison takes `2n` bytes | columns are in order: only the first read is left |
//! | 4. Range | Compares each coordinate with its extent. | reads the columns once | the caller knows it, or the sort saw the greatest coordinates |
//! | 5. Resolve | Refuses, keeps or combines elements with equal coordinates, and sorts the values. | one random read and one write for each value | values are in order and owned, or not stored |
//! | 6. Place | Writes each value to its position in a block over the dense axes; the rest of a block is the fill value. | the size of all blocks, and one random write for each value | the format has no dense axes, or the caller gives blocks |
//! | 7. Assemble | Builds the indices and pointers of each level from the sorted tuples, the outermost level first. | reads `2n` bytes for each array, and writes each array once | never |
//!
//! Steps 2 to 5 and 7 run on all threads. The result does not depend on the number of threads.

use super::matrix::{self, InputFacts, MatrixTarget, PatternAndValues};
use super::{SparseTensor, Values};
use crate::kernels::{Linear, Value, below};
use crate::pattern::{Sorted, assemble};
use crate::shape::{pick, product};
use crate::{ArrayName, Attributes, Duplicates, Format, Indices, SparseError, Widths, with_indices};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use array_kernels::memory::filled;

/// A builder of tensors of one format from coordinates.
///
/// ```
/// use sparse_formats::{Builder, Duplicates, Format, Indices, Width, Widths};
/// let format: Format = "C-DC-S-X[2,0,1]".parse()?;
/// let columns: [Indices; 3] = [vec![1u8, 0, 1].into(), vec![2u8, 0, 2].into(), vec![0u8, 1, 0].into()];
/// let builder = Builder::new(format, 0).widths(Widths::all(Width::U32));
/// let refused = builder.build(&[2, 3, 2], &columns, vec![5, 6, 7]).unwrap_err();
/// assert_eq!(refused.to_string(), "elements 0 and 2 are both at [1, 2, 0]");
/// let a = builder.duplicates(Duplicates::sum()).build(&[2, 3, 2], &columns, vec![5, 6, 7])?;
/// assert_eq!((a.stored(), a.at(&[1, 2, 0]), a.at(&[0, 0, 1])), (2, Some(&12), Some(&6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Builder<'f, V> {
    format: Format,
    fill: V,
    duplicates: Duplicates<'f, V>,
    pub(super) widths: Widths,
    pub(super) most: usize,
}

impl<'f, V: Value> Builder<'f, V> {
    /// Returns a builder of tensors of this format with the fill value `fill`.
    ///
    /// It keeps duplicates in a multigraph and refuses them otherwise. Index arrays are as narrow as possible.
    pub fn new(format: Format, fill: V) -> Self {
        let duplicates = if format.is_multigraph() { Duplicates::Keep } else { Duplicates::Refuse };
        Builder { format, fill, duplicates, widths: Widths::narrowest(), most: isize::MAX as usize }
    }

    /// Returns the format of the tensors.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Returns the treatment of duplicates. `Keep` becomes `Refuse` where duplicates cannot be stored.
    pub(super) fn policy(&self) -> Duplicates<'f, V> {
        match self.duplicates {
            Duplicates::Keep if !self.keeps() => Duplicates::Refuse,
            policy => policy,
        }
    }

    /// Returns the fill value of the tensors.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// // In a matrix of distances, an edge that is not stored has no end.
    /// let builder = Builder::new(Format::csr(), f64::INFINITY);
    /// let columns: [Indices; 2] = [vec![0u8].into(), vec![1u8].into()];
    /// let distance = builder.build(&[2, 2], &columns, vec![1.5])?;
    /// assert_eq!((builder.fill(), distance.at(&[1, 0])), (&f64::INFINITY, Some(&f64::INFINITY)));
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// Sets the treatment of elements that share a coordinate.
    pub fn duplicates(self, duplicates: Duplicates<'f, V>) -> Self {
        Builder { duplicates, ..self }
    }

    /// Sets the widths of arrays of indices and pointers.
    pub fn widths(self, widths: Widths) -> Self {
        Builder { widths, ..self }
    }

    /// Limits the length of every array to `most`. Take it for extents from untrusted sources, because `C` levels
    /// and dense axes need memory in proportion to their extents.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// let columns: [Indices; 2] = [vec![7u8].into(), vec![0u8].into()];
    /// let build = |format| Builder::new(format, 0).at_most(1 << 20).build(&[1_000_000_000, 2], &columns, vec![5]);
    /// let error = build(Format::csr()).unwrap_err();
    /// assert_eq!(error.to_string(), "level 0: 1 times [1000000000] entries exceed memory or the given limit");
    /// assert_eq!(build(Format::dcsr())?.at(&[7, 0]), Some(&5));
    /// # Ok::<(), sparse_formats::SparseError>(())
    /// ```
    pub fn at_most(self, most: usize) -> Self {
        Builder { most: most.min(isize::MAX as usize), ..self }
    }

    /// Builds the tensor with `values[k]` at `columns[0][k], columns[1][k], ...`, with one column for each axis.
    ///
    /// In a block over dense axes, elements that are not given have the fill value.
    ///
    /// Fails if the shape, the columns and the values do not fit the format or each other, if a coordinate is not below its
    /// extent, if coordinates repeat and the builder refuses that, if a given width is too narrow, or if an array exceeds
    /// memory or `Builder::at_most`. Also fails for a multigraph with dense axes, which needs `Builder::build_blocks`.
    pub fn build<'v>(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: impl Into<Values<'v, V>>,
    ) -> Result<SparseTensor<'static, V>, SparseError>
    where
        V: 'v,
    {
        let values = values.into();
        let axes = self.format.axis_order();
        if self.format.dense_axes() == 0 {
            return self.build_blocks(shape, columns, values);
        }
        if self.format.is_multigraph() {
            return Err(SparseError::MultigraphBlocks);
        }
        let all: Vec<usize> = (0..shape.len()).collect();
        // Step 1: check.
        check(shape, &self.format, columns, &all, &values, 1, None)?;
        // Step 3: sort the coordinates.
        let sorted = Sorted::new(axes.iter().map(|axis| columns[*axis].view()).collect(), &[])?;
        // Step 4: compare the coordinates with the extents.
        if !sorted.order().is_below(pick(shape, axes)) {
            check_range(shape, columns, &all)?;
        }
        // Step 5: resolve equal coordinates.
        let (sorted, values) = self.resolve(sorted, values, 1)?;
        // Step 6: place the values in blocks.
        let values = self.place(shape, &sorted, values)?;
        // Step 7: assemble the levels.
        self.tensor(assemble(shape, &self.format, sorted, &self.widths, self.most)?, values)
    }

    /// Builds the tensor with block `k` of the values at coordinate `k` of the axes that have levels.
    ///
    /// There is one column for each of these axes, in the order of the axes. Without dense axes a block is one value. Fails
    /// as `Builder::build` does, but not for a multigraph with dense axes.
    ///
    /// ```
    /// use sparse_formats::{Builder, Format, Indices};
    /// // Rows 2 and 0 of a matrix with two columns.
    /// let rows: [Indices; 1] = [vec![2u8, 0].into()];
    /// let a = Builder::new("S-D-R".parse()?, 0).build_blocks(&[3, 2], &rows, vec![5, 6, 7, 8])?;
    /// assert_eq!((a.stored(), a.values()), (2, &vec![7, 8, 5, 6].into()));
    /// assert_eq!((a.at(&[2, 1]), a.at(&[1, 1])), (Some(&6), Some(&0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_blocks<'v>(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: impl Into<Values<'v, V>>,
    ) -> Result<SparseTensor<'static, V>, SparseError>
    where
        V: 'v,
    {
        self.build_known(shape, columns, values.into(), InputFacts::default())
    }

    /// Builds the tensor as [`Builder::build_blocks`] does, but relies on the facts `known` about the elements instead of
    /// testing them.
    pub(crate) fn build_known(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: Values<V>,
        known: InputFacts,
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        let axes = &self.format.axis_order()[..self.format.levels()];
        let mut named = axes.to_vec();
        named.sort_unstable();
        let block = match (columns.first(), &values) {
            // Without elements there are no values, even if a block has huge extents.
            (Some(column), _) if column.is_empty() => 0,
            (_, Values::Each(_)) => self.block(shape, 1, self.most)?,
            // Values are not in an array here, so any length is allowed.
            _ => self.block(shape, 1, usize::MAX)?,
        };
        // Step 1: check.
        let length = check(shape, &self.format, columns, &named, &values, block, known.elements)?;
        // Column `k` belongs to axis `named[k]`.
        let column = |axis: &usize| named.binary_search(axis).ok().map(|column| columns[column].view());
        let mut stored: Vec<Indices> = axes.iter().filter_map(column).collect();
        // Step 2: compress a matrix.
        if let [first, second] = &stored[..] {
            match self.matrix(shape, [first, second].map(Linear::one), &values, known) {
                Ok(Some((pattern, values))) => return self.tensor(pattern, values),
                Ok(None) => {}
                // An earlier axis may have a coordinate out of range too; report the first.
                Err(SparseError::Range { .. }) => check_range(shape, columns, &named)?,
                Err(SparseError::Repeated { at, found }) => return Err(SparseError::Repeated { at, found: by_axis(axes, &found) }),
                Err(error) => return Err(error),
            }
        }
        if axes.is_empty() {
            if length == 0 {
                // The tensor has one block, and the caller gave none.
                let too_large =
                    || SparseError::Blocks { blocks: 1, extents: pick(shape, &self.format.axis_order()[self.format.levels()..]) };
                let values = match values {
                    Values::Each(_) => filled(block, self.fill.clone()).ok_or_else(too_large)?.into(),
                    values => values.map(|_| self.fill.clone()),
                };
                return self.tensor(assemble(shape, &self.format, Sorted::new(stored, &[])?, &self.widths, self.most)?, values);
            }
            // All elements have the same, empty coordinate.
            stored.push(filled(length, 0u8).ok_or(SparseError::Memory { elements: length })?.into());
        }
        // Step 3: sort the coordinates.
        let order: Vec<usize> = known.order.iter().filter_map(|known| axes.iter().position(|axis| axis == known)).collect();
        let sorted = Sorted::new(stored, &order)?;
        // Step 4: compare the coordinates with the extents.
        if !known.in_range && !sorted.order().is_below(pick(shape, axes)) {
            check_range(shape, columns, &named)?;
        }
        // Step 5: resolve equal coordinates.
        let (sorted, values) = self.resolve(sorted, values, block)?;
        // Step 7: assemble the levels.
        self.tensor(assemble(shape, &self.format, sorted, &self.widths, self.most)?, values)
    }

    /// Returns the tensor of a pattern and its values, with the fill value of the builder. Fails if their number is wrong.
    pub(crate) fn tensor(
        &self,
        pattern: crate::SparsityPattern<'static>,
        values: Values<'static, V>,
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        pattern.check_values(&[], values.len())?;
        Ok(SparseTensor { pattern: Arc::new(pattern), values, fill: self.fill.clone(), attributes: Attributes::default() })
    }

    /// Returns the number of elements of `blocks` blocks over the dense axes. Fails if it exceeds `most`, or if the shape has
    /// another rank than the format.
    fn block(&self, shape: &[u64], blocks: usize, most: usize) -> Result<usize, SparseError> {
        if shape.len() != self.format.rank() {
            return Err(SparseError::Rank { shape: shape.len(), format: self.format.rank() });
        }
        let extents = pick(shape, &self.format.axis_order()[self.format.levels()..]);
        let count = product(extents.iter().copied().chain([blocks as u64])).filter(|count| *count <= most);
        count.ok_or(SparseError::Blocks { blocks, extents })
    }

    /// Returns the settings that the kernels of matrices need.
    pub(super) fn target(&self) -> MatrixTarget<'_> {
        MatrixTarget { format: &self.format, widths: &self.widths, most: self.most }
    }

    /// Builds a matrix from rows and columns in storage order, or returns `None` if there is no kernel for it. A
    /// row or column of several axes must be in range.
    ///
    /// # Errors
    /// Fails with [`SparseError::Range`] for `rows` or `columns` if a coordinate is out of range. Fails if two elements
    /// have the same coordinate and the builder refuses that, or if memory has no room.
    pub(crate) fn matrix(
        &self,
        shape: &[u64],
        lines: [Linear; 2],
        values: &Values<V>,
        known: InputFacts,
    ) -> Result<Option<PatternAndValues<Values<'static, V>>>, SparseError> {
        matrix::of_list(self.target(), self.policy(), shape, lines, values, known)
    }

    /// Tests whether elements with equal coordinates stay. A tensor without levels has only one element.
    pub(crate) fn keeps(&self) -> bool {
        self.format.is_multigraph() && self.format.levels() > 0 && self.duplicates.keeps()
    }

    /// Returns the elements that remain after the treatment of duplicates, and their blocks of values in order. Fails if a
    /// duplicate is refused, or memory has no room.
    fn resolve<'c>(&self, sorted: Sorted<'c>, values: Values<V>, block: usize) -> Result<(Sorted<'c>, Values<'static, V>), SparseError> {
        let (order, prefixes) = (sorted.order(), sorted.prefixes());
        let full = |_: SparseError| SparseError::Memory { elements: order.len() };
        let repeated = prefixes.first_duplicate().filter(|_| !self.keeps());
        if let (Some(second), Duplicates::Refuse) = (repeated, self.policy()) {
            let found = by_axis(self.format.axis_order(), &sorted.tuple(second));
            return Err(SparseError::Repeated { at: (order.index(second - 1), order.index(second)), found });
        }
        let combines = repeated.is_some() && matches!(self.duplicates, Duplicates::Combine(_));
        let values = match values {
            Values::PatternOnly => Values::PatternOnly,
            Values::Iso(value) if combines => {
                let length = order.len().checked_mul(block).filter(|length| *length <= self.most);
                let all = length.and_then(|length| filled(length, value));
                let all = all.ok_or(SparseError::Memory { elements: order.len() })?;
                prefixes.fold(all, block, self.duplicates).map_err(full)?.into()
            }
            Values::Iso(value) => Values::Iso(value),
            Values::Each(values) => {
                let ordered = match values {
                    Cow::Owned(values) if order.is_identity() => values,
                    values => order.gather(&values, block).map_err(full)?,
                };
                let folded = if repeated.is_some() { prefixes.fold(ordered, block, self.duplicates).map_err(full)? } else { ordered };
                folded.into()
            }
        };
        Ok((if self.keeps() { sorted } else { sorted.distinct() }, values))
    }

    /// Moves the values of distinct elements over all axes into blocks over the dense axes. Fails if the blocks exceed memory
    /// or the limit.
    fn place(&self, shape: &[u64], sorted: &Sorted, values: Values<'static, V>) -> Result<Values<'static, V>, SparseError> {
        let levels = self.format.levels();
        // Without levels there is one block, even if none of its elements is given.
        let blocks = if levels == 0 { 1 } else { sorted.prefixes().count(levels) };
        let length = self.block(shape, blocks, self.most)?;
        if let Values::PatternOnly = values {
            return Ok(values);
        }
        let extents = pick(shape, &self.format.axis_order()[levels..]);
        let memory = |_| SparseError::Memory { elements: sorted.len() };
        let too_large = || SparseError::Blocks { blocks, extents: extents.clone() };
        let mut out = filled(length, self.fill.clone()).ok_or_else(too_large)?;
        for (k, place) in sorted.places(levels, &extents).map_err(memory)?.into_iter().enumerate() {
            if let Some(value) = values.get(k) {
                out[place].clone_from(value);
            }
        }
        Ok(out.into())
    }
}

/// Returns the number of elements. Fails if the lengths of columns and values contradict each other or the format. `block`
/// is the number of values of each element. Without columns, the number is `elements` if that is known.
fn check<V: Value>(
    shape: &[u64],
    format: &Format,
    columns: &[Indices],
    axes: &[usize],
    values: &Values<V>,
    block: usize,
    elements: Option<usize>,
) -> Result<usize, SparseError> {
    if shape.len() != format.rank() {
        return Err(SparseError::Rank { shape: shape.len(), format: format.rank() });
    }
    if columns.len() != axes.len() {
        return Err(SparseError::Columns { found: columns.len(), expected: axes.len() });
    }
    let length = match (columns.first(), values.len()) {
        (Some(column), _) => column.len(),
        // Without axes that have levels there is at most one element.
        (None, Some(values)) => elements.or(values.checked_div(block)).unwrap_or(0),
        (None, None) => elements.unwrap_or(1),
    };
    for (axis, column) in axes.iter().zip(columns) {
        if column.len() != length {
            return Err(SparseError::ColumnLength { axis: *axis, found: column.len(), expected: length });
        }
    }
    let expected = length.checked_mul(block).ok_or(SparseError::Memory { elements: length })?;
    match values.len() {
        Some(found) if found != expected => Err(SparseError::Length { array: ArrayName::Values, found, expected }),
        _ => Ok(length),
    }
}

/// Fails unless the coordinates of `axes`, in the columns of the same number, are below the extents.
fn check_range(shape: &[u64], columns: &[Indices], axes: &[usize]) -> Result<(), SparseError> {
    for (axis, column) in axes.iter().zip(columns) {
        let extent = shape[*axis];
        if let Err(SparseError::Range { at, found, .. }) = with_indices!(column, column => below("column", column, extent)) {
            return Err(SparseError::Coordinate { axis: *axis, at, found, extent });
        }
    }
    Ok(())
}

/// Returns a tuple of coordinates in the order of the axes. `tuple[k]` is the coordinate of axis `axis_order[k]`. Drops the
/// auxiliary coordinate by which a tensor without axes was sorted.
fn by_axis(axis_order: &[usize], tuple: &[u64]) -> Vec<u64> {
    let mut by_axis: Vec<(usize, u64)> = axis_order.iter().copied().zip(tuple.iter().copied()).collect();
    by_axis.sort_unstable();
    by_axis.into_iter().map(|(_, coordinate)| coordinate).collect()
}
