//! Traces show what the operation does.

use crate::common::grids::{pairs, small, tiny};
use crate::common::law::Verdict;
use crate::common::layout::{flat, sorted};
use crate::common::{Layout, Outcome, Rng, hold, same};
use crate::ensure;
use crd2idx::algebra::trace::{self, InverseMode};
use crd2idx::algebra::value::LayoutValue;
use crd2idx::error::Cause;
use crd2idx::{DynLayout, LayoutError};

fn dynamic(l: &Layout) -> DynLayout<32> {
    l.to_string().parse().unwrap_or_else(|error| panic!("{l}: {error}"))
}

/// Returns the leaves as (extent, stride).
fn leaves(l: &LayoutValue<32>) -> Vec<(i64, i64)> {
    (0..l.len()).map(|k| (l.extent(k).value().expect("known"), l.scale(k).value().expect("known"))).collect()
}

/// The runs are the leaves of the result, each as long as possible. Crossings, sums and refusals hold at each coordinate.
fn composition(case: &(Layout, Layout)) -> Verdict {
    let (a, b) = case;
    let (left, right) = (dynamic(a), dynamic(b));
    let trace = left.trace_composition(&right).map_err(|error| format!("composition({a}, {b}): {error}"))?;
    let what = |what: &str| format!("{what} of composition({a}, {b})");
    let result = left.composition(&right);
    same(&what("refusal"), trace.refusal(), result.err())?;
    let mut taken = Vec::new();
    for (k, leaf) in leaves(right.value()).into_iter().enumerate() {
        let mut left = leaf.0;
        for run in trace.runs(k) {
            same(&what("steps left"), run.left, left)?;
            ensure!(b.size() == 0 || (0..run.extent).all(|t| a.at(t * run.step) == t * run.stride), "{}", what(&format!("{run:?}")));
            let crossing = trace.crossing(&run);
            same(&what("crossing"), crossing.is_some(), run.extent < run.left)?;
            if let Some(end) = crossing {
                let t = run.extent;
                same(&what("value there"), end.there, Some(a.at(t * run.step)))?;
                ensure!(
                    end.there.map(i128::from) != Some(end.even) && end.even == i128::from(t * run.stride),
                    "{}",
                    what(&format!("{run:?}"))
                );
                same(&what("rest"), end.rest, run.step.rem_euclid(end.bound))?;
                ensure!(end.rest * t / end.bound > end.rest * (t - 1) / end.bound, "{}", what(&format!("{run:?}")));
            }
            ensure!(run.divides() || trace.refusal().is_some_and(|error| error.cause == Cause::RunDoesNotDivide), "{run:?}");
            left /= run.extent.max(1);
            taken.push((run.extent, run.stride));
        }
    }
    let mut crossed = 0;
    for sum in trace.sums() {
        let terms: i64 = trace.terms(sum.bound).map(|(n, rest)| (n - 1) * rest).sum();
        same(&what("reach"), sum.reach, terms.into())?;
        crossed += usize::from(sum.reach >= sum.bound.into());
    }
    match result {
        Ok(result) => {
            same(&what("leaves"), taken, leaves(result.value()))?;
            ensure!(crossed != 1, "{}: one boundary alone is crossed", what("sums"));
            Ok(Outcome::Answered)
        }
        Err(error) => {
            same(&what("carry"), crossed > 0, error.cause == Cause::Carry)?;
            Ok(Outcome::Refused)
        }
    }
}

#[test]
fn compositions() {
    hold(pairs(31, 20_000), composition).answers_at_least(10_000).refuses_at_least(500);
    let mut rng = Rng::new(32);
    let cases = (0..10_000).map(|_| {
        let a: Vec<_> = (0..3).map(|_| (rng.between(1, 4), rng.between(-4, 12))).collect();
        let b: Vec<_> = (0..2).map(|_| (rng.between(0, 5), rng.between(-3, 12))).collect();
        (flat(&a), flat(&b))
    });
    hold(cases.collect::<Vec<_>>(), composition).answers_at_least(1000).refuses_at_least(1000);
}

/// A trace ends where a mode is refused before a value is computed, beyond 64 bits, and for operands that are not known numbers.
#[test]
fn ends_of_compositions() -> Result<(), LayoutError> {
    let dynamic = |text: &str| text.parse::<DynLayout>();
    // The first mode of B is traced, the second overflows.
    let trace = dynamic("(3,2):(1,4611686018427387904)")?.trace_composition(&dynamic("(2,2):(5,9)")?)?;
    assert_eq!((trace.runs(0).count(), trace.runs(1).count(), trace.runs(2).count(), trace.sums().count()), (1, 0, 0, 0));
    assert_eq!(trace.refusal().map(|error| error.cause), Some(Cause::Overflow));
    // After the run of 2 steps, the value `even` of a third step would not fit.
    let trace = dynamic("(2,2):(4611686018427387904,0)")?.trace_composition(&dynamic("4:1")?)?;
    let end = trace.runs(0).next().and_then(|run| trace.crossing(&run)).expect("a crossing");
    assert_eq!((end.there, end.even), (Some(0), 1 << 63));
    // The jumps after 2 steps cancel. After 3, the boundary at 4 is crossed twice.
    let trace = dynamic("(2,2,2):(1,3,5)")?.trace_composition(&dynamic("6:3")?)?;
    let run = trace.runs(0).next().expect("a run");
    let end = trace.crossing(&run).expect("a crossing");
    assert_eq!((run.extent, run.stride, end.bound, end.rest, end.there, end.even), (3, 4, 4, 3, Some(11), 12));
    let coordinates = crd2idx::algebra::expression::evaluate::<16, 0>(
        "(2,2):(1@0,1@1)",
        &mut crd2idx::algebra::value::ExprGraph::new(crd2idx::error::Op::Parse),
    )?;
    let crd2idx::algebra::expression::Operand::Layout(coordinates) = coordinates else { panic!("{coordinates}") };
    let refused = trace::composition(&coordinates, dynamic("4:1")?.value()).err().map(|error| error.cause);
    assert_eq!(refused, Some(Cause::BasisStride));
    Ok(())
}

