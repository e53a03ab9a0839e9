//! Decides exactly whether two existing elements of the target have the same place and offset.
//!
//! A coordinate is written in digits, and each digit moves the offset or one component of the place by a step. A box is the set
//! of elements whose digits are all within given bounds. With `n` digits, the coordinates below an extent form at most `n` boxes.
//! Two elements of a box, or of two boxes, collide if a sum of digits times steps, each digit within its bounds, has a given
//! value in each component. Each digit moves along one component only, so the components are independent.

use super::digits::Digit;
use super::error::{PlanError, Result};
use super::place::Place;
use super::side::{BoundPiece, BoundSide};
use super::solve::{MOST_STEPS, Undecided, Unknown, solve};
use alloc::vec;
use alloc::vec::Vec;

/// A box of elements of one piece of the target: the elements whose digits are all within bounds.
struct DigitBox<'a> {
    part: &'a BoundPiece,
    /// The digits of the coordinates, then those of the replica, each as (digit, least value, end of the values).
    digits: Vec<(Digit, i64, i64)>,
    /// The least and the greatest value of each component, over all elements: the offset, then the components of the place.
    span: Vec<(i64, i64)>,
}

/// The maximum number of boxes that are compared in pairs.
const MOST_BOXES: usize = 1 << 12;

/// Checks that no two elements of the target have the same place and offset. Fails with the two elements, or if the
/// search exceeds its bounds.
///
/// The work is bounded: at most [`MOST_STEPS`] steps for whole pieces, and then at most [`MOST_BOXES`] boxes and
/// [`MOST_STEPS`] steps for these.
pub(crate) fn distinct(target: &BoundSide) -> Result<()> {
    // First try one box for each piece, with all its digits: in most targets, not even coordinates beyond the extent
    // collide.
    let whole: Vec<DigitBox> = target.list.iter().filter(|part| !part.is_empty()).map(DigitBox::whole).collect();
    let found = all_distinct(&whole);
    if found.is_ok() || target.list.iter().all(BoundPiece::is_whole) {
        return found;
    }
    let count = |part: &BoundPiece| {
        let modes = part.modes.iter().zip(part.hi.iter().zip(&part.lo));
        modes.map(|(digits, (hi, lo))| below(digits, hi - lo).len()).try_fold(1_usize, |all, boxes| all.checked_mul(boxes))
    };
    let boxes = target.list.iter().try_fold(0_usize, |all, part| all.checked_add(count(part)?));
    if boxes.is_none_or(|boxes| boxes > MOST_BOXES) {
        return Err(undecided(Undecided));
    }
    let mut boxes = vec![];
    for part in &target.list {
        prefixes(part, &mut boxes);
    }
    all_distinct(&boxes)
}

fn all_distinct(boxes: &[DigitBox]) -> Result<()> {
    let left = &mut { MOST_STEPS };
    for (k, one) in boxes.iter().enumerate() {
        one.distinct(left)?;
        for other in &boxes[k + 1..] {
            one.apart(other, left)?;
        }
    }
    Ok(())
}

/// Adds boxes to `out` that together have the elements of a piece: the coordinates below its extents.
fn prefixes<'a>(part: &'a BoundPiece, out: &mut Vec<DigitBox<'a>>) {
    let mut all: Vec<Vec<(Digit, i64, i64)>> = vec![vec![]];
    for (mode, digits) in part.modes.iter().enumerate() {
        let boxes = below(digits, part.hi[mode] - part.lo[mode]);
        all = all.iter().flat_map(|rest| boxes.iter().map(|next| [&rest[..], next].concat())).collect();
    }
    out.extend(all.into_iter().map(|digits| DigitBox::new(part, digits)));
}

/// Returns bounds of digits that together give the numbers below `extent`, each box as a list of (digit, least value, end of the
/// values). The first box has all numbers with a smaller slowest digit than `extent`, the next all with the same slowest digit
/// and a smaller second slowest digit, and so on.
fn below(digits: &[Digit], extent: i64) -> Vec<Vec<(Digit, i64, i64)>> {
    if digits.is_empty() {
        return if extent > 0 { vec![vec![]] } else { vec![] };
    }
    let weights: Vec<i64> =
        digits.iter().scan(1_i64, |weight, digit| Some(core::mem::replace(weight, weight.saturating_mul(digit.count)))).collect();
    let mut out = vec![];
    let mut rest = extent;
    let mut fixed: Vec<(Digit, i64, i64)> = vec![];
    for k in (0..digits.len()).rev() {
        let number = rest / weights[k];
        rest %= weights[k];
        if number > 0 {
            let lower = digits[..k].iter().map(|digit| (*digit, 0, digit.count));
            out.push(lower.chain([(digits[k], 0, number)]).chain(fixed.iter().rev().copied()).collect());
        }
        fixed.push((digits[k], number, number + 1));
    }
    out
}

