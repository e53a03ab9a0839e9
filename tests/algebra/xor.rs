//! XOR strides: indices without carries, and the laws of the algebra for them.

use crate::common::law::{golden, refused};
use crate::common::{Layout, Leaf, Outcome, Rng, Tree, ask, ask_int, hold, same};
use crate::ensure;
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::linear::LinearLayout;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;

/// A flat layout: extents, strides, and whether each stride is an XOR stride.
#[derive(Clone, Debug)]
pub struct Flat(pub Vec<(i64, i64, bool)>);

impl Flat {
    pub fn size(&self) -> i64 {
        self.0.iter().map(|mode| mode.0).product()
    }

    /// Returns the integer of each mode at the integer `coordinate`; the last mode takes the whole quotient.
    pub fn digits(&self, coordinate: i64) -> Vec<i64> {
        let mut left = coordinate;
        let digit = |(k, (extent, ..)): (usize, &(i64, i64, bool))| {
            let digit = if k + 1 == self.0.len() { left } else { left % extent };
            left /= extent;
            digit
        };
        self.0.iter().enumerate().map(digit).collect()
    }

    /// Returns the index at the coordinate with the integers `digits`, one for each mode.
    pub fn of(&self, digits: &[i64]) -> i64 {
        self.layout().along(&[], digits)
    }

    fn layout(&self) -> Layout {
        let leaf = |(extent, stride, xor): &(i64, i64, bool)| Leaf { extent: *extent, stride: *stride, path: Vec::new(), xor: *xor };
        Tree::Node(self.0.iter().map(|mode| Tree::Leaf(leaf(mode))).collect())
    }

    pub fn at(&self, coordinate: i64) -> i64 {
        self.of(&self.digits(coordinate))
    }
}

impl std::fmt::Display for Flat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |text: &dyn Fn(&(i64, i64, bool)) -> String| self.0.iter().map(text).collect::<Vec<_>>().join(",");
        let stride = |mode: &(i64, i64, bool)| format!("{}{}", if mode.2 { "^" } else { "" }, mode.1);
        write!(f, "({}):({})", list(&|mode| mode.0.to_string()), list(&stride))
    }
}

/// Returns a layout of modes of powers of two with XOR strides of at most `bits` bits.
pub fn random(rng: &mut Rng, modes: usize, bits: i64) -> Flat {
    Flat((0..modes).map(|_| (1 << rng.between(0, 3), rng.between(0, (1 << bits) - 1), true)).collect())
}

/// Returns a layout that permutes the bits of its coordinates below `2^bits`, so no sum carries.
fn permuted(rng: &mut Rng, bits: usize) -> Flat {
    let mut order: Vec<usize> = (0..bits).collect();
    for k in (1..bits).rev() {
        order.swap(k, rng.below(k + 1));
    }
    let mut modes: Vec<(i64, i64, bool)> = Vec::new();
    for bit in order {
        match modes.last_mut() {
            Some(last) if last.0 * last.1 == 1 << bit => last.0 *= 2,
            _ => modes.push((2, 1 << bit, rng.one_in(4))),
        }
    }
    Flat(modes)
}

fn whole(op: &str, args: &[&dyn std::fmt::Display]) -> Result<String, String> {
    ask(op, args).map_err(|error| error.to_string())
}

fn index(layout: &str, c: i64) -> Result<i64, String> {
    ask_int("crd2idx", &[&layout, &c]).map_err(|error| format!("crd2idx({layout}, {c}): {error}"))
}

#[test]
fn indices_without_carries() {
    let mut rng = Rng::new(7);
    let cases: Vec<Flat> = (0..400)
        .map(|k| {
            let mut flat = random(&mut rng, 1 + k % 4, 6);
            if k % 3 == 0 {
                flat.0.push((rng.between(1, 5), rng.between(0, 100), false));
            }
            flat
        })
        .collect();
    hold(&cases, |flat| {
        let text = flat.to_string();
        same("text", whole("flatten", &[&text])?, text.clone())?;
        for c in 0..flat.size() {
            same(&format!("{text} at {c}"), index(&text, c)?, flat.at(c))?;
        }
        let (least, most) = (0..flat.size()).map(|c| flat.at(c)).fold((i64::MAX, i64::MIN), |(l, m), x| (l.min(x), m.max(x)));
        same(&format!("cosize({text})"), ask_int("cosize", &[&text]).map_err(|e| e.to_string())?, most - least.min(0) + 1)?;
        let merged = whole("coalesce", &[&text])?;
        for c in 0..flat.size() {
            same(&format!("coalesce({text}) at {c}"), index(&merged, c)?, flat.at(c))?;
        }
        Ok(Outcome::Answered)
    });
}

