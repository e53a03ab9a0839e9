//! Solves bounded sums: is there an `x` with `steps . x = sum` and every `x_i` within its bounds?
//!
//! The answer is exact. Each bound follows from the bounds of the other unknowns, and each residue from the greatest
//! common divisor of the other steps. For layouts whose strides nest, this alone decides. Any interval that remains is
//! halved. If that takes many steps, the solutions are searched as points of a lattice ([`Relation`]).

use super::refine::gcd;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::algebra::relation::{Relation, Solution};
use layout_core::algebra::value::MAX_LEAVES;

/// An unknown within two inclusive bounds. Each unit of it adds `step` to the sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub step: i128,
    pub lo: i64,
    pub hi: i64,
}

/// The error of a search that took too many steps, or whose numbers exceed 125 bits.
pub(crate) struct Undecided;

/// The maximum number of intervals to search, for one sum or for several sums that belong together.
pub(crate) const MOST_STEPS: u32 = 1 << 18;

/// The number of intervals to search before the lattice.
const FEW_STEPS: u32 = 1 << 8;

/// Returns values with `steps . x = sum`, or `None` if there are none. Counts `left` down for each step, and fails when it is 0.
pub(crate) fn solve(unknowns: &[Unknown], sum: i128, left: &mut u32) -> Result<Option<Vec<i64>>, Undecided> {
    if unknowns.iter().any(|unknown| unknown.lo > unknown.hi) {
        return Ok(None);
    }
    let most = unknowns.iter().try_fold(sum.checked_abs().ok_or(Undecided)?, |most, unknown| {
        let bound = i128::from(unknown.lo).abs().max(i128::from(unknown.hi).abs());
        most.checked_add(unknown.step.checked_abs()?.checked_mul(bound)?)
    });
    if most.is_none_or(|most| most >= 1 << 125) {
        return Err(Undecided);
    }
    // Merge unknowns with equal absolute steps into one term; the sign of a step goes to the bounds.
    let mut terms: Vec<Term> = vec![];
    for unknown in unknowns.iter().filter(|unknown| unknown.step != 0) {
        let (step, lo, more) = (unknown.step.abs(), least(unknown), unknown.reach());
        match terms.iter_mut().find(|term| term.step == step) {
            Some(term) => (term.shift, term.most) = (term.shift + lo, term.most + more),
            None => terms.push(Term { step, most: more, scale: 1, shift: lo }),
        }
    }
    let steps: Vec<i128> = terms.iter().map(|term| term.step).collect();
    let constant: i128 = terms.iter().map(|term| term.step * term.shift).sum();
    let Some(values) = decide(terms, sum - constant, left)? else { return Ok(None) };
    // Distribute the value of each term over its unknowns; each takes as much as its bounds allow.
    let mut rest: Vec<i128> = steps
        .iter()
        .zip(&values)
        .map(|(step, value)| value - unknowns.iter().filter(|unknown| unknown.step.abs() == *step).map(least).sum::<i128>())
        .collect();
    let spread = |unknown: &Unknown| {
        let Some(term) = steps.iter().position(|step| *step == unknown.step.abs()) else { return unknown.lo };
        let more = rest[term].min(unknown.reach());
        rest[term] -= more;
        let value = least(unknown) + more;
        (if unknown.step > 0 { value } else { -value }) as i64
    };
    Ok(Some(unknowns.iter().map(spread).collect()))
}

impl Unknown {
    fn reach(&self) -> i128 {
        i128::from(self.hi) - i128::from(self.lo)
    }
}

fn least(unknown: &Unknown) -> i128 {
    if unknown.step > 0 { unknown.lo.into() } else { -i128::from(unknown.hi) }
}

/// A term with a positive step. Its value is `shift + scale * y` with `0 <= y <= most`; `step` is the step per unit of `y`.
#[derive(Clone)]
struct Term {
    step: i128,
    most: i128,
    scale: i128,
    shift: i128,
}

impl Term {
    /// Restricts the term to the values `first, first + period, ..., first + most * period`. Returns what `first`
    /// contributes to the sum.
    fn keep(&mut self, first: i128, period: i128, most: i128) -> i128 {
        let constant = self.step * first;
        self.shift += self.scale * first;
        self.most = most;
        if most > 0 {
            self.scale *= period;
            self.step *= period;
        }
        constant
    }
}

