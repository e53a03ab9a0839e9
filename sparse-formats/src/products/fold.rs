//! Elements of one coordinate in the axes that stay, folded to one.

use super::stream::{Stream, TileOptions};
use super::tile::Tile;
use super::{Operand, Scalar, memory, operand, streams};
use crate::kernels::Value;
use crate::shape::{pick, product};
use crate::{Arrays, Builder, Duplicates, Format, Indices, OperationError, SparseTensor, SparsityPattern, Width, with_indices};
use alloc::vec::Vec;
use array_kernels::memory::{grow, try_repeated};
use array_kernels::parallel;
use array_kernels::with_width;
use core::ops::Range;
use layout_levels::Index;

/// Elements of a piece: those of one coordinate are folded in each, then what pieces have made of them.
const PIECE: usize = 1 << 16;

/// Pieces that a thread has made before they are put together.
const AT_ONCE: usize = 4;

/// What elements are folded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// The greatest; a NaN where there is one.
    Max,
    /// The least, likewise.
    Min,
}

/// The elements that a reduction is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cells {
    /// Those that are stored.
    Stored,
    /// All, what is not stored being 0.
    All,
}

/// Elements one after the other: an array of coordinates for each axis, as wide as its extent asks for, and their values.
struct FoldedList<W> {
    columns: Vec<Indices<'static>>,
    values: Vec<W>,
}

impl<W: Value> FoldedList<W> {
    fn new(extents: &[u64]) -> Self {
        let column = |extent: &u64| with_width!(Width::below(*extent), I => Vec::<I>::new().into());
        FoldedList { columns: extents.iter().map(column).collect(), values: Vec::new() }
    }

    /// Appends what `fold` makes of the elements of a tile, neighbours of one coordinate together; `joins` if the first may be a neighbour of the last here.
    fn folded<T>(
        &mut self,
        tile: &Tile<T>,
        axes: &[usize],
        joins: bool,
        value: &impl Fn(&Tile<T>, usize) -> W,
        fold: &Fold<W>,
    ) -> Option<()> {
        let coordinate = |axis: &usize, e: usize| tile.coordinates[*axis][e];
        let follows = |e: usize| match e.checked_sub(1) {
            Some(before) => axes.iter().all(|axis| coordinate(axis, before) == coordinate(axis, e)),
            None => joins && self.last().is_some_and(|last| last.eq(axes.iter().map(|axis| coordinate(axis, e)))),
        };
        let starts: Vec<usize> = (0..tile.len).filter(|e| !follows(*e)).collect();
        for (column, axis) in self.columns.iter_mut().zip(axes) {
            with_indices!(column, column => {
                let column = column.to_mut();
                grow(column, starts.len())?;
                starts.iter().for_each(|e| column.push(Index::from_low_bits(coordinate(axis, *e))));
            });
        }
        grow(&mut self.values, starts.len())?;
        let (mut starts, mut e) = (starts.into_iter().peekable(), 0);
        while e < tile.len {
            let mut folded = match starts.next_if_eq(&e) {
                Some(_) => {
                    e += 1;
                    value(tile, e - 1)
                }
                // Of the element that is the last one here.
                None => self.values.pop()?,
            };
            for e in e..starts.peek().copied().unwrap_or(tile.len) {
                folded = fold(&folded, &value(tile, e));
            }
            e = starts.peek().copied().unwrap_or(tile.len);
            self.values.push(folded);
        }
        Some(())
    }

