//! Bank conflicts of texts, for constants.

use crate::algebra::accesses::conflicts;
use crate::algebra::operands::Operand;
use crate::banks::{Access, Banks};
use crate::error::{Kind, Op, Result, ok};
use crate::text::Parser;
use crate::value::ExprGraph;

/// The bank conflicts of threads that walk a layout, of `NVIDIA` banks: 0 where no access waits for another.
///
/// `threads` takes a thread, and in further modes its values, to integer coordinates of `layout`. Both are texts in the notation, so that a kernel can
/// state what its layouts are for. A refusal is a compile error in a constant; [`try_bank_conflicts`] gives it back.
///
/// ```
/// use layout_algebra::memory::{Access, bank_conflicts};
/// // A column of 32 x 32 numbers: each row begins at the same bank.
/// const PLAIN: u64 = bank_conflicts("(32,32):(32,1)", "32:1", Access::element(32));
/// const _: () = assert!(PLAIN == 31);
/// // Without carries, row k is shifted by k.
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

/// [`bank_conflicts`] of any banks, as a result.
pub const fn try_bank_conflicts(layout: &str, threads: &str, access: Access, banks: Banks) -> Result<u64> {
    let mut cx = ExprGraph::<0>::new(Op::BankConflicts);
    let layout = ok!(Parser::whole::<32, 0>(layout, &mut cx));
    match ok!(Parser::whole(threads, &mut cx)) {
        Operand::Layout(threads) => conflicts(&layout, &threads, access, banks),
        other => Err(other.instead_of(Kind::Layout)),
    }
}
