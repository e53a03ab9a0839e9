//! The search in constants, for shapes of powers of two.

use super::demand::Demand;
use super::linear;
use crate::algebra::accesses::Indexer;
use crate::algebra::operands::Operand;
use crate::banks::{Access, Banks, MAX_LANES};
use crate::bits::BitMatrix;
use crate::error::{Cause, LayoutError, Op, OperandKind, Result, ok, refuse};
use crate::text::Parser;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

/// The maximum number of coordinates of one group of lanes.
const ROOM: usize = MAX_LANES * 16;

/// The layout that `swizzle_for` returns: a map of bits, and its conflicts.
///
/// ```
/// use layout_algebra::memory::{Access, Found, swizzle_for};
/// const FOUND: Found = swizzle_for("(8,8)", &[("8:1", Access::element(32)), ("8:8", Access::element(32))]);
/// // In a plain matrix, coordinates 0 and 32 of a row share bank 0. Here the upper half is shifted by 1.
/// assert_eq!((FOUND.conflicts, FOUND.matrix.inputs()), (0, 6));
/// let layout = FOUND.matrix.to_layout::<8>()?;
/// assert_eq!(layout.to_string(), "(32,2,1):(^1,^33,64)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The map from the bits of the integer coordinate of the shape to the bits of the index.
    pub matrix: BitMatrix,
    /// The number of conflicts of all accesses with this layout.
    pub conflicts: u64,
}

/// Returns the layout of a shape of powers of two with the fewest conflicts that the search finds. An access is a layout of threads
/// into integer coordinates of the shape, as [`bank_conflicts`](crate::memory::bank_conflicts) takes it, with [`Banks::NVIDIA`].
///
/// The result is deterministic. Fails the build if a text cannot be parsed, if an extent is not a power of two, if threads are
/// not linear over F2, and if no layout keeps the vectors of every access.
///
/// ```
/// use layout_algebra::memory::{Access, Found, swizzle_for};
/// // Rows are written and columns are read.
/// const TILE: Found = swizzle_for("(32,32)", &[("32:32", Access::element(32)), ("32:1", Access::element(32))]);
/// const _: () = assert!(TILE.conflicts == 0);
/// assert!(TILE.matrix.is_invertible());
/// ```
#[track_caller]
pub const fn swizzle_for(shape: &str, accesses: &[(&str, Access)]) -> Found {
    match try_swizzle_for(shape, accesses, Banks::NVIDIA) {
        Ok(found) => found,
        Err(error) => refuse(error),
    }
}

const fn try_swizzle_for(shape: &str, accesses: &[(&str, Access)], banks: Banks) -> Result<Found> {
    let mut cx = ExprGraph::<0>::new(Op::BankConflicts);
    let shape: TupleValue<32> = match ok!(Parser::whole(shape, &mut cx)) {
        Operand::Tuple(shape) => shape,
        other => return Err(other.instead_of(OperandKind::Tuple)),
    };
    let mut bits = 0;
    each!(k, 0..shape.len(), {
        match shape.leaf(k).value() {
            Some(extent) if extent > 0 && extent.count_ones() == 1 => bits += extent.trailing_zeros(),
            _ => {
                return Err(LayoutError::new(
                    Op::BankConflicts,
                    crate::error::Path::ROOT.then(k),
                    Cause::NotPowerOfTwo,
                    [shape.leaf(k), SymInt(0), SymInt(0)],
                ));
            }
        }
    });
    let element = if accesses.is_empty() { 32 } else { accesses[0].1.element_bits };
    let mut demand = Demand::new(element, banks);
    each!(k, 0..accesses.len(), {
        let (threads, access) = accesses[k];
        match ok!(Parser::whole::<32, 0>(threads, &mut cx)) {
            Operand::Layout(threads) => ok!(add(&mut demand, &threads, access, banks)),
            other => return Err(other.instead_of(OperandKind::Layout)),
        }
    });
    if !demand.linear {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::NotLinear, 0, 0));
    }
    match linear::search(&demand, bits) {
        Some(choice) => Ok(Found { matrix: choice.matrix, conflicts: choice.conflicts }),
        None => Err(LayoutError::plain(Op::BankConflicts, Cause::NotConsecutive, 0, 1)),
    }
}

/// Adds every group of lanes of an access to `demand`. Fails if vectors are not 8 to 128 bits or do not divide the values of a thread.
const fn add(demand: &mut Demand, threads: &LayoutValue<32>, access: Access, banks: Banks) -> Result<()> {
    let of = ok!(Indexer::of_layout(threads, 0, None));
    let (count, size) = (of.first_mode(), of.size());
    let values = if count == 0 { 0 } else { size / count };
    let (width, vector) = (access.element_bits * access.vector, access.vector as i64);
    if !matches!(width, 8 | 16 | 32 | 64 | 128) {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::AccessWidth, width as i64, 0));
    }
    if values % vector != 0 {
        return Err(LayoutError::plain(Op::BankConflicts, Cause::CastExtent, values, vector));
    }
    let group = banks.group(width / 8) as i64;
    let places = banks.places(count as usize) as i64;
    let mut from = 0;
    while from < places {
        let end = if from + group < places { from + group } else { places };
        let mut value = 0;
        while value < values {
            let (mut coordinate, mut len) = ([0; ROOM], 0);
            let mut place = from;
            while place < end {
                let thread = banks.lane(width / 8, place as usize) as i64;
                let mut k = 0;
                while thread < count && k < vector {
                    coordinate[len] = ok!(of.at(thread + count * (value + k))) as u64;
                    len += 1;
                    k += 1;
                }
                place += 1;
            }
            demand.add(coordinate.split_at(len).0, access);
            value += vector;
        }
        from = end;
    }
    Ok(())
}
