//! Proofs that a number is not negative, from the ranges and bounds of atoms and from assumptions. A proof that runs out of
//! steps fails, so `false` never means "negative".

use super::forms::Forms;
use super::poly::{Atom, Poly};

/// The maximum number of assumptions that are kept.
pub(super) const ASSUMED: usize = 32;
/// The maximum number of assumptions that one proof uses.
const NESTED: usize = 4;
/// The maximum number of combinations of assumptions that are tried.
const TRIES: usize = 64;
/// The maximum number of steps of one proof.
const STEPS: usize = 48;

impl Forms<'_> {
    /// Returns true if `p >= 0` is proven.
    pub fn is_natural(&self, p: &Poly) -> bool {
        if self.facts(p).lo >= 0 {
            return true;
        }
        self.tries.set(TRIES);
        self.proves(p) || self.follows(p, NESTED)
    }

    /// Returns true if `p >= 1` is proven.
    pub fn is_positive(&self, p: &Poly) -> bool {
        p.plus(-1).is_some_and(|p| self.is_natural(&p))
    }

    /// Returns true if `0 <= p < n` is proven.
    pub fn is_within(&self, p: &Poly, n: &Poly) -> bool {
        // Reject first by the range, which is cheap and decides most cases.
        let facts = self.facts(p);
        if facts.hi < 0 || n.value().is_some_and(|n| facts.lo >= n) {
            return false;
        }
        let Some(room) = n.sub(p) else { return false };
        self.is_positive(&room) && self.is_natural(p)
    }

    /// Returns true if `p` minus multiples of at most `depth` assumptions is proven not to be negative. Each
    /// subtraction must reduce the number of terms.
    fn follows(&self, p: &Poly, depth: usize) -> bool {
        depth > 0
            && self.assumed.iter().any(|a| {
                self.multiples(p, a).any(|rest| {
                    let left = self.tries.get();
                    self.tries.set(left.saturating_sub(1));
                    left > 0 && (self.facts(&rest).lo >= 0 || self.proves(&rest) || self.follows(&rest, depth - 1))
                })
            })
    }

    /// Iterates over `p - m a` with fewer terms than `p`, for products `m` that are not negative.
    fn multiples<'p>(&'p self, p: &'p Poly, a: &'p Poly) -> impl Iterator<Item = Poly> + 'p {
        let first = a.terms().iter().find(|(n, _)| !n.is_empty());
        p.terms().iter().filter_map(move |(m, c)| {
            let (n, k) = first?;
            let ratio = m.over(n).filter(|_| c % k == 0 && c / k > 0)?;
            let natural = ratio.iter().all(|x| self.atoms[*x as usize].facts.lo >= 0);
            let rest = p.sub(&a.times(&ratio, c / k)?)?;
            (natural && rest.len() < p.len()).then_some(rest)
        })
    }

    fn proves(&self, p: &Poly) -> bool {
        self.budget.set(STEPS);
        !self.is_unbounded(p) && self.step(p)
    }

    /// Returns true if `p` has an atom without a bound in the direction that makes `p` smaller, and no bound of another
    /// atom can cancel this atom.
    fn is_unbounded(&self, p: &Poly) -> bool {
        p.terms().iter().any(|(m, c)| match m[..] {
            [x] => {
                let info = &self.atoms[x as usize];
                let open = if *c > 0 {
                    info.lower.is_empty() && info.facts.lo == i64::MIN
                } else {
                    info.upper.is_empty() && info.facts.hi == i64::MAX
                };
                open && !info.mentioned && p.terms().iter().all(|(n, _)| n == m || !n.contains(&x))
            }
            _ => false,
        })
    }

    /// Replaces one atom after the other by a bound that makes `p` smaller, until the range decides. Returns true
    /// if `p >= 0` is proven.
    fn step(&self, p: &Poly) -> bool {
        let facts = self.facts(p);
        if facts.lo >= 0 {
            return true;
        }
        if facts.hi < 0 || self.budget.get() == 0 {
            return false;
        }
        self.budget.set(self.budget.get() - 1);
        // The bounds of an atom contain earlier atoms, so the last atom is replaced first.
        p.atoms().into_iter().rev().any(|x| self.eliminates(p, x))
    }

    fn eliminates(&self, p: &Poly, x: Atom) -> bool {
        let Some((slope, rest)) = p.linear(x) else { return false };
        let info = &self.atoms[x as usize];
        let (bounds, end) = if self.rises(&slope) {
            (&info.lower, info.facts.lo)
        } else if self.rises(&slope.neg()) {
            (&info.upper, info.facts.hi)
        } else {
            return false;
        };
        let at = |bound: &Poly| slope.mul(bound).and_then(|term| rest.add(&term)).is_some_and(|least| self.step(&least));
        bounds.iter().any(at) || (end != i64::MIN && end != i64::MAX && at(&Poly::constant(end)))
    }

    fn rises(&self, slope: &Poly) -> bool {
        self.facts(slope).lo >= 0 || (slope.len() > 1 && self.step(slope))
    }
}
