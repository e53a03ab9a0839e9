//! Reductions and contractions with vectors: folds all elements that have the same coordinates in the remaining axes
//! to one.

use super::stream::{Stream, TileOptions};
use super::tile::Tile;
use super::{Scalar, SparseOperand, memory, operand, streams, whole};
use crate::kernels::Value;
use crate::kernels::rows::{folded_rows, in_width};
use crate::shape::{pick, product};
use crate::{Arrays, Builder, Duplicates, Format, Indices, OperationError, SparseTensor, SparsityPattern, Values, Width, with_indices};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::{grow, try_repeated};
use array_kernels::parallel;
use array_kernels::with_width;
use core::ops::Range;
use layout_levels::Index;

/// The number of elements of a piece, a range of consecutive elements. Elements are folded within each piece first,
/// then across pieces.
const PIECE: usize = 1 << 16;

/// The number of pieces that a thread folds before their lists are joined.
const AT_ONCE: usize = 4;

/// The operation of a reduction.
///
/// ```
/// use sparse_formats::{Builder, Cells, Format, Indices, Reduction, reduce};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// let row_1 = |reduction| Ok::<_, sparse_formats::OperationError>(reduce(&a, &[1], reduction, Cells::Stored)?.at(&[1]).copied());
/// assert_eq!((row_1(Reduction::Sum)?, row_1(Reduction::Max)?, row_1(Reduction::Min)?), (Some(7), Some(4), Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reduction {
    /// The sum.
    Sum,
    /// The greatest element, or NaN if any element is NaN.
    Max,
    /// The least element, or NaN if any element is NaN.
    Min,
}

/// The elements that take part in a reduction.
///
/// ```
/// use sparse_formats::{Builder, Cells, Format, Indices, Reduction, reduce};
/// // Row 0 is [0, 0, -2].
/// let columns: [Indices; 2] = [vec![0u8].into(), vec![2u8].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![-2])?;
/// assert_eq!(reduce(&a, &[1], Reduction::Max, Cells::Stored)?.at(&[0]), Some(&-2));
/// assert_eq!(reduce(&a, &[1], Reduction::Max, Cells::All)?.at(&[0]), Some(&0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cells {
    /// The stored elements only.
    Stored,
    /// All elements. An element that is not stored counts as 0.
    All,
}

/// A list of elements: for each axis an array of coordinates of the width that its extent needs, and the values.
struct FoldedList<W> {
    columns: Vec<Indices<'static>>,
    values: Vec<W>,
}

impl<W: Value> FoldedList<W> {
    fn new(extents: &[u64]) -> Self {
        let column = |extent: &u64| with_width!(Width::below(*extent), I => Vec::<I>::new().into());
        FoldedList { columns: extents.iter().map(column).collect(), values: Vec::new() }
    }

    /// Appends the elements of a tile with these values, with neighbours of the same coordinate folded to one. With `joins`, the
    /// first element is also folded into the last one of the list if they have the same coordinate. Returns `None` if
    /// memory has no room.
    fn folded<T>(&mut self, tile: &Tile<T>, values: &[W], axes: &[usize], joins: bool, fold: &impl Fold<W>) -> Option<()> {
        if values.is_empty() {
            // All elements of the tile are padding.
            return Some(());
        }
        let columns = || axes.iter().map(|axis| &tile.coordinates[*axis][..values.len()]);
        // A flag for each element: true if it differs from the one before in a coordinate.
        let mut differs = vec![false; values.len()];
        for column in columns() {
            let pairs = column.iter().zip(&column[1..]);
            differs[1..].iter_mut().zip(pairs).for_each(|(differs, (before, x))| *differs |= before != x);
        }
        differs[0] = !(joins && self.last().is_some_and(|last| last.eq(columns().map(|column| column[0]))));
        let starts: Vec<usize> = differs.iter().enumerate().filter_map(|(e, differs)| differs.then_some(e)).collect();
        for (own, column) in self.columns.iter_mut().zip(columns()) {
            with_indices!(own, own => {
                let own = own.to_mut();
                grow(own, starts.len())?;
                starts.iter().for_each(|e| own.push(Index::from_low_bits(column[*e])));
            });
        }
        grow(&mut self.values, starts.len())?;
        let all = |first: W, others: &[W]| others.iter().fold(first, |folded, value| fold(&folded, value));
        let before = &values[..starts.first().copied().unwrap_or(values.len())];
        if !before.is_empty() {
            // The tile continues the last element of the list.
            let last = self.values.pop()?;
            self.values.push(all(last, before));
        }
        let ends = starts.iter().skip(1).copied().chain([values.len()]);
        let run = |(start, end): (&usize, usize)| all(values[*start].clone(), &values[start + 1..end]);
        self.values.extend(starts.iter().zip(ends).map(run));
        Some(())
    }

