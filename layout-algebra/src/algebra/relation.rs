//! Integer relations with bounds: whether `sum x_k d_k = t` for some integers `x_k` from `low_k` to `high_k`.
//!
//! Two coordinates share an index, two layouts share one, or a layout has an index, if and only if such a relation has a solution.
//!
//! A branch and bound visits the `d_k` from the greatest down. The reach of the others limits each `x_k` to few values, and to one if the
//! strides nest; their greatest common divisor leaves fewer. Where strides overlap, the number of partial sums grows with the extents, so
//! after `BUDGET` of them the solutions are searched as the points of a lattice in a box.

mod lattice;
#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;

/// The maximum number of partial sums that the branch and bound visits before the lattice is searched.
const BUDGET: usize = 1 << 6;

/// The maximum number of partial sums of the second branch and bound, for relations that the lattice does not decide.
const MOST: usize = 1 << 14;

/// A relation of at most `N` terms: steps, and the bounds of their factors.
///
/// ```
/// use layout_algebra::algebra::relation::{Relation, Solution};
/// // 1000003 x - 1000033 y = 30 for x and y from 0 to 10^6?
/// let mut relation = Relation::<2>::new(30);
/// relation.push(0, 1_000_003, 0, 1_000_000);
/// relation.push(1, -1_000_033, 0, 1_000_000);
/// assert!(matches!(relation.solve(), Solution::None));
/// // And with y from -1.
/// let mut relation = Relation::<2>::new(30);
/// relation.push(0, 1_000_003, -1, 1_000_000);
/// relation.push(1, -1_000_033, -1, 1_000_000);
/// assert!(matches!(relation.solve(), Solution::Some([-1, -1])));
/// ```
#[derive(Clone, Copy)]
pub struct Relation<const N: usize> {
    len: usize,
    step: [i128; N],
    low: [i128; N],
    high: [i128; N],
    /// The place of each step in the order in which they were pushed.
    place: [usize; N],
    /// True for a step that was pushed as a negative one.
    negative: [bool; N],
    target: i128,
    /// True if the solution with all factors 0 does not count.
    moves: bool,
}

/// The answer to a relation.
#[derive(Clone, Copy, Debug)]
pub enum Solution<const N: usize> {
    /// There is no solution.
    None,
    /// The factors of a solution, by the numbers of the terms.
    Some([i64; N]),
    /// No solution has been found, and none has been excluded.
    Open,
}

impl<const N: usize> Relation<N> {
    /// Returns the relation with the sum `target`, and no steps yet.
    pub const fn new(target: i128) -> Self {
        let none = [0; N];
        Relation { len: 0, step: none, low: none, high: none, place: [0; N], negative: [false; N], target, moves: false }
    }

    /// Returns the relation with the sum 0 in which some factor is not 0. The bounds of each factor `x` are then `-high` and `high`.
    pub const fn moving() -> Self {
        let mut out = Self::new(0);
        out.moves = true;
        out
    }

    /// Adds the term `x d` with `low <= x <= high`, as the term number `place`. The step is not 0, `low < high`, and there is room.
    pub const fn push(&mut self, place: usize, step: i64, low: i64, high: i64) {
        let (size, negative) = ((step as i128).abs(), step < 0);
        let (low, high) = if negative { (-(high as i128), -(low as i128)) } else { (low as i128, high as i128) };
        // The greatest step first.
        let mut at = self.len;
        while at > 0 && self.step[at - 1] < size {
            self.step[at] = self.step[at - 1];
            self.low[at] = self.low[at - 1];
            self.high[at] = self.high[at - 1];
            self.place[at] = self.place[at - 1];
            self.negative[at] = self.negative[at - 1];
            at -= 1;
        }
        (self.step[at], self.low[at], self.high[at], self.place[at], self.negative[at]) = (size, low, high, place, negative);
        self.len += 1;
    }

