//! Products on several threads: the same sums in the same order, however many there are.

use super::rows::{Out, Product, Target};
use super::stream::{Stream, TILE};
use super::tile::Tile;
use super::{Scalar, zeros};
use crate::OperationError;
use crate::kernels::wide::{per_line, to_line};
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::parallel;
use core::ops::Range;

/// Elements of a piece, where results come in the order of elements.
const PIECE: usize = 1 << 16;

/// The most private results.
const COPIES: usize = 8;

/// For each row of a private result there are so many elements or more: setting it to 0 and adding it takes little beside them.
const PER_ROW: usize = 64;

/// Two results are worth it from so many elements a row of each on: without a second one, two threads would both go through all elements.
const PER_ROW_OF_TWO: usize = 12;

/// Tiles that say how elements are spread over rows.
const SAMPLES: usize = 16;

/// The products of all elements: so many rows of these extents.
///
/// Rows that are added to in any order begin where lines of memory do, as long as they are added to: each is in as few lines as can be.
pub(super) fn products<T: Scalar>(
    streams: &[Stream<T>],
    product: &Product<T>,
    rows: usize,
    extents: &[u64],
) -> Result<Vec<T>, OperationError> {
    let in_order = streams.iter().all(|stream| ordered(stream, product));
    let mut out = Lined::new(zeros(extents, if in_order { 0 } else { per_line::<T>() })?, rows * product.width);
    accumulate(streams, product, rows, out.rows());
    Ok(out.moved_down())
}

/// Rows that begin with a line, after a few elements that are no part of them.
struct Lined<T> {
    memory: Vec<T>,
    begin: usize,
    len: usize,
}

impl<T: Copy> Lined<T> {
    /// So many elements in memory that has room for some more.
    fn new(memory: Vec<T>, len: usize) -> Self {
        let begin = to_line(memory.as_ptr()).min(memory.len() - len);
        Lined { memory, begin, len }
    }

    fn rows(&mut self) -> &mut [T] {
        &mut self.memory[self.begin..][..self.len]
    }

    /// The rows alone.
    fn moved_down(mut self) -> Vec<T> {
        if self.begin > 0 {
            self.memory.copy_within(self.begin..self.begin + self.len, 0);
        }
        self.memory.truncate(self.len);
        self.memory
    }
}

/// Tests whether elements come in the order of the result.
fn ordered<T: Scalar>(stream: &Stream<T>, product: &Product<T>) -> bool {
    match product.target {
        Target::Axis(axis) => stream.leading == Some(axis),
        Target::Fiber => true,
    }
}

/// Adds the products of all elements to `out`, which has so many rows.
///
/// Where elements come in the order of the result they are cut into pieces of one size, each with rows of its own; the row that a piece begins in, but does not
/// own, it sums apart. Else elements are cut into as many parts as they are worth beside rows, each with a result of its own; where threads are more than parts,
/// each has some of the rows, and goes through all elements of the part for what they add to these.
pub(super) fn accumulate<T: Scalar>(streams: &[Stream<T>], product: &Product<T>, rows: usize, out: &mut [T]) {
    // No rows may be of any width.
    if out.is_empty() {
        return;
    }
    for stream in streams {
        if ordered(stream, product) { in_order(stream, product, rows, out) } else { scattered(stream, product, rows, out) }
    }
}

fn in_order<T: Scalar>(stream: &Stream<T>, product: &Product<T>, rows: usize, out: &mut [T]) {
    let width = product.width;
    let row = |element: usize| match product.target {
        Target::Fiber => stream.fiber(element),
        _ => stream.first_coordinate(element),
    };
    let after = |element: usize| match product.target {
        Target::Fiber => stream.next_fiber(element),
        _ => stream.next_coordinate(element, PIECE),
    };
    let pieces = stream.elements.div_ceil(PIECE).max(1);
    let (mut tasks, mut rest, mut owned) = (Vec::with_capacity(pieces), &mut *out, 0);
    let mut carries = vec![T::ZERO; pieces * width];
    let starts: Vec<usize> = (0..pieces).map(|piece| if piece == 0 { 0 } else { row(piece * PIECE) }).collect();
    for (piece, carry) in carries.chunks_mut(width).enumerate() {
        let elements = piece * PIECE..((piece + 1) * PIECE).min(stream.elements);
        // The row that it begins in may be that of the piece before.
        let shared = if starts[piece] < owned { after(elements.start).min(elements.end) } else { elements.start };
        // The next piece owns the row that it begins in, unless this one has elements of it.
        let end = match starts.get(piece + 1) {
            None => rows,
            Some(next) => next + usize::from(row(elements.end - 1) == *next),
        };
        let data = parallel::carve(&mut rest, (end - owned) * width);
        tasks.push([
            (elements.start..shared, Out { data: carry, first: starts[piece], part: false }),
            (shared..elements.end, Out { data, first: owned, part: false }),
        ]);
        owned = end;
    }
    let run = |tasks: Vec<[(Range<usize>, Out<T>); 2]>| {
        let mut tile = Tile::new().asking();
        for (elements, mut out) in tasks.into_iter().flatten() {
            product.add(stream, elements, &mut tile, &mut out);
        }
    };
    let threads = parallel::threads(stream.elements);
    let shares = parallel::ranges(pieces, if threads == 1 { 1 } else { (4 * threads).min(pieces) });
    let mut tasks = tasks.into_iter();
    parallel::map(shares.into_iter().map(|share| tasks.by_ref().take(share.len()).collect()).collect(), run);
    for (start, carry) in starts.iter().zip(carries.chunks(width)).skip(1) {
        add(&mut out[start * width..][..width], carry);
    }
}