impl<'a> DigitBox<'a> {
    /// Creates the box of the elements of `part` whose digits are within these bounds, given as (digit, least value, end of the
    /// values). The box has all replicas of each element: its copies at other places or offsets.
    fn new(part: &'a BoundPiece, mut digits: Vec<(Digit, i64, i64)>) -> Self {
        digits.extend(part.replica.iter().map(|digit| (*digit, 0, digit.count)));
        let mut span: Vec<(i64, i64)> = part.base.iter().map(|base| (*base, *base)).collect();
        for (digit, lo, hi) in &digits {
            let (one, other) = (digit.step * lo, digit.step * (hi - 1));
            span[digit.component].0 += one.min(other);
            span[digit.component].1 += one.max(other);
        }
        DigitBox { part, digits, span }
    }

    /// Creates the box in which every digit takes all its values, even if the extent of the piece excludes some of the coordinates.
    fn whole(part: &'a BoundPiece) -> Self {
        DigitBox::new(part, part.modes.iter().flatten().map(|digit| (*digit, 0, digit.count)).collect())
    }
}

impl DigitBox<'_> {
    /// Fails if two elements of the box have the same place and offset, or if the search needs more than `left` steps. Subtracts
    /// the steps from `left`.
    fn distinct(&self, left: &mut u32) -> Result<()> {
        // Search for a nonzero difference of two elements that moves nothing. The digits of one component are enough,
        // and by symmetry the first nonzero digit is positive.
        for (k, (first, lo, hi)) in self.digits.iter().enumerate() {
            let own = |other: &Digit| other.component == first.component;
            let difference = |j: usize| {
                let (digit, lo, hi) = self.digits[j];
                let reach = hi - lo - 1;
                let (least, most) = if j < k || !own(&digit) { (0, 0) } else { (if j == k { 1 } else { -reach }, reach) };
                Unknown { step: digit.step.into(), lo: least, hi: most }
            };
            if hi - lo < 2 {
                continue;
            }
            let unknowns: Vec<Unknown> = (0..self.digits.len()).map(difference).collect();
            if let Some(found) = solve(&unknowns, 0, left).map_err(undecided)? {
                let numbers =
                    |sign: i64| self.digits.iter().zip(&found).map(|((_, lo, _), by)| lo + (sign * by).max(0)).collect::<Vec<_>>();
                return Err(self.collision(&numbers(-1), self, &numbers(1)));
            }
        }
        Ok(())
    }

    /// Fails if an element of this box has the place and offset of an element of `other`, or if the search needs more than `left`
    /// steps. Subtracts the steps from `left`.
    fn apart(&self, other: &DigitBox, left: &mut u32) -> Result<()> {
        let (ours, theirs) = (self.digits.len(), self.span.iter().zip(&other.span));
        if theirs.clone().any(|(one, other)| one.1 < other.0 || other.1 < one.0) {
            return Ok(());
        }
        let mut numbers: Vec<i64> = self.digits.iter().chain(&other.digits).map(|(_, lo, _)| *lo).collect();
        for component in 0..self.span.len() {
            let of = |(digit, lo, hi): &(Digit, i64, i64), sign: i64| match digit.component == component {
                true => Unknown { step: (sign * digit.step).into(), lo: *lo, hi: hi - 1 },
                false => Unknown { step: 0, lo: *lo, hi: *lo },
            };
            let unknowns: Vec<Unknown> =
                self.digits.iter().map(|digit| of(digit, 1)).chain(other.digits.iter().map(|digit| of(digit, -1))).collect();
            match solve(&unknowns, (other.part.base[component] - self.part.base[component]).into(), left).map_err(undecided)? {
                None => return Ok(()),
                Some(found) => {
                    let all = self.digits.iter().chain(&other.digits).zip(&found);
                    all.zip(&mut numbers)
                        .filter(|(((digit, ..), _), _)| digit.component == component)
                        .for_each(|((_, value), number)| *number = *value);
                }
            }
        }
        Err(self.collision(&numbers[..ours], other, &numbers[ours..]))
    }

    /// Returns the error for two elements of the same place and offset: one of this box and one of `other`, given by the values of
    /// their digits.
    fn collision(&self, ours: &[i64], other: &DigitBox, theirs: &[i64]) -> PlanError {
        let mut spot = self.part.base.clone();
        self.digits.iter().zip(ours).for_each(|((digit, ..), number)| spot[digit.component] += digit.step * number);
        let ((first, one), (second, two)) = (self.coordinate(ours), other.coordinate(theirs));
        let (place, offset) = (Place::new(spot[1..].to_vec()), spot[0]);
        if first == second {
            return PlanError::ReplicaCollision { first: one, second: two, element: first, place, offset };
        }
        PlanError::Collision { first, second, place, offset }
    }

    /// Returns the coordinate of an element and the number of its replica, from 0, given the values of its digits.
    fn coordinate(&self, numbers: &[i64]) -> (Vec<i64>, i64) {
        let mut numbers = numbers.iter();
        let mut value = |digits: &[Digit]| {
            let mut weight = 1;
            digits.iter().zip(numbers.by_ref()).fold(0, |sum, (digit, number)| {
                let below = weight;
                weight *= digit.count;
                sum + below * number
            })
        };
        let coordinate = self.part.modes.iter().zip(&self.part.lo).map(|(digits, lo)| lo + value(digits)).collect();
        (coordinate, value(&self.part.replica))
    }
}

fn undecided(_: Undecided) -> PlanError {
    PlanError::Undecided { steps: MOST_STEPS }
}
