//! Polynomials in the parameters, and proofs that they are never negative.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// The greatest coefficient. Greater ones make a claim undecided.
const GREATEST: u128 = 1 << 100;

/// The maximum number of terms of a product, before they are added.
const MOST_TERMS: usize = 1000;

/// The maximum number of facts that one proof combines.
const FACTS: usize = 3;

/// The number of tuples of parameters at which polynomials are evaluated.
const SAMPLES: usize = 8;

/// A parameter, or the quotient of two polynomials, rounded down.
pub(crate) type Atom = usize;

/// A sum of products of atoms, with integer coefficients that are not 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Poly {
    terms: BTreeMap<Vec<Atom>, i128>,
}

impl Poly {
    pub fn int(number: i128) -> Poly {
        let mut out = Poly::default();
        out.push(vec![], number);
        out
    }

    pub fn atom(atom: Atom) -> Poly {
        Poly { terms: BTreeMap::from([(vec![atom], 1)]) }
    }

    fn push(&mut self, monomial: Vec<Atom>, coefficient: i128) {
        let sum = self.terms.get(&monomial).copied().unwrap_or(0).saturating_add(coefficient);
        if sum == 0 {
            self.terms.remove(&monomial);
        } else {
            self.terms.insert(monomial, sum);
        }
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the number, if the polynomial has no atoms.
    pub fn as_int(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&vec![] as &Vec<Atom>).copied(),
            _ => None,
        }
    }

    pub fn plus(&self, other: &Poly) -> Poly {
        let mut out = self.clone();
        other.terms.iter().for_each(|(monomial, coefficient)| out.push(monomial.clone(), *coefficient));
        out
    }

    pub fn negated(&self) -> Poly {
        Poly { terms: self.terms.iter().map(|(monomial, coefficient)| (monomial.clone(), -coefficient)).collect() }
    }

    pub fn minus(&self, other: &Poly) -> Poly {
        self.plus(&other.negated())
    }

    /// Returns the product, or `None` if a coefficient is too great, or if it has too many terms.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        if self.terms.len() * other.terms.len() > MOST_TERMS {
            return None;
        }
        let mut out = Poly::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut monomial = [&a[..], b].concat();
                monomial.sort_unstable();
                out.push(monomial, x.checked_mul(*y)?);
            }
        }
        out.terms.values().all(|coefficient| coefficient.unsigned_abs() <= GREATEST).then_some(out)
    }

    /// Returns the quotient by a polynomial of one term, if there is no remainder.
    fn over_term(&self, (divisor, by): (&Vec<Atom>, i128)) -> Option<Poly> {
        let mut out = Poly::default();
        for (monomial, coefficient) in &self.terms {
            let mut rest = monomial.clone();
            for atom in divisor {
                rest.remove(rest.iter().position(|known| known == atom)?);
            }
            if coefficient % by != 0 {
                return None;
            }
            out.push(rest, coefficient / by);
        }
        Some(out)
    }

    /// Returns the quotient, if there is no remainder.
    pub fn over(&self, divisor: &Poly) -> Option<Poly> {
        let (leading, by) = divisor.terms.iter().next_back()?;
        if divisor.terms.len() == 1 {
            return self.over_term((leading, *by));
        }
        // Long division by the greatest monomial.
        let (mut rest, mut quotient) = (self.clone(), Poly::default());
        while let Some((monomial, coefficient)) = rest.terms.iter().next_back() {
            let term = Poly { terms: BTreeMap::from([(monomial.clone(), *coefficient)]) }.over_term((leading, *by))?;
            let next = rest.minus(&term.times(divisor)?);
            // The greatest monomials of a sum may not divide each other in this order: stop if no term goes.
            if next.terms.contains_key(monomial) || next.terms.len() > 2 * (self.terms.len() + divisor.terms.len()) {
                return None;
            }
            (rest, quotient) = (next, quotient.plus(&term));
        }
        Some(quotient)
    }

    /// Returns the value where the atoms have these values, or `None` if it is too great.
    fn at(&self, values: &[i128]) -> Option<i128> {
        self.terms.iter().try_fold(0i128, |sum, (monomial, coefficient)| {
            let product = monomial.iter().try_fold(*coefficient, |product, atom| product.checked_mul(values[*atom]));
            sum.checked_add(product?)
        })
    }

    /// Returns the greatest common divisor of the coefficients.
    pub fn content(&self) -> i128 {
        self.terms.values().fold(0, |divisor, coefficient| gcd(divisor, *coefficient))
    }
}