fn scattered<'p, T: Scalar>(stream: &Stream<'p, T>, product: &Product<T>, rows: usize, out: &mut [T]) {
    let (len, line, threads) = (out.len(), per_line::<T>(), parallel::threads(stream.elements));
    let parts = parallel::ranges(stream.elements, copies(stream.elements, rows));
    let private = || Lined::new(array_kernels::memory::repeated(T::ZERO, len + line), len);
    if threads == 1 {
        let (mut tile, mut apart) = (Tile::new().asking(), None::<Lined<T>>);
        let mut run = |part: &Range<usize>, data: &mut [T]| {
            product.add(stream, part.clone(), &mut tile, &mut Out { data, first: 0, part: false });
        };
        run(&parts[0], out);
        for part in &parts[1..] {
            apart.iter_mut().for_each(|result| result.rows().fill(T::ZERO));
            let result = apart.get_or_insert_with(private);
            run(part, result.rows());
            add(out, result.rows());
        }
        return;
    }
    let mut apart: Vec<Lined<T>> = parts[1..].iter().map(|_| private()).collect();
    let mut tasks = Vec::with_capacity(threads.max(parts.len()));
    for (part, mut rest) in parts.iter().zip(core::iter::once(&mut *out).chain(apart.iter_mut().map(Lined::rows))) {
        let (ends, mut first) = (bounds(stream, product, rows, threads / parts.len(), part.clone()), 0);
        for (k, end) in ends.iter().enumerate() {
            let out = Out { data: parallel::carve(&mut rest, (end - first) * product.width), first, part: ends.len() > 1 };
            tasks.push((part.clone(), Tile::shared(Some([k, ends.len()])).asking(), out));
            first = *end;
        }
    }
    parallel::map(tasks, |(part, mut tile, mut out)| product.add(stream, part, &mut tile, &mut out));
    apart.iter_mut().for_each(|result| add(out, result.rows()));
}

/// In how many results, each of a part of the elements, so many rows are summed: by the numbers of elements and rows alone.
fn copies(elements: usize, rows: usize) -> usize {
    let worth = |per_row: usize| (elements / per_row).checked_div(rows).unwrap_or(1);
    let copies = worth(PER_ROW).max(worth(PER_ROW_OF_TWO).min(2)).min(elements / TILE).clamp(1, COPIES);
    // Threads share them evenly.
    1 << copies.ilog2()
}

/// Where the rows of each thread end, so that all have about as many of some elements; it makes no difference to sums.
fn bounds<T: Scalar>(stream: &Stream<T>, product: &Product<T>, rows: usize, threads: usize, elements: Range<usize>) -> Vec<usize> {
    let Target::Axis(axis) = product.target else { return vec![rows] };
    if threads <= 1 {
        return vec![rows];
    }
    let (mut sample, mut tile) = (Vec::new(), Tile::shared(None));
    for range in parallel::ranges(elements.len(), SAMPLES) {
        let start = elements.start + range.start;
        stream.tiles(start..start + range.len().min(TILE), false, &mut tile, |tile| {
            sample.extend(tile.coordinates[axis][..tile.len].iter().map(|row| *row as usize))
        });
    }
    sample.sort_unstable();
    let quantile = |k: usize| sample.get(k * sample.len() / threads).map_or(rows, |row| row + 1).min(rows);
    let mut out: Vec<usize> = (1..threads).map(quantile).chain([rows]).collect();
    out.dedup();
    out
}

/// Adds one array to another.
fn add<T: Scalar>(out: &mut [T], other: &[T]) {
    let (len, mut rest, mut parts) = (out.len(), out, Vec::new());
    for range in parallel::ranges(len, parallel::threads(len)) {
        parts.push((parallel::carve(&mut rest, range.len()), &other[range]));
    }
    parallel::map(parts, |(out, other)| out.iter_mut().zip(other).for_each(|(x, y)| *x = x.plus(*y)));
}
