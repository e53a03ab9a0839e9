//! The normal forms of the nodes of a program: polynomials over atoms, with the facts and bounds of each atom. The rules
//! that make the forms are in `normalize.rs`, `divide.rs` and `rules.rs`; a new kind of atom starts here.

use super::poly::{Atom, Monomial, Poly};
use crate::program::{Decoded, Program, Time};
use crate::sorted::SortedMap;
use core::cell::Cell;
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, Node, SymInt};

/// The meaning of an atom, whose operands are polynomials over earlier atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// The input of the program with this number.
    Input(usize),
    /// The operation of a node on two numbers.
    Binary(Node, Poly, Poly),
    /// 1 if the number is positive, else 0.
    Positive(Poly),
    /// 1 if the number is 0, else 0.
    Zero(Poly),
    /// The second number if the first is not 0, else the third.
    Select(Poly, Poly, Poly),
    /// An entry of a table: its position, and the number of the table.
    Lookup(Poly, i64),
    /// The node of the program with this number, which is not expanded.
    Opaque(usize),
}

/// An atom with its facts and bounds.
pub(super) struct Info {
    pub kind: Kind,
    /// The range and the divisor of the atom.
    pub facts: Facts,
    /// Lower bounds: the atom is at least each of them.
    pub lower: Vec<Poly>,
    /// Upper bounds: the atom is at most each of them.
    pub upper: Vec<Poly>,
    /// True if the atom is known at launch, the same for all threads.
    pub launch: bool,
    /// True if a bound of another atom may contain this atom.
    pub mentioned: bool,
    /// For a quotient, the remainder of the same division; for a remainder, the quotient. `None` until it is first
    /// needed.
    pub counterpart: Option<Poly>,
    /// For a comparison, the pairs `a`, `b` that it was written with: `a < b` or `a == b`.
    pub sources: Vec<(Poly, Poly)>,
}

/// Bounds of a node that come from conditions, not from the program's facts. Each is a pair: a number of the program, and a
/// constant to add to it.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    pub lower: Vec<(SymInt, i64)>,
    pub upper: Vec<(SymInt, i64)>,
}

/// The normal forms of the nodes of a program.
pub(super) struct Forms<'a> {
    pub program: &'a Program,
    pub atoms: Vec<Info>,
    index: SortedMap<Kind, Atom>,
    /// The normal form of each node. `None` until it is first needed.
    of: Vec<Option<Poly>>,
    /// The facts of each node, including facts that follow from the bounds of inputs.
    facts: Vec<Facts>,
    /// Facts of polynomials that are not atoms.
    known: SortedMap<Poly, Facts>,
    /// Polynomials that are assumed not to be negative.
    pub assumed: Vec<Poly>,
    /// True if the forms hold only for inputs that give some condition a supposed answer.
    pub supposes: bool,
    /// Nodes that are not expanded, with their bounds.
    fixed: SortedMap<usize, Bounds>,
    /// The results of quotients (`true`) and remainders (`false`) so far, by dividend and divisor.
    pub quotients: SortedMap<(bool, Poly, Poly), Poly>,
    /// The current depth of nested quotients.
    pub depth: usize,
    /// The number of steps left for the current proof.
    pub budget: Cell<usize>,
    /// The number of assumptions left to try in the current proof.
    pub tries: Cell<usize>,
}

/// Returns the facts of a number that has both the facts `a` and the facts `b`.
pub(super) fn both(a: Facts, b: Facts) -> Facts {
    let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
    // If the facts contradict each other, no input has them, so any result is correct.
    if lo > hi { a } else { Facts { lo, hi, div: if b.div == i64::MAX { a.div } else { layout_algebra::value::lcm(a.div, b.div) } } }
}

