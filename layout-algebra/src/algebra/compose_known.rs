//! Composition of known numbers, decided by arithmetic without enumerating the domain.
//!
//! Let the boundary `P_i` be the product of the extents of `A` before mode `i`, with the jump `j_i = d_i - s_{i-1} d_{i-1}`. Then
//! `A(x) = d_0 x + sum_i j_i floor(x / P_i)`. So along a step `r`, `A(r t) = t A(r)` until some `floor((r mod P_i) t / P_i)`
//! first steps up. That is the length of the first digit of the result. The result is unique, because a layout's first mode is as
//! long as its first linear run. After every leaf is split, the sum of all runs is linear exactly if no boundary is crossed:
//! `sum_p (r_p mod P_i) (n_p - 1) < P_i` for each `i`. If two or more boundaries are crossed, their jumps may cancel; that rare
//! case is checked point by point, up to [`LIMIT`] points.

use super::compose::{Digits, LinearRun, LinearRuns};
use super::coords::{LIMIT, digit};
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, Stride, SymInt, fits};

impl<const N: usize> Digits<N> {
    /// Appends the runs of leaf number `leaf` of `B`, `extent : step`. Fails at a run that does not divide. If `empty`, one run suffices.
    pub(crate) const fn split_known<const E: usize>(
        &self,
        extent: SymInt,
        step: SymInt,
        leaf: usize,
        runs: &mut LinearRuns<N>,
        empty: bool,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let (mut left, mut step) = (extent.0, step.0);
        loop {
            let stride = ok!(self.at(step, cx));
            let n = if empty { left } else { self.length(left, step) };
            let run = LinearRun { left, step, stride: stride.scale.0, extent: n, basis: stride.basis, leaf: leaf as u8, digit: 0 };
            if n < left && left % n != 0 {
                // Record the run for a trace. An error here would hide the error below.
                _ = runs.push(run, cx);
                // A jump that is not known may turn out to be 0.
                let cause = if self.modes.is_known() { Cause::RunDoesNotDivide } else { Cause::Undecided };
                return Err(cx.fail3(cause, SymInt(left), SymInt(step), SymInt(n)));
            }
            ok!(runs.push(run, cx));
            if n == left {
                return Ok(());
            }
            left /= n;
            step = match step.checked_mul(n) {
                Some(step) => step,
                None => return Err(cx.fail(Cause::Overflow, SymInt(step), SymInt(n))),
            };
        }
    }

    /// Returns `A(x)`. Fails if it overflows or has strides of several bases.
    pub(crate) const fn at<const E: usize>(&self, x: i64, cx: &mut ExprGraph<E>) -> Result<Stride> {
        let last = self.modes.tree.len - 1;
        let mut rest = x;
        let mut exact = 0i128;
        let mut sum = Stride::integer(SymInt(0));
        let mut k = 0;
        while k <= last {
            let digit = if k == last { rest } else { digit!(rest, self.modes.shape[k]) };
            if self.plain {
                exact += digit as i128 * self.modes.stride[k] as i128;
            } else if digit != 0 && self.modes.stride[k] != 0 {
                let stride = self.modes.stride(k);
                let term = ok!(cx.mul(stride.scale, SymInt(digit)));
                refuse_if!(cx, !sum.scale.is(0) && sum.basis.0 != stride.basis.0, MixedBasis);
                sum = Stride { scale: ok!(cx.add(sum.scale, term)), basis: stride.basis };
            }
            k += 1;
        }
        if !self.plain {
            Ok(sum)
        } else if fits!(exact) {
            Ok(Stride::integer(SymInt(exact as i64)))
        } else {
            Err(cx.fail(Cause::Overflow, SymInt(x), SymInt(self.modes.stride[last])))
        }
    }
}

/// Computes `step` modulo `bound`, in `[0, bound)`.
macro_rules! modulo {
    ($step:expr, $bound:expr) => {{
        let (rem, bound) = ($step % $bound, $bound);
        if rem < 0 { rem + bound } else { rem }
    }};
}
pub(crate) use modulo;

impl<const N: usize> Digits<N> {
    /// Returns the first `0 < t < extent` with `A(step t) != t A(step)`, or `extent` if there is none.
    pub(crate) const fn length(&self, extent: i64, step: i64) -> i64 {
        // The first boundary that is crossed, and the jump there. Jumps at the same step add up.
        let mut first = extent;
        let mut sum = 0i128;
        each!(k, 1..self.modes.tree.len, {
            let bound = self.bound[k];
            let rem = modulo!(step, bound);
            if rem != 0 {
                let up = (bound - 1) / rem + 1;
                if up <= first && up < extent {
                    let jump = self.modes.stride[k] as i128 - self.modes.shape[k - 1] as i128 * self.modes.stride[k - 1] as i128;
                    sum = if up < first { jump } else { sum + jump };
                    first = up;
                }
            }
        });
        if first == extent || sum != 0 || !self.plain { first } else { self.length_on(extent, step, first) }
    }