    /// Returns the coordinates of the last element, or `None` if the list is empty.
    fn last(&self) -> Option<impl Iterator<Item = u64> + '_> {
        let last = self.values.len().checked_sub(1)?;
        Some(self.columns.iter().filter_map(move |column| column.get(last)))
    }

    /// Appends a list. With `joins`, its first element is folded into the last one of this list if they have the same
    /// coordinate. Returns `None` if memory has no room.
    fn append(&mut self, other: FoldedList<W>, joins: Option<&impl Fold<W>>) -> Option<()> {
        let neighbours = |fold| {
            let first = other.columns.iter().filter_map(|column| column.get(0));
            (!other.values.is_empty() && self.last()?.eq(first)).then_some(fold)
        };
        let joined = joins.and_then(neighbours);
        let from = usize::from(joined.is_some());
        if let (Some(fold), Some(last), Some(first)) = (joined, self.values.last_mut(), other.values.first()) {
            *last = fold(last, first);
        }
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            with_indices!(column, column => {
                let (column, other) = (column.to_mut(), other.cast()?);
                grow(column, other.len() - from)?;
                column.extend_from_slice(&other[from..]);
            });
        }
        grow(&mut self.values, other.values.len() - from)?;
        self.values.extend(other.values.into_iter().skip(from));
        Some(())
    }

    /// Returns the tensor of extents `shape` with these elements, which must be sorted and have distinct coordinates.
    fn tensor(self, shape: &[u64]) -> Result<SparseTensor<'static, W>, OperationError> {
        let mut arrays = Arrays::new();
        for (level, column) in self.columns.into_iter().enumerate() {
            let column = with_indices!(column, column => {
                let mut column = column.into_owned();
                column.shrink_to_fit();
                Indices::from(column)
            });
            arrays = arrays.with_indices(level, column);
        }
        let pattern = SparsityPattern::checked(shape, Format::coo(shape.len()), arrays, false).map_err(|rejected| rejected.error)?;
        let mut values = self.values;
        values.shrink_to_fit();
        Ok(SparseTensor::new(pattern, values, W::default()).map_err(|rejected| rejected.error)?)
    }
}

/// A function that combines two elements to one.
trait Fold<W>: Fn(&W, &W) -> W + Sync {}

impl<W, F: Fn(&W, &W) -> W + Sync> Fold<W> for F {}

/// A function that replaces a buffer by the value of each element of a tile.
trait TileValues<T, W>: Fn(&Tile<T>, &mut Vec<W>) + Sync {}

impl<T, W, F: Fn(&Tile<T>, &mut Vec<W>) + Sync> TileValues<T, W> for F {}

/// Returns the tensor over the axes that are not in `gone`, as a coordinate list: all elements with the same
/// coordinates are folded to one.
///
/// There are three ways. Elements in the order of the result, such as the rows of `C-S-R`, are folded as they come, and
/// so are all elements of a result of rank 0. A result with at most two coordinates per element is folded in a dense
/// array. Otherwise, a list of the elements is sorted. Fails unless `gone` increases and names axes of the tensor. Also fails
/// if the tensor stores no values or one triangle for both, or if memory has no room.
fn folded<T: Scalar, W: Value>(
    a: &impl SparseOperand<T>,
    gone: &[usize],
    values: impl TileValues<T, W>,
    fold: &impl Fold<W>,
) -> Result<SparseTensor<'static, W>, OperationError> {
    let rank = a.shape().len();
    if !gone.is_sorted_by(|a, b| a < b) || gone.last().is_some_and(|axis| *axis >= rank) {
        return Err(OperationError::Modes { modes: gone.to_vec(), rank });
    }
    let axes: Vec<usize> = (0..rank).filter(|axis| !gone.contains(axis)).collect();
    let (shape, streams) = (pick(a.shape(), &axes), streams(a)?);
    let elements = streams.iter().map(|stream| stream.elements * stream.positions()).sum();
    let of = Folding { axes: &axes, shape: &shape, values, fold };
    if axes.is_empty() {
        let list = of.listed(&streams, true).ok_or(memory(elements))?;
        // A result of rank 0 always has one element, which is the default if nothing is stored.
        return Ok(Builder::new(Format::coo(0), W::default()).build(&[], &[], list.values)?);
    }
    let ordered = match a.tensors()[..] {
        [(None, tensor)] => {
            let format = tensor.format();
            format.axis_order().starts_with(&axes) && !format.unsorted().contains(&true) && format.dense_axes() == 0
        }
        _ => false,
    };
    if ordered {
        return of.listed(&streams, true).ok_or(memory(elements))?.tensor(&shape);
    }
    if let Some(cells) = product(shape.iter().copied()).filter(|cells| *cells <= elements.saturating_mul(2)) {
        return of.in_cells(&streams, cells, elements).ok_or(memory(cells))?.tensor(&shape);
    }
    let FoldedList { columns, values } = of.listed(&streams, false).ok_or(memory(elements))?;
    Ok(Builder::new(Format::coo(axes.len()), W::default())
        .duplicates(Duplicates::Combine(&|a, b| fold(a, b)))
        .build(&shape, &columns, values)?)
}

