//! Makes and folds compressed rows on several threads.

use crate::{Indices, Width};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::memory::try_repeated;
use array_kernels::{Value, merge_path, parallel, with_width};
use core::ops::Range;
use layout_levels::Index;

/// The arrays of compressed rows.
pub(crate) struct CompressedRows<I, T> {
    pub pointers: Vec<u64>,
    pub columns: Vec<I>,
    pub values: Vec<T>,
}

impl<I: Index, T: Value> CompressedRows<I, T> {
    /// Makes the rows of each task. A task is consecutive rows and the most elements that they can have; the tasks must cover the
    /// rows in order.
    ///
    /// `make` receives the rows of a task and room for their columns, filled with zeros, and for their values, filled with `zero`. It writes the elements
    /// to the front and returns the number of elements up to the end of each row. Memory that stays empty costs nothing where
    /// the system provides zeros, and the gaps between tasks are closed at the end.
    ///
    /// Returns `None` if memory has no room.
    pub fn of_tasks(
        tasks: Vec<(Range<usize>, usize)>,
        zero: T,
        make: impl Fn(Range<usize>, &mut [I], &mut [T]) -> Vec<usize> + Sync,
    ) -> Option<Self> {
        let most = tasks.iter().try_fold(0_usize, |sum, (_, most)| sum.checked_add(*most))?;
        let (mut columns, mut values) = (try_repeated(I::default(), most)?, try_repeated(zero, most)?);
        let (mut free, mut places, mut shares) = (&mut columns[..], &mut values[..], Vec::with_capacity(tasks.len()));
        for (rows, most) in tasks {
            shares.push((rows, parallel::carve(&mut free, most), parallel::carve(&mut places, most)));
        }
        let made = parallel::map(shares, |(rows, columns, values)| (columns.len(), make(rows, columns, values)));
        let (mut pointers, mut pieces, mut stored) = (vec![0], Vec::with_capacity(made.len()), 0);
        for (most, ends) in made {
            pointers.extend(ends.iter().map(|end| stored + *end as u64));
            let kept = ends.last().copied().unwrap_or(0);
            pieces.push((most, kept));
            stored += kept as u64;
        }
        parallel::close_gaps(&mut columns, &pieces);
        parallel::close_gaps(&mut values, &pieces);
        columns.truncate(stored as usize);
        values.truncate(stored as usize);
        columns.shrink_to_fit();
        values.shrink_to_fit();
        Some(CompressedRows { pointers, columns, values })
    }
}

/// Converts an array to a width, which must hold its numbers. Returns `None` if memory has no room.
pub(crate) fn in_width(array: Indices<'static>, width: Width) -> Option<Indices<'static>> {
    if array.width() == width {
        return Some(array);
    }
    Some(with_width!(width, W => array.cast::<W>()?.into_owned().into()))
}

/// Folds the values of each row to one, which `finish` completes; it also receives the number of values. Returns the numbers of the
/// rows that have values, and the results, or `None` if memory has no room. `pointers` must not decrease, and their last must not
/// exceed the number of values.
///
/// The order in which a row is folded depends only on its length.
pub(crate) fn folded_rows<T: Value + Copy>(
    pointers: &[u64],
    values: &[T],
    fold: &(impl Fn(&T, &T) -> T + Sync),
    finish: impl Fn(T, usize) -> T + Sync,
) -> Option<(Vec<u64>, Vec<T>)> {
    let shares = merge_path::whole_rows(&merge_path::Offsets::new(pointers), parallel::threads(values.len()));
    let tasks = shares.into_iter().map(|share| (share.rows.clone(), share.rows.len())).collect();
    let made = CompressedRows::<u64, T>::of_tasks(tasks, T::default(), |rows, numbers, folded| {
        let mut count = 0;
        for row in rows {
            let values = &values[pointers[row] as usize..pointers[row + 1] as usize];
            if let Some(one) = fold_all(values, fold) {
                (numbers[count], folded[count]) = (row as u64, finish(one, values.len()));
                count += 1;
            }
        }
        vec![count]
    })?;
    Some((made.columns, made.values))
}

/// Folds all values to one, or returns `None` if there are none. Many values are folded in lanes, which do not wait for one another.
fn fold_all<T: Copy>(values: &[T], fold: impl Fn(&T, &T) -> T) -> Option<T> {
    const LANES: usize = 8;
    if values.len() < 4 * LANES {
        return values.iter().copied().reduce(|a, b| fold(&a, &b));
    }
    let (chunks, rest) = values.as_chunks::<LANES>();
    let lanes = chunks.iter().copied().reduce(|lanes, chunk| core::array::from_fn(|k| fold(&lanes[k], &chunk[k])))?;
    lanes.iter().chain(rest).copied().reduce(|a, b| fold(&a, &b))
}
