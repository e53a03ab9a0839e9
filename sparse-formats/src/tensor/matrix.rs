//! Kernels that build matrices by rows, by columns and as lists, in less time and memory than a sort of tuples.
//!
//! They exist only for the widths that large matrices need. They return `None` for all else, which
//! [`Builder`](super::Builder) then builds; both ways must give the same tensor.

use super::{SparseTensor, Values};
use crate::format::Format;
use crate::kernels::{CompressedRows, Duplicates, Linear, Value, below, compress_columns, expand, transpose};
use crate::{ArrayName, Arrays, Indices, LevelKind, SparseError, SparsityPattern, Width, Widths, with_indices};
use alloc::vec::Vec;
use array_kernels::with_width;
use layout_levels::Index;

/// The number of elements from which these kernels are used.
const MANY: usize = 1 << 13;

/// Facts about the elements that a tensor is built from, which the builder then does not test.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InputFacts<'k> {
    /// The number of elements, needed only if neither a column nor the values determine it.
    pub elements: Option<usize>,
    /// True if all coordinates are less than the extents.
    pub in_range: bool,
    /// The axes by which the elements are sorted, the most significant first.
    pub order: &'k [usize],
    /// True if, in a matrix, entries with equal coordinates in the first level come with increasing coordinates in
    /// the second.
    pub rising: bool,
    /// True if the elements of a matrix have distinct coordinates.
    pub distinct: bool,
}

/// The format of a matrix, the widths of its index arrays, and the maximum length of an array.
#[derive(Clone, Copy)]
pub(super) struct MatrixTarget<'b> {
    pub format: &'b Format,
    pub widths: &'b Widths,
    pub most: usize,
}

/// A pattern, and the values of its elements.
pub(crate) type PatternAndValues<W> = (SparsityPattern<'static>, W);

/// Builds a matrix from rows and columns in storage order, with the results and errors of `Builder::matrix`. `policy` is the
/// treatment of duplicates.
pub(super) fn of_list<V: Value>(
    target: MatrixTarget,
    policy: Duplicates<V>,
    shape: &[u64],
    [rows, columns]: [Linear; 2],
    values: &Values<V>,
    known: InputFacts,
) -> Result<Option<PatternAndValues<Values<'static, V>>>, SparseError> {
    let elements = rows.columns.first().map_or(0, Indices::len);
    let Some(plan) = Plan::new(target, shape, elements)? else { return Ok(None) };
    // A column that is wider than the index array, or than `usize`, could be cut to another valid number.
    let wider = |columns: &&Indices| columns.width() > plan.index || columns.width().bits() > usize::BITS;
    if let Some(columns) = columns.columns.iter().find(wider).filter(|_| !known.in_range) {
        with_indices!(columns, columns => below("columns", columns, plan.extents.1 as u64))?;
    }
    let (policy, sort) = (if known.distinct { Duplicates::Keep } else { policy }, !known.rising);
    match (values, policy) {
        (Values::Each(values), _) => {
            let made = plan.compress(rows, columns, values, sort, policy)?;
            Ok(made.map(|(pattern, values)| (pattern, values.into())))
        }
        // Combining elements would change their single value.
        (Values::Iso(_), Duplicates::Combine(_)) => match plan.compress_pattern(rows, columns, elements, sort, Duplicates::Refuse) {
            Err(SparseError::Repeated { .. }) => Ok(None),
            made => Ok(made?.map(|pattern| (pattern, values.clone().into_owned()))),
        },
        (_, policy) => {
            let policy = match policy {
                Duplicates::Keep => Duplicates::Keep,
                Duplicates::Refuse => Duplicates::Refuse,
                _ => Duplicates::First,
            };
            let made = plan.compress_pattern(rows, columns, elements, sort, policy)?;
            Ok(made.map(|pattern| (pattern, values.clone().into_owned())))
        }
    }
}

