//! Composition with an extent or a step that is only known at run time.
//!
//! If boundaries and step are known, the first run ends as for known extents; the extent must be at most that run, or a whole number of
//! runs. Otherwise facts decide. A step that is provably a multiple of a mode's extent skips that mode. Any other step must divide the
//! extent, takes the rest of the mode, and continues in the next mode with step 1. Relations that facts leave open become promises.

use super::compose::{Digits, LinearRun, LinearRuns};
use super::compose_known::modulo;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, Stride, SymInt, Truth, known};

impl<const N: usize> Digits<N> {
    /// Appends the runs of leaf number `leaf`, `extent : step`, of the right operand, where a number is only known at run time.
    pub(crate) const fn split_open<const E: usize>(
        &self,
        extent: SymInt,
        step: SymInt,
        leaf: usize,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if self.known && known!(step.0) { self.by_runs(extent, step, leaf, runs, cx) } else { self.by_facts(extent, step, leaf, runs, cx) }
    }

    /// Appends the runs of a leaf whose boundaries and step are known, and only the extent is not.
    const fn by_runs<const E: usize>(
        &self,
        mut extent: SymInt,
        mut step: SymInt,
        leaf: usize,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        loop {
            let stride = ok!(self.at(step.0, cx));
            let most = cx.facts(extent).hi;
            let linear = self.length(most, step.0);
            let n = if linear == most { extent } else { ok!(cx.min(SymInt(linear), extent)) };
            ok!(runs.push(LinearRun::new(extent, step, stride, n, leaf, 0), cx));
            if linear == most {
                return Ok(());
            }
            ok!(whole(extent, n, cx));
            extent = ok!(cx.div(extent, n));
            if extent.0 == 1 {
                return Ok(());
            }
            step = ok!(cx.mul(step, SymInt(linear)));
        }
    }
}

/// Requires `extent` to be a multiple of `n`. If it cannot be, the structure is undecided: another one might fit.
const fn whole<const E: usize>(extent: SymInt, n: SymInt, cx: &mut ExprGraph<E>) -> Result<()> {
    refuse_if!(cx, matches!(cx.divides(n, extent), Truth::No), Undecided);
    cx.require_multiple(extent, n, Cause::PieceDoesNotDivide, (n, extent))
}

impl<const N: usize> Digits<N> {
    const fn by_facts<const E: usize>(
        &self,
        mut extent: SymInt,
        mut step: SymInt,
        leaf: usize,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let mut k = 0;
        while k + 1 < self.modes.len() {
            let mode = self.modes.extent(k);
            if cx.divides(mode, step).is_yes() {
                step = ok!(cx.div(step, mode));
                k += 1;
                continue;
            }
            refuse_if!(cx, matches!(cx.divides(step, mode), Truth::No), Undecided);
            ok!(cx.require_multiple(mode, step, Cause::StepDoesNotDivide, (mode, step)));
            let room = ok!(cx.div(mode, step));
            let n = ok!(cx.min(room, extent));
            refuse_if!(cx, n.0 == 0, Undecided);
            ok!(whole(extent, n, cx));
            ok!(self.push_run(extent, n, step, k, leaf, runs, cx));
            extent = ok!(cx.div(extent, n));
            if extent.0 == 1 {
                return Ok(());
            }
            step = SymInt(1);
            k += 1;
        }
        self.push_run(extent, extent, step, k, leaf, runs, cx)
    }

    #[allow(clippy::too_many_arguments)]
    const fn push_run<const E: usize>(
        &self,
        left: SymInt,
        extent: SymInt,
        step: SymInt,
        digit: usize,
        leaf: usize,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let stride = self.modes.stride(digit);
        let stride = Stride { scale: ok!(cx.mul(stride.scale, step)), basis: stride.basis };
        let step = ok!(cx.mul(step, self.bound(digit)));
        runs.push(LinearRun::new(left, step, stride, extent, leaf, digit), cx)
    }

    /// Requires that the runs from number `first` on do not add up across a boundary.
    pub(crate) const fn check_open<const E: usize>(&self, runs: &LinearRuns<N>, first: usize, cx: &mut ExprGraph<E>) -> Result<()> {
        each!(k, 1..self.modes.len(), {
            let bound = self.bound(k);
            let mut reach = SymInt(0);
            let mut several = false;
            each!(p, first..runs.len, {
                let run = &runs.run[p];
                // The step of a run modulo the boundary, or the whole step of a run that lies in the modes below it.
                let step = if known!(bound.0) && known!(run.step) {
                    SymInt(modulo!(run.step, bound.0))
                } else if (run.digit as usize) < k {
                    SymInt(run.step)
                } else {
                    SymInt(0)
                };
                if step.0 != 0 && run.extent != 1 {
                    several = several || reach.0 != 0;
                    let span = ok!(cx.mul(SymInt(run.extent), step));
                    let most = ok!(cx.sub(span, step));
                    reach = ok!(cx.add(reach, most));
                }
            });
            // A single run ends with the mode in which it lies.
            if several {
                refuse_if!(cx, matches!(cx.less(reach, bound), Truth::No), Undecided);
                ok!(cx.require_less(reach, bound, Cause::Carry, (reach, bound)));
            }
        });
        Ok(())
    }
}