#[test]
fn compositions_and_divides() {
    let mut rng = Rng::new(11);
    let cases: Vec<(Flat, Flat)> = (0..500)
        .map(|_| {
            let a = random(&mut rng, 3, 7);
            let bits = a.size().trailing_zeros() as usize;
            (a, permuted(&mut rng, bits.max(1)))
        })
        .collect();
    let tally = hold(&cases, |(a, b)| {
        let (left, right) = (a.to_string(), b.to_string());
        let result = whole("composition", &[&left, &right])?;
        for c in 0..b.size() {
            same(&format!("composition({left}, {right}) = {result} at {c}"), index(&result, c)?, a.at(b.at(c)))?;
        }
        // Divide by a tile with half the extent of every mode.
        let tile: Vec<String> = a.0.iter().map(|mode| (mode.0 / 2).max(1).to_string()).collect();
        let tile = format!("({})", tile.join(","));
        let divided = whole("logical_divide", &[&left, &tile])?;
        for c in 0..a.size() {
            same(&format!("logical_divide({left}, {tile}) = {divided} at {c}"), index(&divided, c)?, a.at(c))?;
        }
        Ok(Outcome::Answered)
    });
    tally.answers_at_least(500);
    refused("composition", &[(&["(8,8):(^9,^1)", "(8,8):(1,1)"], "across"), (&["(3,8):(1,^3)", "24:1"], "power of two")]);
}

#[test]
fn inverses_and_complements() {
    let mut rng = Rng::new(13);
    let cases: Vec<Flat> = (0..500).map(|_| random(&mut rng, 3, 6)).collect();
    let tally = hold(&cases, |l| {
        let text = l.to_string();
        let right = whole("right_inverse", &[&text])?;
        let size = ask_int("size", &[&right]).map_err(|e| e.to_string())?;
        for i in 0..size {
            same(&format!("{text} of {right} of {i}"), l.at(index(&right, i)?), i)?;
        }
        // No longer inverse exists.
        ensure!((0..l.size()).all(|c| l.at(c) != size) || size == 1 << 62, "right_inverse({text}) = {right} ends before {size}");
        let null = whole("nullspace", &[&text])?;
        let zeros = (0..l.size()).filter(|c| l.at(*c) == 0).count() as i64;
        same(&format!("size(nullspace({text}))"), ask_int("size", &[&null]).map_err(|e| e.to_string())?, zeros)?;
        for i in 0..zeros {
            same(&format!("{text} of {null} of {i}"), l.at(index(&null, i)?), 0)?;
        }
        if zeros > 1 {
            ensure!(ask("left_inverse", &[&text]).is_err(), "{text} is not injective");
            ensure!(ask("complement", &[&text]).is_err(), "{text} is not injective");
            return Ok(Outcome::Refused);
        }
        let left = whole("left_inverse", &[&text])?;
        for c in 0..l.size() {
            same(&format!("{left} of {text} of {c}"), index(&left, l.at(c))?, c)?;
            let back = whole("preimage", &[&text, &l.at(c)])?;
            same(&format!("{text} of preimage({text}, {})", l.at(c)), ask_int("crd2idx", &[&text, &back]).ok(), Some(l.at(c)))?;
        }
        let rest = whole("complement", &[&text, &64])?;
        let both = whole("make_layout", &[&text, &rest])?;
        let mut reached: Vec<i64> =
            (0..ask_int("size", &[&both]).map_err(|e| e.to_string())?).map(|c| index(&both, c)).collect::<Result<_, _>>()?;
        reached.sort_unstable();
        ensure!(reached.iter().enumerate().all(|(k, x)| k as i64 == *x), "{both} does not reach everything once");
        Ok(Outcome::Answered)
    });
    tally.answers_at_least(100).refuses_at_least(50);
}

