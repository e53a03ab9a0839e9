//! Both searches compared with an enumeration, and with one another.

use super::*;
use crate::dynamic::DynLayout;
use crate::heap::{String, ToString, Vec, format};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n) as i64
    }
}

/// Returns a relation of random terms, and its terms.
fn random(rng: &mut Rng, steps: u64) -> (Relation<8>, Vec<(i64, i64, i64)>) {
    let moves = rng.below(2) == 0;
    let target = rng.below(4 * steps) - 2 * steps as i64;
    let mut relation = if moves { Relation::moving() } else { Relation::new(target.into()) };
    let terms: Vec<_> = (0..2 + rng.below(4))
        .map(|_| {
            let (most, step) = (1 + rng.below(4), 1 + rng.below(steps));
            let step = if rng.below(2) == 0 { step } else { -step };
            if moves { (step, -most, most) } else { (step, rng.below(3) - 1, most) }
        })
        .map(|(step, low, high)| (step, low, high.max(low + 1)))
        .collect();
    for (place, (step, low, high)) in terms.iter().enumerate() {
        relation.push(place, *step, *low, *high);
    }
    (relation, terms)
}

fn holds(relation: &Relation<8>, terms: &[(i64, i64, i64)], x: &[i64]) -> bool {
    let sum: i128 = terms.iter().zip(x).map(|((step, ..), x)| i128::from(*step) * i128::from(*x)).sum();
    let inside = terms.iter().zip(x).all(|((_, low, high), x)| low <= x && x <= high);
    inside && sum == relation.target && (!relation.moves || x.iter().any(|x| *x != 0))
}

fn enumerated(relation: &Relation<8>, terms: &[(i64, i64, i64)]) -> bool {
    let mut x: Vec<i64> = terms.iter().map(|term| term.1).collect();
    loop {
        if holds(relation, terms, &x) {
            return true;
        }
        let Some(k) = (0..x.len()).find(|k| x[*k] < terms[*k].2) else { return false };
        x[k] += 1;
        (0..k).for_each(|j| x[j] = terms[j].1);
    }
}

#[test]
fn searches_agree_with_an_enumeration() {
    let mut rng = Rng(3);
    let (mut some, mut none) = (0, 0);
    for round in 0..6_000 {
        let (relation, terms) = random(&mut rng, [6, 40, 1000][round % 3]);
        let exists = enumerated(&relation, &terms);
        if exists {
            some += 1
        } else {
            none += 1
        }
        let text = || format!("{terms:?} = {} ({})", relation.target, relation.moves);
        match relation.branch(usize::MAX, &mut { usize::MAX }) {
            Solution::Some(x) => assert!(exists && holds(&relation, &terms, &x[..terms.len()]), "{}: {x:?}", text()),
            Solution::None => assert!(!exists, "{}", text()),
            Solution::Open => panic!("{}", text()),
        }
        match lattice::search(&relation, &mut { usize::MAX }).unwrap_or_else(|| panic!("{}", text())) {
            Some(x) => {
                let Solution::Some(x) = relation.placed(&x) else { unreachable!() };
                assert!(exists && holds(&relation, &terms, &x[..terms.len()]), "{}: {x:?}", text());
            }
            None => assert!(!exists, "{}", text()),
        }
    }
    assert!(some > 1000 && none > 1000, "{some} have a solution, {none} have none");
}

/// Plants solutions in relations of large steps, where an enumeration is not possible.
#[test]
fn large_steps() {
    let mut rng = Rng(5);
    let (mut some, mut none) = (0, 0);
    for _ in 0..400 {
        let step: Vec<i64> = (0..8).map(|_| 1 + (rng.below(1 << 20) << 20 | rng.below(1 << 20))).collect();
        let most: Vec<i64> = (0..8).map(|_| 1 + rng.below(8)).collect();
        let planted = rng.below(2) == 0;
        let sum = step.iter().zip(&most).map(|(step, most)| i128::from(*step) * i128::from(rng.below(*most as u64 + 1))).sum();
        let mut relation = Relation::<8>::new(if planted { sum } else { sum + 1 });
        step.iter().zip(&most).enumerate().for_each(|(place, (step, most))| relation.push(place, *step, 0, *most));
        match relation.solve() {
            Solution::Some(x) => {
                some += 1;
                let found: i128 = step.iter().zip(&x).map(|(step, x)| i128::from(*step) * i128::from(*x)).sum();
                assert!(found == relation.target && x.iter().zip(&most).all(|(x, most)| 0 <= *x && x <= most));
            }
            Solution::None => {
                none += 1;
                assert!(!planted, "{step:?} {most:?} {sum}");
            }
            Solution::Open => panic!("{step:?} {most:?} {sum}"),
        }
    }
    assert!(some > 100 && none > 100, "{some} have a solution, {none} have none");
}

/// Returns the text of a layout of these extents and strides.
fn layout(extent: &[i64], stride: &[i64]) -> String {
    let join = |of: &[i64]| of.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    format!("({}):({})", join(extent), join(stride))
}

#[test]
fn distances_of_values() {
    let mut rng = Rng(17);
    for _ in 0..3000 {
        let extent: Vec<i64> = (0..3).map(|_| 2 + rng.below(3)).collect();
        let mut stride: Vec<i64> = (0..3).map(|_| 1 + rng.below(60)).collect();
        stride.sort_unstable();
        let text = layout(&extent, &stride);
        let l = DynLayout::<8>::parse(&text).unwrap();
        assert_eq!(Some(l.value().distance_by_relations(0, 3)), l.value().distance(0, 3), "{text}");
    }
}

#[test]
fn coordinates_of_far_indices() {
    let mut rng = Rng(23);
    for _ in 0..60 {
        let extent: Vec<i64> = (0..8).map(|_| 2 + rng.below(7)).collect();
        let stride: Vec<i64> = (0..8).map(|_| (rng.below(1 << 20) << 20 | rng.below(1 << 20)) - (1 << 39)).collect();
        let text = layout(&extent, &stride);
        let l = DynLayout::<8>::parse(&text).unwrap();
        let index = extent.iter().zip(&stride).map(|(extent, stride)| rng.below(*extent as u64) * stride).sum();
        let c = l.preimage(index).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(l.crd2idx(&c), Ok(index), "{text}");
    }
}