    /// Returns true if each step is more than the reach of those below it. Then only equal factors have equal sums.
    pub const fn nests(&self) -> bool {
        let (mut below, mut k) = (0i128, self.len);
        while k > 0 {
            k -= 1;
            if self.step[k] <= below {
                return false;
            }
            below = below.saturating_add(self.high[k].saturating_mul(self.step[k]));
        }
        true
    }

    /// Returns the least sum, the length of the first run of sums, the distance of the sums in it, and whether it has all sums. The
    /// distance is the greatest common divisor of the steps.
    pub const fn run(&self) -> (i128, i128, i128, bool) {
        let (mut least, mut reach, mut common) = (0i128, 0i128, 0i128);
        each!(k, 0..self.len, {
            least += self.low[k] * self.step[k];
            common = gcd(common, self.step[k]);
        });
        let mut k = self.len;
        while k > 0 {
            k -= 1;
            // Larger steps leave out the sum after the run.
            if self.step[k] > reach + common {
                return (least, reach, common, false);
            }
            reach += (self.high[k] - self.low[k]) * self.step[k];
        }
        (least, reach, common, true)
    }

    /// Sets the sum.
    pub const fn retarget(&mut self, target: i128) {
        self.target = target;
    }

    /// Returns the factors of the steps in the order in which they were pushed.
    const fn placed(&self, x: &[i128; N]) -> Solution<N> {
        let mut out = [0; N];
        each!(k, 0..self.len, {
            out[self.place[k]] = if self.negative[k] { -x[k] } else { x[k] } as i64;
        });
        Solution::Some(out)
    }

    /// Returns a solution, `None` if there is none, or `Open` if both the branch and bound and the lattice were too much work.
    pub const fn solve(&self) -> Solution<N> {
        self.solve_within(&mut { usize::MAX })
    }

    /// Solves as [`Relation::solve`] does, and subtracts its steps from `left`. Returns `Open` if they are used up.
    ///
    /// A partial sum is a step, and so are a visited point, and one comparison of two vectors of the lattice.
    pub const fn solve_within(&self, left: &mut usize) -> Solution<N> {
        match self.branch(BUDGET, left) {
            Solution::Open => {}
            found => return found,
        }
        if let Some(found) = lattice::search(self, left) {
            return match found {
                Some(x) => self.placed(&x),
                None => Solution::None,
            };
        }
        self.branch(MOST, left)
    }

    /// Visits the partial sums that later terms can complete, at most `budget` of them, within the steps `left`.
    const fn branch(&self, budget: usize, left: &mut usize) -> Solution<N> {
        let len = self.len;
        // The least and the greatest sum of the terms from `k` on, and the greatest common divisor of their steps.
        let (mut least, mut greatest, mut common) = ([0i128; N], [0i128; N], [0i128; N]);
        let (mut low, mut high, mut divisor) = (0i128, 0i128, 0i128);
        let mut k = len;
        while k > 0 {
            k -= 1;
            low = low.saturating_add(self.low[k].saturating_mul(self.step[k]));
            high = high.saturating_add(self.high[k].saturating_mul(self.step[k]));
            divisor = gcd(divisor, self.step[k]);
            (least[k], greatest[k], common[k]) = (low, high, divisor);
        }
        if low < -(1 << 100) || high > 1 << 100 {
            return Solution::Open;
        }
        let (mut x, mut last, mut step, mut rest) = ([0i128; N], [0i128; N], [0i128; N], [0i128; N]);
        let (mut k, mut visited, mut enter) = (0, 0, true);
        loop {
            if k == len {
                // The divisor of no steps is 0, so the last factor has made the sum exact.
                let mut counts = !self.moves;
                each!(j, 0..len, {
                    counts |= x[j] != 0;
                });
                if counts && (len > 0 || self.target == 0) {
                    return self.placed(&x);
                }
                if k == 0 {
                    return Solution::None;
                }
                k -= 1;
                enter = false;
                continue;
            }
            let open = if k == 0 { self.target } else { rest[k - 1] };
            if enter {
                let (beyond_low, beyond_high, divisor) =
                    if k + 1 < len { (least[k + 1], greatest[k + 1], common[k + 1]) } else { (0, 0, 0) };
                let mut from = ceil_div(open - beyond_high, self.step[k]);
                let mut to = floor_div(open - beyond_low, self.step[k]);
                from = if from < self.low[k] { self.low[k] } else { from };
                to = if to > self.high[k] { self.high[k] } else { to };
                if self.moves && from < 0 {
                    // `x` and `-x` are equivalent, so the first factor that is not 0 is positive.
                    let (mut still, mut j) = (true, 0);
                    while j < k {
                        still &= x[j] == 0;
                        j += 1;
                    }
                    from = if still { 0 } else { from };
                }
                last[k] = to;
                // The later terms sum up to multiples of their common divisor only.
                match congruent(self.step[k], open, divisor) {
                    Some((residue, modulus)) => {
                        x[k] = if modulus == 0 { residue } else { from + remainder(residue - from, modulus) };
                        step[k] = modulus;
                        if x[k] < from {
                            x[k] = to + 1;
                        }
                    }
                    None => x[k] = to + 1,
                }
            } else if step[k] == 0 {
                x[k] = last[k] + 1;
            } else {
                x[k] += step[k];
            }
            if x[k] > last[k] {
                x[k] = 0;
                if k == 0 {
                    return Solution::None;
                }
                k -= 1;
                enter = false;
                continue;
            }
            visited += 1;
            if visited > budget || !spend(left, 1) {
                return Solution::Open;
            }
            rest[k] = open - x[k] * self.step[k];
            k += 1;
            enter = true;
        }
    }
}

