//! Tensors from coordinates in any order.
//!
//! [`Builder::build`] of `n` elements in `l` levels takes these steps. The same numbers stand at the calls.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Check | Compares the shape with the format and the lengths of columns and values. | `O(l)` | never |
//! | 2. Compress | Makes a matrix by rows, by columns or as a list: two passes over buckets of rows that fit a cache, and a third over each row. It stands for steps 3 to 7. | each element is read and written twice; at most a quarter of input and output as working memory | `l != 2`, `n < 8192`, rows of a list exceed `n`, or no kernel is compiled for the widths |
//! | 3. Sort | Packs each tuple with the number of its element into a word of 64 bits, sorts the words by radix, and compares neighbours. | `n` tuples are read four times: for their order, for the bits that vary, for the counts of buckets, for the words. `8n` bytes of words are written by bucket and sorted in cache. Of tuples too long for a word each part costs a random read an element, and a pass over the words for ten bits. `2n` bytes for the comparison | columns are in order: only the first read is left |
//! | 4. Range | Compares each coordinate with its extent. | reads the columns once | the caller knows, or the sort saw the greatest coordinates |
//! | 5. Resolve | Refuses, keeps or combines elements of one coordinate, and brings the values into order. | one random read and one write a value | values are in order and owned, or not stored |
//! | 6. Place | Writes each value to its place in a block over the dense axes; the rest of a block is the fill value. | the size of all blocks, and one random write a value | the format has no dense axes, or blocks are given |
//! | 7. Assemble | Makes the indices and pointers of each level from the sorted tuples, the outermost level first. | `2n` bytes are read for each array, and each array is written once | never |
//!
//! Steps 2 to 5 and 7 run on all threads. The result does not depend on how many there are.

use super::matrix::{self, Known, Made, Target};
use super::{SparseTensor, Values};
use crate::kernels::{Linear, Value, below};
use crate::pattern::{Sorted, assemble};
use crate::shape::{pick, product};
use crate::{ArrayName, Attributes, Duplicates, Format, Indices, SparseError, Widths, with_indices};
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use array_kernels::memory::filled;