/// A reduction: the remaining axes, the values of the elements, and the operation.
struct Folding<'f, V, F> {
    axes: &'f [usize],
    shape: &'f [u64],
    values: V,
    fold: &'f F,
}

impl<V, F> Folding<'_, V, F> {
    /// Returns the elements of all streams as a list, with neighbours of the same coordinate folded to one, across
    /// pieces only with `joins`. The pieces do not depend on the number of threads. Returns `None` if memory has no
    /// room.
    fn listed<T: Scalar, W: Value>(&self, streams: &[Stream<T>], joins: bool) -> Option<FoldedList<W>>
    where
        V: TileValues<T, W>,
        F: Fold<W>,
    {
        let mut all = FoldedList::new(self.shape);
        for stream in streams {
            let pieces: Vec<Range<usize>> =
                (0..stream.elements.div_ceil(PIECE)).map(|piece| piece * PIECE..((piece + 1) * PIECE).min(stream.elements)).collect();
            for pieces in pieces.chunks(AT_ONCE * parallel::threads(stream.elements)) {
                let made = parallel::map(pieces.to_vec(), |piece| {
                    let (mut list, mut tile, mut values) = (FoldedList::new(self.shape), Tile::new(), Vec::new());
                    let mut tiles = stream.tiles(piece, TileOptions::ELEMENTS);
                    while tiles.decode_next(&mut tile) {
                        (self.values)(&tile, &mut values);
                        list.folded(&tile, &values, self.axes, true, self.fold)?;
                    }
                    Some(list)
                });
                for list in made {
                    all.append(list?, joins.then_some(self.fold))?;
                }
            }
        }
        Some(all)
    }

    /// Folds the elements of all streams in a dense array over all coordinates of the result. Each thread owns a
    /// range of this array. Returns the list of the coordinates that occur, or `None` if memory has no room.
    fn in_cells<T: Scalar, W: Value>(&self, streams: &[Stream<T>], cells: usize, elements: usize) -> Option<FoldedList<W>>
    where
        V: TileValues<T, W>,
        F: Fold<W>,
    {
        let mut folded: Vec<W> = try_repeated(W::default(), cells)?;
        // One bit per coordinate, set if an element has it.
        let mut found: Vec<u64> = try_repeated(0, cells.div_ceil(BITS))?;
        let strides: Vec<u64> = (0..self.shape.len()).map(|axis| self.shape[axis + 1..].iter().product()).collect();
        let threads = parallel::threads(elements).min(found.len()).max(1);
        let (mut rest, mut words, mut tasks) = (&mut folded[..], &mut found[..], Vec::new());
        for (k, share) in parallel::ranges(words.len(), threads).into_iter().enumerate() {
            let end = (share.end * BITS).min(cells);
            let first = share.start * BITS;
            tasks.push((k, first, parallel::carve(&mut rest, end - first), parallel::carve(&mut words, share.len())));
        }
        parallel::map(tasks, |(k, first, folded, found)| {
            let (mut cells, mut values): (Vec<u64>, Vec<W>) = (Vec::new(), Vec::new());
            for stream in streams {
                let options = TileOptions { share: Some([k, threads]), ..TileOptions::ELEMENTS };
                let (mut tile, mut tiles) = (Tile::new(), stream.tiles(0..stream.elements, options));
                while tiles.decode_next(&mut tile) {
                    cells.clear();
                    cells.resize(tile.len, 0);
                    for (axis, stride) in self.axes.iter().zip(&strides) {
                        cells.iter_mut().zip(&tile.coordinates[*axis]).for_each(|(cell, x)| *cell += x * stride);
                    }
                    (self.values)(&tile, &mut values);
                    for (value, cell) in values.iter().zip(&cells) {
                        let cell = (*cell as usize).wrapping_sub(first);
                        if let Some(slot) = folded.get_mut(cell) {
                            let (word, bit) = (&mut found[cell / BITS], 1 << (cell % BITS));
                            *slot = if *word & bit == 0 { value.clone() } else { (self.fold)(slot, value) };
                            *word |= bit;
                        }
                    }
                }
            }
        });
        let count: usize = found.iter().map(|word| word.count_ones() as usize).sum();
        let places = || (0..cells).filter(|cell| found[cell / BITS] >> (cell % BITS) & 1 == 1);
        let column = |(stride, extent): (&u64, &u64)| {
            Some(with_width!(Width::below(*extent), I => {
                let mut column: Vec<I> = Vec::new();
                column.try_reserve_exact(count).ok()?;
                column.extend(places().map(|cell| I::from_low_bits(cell as u64 / stride % extent)));
                Indices::from(column)
            }))
        };
        let columns = strides.iter().zip(self.shape).map(column).collect::<Option<_>>()?;
        // Move the elements that occur to the front.
        for (to, from) in places().enumerate() {
            folded.swap(to, from);
        }
        folded.truncate(count);
        Some(FoldedList { columns, values: folded })
    }
}

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// Contracts a tensor with a vector along each axis of `modes`. An element of the result is the sum, over the stored
/// elements with its coordinate in the remaining axes, of their value times `vectors[k][x]` for each `k`. `x` is the
/// coordinate of the element in axis `modes[k]`.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, ttv};
/// let columns: [Indices; 3] = [vec![0u8, 1, 1].into(), vec![1u8, 0, 1].into(), vec![0u8, 1, 1].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 2], &columns, vec![2, 3, 4])?;
/// let y = ttv(&a, &[1, 2], &[&[1, 10], &[1, 100]])?;
/// assert_eq!((y.at(&[0]), y.at(&[1])), (Some(&20), Some(&4300)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if `modes` does not strictly increase or names an axis that the tensor lacks, if there is not one
/// vector per mode, or if a vector has the wrong length. Also if the tensor stores no values or one triangle for both, or
/// if memory has no room.
pub fn ttv<T: Scalar>(a: &impl SparseOperand<T>, modes: &[usize], vectors: &[&[T]]) -> Result<SparseTensor<'static, T>, OperationError> {
    let rank = a.shape().len();
    if modes.iter().any(|mode| *mode >= rank) {
        return Err(OperationError::Modes { modes: modes.to_vec(), rank });
    }
    operand("vectors", &[vectors.len() as u64], vectors.len(), &[modes.len() as u64])?;
    for (mode, vector) in modes.iter().zip(vectors) {
        operand("vector", &[vector.len() as u64], vector.len(), &[a.shape()[*mode]])?;
    }
    let products = |tile: &Tile<T>, products: &mut Vec<T>| {
        stored_values(tile, products);
        for (mode, vector) in modes.iter().zip(vectors) {
            products.iter_mut().zip(&tile.coordinates[*mode]).for_each(|(product, x)| *product = product.times(vector[*x as usize]));
        }
    };
    folded(a, modes, products, &|a: &T, b: &T| a.plus(*b))
}