/// Converts a matrix by rows to one by columns or to a list in that order, or the other way round. Returns `None`
/// if there is no kernel for it. `keeps` says whether elements with equal coordinates stay.
///
/// # Errors
/// Fails if a width does not hold the coordinates, or memory has no room.
pub(super) fn transposed<V: Value>(
    target: MatrixTarget,
    keeps: bool,
    tensor: &SparseTensor<V>,
) -> Result<Option<PatternAndValues<Values<'static, V>>>, SparseError> {
    let (from, to) = (tensor.format(), target.format);
    let exchanged = from.axis_order().iter().rev().eq(to.axis_order());
    if !is_compressed(from) || !exchanged || from.is_multigraph() && !keeps {
        return Ok(None);
    }
    let Some(plan) = Plan::new(target, tensor.shape(), tensor.stored())? else { return Ok(None) };
    let (Some(pointers), Some(indices)) = (tensor.pattern().pointers(0), tensor.pattern().indices(1)) else { return Ok(None) };
    match tensor.values() {
        Values::Each(values) => Ok(plan.transpose(pointers, indices, values)?.map(|(pattern, values)| (pattern, values.into()))),
        values => Ok(plan.transpose_pattern(pointers, indices)?.map(|pattern| (pattern, values.clone().into_owned()))),
    }
}

fn is_compressed(format: &Format) -> bool {
    format.kinds() == [LevelKind::Pointers, LevelKind::Indices] && format.rank() == 2
}

/// The extents, format and widths of a matrix that a kernel builds.
struct Plan<'b> {
    shape: &'b [u64],
    format: &'b Format,
    widths: &'b Widths,
    /// The extents in storage order.
    extents: (usize, usize),
    /// The width of `indices_1`.
    index: Width,
    /// The width of `indices_0` for a list, otherwise of `pointers_0`.
    first: Width,
    list: bool,
}

impl<'b> Plan<'b> {
    /// Returns the plan for `elements` elements, or `None` if they are few or there is no kernel for the format.
    ///
    /// # Errors
    /// Fails if a width does not hold the coordinates.
    fn new(target: MatrixTarget<'b>, shape: &'b [u64], elements: usize) -> Result<Option<Self>, SparseError> {
        let MatrixTarget { format, widths, most } = target;
        let list = format.kinds() == [LevelKind::Indices, LevelKind::Indices];
        if format.rank() != 2 || !list && !is_compressed(format) || elements < MANY || shape.len() != 2 {
            return Ok(None);
        }
        let extent = |k: usize| shape[format.axis_order()[k]];
        // The kernels count entries in every row, which takes memory for all rows.
        if list && extent(0) > elements as u64 || extent(0) >= most as u64 {
            return Ok(None);
        }
        let index = widths.of(ArrayName::Indices(1), extent(1).saturating_sub(1))?;
        let first = if list {
            widths.of(ArrayName::Indices(0), extent(0).saturating_sub(1))?
        } else {
            match widths.of(ArrayName::Pointers(0), elements as u64) {
                Ok(width) => width,
                // Combined elements may be fewer. The general path knows their number before it makes pointers.
                Err(_) => return Ok(None),
            }
        };
        // The kernels count with `usize`.
        let (Ok(rows), Ok(columns)) = (usize::try_from(extent(0)), usize::try_from(extent(1))) else { return Ok(None) };
        let plan = Plan { shape, format, widths, extents: (rows, columns), index, first, list };
        Ok((elements as u64 <= plan.pointer().most()).then_some(plan))
    }

    /// Returns the width of pointers in the kernels.
    fn pointer(&self) -> Width {
        if self.list { self.index.max(Width::U32) } else { self.first }
    }

    /// Builds the matrix from a coordinate list. Returns `None` if no kernel has these widths, or if the pointers should be
    /// narrower. Fails as `Builder::matrix` does.
    fn compress<W: Value>(
        &self,
        rows: Linear,
        columns: Linear,
        values: &[W],
        sort: bool,
        duplicates: Duplicates<W>,
    ) -> Result<Option<PatternAndValues<Vec<W>>>, SparseError> {
        macro_rules! compress {
            ($index:ident $pointer:ident) => {
                match compress_columns::<$index, $pointer, _>(rows, columns, values, self.extents, sort, duplicates) {
                    Ok(matrix) => self.built(matrix),
                    Err(error) => Err(self.in_levels(error)),
                }
            };
        }
        match (self.index, self.pointer()) {
            // Words of 32 bits have room for a row above the coordinate, which is faster than a third array.
            (Width::U16 | Width::U32, Width::U32) => compress!(u32 u32),
            (Width::U64, Width::U32) => compress!(u64 u32),
            (Width::U64, Width::U64) => compress!(u64 u64),
            _ => Ok(None),
        }
    }

