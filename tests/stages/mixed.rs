//! Mixed layouts compared with dynamic ones. Leaves are hidden from the algebra, and its pattern is instantiated with their
//! values. The result is compared, as a function, with the result of the same operation on the numbers.

use crate::common::{Layout, Rng, notation};
use crd2idx::algebra::expression::apply;
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::value::{ExprGraph, LayoutValue};
use crd2idx::error::{Cause, Op};
use crd2idx::layouts::Pattern;
use crd2idx::{DynLayout, LayoutError};

const LEAVES: usize = 64;

/// A text of the notation with some integers replaced by `?`, and the values of these integers in order.
struct Hidden {
    text: String,
    values: Vec<usize>,
}

/// Hides integers of `text` with probability `1 / chance`. Negative ones stay, because a run-time leaf is a `usize`.
fn hide(rng: &mut Rng, text: &str, chance: usize) -> Hidden {
    let mut hidden = Hidden { text: String::new(), values: Vec::new() };
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, tail) = rest.split_at(start);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        hidden.text.push_str(before);
        let negative = before.ends_with('-');
        if !negative && rng.one_in(chance) {
            let value: usize = tail[..end].parse().expect("digits");
            // Half of the hidden values state a divisor as a fact.
            hidden.text.push_str(&if value > 1 && rng.one_in(2) { format!("?{{div={value}}}") } else { "?".to_string() });
            hidden.values.push(value);
        } else {
            hidden.text.push_str(&tail[..end]);
        }
        rest = &tail[end..];
    }
    hidden.text.push_str(rest);
    hidden
}

fn run<const E: usize>(op: Op, texts: &[&str]) -> Result<(Operand<LEAVES>, ExprGraph<E>), LayoutError> {
    let mut scope = ExprGraph::<E>::new(op);
    let mut args = Vec::new();
    for text in texts {
        args.push(Parser::whole(text, &mut scope)?);
    }
    scope.begin(op);
    let result = apply(op, &args, &mut scope)?;
    Ok((result, scope))
}

/// Returns true if `result` is another right answer: the algebra may treat a mode of one element as if it moved.
fn fulfils(op: Op, of: &str, result: &DynLayout<LEAVES>) -> bool {
    let l = notation::layout(of).expect("it was parsed before");
    let r = notation::layout(&result.to_string()).expect("a printed layout parses");
    match op {
        Op::LeftInverse => l.values().iter().all(|v| l.at(r.at(*v)) == *v),
        Op::Complement => {
            let mut sums: Vec<i64> = l.image().iter().flat_map(|a| r.values().into_iter().map(move |b| a + b)).collect();
            sums.sort_unstable();
            r.values().is_sorted() && sums.windows(2).all(|w| w[0] < w[1])
        }
        _ => false,
    }
}

fn function(layout: &DynLayout<LEAVES>) -> Vec<i64> {
    notation::layout(&layout.to_string()).expect("a printed layout parses").values()
}

#[derive(Default, Debug)]
struct Tally {
    equal: usize,
    undecided: usize,
    unkept: usize,
    refused: usize,
}

fn compare(op: Op, known: &[&str], hidden: &[Hidden], tally: &mut Tally) {
    let texts: Vec<&str> = hidden.iter().map(|h| h.text.as_str()).collect();
    let inputs: Vec<usize> = hidden.iter().flat_map(|h| h.values.iter().copied()).collect();
    let exact = run::<0>(op, known).map(|(result, _)| result);
    let mixed = match run::<64>(op, &texts) {
        Ok((Operand::Layout(lay), scope)) => pattern(lay, scope).instantiate(&inputs),
        Ok(_) => panic!("{op:?} of {texts:?} is not a layout"),
        Err(error) => {
            let open = matches!(error.cause, Cause::Undecided | Cause::TooManySymbols);
            assert!(open || exact.is_err(), "{op:?} refuses {texts:?} ({error}), but gives {} on {known:?}", exact.unwrap());
            if open {
                tally.undecided += 1
            } else {
                tally.refused += 1
            }
            return;
        }
    };
    match (mixed, exact) {
        (Ok(mixed), Ok(Operand::Layout(exact))) => {
            let exact: DynLayout<LEAVES> = exact.to_string().parse().expect("a printed layout parses");
            let same = function(&mixed) == function(&exact) || fulfils(op, known[0], &mixed);
            assert!(same, "{op:?} of {texts:?} at {inputs:?}: {mixed} instead of {exact}");
            tally.equal += 1;
        }
        (Ok(mixed), exact) => panic!("{op:?} of {texts:?} at {inputs:?} gives {mixed}, known numbers give {exact:?}", exact = exact.err()),
        (Err(_), Ok(_)) => tally.unkept += 1,
        (Err(_), Err(_)) => tally.refused += 1,
    }
}

/// Checks one operation on many random layouts, with the right operand that `second` makes, if any. At least `least` must be answered.
fn agree(op: Op, seed: u64, least: usize, second: impl Fn(&mut Rng, &Layout) -> Option<String>) {
    agree_on(op, seed, least, |rng| if rng.one_in(3) { rng.layout(3, 64) } else { rng.compact(4, 64) }, second);
}