    /// Returns the result of `length` from `t` on, where jumps cancel.
    #[cold]
    const fn length_on(&self, extent: i64, step: i64, mut t: i64) -> i64 {
        let mut tries = 0;
        while tries < LIMIT && self.cancels(step, t) {
            let mut next = extent;
            each!(k, 1..self.modes.len(), {
                let bound = self.bound[k];
                let rem = modulo!(step, bound);
                if rem != 0 {
                    let up = next_crossing(rem, bound, t);
                    if up < next as i128 {
                        next = up as i64;
                    }
                }
            });
            if next == extent {
                return extent;
            }
            t = next;
            tries += 1;
        }
        t
    }
}

/// Returns the first integer `u > t` with `floor(rem u / bound) > floor(rem t / bound)`.
pub(crate) const fn next_crossing(rem: i64, bound: i64, t: i64) -> i128 {
    let (rem, bound) = (rem as i128, bound as i128);
    let level = rem * t as i128 / bound + 1;
    (level * bound - 1) / rem + 1
}

impl<const N: usize> Digits<N> {
    /// Returns the jump `j_k` at boundary `k`, or `None` if it is not a known integer.
    const fn jump(&self, k: usize) -> Option<i128> {
        let (before, here) = (self.modes.stride(k - 1), self.modes.stride(k));
        match (self.modes.extent(k - 1).value(), before.scale.value(), here.scale.value()) {
            (Some(s), Some(d), Some(e)) if before.basis.is_integer() && here.basis.is_integer() => Some(e as i128 - s as i128 * d as i128),
            _ => None,
        }
    }

    /// Tests whether `A(step t) = t A(step)`: the jumps passed so far cancel.
    const fn cancels(&self, step: i64, t: i64) -> bool {
        let mut sum = 0i128;
        each!(k, 1..self.modes.len(), {
            let bound = self.bound[k];
            let times = (modulo!(step, bound) as i128 * t as i128) / bound as i128;
            if times != 0 {
                match self.jump(k) {
                    Some(jump) => sum = sum.saturating_add(jump.saturating_mul(times)),
                    None => return false,
                }
            }
        });
        sum == 0
    }
}

/// Computes `sum_p (r_p mod P) (n_p - 1)` over the runs from `$first` on, for the boundary `$bound`; inline for fast constants.
macro_rules! reach {
    ($runs:expr, $first:expr, $bound:expr) => {{
        let mut reach = 0i128;
        let mut p = $first;
        while p < $runs.len {
            let run = &$runs.run[p];
            reach = reach.saturating_add(modulo!(run.step, $bound) as i128 * (run.extent - 1) as i128);
            p += 1;
        }
        reach
    }};
}
pub(crate) use reach;

impl<const N: usize> Digits<N> {
    /// Fails unless the runs from number `first` on add up linearly: they cross no boundary, or the jumps cancel.
    pub(crate) const fn check_known<const E: usize>(&self, runs: &LinearRuns<N>, first: usize, cx: &mut ExprGraph<E>) -> Result<()> {
        if runs.len - first < 2 {
            return Ok(());
        }
        let mut crossed = 0;
        let mut refusal = (0, 0);
        each!(k, 1..self.modes.tree.len, {
            let bound = self.bound[k];
            let reach = reach!(runs, first, bound);
            if reach >= bound as i128 {
                crossed += 1;
                refusal = (if reach < i64::MAX as i128 { reach as i64 } else { i64::MAX }, bound);
            }
        });
        if crossed == 0 || (crossed > 1 && self.cancel_everywhere(runs, first)) {
            return Ok(());
        }
        let cause = if self.modes.is_known() { Cause::Carry } else { Cause::Undecided };
        Err(cx.fail(cause, SymInt(refusal.0), SymInt(refusal.1)))
    }

    /// Returns true if the jumps cancel at every coordinate of the runs, and there are at most `LIMIT` of them.
    const fn cancel_everywhere(&self, runs: &LinearRuns<N>, first: usize) -> bool {
        // A run whose step is a multiple of every boundary crosses nothing.
        let mut length = [1; N];
        let mut points = 1i64;
        each!(p, first..runs.len, {
            each!(k, 1..self.modes.len(), {
                if modulo!(runs.run[p].step, self.bound[k]) != 0 {
                    length[p] = runs.run[p].extent;
                }
            });
            points = points.saturating_mul(length[p]);
        });
        if points > LIMIT {
            return false;
        }
        each!(point, 1..points, {
            let mut sum = 0i128;
            each!(k, 1..self.modes.len(), {
                let bound = self.bound[k] as i128;
                let mut rest = point;
                let mut reach = 0i128;
                each!(p, first..runs.len, {
                    reach += modulo!(runs.run[p].step, self.bound[k]) as i128 * digit!(rest, length[p]) as i128;
                });
                if reach >= bound {
                    match self.jump(k) {
                        Some(jump) => sum = sum.saturating_add(jump.saturating_mul(reach / bound)),
                        None => return false,
                    }
                }
            });
            if sum != 0 {
                return false;
            }
        });
        true
    }
}
