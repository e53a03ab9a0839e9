//! Rules for the normal form of a node from the normal forms of its operands, one function for each operation. Division is
//! in `divide.rs`. A rule returns `None` if a polynomial would be too large; then the node becomes an atom.

use super::forms::{Forms, Kind};
use super::poly::{Atom, Monomial, Poly};
use crate::program::{Decoded, apply, facts_of};
use layout_algebra::heap::*;
use layout_algebra::value::Node::{self, Abs, Add, Div, Equal, Less, Max, Min, Mul, Rem, Sub, Xor};
use layout_algebra::value::{Facts, SymInt, gcd};

/// The maximum number of pairs of operands that are remembered for a comparison.
const SOURCES: usize = 4;

/// The maximum number of terms in which remainders are expanded to see whether all quotients cancel.
const FEW: usize = 8;

impl Forms<'_> {
    /// Returns the normal form of node `k`, which is not an input, from the normal forms of its operands.
    pub fn combine(&mut self, k: usize) -> Poly {
        let (node, x, y) = match self.program.node(k) {
            Decoded::Lookup(at, table) => return self.entry(self.have(at), table as i64),
            Decoded::Select(c, then, otherwise) => return self.choice(self.have(c), self.have(then), self.have(otherwise)),
            Decoded::Two(node, x, y) => (node, x, y),
            // Inputs have their own normal form, and pairs have none.
            Decoded::Input(_) | Decoded::Pair => return Poly::default(),
        };
        let a = self.have(x);
        let b = self.have(y);
        if let (Some(a), Some(b)) = (a.value(), b.value())
            && let Some(value) = apply(node, a, b).and_then(|c| Poly::default().plus(c))
        {
            return value;
        }
        match node {
            Add => a.add(&b).map(|p| self.settle(p)),
            Sub => a.sub(&b).map(|p| self.settle(p)),
            Mul => a.mul(&b).map(|p| self.settle(p)),
            Div => Some(self.floor_div(&a, &b)).map(|p| self.settle(p)),
            Rem => Some(self.modulo(&a, &b)).map(|p| self.settle(p)),
            Min | Max => self.extreme(node, &a, &b),
            Abs => self.magnitude(&a),
            Less => b.sub(&a).map(|p| self.settle(p)).and_then(|p| self.positive(p, (&a, &b))),
            Equal => a.sub(&b).map(|p| self.settle(p)).and_then(|p| self.zero(p, (&a, &b))),
            Xor => self.exclusive(&a, &b),
            _ => None,
        }
        .unwrap_or_else(|| self.binary(node, a, b))
    }

    /// Returns the atom of the operation `node` on `a` and `b`, which no rule simplifies.
    fn binary(&mut self, node: Node, a: Poly, b: Poly) -> Poly {
        let (x, y) = (self.facts(&a), self.facts(&b));
        let facts = facts_of(node, x, y);
        let known = self.atoms.len();
        let atom = self.intern(Kind::Binary(node, a.clone(), b.clone()), facts);
        if atom as usize == known {
            match node {
                Min => self.bound(atom, Vec::new(), vec![a, b]),
                Max => self.bound(atom, vec![a, b], Vec::new()),
                _ => {}
            }
        }
        Poly::atom(atom)
    }

    /// Returns the minimum or the maximum of `a` and `b`, with their shared terms added outside. Returns `None` if a
    /// polynomial is too large.
    fn extreme(&mut self, node: Node, a: &Poly, b: &Poly) -> Option<Poly> {
        let rise = b.sub(a)?;
        if self.is_natural(&rise) {
            return Some(if node == Min { a.clone() } else { b.clone() });
        }
        if self.is_natural(&rise.neg()) {
            return Some(if node == Min { b.clone() } else { a.clone() });
        }
        let (shared, a) = a.partition(|m, c| b.coefficient(m) == c);
        let b = b.sub(&shared)?;
        let (a, b) = if a < b { (b, a) } else { (a, b) };
        shared.add(&self.binary(node, a, b))
    }

    fn magnitude(&mut self, a: &Poly) -> Option<Poly> {
        if self.is_natural(a) {
            return Some(a.clone());
        }
        let opposite = a.neg();
        if self.is_natural(&opposite) {
            return Some(opposite);
        }
        let a = if a.terms().iter().all(|(_, c)| *c < 0) { opposite } else { a.clone() };
        Some(self.binary(Abs, a, Poly::default()))
    }

    fn exclusive(&mut self, a: &Poly, b: &Poly) -> Option<Poly> {
        if a == b {
            return Some(Poly::default());
        }
        // The exclusive-or of a negative number with 0 is not that number, so both must be natural.
        if (a.is_zero() || b.is_zero()) && self.is_natural(a) && self.is_natural(b) {
            return a.add(b);
        }
        let (a, b) = if a < b { (b, a) } else { (a, b) };
        Some(self.binary(Xor, a.clone(), b.clone()))
    }

    /// Returns the truth value of `p >= 1`, 0 or 1. The comparison was written as `source.0 < source.1`. Returns `None` if
    /// a polynomial is too large.
    fn positive(&mut self, p: Poly, source: (&Poly, &Poly)) -> Option<Poly> {
        let facts = self.facts(&p);
        if facts.lo >= 1 || self.is_positive(&p) {
            return Some(Poly::constant(1));
        }
        if facts.hi <= 0 || self.is_natural(&p.neg()) {
            return Some(Poly::default());
        }
        if facts.hi == 1 && (facts.lo == 0 || self.is_natural(&p)) {
            return Some(p);
        }
        let mut p = p;
        for _ in 0..super::poly::TERMS {
            match self.without_low(&p) {
                Some(next) => p = next,
                None => break,
            }
        }
        let (constant, rest) = p.partition(|m, _| m.is_empty());
        let step = rest.content().1;
        // step x + c >= 1 if and only if x + (c - 1) / step + 1 >= 1
        let p = rest.over(&[], step)?.plus((constant.constant_term() - 1).div_euclid(step) + 1)?;
        if let Some(q) = self.undivided(&p) {
            let (a, b) = q.partition(|_, c| c < 0);
            return self.positive(q, (&a.neg(), &b));
        }
        Some(self.comparison(Kind::Positive(p), source))
    }

    /// Returns the truth value of `p == 0`, 0 or 1. The comparison was written as `source.0 == source.1`. Returns `None` if
    /// a polynomial is too large.
    fn zero(&mut self, p: Poly, source: (&Poly, &Poly)) -> Option<Poly> {
        if p.is_zero() {
            return Some(Poly::constant(1));
        }
        let step = p.terms().iter().filter(|(m, _)| !m.is_empty()).fold(0, |all, (m, c)| gcd(all, self.divisor(m, *c, &Monomial::ONE)));
        let facts = self.facts(&p);
        let never = facts.lo > 0 || facts.hi < 0 || self.is_positive(&p) || self.is_positive(&p.neg());
        if never || p.constant_term() % step.max(1) != 0 {
            return Some(Poly::default());
        }
        // A quotient that is not negative is 0 if and only if it is less than 1.
        if facts.lo >= 0
            && p.as_atom().is_some()
            && let Some(q) = p.neg().plus(1).and_then(|p| self.undivided(&p))
        {
            let (a, b) = q.partition(|_, c| c < 0);
            return self.positive(q, (&a.neg(), &b));
        }
        if facts.lo >= -1 && facts.hi <= 0 {
            return p.plus(1);
        }
        if facts.lo >= 0 && facts.hi <= 1 {
            return p.neg().plus(1);
        }
        let p = p.over(&[], p.content().1)?;
        let p = if p.terms().last().is_some_and(|(_, c)| *c < 0) { p.neg() } else { p };
        Some(self.comparison(Kind::Zero(p), source))
    }

    fn comparison(&mut self, kind: Kind, source: (&Poly, &Poly)) -> Poly {
        let x = self.intern(kind, Facts::BOOLEAN);
        let sources = &mut self.atoms[x as usize].sources;
        let source = (source.0.clone(), source.1.clone());
        if sources.len() < SOURCES && !sources.contains(&source) {
            sources.push(source);
        }
        Poly::atom(x)
    }

    /// Returns `a` if `c` is not 0, else `b`. The terms that `a` and `b` share are added outside the selection.
    fn choice(&mut self, c: Poly, a: Poly, b: Poly) -> Poly {
        let facts = self.facts(&c);
        if a == b || facts.lo > 0 || facts.hi < 0 {
            return a;
        }
        if c.is_zero() {
            return b;
        }
        let boolean = facts.lo == 0 && facts.hi == 1;
        if boolean && let Some(q) = self.undivided(&c) {
            let (low, high) = q.partition(|_, k| k < 0);
            if let Some(c) = self.positive(q, (&low.neg(), &high)) {
                return self.choice(c, a, b);
            }
        }
        if boolean
            && c.constant_term() == 1
            && let Some(opposite) = c.neg().plus(1)
        {
            return self.choice(opposite, b, a);
        }
        let (shared, then) = a.partition(|m, k| b.coefficient(m) == k);
        let (_, otherwise) = b.partition(|m, k| shared.coefficient(m) == k);
        let nearly = self.nearly_shared(&then, &otherwise);
        let (shared, then, otherwise) = match (shared.add(&nearly), then.sub(&nearly), otherwise.sub(&nearly)) {
            (Some(shared), Some(then), Some(otherwise)) => (shared, then, otherwise),
            _ => (shared, then, otherwise),
        };
        // Inside an arm, the answer of the condition is known.
        let then = self.arm(&c, &then, true).unwrap_or(then);
        let otherwise = self.arm(&c, &otherwise, false).unwrap_or(otherwise);
        let step = then.sub(&otherwise).and_then(|step| step.value()).unwrap_or(0);
        let sum = match step {
            1 if boolean => otherwise.add(&c),
            -1 if boolean => otherwise.sub(&c),
            _ => None,
        };
        let inner = sum.unwrap_or_else(|| self.selected(c.clone(), then, otherwise));
        shared.add(&inner).unwrap_or_else(|| self.selected(c, a, b))
    }

    fn selected(&mut self, c: Poly, a: Poly, b: Poly) -> Poly {
        let facts = self.facts(&a).union(self.facts(&b));
        Poly::atom(self.intern(Kind::Select(c, a, b), facts))
    }

    /// Returns the arm that `p` takes if the answer of `c` is `then`; `None` if `p` is not a selection by `c`.
    fn arm(&self, c: &Poly, p: &Poly, then: bool) -> Option<Poly> {
        match &self.atoms[p.as_atom()? as usize].kind {
            Kind::Select(d, a, b) if c == d => Some(if then { a.clone() } else { b.clone() }),
            _ => None,
        }
    }

    /// Returns entry `at` of table `number`, both from 0; 0 if `at` is outside the table.
    fn entry(&mut self, at: Poly, number: i64) -> Poly {
        let entries = self.program.tables.get(number as usize).map_or(&[][..], |table| table.entries.as_slice());
        if let Some(at) = at.value() {
            let entry = usize::try_from(at).ok().and_then(|at| entries.get(at)).copied().unwrap_or(0);
            if let Some(entry) = Poly::default().plus(entry) {
                return entry;
            }
        }
        let range = self.facts(&at);
        let inside = range.lo >= 0 && range.hi < entries.len() as i64;
        let facts = entries
            .iter()
            .map(|e| Facts::exactly(*e))
            .fold(if inside { None } else { Some(Facts::exactly(0)) }, |all, e| Some(all.map_or(e, |all: Facts| all.union(e))));
        let facts = facts.unwrap_or(Facts::ANY);
        if facts.lo == facts.hi && SymInt::known(facts.lo).is_some() {
            return Poly::default().plus(facts.lo).unwrap_or_default();
        }
        Poly::atom(self.intern(Kind::Lookup(at, number), facts))
    }

    /// Returns `p` with quotients and remainders of the same division joined: `d (x / d) + x % d = x`.
    pub fn settle(&mut self, mut p: Poly) -> Poly {
        for _ in 0..super::poly::TERMS {
            match self.joined(&p) {
                Some(next) => p = next,
                None => break,
            }
        }
        if !(2..=FEW).contains(&p.terms().iter().filter(|(m, _)| self.has_quotient(m)).count()) {
            return p;
        }
        match self.without_remainders(&p) {
            Some(next) if !next.terms().iter().any(|(m, _)| self.has_quotient(m)) => next,
            _ => p,
        }
    }

    fn has_quotient(&self, m: &[Atom]) -> bool {
        m.iter().any(|x| matches!(self.atoms[*x as usize].kind, Kind::Binary(Div | Rem, ..)))
    }

    /// Returns `p` with every `x % d` written as `x - d (x / d)`, for `d` that are not negative. Returns `None` if a
    /// polynomial is too large.
    pub fn without_remainders(&mut self, p: &Poly) -> Option<Poly> {
        let mut p = p.clone();
        for _ in 0..super::poly::TERMS {
            let remainder = |x: &Atom| match &self.atoms[*x as usize].kind {
                Kind::Binary(Rem, y, d) if self.is_natural(d) => Some((*x, y.clone(), d.clone())),
                _ => None,
            };
            let Some((x, y, d)) = p.atoms().iter().rev().find_map(remainder) else { return Some(p) };
            let (slope, rest) = p.linear(x)?;
            let whole = self.counterpart(x)?.mul(&d)?;
            p = slope.mul(&y.sub(&whole)?)?.add(&rest)?;
        }
        None
    }

    /// Applies one step of [`settle`](Forms::settle); `None` if no step changes `p`.
    fn joined(&mut self, p: &Poly) -> Option<Poly> {
        let quotients: Vec<(Monomial, i64)> = p.terms().iter().filter(|(m, _)| self.has_quotient(m)).copied().collect();
        for (m, c) in &quotients {
            for x in m.iter() {
                let (node, y, d) = match self.atoms[*x as usize].kind.clone() {
                    Kind::Binary(node @ (Div | Rem), y, d) if self.is_natural(&d) => (node, y, d),
                    _ => continue,
                };
                let rest = m.over(&[*x])?;
                let next = if node == Rem {
                    self.whole(p, (&rest, *c), *x, &y, &d).or_else(|| self.chained(p, (&rest, *c), *x, &y, &d))
                } else {
                    self.remainder(p, (m, *c), *x, &y, &d)
                };
                if let Some(next) = next.filter(|next| next != p) {
                    return Some(next);
                }
            }
        }
        None
    }

    /// Returns the remainder of the same division for a quotient `x`, and the quotient for a remainder `x`; `None` for
    /// other atoms.
    pub fn counterpart(&mut self, x: Atom) -> Option<Poly> {
        let info = &self.atoms[x as usize];
        if info.counterpart.is_none()
            && let Kind::Binary(node, y, d) = info.kind.clone()
        {
            let other = if node == Rem { self.floor_div(&y, &d) } else { self.modulo(&y, &d) };
            self.atoms[x as usize].counterpart = Some(other);
        }
        self.atoms[x as usize].counterpart.clone()
    }

    /// Joins the terms `c rest x` and `c rest d (y / d)` of `p`, for `x = y % d`. Returns `None` if `p` does not
    /// have both.
    fn whole(&mut self, p: &Poly, (rest, c): (&Monomial, i64), x: Atom, y: &Poly, d: &Poly) -> Option<Poly> {
        let digits = self.counterpart(x)?;
        let (quotients, _) = digits.partition(|m, _| self.has_quotient(m));
        let needed = quotients.mul(d)?.times(rest, c)?;
        if needed.is_zero() || needed.terms().iter().any(|(m, c)| p.coefficient(m) != *c) {
            return None;
        }
        let remainder = Poly::term(rest.times(&[x])?, c);
        p.sub(&remainder)?.sub(&digits.mul(d)?.times(rest, c)?)?.add(&y.times(rest, c)?)
    }

    /// Joins the terms `k d x` and `-k y` of `p` to `-k (y % d)`, for `x = y / d`. Returns `None` unless `p` has
    /// both or the division is exact.
    fn remainder(&mut self, p: &Poly, term: (&Monomial, i64), x: Atom, y: &Poly, d: &Poly) -> Option<Poly> {
        let (lead, scale) = d.terms().iter().max_by_key(|(m, _)| m.len())?;
        let rest = term.0.over(&[x])?.over(lead)?;
        if term.1 % scale != 0 {
            return None;
        }
        let k = term.1 / scale;
        let product = d.times(&rest, k)?.times(&[x], 1)?;
        // The constants may differ if there are other terms: 16 ((x + 15) / 16) - x is joined although x has no constant.
        let has = |q: &Poly, sign: i64| {
            let (constant, rest) = q.partition(|m, _| m.is_empty());
            let all = if rest.is_zero() { &constant } else { &rest };
            all.terms().iter().all(|(m, c)| p.coefficient(m) == sign * c)
        };
        if !has(&product, 1) {
            return None;
        }
        let over = self.counterpart(x)?.times(&rest, k)?;
        let all = y.times(&rest, k)?;
        let value = p.sub(&product)?.add(&all)?.sub(&over)?;
        (over.is_zero() || has(&all, -1)).then_some(value)
    }
}
