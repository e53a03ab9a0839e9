//! Accesses through a layout, by threads that a layout gives.

mod copy;
mod indexer;

pub(crate) use indexer::Indexer;

use super::operands::Operand;
use crate::banks::{Access, Banks, Lanes};
use crate::error::{Cause, LayoutError, Op, Result, ok};
use crate::value::LayoutValue;

/// The maximum number of coordinates that [`conflicts`] iterates over: more than all threads of a block have values.
const MOST: i64 = 1 << 20;

/// The conflicts of all accesses of `threads` to `layout`: mode 0 of `threads` is the thread, further modes are its values, and its results are
/// integer coordinates of `layout`.
///
/// Fails where a vector is not consecutive and aligned, or has not 8, 16, 32, 64 or 128 bits.
pub(crate) const fn conflicts<const N: usize>(layout: &Operand<N>, threads: &LayoutValue<N>, access: Access, banks: Banks) -> Result<u64> {
    let (layout, threads) = (ok!(Indexer::of(layout)), ok!(Indexer::of_layout(threads, 0, None)));
    // Without coordinates there is no access, whatever the other extents are.
    let (count, size) = if threads.is_empty() { (0, 0) } else { (threads.first_mode(), threads.size()) };
    if size > MOST {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::TooManyCoordinates, size, MOST));
    }
    let values = if count == 0 { 0 } else { size / count };
    let vector = access.vector as i64;
    // Vectors have a width before they have lanes.
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
