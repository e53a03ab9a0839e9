//! Builds the nodes of sums of products. It uses nodes that are already built, takes out common factors, and adds launch
//! values first. The atoms of a sum must be built before (`build.rs`).

use super::build::{Builder, signature};
use super::poly::{Atom, Monomial, Poly};
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::{Node, SymInt};

/// The summand `scale * base`, where the node `base` computes `poly`.
struct Addend {
    base: SymInt,
    poly: Poly,
    scale: i64,
}

/// Returns the number of operations that compute `c * m` from its atoms.
fn cost(m: &[Atom], c: i64) -> usize {
    m.len().saturating_sub(1) + usize::from(!m.is_empty() && c.abs() != 1)
}

impl Builder<'_, '_> {
    /// Returns the node or the known number that is `p`. Its atoms must be built. Fails if the program is too large.
    pub fn sum(&mut self, p: &Poly) -> Result<SymInt> {
        if let Some(value) = p.value() {
            return SymInt::known(value).ok_or(self.too_large());
        }
        if let Some(num) = self.find(p) {
            return Ok(num);
        }
        let (addends, constant) = self.addends(p)?;
        let num = self.join(addends, constant)?;
        self.register(p, num);
        Ok(num)
    }

    fn addends(&mut self, p: &Poly) -> Result<(Vec<Addend>, i64)> {
        let mut out = Vec::new();
        let mut rest = p.clone();
        for (m, c) in p.terms() {
            if let [x] = m[..]
                && let Some((num, shift)) = self.folded.get(&x).filter(|(num, _)| !num.is_keep()).cloned()
            {
                let poly = shift.add(&Poly::atom(x)).ok_or(self.too_large())?;
                rest = poly.times(&[], *c).and_then(|used| rest.sub(&used)).ok_or(self.too_large())?;
                out.push(Addend { base: num, poly, scale: *c });
            }
        }
        loop {
            if let Some((at, by, left)) = self.reusable(&rest) {
                let (base, poly) = (self.built[at].num, self.built[at].poly.clone());
                match by.value() {
                    Some(scale) => out.push(Addend { base, poly, scale }),
                    None => {
                        let sign = if by.terms().iter().all(|(_, c)| *c < 0) { -1 } else { 1 };
                        let by = by.times(&[], sign).ok_or(self.too_large())?;
                        let factor = self.sum(&by)?;
                        let base = self.emit(Node::Mul, base, factor)?;
                        out.push(Addend { base, poly: poly.mul(&by).ok_or(self.too_large())?, scale: sign });
                    }
                }
                rest = left;
            } else if let Some((x, c)) = factor(&rest) {
                let (inside, left) = match x {
                    Some(x) => rest.partition(|m, _| m.contains(&x)),
                    None => rest.partition(|m, k| !m.is_empty() && k % c == 0),
                };
                let m = x.map_or(Monomial::ONE, Monomial::atom);
                let sign = if inside.terms().iter().all(|(_, c)| *c < 0) { -1 } else { 1 };
                let poly = inside.over(&m, sign * c).ok_or(self.too_large())?;
                let base = self.sum(&poly)?;
                if let Some(x) = x {
                    let factor = self.sum(&Poly::atom(x))?;
                    let base = self.emit(Node::Mul, base, factor)?;
                    out.push(Addend { base, poly: poly.times(&m, 1).ok_or(self.too_large())?, scale: sign });
                } else {
                    out.push(Addend { base, poly, scale: sign * c });
                }
                rest = left;
            } else {
                break;
            }
        }
        for (m, c) in rest.terms().iter().filter(|(m, _)| !m.is_empty()) {
            out.push(self.monomial(m, *c)?);
        }
        Ok((out, rest.constant_term()))
    }