/// Returns the values of the terms. Searches few intervals, then the lattice of the solutions, then up to `left` intervals.
fn decide(terms: Vec<Term>, sum: i128, left: &mut u32) -> Result<Option<Vec<i128>>, Undecided> {
    let (most, few) = (*left, (*left).min(FEW_STEPS));
    let mut rest = few;
    let found = search(terms.clone(), sum, &mut rest);
    *left = most - (few - rest);
    if found.is_ok() || few == most {
        return found;
    }
    match by_lattice(&terms, sum) {
        Some(found) => Ok(found),
        None => search(terms, sum, left),
    }
}

/// Returns the values of the terms by a [`Relation`], or `None` if it does not decide.
fn by_lattice(terms: &[Term], sum: i128) -> Option<Option<Vec<i128>>> {
    let mut relation = Relation::<MAX_LEAVES>::new(sum);
    let moving = terms.iter().enumerate().filter(|(_, term)| term.most > 0);
    if terms.len() > MAX_LEAVES {
        return None;
    }
    for (k, term) in moving {
        relation.push(k, term.step.try_into().ok()?, 0, term.most.try_into().ok()?);
    }
    match relation.solve() {
        Solution::None => Some(None),
        Solution::Some(found) => Some(Some(terms.iter().zip(found).map(|(term, x)| term.shift + i128::from(x)).collect())),
        Solution::Open => None,
    }
}

fn search(mut terms: Vec<Term>, mut sum: i128, left: &mut u32) -> Result<Option<Vec<i128>>, Undecided> {
    *left = left.checked_sub(1).ok_or(Undecided)?;
    if !narrow(&mut terms, &mut sum) {
        return Ok(None);
    }
    // Halve the term with the greatest reach: it decides most of the sum.
    let Some(widest) = (0..terms.len()).filter(|k| terms[*k].most > 0).max_by_key(|k| terms[*k].step * terms[*k].most) else {
        return Ok(Some(terms.iter().map(|term| term.shift).collect()));
    };
    let (most, middle) = (terms[widest].most, terms[widest].most / 2);
    let mut low = terms.clone();
    low[widest].most = middle;
    if let Some(found) = search(low, sum, left)? {
        return Ok(Some(found));
    }
    let constant = terms[widest].keep(middle + 1, 1, most - middle - 1);
    search(terms, sum - constant, left)
}

/// Narrows each term to the bounds and residues that follow from the other terms. Returns false if no value remains.
fn narrow(terms: &mut [Term], sum: &mut i128) -> bool {
    // Bounds may close in by one at a time. Halving is faster then, so stop after some rounds.
    for _ in 0..16 {
        let mut changed = false;
        let mut high: i128 = terms.iter().map(|term| term.step * term.most).sum();
        if *sum < 0 || *sum > high {
            return false;
        }
        for k in 0..terms.len() {
            if terms[k].most == 0 {
                continue;
            }
            let others = |j: &usize| *j != k && terms[*j].most > 0;
            let divisor = (0..terms.len()).filter(others).fold(0, |divisor, j| gcd(divisor, terms[j].step));
            let Term { step, most, .. } = terms[k];
            high -= step * most;
            let least = ((*sum - high + step - 1).div_euclid(step)).max(0);
            let greatest = (*sum).div_euclid(step).min(most);
            let Some((period, first)) = residue(step, *sum, divisor) else { return false };
            let first = if period == 0 { first } else { first + ((least - first + period - 1).div_euclid(period)) * period };
            if first < least || first > greatest {
                return false;
            }
            let count = if period == 0 { 0 } else { (greatest - first) / period };
            changed |= first > 0 || count < most;
            *sum -= terms[k].keep(first, period, count);
            high += terms[k].step * count;
        }
        if !changed {
            break;
        }
    }
    terms.iter().any(|term| term.most > 0) || *sum == 0
}

/// Returns `(period, first)`, so that `y = first (mod period)` are the solutions of `step * y = rest (mod divisor)`, or `None`
/// without solutions. If `divisor` is 0, it solves `step * y = rest` and returns period 0.
fn residue(step: i128, rest: i128, divisor: i128) -> Option<(i128, i128)> {
    if divisor == 0 {
        return if rest % step == 0 { Some((0, rest / step)) } else { None };
    }
    let common = gcd(step, divisor);
    if rest % common != 0 {
        return None;
    }
    let (period, a, b) = (divisor / common, step / common, rest / common);
    Some((period, product(b.rem_euclid(period), inverse(a.rem_euclid(period), period), period)))
}