/// The refusal of a trace is the error of the operation, even if modes of smaller stride come before the refused one.
#[test]
fn refused_complements() -> Result<(), LayoutError> {
    for text in ["(2,2,0):(1,1,4)", "(2,2):(-1,-5)", "(0,3):(1,-2)", "(2,2):(1,1)", "(1,2):(-3,1)"] {
        let layout = text.parse::<DynLayout>()?;
        let refusal = layout.trace_complement(false)?.refusal();
        assert_eq!(refusal.map(|(_, _, error)| error), layout.complement(64).err(), "{text}");
    }
    Ok(())
}

/// The gaps are the modes of the complement, and every element that they cover is taken once.
#[test]
fn complements() {
    let law = |l: &Layout| -> Verdict {
        let layout = dynamic(l);
        let trace = layout.trace_complement(false).map_err(|error| format!("complement of {l}: {error}"))?;
        let mut span = 1;
        let mut modes = Vec::new();
        for gap in trace.gaps() {
            let values = sorted(flat(&trace.modes(&gap).collect::<Vec<_>>()).values());
            let distance = values.windows(2).map(|pair| pair[1] - pair[0]).min().expect("more than one value");
            same(&format!("{gap:?} of {l}"), (gap.distance, gap.span, gap.copies), (distance, span, distance / span))?;
            span = values[values.len() - 1] + distance;
            if gap.copies > 1 {
                modes.push((gap.copies, gap.span));
            }
        }
        same(&format!("span of {l}"), trace.span(), span)?;
        // The last mode has 7 copies of everything covered, unless it merges with the mode before.
        let complement = layout.complement(7 * span);
        same(&format!("refusal of {l}"), trace.refusal().map(|(_, _, error)| error), complement.err())?;
        let Ok(complement) = complement else { return Ok(Outcome::Refused) };
        modes.push((7, span));
        let filled = DynLayout::<32>::parse(&flat(&modes).to_string()).and_then(|filled| filled.coalesce());
        same(&format!("complement of {l}"), Some(complement), filled.ok())?;
        let exact = layout.trace_complement(true).map_err(|error| error.to_string())?;
        let nests = trace.gaps().all(|gap| trace.modes(&gap).count() == 1 && gap.distance % gap.span == 0);
        same(&format!("nesting of {l}"), exact.refusal().is_none(), nests)?;
        if let Some((_, stride, error)) = exact.refusal() {
            let cause = if stride < exact.span() { Cause::NotInjective } else { Cause::StrideDoesNotNest };
            same(&format!("refusal of {l}"), (error.cause, error.numbers()), (cause, [Some(exact.span()), Some(stride), Some(0)]))?;
        }
        Ok(Outcome::Answered)
    };
    hold(small(), law).answers_at_least(1000).refuses_at_least(1000);
    hold([flat(&[(2, 1), (2, 3)]), flat(&[(3, 5), (2, 1)]), flat(&[(3, 72), (2, 3), (2, 18)])], law).answers_at_least(3);
    let mut rng = Rng::new(33);
    let several = (0..2000).map(|_| flat(&[(rng.between(2, 4), rng.between(1, 6)), (rng.between(1, 4), rng.between(10, 90))]));
    hold(several.collect::<Vec<_>>(), law).answers_at_least(1000);
}

/// The places are the coordinates at which the modes begin, sorted by the size of their strides.
#[test]
fn places() {
    let law = |l: &Layout| -> Verdict {
        let layout = dynamic(l);
        let places: Vec<InverseMode> = trace::places(layout.value()).map_err(|error| error.to_string())?.collect();
        ensure!(places.iter().all(|mode| l.at(mode.place) == mode.stride && mode.extent > 1), "{l}: {places:?}");
        ensure!(places.windows(2).all(|pair| pair[0].stride.abs() <= pair[1].stride.abs()), "{l}: {places:?}");
        let moving = dynamic(l).coalesce().map_err(|error| error.to_string())?;
        same(&format!("modes of {l}"), places.len(), leaves(moving.value()).iter().filter(|(n, d)| *n != 1 && *d != 0).count())?;
        Ok(Outcome::Answered)
    };
    hold(tiny(), law);
    hold(small(), law).answers_at_least(1000);
}
