//! Bank conflicts of layouts given as text, for constants.

use crate::algebra::accesses::conflicts;
use crate::algebra::operands::Operand;
use crate::banks::{Access, Banks};
use crate::error::{Op, OperandKind, Result, ok};
use crate::text::Parser;
use crate::value::ExprGraph;

/// Counts the bank conflicts of threads that access a layout, with [`Banks::NVIDIA`]: 0 if no access waits for another.
///
/// Mode 0 of `threads` is the thread, further modes are its values; the results are integer coordinates of `layout`. Both are
/// texts in the notation. In a constant, a refusal is a compile error; [`try_bank_conflicts`] returns it.
///
/// ```
/// use layout_algebra::memory::{Access, bank_conflicts};
/// // A column of 32 x 32 numbers: all rows begin at the same bank.
/// const PLAIN: u64 = bank_conflicts("(32,32):(32,1)", "32:1", Access::element(32));
/// const _: () = assert!(PLAIN == 31);
/// // With XOR strides, row k is shifted by k.
/// const _: () = assert!(bank_conflicts("(32,32):(^33,^1)", "32:1", Access::element(32)) == 0);
/// const _: () = assert!(bank_conflicts("S<5,0,5> o 0 o (32,32):(32,1)", "32:1", Access::element(32)) == 0);
/// ```
#[track_caller]
pub const fn bank_conflicts(layout: &str, threads: &str, access: Access) -> u64 {
    match try_bank_conflicts(layout, threads, access, Banks::NVIDIA) {
        Ok(conflicts) => conflicts,
        Err(error) => crate::error::refuse(error),
    }
}

/// Counts bank conflicts like [`bank_conflicts`], for any banks. Fails if a text is no layout, or a vector is not consecutive and aligned.
///
/// ```
/// use layout_algebra::memory::{Access, Banks, try_bank_conflicts};
/// // AMD serves 64 lanes in two groups of 32.
/// let column = |matrix| try_bank_conflicts(matrix, "64:1", Access::element(32), Banks::AMD);
/// assert_eq!((column("(64,32):(32,1)")?, column("(64,32):(33,1)")?), (62, 0));
/// assert!(column("(64,32)").is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn try_bank_conflicts(layout: &str, threads: &str, access: Access, banks: Banks) -> Result<u64> {
    let mut cx = ExprGraph::<0>::new(Op::BankConflicts);
    let layout = ok!(Parser::whole::<32, 0>(layout, &mut cx));
    match ok!(Parser::whole(threads, &mut cx)) {
        Operand::Layout(threads) => conflicts(&layout, &threads, access, banks),
        other => Err(other.instead_of(OperandKind::Layout)),
    }
}
