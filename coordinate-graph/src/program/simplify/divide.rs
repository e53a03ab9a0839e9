//! Rules for quotients and remainders of polynomials. `divided` and `reduced` try the rules in order, so a new rule is a
//! step in one of them. Quotients round down.

use super::forms::{Forms, Kind};
use super::poly::{Monomial, Poly};
use crate::program::apply;
use layout_algebra::heap::*;
use layout_algebra::value::Node::{self, Div, Rem};
use layout_algebra::value::{Facts, gcd};

/// The maximum depth of quotients that lead to other quotients.
const DEPTH: usize = 12;

impl Forms<'_> {
    /// Returns `p / d`, rounded down; 0 if `d` is 0.
    pub fn floor_div(&mut self, p: &Poly, d: &Poly) -> Poly {
        self.quotient_of(Div, p, d, |forms| forms.divided(p, d))
    }

    /// Returns `p` modulo `d`; `p` if `d` is 0.
    pub fn modulo(&mut self, p: &Poly, d: &Poly) -> Poly {
        self.quotient_of(Rem, p, d, |forms| forms.reduced(p, d))
    }

    /// Returns `p / d` or `p % d` by `rule`, and remembers it. If `rule` returns `None` or is nested too deeply, returns an
    /// atom.
    fn quotient_of(&mut self, node: Node, p: &Poly, d: &Poly, rule: impl FnOnce(&mut Self) -> Option<Poly>) -> Poly {
        let key = (node == Div, p.clone(), d.clone());
        if let Some(known) = self.quotients.get(&key) {
            return known.clone();
        }
        self.depth += 1;
        let ruled = if self.depth > DEPTH { None } else { rule(self) };
        self.depth -= 1;
        let result = ruled.unwrap_or_else(|| self.opaque(node, p.clone(), d.clone()));
        self.quotients.insert(key, result.clone());
        result
    }

    /// Returns the atom `p / d` or `p % d`, which no rule simplifies, and records its bounds.
    fn opaque(&mut self, node: Node, p: Poly, d: Poly) -> Poly {
        let (above, below) = (self.facts(&p), self.facts(&d));
        let facts = if node == Div { above.div(below) } else { above.rem(below) };
        let positive = self.is_positive(&d);
        let facts = match node {
            Rem if positive => super::forms::both(facts, Facts::NATURAL),
            Div if positive && self.is_natural(&p) => super::forms::both(facts, Facts::NATURAL),
            _ => facts,
        };
        let upper = match node {
            Rem if positive => d.value().is_none().then(|| d.plus(-1)).flatten(),
            Div if positive && self.depth < DEPTH => self.greatest(&p).map(|most| self.floor_div(&most, &d)),
            _ => None,
        };
        let known = self.atoms.len();
        let x = self.intern(Kind::Binary(node, p.clone(), d.clone()), facts);
        if x as usize == known {
            let dividend = (node == Rem && self.is_natural(&d) && self.is_natural(&p)).then_some(p);
            self.bound(x, Vec::new(), upper.into_iter().chain(dividend).collect());
        }
        Poly::atom(x)
    }

    /// Returns an upper bound of `p`: atoms are replaced by their upper or lower bounds. Returns `None` if no atom has an
    /// upper bound that is a polynomial, or if the result is too large.
    fn greatest(&self, p: &Poly) -> Option<Poly> {
        let (mut most, mut bounded) = (p.clone(), false);
        for x in p.atoms().into_iter().rev() {
            let info = &self.atoms[x as usize];
            let Some((slope, rest)) = most.linear(x) else { continue };
            let bound = if self.facts(&slope).lo >= 0 { info.upper.first() } else { None };
            let least = (self.facts(&slope).hi <= 0 && info.facts.lo > i64::MIN).then(|| Poly::constant(info.facts.lo));
            if let Some(bound) = bound.cloned().or(least.filter(|_| !info.launch)) {
                most = slope.mul(&bound)?.add(&rest)?;
                bounded |= !info.upper.is_empty();
            }
        }
        bounded.then_some(most)
    }

    /// Returns `p / d` by the first rule that applies; `None` if none does or a polynomial is too large.
    fn divided(&mut self, p: &Poly, d: &Poly) -> Option<Poly> {
        if d.is_zero() || p.is_zero() {
            return Some(Poly::default());
        }
        if d.value() == Some(1) {
            return Some(p.clone());
        }
        if let (Some(a), Some(b)) = (p.value(), d.value()) {
            return apply(Div, a, b).and_then(|c| Poly::default().plus(c));
        }
        if !self.is_natural(d) {
            return None;
        }
        if !self.is_positive(d) {
            return self.quotient_of_quotient(p, d);
        }
        let (q, r) = p.split(d)?;
        // Terms that are multiples of `d` leave no remainder, so they are divided one by one.
        let (exact, mut r) = match d.value() {
            Some(n) => r.partition(|m, c| !m.is_empty() && self.divisor(m, c, &Monomial::ONE) % n == 0),
            None => (Poly::default(), r),
        };
        let mut q = q;
        for (m, c) in exact.terms() {
            let whole = self.fraction(Poly::term(*m, *c), d.clone())?;
            q = q.add(&whole)?;
        }
        while let Some((a, _)) = self.separated(&r, d) {
            r = a;
        }
        let rest = self.fraction(r, d.clone())?;
        q.add(&rest)
    }

    /// Returns `r / d` for a positive `d` and an `r` without terms that are multiples of `d`. Returns `None` if a
    /// polynomial is too large.
    fn fraction(&mut self, r: Poly, d: Poly) -> Option<Poly> {
        if let Some(whole) = self.constant_quotient(&r, &d) {
            return Some(Poly::constant(whole));
        }
        let (m, c) = self.shared_factor(&r, &d);
        if c > 1 || !m.is_empty() {
            let (r, d) = (r.over(&m, c)?, d.over(&m, c)?);
            return Some(self.floor_div(&r, &d));
        }
        if let Some(x) = r.as_atom()
            && let Kind::Binary(Rem, y, n) = self.atoms[x as usize].kind.clone()
            && let Some(e) = n.exactly_over(&d)
            && self.is_natural(&e)
        {
            // (y % (d e)) / d = (y / d) % e
            let digits = self.floor_div(&y, &d);
            return Some(self.modulo(&digits, &e));
        }
        self.quotient_of_quotient(&r, &d).or_else(|| Some(self.opaque(Div, r, d)))
    }

    /// Returns `r / d` for `r = x / a + k` as `(x + k a) / (a d)`, for `a` and `d` that are not negative. Returns `None` if
    /// `r` has another form, or if `k` is not 0 and `a` or `d` is not a known number.
    fn quotient_of_quotient(&mut self, r: &Poly, d: &Poly) -> Option<Poly> {
        let k = r.constant_term();
        let x = r.plus(-k)?.as_atom()?;
        let Kind::Binary(Div, y, a) = self.atoms[x as usize].kind.clone() else { return None };
        if !self.is_natural(&a) || (k != 0 && (a.value().is_none() || d.value().is_none())) {
            return None;
        }
        let (top, bottom) = (y.add(&a.times(&[], k)?)?, a.mul(d)?);
        Some(self.floor_div(&top, &bottom))
    }

    /// Returns the quotient `r / d` if it is proven to be the same number for all values of `r`; otherwise `None`.
    fn constant_quotient(&self, r: &Poly, d: &Poly) -> Option<i64> {
        let facts = self.facts(r);
        if let Some(n) = d.value()
            && facts.lo > i64::MIN
            && facts.hi < i64::MAX
        {
            let low = facts.lo.div_euclid(n);
            if low == facts.hi.div_euclid(n) {
                return Some(low);
            }
        }
        if self.is_within(r, d) {
            return Some(0);
        }
        self.is_within(&r.add(d)?, d).then_some(-1)
    }

    /// Returns `(a, b)` with `r = a + b` and `a / d = r / d`, for a positive `d`: a divisor of `d` divides `a` and is
    /// greater than `b`, and `b` is not negative. Returns `None` if there is no such pair.
    fn separated(&self, r: &Poly, d: &Poly) -> Option<(Poly, Poly)> {
        let (shared, scale) = d.content();
        let mut tried: Vec<(Monomial, i64)> = Vec::new();
        for (m, c) in r.terms() {
            let part = m.common(&shared);
            let step = (part, gcd(self.divisor(m, *c, &part), scale));
            if (step.1 > 1 || !step.0.is_empty()) && !tried.contains(&step) {
                tried.push(step);
            }
        }
        tried.iter().find_map(|(shared, scale)| {
            let divides = |m: &Monomial, c: i64| m.over(shared).is_some() && self.divisor(m, c, shared) % scale == 0;
            let (mut a, mut b) = r.partition(|m, c| !m.is_empty() && divides(m, c));
            if shared.is_empty() {
                // `b` keeps only the remainder of its least value by the step; the multiple of the step moves to `a`.
                let low = self.facts(&b).lo;
                let over = if low == i64::MIN || low == i64::MAX { 0 } else { low.div_euclid(*scale).checked_mul(*scale)? };
                (a, b) = (a.plus(over)?, b.plus(-over)?);
            }
            let step = Poly::term(*shared, *scale);
            (!b.is_zero() && !a.is_zero() && self.is_within(&b, &step)).then_some((a, b))
        })
    }

    /// Returns a positive number that divides every value of `c * m` after the factors `out` are removed from `m`.
    pub fn divisor(&self, m: &Monomial, c: i64, out: &Monomial) -> i64 {
        let rest = m.over(out).unwrap_or(Monomial::ONE);
        let of = |all: i64, x: &u32| match self.atoms[*x as usize].facts.div {
            i64::MAX => all,
            div => all.checked_mul(div).unwrap_or(all),
        };
        rest.iter().fold(c.abs(), of)
    }

    /// Returns the greatest common factor of all terms of `r` and `d`, as atoms that are not negative and a number.
    fn shared_factor(&self, r: &Poly, d: &Poly) -> (Monomial, i64) {
        let ((m, c), (n, e)) = (r.content(), d.content());
        let shared = m.common(&n).filtered(|x| self.is_natural(&Poly::atom(x)));
        (shared, gcd(c, e))
    }

    /// Returns `p % d` by the first rule that applies; `None` if none does or a polynomial is too large.
    fn reduced(&mut self, p: &Poly, d: &Poly) -> Option<Poly> {
        if d.is_zero() {
            return Some(p.clone());
        }
        if p.is_zero() || d.value() == Some(1) {
            return Some(Poly::default());
        }
        if let (Some(a), Some(b)) = (p.value(), d.value()) {
            return apply(Rem, a, b).and_then(|c| Poly::default().plus(c));
        }
        if !self.is_natural(d) {
            return None;
        }
        let (_, mut r) = p.split(d)?;
        if let Some(n) = d.value() {
            r = r.partition(|m, c| m.is_empty() || self.divisor(m, c, &Monomial::ONE) % n != 0).0;
        }
        if r.is_zero() {
            return Some(r);
        }
        let mut low = Poly::default();
        while let Some((a, b)) = self.separated(&r, d) {
            (r, low) = (a, low.add(&b)?);
        }
        self.residue(r, d.clone())?.add(&low)
    }

    /// Returns `r % d` for a `d` that is not negative and an `r` without terms that are multiples of `d`. Returns `None` if
    /// a polynomial is too large.
    fn residue(&mut self, r: Poly, d: Poly) -> Option<Poly> {
        if let Some(whole) = self.constant_quotient(&r, &d) {
            return r.sub(&d.times(&[], whole)?);
        }
        // c (x % n) = c x modulo d, if d divides c n.
        for (m, c) in r.terms() {
            for at in m.iter() {
                let Kind::Binary(Rem, x, n) = self.atoms[*at as usize].kind.clone() else { continue };
                let rest = m.over(&[*at])?;
                let multiple = n.times(&rest, *c).is_some_and(|cn| cn.exactly_over(&d).is_some());
                if multiple {
                    let p = r.sub(&Poly::term(*m, *c))?.add(&x.times(&rest, *c)?)?;
                    return Some(self.modulo(&p, &d));
                }
            }
        }
        let (m, c) = self.shared_factor(&r, &d);
        if c > 1 || !m.is_empty() {
            let (r, d) = (r.over(&m, c)?, d.over(&m, c)?);
            if self.is_natural(&d) {
                return self.modulo(&r, &d).times(&m, c);
            }
        }
        Some(self.opaque(Rem, r, d))
    }
}