/// Builds tensors of one format from coordinates.
///
/// ```
/// use sparse_formats::{Builder, Duplicates, Format, Indices};
/// let format: Format = "C-DC-S-X[2,0,1]".parse()?;
/// let columns: [Indices; 3] = [vec![1u8, 0, 1].into(), vec![2u8, 0, 2].into(), vec![0u8, 1, 0].into()];
/// let a = Builder::new(format, 0).duplicates(Duplicates::sum()).build(&[2, 3, 2], &columns, vec![5, 6, 7])?;
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
    /// Tensors of this format whose unstored elements are `fill`: duplicates are kept in a multigraph and refused elsewhere, index arrays are as
    /// narrow as can be.
    pub fn new(format: Format, fill: V) -> Self {
        let duplicates = if format.is_multigraph() { Duplicates::Keep } else { Duplicates::Refuse };
        Builder { format, fill, duplicates, widths: Widths::narrowest(), most: isize::MAX as usize }
    }

    /// The format of what is built.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// The treatment of duplicates: to keep them is to refuse them, where they cannot stay.
    pub(super) fn policy(&self) -> Duplicates<'f, V> {
        match self.duplicates {
            Duplicates::Keep if !self.keeps() => Duplicates::Refuse,
            policy => policy,
        }
    }

    /// The value of elements that are not stored.
    pub fn fill(&self) -> &V {
        &self.fill
    }

    /// With another treatment of duplicates.
    pub fn duplicates(self, duplicates: Duplicates<'f, V>) -> Self {
        Builder { duplicates, ..self }
    }

    /// With these widths of index arrays.
    pub fn widths(self, widths: Widths) -> Self {
        Builder { widths, ..self }
    }

    /// With no array longer than this: where extents come from elsewhere, compressed levels and dense axes ask for as much memory as they say.
    pub fn at_most(self, most: usize) -> Self {
        Builder { most: most.min(isize::MAX as usize), ..self }
    }

    /// The tensor with `values[k]` at `columns[0][k], columns[1][k], ...`: an array for each axis. Elements of a block over dense axes that are not
    /// given are `fill`.
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
        // 1. Check.
        check(shape, &self.format, columns, &all, &values, 1, None)?;
        // 3. Sort.
        let sorted = Sorted::new(axes.iter().map(|axis| columns[*axis].view()).collect(), &[])?;
        // 4. Range.
        if !sorted.order().is_below(pick(shape, axes)) {
            check_range(shape, columns, &all)?;
        }
        // 5. Resolve.
        let (sorted, values) = self.resolve(sorted, values, 1)?;
        // 6. Place.
        let values = self.place(shape, &sorted, values)?;
        // 7. Assemble.
        self.tensor(assemble(shape, &self.format, sorted, &self.widths, self.most)?, values)
    }

    /// The tensor with block `k` of the values at the coordinates `k` of the axes that have levels: an array for each of them, in the order of the
    /// axes. Without dense axes a block is one value.
    pub fn build_blocks<'v>(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: impl Into<Values<'v, V>>,
    ) -> Result<SparseTensor<'static, V>, SparseError>
    where
        V: 'v,
    {
        self.build_known(shape, columns, values.into(), Known::default())
    }

    /// [`Builder::build_blocks`] of elements of which something is known.
    pub(crate) fn build_known(
        &self,
        shape: &[u64],
        columns: &[Indices],
        values: Values<V>,
        known: Known,
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        let axes = &self.format.axis_order()[..self.format.levels()];
        let mut named = axes.to_vec();
        named.sort_unstable();
        let block = match (columns.first(), &values) {
            // No element has a block, whatever its extents.
            (Some(column), _) if column.is_empty() => 0,
            (_, Values::Each(_)) => self.block(shape, 1, self.most)?,
            // No array is as long.
            _ => self.block(shape, 1, usize::MAX)?,
        };
        // 1. Check.
        let length = check(shape, &self.format, columns, &named, &values, block, known.elements)?;
        // Axis `named[k]` has column k.
        let column = |axis: &usize| named.binary_search(axis).ok().map(|column| columns[column].view());
        let mut stored: Vec<Indices> = axes.iter().filter_map(column).collect();
        // 2. Compress.
        if let [first, second] = &stored[..] {
            match self.matrix(shape, [first, second].map(Linear::one), &values, known) {
                Ok(Some((pattern, values))) => return self.tensor(pattern, values),
                Ok(None) => {}
                // It may be that an axis before has one too.
                Err(SparseError::Range { .. }) => check_range(shape, columns, &named)?,
                Err(error) => return Err(error),
            }
        }
        if axes.is_empty() {
            if length == 0 {
                // The one block there is, which is not given.
                let too_large =
                    || SparseError::Blocks { blocks: 1, extents: pick(shape, &self.format.axis_order()[self.format.levels()..]) };
                let values = match values {
                    Values::Each(_) => filled(block, self.fill.clone()).ok_or_else(too_large)?.into(),
                    values => values.map(|_| self.fill.clone()),
                };
                return self.tensor(assemble(shape, &self.format, Sorted::new(stored, &[])?, &self.widths, self.most)?, values);
            }
            // All elements have the one coordinate there is.
            stored.push(filled(length, 0u8).ok_or(SparseError::Memory { elements: length })?.into());
        }
        // 3. Sort.
        let order: Vec<usize> = known.order.iter().filter_map(|known| axes.iter().position(|axis| axis == known)).collect();
        let sorted = Sorted::new(stored, &order)?;
        // 4. Range.
        if !known.in_range && !sorted.order().is_below(pick(shape, axes)) {
            check_range(shape, columns, &named)?;
        }
        // 5. Resolve.
        let (sorted, values) = self.resolve(sorted, values, block)?;
        // 7. Assemble.
        self.tensor(assemble(shape, &self.format, sorted, &self.widths, self.most)?, values)
    }

    pub(crate) fn tensor(
        &self,
        pattern: crate::SparsityPattern<'static>,
        values: Values<'static, V>,
    ) -> Result<SparseTensor<'static, V>, SparseError> {
        pattern.check_values(&[], values.len())?;
        Ok(SparseTensor { pattern: Arc::new(pattern), values, fill: self.fill.clone(), attributes: Attributes::default() })
    }

    /// The number of elements of so many blocks, which is no more than `most`.
    fn block(&self, shape: &[u64], blocks: usize, most: usize) -> Result<usize, SparseError> {
        if shape.len() != self.format.rank() {
            return Err(SparseError::Rank { shape: shape.len(), format: self.format.rank() });
        }
        let extents = pick(shape, &self.format.axis_order()[self.format.levels()..]);
        let count = product(extents.iter().copied().chain([blocks as u64])).filter(|count| *count <= most);
        count.ok_or(SparseError::Blocks { blocks, extents })
    }

    /// What the kernels of matrices need to know.
    pub(super) fn target(&self) -> Target<'_> {
        Target { format: &self.format, widths: &self.widths, most: self.most }
    }

    /// The matrix of rows and columns in storage order, where there is a kernel for it; of several columns each it is known that they are in range.
    ///
    /// # Errors
    /// A coordinate that is out of range, as a range of `rows` or `columns`; two elements of one coordinate.
    pub(crate) fn matrix(
        &self,
        shape: &[u64],
        lines: [Linear; 2],
        values: &Values<V>,
        known: Known,
    ) -> Result<Option<Made<Values<'static, V>>>, SparseError> {
        matrix::of_list(self.target(), self.policy(), shape, lines, values, known)
    }

    /// Tests whether elements of one coordinate stay: a tensor without levels has one element.
    pub(crate) fn keeps(&self) -> bool {
        self.format.is_multigraph() && self.format.levels() > 0 && self.duplicates.keeps()
    }

    /// The elements that stay, and their blocks of values in order.
    fn resolve<'c>(&self, sorted: Sorted<'c>, values: Values<V>, block: usize) -> Result<(Sorted<'c>, Values<'static, V>), SparseError> {
        let (order, prefixes) = (sorted.order(), sorted.prefixes());
        let full = |_: SparseError| SparseError::Memory { elements: order.len() };
        let repeated = prefixes.first_duplicate().filter(|_| !self.keeps());
        if let (Some(second), Duplicates::Refuse) = (repeated, self.policy()) {
            let mut found = sorted.tuple(second);
            // The one coordinate of a tensor without axes has none.
            found.truncate(self.format.rank());
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

    /// The values of distinct elements over all axes, in blocks over the dense ones.
    fn place(&self, shape: &[u64], sorted: &Sorted, values: Values<'static, V>) -> Result<Values<'static, V>, SparseError> {
        let levels = self.format.levels();
        // Without levels there is one block, whether or not an element of it is given.
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

/// The number of elements that the columns of these axes give, with a block of values for each; of no axis, `elements` if it is known.
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
        // Without axes that have levels there is no more than one element.
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

/// Tests that the coordinates of these axes are in range.
fn check_range(shape: &[u64], columns: &[Indices], axes: &[usize]) -> Result<(), SparseError> {
    for (axis, column) in axes.iter().zip(columns) {
        let extent = shape[*axis];
        if let Err(SparseError::Range { at, found, .. }) = with_indices!(column, column => below("column", column, extent)) {
            return Err(SparseError::Coordinate { axis: *axis, at, found, extent });
        }
    }
    Ok(())
}
