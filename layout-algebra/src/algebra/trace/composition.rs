//! The trace of a composition.

use super::require_integers;
use crate::algebra::compose::{Digits, LinearRun, LinearRuns};
use crate::algebra::compose_known::{modulo, next_crossing, reach};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue};

/// The trace of `composition(A, B)`.
///
/// The boundary `P_i` of `A` is the product of its extents before mode `i`. A leaf `n : r` of `B` is cut into [runs](LinearRun): along
/// the step `r`, `A(r t) = t A(r)` until [a crossing](Crossing), where some `floor((r mod P_i) t / P_i)` first steps up and the
/// two values differ. The runs `n_p : r_p` of all leaves together stay linear if no [sum](RunSum) crosses a boundary,
/// `sum_p (r_p mod P_i) (n_p - 1) < P_i`, or if the jumps at the crossed boundaries cancel.
///
/// ```
/// use layout_algebra::DynLayout;
/// let (a, b): (DynLayout, DynLayout) = ("(10,2):(16,4)".parse()?, "(5,4):(1,5)".parse()?);
/// let trace = a.trace_composition(&b)?;
/// assert_eq!(trace.digits().map(|mode| mode.bound).collect::<Vec<_>>(), [1, 10]);
/// let runs: Vec<_> = trace.runs(1).map(|run| (run.left, run.step, run.extent, run.stride)).collect();
/// assert_eq!(runs, [(4, 5, 2, 80), (2, 10, 2, 4)]);
/// let end = trace.runs(1).next().and_then(|run| trace.crossing(&run)).unwrap();
/// assert_eq!((end.bound, end.there, end.even), (10, Some(4), 160));
/// assert_eq!(trace.sums().map(|sum| (sum.reach, sum.bound)).collect::<Vec<_>>(), [(9, 10)]);
/// // The sum is (5 - 1) * 1 + (2 - 1) * 5. It stays below 10, so the composition exists.
/// assert_eq!((trace.terms(10).collect::<Vec<_>>(), trace.refusal()), (vec![(5, 1), (2, 5)], None));
/// assert_eq!(a.composition(&b)?.to_string(), "(5,(2,2)):(16,(80,4))");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct CompositionTrace<const N: usize> {
    digits: Digits<N>,
    b: LayoutValue<N>,
    runs: LinearRuns<N>,
    refusal: Option<LayoutError>,
}

/// A mode of `A`, merged with the modes that continue it, and its boundary: `A(bound) = stride`.
///
/// ```
/// use layout_algebra::{DynLayout, trace::ModeBoundary};
/// let (a, b): (DynLayout, DynLayout) = ("(2,3,4):(1,2,8)".parse()?, "4:1".parse()?);
/// // (2,3):(1,2) is one mode of 6 elements, and the next begins at coordinate 6.
/// let modes: Vec<_> = a.trace_composition(&b)?.digits().collect();
/// assert_eq!(modes, [ModeBoundary { extent: 6, stride: 1, bound: 1 }, ModeBoundary { extent: 4, stride: 8, bound: 6 }]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModeBoundary {
    /// The extent of the mode. The last mode continues beyond it.
    pub extent: i64,
    /// The stride of the mode.
    pub stride: i64,
    /// The integer coordinate at which the mode begins.
    pub bound: i64,
}

/// A boundary of `A` that a run of `t` steps reaches: `floor(rest t / bound)` steps up there.
///
/// ```
/// use layout_algebra::{DynLayout, trace::Crossing};
/// let (a, b): (DynLayout, DynLayout) = ("(6,4):(1,10)".parse()?, "8:3".parse()?);
/// let trace = a.trace_composition(&b)?;
/// // After two steps of 3, a column of 6 ends: A(6) = 10, but an even run would be at 2 * 3.
/// let crossing = trace.runs(0).next().and_then(|run| trace.crossing(&run));
/// assert_eq!(crossing, Some(Crossing { bound: 6, rest: 3, there: Some(10), even: 6 }));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// The boundary, an integer coordinate of `A`.
    pub bound: i64,
    /// `step mod bound`, for the step of the run.
    pub rest: i64,
    /// The value `A(t step)`; `None` if it does not fit 64 bits.
    pub there: Option<i64>,
    /// The value `t A(step)` of a run that continues. It equals `there` only if a run is cut short after very many crossings.
    pub even: i128,
}

