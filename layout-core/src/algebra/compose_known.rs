//! Composition decided by arithmetic, without enumerating the domain.
//!
//! With boundaries `P_i` (products of the extents of `A` before mode `i`) and jumps `j_i = d_i - s_{i-1} d_{i-1}`,
//! `A(x) = d_0 x + sum_i j_i floor(x / P_i)`. So along a step `r`, `A(r t) = t A(r)` until some `floor((r mod P_i) t / P_i)`
//! first steps up: that is the length of the first digit of the result, and the result is unique because a layout's first mode
//! is as long as its first linear run. After splitting every leaf, the sum of all pieces is linear exactly when no boundary is
//! crossed: `sum_p (r_p mod P_i) (n_p - 1) < P_i` for each `i`. Only where two boundaries are crossed can their jumps cancel;
//! that rare case is checked point by point, up to [`LIMIT`] points.

use super::compose::{Digits, Piece, Pieces};
use crate::error::{Cause, Result, ok};
use crate::value::{Num, Scope, Stride};

/// The most points, or steps of one run, that the cancelling of jumps is followed through.
const LIMIT: usize = 1 << 14;

/// Splits the leaf `extent : step` of the right operand.
pub(crate) const fn split<const N: usize, const E: usize>(
    digits: &Digits<N>,
    extent: Num,
    step: Num,
    leaf: usize,
    pieces: &mut Pieces<N>,
    empty: bool,
    cx: &mut Scope<E>,
) -> Result<()> {
    let (mut extent, mut step) = (extent.word(), step.word());
    loop {
        let stride = ok!(at(digits, step, cx));
        let run = if empty { extent } else { run(digits, extent, step) };
        if run < extent && extent % run != 0 {
            return Err(cx.fail3(Cause::RunDoesNotDivide, Num::raw(extent), Num::raw(step), Num::raw(run)));
        }
        let n = if run < extent { run } else { extent };
        ok!(pieces.push(Piece { extent: Num::raw(n), step: Num::raw(step), stride, leaf: leaf as u8, digit: 0 }, cx));
        if n == extent {
            return Ok(());
        }
        extent /= n;
        step = match step.checked_mul(n) {
            Some(step) => step,
            None => return Err(cx.fail(Cause::Overflow, Num::raw(step), Num::raw(n))),
        };
    }
}

/// `A(x)`.
const fn at<const N: usize, const E: usize>(digits: &Digits<N>, x: i64, cx: &mut Scope<E>) -> Result<Stride> {
    let last = digits.modes.len() - 1;
    let mut rest = x;
    let mut sum = Stride::ZERO;
    let mut k = 0;
    while k <= last {
        let digit = if k == last {
            rest
        } else {
            let extent = digits.modes.extent(k).word();
            let digit = rest.rem_euclid(extent);
            rest = rest.div_euclid(extent);
            digit
        };
        let stride = digits.modes.stride(k);
        if digit != 0 && !stride.scale.is(0) {
            let term = ok!(cx.mul(stride.scale, Num::raw(digit)));
            if !sum.scale.is(0) && sum.basis.0 != stride.basis.0 {
                return Err(cx.fail(Cause::MixedBasis, Num::ZERO, Num::ZERO));
            }
            sum = Stride { scale: ok!(cx.add(sum.scale, term)), basis: stride.basis };
        }
        k += 1;
    }
    Ok(sum)
}

/// The first `0 < t < extent` with `A(step t) != t A(step)`, or `extent`.
const fn run<const N: usize>(digits: &Digits<N>, extent: i64, step: i64) -> i64 {
    let mut t = 0;
    let mut tries = 0;
    loop {
        let mut next = extent;
        let mut k = 1;
        while k < digits.modes.len() {
            let bound = digits.bound[k];
            let rem = step.rem_euclid(bound);
            if rem != 0 {
                // The next t at which floor(rem t / bound) steps up; the first one fits 64 bits.
                let up = if t == 0 {
                    (bound - 1) / rem + 1
                } else {
                    let level = (rem as i128 * t as i128) / bound as i128 + 1;
                    let up = (level * bound as i128 - 1) / rem as i128 + 1;
                    if up < extent as i128 { up as i64 } else { extent }
                };
                if up < next {
                    next = up;
                }
            }
            k += 1;
        }
        tries += 1;
        if next >= extent {
            return extent;
        }
        t = next;
        if tries == LIMIT || !cancels(digits, step, t) {
            return t;
        }
    }
}

