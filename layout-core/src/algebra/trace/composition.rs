//! The trace of a composition.

use super::require_integers;
use crate::algebra::compose::{Digits, Pieces, split};
use crate::algebra::compose_known::{at, modulo, next_crossing, reach, run};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue};

/// How `composition(A, B)` comes about.
///
/// With the boundaries `P_i` of `A`, the products of its extents before mode `i`, a leaf `n : r` of `B` is cut into [runs](Run): along the
/// step `r`, `A(r t) = t A(r)` until [a crossing](Crossing), where some `floor((r mod P_i) t / P_i)` first steps up and the values part. The
/// runs `n_p : r_p` of all leaves together stay linear where no [sum](Sum) crosses, `sum_p (r_p mod P_i) (n_p - 1) < P_i`, or where what
/// several of them cross cancels.
///
/// ```
/// use layout_core::DynLayout;
/// let (a, b): (DynLayout, DynLayout) = ("(10,2):(16,4)".parse()?, "(5,4):(1,5)".parse()?);
/// let trace = a.trace_composition(&b)?;
/// assert_eq!(trace.digits().map(|mode| mode.bound).collect::<Vec<_>>(), [1, 10]);
/// let runs: Vec<_> = trace.runs(1).map(|run| (run.left, run.step, run.extent, run.stride)).collect();
/// assert_eq!(runs, [(4, 5, 2, 80), (2, 10, 2, 4)]);
/// let end = trace.runs(1).next().and_then(|run| run.crossing).unwrap();
/// assert_eq!((end.bound, end.there, end.even), (10, Some(4), 160));
/// assert_eq!(trace.sums().map(|sum| (sum.reach, sum.bound)).collect::<Vec<_>>(), [(9, 10)]);
/// assert_eq!(a.composition(&b)?.to_string(), "(5,(2,2)):(16,(80,4))");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Composition<const N: usize> {
    digits: Digits<N>,
    b: LayoutValue<N>,
    pieces: Pieces<N>,
    refusal: Option<LayoutError>,
}

/// A mode of `A`, merged with those that continue it, and its boundary: `A(bound) = stride`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The extent; the last mode goes on beyond it.
    pub extent: i64,
    /// The stride.
    pub stride: i64,
    /// The index at which the mode begins.
    pub bound: i64,
}

/// Steps of a leaf of `B` that move evenly: the leaf `extent : stride` of the result, unless `extent` does not divide `left`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The steps of the leaf that are left where the run begins.
    pub left: i64,
    /// The length of each in the domain of `A`; 0 of a leaf that moves nothing.
    pub step: i64,
    /// `A(step)`.
    pub stride: i64,
    /// The most, up to `left`, with `A(i step) = i stride` for all `i < extent`.
    pub extent: i64,
    /// What ends the run; `None` where it takes all that is left.
    pub crossing: Option<Crossing>,
}

impl Run {
    /// Whether a whole number of such runs is left: a run that does not divide ends a composition that is refused.
    pub const fn divides(&self) -> bool {
        self.extent == self.left || self.left % self.extent == 0
    }
}

/// A boundary of `A` that a run of `t` steps reaches: `floor(rest t / bound)` steps up there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// The boundary.
    pub bound: i64,
    /// `step mod bound`.
    pub rest: i64,
    /// `A(t step)`, `None` where that does not fit 64 bits.
    pub there: Option<i64>,
    /// `t A(step)`: what `there` would be if the run went on. The two agree only where a run is cut short after very many crossings.
    pub even: i128,
}

/// What all runs together reach below a boundary of `A`; at `bound` or beyond they cross it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The boundary.
    pub bound: i64,
    /// `sum (extent - 1) (step mod bound)` over the runs.
    pub reach: i128,
}

/// The trace of `composition(A, B)` of known integers; fails where `A` has no boundaries that fit 64 bits.
pub fn composition<const N: usize>(a: &LayoutValue<N>, b: &LayoutValue<N>) -> Result<Composition<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Composition);
    require_integers(a, &cx)?;
    require_integers(b, &cx)?;
    let digits = Digits::of(a, a.root(), &mut cx)?;
    let mut pieces = Pieces::empty();
    let refusal = split(&digits, b, Basis::INTEGER, &mut pieces, &mut cx).err();
    Ok(Composition { digits, b: *b, pieces, refusal })
}

