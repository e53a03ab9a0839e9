//! Rules that write a number in another way: comparisons without divisions, digits joined, and terms that two cases nearly
//! share. `normalize.rs` and `mod.rs` decide when a rule is tried.

use super::forms::{Forms, Kind};
use super::poly::{Atom, Monomial, Poly, TERMS};
use layout_algebra::heap::*;
use layout_algebra::value::Node::{Div, Rem};

/// Returns `(x, c)` if `p` is `c x` plus a constant for one atom `x`; otherwise `None`.
fn single(p: &Poly) -> Option<(Atom, i64)> {
    let mut terms = p.terms().iter().filter(|(m, _)| !m.is_empty());
    match (terms.next(), terms.next()) {
        (Some((m, c)), None) if m.len() == 1 => Some((m[0], *c)),
        _ => None,
    }
}

impl Forms<'_> {
    /// Returns a `q` with `q >= 1` if and only if `p >= 1`, without the division of the only atom of `p`: `y / d >= t` if
    /// and only if `y >= t d`. Returns `None` if `p` has another form.
    pub fn undivided(&self, p: &Poly) -> Option<Poly> {
        let (x, c) = single(p)?;
        let constant = p.constant_term();
        let Kind::Binary(Div, y, d) = &self.atoms[x as usize].kind else { return None };
        let times = match c {
            1 => 1_i64.checked_sub(constant)?,
            -1 => constant,
            _ => return None,
        };
        if !self.is_positive(d) || (d.value().is_none() && !(0..=1).contains(&times)) {
            return None;
        }
        let bound = d.times(&[], times)?;
        if c > 0 { y.sub(&bound)?.plus(1) } else { bound.sub(y) }
    }

    /// Returns a `q` with `q >= 1` if and only if `p >= 1`, without the terms whose sum stays within one multiple of a
    /// divisor of the other terms; `None` if there are none. Example: `4 a - b >= 1` becomes `4 a >= 1` for `0 <= b < 4`.
    pub fn without_low(&self, p: &Poly) -> Option<Poly> {
        let p = p.plus(-1)?;
        let variable = p.terms().iter().filter(|(m, _)| !m.is_empty());
        let mut steps: Vec<i64> = variable.map(|(m, c)| self.divisor(m, *c, &Monomial::ONE)).filter(|step| *step > 1).collect();
        steps.sort_unstable_by_key(|step| core::cmp::Reverse(*step));
        steps.dedup();
        steps.into_iter().find_map(|step| {
            let (high, low) = p.partition(|m, c| !m.is_empty() && self.divisor(m, c, &Monomial::ONE) % step == 0);
            let facts = self.facts(&low);
            if facts.lo == i64::MIN || facts.hi == i64::MAX {
                return None;
            }
            // `high` is a multiple of `step`, and `p >= 0` if and only if `high >= -whole * step`. Choose the
            // cheapest constant that says the same.
            let whole = facts.lo.div_euclid(step);
            let constant = match whole {
                -1 | 0 => whole + 1,
                _ => whole.checked_add(1)?.checked_mul(step)?,
            };
            let next = if whole == facts.hi.div_euclid(step) { high.plus(constant)? } else { return None };
            (Some(&next) != p.plus(1).as_ref()).then_some(next)
        })
    }

    /// Returns `p` with its terms `c rest (y % d)` and `c rest d ((y / d) % e)` joined to `c rest (y % (d e))`, for the
    /// atom `x = y % d`. Returns `None` if `p` does not have both.
    pub fn chained(&mut self, p: &Poly, (rest, c): (&Monomial, i64), x: Atom, y: &Poly, d: &Poly) -> Option<Poly> {
        let [(lead, scale)] = d.terms() else { return None };
        let digits = self.counterpart(x)?;
        let (over, factor) = (rest.times(lead)?, c.checked_mul(*scale)?);
        let (z, e) = p.terms().iter().filter(|(_, k)| *k == factor).find_map(|(m, _)| {
            let &[z] = &m.over(&over)?[..] else { return None };
            match &self.atoms[z as usize].kind {
                Kind::Binary(Rem, w, e) if *w == digits && self.is_natural(e) => Some((z, e.clone())),
                _ => None,
            }
        })?;
        let all = self.modulo(y, &d.mul(&e)?).times(rest, c)?;
        p.sub(&Poly::term(rest.times(&[x])?, c))?.sub(&Poly::term(over.times(&[z])?, factor))?.add(&all)
    }

    /// Returns `p` without remainders whose quotient is also in `p`: `a (y % d) + b (y / d) = a y + (b - a d) (y / d)`.
    /// Appends these remainders to `gone`. The remainder `keep` stays.
    pub fn in_whole(&mut self, p: &Poly, keep: Option<Atom>, gone: &mut Vec<Atom>) -> Poly {
        let mut p = p.clone();
        for _ in 0..TERMS {
            let terms = p.terms().to_vec();
            let mut factors = terms.iter().flat_map(|(m, c)| m.iter().map(move |x| (m, *c, *x))).filter(|(.., x)| Some(*x) != keep);
            let Some((x, next)) = factors.find_map(|(m, c, x)| Some((x, self.one_whole(&p, (m, c), x)?))) else { break };
            p = next;
            if !gone.contains(&x) {
                gone.push(x);
            }
        }
        p
    }

    fn one_whole(&mut self, p: &Poly, (m, c): (&Monomial, i64), x: Atom) -> Option<Poly> {
        let Kind::Binary(Rem, y, d) = self.atoms[x as usize].kind.clone() else { return None };
        let d = d.value().filter(|d| *d > 0)?;
        let quotient = self.counterpart(x)?.as_atom()?;
        let rest = m.over(&[x])?;
        let other = rest.times(&[quotient])?;
        if p.coefficient(&other) == 0 {
            return None;
        }
        let next = p.sub(&Poly::term(*m, c))?.add(&y.times(&rest, c)?)?.sub(&Poly::term(other, c.checked_mul(d)?))?;
        (next.len() <= p.len()).then_some(next)
    }

    /// Returns the terms that `a` and `b` share if the coefficient of one is reduced by 1: `55 x` for `56 x` and `55 x +
    /// 3`.
    pub fn nearly_shared(&self, a: &Poly, b: &Poly) -> Poly {
        let mut out = Poly::default();
        for (m, c) in a.terms().iter().filter(|(m, _)| !m.is_empty()) {
            let k = b.coefficient(m);
            let least = c.abs().min(k.abs());
            if c.signum() == k.signum() && least > 1 && c.abs_diff(k) == 1 {
                out = out.add(&Poly::term(*m, least * c.signum())).unwrap_or(out);
            }
        }
        out
    }

    /// Assumes from now on that the condition `c` is not 0 if `holds`, else that it is 0.
    pub fn suppose(&mut self, c: layout_algebra::value::SymInt, holds: bool) {
        self.supposes = true;
        let p = self.form(c);
        for p in self.told(&p, holds) {
            if let Some((x, lo, hi)) = self.range(&p) {
                let info = &mut self.atoms[x as usize];
                info.facts = super::forms::both(info.facts, layout_algebra::value::Facts { lo, hi, div: 1 });
            }
            self.assumed.push(p);
        }
    }

    /// Returns polynomials that are not negative if the truth value `p` is 1 (if `holds`) or 0 (if not).
    pub fn told(&self, p: &Poly, holds: bool) -> Vec<Poly> {
        if p.constant_term() == 1 {
            return p.neg().plus(1).map_or(Vec::new(), |p| self.told(&p, !holds));
        }
        let Some(x) = p.as_atom() else { return Vec::new() };
        let told = match (&self.atoms[x as usize].kind, holds) {
            (Kind::Positive(q), true) => [q.plus(-1), None],
            (Kind::Positive(q), false) => [Some(q.neg()), None],
            (Kind::Zero(q), true) => [Some(q.clone()), Some(q.neg())],
            (Kind::Zero(q), false) if self.is_natural(q) => [q.plus(-1), None],
            (Kind::Zero(q), false) if self.is_natural(&q.neg()) => [q.neg().plus(-1), None],
            _ => [None, None],
        };
        told.into_iter().flatten().collect()
    }

    /// Returns `(atom, least, greatest)` for the only atom of `p`, in the range where `p >= 0`; `None` if `p` has another
    /// form.
    pub fn range(&self, p: &Poly) -> Option<(Atom, i64, i64)> {
        let (x, c) = single(p)?;
        let end = p.constant_term().checked_neg()?;
        match c {
            // c x >= end
            1.. => Some((x, end.checked_add(c - 1)?.div_euclid(c), i64::MAX)),
            _ => Some((x, i64::MIN, end.checked_neg()?.div_euclid(c.checked_neg()?))),
        }
    }
}
