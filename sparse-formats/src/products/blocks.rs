//! Multiplies matrices of dense blocks by vectors. The block size is a constant, so that the sums of a block row stay
//! in registers.

use super::tile::LOOKAHEAD;
use super::{Scalar, SparseOperand};
use crate::kernels::prefetch::{prefetch, prefetch_stream, prefetch_stream_at};
use crate::kernels::vector_width::{Task, run_widest};
use crate::{LevelKind, Values, with_indices};
use alloc::vec::Vec;
use array_kernels::parallel;
use core::ops::Range;
use layout_levels::Index;

/// A matrix of compressed rows of blocks, all of the same size.
struct Blocks<'b, P, I, T> {
    pointers: &'b [P],
    indices: &'b [I],
    values: &'b [T],
    /// The vector, padded with zeros to the columns that the blocks cover.
    x: &'b [T],
}

/// Computes `y = A x` if the matrix has fill value 0 and compressed rows of blocks of 2x2, 3x3, 4x4 or 8x8. Returns
/// false, with `y` unchanged, for all other matrices. It also multiplies values that fill up a block, so these must be 0.
pub(super) fn multiply<T: Scalar>(a: &impl SparseOperand<T>, x: &[T], y: &mut [T]) -> bool {
    let [(Some(map), tensor)] = a.tensors()[..] else { return false };
    let (format, pattern) = (tensor.format(), tensor.pattern());
    let plain = map.digits().len() == 4 && map.digits().iter().all(|digit| digit.weight == 1);
    let compressed = format.kinds() == [LevelKind::Pointers, LevelKind::Indices] && format.axis_order() == [0, 1, 2, 3];
    let (Some(pointers), Some(indices), Values::Each(values), true) =
        (pattern.pointers(0), pattern.indices(1), tensor.values(), plain && compressed && *tensor.fill() == T::ZERO)
    else {
        return false;
    };
    let edges = [map.extents()[2], map.extents()[3]];
    let reach = map.reach(1) as usize;
    let padded: Vec<T>;
    let x = if x.len() == reach {
        x
    } else {
        padded = x.iter().copied().chain(core::iter::repeat(T::ZERO)).take(reach).collect();
        &padded
    };
    with_indices!(pointers, pointers => with_indices!(indices, indices => {
        let blocks = Blocks { pointers: &pointers[..], indices: &indices[..], values: &values[..], x };
        match edges {
            [2, 2] => blocks.multiply::<2, 2>(y),
            [3, 3] => blocks.multiply::<3, 3>(y),
            [4, 4] => blocks.multiply::<4, 4>(y),
            [8, 8] => blocks.multiply::<8, 8>(y),
            _ => return false,
        }
    }));
    a.watcher().inspect(|watcher| watcher(indices.len()));
    true
}

impl<P: Index, I: Index, T: Scalar> Blocks<'_, P, I, T> {
    /// Computes `y = A x` on all threads, for blocks of `B` rows and `C` columns.
    fn multiply<const B: usize, const C: usize>(&self, y: &mut [T]) {
        let (rows, work) = (self.pointers.len() - 1, self.indices.len());
        let (mut rest, mut tasks, mut first) = (y, Vec::new(), 0);
        let count = parallel::threads(work * B * C);
        for part in parallel::ranges(work, count) {
            let end = if part.end == work { rows } else { self.pointers.partition_point(|p| p.to_usize() < part.end).min(rows) };
            let of = first..end.max(first);
            let take = (of.len() * B).min(rest.len());
            tasks.push((of.clone(), parallel::carve(&mut rest, take)));
            first = of.end;
        }
        parallel::map(tasks, |(rows, y)| run_widest(BlockRows::<P, I, T, B, C> { blocks: self, rows, y }));
    }
}

/// The task that multiplies a range of block rows.
struct BlockRows<'r, 'b, P, I, T, const B: usize, const C: usize> {
    blocks: &'r Blocks<'b, P, I, T>,
    rows: Range<usize>,
    y: &'r mut [T],
}

impl<P: Index, I: Index, T: Scalar, const B: usize, const C: usize> Task for BlockRows<'_, '_, P, I, T, B, C> {
    #[inline(always)]
    fn run(self) {
        let BlockRows { blocks: Blocks { pointers, indices, values, x }, rows, y } = self;
        let (vector, _) = x.as_chunks::<C>();
        let (values, _) = values.as_chunks::<C>();
        for (row, y) in rows.zip(y.chunks_mut(B)) {
            let mut sums = [[T::ZERO; C]; B];
            for block in pointers[row].to_usize()..pointers[row + 1].to_usize() {
                let (x, values) = (&vector[indices[block].to_usize()], &values[block * B..][..B]);
                prefetch_stream_at(&indices[block]);
                prefetch_stream(values);
                // The blocks choose arbitrary positions of the vector, and a processor runs only a few blocks ahead
                // by itself.
                if let Some(later) = indices.get(block + LOOKAHEAD) {
                    prefetch(vector.as_ptr().wrapping_add(later.to_usize()), 1);
                }
                for (sums, values) in sums.iter_mut().zip(values) {
                    for k in 0..C {
                        sums[k] = sums[k].plus(values[k].times(x[k]));
                    }
                }
            }
            for (y, sums) in y.iter_mut().zip(sums) {
                *y = sums.into_iter().fold(T::ZERO, Scalar::plus);
            }
        }
    }
}