/// Replaces `values` by the values of a tile.
fn stored_values<T: Scalar>(tile: &Tile<T>, values: &mut Vec<T>) {
    values.clear();
    values.extend_from_slice(tile.values());
}

/// Folds the elements along the axes `axes` to one. The result has the remaining axes, and stores an element for each
/// coordinate in them that a stored element has.
///
/// With [`Cells::All`], a coordinate of the result without stored elements counts as 0 and is not stored, as long as
/// no folded axis has extent 0. A result of rank 0 always has one element, which is 0 if nothing is stored.
///
/// Elements are folded in an order that does not depend on the number of threads, so neither does the result. The order may be
/// another one if the operand is watched.
///
/// ```
/// use sparse_formats::{Builder, Cells, Format, Indices, Reduction, reduce};
/// let columns: [Indices; 3] = [vec![0u8, 1, 1].into(), vec![1u8, 0, 1].into(), vec![0u8, 1, 1].into()];
/// let a = Builder::new(Format::csf(3), 0).build(&[2, 2, 2], &columns, vec![2, 3, 4])?;
/// // Sums over axes 0 and 1 leave one element for each coordinate of axis 2.
/// let sums = reduce(&a, &[0, 1], Reduction::Sum, Cells::Stored)?;
/// assert_eq!((sums.shape(), sums.at(&[0]), sums.at(&[1])), (&[2][..], Some(&2), Some(&7)));
/// assert_eq!(reduce(&a, &[0, 1, 2], Reduction::Sum, Cells::Stored)?.at(&[]), Some(&9));
/// assert!(reduce(&a, &[1, 0], Reduction::Sum, Cells::Stored).is_err(), "axes must be in increasing order");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if `axes` does not strictly increase or names an axis that the tensor lacks. Also if the tensor stores
/// no values or one triangle for both, or if memory has no room.
pub fn reduce<T: Scalar>(
    a: &impl SparseOperand<T>,
    axes: &[usize],
    reduction: Reduction,
    cells: Cells,
) -> Result<SparseTensor<'static, T>, OperationError> {
    match reduction {
        Reduction::Sum => reduced(a, axes, [cells, Cells::Stored], |a, b| a.plus(*b)),
        Reduction::Max => reduced(a, axes, [cells; 2], |a, b| if b > a || is_nan(b) { *b } else { *a }),
        Reduction::Min => reduced(a, axes, [cells; 2], |a, b| if b < a || is_nan(b) { *b } else { *a }),
    }
}