/// The sum of all runs below a boundary of `A`. The runs cross the boundary if `reach` is at least `bound`.
///
/// ```
/// use layout_algebra::{DynLayout, trace::RunSum};
/// let (a, b): (DynLayout, DynLayout) = ("(6,4):(1,10)".parse()?, "(2,4):(3,1)".parse()?);
/// let trace = a.trace_composition(&b)?;
/// // The last coordinate reaches 1 * 3 + 3 * 1, which lies in the second column.
/// assert_eq!(trace.sums().collect::<Vec<_>>(), [RunSum { bound: 6, reach: 6 }]);
/// assert_eq!(trace.terms(6).collect::<Vec<_>>(), [(2, 3), (4, 1)]);
/// assert_eq!(trace.refusal().map(|error| error.class()), Some("layout/carry"));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunSum {
    /// The boundary, an integer coordinate of `A`.
    pub bound: i64,
    /// `sum (extent - 1) (step mod bound)` over the runs.
    pub reach: i128,
}

/// Traces `composition(A, B)`. Fails unless all numbers are known integers and the boundaries of `A` fit 64 bits.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let (a, b): (DynLayout, DynLayout) = ("(6,4):(1,10)".parse()?, "(3,2):(2,6)".parse()?);
/// let trace = trace::composition(a.value(), b.value())?;
/// assert!(trace.refusal().is_none() && trace.runs(0).all(|run| run.extent == run.left));
/// assert_eq!(trace.terms(6).collect::<Vec<_>>(), [(3, 2)]);
/// assert_eq!(a.composition(&b)?.to_string(), "(3,2):(2,10)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn composition<const N: usize>(a: &LayoutValue<N>, b: &LayoutValue<N>) -> Result<CompositionTrace<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Composition);
    require_integers(a, &cx)?;
    require_integers(b, &cx)?;
    let digits = Digits::of(a, a.root(), &mut cx)?;
    let mut runs = LinearRuns::empty();
    let refusal = digits.split(b, Basis::INTEGER, &mut runs, &mut cx).err();
    Ok(CompositionTrace { digits, b: *b, runs, refusal })
}

impl<const N: usize> CompositionTrace<N> {
    /// Returns the merged modes of `A` and their boundaries, in order.
    pub fn digits(&self) -> impl Iterator<Item = ModeBoundary> {
        let modes = &self.digits.modes;
        (0..modes.len()).map(|k| ModeBoundary { extent: modes.shape[k], stride: modes.stride[k], bound: self.digits.bound[k] })
    }

    /// Returns the runs of leaf `leaf` of `B`, in order, up to a refused run; none if an earlier leaf is refused.
    pub fn runs(&self, leaf: usize) -> impl Iterator<Item = LinearRun> {
        self.runs.run[..self.runs.len].iter().filter(move |run| run.leaf as usize == leaf).copied()
    }

    /// Returns the first boundary crossed at the end of a run; `None` if the run takes all steps that are left.
    pub fn crossing(&self, run: &LinearRun) -> Option<Crossing> {
        let (t, step) = (run.extent, run.step);
        if t >= run.left {
            return None;
        }
        let mut rests = self.digits.bound[1..self.digits.modes.len()].iter().map(|&bound| (bound, modulo!(step, bound)));
        let (bound, rest) = rests.find(|&(bound, rest)| rest != 0 && next_crossing(rest, bound, t - 1) == i128::from(t))?;
        let there = step.checked_mul(t).and_then(|x| self.digits.at(x, &mut ExprGraph::<0>::new(Op::Composition)).ok());
        Some(Crossing { bound, rest, there: there.map(|there| there.scale.word()), even: i128::from(t) * i128::from(run.stride) })
    }

    /// Returns the sums of the runs below each boundary, in order; none if a leaf is refused, `B` is empty, or there is one run.
    pub fn sums(&self) -> impl Iterator<Item = RunSum> {
        let added = self.refusal.is_none_or(|error| error.cause == Cause::Carry) && self.runs.len > 1 && !self.b.extent_is_zero();
        let bounds = if added { &self.digits.bound[1..self.digits.modes.len()] } else { &[] };
        bounds.iter().map(|&bound| RunSum { bound, reach: reach!(self.runs, 0, bound) })
    }

    /// Returns the terms of the sum below `bound`: the extent and `step mod bound` of every run where that is not 0.
    pub fn terms(&self, bound: i64) -> impl Iterator<Item = (i64, i64)> {
        let runs = self.runs.run[..self.runs.len].iter();
        runs.map(move |run| (run.extent, modulo!(run.step, bound))).filter(|(_, rest)| *rest != 0)
    }

    /// Returns the error of a refused composition, or `None` if the composition exists.
    pub const fn refusal(&self) -> Option<LayoutError> {
        self.refusal
    }
}

impl<const N: usize> core::fmt::Debug for CompositionTrace<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut all = f.debug_struct("CompositionTrace");
        self.digits().for_each(|digit| _ = all.field("digit", &digit));
        (0..self.b.len()).flat_map(|leaf| self.runs(leaf)).for_each(|run| _ = all.field("run", &run));
        self.sums().for_each(|sum| _ = all.field("sum", &sum));
        all.field("refusal", &self.refusal).finish()
    }
}