fn linear(text: &str) -> Result<(LinearLayout, u64), String> {
    let operand: Operand<32> = Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).map_err(|e| format!("{text}: {e}"))?;
    LinearLayout::from_layout(&operand).map_err(|e| format!("{text}: {e}"))
}

/// Converts a layout to bits and back, by `to_affine` and by `to_xor`. Fails if the bits differ.
fn round_trip(text: &str) -> Result<Outcome, String> {
    let bits = linear(text)?;
    let plain = whole("to_affine", &[&text])?;
    ensure!(linear(&plain)? == bits, "to_affine({text}) = {plain}");
    if bits.1 == 0 {
        let strides = whole("to_xor", &[&text])?;
        ensure!(linear(&strides)? == bits, "to_xor({text}) = {strides}");
        ensure!(linear(&whole("to_affine", &[&strides])?)? == bits, "to_affine({strides})");
    }
    Ok(Outcome::Answered)
}

#[test]
fn every_affine_layout_and_every_swizzle_of_12_bits_round_trips() {
    let mut texts = Vec::new();
    for (a, b, c) in (0..=12).flat_map(|a| (0..=12 - a).flat_map(move |b| (0..=12 - a - b).map(move |c| (a, b, c)))) {
        let extent = [1i64 << a, 1 << b, 1 << c];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let (mut stride, mut next) = ([0; 3], 1);
            for mode in order {
                stride[mode] = next;
                next *= extent[mode];
            }
            texts.push(format!("({},{},{}):({},{},{})", extent[0], extent[1], extent[2], stride[0], stride[1], stride[2]));
        }
    }
    let mut swizzles = 0;
    for (bits, base) in (1..=6).flat_map(|bits| (0..=12 - 2 * bits).map(move |base| (bits, base))) {
        for shift in (bits..=12 - bits - base).flat_map(|shift| [shift, -shift]) {
            swizzles += 1;
            texts.push(format!("S<{bits},{base},{shift}> o 0 o (64,64):(1,64)"));
            texts.push(format!("S<{bits},{base},{shift}> o 0 o (16,(8,32)):(8,(1,128))"));
        }
    }
    assert!(swizzles > 300, "{swizzles} swizzles");
    hold(&texts, |text| round_trip(text)).answers_at_least(2500);
    let others = ["8:1", "(4,2):(0,1)", "S<0,0,0> o 7 o 8:-1", "S<2,0,2> o 4 o 4:1", "((2,2),(2,2)):((1,4),(2,8))", "1:0", "(2,4):(3,4)"];
    hold(others, |text| round_trip(text)).answers_at_least(others.len());
}

/// Affine layouts of modes of powers of two round trip, in any number and order, with gaps, and with modes that do not move.
#[test]
fn affine_layouts_of_many_modes_round_trip() {
    let mut rng = Rng::new(12);
    let mut texts = Vec::new();
    for _ in 0..600 {
        let (mut left, mut modes) = (rng.below(13), Vec::new());
        while left > 0 {
            let bits = 1 + rng.below(left.min(3));
            modes.push(1i64 << bits);
            left -= bits;
        }
        // Strides in another order than the modes, some bits of the index skipped.
        let mut order: Vec<usize> = (0..modes.len()).collect();
        (1..order.len()).rev().for_each(|k| order.swap(k, rng.below(k + 1)));
        let (mut stride, mut next) = (vec![0; modes.len()], 1i64);
        for mode in order {
            if rng.below(8) > 0 {
                next <<= rng.below(5) / 4;
                stride[mode] = next;
                next *= modes[mode];
            }
        }
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        texts.push(format!("({}):({})", list(&modes), list(&stride)));
    }
    hold(&texts, |text| round_trip(text)).answers_at_least(600);
}