impl<const N: usize> Composition<N> {
    /// The modes of `A`, in order.
    pub fn digits(&self) -> impl Iterator<Item = Digit> {
        let modes = &self.digits.modes;
        (0..modes.len()).map(|k| Digit { extent: modes.shape[k], stride: modes.stride[k], bound: self.digits.bound[k] })
    }

    /// The runs of leaf `leaf` of `B`, in order, up to the one that is refused; none where the composition ends before that leaf.
    pub fn runs(&self, leaf: usize) -> impl Iterator<Item = Run> {
        let mut left = if leaf < self.b.len() { self.b.shape[leaf] } else { 0 };
        let pieces = self.pieces.piece[..self.pieces.len].iter().filter(move |piece| piece.leaf as usize == leaf);
        let taken = pieces.map(move |piece| {
            let run = self.run(left, piece.step.word(), piece.stride.scale.word(), piece.extent.word());
            left = left.checked_div(run.extent).unwrap_or(0);
            run
        });
        taken.chain(self.refused_run(leaf))
    }

    /// What the runs together reach below each boundary, in order; nothing where the composition ends before, or there is nothing to add up.
    pub fn sums(&self) -> impl Iterator<Item = Sum> {
        let added = self.refusal.is_none_or(|error| error.cause == Cause::Carry) && self.pieces.len > 1 && !self.b.extent_is_zero();
        let bounds = if added { &self.digits.bound[1..self.digits.modes.len()] } else { &[] };
        bounds.iter().map(|&bound| Sum { bound, reach: reach!(self.pieces, 0, bound) })
    }

    /// The terms of the sum below `bound`: the extent and `step mod bound` of every run where that is not 0.
    pub fn terms(&self, bound: i64) -> impl Iterator<Item = (i64, i64)> {
        let pieces = self.pieces.piece[..self.pieces.len].iter();
        pieces.map(move |piece| (piece.extent.word(), modulo(piece.step.word(), bound))).filter(|(_, rest)| *rest != 0)
    }

    /// Why the composition is refused, if it is.
    pub const fn refusal(&self) -> Option<LayoutError> {
        self.refusal
    }

    fn run(&self, left: i64, step: i64, stride: i64, extent: i64) -> Run {
        let crossing = if extent < left { self.crossing(step, stride, extent) } else { None };
        Run { left, step, stride, extent, crossing }
    }

    /// The first boundary that is crossed after `t` steps.
    fn crossing(&self, step: i64, stride: i64, t: i64) -> Option<Crossing> {
        let mut rests = self.digits.bound[1..self.digits.modes.len()].iter().map(|&bound| (bound, modulo(step, bound)));
        let (bound, rest) = rests.find(|&(bound, rest)| rest != 0 && next_crossing(rest, bound, t - 1) == i128::from(t))?;
        let there = step.checked_mul(t).and_then(|x| at(&self.digits, x, &mut ExprGraph::<0>::new(Op::Composition)).ok());
        Some(Crossing { bound, rest, there: there.map(|there| there.scale.word()), even: i128::from(t) * i128::from(stride) })
    }

    /// The run at which the composition is refused, if that is in leaf `leaf`.
    fn refused_run(&self, leaf: usize) -> Option<Run> {
        let error = self.refusal.filter(|error| error.cause == Cause::RunDoesNotDivide)?;
        let ([Some(left), Some(step), _], [at_leaf]) = (error.numbers(), error.path.modes()) else { return None };
        if usize::from(*at_leaf) != leaf {
            return None;
        }
        let stride = at(&self.digits, step, &mut ExprGraph::<0>::new(Op::Composition)).ok()?;
        Some(self.run(left, step, stride.scale.word(), run(&self.digits, left, step)))
    }
}

impl<const N: usize> core::fmt::Debug for Composition<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut all = f.debug_struct("Composition");
        self.digits().for_each(|digit| _ = all.field("digit", &digit));
        (0..self.b.len()).flat_map(|leaf| self.runs(leaf)).for_each(|run| _ = all.field("run", &run));
        self.sums().for_each(|sum| _ = all.field("sum", &sum));
        all.field("refusal", &self.refusal).finish()
    }
}