/// Returns the greatest common divisor of two numbers, which is not negative.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least values of the atoms, and facts about them.
#[derive(Clone, Default, Debug)]
pub(crate) struct Atoms {
    /// The least value of each atom, from 0.
    least: Vec<i128>,
    /// Polynomials that are never negative.
    facts: Vec<Poly>,
    /// The quotients that are atoms: dividend, divisor, atom.
    quotients: Vec<(Poly, Poly, Atom)>,
    /// Values of all atoms, a list for each of some tuples of parameters. A polynomial that is negative at one of them needs no search.
    samples: [Vec<i128>; SAMPLES],
}

impl Atoms {
    /// Adds a parameter that is at least `least`, or at least 0.
    pub fn push(&mut self, least: i128) -> Atom {
        let number = self.least.len();
        let least = least.max(0);
        for (k, values) in self.samples.iter_mut().enumerate() {
            // Each parameter is small in some tuples and large in others, in another order than its neighbours.
            values.push(least + [0, 1, 6, 45, 300][(k + number * (k + 1)) % 5]);
        }
        self.least.push(least);
        number
    }

    /// Tests whether a polynomial is negative at one of the samples.
    fn is_negative_somewhere(&self, of: &Poly) -> bool {
        self.samples.iter().any(|values| of.at(values).is_some_and(|value| value < 0))
    }

    /// Returns the polynomial in the differences of the atoms from their least values. `None` if a coefficient is too great.
    fn shifted(&self, of: &Poly) -> Option<Poly> {
        let mut out = Poly::default();
        for (monomial, coefficient) in &of.terms {
            let mut product = Poly::int(*coefficient);
            for atom in monomial {
                product = product.times(&Poly::atom(*atom).plus(&Poly::int(self.least[*atom])))?;
            }
            out = out.plus(&product);
        }
        Some(out)
    }

    /// Tests whether a polynomial is proven to be never negative.
    pub fn is_nonnegative(&self, of: &Poly) -> bool {
        self.is_nonnegative_by(of, FACTS)
    }

    fn is_nonnegative_by(&self, of: &Poly, facts: usize) -> bool {
        if self.is_negative_somewhere(of) {
            return false;
        }
        let Some(shifted) = self.shifted(of) else { return false };
        if shifted.terms.values().all(|coefficient| *coefficient >= 0) {
            return true;
        }
        if facts == 0 {
            return false;
        }
        // Take a multiple of a fact away that cancels a negative term.
        let negative = of.terms.iter().filter(|(_, coefficient)| **coefficient < 0);
        negative.clone().any(|(monomial, coefficient)| {
            let term = Poly { terms: BTreeMap::from([(monomial.clone(), *coefficient)]) };
            self.facts.iter().any(|fact| {
                let mut multiples = fact.terms.iter().filter(|(_, by)| **by < 0).filter_map(|of| term.over_term((of.0, *of.1)));
                multiples.any(|multiple| multiple.times(fact).is_some_and(|taken| self.is_nonnegative_by(&of.minus(&taken), facts - 1)))
            })
        })
    }

    /// Tests whether a polynomial is proven to be at least 1.
    pub fn is_positive(&self, of: &Poly) -> bool {
        self.is_nonnegative(&of.minus(&Poly::int(1)))
    }

    /// Returns `a / b`, rounded down. `None` unless `a` is proven to be at least 0, and `b` at least 1.
    pub fn quotient(&mut self, a: &Poly, b: &Poly) -> Option<Poly> {
        if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
            return (b > 0).then(|| Poly::int(a.div_euclid(b)));
        }
        if let Some((.., atom)) = self.quotients.iter().find(|(x, y, _)| (x, y) == (a, b)) {
            return Some(Poly::atom(*atom));
        }
        if !self.is_nonnegative(a) || !self.is_positive(b) {
            return None;
        }
        if let Some(quotient) = a.over(b) {
            return Some(quotient);
        }
        let least = match (self.shifted(a)?.terms.get(&vec![] as &Vec<Atom>), b.as_int()) {
            (Some(least), Some(b)) if self.is_nonnegative(&a.minus(&Poly::int(*least))) => least / b,
            _ => i128::from(self.is_nonnegative(&a.minus(b))),
        };
        let atom = self.least.len();
        let at = |values: &Vec<i128>| Some(a.at(values)?.div_euclid(b.at(values).filter(|b| *b > 0)?));
        let quotients: Vec<i128> = self.samples.iter().map(at).collect::<Option<_>>()?;
        self.samples.iter_mut().zip(quotients).for_each(|(values, quotient)| values.push(quotient));
        self.least.push(least.max(0));
        let product = Poly::atom(atom).times(b)?;
        self.facts.push(a.minus(&product));
        self.facts.push(product.plus(b).minus(&Poly::int(1)).minus(a));
        self.quotients.push((a.clone(), b.clone(), atom));
        Some(Poly::atom(atom))
    }
}
