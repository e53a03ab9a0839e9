//! Elements of one coordinate in the axes that stay, folded to one.

use super::stream::Tile;
use super::{Operand, Scalar, operand, streams};
use crate::kernels::{Value, parallel};
use crate::{Builder, Duplicates, Format, Indices, OperationError, SparseTensor};
use alloc::vec;
use alloc::vec::Vec;

/// Elements of a piece.
const PIECE: usize = 1 << 16;

/// What elements are folded to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reduction {
    /// Their sum.
    Sum,
    /// The greatest; one that is not ordered, a NaN, stays where it comes first.
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

/// The coordinates of all elements in some axes, and what `value` makes of each: of its tile, and its number in it.
fn project<T: Scalar, W: Value>(
    a: &impl Operand<T>,
    axes: &[usize],
    value: impl Fn(&Tile<T>, usize) -> W + Sync,
) -> Result<(Vec<Indices<'static>>, Vec<W>), OperationError> {
    let (mut columns, mut values) = (vec![Vec::new(); axes.len()], Vec::new());
    for stream in streams(a)? {
        let pieces = parallel::ranges(stream.elements, stream.elements.div_ceil(PIECE).max(1));
        let of_piece = |piece| {
            let (mut columns, mut values) = (vec![Vec::new(); axes.len()], Vec::new());
            stream.tiles(piece, false, &mut Tile::new(), |tile| {
                columns.iter_mut().zip(axes).for_each(|(column, axis)| column.extend_from_slice(&tile.coordinates[*axis][..tile.len]));
                values.extend((0..tile.len).map(|e| value(tile, e)));
            });
            (columns, values)
        };
        for (of, these) in parallel::map(pieces, of_piece) {
            columns.iter_mut().zip(of).for_each(|(column, of): (&mut Vec<u64>, Vec<u64>)| column.extend(of));
            values.extend(these);
        }
    }
    Ok((columns.iter().map(|column| Indices::narrowest(column)).collect(), values))
}

/// The tensor of the axes that stay, as a list: elements of one coordinate are folded in storage order.
fn folded<T: Scalar, W: Value>(
    a: &impl Operand<T>,
    gone: &[usize],
    value: impl Fn(&Tile<T>, usize) -> W + Sync,
    fold: &(dyn Fn(&W, &W) -> W + Sync),
) -> Result<SparseTensor<'static, W>, OperationError> {
    let rank = a.shape().len();
    if !gone.is_sorted_by(|a, b| a < b) || gone.last().is_some_and(|axis| *axis >= rank) {
        return Err(OperationError::Modes { modes: gone.to_vec(), rank });
    }
    let axes: Vec<usize> = (0..rank).filter(|axis| !gone.contains(axis)).collect();
    let shape = crate::shape::pick(a.shape(), &axes);
    let (columns, values) = project(a, &axes, value)?;
    let builder = Builder::new(Format::coo(axes.len()), W::default());
    if axes.is_empty() {
        // A scalar has no column that says how many elements it is made of; of none it is the default.
        let values: Vec<W> = values.into_iter().reduce(|a, b| fold(&a, &b)).into_iter().collect();
        return Ok(builder.build(&[], &[], values)?);
    }
    Ok(builder.duplicates(Duplicates::Combine(fold)).build(&shape, &columns, values)?)
}

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
/// Over all cells, a coordinate of the result of which nothing is stored is 0, as long as there are any cells.
///
/// # Errors
/// Axes that are not those of the tensor in increasing order.
pub fn reduce<T: Scalar>(
    a: &impl Operand<T>,
    axes: &[usize],
    reduction: Reduction,
    cells: Cells,
) -> Result<SparseTensor<'static, T>, OperationError> {
    let better = |a: &T, b: &T| match reduction {
        Reduction::Sum => a.plus(*b),
        Reduction::Max => {
            if b > a {
                *b
            } else {
                *a
            }
        }
        Reduction::Min => {
            if b < a {
                *b
            } else {
                *a
            }
        }
    };
    let sums = folded(a, axes, |tile, e| tile.values()[e], &better)?;
    if cells == Cells::Stored || reduction == Reduction::Sum {
        return Ok(sums);
    }
    // Where fewer are stored than there are, one of them is 0.
    let counts = count(a, axes)?;
    let all = axes.iter().fold(1u128, |all, axis| all.saturating_mul(u128::from(a.shape()[*axis])));
    let mut values = Vec::with_capacity(sums.stored());
    sums.for_each(|coordinate, value| {
        let value = value.copied().unwrap_or_default();
        let full = counts.at(coordinate).is_some_and(|count| u128::from(*count) >= all);
        values.push(if full { value } else { better(&value, &T::ZERO) });
    });
    Ok(SparseTensor::new(sums.shared_pattern(), values, T::ZERO).map_err(|rejected| rejected.error)?)
}

/// How many elements are stored along some axes.
///
/// # Errors
/// Axes that are not those of the tensor in increasing order.
pub fn count<T: Scalar>(a: &impl Operand<T>, axes: &[usize]) -> Result<SparseTensor<'static, u64>, OperationError> {
    folded(a, axes, |_, _| 1u64, &|a, b| a + b)
}