/// Every element is copied once. The values of a vector are consecutive and aligned on both sides.
#[test]
fn threads_of_copies() {
    let cases = [
        ("(32,64):(64,1)", "(32,64):(64,1)", 32, 32, 4),
        ("(32,64):(64,1)", "(32,64):(1,32)", 32, 32, 1),
        ("(32,64):(128,1)", "(32,64):(64,1)", 128, 16, 8),
        ("(32,64):(66,1)", "(32,64):(64,1)", 64, 16, 2),
        ("(6,10):(10,1)", "(6,10):(10,1)", 15, 32, 2),
        ("256:1", "256:1", 32, 8, 8),
        ("(4,8):(8,1)", "(4,8):(8,1)", 8, 64, 2),
    ];
    hold(cases, |(a, b, threads, bits, vector)| {
        let places = whole("copy_threads", &[a, b, threads, bits])?;
        let size = ask_int("size", &[&places]).map_err(|e| e.to_string())?;
        let mut copied: Vec<i64> = (0..size).map(|c| index(&places, c)).collect::<Result<_, _>>()?;
        for (t, v) in (0..*threads).flat_map(|t| (0..size / threads).map(move |v| (t, v))) {
            let at = |v: i64| ask_int("crd2idx", &[&places, &format!("({t},{v})")]).map_err(|e| e.to_string());
            for side in [a, b] {
                let (first, here) = (index(side, at(v - v % vector)?)?, index(side, at(v)?)?);
                ensure!(first % vector == 0 && here == first + v % vector, "thread {t} of {places}: value {v} on {side}");
            }
        }
        copied.sort_unstable();
        ensure!(copied.iter().enumerate().all(|(k, c)| k as i64 == *c), "{places} does not copy everything once");
        Ok(Outcome::Answered)
    });
    refused(
        "copy_threads",
        &[(&["8:1", "8:1", "3", "32"], "divide"), (&["8:1", "8:2", "2", "32"], "index"), (&["8:1", "9:1", "3", "32"], "outside")],
    );
}

#[test]
fn examples() {
    golden(
        "to_xor",
        &[(&["S<3,0,3> o 0 o (8,8):(8,1)"], "(8,8):(^9,^1)"), (&["(8,8):(1,8)"], "(8,8):(^1,^8)"), (&["8:^3"], "8:^3"), (&["1:0"], "1:0")],
    );
    golden("to_affine", &[(&["(8,8):(^9,^1)"], "S<3,0,3> o 0 o (8,8):(8,1)"), (&["(8,8):(^1,^8)"], "(8,8):(1,8)")]);
    golden("coalesce", &[(&["(8,8):(^9,^72)"], "64:^9"), (&["(3,8):(^1,^3)"], "(3,8):(^1,^3)")]);
    golden("crd2idx", &[(&["4:^3", "3"], "5"), (&["(8,8):(^9,^1)", "(3,5)"], "30"), (&["(8,8,10):(^9,^1,64)", "(3,5,2)"], "158")]);
    golden("zipped_divide", &[(&["(8,8):(^9,^1)", "(4,2)"], "((4,2),(2,4)):((^9,^1),(^36,^2))")]);
    golden("composition", &[(&["(8,8):(^9,^1)", "(8,8):(8,1)"], "(8,8):(^1,^9)"), (&["(8,8):(1,8)", "(8,8):(^9,^1)"], "(8,8):(^9,^1)")]);
    golden(
        "bank_conflicts",
        &[
            (&["(32,32):(32,1)", "32:1", "32", "1"], "31"),
            (&["(32,32):(^33,^1)", "32:1", "32", "1"], "0"),
            // Without threads there is no access, although the other extents overflow.
            (&["32:1", "(4611686018427387904,4,0):(1,1,1)", "32", "1"], "0"),
        ],
    );
    refused(
        "to_xor",
        &[(&["(4,4):(1,3)"], "carry"), (&["(3,4):(1,3)"], "power of two"), (&["8:-1"], "-7"), (&["S<0,0,0> o 7 o 8:-1"], "offset")],
    );
    refused("to_affine", &[(&["(2,2,2):(^1,^3,^5)"], "no swizzle")]);
    refused("cosize", &[(&["(4,4):(^1,1@0)"], "basis stride")]);
    refused("make_layout", &[(&["4", "^-1"], "negative")]);
    refused(
        "bank_conflicts",
        &[
            (&["32:1", "(32,4611686018427387904):(1,0)", "32", "1"], "overflow"),
            (&["32:1", "(32,1099511627776):(1,0)", "32", "1"], "too many"),
        ],
    );
    refused("size", &[(&["4:^4611686018427387904"], "overflow")]);
}