    /// The coordinates of the last element.
    fn last(&self) -> Option<impl Iterator<Item = u64> + '_> {
        let last = self.values.len().checked_sub(1)?;
        Some(self.columns.iter().filter_map(move |column| column.get(last)))
    }

    /// Appends a list; its first element and the last one here become one if they have one coordinate.
    fn append(&mut self, other: FoldedList<W>, joins: Option<&Fold<W>>) -> Option<()> {
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

    /// The tensor of these elements, which are in order, a coordinate each.
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

/// What is made of two.
type Fold<'f, W> = dyn Fn(&W, &W) -> W + Sync + 'f;

/// The tensor of the axes that stay, as a list: elements of one coordinate are folded.
///
/// Where they come in the order of the result, as the rows of `C-S-R`, they are folded as they come; where the result has not many more coordinates than there are
/// elements, in an array of all of them; else a list of all elements is sorted.
fn folded<T: Scalar, W: Value>(
    a: &impl Operand<T>,
    gone: &[usize],
    value: impl Fn(&Tile<T>, usize) -> W + Sync,
    fold: &Fold<W>,
) -> Result<SparseTensor<'static, W>, OperationError> {
    let rank = a.shape().len();
    if !gone.is_sorted_by(|a, b| a < b) || gone.last().is_some_and(|axis| *axis >= rank) {
        return Err(OperationError::Modes { modes: gone.to_vec(), rank });
    }
    let axes: Vec<usize> = (0..rank).filter(|axis| !gone.contains(axis)).collect();
    let (shape, streams) = (pick(a.shape(), &axes), streams(a)?);
    let elements = streams.iter().map(|stream| stream.elements * stream.positions()).sum();
    let of = Folding { axes: &axes, shape: &shape, value, fold };
    if axes.is_empty() {
        let list = of.listed(&streams, true).ok_or(memory(elements))?;
        // A scalar is an element, of nothing the default.
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
    Ok(Builder::new(Format::coo(axes.len()), W::default()).duplicates(Duplicates::Combine(fold)).build(&shape, &columns, values)?)
}

/// How elements become those of a result.
struct Folding<'f, W, F> {
    axes: &'f [usize],
    shape: &'f [u64],
    value: F,
    fold: &'f Fold<'f, W>,
}