/// Subtracts `steps` from `left`, or returns false if that many are not left.
pub(super) const fn spend(left: &mut usize, steps: usize) -> bool {
    let enough = *left >= steps;
    *left = left.saturating_sub(steps);
    enough
}

/// Returns `a / b`, rounded towards 0. Most numbers fit 64 bits, which divide faster.
const fn quotient(a: i128, b: i128) -> i128 {
    if a as i64 as i128 == a && b as i64 as i128 == b && b != -1 { (a as i64 / b as i64) as i128 } else { a / b }
}

/// Returns the remainder of `a` by `b > 0`, which is not negative.
const fn remainder(a: i128, b: i128) -> i128 {
    let rest = a - quotient(a, b) * b;
    if rest < 0 { rest + b } else { rest }
}

/// Returns `a / b` for `b > 0`, rounded down.
const fn floor_div(a: i128, b: i128) -> i128 {
    let out = quotient(a, b);
    if a - out * b < 0 { out - 1 } else { out }
}

/// Solves `a x = b` modulo `m`. Returns a residue and its modulus, or `(b / a, 0)` for `m = 0`; `None` if there is no solution.
const fn congruent(a: i128, b: i128, m: i128) -> Option<(i128, i128)> {
    if m == 0 {
        let x = quotient(b, a);
        return if x * a == b { Some((x, 0)) } else { None };
    }
    let (g, factor, _) = bezout(a, m);
    if remainder(b, g) != 0 {
        return None;
    }
    let modulus = quotient(m, g);
    Some((remainder(remainder(quotient(b, g), modulus) * remainder(factor, modulus), modulus), modulus))
}

/// Returns the greatest common divisor of two positive numbers, and factors with `a x + b y = gcd`.
const fn bezout(a: i128, b: i128) -> (i128, i128, i128) {
    let (mut g, mut rest) = (a, b);
    let (mut x, mut next_x, mut y, mut next_y) = (1i128, 0i128, 0i128, 1i128);
    while rest != 0 {
        let times = quotient(g, rest);
        (g, rest) = (rest, g - times * rest);
        (x, next_x) = (next_x, x - times * next_x);
        (y, next_y) = (next_y, y - times * next_y);
    }
    (g, x, y)
}

const fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a - quotient(a, b) * b);
    }
    a
}

const fn ceil_div(a: i128, b: i128) -> i128 {
    -floor_div(-a, b)
}
