//! The digits of a coordinate in one mode of one side, and how each of them moves the offset or the place.

use alloc::vec;
use alloc::vec::Vec;

/// A digit of a coordinate. It takes the values `0..count`, and each increment moves `step` along `component` (0 is
/// the offset, 1 and above the place).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Digit {
    pub count: i64,
    pub component: usize,
    pub step: i64,
}

/// The digits of one mode, the fastest first. They count from coordinate `at` of the tensor.
#[derive(Clone, Debug)]
pub(crate) struct ModeDigits {
    pub digits: Vec<Digit>,
    /// `weights[i]` is the weight of digit `i`: the product of the counts of all faster digits.
    pub weights: Vec<i64>,
    pub at: i64,
}

/// The step of a loop on one side: `by` along `component`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ComponentStep {
    pub component: usize,
    pub by: i64,
}

impl ComponentStep {
    pub const NONE: ComponentStep = ComponentStep { component: 0, by: 0 };
}

impl ModeDigits {
    pub fn new(digits: Vec<Digit>, at: i64) -> Self {
        let mut weight = 1_i64;
        let weights = digits
            .iter()
            .map(|digit| {
                let below = weight;
                weight = below.saturating_mul(digit.count);
                below
            })
            .collect();
        ModeDigits { digits, weights, at }
    }

    /// Adds the share of coordinate `x` in the offset and the place to `value`, which has one number for each component.
    pub fn add_to(&self, value: &mut [i64], x: i64) {
        let mut rest = x - self.at;
        for (k, digit) in self.digits.iter().enumerate() {
            let last = k + 1 == self.digits.len();
            let number = if last { rest } else { rest % digit.count };
            rest /= digit.count.max(1);
            value[digit.component] += number * digit.step;
        }
    }

    /// Returns the number of the slowest digit that changes within `lo..hi`, or 0 if only digit 0 or none changes.
    pub fn slowest(&self, lo: i64, hi: i64) -> usize {
        let (first, last) = (lo - self.at, hi - 1 - self.at);
        (1..self.digits.len()).rev().find(|i| first / self.weights[*i] != last / self.weights[*i]).unwrap_or(0)
    }

    /// Returns the step of the side over `distance` coordinates, a multiple of the weight of digit `i`. No slower digit may
    /// change. Without digits it is `ComponentStep::NONE`.
    pub fn step(&self, i: usize, distance: i64) -> ComponentStep {
        match self.digits.get(i) {
            Some(digit) => {
                ComponentStep { component: if digit.step == 0 { 0 } else { digit.component }, by: distance / self.weights[i] * digit.step }
            }
            None => ComponentStep::NONE,
        }
    }

    /// Tests whether a cut at `weight` falls between two digits, a digit into two whole counts, or the slowest digit.
    pub fn can_cut(&self, weight: i64) -> bool {
        match self.digits.iter().zip(&self.weights).rposition(|(_, below)| *below <= weight) {
            None => true,
            Some(i) => {
                let factor = weight / self.weights[i];
                let last = i + 1 == self.digits.len();
                weight % self.weights[i] == 0 && (last || self.digits[i].count % factor == 0)
            }
        }
    }

    /// Cuts the digits at `weight`, which `can_cut` allows. Returns the digits below it and from it on; both count from 0.
    pub fn cut(&self, weight: i64) -> (ModeDigits, ModeDigits) {
        let (mut low, mut high) = (vec![], vec![]);
        for (digit, below) in self.digits.iter().zip(&self.weights) {
            if *below >= weight {
                high.push(*digit);
            } else if below.saturating_mul(digit.count) <= weight {
                low.push(*digit);
            } else {
                let factor = weight / below;
                low.push(Digit { count: factor, ..*digit });
                high.push(Digit { count: (digit.count + factor - 1) / factor, step: digit.step * factor, ..*digit });
            }
        }
        (ModeDigits::new(low, 0), ModeDigits::new(high, 0))
    }
}