fn agree_on(op: Op, seed: u64, least: usize, first: impl Fn(&mut Rng) -> Layout, second: impl Fn(&mut Rng, &Layout) -> Option<String>) {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    for _ in 0..1500 {
        let a = first(&mut rng);
        let mut known = vec![a.to_string()];
        known.extend(second(&mut rng, &a));
        let chance = 1 + rng.below(4);
        let hidden: Vec<Hidden> = known.iter().map(|text| hide(&mut rng, text, chance)).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        compare(op, &known, &hidden, &mut tally);
    }
    assert!(tally.equal >= least, "{op:?}: too few cases reach a comparison: {tally:?}");
}

fn none(_: &mut Rng, _: &Layout) -> Option<String> {
    None
}

#[test]
fn coalesce() {
    agree(Op::Coalesce, 1, 1400, none);
    agree(Op::Filter, 2, 1400, none);
    agree(Op::Flatten, 3, 1400, none);
}

#[test]
fn composition() {
    agree(Op::Composition, 4, 300, |rng, _| Some(rng.layout(3, 24).to_string()));
    agree(Op::Composition, 5, 600, |rng, a| Some(format!("{}:1", divisor(rng, a.size()))));
}

#[test]
fn complement() {
    agree(Op::Complement, 6, 400, |_, a| Some(a.size().to_string()));
}

#[test]
fn divides() {
    for (op, seed) in [(Op::LogicalDivide, 7), (Op::ZippedDivide, 8), (Op::TiledDivide, 9), (Op::FlatDivide, 10)] {
        agree(op, seed, 300, |rng, a| Some(divisor(rng, a.size()).to_string()));
        agree(op, seed + 100, 300, |rng, a| {
            let tiles: Vec<String> = a.modes().iter().map(|mode| divisor(rng, mode.size()).to_string()).collect();
            Some(format!("({})", tiles.join(",")))
        });
    }
}

#[test]
fn products() {
    for (op, seed) in [(Op::LogicalProduct, 11), (Op::BlockedProduct, 12), (Op::RakedProduct, 13)] {
        agree(op, seed, 200, |rng, _| Some(rng.compact(2, 8).to_string()));
    }
}

#[test]
fn inverses() {
    agree(Op::LeftInverse, 14, 200, none);
    agree(Op::Nullspace, 15, 1000, none);
}

#[test]
fn compact_layouts() {
    agree(Op::LayoutLike, 16, 300, none);
}

/// A right inverse reaches as far as facts prove that strides chain. It must invert on its domain, and be no longer than with
/// known numbers.
#[test]
fn right_inverse_is_a_prefix() {
    let mut rng = Rng::new(17);
    for _ in 0..1500 {
        let a = rng.compact(4, 64);
        let known = a.to_string();
        let hidden = hide(&mut rng, &known, 3);
        let (result, scope) = run::<64>(Op::RightInverse, &[&hidden.text]).expect("never refused");
        let Operand::Layout(lay) = result else { panic!("{known}") };
        let inverse = pattern(lay, scope).instantiate(&hidden.values).expect("no promise");
        for (i, at) in function(&inverse).into_iter().enumerate() {
            assert_eq!(a.at(at), i as i64, "{} of {}", inverse, hidden.text);
        }
    }
}

fn divisor(rng: &mut Rng, n: i64) -> i64 {
    let divisors: Vec<i64> = (1..=n).filter(|d| n % d == 0).collect();
    *rng.pick(&divisors)
}

/// Results with hidden extents are right for layouts whose extents turn out to be 0.
#[test]
fn empty() {
    let empty = |rng: &mut Rng| {
        let l = if rng.one_in(2) { rng.layout(3, 24) } else { rng.compact(3, 24) };
        let at = rng.below(l.leaves().len());
        let k = std::cell::Cell::new(0);
        l.map(&mut |leaf| {
            let mut leaf = leaf.clone();
            leaf.extent = if k.replace(k.get() + 1) == at { 0 } else { leaf.extent };
            leaf
        })
    };
    let other = |rng: &mut Rng, _: &Layout| Some(rng.compact(3, 24).to_string());
    for op in [Op::Coalesce, Op::LeftInverse] {
        agree_on(op, 59, 200, empty, none);
    }
    agree_on(Op::Complement, 60, 200, empty, |rng, _| Some(rng.between(0, 60).to_string()));
    for op in [Op::Composition, Op::LogicalDivide, Op::ZippedDivide, Op::LogicalProduct, Op::BlockedProduct, Op::RakedProduct] {
        agree_on(op, 61, 200, empty, other);
    }
    agree_on(Op::TileToShape, 62, 0, empty, |rng, a| {
        Some(a.padded(a.rank() + 1).iter().map(|_| rng.between(0, 9).to_string()).collect::<Vec<_>>().join(",")).map(|s| format!("({s})"))
    });
}

/// Makes a pattern from a result of the algebra.
fn pattern(lay: LayoutValue<64>, scope: ExprGraph<64>) -> Pattern {
    // SAFETY: both are a result of the algebra.
    unsafe { Pattern::from_parts(lay, scope) }
}