/// Returns `a b mod m`, for numbers from 0 to `m` of at most 125 bits.
fn product(a: i128, b: i128, m: i128) -> i128 {
    match a.checked_mul(b) {
        Some(product) => product % m,
        // Add bit by bit, the highest first, so that sums stay below 128 bits.
        None => (0..i128::BITS).rev().fold(0, |sum, bit| (2 * sum + if b >> bit & 1 == 1 { a } else { 0 }) % m),
    }
}

/// Returns the inverse of `a` modulo `m`. The two have no common divisor.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut r, mut next, mut t, mut t_next) = (m, a, 0, 1);
    while next != 0 {
        let q = r / next;
        (r, next) = (next, r - q * next);
        (t, t_next) = (t_next, t - q * t_next);
    }
    if m == 1 { 0 } else { t.rem_euclid(m) }
}

#[cfg(test)]
mod tests {
    use super::{MOST_STEPS, Unknown, product, solve};
    use alloc::vec::Vec;

    #[test]
    fn products_of_more_than_128_bits() {
        for m in [(1_i128 << 124) + 1, (1 << 125) - 1, (1 << 100) - 3, (1 << 64) + 13] {
            // Modulo `m`, these are (-1)(-1) = 1, (-1)(-2) = 2 and (-2)(-3) = 6.
            assert_eq!([product(m - 1, m - 1, m), product(m - 1, m - 2, m), product(m - 2, m - 3, m)], [1, 2, 6]);
        }
        assert_eq!(product(7, 8, 13), 4);
    }

    /// Compares the solver with an enumeration of all values, for small steps and for steps so large that products of
    /// residues exceed 128 bits.
    #[test]
    fn as_all_values_say() {
        let mut state = 7_u64;
        let mut below = |n: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((u128::from(state >> 11) * n as u128) >> 53) as i64
        };
        let mut seen = [0, 0];
        for _ in 0..4000 {
            let unknowns: Vec<Unknown> = (0..1 + below(4))
                .map(|_| {
                    let lo = below(7) - 4;
                    Unknown { step: i128::from(below(25) - 12), lo, hi: lo + below(5) - i64::from(below(20) == 0) }
                })
                .collect();
            let sum = i128::from(below(61) - 30);
            let mut sums: Vec<i128> = alloc::vec![0];
            for unknown in &unknowns {
                sums = sums.iter().flat_map(|sum| (unknown.lo..=unknown.hi).map(move |x| sum + unknown.step * i128::from(x))).collect();
            }
            for scale in [1, (1 << 110) + 7] {
                let scaled: Vec<Unknown> = unknowns.iter().map(|unknown| Unknown { step: unknown.step * scale, ..*unknown }).collect();
                let Ok(found) = solve(&scaled, sum * scale, &mut { MOST_STEPS }) else { panic!("few steps are enough for {unknowns:?}") };
                assert_eq!(found.is_some(), sums.contains(&sum), "{unknowns:?} to {sum}");
                seen[usize::from(found.is_some())] += 1;
                if let Some(found) = found {
                    assert!(found.iter().zip(&unknowns).all(|(x, unknown)| (unknown.lo..=unknown.hi).contains(x)), "{unknowns:?}");
                    let total: i128 = found.iter().zip(&unknowns).map(|(x, unknown)| unknown.step * i128::from(*x)).sum();
                    assert_eq!(total, sum, "{unknowns:?}");
                }
            }
        }
        assert!(seen.iter().all(|seen| *seen > 500), "{seen:?}");
    }

    #[test]
    fn numbers_beyond_125_bits_are_not_decided() {
        let wide = |step: i128| [Unknown { step, lo: -1, hi: 1 }, Unknown { step: 1, lo: 0, hi: 1 }];
        assert!(solve(&wide((1 << 125) - 2), 0, &mut { MOST_STEPS }).is_ok());
        assert!(solve(&wide(1 << 125), 0, &mut { MOST_STEPS }).is_err());
        assert!(solve(&wide(i128::MIN), 0, &mut { MOST_STEPS }).is_err());
        assert!(solve(&wide(1), i128::MIN, &mut { MOST_STEPS }).is_err());
        assert!(solve(&wide(1), 0, &mut 0).is_err());
    }
}
