//! Polynomials with integer coefficients over numbered atoms. Sizes are limited, so arithmetic returns `None` instead of a
//! polynomial that is too large. Nothing here knows the meaning of an atom.

use core::cmp::Ordering;
use core::ops::Deref;
use layout_algebra::heap::*;

/// The number of an atom, from 0.
pub(super) type Atom = u32;

/// The maximum number of terms of a polynomial.
pub(super) const TERMS: usize = 64;
/// The maximum number of factors of a monomial.
const DEGREE: usize = 8;

/// A product of atoms in ascending order. The empty product is 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Monomial {
    len: u8,
    atoms: [Atom; DEGREE],
}

impl Monomial {
    /// The empty product, 1.
    pub const ONE: Monomial = Monomial { len: 0, atoms: [0; DEGREE] };

    /// Returns the monomial of the atom `x`.
    pub fn atom(x: Atom) -> Monomial {
        let mut out = Monomial::ONE;
        (out.atoms[0], out.len) = (x, 1);
        out
    }

    /// Returns the product of the factors for which `keep` is true.
    pub fn filtered(self, mut keep: impl FnMut(Atom) -> bool) -> Monomial {
        let mut out = Monomial::ONE;
        for x in self.iter().filter(|x| keep(**x)) {
            out.atoms[out.len as usize] = *x;
            out.len += 1;
        }
        out
    }

    /// Returns `self * other`; `None` if it has more than `DEGREE` factors.
    pub fn times(mut self, other: &[Atom]) -> Option<Monomial> {
        let len = self.len() + other.len();
        self.atoms.get_mut(self.len as usize..len)?.copy_from_slice(other);
        self.len = len as u8;
        self.atoms[..len].sort_unstable();
        Some(self)
    }

    /// Returns `self / other`; `None` if `other` does not divide `self`.
    pub fn over(self, other: &[Atom]) -> Option<Monomial> {
        let mut open = other;
        let out = self.filtered(|x| match open {
            [first, rest @ ..] if *first == x => {
                open = rest;
                false
            }
            _ => true,
        });
        open.is_empty().then_some(out)
    }

    /// Returns the factors that `self` and `other` share.
    pub fn common(self, other: &[Atom]) -> Monomial {
        let mut open = other;
        self.filtered(|x| {
            while open.first().is_some_and(|y| *y < x) {
                open = &open[1..];
            }
            let shared = open.first() == Some(&x);
            open = &open[usize::from(shared)..];
            shared
        })
    }
}

impl Deref for Monomial {
    type Target = [Atom];

    fn deref(&self) -> &[Atom] {
        &self.atoms[..self.len as usize]
    }
}

impl PartialEq for Monomial {
    fn eq(&self, other: &Monomial) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Monomial {}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        self[..].cmp(&other[..])
    }
}
/// The maximum magnitude of a coefficient.
const COEFFICIENT: i64 = 1 << 62;

/// A polynomial: the sum of `coefficient * monomial`, with monomials in ascending order and no coefficient 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Poly {
    terms: Vec<(Monomial, i64)>,
}

/// Returns `coefficient`; `None` if its magnitude exceeds `COEFFICIENT`.
fn bounded(coefficient: i64) -> Option<i64> {
    (-COEFFICIENT..=COEFFICIENT).contains(&coefficient).then_some(coefficient)
}

impl Poly {
    /// Returns the constant `c`.
    pub fn constant(c: i64) -> Poly {
        Poly::term(Monomial::ONE, c)
    }

    /// Returns the polynomial of the atom `x`.
    pub fn atom(x: Atom) -> Poly {
        Poly::term(Monomial::atom(x), 1)
    }

    /// Returns `c * m`.
    pub fn term(m: Monomial, c: i64) -> Poly {
        Poly { terms: if c == 0 { Vec::new() } else { vec![(m, c)] } }
    }

    /// Returns the terms as `(monomial, coefficient)`, with the constant first.
    pub fn terms(&self) -> &[(Monomial, i64)] {
        &self.terms
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns true if this is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the value of a constant polynomial; `None` for others.
    pub fn value(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(*c),
            _ => None,
        }
    }

    /// Returns the atom if this is a single atom with coefficient 1; otherwise `None`.
    pub fn as_atom(&self) -> Option<Atom> {
        match self.terms.as_slice() {
            [(m, 1)] if m.len() == 1 => Some(m[0]),
            _ => None,
        }
    }

    /// Returns the constant term; 0 if there is none.
    pub fn constant_term(&self) -> i64 {
        self.coefficient(&[])
    }

    /// Returns the coefficient of the monomial `m`; 0 if it has no term.
    pub fn coefficient(&self, m: &[Atom]) -> i64 {
        self.terms.binary_search_by(|(n, _)| n[..].cmp(m)).map_or(0, |at| self.terms[at].1)
    }