impl<W: Value, F> Folding<'_, W, F> {
    /// The elements of all streams, neighbours of one coordinate folded, those of different pieces too if `joins`. Pieces are the same for any number of threads.
    fn listed<T: Scalar>(&self, streams: &[Stream<T>], joins: bool) -> Option<FoldedList<W>>
    where
        F: Fn(&Tile<T>, usize) -> W + Sync,
    {
        let mut all = FoldedList::new(self.shape);
        for stream in streams {
            let pieces: Vec<Range<usize>> =
                (0..stream.elements.div_ceil(PIECE)).map(|piece| piece * PIECE..((piece + 1) * PIECE).min(stream.elements)).collect();
            for pieces in pieces.chunks(AT_ONCE * parallel::threads(stream.elements)) {
                let made = parallel::map(pieces.to_vec(), |piece| {
                    let (mut list, mut tile, mut tiles) =
                        (FoldedList::new(self.shape), Tile::new(), stream.tiles(piece, TileOptions::ELEMENTS));
                    while tiles.decode_next(&mut tile) {
                        list.folded(&tile, self.axes, true, &self.value, self.fold)?;
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

    /// The elements of all streams, folded in an array of all coordinates of the result: each thread has some of these.
    fn in_cells<T: Scalar>(&self, streams: &[Stream<T>], cells: usize, elements: usize) -> Option<FoldedList<W>>
    where
        F: Fn(&Tile<T>, usize) -> W + Sync,
    {
        let mut folded: Vec<W> = try_repeated(W::default(), cells)?;
        // A bit for each that there is.
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
            let mut cells: Vec<u64> = Vec::new();
            for stream in streams {
                let options = TileOptions { share: Some([k, threads]), ..TileOptions::ELEMENTS };
                let (mut tile, mut tiles) = (Tile::new(), stream.tiles(0..stream.elements, options));
                while tiles.decode_next(&mut tile) {
                    cells.clear();
                    cells.resize(tile.len, 0);
                    for (axis, stride) in self.axes.iter().zip(&strides) {
                        cells.iter_mut().zip(&tile.coordinates[*axis]).for_each(|(cell, x)| *cell += x * stride);
                    }
                    for (e, cell) in cells.iter().enumerate() {
                        let cell = (*cell as usize).wrapping_sub(first);
                        if let Some(slot) = folded.get_mut(cell) {
                            let (value, bit) = ((self.value)(&tile, e), 1 << (cell % BITS));
                            let word = &mut found[cell / BITS];
                            *slot = if *word & bit == 0 { value } else { (self.fold)(slot, &value) };
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
        // Those that there are move to the front.
        for (to, from) in places().enumerate() {
            folded.swap(to, from);
        }
        folded.truncate(count);
        Some(FoldedList { columns, values: folded })
    }
}

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// The tensor contracted with a vector along each of some axes: `out[..] = sum of a[.., j, ..] * vectors[..][j] * ..`, stored elements only.
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
/// Modes that are not axes in increasing order, another number of vectors, or one of another length.
pub fn ttv<T: Scalar>(a: &impl Operand<T>, modes: &[usize], vectors: &[&[T]]) -> Result<SparseTensor<'static, T>, OperationError> {
    let rank = a.shape().len();
    if modes.iter().any(|mode| *mode >= rank) {
        return Err(OperationError::Modes { modes: modes.to_vec(), rank });
    }
    operand("vectors", &[vectors.len() as u64], vectors.len(), &[modes.len() as u64])?;
    for (mode, vector) in modes.iter().zip(vectors) {
        operand("vector", &[vector.len() as u64], vector.len(), &[a.shape()[*mode]])?;
    }
    let product = |tile: &Tile<T>, e: usize| {
        let factors = modes.iter().zip(vectors).map(|(mode, vector)| vector[tile.coordinates[*mode][e] as usize]);
        factors.fold(tile.values()[e], Scalar::times)
    };
    folded(a, modes, product, &|a, b| a.plus(*b))
}

/// The elements along some axes folded to one; what is stored of the result is what stored elements are folded to.
///
/// Over all cells, a coordinate of the result of which nothing is stored is 0, as long as there are any cells. A result without axes is an element in any case,
/// 0 where nothing is stored.
///
/// Elements are folded in storage order, those of each of some pieces first; the pieces are the same for any number of threads.
///
/// # Errors
/// Axes that are not those of the tensor in increasing order.
pub fn reduce<T: Scalar>(
    a: &impl Operand<T>,
    axes: &[usize],
    reduction: Reduction,
    cells: Cells,
) -> Result<SparseTensor<'static, T>, OperationError> {
    // What is not equal to itself is not ordered.
    #[allow(clippy::eq_op)]
    let unordered = |x: &T| x != x;
    let better = |a: &T, b: &T| match reduction {
        Reduction::Sum => a.plus(*b),
        Reduction::Max if b > a || unordered(b) => *b,
        Reduction::Min if b < a || unordered(b) => *b,
        _ => *a,
    };
    let all = axes.iter().fold(1u128, |all, axis| all.saturating_mul(a.shape().get(*axis).copied().unwrap_or(0).into()));
    if cells == Cells::Stored || reduction == Reduction::Sum {
        return folded(a, axes, |tile, e| tile.values()[e], &better);
    }
    // Where fewer are stored than there are, one of them is 0.
    let folded = folded(a, axes, |tile, e| (tile.values()[e], 1u64), &|a: &(T, u64), b| (better(&a.0, &b.0), a.1 + b.1))?;
    folded.map(|(value, count)| if u128::from(*count) >= all { *value } else { better(value, &T::ZERO) })
}

/// How many elements are stored along some axes.
///
/// # Errors
/// Axes that are not those of the tensor in increasing order.
pub fn count<T: Scalar>(a: &impl Operand<T>, axes: &[usize]) -> Result<SparseTensor<'static, u64>, OperationError> {
    folded(a, axes, |_, _| 1u64, &|a, b| a + b)
}