/// Tests for a NaN, the only value that differs from itself.
#[allow(clippy::eq_op)]
fn is_nan<T: Scalar>(x: &T) -> bool {
    x != x
}

/// Folds the elements along axes by `better`, as `reduce` does. `cells[1]` are the elements that take part where counting them
/// takes time.
fn reduced<T: Scalar>(
    a: &impl SparseOperand<T>,
    axes: &[usize],
    cells: [Cells; 2],
    better: impl Fold<T>,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let all = axes.iter().fold(1u128, |all, axis| all.saturating_mul(a.shape().get(*axis).copied().unwrap_or(0).into()));
    // If not all elements are stored, one of them is 0.
    let finish = |value: T, count: u64| match cells[0] == Cells::Stored || u128::from(count) >= all {
        true => value,
        false => better(&value, &T::ZERO),
    };
    if let Some(folded) = of_rows(a, axes, &better, |value, count| finish(value, count as u64)) {
        return folded;
    }
    if cells[1] == Cells::Stored {
        return folded(a, axes, stored_values, &better);
    }
    let counted = |tile: &Tile<T>, pairs: &mut Vec<(T, u64)>| {
        pairs.clear();
        pairs.extend(tile.values().iter().map(|value| (*value, 1)));
    };
    let folded = folded(a, axes, counted, &|a: &(T, u64), b: &(T, u64)| (better(&a.0, &b.0), a.1 + b.1))?;
    folded.map(|(value, count)| finish(*value, *count))
}

/// Folds each row of a matrix in compressed rows to one element, which `finish` completes. Returns `None` if the operand is no such matrix with a value
/// for each element, has a watcher, or if other axes are folded.
fn of_rows<T: Scalar>(
    a: &impl SparseOperand<T>,
    axes: &[usize],
    fold: &impl Fold<T>,
    finish: impl Fn(T, usize) -> T + Sync,
) -> Option<Result<SparseTensor<'static, T>, OperationError>> {
    let ([(None, tensor)], None) = (&a.tensors()[..], a.watcher()) else { return None };
    let (format, Values::Each(values)) = (tensor.format(), tensor.values()) else { return None };
    if !format.has_compressed_rows() || axes != &format.axis_order()[1..] {
        return None;
    }
    let folded = || {
        whole(a)?;
        let full = || memory(tensor.stored());
        let pointers = tensor.pattern().pointers(0).and_then(Indices::cast::<u64>).ok_or_else(full)?;
        let (rows, values) = folded_rows(&pointers, values, fold, finish).ok_or_else(full)?;
        let shape = [a.shape()[format.axis_order()[0]]];
        let rows = in_width(rows.into(), Width::below(shape[0])).ok_or_else(full)?;
        FoldedList { columns: vec![rows], values }.tensor(&shape)
    };
    Some(folded())
}

/// Counts the stored elements along the axes `axes`, for each coordinate in the remaining axes.
///
/// ```
/// use sparse_formats::{Builder, Format, Indices, count};
/// let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![2u8, 0, 2].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![2, 3, 4])?;
/// // The number of elements in each column. Column 1 has none.
/// let counts = count(&a, &[0])?;
/// assert_eq!((counts.stored(), counts.at(&[0]), counts.at(&[1]), counts.at(&[2])), (2, Some(&1), Some(&0), Some(&2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as `reduce` does.
pub fn count<T: Scalar>(a: &impl SparseOperand<T>, axes: &[usize]) -> Result<SparseTensor<'static, u64>, OperationError> {
    let ones = |tile: &Tile<T>, ones: &mut Vec<u64>| {
        ones.clear();
        ones.resize(tile.len, 1);
    };
    folded(a, axes, ones, &|a: &u64, b: &u64| a + b)
}
