//! Schedules a [`RowProduct`] on several threads: MTTKRP, TTM, SpMM and SpMV. Sums are the same for any number of threads.
//!
//! Each step is a file, and the call goes down through them once. `n` elements of a tensor with `d` axes, in `f` fibers, choose rows of `R` numbers; the result
//! has `m` rows.
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Cut, here | Cuts elements among private results and threads. Where elements come in the order of the result, each piece of 65536 has rows of its own. | one search a piece; a sample of 16 tiles where threads divide the rows | one thread, one part |
//! | 2. Decode, `stream.rs` | Fills a tile with the coordinates of up to 1024 elements, or 4096 in fibers. | indices are read once for each thread that shares a part; 8 bytes a slot and axis are written, in a first-level cache | leaf coordinates that whole rows read where they are stored |
//! | 3. Gather, `gather.rs` | Finds the rows that coordinates choose. Prefetches those of 16 elements or 8 fibers ahead. | by fiber a row of `R` numbers for each element, of a factor or of the result, and up to `d - 1` for each fiber; else `d - 1` for each element | never |
//! | 4. Multiply, `multiply.rs` | Multiplies and accumulates `C` of 32, 16, 8, 4, 2 or 1 columns in registers. | by fiber `R (n + f (d - 1))` multiplications, else `R n (d - 1)`; no more additions | never |
//! | 5. Reduce, `private_results.rs` | Adds private results to the first. | `R m` additions each, at most 7 times; `R` for each piece of elements in order | one result |
//!
//! By fibers, the nest is that of SPLATT over compressed sparse fibers (Smith, Ravindran, Sidiropoulos, Karypis, 2015), here for `out[i] += a(i, j, k) B[j] C[k]`:
//!
//! ```text
//! for tensor of the operand                                   accumulate
//!   for private result, with a part of the elements           1. Cut
//!     for thread, with some of its rows                       1. Cut
//!       for tile of the part                                  2. Decode
//!         for C columns of R                                  Multiply::columns
//!           for group of fibers                               3. Gather: rows that all its fibers share
//!             for fiber (i, j)                                3. Gather: B[j]
//!               for element (i, j, k)                         3. Gather: C[k]
//!                 sums[..C] += a * C[k][..C]                  4. Multiply
//!               out[i][..C] += sums[..C] * B[j][..C]          4. Multiply
//!   sum the private results                                   5. Reduce
//! ```
//!
//! Along the leaf axis the product of the shared rows comes before the loop over elements, and each element adds to a row of the result. Tensors whose fibers have
//! less than two elements on average, and those without fibers, run element by element.

use super::multiply::{OutputRows, multiply};
use super::private_results::{AlignedRows, add, per_line, private_results};
use super::row_product::{OutputRow, RowProduct};
use super::stream::{Stream, TileOptions};
use super::tile::{TILE, Tile};
use super::{Scalar, zeros};
use crate::OperationError;
use alloc::vec;
use alloc::vec::Vec;
use array_kernels::parallel;
use core::ops::Range;

/// The elements of a piece, where results come in the order of elements.
const PIECE: usize = 1 << 16;

/// The tiles that tell how elements are spread over rows.
const SAMPLES: usize = 16;

/// The products of all elements: `rows` rows of these extents.
pub(super) fn products<T: Scalar>(
    streams: &[Stream<T>],
    product: &RowProduct<T>,
    rows: usize,
    extents: &[u64],
) -> Result<Vec<T>, OperationError> {
    // Rows that are added to in any order are aligned.
    let in_order = streams.iter().all(|stream| is_ordered(stream, product));
    let mut out = AlignedRows::new(zeros(extents, if in_order { 0 } else { per_line::<T>() })?, rows * product.width);
    accumulate(streams, product, rows, out.rows());
    Ok(out.into_vec())
}

/// Adds the products of all elements to `out`, which has so many rows.
pub(super) fn accumulate<T: Scalar>(streams: &[Stream<T>], product: &RowProduct<T>, rows: usize, out: &mut [T]) {
    // No rows may be of any width.
    if out.is_empty() {
        return;
    }
    for stream in streams {
        if is_ordered(stream, product) { in_order(stream, product, rows, out) } else { in_any_order(stream, product, rows, out) }
    }
}

/// Tests whether elements come in the order of the rows of the result.
fn is_ordered<T: Scalar>(stream: &Stream<T>, product: &RowProduct<T>) -> bool {
    match product.output {
        OutputRow::Axis(axis) => stream.leading == Some(axis),
        OutputRow::Fiber => true,
    }
}

/// Elements in pieces of one size, each with rows of its own. The row that a piece begins in, but does not own, it sums apart.
fn in_order<T: Scalar>(stream: &Stream<T>, product: &RowProduct<T>, rows: usize, out: &mut [T]) {
    let width = product.width;
    let row = |element: usize| match product.output {
        OutputRow::Fiber => stream.fiber(element),
        _ => stream.first_coordinate(element),
    };
    let after = |element: usize| match product.output {
        OutputRow::Fiber => stream.next_fiber(element),
        _ => stream.next_coordinate(element, PIECE),
    };
    // 1. Cut.
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
            (elements.start..shared, OutputRows { data: carry, first: starts[piece], is_part: false }),
            (shared..elements.end, OutputRows { data, first: owned, is_part: false }),
        ]);
        owned = end;
    }
    let threads = parallel::threads(stream.elements);
    let shares = parallel::ranges(pieces, if threads == 1 { 1 } else { (4 * threads).min(pieces) });
    let mut tasks = tasks.into_iter();
    // 2. Decode, 3. Gather, 4. Multiply.
    let run = |tasks: Vec<[(Range<usize>, OutputRows<T>); 2]>| {
        let mut tile = Tile::new();
        for (elements, mut out) in tasks.into_iter().flatten() {
            add_products(stream, product, elements, [0, 1], &mut tile, &mut out);
        }
    };
    parallel::map(shares.into_iter().map(|share| tasks.by_ref().take(share.len()).collect()).collect(), run);
    // 5. Reduce.
    for (start, carry) in starts.iter().zip(carries.chunks(width)).skip(1) {
        add(&mut out[start * width..][..width], carry);
    }
}