    /// Returns the atoms, each once, in ascending order.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut out: Vec<Atom> = self.terms.iter().flat_map(|(m, _)| m.iter().copied()).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Returns `self + other`; `None` if the result is too large.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    /// Returns `self - other`; `None` if the result is too large.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    fn add_scaled(&self, other: &Poly, scale: i64) -> Option<Poly> {
        let mut terms = Vec::with_capacity(self.len() + other.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (Some((m, _)), Some((n, _))) => m.cmp(n),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let left = if order.is_le() { a.next() } else { None };
            let right = if order.is_ge() { b.next() } else { None };
            let scaled = right.map_or(Some(0), |(_, c)| c.checked_mul(scale))?;
            let sum = bounded(left.map_or(0, |(_, c)| *c).checked_add(scaled)?)?;
            if let (true, Some((m, _))) = (sum != 0, left.or(right)) {
                terms.push((*m, sum));
            }
        }
        (terms.len() <= TERMS).then_some(Poly { terms })
    }

    /// Returns `self + c`; `None` if the result is too large.
    pub fn plus(&self, c: i64) -> Option<Poly> {
        self.add(&Poly::constant(bounded(c)?))
    }

    /// Returns `self * c * m`; `None` if the result is too large.
    pub fn times(&self, m: &[Atom], c: i64) -> Option<Poly> {
        if c == 0 {
            return Some(Poly::default());
        }
        let scaled = |(n, d): &(Monomial, i64)| Some((n.times(m)?, bounded(d.checked_mul(c)?)?));
        let mut terms = self.terms.iter().map(scaled).collect::<Option<Vec<_>>>()?;
        terms.sort_unstable();
        Some(Poly { terms })
    }

    /// Returns `self * other`; `None` if the result is too large.
    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut out = Poly::default();
        for (m, c) in &other.terms {
            out = out.add(&self.times(m, *c)?)?;
        }
        Some(out)
    }

    /// Returns `-self`.
    pub fn neg(&self) -> Poly {
        Poly { terms: self.terms.iter().map(|(m, c)| (*m, -c)).collect() }
    }

    /// Returns `(a, c)` with `self = a * x + c`; `None` if `x` has a power above the first.
    pub fn linear(&self, x: Atom) -> Option<(Poly, Poly)> {
        let (mut a, mut c) = (Vec::new(), Vec::new());
        for (m, k) in &self.terms {
            match m.over(&[x]) {
                Some(rest) if rest.contains(&x) => return None,
                Some(rest) => a.push((rest, *k)),
                None => c.push((*m, *k)),
            }
        }
        a.sort_unstable();
        Some((Poly { terms: a }, Poly { terms: c }))
    }

    /// Returns the sum of the terms for which `keep` is true, and the sum of the others.
    pub fn partition(&self, mut keep: impl FnMut(&Monomial, i64) -> bool) -> (Poly, Poly) {
        let (yes, no) = self.terms.iter().copied().partition(|(m, c)| keep(m, *c));
        (Poly { terms: yes }, Poly { terms: no })
    }

    /// Returns the greatest common divisor of the terms: the atoms that occur in every term, and the greatest common
    /// divisor of the coefficients (0 if there are no terms).
    pub fn content(&self) -> (Monomial, i64) {
        let mut out: Option<(Monomial, i64)> = None;
        for (m, c) in &self.terms {
            out = Some(match out {
                None => (*m, c.abs()),
                Some((n, d)) => (n.common(m), layout_algebra::value::gcd(d, c.abs())),
            });
        }
        out.unwrap_or((Monomial::ONE, 0))
    }

    /// Returns `self / (c * m)`; `None` unless `c * m` divides every term.
    pub fn over(&self, m: &[Atom], c: i64) -> Option<Poly> {
        let divided = |(n, d): &(Monomial, i64)| if c != 0 && d % c == 0 { Some((n.over(m)?, d / c)) } else { None };
        let mut terms = self.terms.iter().map(divided).collect::<Option<Vec<_>>>()?;
        terms.sort_unstable();
        Some(Poly { terms })
    }

    /// Returns `(q, r)` with `self = q * by + r`, with as many terms of `self` in `q` as possible. Returns `None` if `by`
    /// is 0 or a polynomial is too large.
    ///
    /// If `by` is a constant, the constant term of `r` is at least 0 and less than the magnitude of `by`. If `by` has a
    /// single term, every other coefficient of `r` is 0 or has the sign of the coefficient of the same monomial in `self`.
    /// If `by` has several terms, `q` is 0 unless `r` has fewer terms than `self`.
    pub fn split(&self, by: &Poly) -> Option<(Poly, Poly)> {
        let lead = by.terms.iter().max_by_key(|(m, _)| m.len())?;
        if by.len() == 1 {
            let (mut q, mut r) = (Poly::default(), Poly::default());
            for (m, c) in &self.terms {
                let Some(rest) = m.over(&lead.0) else {
                    r = r.add(&Poly::term(*m, *c))?;
                    continue;
                };
                let whole = if m.is_empty() { c.div_euclid(lead.1) } else { c / lead.1 };
                q = q.add(&Poly::term(rest, whole))?;
                r = r.add(&Poly::term(*m, c - whole * lead.1))?;
            }
            return Some((q, r));
        }
        let (mut q, mut r) = (Poly::default(), self.clone());
        for _ in 0..TERMS {
            let step = r.terms.iter().find_map(|(m, c)| Some((m.over(&lead.0)?, c / lead.1)).filter(|(_, c)| *c != 0));
            let Some((m, c)) = step else { break };
            r = r.sub(&by.times(&m, c)?)?;
            q = q.add(&Poly::term(m, c))?;
        }
        // The quotient is used only if the remainder has fewer terms than `self`.
        if r.len() < self.len() { Some((q, r)) } else { Some((Poly::default(), self.clone())) }
    }

    /// Returns `self / by`; `None` unless `self` is a multiple of `by` as a polynomial.
    pub fn exactly_over(&self, by: &Poly) -> Option<Poly> {
        if by.is_zero() {
            return None;
        }
        let (q, r) = self.split(by)?;
        r.is_zero().then_some(q)
    }
}
