//! Generates questions for the planner from a stream of numbers: random ones, or bytes of a fuzzer.

use super::oracle::{Digit, PieceSpec, Question, SideSpec};

/// A stream of choices.
pub trait Choices {
    /// Returns a number below `n`.
    fn below(&mut self, n: u64) -> u64;

    fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as u64) as i64
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// A multiplicative random generator with its state.
pub struct Random(pub u64);

impl Random {
    /// Creates the generator of a seed. Consecutive seeds have states that are far apart.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Choices for Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 11) * u128::from(n)) >> 53) as u64
    }
}

/// Choices from bytes, one or two for each choice. After the last byte, a generator seeded by them continues, so that
/// a few bytes make a whole question.
pub struct Bytes<'a> {
    left: &'a [u8],
    then: Random,
}

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Bytes {
            left: data,
            then: Random::new(data.iter().fold(data.len() as u64 + 1, |seed, byte| seed.wrapping_mul(257) + u64::from(*byte))),
        }
    }
}

impl Choices for Bytes<'_> {
    fn below(&mut self, n: u64) -> u64 {
        match (self.left, n <= 1 << 8) {
            ([byte, rest @ ..], true) => {
                self.left = rest;
                u64::from(*byte) % n
            }
            ([high, low, rest @ ..], false) => {
                self.left = rest;
                u64::from(u16::from_be_bytes([*high, *low])) % n
            }
            _ => self.then.below(n),
        }
    }
}

/// The maximum number of elements of a tensor.
const MOST: i64 = 1500;

/// Generates any question: digits that nest or not, places, flips, paddings, extents, pieces, replicas. Now and then
/// the planner must refuse it.
pub fn question(choices: &mut impl Choices) -> Question {
    let rank = 1 + choices.below(3) as usize;
    let mut left = MOST;
    let extent: Vec<i64> = (0..rank)
        .map(|_| {
            let most = (left as f64).powf(1.0 / rank as f64) as i64 * 2;
            let extent = choices.between(1, most.clamp(1, left));
            left /= extent;
            extent
        })
        .collect();
    Question { from: side(choices, &extent, true), to: side(choices, &extent, false), extent }
}

fn side(choices: &mut impl Choices, extent: &[i64], source: bool) -> SideSpec {
    match choices.below(8) {
        0 => pieces(choices, extent, source),
        1 => {
            let count = choices.between(2, 3);
            let mut piece = piece(choices, extent, Some(count));
            let base = base(choices, &piece.modes);
            piece.base = base;
            SideSpec { pieces: vec![piece], replicas: Some(if choices.one_in(30) { 4 } else { count }), whole: true }
        }
        _ => {
            let mut piece = piece(choices, extent, None);
            let base = base(choices, &piece.modes);
            piece.base = base;
            SideSpec { pieces: vec![piece], replicas: None, whole: true }
        }
    }
}

/// Generates slabs along one mode, each with its own layout. Slabs of a source may overlap, and now and then something
/// is wrong.
fn pieces(choices: &mut impl Choices, extent: &[i64], source: bool) -> SideSpec {
    let mode = choices.below(extent.len() as u64) as usize;
    let mut out = vec![];
    let mut at = 0;
    let mut number = 0;
    let wrong = choices.one_in(6);
    while at < extent[mode] {
        let length = choices.between(1, extent[mode] - at);
        let mut own = extent.to_vec();
        own[mode] = length;
        let mut lo = vec![0; extent.len()];
        lo[mode] = at;
        at += length;
        if wrong && choices.one_in(8) {
            own[mode] -= 1;
        }
        if source && choices.one_in(3) {
            let more = choices.between(0, lo[mode].min(3));
            (lo[mode], own[mode]) = (lo[mode] - more, own[mode] + more);
        }
        if wrong && choices.one_in(12) {
            own[mode] += 1;
        }
        let mut piece = piece(choices, &own, None);
        piece.at = lo;
        piece.base = base(choices, &piece.modes);
        // Mostly each piece has a place of its own. Now and then a piece of a source shares the place of the piece
        // before it, which may have the same elements.
        piece.base.resize(3, 0);
        piece.base[2] += number;
        number += i64::from(!((source || wrong) && choices.one_in(6)));
        out.push(piece);
    }
    SideSpec { pieces: out, replicas: None, whole: false }
}

/// Generates a piece: the digits of each mode, in some order in memory.
fn piece(choices: &mut impl Choices, extent: &[i64], replicas: Option<i64>) -> PieceSpec {
    let mut modes: Vec<Vec<i64>> = extent.iter().map(|extent| counts(choices, *extent)).collect();
    modes.extend(replicas.map(|count| vec![count]));
    let mut order: Vec<(usize, usize)> = modes.iter().enumerate().flat_map(|(m, mode)| (0..mode.len()).map(move |k| (m, k))).collect();
    if !choices.one_in(3) {
        for k in (1..order.len()).rev() {
            order.swap(k, choices.below(k as u64 + 1) as usize);
        }
    }
    let mut digits: Vec<Vec<Digit>> = modes.iter().map(|mode| mode.iter().map(|count| (*count, 0, 0)).collect()).collect();
    let mut next = [1_i64; 3];
    let places = choices.below(3);
    for (m, k) in order {
        let count = digits[m][k].0;
        let component = if places > 0 && choices.one_in(4) { 1 + choices.below(places) as usize } else { 0 };
        let mut step = next[component];
        match choices.below(24) {
            0 => step = 0,
            1 => step = choices.between(1, step),
            2 | 3 => step = -step,
            _ => {}
        }
        digits[m][k] = (count, component, step);
        next[component] = next[component] * count + if component == 0 && choices.one_in(4) { choices.between(0, 3) } else { 0 };
    }
    PieceSpec { modes: digits, at: vec![0; extent.len()], extent: extent.to_vec(), base: vec![] }
}

/// Generates counts of digits whose product is `extent`, or somewhat more.
fn counts(choices: &mut impl Choices, extent: i64) -> Vec<i64> {
    let mut out = vec![];
    let mut left = extent;
    while left > 1 && out.len() < 3 && !choices.one_in(3) {
        let count = choices.between(1, left.min(9));
        out.push(count);
        left = (left + count - 1) / count;
    }
    out.push(left);
    if choices.one_in(50) {
        out[0] = (out[0] - 1).max(1);
    }
    out
}

/// Generates a base that makes the least offset of the layout a small number.
fn base(choices: &mut impl Choices, modes: &[Vec<Digit>]) -> Vec<i64> {
    let mut base = vec![0; 1 + choices.below(2) as usize];
    let reach = |(count, component, step): &Digit| if *component == 0 && *step < 0 { -step * (count - 1) } else { 0 };
    base[0] = modes.iter().flatten().map(reach).sum::<i64>() + choices.between(0, 4);
    base
}