/// Elements in as many parts as there are private results. Threads beyond these have some of the rows each, and go through all elements of the part for what
/// they add to these.
fn in_any_order<'p, T: Scalar>(stream: &Stream<'p, T>, product: &RowProduct<T>, rows: usize, out: &mut [T]) {
    let (len, line, threads) = (out.len(), per_line::<T>(), parallel::threads(stream.elements));
    // 1. Cut.
    let parts = parallel::ranges(stream.elements, private_results(stream.elements, rows));
    let private = || AlignedRows::new(array_kernels::memory::repeated(T::ZERO, len + line), len);
    if threads == 1 {
        let (mut tile, mut apart) = (Tile::new(), None::<AlignedRows<T>>);
        let mut run = |part: &Range<usize>, data: &mut [T]| {
            add_products(stream, product, part.clone(), [0, 1], &mut tile, &mut OutputRows { data, first: 0, is_part: false });
        };
        run(&parts[0], out);
        for part in &parts[1..] {
            apart.iter_mut().for_each(|result| result.rows().fill(T::ZERO));
            let result = apart.get_or_insert_with(private);
            run(part, result.rows());
            // 5. Reduce.
            add(out, result.rows());
        }
        return;
    }
    let mut apart: Vec<AlignedRows<T>> = parts[1..].iter().map(|_| private()).collect();
    let mut tasks = Vec::with_capacity(threads.max(parts.len()));
    for (part, mut rest) in parts.iter().zip(core::iter::once(&mut *out).chain(apart.iter_mut().map(AlignedRows::rows))) {
        let (ends, mut first) = (row_ends(stream, product, rows, threads / parts.len(), part.clone()), 0);
        for (k, end) in ends.iter().enumerate() {
            let out = OutputRows { data: parallel::carve(&mut rest, (end - first) * product.width), first, is_part: ends.len() > 1 };
            tasks.push((part.clone(), [k, ends.len()], out));
            first = *end;
        }
    }
    // 2. Decode, 3. Gather, 4. Multiply.
    parallel::map(tasks, |(part, share, mut out)| add_products(stream, product, part, share, &mut Tile::new(), &mut out));
    // 5. Reduce.
    apart.iter_mut().for_each(|result| add(out, result.rows()));
}

/// Adds the products of some elements to some rows of a result, a tile at a time. This is pass `share[0]` of `share[1]` over the same elements.
fn add_products<'p, T: Scalar>(
    stream: &Stream<'p, T>,
    product: &RowProduct<T>,
    elements: Range<usize>,
    share: [usize; 2],
    tile: &mut Tile<'p, T>,
    out: &mut OutputRows<T>,
) {
    let leaf = stream.leaf().filter(|_| stream.shares() || product.output == OutputRow::Fiber);
    let has = |leaf| product.output == OutputRow::Axis(leaf) || product.factors.iter().any(|(axis, _)| *axis == leaf);
    let kept = product.output.axis().filter(|_| out.is_part);
    let (first, rows) = (out.first as u64, (out.data.len() / product.width.max(1)) as u64);
    let options = TileOptions {
        by_fiber: leaf.is_some_and(has),
        stored_leaves: kept.is_none() && product.has_whole_rows(),
        has_lookahead: true,
        share: Some(share),
    };
    let mut tiles = stream.tiles(elements, options);
    // 2. Decode.
    while tiles.decode_next(tile) {
        if let Some(axis) = kept {
            tile.keep(axis, first..first + rows, leaf);
        }
        // 3. Gather, 4. Multiply.
        multiply(product, tile, leaf, out);
    }
}

/// Where the rows of each thread end, so that all have about as many of some elements; it makes no difference to sums.
fn row_ends<T: Scalar>(stream: &Stream<T>, product: &RowProduct<T>, rows: usize, threads: usize, elements: Range<usize>) -> Vec<usize> {
    let OutputRow::Axis(axis) = product.output else { return vec![rows] };
    if threads <= 1 {
        return vec![rows];
    }
    let (mut sample, mut tile) = (Vec::new(), Tile::new());
    for range in parallel::ranges(elements.len(), SAMPLES) {
        let start = elements.start + range.start;
        let mut tiles = stream.tiles(start..start + range.len().min(TILE), TileOptions { share: None, ..TileOptions::ELEMENTS });
        while tiles.decode_next(&mut tile) {
            sample.extend(tile.coordinates[axis][..tile.len].iter().map(|row| *row as usize));
        }
    }
    sample.sort_unstable();
    let quantile = |k: usize| sample.get(k * sample.len() / threads).map_or(rows, |row| row + 1).min(rows);
    let mut out: Vec<usize> = (1..threads).map(quantile).chain([rows]).collect();
    out.dedup();
    out
}