impl<'a> Forms<'a> {
    /// Prepares the forms of a program. The nodes `fixed` become atoms with these bounds, and `facts` adds facts of nodes
    /// to the facts that the program states.
    pub fn new(program: &'a Program, fixed: SortedMap<usize, Bounds>, facts: &[(usize, Facts)]) -> Forms<'a> {
        let scope = &program.scope;
        let mut forms = Forms {
            program,
            atoms: Vec::new(),
            index: SortedMap::new(),
            of: vec![None; scope.len],
            facts: (0..scope.len).map(|k| scope.facts(SymInt::symbol(k))).collect(),
            known: SortedMap::new(),
            assumed: Vec::new(),
            supposes: false,
            fixed,
            quotients: SortedMap::new(),
            depth: 0,
            budget: Cell::new(0),
            tries: Cell::new(0),
        };
        for (k, more) in facts {
            forms.facts[*k] = both(forms.facts[*k], *more);
        }
        forms.learn_from_bounds();
        let bounds: Vec<SymInt> = program.inputs.iter().filter_map(|input| input.below).collect();
        let fixed: Vec<SymInt> = forms.fixed.values().flat_map(|b| b.lower.iter().chain(&b.upper)).map(|b| b.0).collect();
        for bound in bounds.into_iter().chain(fixed) {
            forms.form(bound);
        }
        forms
    }

    /// Learns from bounds of inputs: if an input is at least 0 and less than `n`, then `n` is positive, and so are
    /// its factors if they are not negative.
    fn learn_from_bounds(&mut self) {
        let scope = &self.program.scope;
        for k in 0..scope.len {
            let Decoded::Input(input) = self.program.node(k) else { continue };
            match self.program.inputs.get(input).and_then(|input| input.below).map(|n| (n.node(), n.value())) {
                Some((Some(n), _)) if self.facts[k].lo >= 0 && self.facts[k].lo < i64::MAX => {
                    self.facts[n] = both(self.facts[n], Facts { lo: self.facts[k].lo + 1, ..Facts::ANY });
                }
                Some((_, Some(n))) if n > i64::MIN => self.facts[k] = both(self.facts[k], Facts { hi: n - 1, ..Facts::ANY }),
                _ => {}
            }
        }
        for k in (0..scope.len).rev() {
            if let Decoded::Two(Node::Mul, a, b) = self.program.node(k)
                && self.facts[k].lo > 0
            {
                let factors = [a.node(), b.node()];
                if factors.iter().flatten().all(|n| self.facts[*n].lo >= 0) {
                    factors.iter().flatten().for_each(|n| self.facts[*n] = both(self.facts[*n], Facts::POSITIVE));
                }
            }
        }
    }

    /// Returns the normal form of the number or node `x`, and computes it first if needed.
    pub fn form(&mut self, x: SymInt) -> Poly {
        let Some(root) = x.node() else { return Poly::constant(x.word()) };
        if self.of[root].is_none() {
            let needed = self.program.reached(&[x], &|k| self.of[k].is_some() || self.fixed.contains_key(&k));
            for k in (0..=root).filter(|k| needed[*k]) {
                self.evaluate(k);
            }
        }
        self.of[root].clone().unwrap_or_default()
    }

    /// Returns the normal form of the number or node `x`. `form` must have been called for the node before.
    pub fn have(&self, x: SymInt) -> Poly {
        match x.node() {
            Some(k) => self.of[k].clone().unwrap_or_default(),
            None => Poly::constant(x.word()),
        }
    }

    fn evaluate(&mut self, k: usize) {
        let node = self.program.node(k);
        if self.of[k].is_some() || matches!(node, Decoded::Pair) {
            return;
        }
        let facts = self.facts[k];
        let form = if let Decoded::Input(number) = node {
            let x = self.intern(Kind::Input(number), facts);
            let below =
                self.program.inputs.get(number).and_then(|input| input.below).filter(|n| n.node().is_none_or(|n| self.of[n].is_some()));
            if let Some(upper) = below.and_then(|n| self.have(n).plus(-1)) {
                self.bound(x, Vec::new(), vec![upper]);
            }
            Poly::atom(x)
        } else if self.fixed.contains_key(&k) {
            Poly::atom(self.intern(Kind::Opaque(k), facts))
        } else {
            self.combine(k)
        };
        self.of[k] = Some(self.refine(form, facts));
    }

    /// Gives the fixed nodes their bounds, including nodes that were evaluated before their bounds.
    pub fn bind(&mut self) {
        for (k, bounds) in self.fixed.clone().iter() {
            let x = SymInt::symbol(*k);
            let Some(atom) = self.form(x).as_atom() else { continue };
            let lower: Vec<Poly> = bounds.lower.iter().filter_map(|(b, c)| self.form(*b).plus(*c)).collect();
            let upper: Vec<Poly> = bounds.upper.iter().filter_map(|(b, c)| self.form(*b).plus(*c)).collect();
            self.bound(atom, lower, upper);
        }
    }

    /// Adds lower and upper bounds of the atom `x`.
    pub fn bound(&mut self, x: Atom, lower: Vec<Poly>, upper: Vec<Poly>) {
        for bound in lower.iter().chain(&upper) {
            for y in bound.atoms() {
                self.atoms[y as usize].mentioned = true;
            }
        }
        let info = &mut self.atoms[x as usize];
        info.lower.extend(lower);
        info.upper.extend(upper);
    }

    /// Records that `p` has these `facts`. Returns `p`, or a constant if the facts leave one value.
    fn refine(&mut self, p: Poly, facts: Facts) -> Poly {
        if p.value().is_some() {
            return p;
        }
        let now = match p.as_atom() {
            Some(x) => {
                let info = &mut self.atoms[x as usize];
                info.facts = both(info.facts, facts);
                info.facts
            }
            None => {
                let computed = self.facts(&p);
                let now = both(computed, facts);
                if now != computed {
                    self.known.insert(p.clone(), now);
                    // Also assume the fact, so that proofs can use it inside a larger sum.
                    if self.assumed.len() < super::prove::ASSUMED {
                        let at_least = (facts.lo > computed.lo).then(|| facts.lo.checked_neg().and_then(|lo| p.plus(lo))).flatten();
                        let at_most = (facts.hi < computed.hi).then(|| p.neg().plus(facts.hi)).flatten();
                        self.assumed.extend(at_least.into_iter().chain(at_most));
                    }
                }
                now
            }
        };
        if now.lo == now.hi && SymInt::known(now.lo).is_some() && now.lo < i64::MAX { Poly::constant(now.lo) } else { p }
    }

    /// Returns the atom of `kind` and records its `facts`. Makes the atom if it is new.
    pub fn intern(&mut self, kind: Kind, facts: Facts) -> Atom {
        if let Some(x) = self.index.get(&kind) {
            let info = &mut self.atoms[*x as usize];
            info.facts = both(info.facts, facts);
            return *x;
        }
        let x = self.atoms.len() as Atom;
        let launch = match &kind {
            Kind::Input(k) => self.program.inputs.get(*k).is_some_and(|input| input.time == Time::Launch),
            Kind::Opaque(_) => false,
            kind => operands(kind).into_iter().all(|p| self.is_launch(p)),
        };
        self.index.insert(kind.clone(), x);
        self.atoms.push(Info {
            kind,
            facts,
            lower: Vec::new(),
            upper: Vec::new(),
            launch,
            mentioned: false,
            counterpart: None,
            sources: Vec::new(),
        });
        x
    }

    /// Returns the atom of `kind`; `None` if it was not made yet.
    pub fn find(&self, kind: &Kind) -> Option<Atom> {
        self.index.get(kind).copied()
    }

    /// Returns true if `p` is known at launch, the same for all threads.
    pub fn is_launch(&self, p: &Poly) -> bool {
        p.terms().iter().all(|(m, _)| self.launches(m))
    }

    /// Returns true if every atom of `m` is known at launch, the same for all threads.
    pub fn launches(&self, m: &[Atom]) -> bool {
        m.iter().all(|x| self.atoms[*x as usize].launch)
    }

    /// Returns the facts of `p`: from the facts of its atoms, and from those recorded for `p` itself.
    pub fn facts(&self, p: &Poly) -> Facts {
        let term = |(m, c): &(Monomial, i64)| {
            let product = m.iter().fold(None, |all: Option<Facts>, x| {
                let facts = self.atoms[*x as usize].facts;
                Some(all.map_or(facts, |all| all.mul(facts)))
            });
            product.map_or(Facts::exactly(*c), |product| product.mul(Facts::exactly(*c)))
        };
        let sum = p.terms().iter().map(term).fold(Facts::exactly(0), Facts::add);
        match self.known.get(p) {
            Some(more) => both(sum, *more),
            None => sum,
        }
    }
}

/// Returns the operands of an atom of this kind.
pub(super) fn operands(kind: &Kind) -> Vec<&Poly> {
    match kind {
        Kind::Input(_) | Kind::Opaque(_) => Vec::new(),
        Kind::Binary(_, a, b) => vec![a, b],
        Kind::Positive(a) | Kind::Zero(a) | Kind::Lookup(a, _) => vec![a],
        Kind::Select(c, a, b) => vec![c, a, b],
    }
}
