//! Composition where an extent or a step is only known at run time.
//!
//! The structure follows from facts: a step that is provably a multiple of a mode's extent passes that mode, any other step must divide it
//! (an obligation where facts do not decide), takes what the mode has left, and goes on in the next mode with step 1.

use super::compose::{Digits, Piece, Pieces};
use crate::error::{Cause, Result, ok};
use crate::value::{Num, Scope, Stride};

/// Splits the leaf `extent : step` of the right operand.
pub(crate) const fn split<const N: usize, const E: usize>(
    digits: &Digits<N>,
    extent: Num,
    step: Num,
    leaf: usize,
    pieces: &mut Pieces<N>,
    cx: &mut Scope<E>,
) -> Result<()> {
    let (mut extent, mut step) = (extent, step);
    let mut k = 0;
    while k + 1 < digits.modes.len() {
        let mode = digits.modes.extent(k);
        if cx.divides(mode, step).is_yes() {
            step = ok!(cx.div(step, mode));
            k += 1;
            continue;
        }
        ok!(cx.require_multiple(mode, step, Cause::RunDoesNotDivide, (extent, step)));
        let room = ok!(cx.div(mode, step));
        let n = ok!(cx.min(room, extent));
        ok!(cx.require_multiple(extent, n, Cause::TileDoesNotDivide, (n, extent)));
        ok!(push(digits, n, step, k, leaf, pieces, cx));
        extent = ok!(cx.div(extent, n));
        if extent.is(1) {
            return Ok(());
        }
        step = Num(1);
        k += 1;
    }
    push(digits, extent, step, k, leaf, pieces, cx)
}

const fn push<const N: usize, const E: usize>(
    digits: &Digits<N>,
    extent: Num,
    step: Num,
    digit: usize,
    leaf: usize,
    pieces: &mut Pieces<N>,
    cx: &mut Scope<E>,
) -> Result<()> {
    let stride = digits.modes.stride(digit);
    let stride = Stride { scale: ok!(cx.mul(stride.scale, step)), basis: stride.basis };
    let step = ok!(cx.mul(step, digits.bound(digit)));
    pieces.push(Piece { extent, step, stride, leaf: leaf as u8, digit: digit as u8 }, cx)
}

/// Requires that pieces of different leaves do not add up across a boundary.
pub(crate) const fn check<const N: usize, const E: usize>(
    digits: &Digits<N>,
    pieces: &Pieces<N>,
    first: usize,
    cx: &mut Scope<E>,
) -> Result<()> {
    let mut k = 1;
    while k < digits.modes.len() {
        let mut reach = Num(0);
        let mut leaves = 0;
        let mut last = u8::MAX;
        let mut p = first;
        while p < pieces.len {
            let piece = &pieces.piece[p];
            if (piece.digit as usize) < k && !piece.step.is(0) {
                leaves += (piece.leaf != last) as usize;
                last = piece.leaf;
                let span = ok!(cx.mul(piece.extent, piece.step));
                let most = ok!(cx.sub(span, piece.step));
                reach = ok!(cx.add(reach, most));
            }
            p += 1;
        }
        if leaves > 1 {
            ok!(cx.require_less(reach, digits.bound(k), Cause::Carry, (reach, digits.bound(k))));
        }
        k += 1;
    }
    Ok(())
}