    /// Finds the built sum with a multiple in `p` that saves most operations. Returns `(position in built, factor, rest of
    /// p)`; `None` if none saves any.
    fn reusable(&self, p: &Poly) -> Option<(usize, Poly, Poly)> {
        let (mut best, mut most) = (None, 0);
        let mask = signature(p);
        for (at, built) in self.built.iter().enumerate().rev() {
            let s = &built.poly;
            if s.len() < 2 || s.len() > p.len() || built.atoms & !mask != 0 {
                continue;
            }
            let Some((lead, scale)) = s.terms().last() else { continue };
            let (mut by, mut taken) = (Poly::default(), None);
            for (m, c) in p.terms().iter().rev() {
                let Some(ratio) = m.over(lead).filter(|_| c % scale == 0) else { continue };
                let left = taken.as_ref().unwrap_or(p);
                let has = |(n, k): &(Monomial, i64)| match (n.times(&ratio), k.checked_mul(c / scale)) {
                    (Some(n), Some(k)) => left.coefficient(&n) == k,
                    _ => false,
                };
                if s.terms().iter().rev().all(has)
                    && let Some(less) = s.times(&ratio, c / scale).and_then(|part| left.sub(&part))
                    && let Some(more) = by.add(&Poly::term(ratio, c / scale))
                {
                    (taken, by) = (Some(less), more);
                }
            }
            let Some(left) = taken else { continue };
            let used = p.len() - left.len();
            let direct = p.terms().iter().filter(|(m, _)| left.coefficient(m) == 0).map(|(m, c)| cost(m, *c)).sum::<usize>() + used;
            let through = match by.value() {
                Some(c) => usize::from(c.abs() != 1),
                None => 1 + by.terms().iter().map(|(m, c)| cost(m, *c)).sum::<usize>() + by.len() - 1,
            };
            if direct > most + 1 + through {
                most = direct - 1 - through;
                let enough = through == 0 && left.len() < 2;
                best = Some((at, by, left));
                if enough {
                    break;
                }
            }
        }
        best
    }

    /// Returns `c * m` as a summand. Factors that are known at launch are multiplied first. Fails if the program is too
    /// large.
    fn monomial(&mut self, m: &Monomial, c: i64) -> Result<Addend> {
        let (launch, thread): (Vec<Atom>, Vec<Atom>) = m.iter().partition(|x| self.forms.launches(&[**x]));
        let early = !launch.is_empty() && !thread.is_empty() && c.abs() != 1;
        let mut left: Vec<(Monomial, i64)> = launch.iter().map(|x| (Monomial::atom(*x), 1)).collect();
        if early {
            left.push((Monomial::ONE, c.abs()));
        }
        left.extend(thread.iter().map(|x| (Monomial::atom(*x), 1)));
        // If a product of some factors is already built, it replaces them.
        let scale = if early { c.abs() } else { 1 };
        let mut best: Option<(usize, Monomial, i64, SymInt)> = None;
        for built in &self.built {
            if let [(n, k)] = built.poly.terms()
                && c % k == 0
                && cost(n, *k) > 0
                && let Some(rest) = m.over(n)
            {
                let open = rest.len() + usize::from(c.abs() != k.abs());
                if best.as_ref().is_none_or(|(least, ..)| open < *least) {
                    best = Some((open, rest, *k, built.num));
                }
            }
        }
        let (mut poly, mut base) = (Poly::constant(1), SymInt::ONE);
        let mut scale_left = c / scale;
        if let Some((_, rest, k, num)) = best.filter(|(open, ..)| *open < cost(m, c)) {
            let used = m.over(&rest).unwrap_or(Monomial::ONE);
            (poly, base) = (Poly::term(used, k), num);
            left = rest.iter().map(|x| (Monomial::atom(*x), 1)).collect();
            scale_left = c / k;
        }
        for (n, k) in left {
            let factor = match n.first() {
                Some(x) => self.sum(&Poly::atom(*x))?,
                None => SymInt::known(k).ok_or(self.too_large())?,
            };
            base = self.emit(Node::Mul, base, factor)?;
            poly = poly.times(&n, k).ok_or(self.too_large())?;
            self.register(&poly, base);
        }
        Ok(Addend { base, poly, scale: scale_left })
    }

