//! Accesses to a layout by threads that another layout describes.

mod copy;
mod indexer;

pub(crate) use indexer::Indexer;

use super::operands::Operand;
use crate::banks::{Access, Banks, Lanes};
use crate::error::{Cause, LayoutError, Op, Result, ok};
use crate::value::LayoutValue;

/// The maximum number of coordinates that [`conflicts`] iterates over: more than the values of all threads of a thread block.
const MOST: i64 = 1 << 20;

/// Counts the conflicts of all accesses of `threads` to `layout`. Mode 0 of `threads` is the thread, further modes are its
/// values, and its results are integer coordinates of `layout`.
///
/// Fails unless every vector is consecutive and aligned and has 8, 16, 32, 64 or 128 bits, and all numbers are known.
pub(crate) const fn conflicts<const N: usize>(layout: &Operand<N>, threads: &LayoutValue<N>, access: Access, banks: Banks) -> Result<u64> {
    let (layout, threads) = (ok!(Indexer::of(layout)), ok!(Indexer::of_layout(threads, 0, None)));
    // An empty layout has no accesses, although the product of the other extents may be large.
    let (count, size) = if threads.is_empty() { (0, 0) } else { (threads.first_mode(), threads.size()) };
    if size > MOST {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::TooManyCoordinates, size, MOST));
    }
    let values = if count == 0 { 0 } else { size / count };
    let vector = access.vector as i64;
    // Check the width of vectors even if there are no lanes.
    _ = ok!(Lanes::new(access));
    if values % vector != 0 {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::CastExtent, values, vector));
    }
    let lanes_of_warp = banks.warp() as i64;
    let (mut conflicts, mut warp) = (0, 0);
    while warp < count {
        let end = if warp + lanes_of_warp < count { warp + lanes_of_warp } else { count };
        let mut value = 0;
        while value < values {
            let mut lanes = ok!(Lanes::new(access));
            let mut thread = warp;
            while thread < end {
                let first = ok!(layout.at(ok!(threads.at(thread + count * value))));
                let mut k = 1;
                while k < vector {
                    let next = ok!(layout.at(ok!(threads.at(thread + count * (value + k)))));
                    if next != first + k {
                        return Err(LayoutError::plain(Op::BankConflicts, Cause::NotConsecutive, first, next));
                    }
                    k += 1;
                }
                ok!(lanes.push(Some(first)));
                thread += 1;
            }
            conflicts += banks.serve(&lanes).conflicts() as u64;
            value += vector;
        }
        warp = end;
    }
    Ok(conflicts)
}
