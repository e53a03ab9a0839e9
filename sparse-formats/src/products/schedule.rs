//! Runs a [`RowProduct`] on several threads: the schedule of MTTKRP, TTM, SpMM and SpMV. Sums do not depend on the
//! number of threads.
//!
//! Each step has a file of its own, and a call passes through the steps in order. A tensor with `n` elements, `d`
//! axes and `f` fibers chooses rows of `R` numbers by its coordinates, and the result has `m` rows:
//!
//! | step | what it does | cost | skipped when |
//! |---|---|---|---|
//! | 1. Cut, this file | Divides the elements among private results and threads. If elements come in the order of the result, each piece of 65536 elements owns its rows. | one search per piece; a sample of 16 tiles if threads divide the rows | one thread and one part |
//! | 2. Decode, `stream.rs` | Fills a tile with the coordinates of up to 1024 elements, or 4096 in fibers. | each thread that shares a part reads its indices once; 8 bytes per slot and axis are written, in the first-level cache | for leaf coordinates that loops over whole rows read in their stored array |
//! | 3. Gather, `gather.rs` | Finds the rows that coordinates choose, and prefetches rows 16 elements or 8 fibers ahead. | with fibers, one row of `R` numbers per element (of a factor or of the result), and up to `d - 1` rows per fiber; otherwise `d - 1` rows per element | never |
//! | 4. Multiply, `multiply.rs` | Multiplies and accumulates `C` = 32, 16, 8, 4, 2 or 1 columns at a time in registers. | `R (n + f (d - 1))` multiplications with fibers, otherwise `R n (d - 1)`; at most the same number of additions | never |
//! | 5. Reduce, `private_results.rs` | Adds the other private results to the first. | `R m` additions for each, at most 7 times; `R` additions per piece if elements are in order | one result |
//!
//! With fibers, the loop nest is the one of SPLATT over compressed sparse fibers (Smith, Ravindran, Sidiropoulos,
//! Karypis, 2015). For `out[i] += a(i, j, k) B[j] C[k]` it reads:
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
//! If the result is along the leaf axis, the product of the shared rows comes before the loop over elements, and each
//! element adds to its own row. Tensors without fibers, or with less than two elements per fiber on average, run
//! element by element.

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

/// The number of elements of a piece, a range of consecutive elements, if elements come in the order of the result.
const PIECE: usize = 1 << 16;

/// The number of tiles that sample how elements are distributed over rows.
const SAMPLES: usize = 16;

/// Returns the sums of the products of all elements: `rows` rows, in an array of these extents. Fails if memory has no room.
pub(super) fn products<T: Scalar>(
    streams: &[Stream<T>],
    product: &RowProduct<T>,
    rows: usize,
    extents: &[u64],
) -> Result<Vec<T>, OperationError> {
    // Align the rows if elements add to them in any order.
    let in_order = streams.iter().all(|stream| is_ordered(stream, product));
    let mut out = AlignedRows::new(zeros(extents, if in_order { 0 } else { per_line::<T>() })?, rows * product.width);
    accumulate(streams, product, rows, out.rows());
    Ok(out.into_vec())
}

/// Adds the products of all elements to `out`, which has `rows` rows.
pub(super) fn accumulate<T: Scalar>(streams: &[Stream<T>], product: &RowProduct<T>, rows: usize, out: &mut [T]) {
    // An empty result may have rows of any width.
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

/// Adds the products of elements that come in the order of the rows of the result.
///
/// Pieces of one size each own a range of rows. If a piece begins in a row that the piece before owns, it sums the
/// elements of that row apart.
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
    // Step 1: cut the elements into pieces.
    let pieces = stream.elements.div_ceil(PIECE).max(1);
    let (mut tasks, mut rest, mut owned) = (Vec::with_capacity(pieces), &mut *out, 0);
    let mut carries = vec![T::ZERO; pieces * width];
    let starts: Vec<usize> = (0..pieces).map(|piece| if piece == 0 { 0 } else { row(piece * PIECE) }).collect();
    for (piece, carry) in carries.chunks_mut(width).enumerate() {
        let elements = piece * PIECE..((piece + 1) * PIECE).min(stream.elements);
        // The piece before may own the row in which this one begins.
        let shared = if starts[piece] < owned { after(elements.start).min(elements.end) } else { elements.start };
        // The next piece owns the row in which it begins, unless this piece has elements of that row.
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
    // Steps 2 to 4: decode, gather and multiply.
    let run = |tasks: Vec<[(Range<usize>, OutputRows<T>); 2]>| {
        let mut tile = Tile::new();
        for (elements, mut out) in tasks.into_iter().flatten() {
            add_products(stream, product, elements, [0, 1], &mut tile, &mut out);
        }
    };
    parallel::map(shares.into_iter().map(|share| tasks.by_ref().take(share.len()).collect()).collect(), run);
    // Step 5: add the sums of rows that two pieces share.
    for (start, carry) in starts.iter().zip(carries.chunks(width)).skip(1) {
        add(&mut out[start * width..][..width], carry);
    }
}

/// Adds the products of elements that come in any order.
///
/// Each private result receives the products of one part of the elements. If there are more threads than parts,
/// several threads share a part: each decodes all its elements and adds only to its own range of rows.
fn in_any_order<'p, T: Scalar>(stream: &Stream<'p, T>, product: &RowProduct<T>, rows: usize, out: &mut [T]) {
    let (len, line, threads) = (out.len(), per_line::<T>(), parallel::threads(stream.elements));
    // Step 1: cut the elements into parts, one for each private result.
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
            // Step 5: add the private results to the first.
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
    // Steps 2 to 4: decode, gather and multiply.
    parallel::map(tasks, |(part, share, mut out)| add_products(stream, product, part, share, &mut Tile::new(), &mut out));
    // Step 5: add the private results to the first.
    apart.iter_mut().for_each(|result| add(out, result.rows()));
}

/// Adds the products of a range of elements to a range of rows, a tile at a time. This is pass `share[0]` (from 0) of
/// `share[1]` passes over these elements, one for each thread that shares them.
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
    // Step 2: decode a tile.
    while tiles.decode_next(tile) {
        if let Some(axis) = kept {
            tile.keep(axis, first..first + rows, leaf);
        }
        // Steps 3 and 4: gather and multiply.
        multiply(product, tile, leaf, out);
    }
}

/// Returns the end of the row range of each thread, chosen from a sample so that all have about the same number of
/// elements. The choice does not affect the sums.
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