    /// Returns the node of the sum of `addends` and `constant`. Adds the summands that are known at launch first, then the
    /// others. Fails if the program is too large.
    fn join(&mut self, mut addends: Vec<Addend>, mut constant: i64) -> Result<SymInt> {
        if constant == 0
            && addends.iter().all(|a| a.scale < 0)
            && let Some(at) = addends.iter().position(|a| a.scale < -1)
        {
            // One product with a negative number replaces the negation of the sum.
            let Addend { base, poly, scale } = addends.remove(at);
            let base = self.scaled(base, &poly, scale)?;
            addends.push(Addend { base, poly: poly.times(&[], scale).ok_or(self.too_large())?, scale: 1 });
        }
        let (launch, mut thread): (Vec<Addend>, Vec<Addend>) = addends.into_iter().partition(|a| self.forms.is_launch(&a.poly));
        if !launch.is_empty() {
            let c = if thread.is_empty() { 0 } else { core::mem::take(&mut constant) };
            let group = self.group(launch)?;
            thread.push(self.offset(group, c)?);
        }
        let whole = self.group(thread)?;
        let whole = self.offset(whole, constant)?;
        if whole.scale == 1 { Ok(whole.base) } else { self.emit(Node::Sub, SymInt::ZERO, whole.base) }
    }

    /// Returns `a + c` as a summand, for an `a` with scale 1 or -1. Fails if the program is too large.
    fn offset(&mut self, a: Addend, c: i64) -> Result<Addend> {
        let number = |c: i64| SymInt::known(c);
        if c == 0 {
            return Ok(a);
        }
        let (base, scale) = match (a.scale, c > 0) {
            (1, _) => (self.emit(Node::Add, a.base, number(c).ok_or(self.too_large())?)?, 1),
            _ => (self.emit(Node::Sub, number(c).ok_or(self.too_large())?, a.base)?, 1),
        };
        let poly = a.poly.times(&[], a.scale).and_then(|p| p.plus(c)).ok_or(self.too_large())?;
        self.register(&poly, base);
        Ok(Addend { base, poly, scale })
    }

    /// Returns the sum of the summands as one summand. Its scale is -1 if all scales are negative, else 1. Fails if the
    /// program is too large.
    fn group(&mut self, addends: Vec<Addend>) -> Result<Addend> {
        let sign = if addends.iter().any(|a| a.scale > 0) { 1 } else { -1 };
        let (mut addends, negative): (Vec<_>, Vec<_>) = addends.into_iter().partition(|a| a.scale * sign >= 0);
        addends.extend(negative);
        let mut out: Option<(SymInt, Poly)> = None;
        for Addend { base, poly, scale } in addends {
            let base = self.scaled(base, &poly, scale.abs())?;
            let poly = poly.times(&[], scale * sign).ok_or(self.too_large())?;
            out = Some(match out {
                None => (base, poly),
                Some((sum, all)) => {
                    let all = all.add(&poly).ok_or(self.too_large())?;
                    let node = if scale * sign < 0 { Node::Sub } else { Node::Add };
                    (self.emit(node, sum, base)?, all)
                }
            });
            if let Some((num, poly)) = &out {
                let (num, poly) = (*num, poly.clone());
                self.register(&poly, num);
            }
        }
        let (base, poly) = out.unwrap_or((SymInt::ZERO, Poly::default()));
        Ok(Addend { base, poly, scale: sign })
    }

    /// Returns the node of `base * scale`, where the node `base` computes `poly`. Fails if the program is too large.
    fn scaled(&mut self, base: SymInt, poly: &Poly, scale: i64) -> Result<SymInt> {
        if scale == 1 {
            return Ok(base);
        }
        let num = self.emit(Node::Mul, base, SymInt::known(scale).ok_or(self.too_large())?)?;
        if let Some(poly) = poly.times(&[], scale) {
            self.register(&poly, num);
        }
        Ok(num)
    }
}

/// Returns the factor that saves most operations when it is taken out of all terms that contain it: an atom, or `None` and
/// a number. Returns `None` if no factor saves any.
fn factor(p: &Poly) -> Option<(Option<Atom>, i64)> {
    let (mut best, mut most) = (None, 1);
    for x in p.atoms() {
        let with = p.terms().iter().filter(|(m, _)| m.contains(&x));
        let saved: usize = with.map(|(m, c)| if m.len() > 1 { 1 } else { cost(m, *c) }).sum();
        if saved > most {
            (best, most) = (Some((Some(x), 1)), saved);
        }
    }
    for (m, c) in p.terms() {
        let c = c.abs();
        let saved = p.terms().iter().filter(|(n, k)| !n.is_empty() && k.abs() == c).count();
        if c > 1 && !m.is_empty() && saved > most {
            (best, most) = (Some((None, c)), saved);
        }
    }
    best
}
