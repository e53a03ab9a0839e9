//! The answers compared with an enumeration of all coordinates.

use super::*;
use crate::algebra::operands::Operand;
use crate::analysis::indices;
use crate::error::Op;
use crate::heap::{String, ToString, Vec, format};
use crate::text::Parser;
use crate::value::{ExprGraph, Facts, LayoutValue, Stride, SymInt};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick(&mut self, of: &[i64]) -> i64 {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A mode: extent, stride, and whether the stride is an XOR stride.
type Mode = (i64, i64, bool);

fn text(modes: &[Mode]) -> String {
    let join = |f: &dyn Fn(&Mode) -> String| modes.iter().map(f).collect::<Vec<_>>().join(",");
    format!("({}):({})", join(&|m| m.0.to_string()), join(&|m| format!("{}{}", if m.2 { "^" } else { "" }, m.1)))
}

fn modes(rng: &mut Rng, xor: bool, negative: bool) -> Vec<Mode> {
    let mut reach = 1;
    (0..1 + rng.below(4))
        .map(|_| {
            let extent = rng.pick(&[1, 2, 2, 3, 4, 4, 5, 6, 8]);
            let stride = match rng.below(5) {
                0 => rng.pick(&[0, 1, 2, 3, 5, 8]),
                1 => rng.below(40) as i64,
                2 if negative => -rng.pick(&[1, 2, 4, 7]),
                _ => reach,
            };
            reach *= extent;
            (extent, stride, xor && stride >= 0 && rng.below(2) == 0)
        })
        .collect()
}

/// Returns modes of the same function, or nearly so.
fn refined(rng: &mut Rng, of: &[Mode]) -> Vec<Mode> {
    let mut out = Vec::new();
    for &(extent, stride, xor) in of {
        let cut = rng.pick(&[1, 1, 2, 3, 4]);
        if cut > 1 && extent % cut == 0 && (!xor || cut != 3) {
            out.push((cut, stride, xor));
            out.push((extent / cut, cut * stride, xor));
        } else {
            out.push((extent, stride, xor));
        }
        if rng.below(5) == 0 {
            out.push((1, rng.pick(&[0, 3, -5]), false));
        }
    }
    if rng.below(3) == 0 {
        let k = rng.below(out.len() as u64) as usize;
        match rng.below(4) {
            0 => out[k].2 = !out[k].2 && out[k].1 >= 0,
            1 => out[k].1 = (out[k].1 + 1).abs(),
            2 => out[k].0 += 1,
            _ => out.swap(0, k),
        }
    }
    out
}

fn swizzle(rng: &mut Rng) -> String {
    let bits = rng.below(4) as i64;
    format!("S<{bits},{},{}>", rng.below(3), (bits.max(1) + rng.below(2) as i64) * rng.pick(&[1, 1, -1]))
}

/// Returns two functions, often equal or nearly equal.
fn pair(rng: &mut Rng) -> (String, String) {
    let kind = rng.below(6);
    let (xor, negative) = (kind == 1 || kind == 3, kind == 0 || kind == 4);
    let a = modes(rng, xor, negative);
    let b = if rng.below(6) == 0 { modes(rng, xor, negative) } else { refined(rng, &a) };
    let (a, b) = (text(&a), text(&b));
    match kind {
        0 | 1 => (a, b),
        2 | 3 => {
            let offset = rng.pick(&[0, 0, 1, 4, 7]);
            let (s, t) = (swizzle(rng), swizzle(rng));
            match rng.below(4) {
                0 => (format!("{s} o {offset} o {a}"), format!("{s} o {offset} o {b}")),
                1 => (format!("{s} o {offset} o {a}"), b),
                2 => (format!("{s} o {offset} o {a}"), format!("{t} o {offset} o {b}")),
                _ => (format!("{s} o {offset} o {a}"), format!("{s} o 0 o {b}")),
            }
        }
        _ => {
            let (inner, offset) = (modes(rng, false, true), rng.pick(&[0, 0, 1, 5]));
            let other = refined(rng, &inner);
            let (inner, other) = (text(&inner), text(&other));
            match rng.below(3) {
                0 => (format!("{inner} o {offset} o {a}"), format!("{other} o {offset} o {b}")),
                1 => (format!("{inner} o {offset} o {a}"), format!("{inner} o {offset} o {b}")),
                _ => (format!("{inner} o {offset} o {a}"), b),
            }
        }
    }
}

fn operand(text: &str) -> Operand<16> {
    Parser::whole::<16, 0>(text, &mut ExprGraph::new(Op::Parse)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The least coordinate at which two functions differ, with both indices.
type Least = (i64, Option<i64>, Option<i64>);

/// Returns the least difference of two lists of indices.
fn least_difference(a: &[i64], b: &[i64]) -> Option<Least> {
    (0..a.len().max(b.len())).find(|k| a.get(*k) != b.get(*k)).map(|k| (k as i64, a.get(k).copied(), b.get(k).copied()))
}

fn answer(a: &Operand<16>, b: &Operand<16>) -> crate::error::Result<Option<Least>> {
    Ok(match equal_functions(a, b, &mut ExprGraph::<0>::new(Op::Parse))? {
        Equality::Equal => None,
        Equality::Differ(first) => {
            let number = |index: crate::value::TupleValue<16>| index.leaf(0).word();
            Some((first.at.word(), first.left.map(number), first.right.map(number)))
        }
        Equality::Open(_) => panic!("no number is open"),
    })
}

#[test]
fn equality_is_that_of_all_indices() {
    let mut rng = Rng(11);
    let (mut equal, mut differ) = (0, 0);
    for _ in 0..20_000 {
        let (left, right) = pair(&mut rng);
        let (a, b) = (operand(&left), operand(&right));
        let (Ok(x), Ok(y)) = (indices(&a), indices(&b)) else { continue };
        let want = least_difference(&x, &y);
        let got = answer(&a, &b).unwrap_or_else(|error| panic!("{left} and {right}: {error}"));
        assert_eq!(got, want, "{left} and {right}");
        if want.is_none() { equal += 1 } else { differ += 1 }
    }
    assert!(equal > 3_000 && differ > 3_000, "{equal} equal, {differ} differ");
}

#[test]
fn known_answers() {
    let of = |a: &str, b: &str| answer(&operand(a), &operand(b)).unwrap();
    assert_eq!(of("(1000,65536):(64,-1)", "(1000,4,16384):(64,-1,3)"), Some((4000, Some(-4), Some(3))));
    assert_eq!(of("((64,65536),1000):((2,128),8388608)", "(33554432,125):(2,67108864)"), None);
    // Sizes are compared too.
    assert_eq!(of("(4,3):(1,4)", "16:1"), Some((12, None, Some(12))));
    assert_eq!(of("(4,0):(1,4)", "(0,3):(7,5)"), None);
    assert_eq!(of("(4,0):(1,4)", "3:5"), Some((0, None, Some(0))));
}

/// Checks the four questions about the indices of two layouts, and every witness.
fn check_images(a: &Operand<16>, b: &Operand<16>, x: &[i64], y: &[i64], text: &str) -> crate::error::Result<[bool; 4]> {
    let mut cx = ExprGraph::<0>::new(Op::Parse);
    let sorted = |of: &[i64]| {
        let mut of = of.to_vec();
        of.sort_unstable();
        of
    };
    let (s, t) = (sorted(x), sorted(y));
    let has = |of: &[i64], index: i64| of.binary_search(&index).is_ok();
    let distinct = match injective(a, &mut cx)? {
        Verdict::Holds(_) => true,
        Verdict::Fails(SharedIndex { index, coordinates: [i, j] }) => {
            assert!(i < j && x[i as usize] == index && x[j as usize] == index, "injective {text}: {index} {i} {j}");
            false
        }
    };
    assert_eq!(distinct, s.windows(2).all(|pair| pair[0] < pair[1]), "injective {text}");
    let apart = match disjoint(a, b, &mut cx)? {
        Verdict::Holds(_) => true,
        Verdict::Fails(SharedIndex { index, coordinates: [i, j] }) => {
            assert!(x[i as usize] == index && y[j as usize] == index, "disjoint {text}: {index} {i} {j}");
            false
        }
    };
    assert_eq!(apart, x.iter().all(|index| !has(&t, *index)), "disjoint {text}");
    let inside = match covers(a, b, &mut cx)? {
        Verdict::Holds(_) => true,
        Verdict::Fails(IndexAt { index, coordinate }) => {
            assert!(y[coordinate as usize] == index && !has(&s, index), "covers {text}: {index} {coordinate}");
            false
        }
    };
    assert_eq!(inside, y.iter().all(|index| has(&s, *index)), "covers {text}");
    let n = s.last().map_or(0, |last| last + 1 - (x.len() as i64 & 1));
    let bounded = match in_bounds(a, n, &mut cx)? {
        Verdict::Holds(_) => true,
        Verdict::Fails(IndexAt { index, coordinate }) => {
            assert!(x[coordinate as usize] == index && !(0..n).contains(&index), "in_bounds {text}: {index} {coordinate}");
            false
        }
    };
    assert_eq!(bounded, x.iter().all(|index| (0..n).contains(index)), "in_bounds {text}");
    Ok([distinct, apart, inside, bounded])
}

#[test]
fn questions_about_indices_agree_with_an_enumeration() {
    let mut rng = Rng(29);
    let mut counts = [[0; 2]; 4];
    for _ in 0..12_000 {
        let (left, right) = pair(&mut rng);
        let right = if rng.below(4) == 0 { format!("{}:1", 1 + rng.below(30)) } else { right };
        let (a, b) = (operand(&left), operand(&right));
        let (Ok(x), Ok(y)) = (indices(&a), indices(&b)) else { continue };
        if x.len() * y.len() > 200_000 || x.len() > 1448 {
            continue;
        }
        let text = format!("{left} and {right}");
        let found = check_images(&a, &b, &x, &y, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (0..4).for_each(|k| counts[k][usize::from(found[k])] += 1);
    }
    assert!(counts.as_flattened().iter().all(|count| *count > 500), "{counts:?}");
}

/// Returns a flat layout of these extents and strides.
fn open_layout(modes: &[(SymInt, SymInt)], cx: &ExprGraph<16>) -> Operand<16> {
    let mut l = LayoutValue::<16>::empty();
    for (k, (extent, stride)) in modes.iter().enumerate() {
        l.push_leaf(1, u8::from(k > 0), *extent, Stride::integer(*stride), cx).unwrap();
    }
    Operand::Layout(l)
}

#[test]
fn facts_about_run_time_numbers_decide() {
    let mut cx = ExprGraph::<16>::new(Op::Parse);
    let small = SymInt::small;
    let m = cx.input(Facts { div: 8, ..Facts::POSITIVE }).unwrap();
    let far = cx.input(Facts { lo: 65, ..Facts::POSITIVE }).unwrap();
    let eighth = cx.div(m, small(8)).unwrap();
    let row = open_layout(&[(m, small(1))], &cx);
    // For all m with 8 | m.
    let cut = open_layout(&[(small(8), small(1)), (eighth, small(8))], &cx);
    assert!(equal_functions(&cut, &row, &mut cx).unwrap().is_equal());
    // The strides differ, and m is at least 8.
    let wide = open_layout(&[(m, small(2))], &cx);
    let Equality::Differ(first) = equal_functions(&row, &wide, &mut cx).unwrap() else { panic!("they differ") };
    assert_eq!((first.at, first.left.unwrap().leaf(0), first.right.unwrap().leaf(0)), (small(1), small(1), small(2)));
    // At m, the second modes begin: they differ unless m is 64.
    let (padded, packed) = (open_layout(&[(m, small(1)), (small(2), small(64))], &cx), open_layout(&[(m, small(1)), (small(2), m)], &cx));
    let Equality::Open(open) = equal_functions(&padded, &packed, &mut cx).unwrap() else { panic!("it is open") };
    assert!(open.at.same(m) && open.left.is(64) && open.right.same(m));
    // A domain of more than 64 elements differs from one of 64 there.
    let (long, short) = (open_layout(&[(far, small(1))], &cx), open_layout(&[(small(64), small(1))], &cx));
    let Equality::Differ(first) = equal_functions(&long, &short, &mut cx).unwrap() else { panic!("the sizes differ") };
    assert!(first.at.is(64) && first.left.is_some_and(|index| index.leaf(0).is(64)) && first.right.is_none());
    // A size without facts leaves the question open.
    let n = cx.input(Facts::NATURAL).unwrap();
    let (one, other) = (open_layout(&[(n, small(1))], &cx), open_layout(&[(n, small(2))], &cx));
    assert!(matches!(equal_functions(&one, &other, &mut cx).unwrap(), Equality::Open(open) if open.left.same(n)));
}