    /// Builds the matrix from the arrays of its transpose. Returns `None` if no kernel has these widths.
    fn transpose<W: Value>(
        &self,
        pointers: &Indices,
        indices: &Indices,
        values: &[W],
    ) -> Result<Option<PatternAndValues<Vec<W>>>, SparseError> {
        macro_rules! transpose {
            ($pointers:ident $indices:ident $index:ident $pointer:ident) => {
                match transpose::<_, _, $pointer, $index, _>($pointers, $indices, values, self.extents.0) {
                    Ok(matrix) => self.built(matrix),
                    Err(error) => Err(self.in_levels(error)),
                }
            };
        }
        match (pointers, indices, self.index, self.pointer()) {
            (Indices::U32(pointers), Indices::U16(indices), Width::U16 | Width::U32, Width::U32) => transpose!(pointers indices u32 u32),
            (Indices::U32(pointers), Indices::U32(indices), Width::U16 | Width::U32, Width::U32) => transpose!(pointers indices u32 u32),
            (Indices::U64(pointers), Indices::U64(indices), Width::U64, Width::U64) => transpose!(pointers indices u64 u64),
            _ => Ok(None),
        }
    }

    /// Translates the error of a kernel: too many rows are too many entries of the first level.
    fn in_levels(&self, error: SparseError) -> SparseError {
        match error {
            SparseError::TooLarge { what: "rows", .. } => {
                SparseError::Entries { level: 0, parents: 1, extents: alloc::vec![self.extents.0 as u64] }
            }
            error => error,
        }
    }

    /// Compresses the pattern alone, if elements have no values of their own. Compiled once for all types of values.
    fn compress_pattern(
        &self,
        rows: Linear,
        columns: Linear,
        elements: usize,
        sort: bool,
        duplicates: Duplicates<()>,
    ) -> Result<Option<SparsityPattern<'static>>, SparseError> {
        Ok(self.compress(rows, columns, &alloc::vec![(); elements], sort, duplicates)?.map(|(pattern, _)| pattern))
    }

    /// Transposes the pattern alone, if elements have no values of their own.
    fn transpose_pattern(&self, pointers: &Indices, indices: &Indices) -> Result<Option<SparsityPattern<'static>>, SparseError> {
        Ok(self.transpose(pointers, indices, &alloc::vec![(); indices.len()])?.map(|(pattern, _)| pattern))
    }

    /// Returns the pattern and the values of a compressed matrix, or `None` if its pointers should have another width.
    fn built<P: Index, I: Index, W>(&self, matrix: CompressedRows<P, I, W>) -> Result<Option<PatternAndValues<Vec<W>>>, SparseError>
    where
        Indices<'static>: From<Vec<P>> + From<Vec<I>>,
    {
        let CompressedRows { pointers, indices, values } = matrix;
        Ok(self.pattern(pointers, indices)?.map(|pattern| (pattern, values)))
    }

    /// Returns the pattern of a compressed matrix, or `None` if its pointers should have another width.
    fn pattern<P: Index, I: Index>(&self, pointers: Vec<P>, indices: Vec<I>) -> Result<Option<SparsityPattern<'static>>, SparseError>
    where
        Indices<'static>: From<Vec<P>> + From<Vec<I>>,
    {
        let (stored, indices) = (indices.len(), Indices::from(indices));
        let (arrays, rows) = if self.list {
            let rows: Indices = with_width!(self.first, T => expand::<P, T>(&pointers, stored)?.into());
            (Arrays::new().with_indices(0, rows), stored)
        } else {
            // Combined elements are fewer, so narrower pointers may suffice.
            if self.widths.of(ArrayName::Pointers(0), stored as u64)? != self.first {
                return Ok(None);
            }
            (Arrays::new().with_pointers(0, pointers), self.extents.0)
        };
        let narrow = || with_width!(self.index, T => Some(indices.cast::<T>()?.into_owned().into()));
        let short = SparseError::Memory { elements: stored };
        let indices = if indices.width() == self.index { indices } else { narrow().ok_or(short)? };
        let arrays = arrays.with_indices(1, indices);
        let counts = alloc::vec![rows, stored, stored];
        Ok(Some(SparsityPattern::of(self.shape.to_vec(), self.format.clone(), arrays, counts)))
    }
}