/// The jump at boundary `k`, where it is one known number.
const fn jump<const N: usize>(digits: &Digits<N>, k: usize) -> Option<i128> {
    let (before, here) = (digits.modes.stride(k - 1), digits.modes.stride(k));
    match (digits.modes.extent(k - 1).value(), before.scale.value(), here.scale.value()) {
        (Some(s), Some(d), Some(e)) if before.basis.is_integer() && here.basis.is_integer() => Some(e as i128 - s as i128 * d as i128),
        _ => None,
    }
}

/// Whether `A(step t) = t A(step)`: the jumps passed so far cancel.
const fn cancels<const N: usize>(digits: &Digits<N>, step: i64, t: i64) -> bool {
    let mut sum = 0i128;
    let mut k = 1;
    while k < digits.modes.len() {
        let bound = digits.bound[k];
        let times = (step.rem_euclid(bound) as i128 * t as i128) / bound as i128;
        if times != 0 {
            match jump(digits, k) {
                Some(jump) => sum += jump * times,
                None => return false,
            }
        }
        k += 1;
    }
    sum == 0
}

/// Whether the pieces from `first` on add up linearly.
pub(crate) const fn check<const N: usize, const E: usize>(
    digits: &Digits<N>,
    pieces: &Pieces<N>,
    first: usize,
    cx: &mut Scope<E>,
) -> Result<()> {
    if pieces.len - first < 2 {
        return Ok(());
    }
    let mut crossed = 0;
    let mut refusal = (0, 0);
    let mut k = 1;
    while k < digits.modes.len() {
        let bound = digits.bound[k];
        let mut reach = 0i64;
        let mut p = first;
        while p < pieces.len {
            let piece = &pieces.piece[p];
            let step = piece.step.word().rem_euclid(bound);
            reach = reach.saturating_add(step.saturating_mul(piece.extent.word() - 1));
            p += 1;
        }
        if reach >= bound {
            crossed += 1;
            refusal = (reach, bound);
        }
        k += 1;
    }
    if crossed == 0 || (crossed > 1 && cancel_everywhere(digits, pieces, first)) {
        return Ok(());
    }
    Err(cx.fail(Cause::Carry, Num::raw(refusal.0), Num::raw(refusal.1)))
}

/// Whether the jumps cancel at every coordinate of the pieces.
const fn cancel_everywhere<const N: usize>(digits: &Digits<N>, pieces: &Pieces<N>, first: usize) -> bool {
    let mut points = 1usize;
    let mut p = first;
    while p < pieces.len {
        points = points.saturating_mul(pieces.piece[p].extent.word() as usize);
        p += 1;
    }
    if points > LIMIT {
        return false;
    }
    let mut point = 1;
    while point < points {
        let mut sum = 0i128;
        let mut k = 1;
        while k < digits.modes.len() {
            let bound = digits.bound[k] as i128;
            let mut rest = point;
            let mut reach = 0i128;
            p = first;
            while p < pieces.len {
                let piece = &pieces.piece[p];
                let extent = piece.extent.word() as usize;
                reach += (piece.step.word() as i128).rem_euclid(bound) * (rest % extent) as i128;
                rest /= extent;
                p += 1;
            }
            if reach >= bound {
                match jump(digits, k) {
                    Some(jump) => sum += jump * (reach / bound),
                    None => return false,
                }
            }
            k += 1;
        }
        if sum != 0 {
            return false;
        }
        point += 1;
    }
    true
}
