//! Builds programs from normal forms: chooses the nodes that compute the atoms, and their order. `sums.rs` builds the
//! polynomials over them. Every function here that returns a `Result` fails if the program is too large.

use super::forms::{Forms, Kind, both, operands};
use super::poly::{Atom, Poly};
use crate::program::{Decoded, NODES, Program, ProgramOutput, apply, facts_of};
use crate::sorted::{SortedMap, SortedSet};
use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, Facts, Node, SymInt};

/// A polynomial `poly` that already has the node `num`.
pub(super) struct Built {
    pub poly: Poly,
    pub num: SymInt,
    /// The signature of the polynomial: bit `x mod 64` is set for each atom `x`.
    pub atoms: u64,
}

/// Builds the nodes of normal forms.
pub(super) struct Builder<'a, 'f> {
    pub forms: &'f Forms<'a>,
    pub scope: Box<ExprGraph<NODES>>,
    /// The polynomials that are built, in order, with their nodes.
    pub built: Vec<Built>,
    memo: SortedMap<Poly, SymInt>,
    /// Quotients `x / d` that are built as `(x + shift d) / d`: for each atom, the node and `shift`. The node is `KEEP`
    /// until it is built.
    pub folded: SortedMap<Atom, (SymInt, Poly)>,
    /// Quotients `x / (a e)` that are built as `(x / a) / e`: for each atom, the atom of the remainder of the second
    /// division.
    paired: SortedMap<Atom, Atom>,
    /// The facts that the program states for its nodes, by their normal forms.
    stated: &'f SortedMap<Poly, Facts>,
}

/// Returns a set of 64 bits: bit `x mod 64` for each atom `x` of `p`. A bit that is set for `p` and not for `q` proves that
/// `p` has an atom that `q` lacks.
pub(super) fn signature(p: &Poly) -> u64 {
    p.terms().iter().flat_map(|(m, _)| m.iter()).fold(0, |all, x| all | 1 << (x % 64))
}

/// Returns the facts that the program states for the nodes `k` with `nodes[k]`, by the normal forms of the nodes.
pub(super) fn stated(forms: &Forms<'_>, nodes: &[bool]) -> SortedMap<Poly, Facts> {
    let mut out: SortedMap<Poly, Facts> = SortedMap::new();
    for k in (0..nodes.len()).filter(|k| nodes[*k]) {
        let facts = forms.program.scope.facts(SymInt::symbol(k));
        let all = out.or_insert(forms.have(SymInt::symbol(k)), facts);
        *all = both(*all, facts);
    }
    out
}

impl<'a, 'f> Builder<'a, 'f> {
    /// Builds the program of the results. Result `k` keeps its original nodes if `raw[k]`; otherwise it is built from the
    /// form `wanted[k]`. Fails if the program is too large.
    ///
    /// With `hints`, every original node `k` with `nodes[k]` is built before the nodes that need it, so that shared nodes
    /// stay shared.
    pub fn program(
        forms: &'f Forms<'a>,
        stated: &'f SortedMap<Poly, Facts>,
        nodes: &[bool],
        wanted: &[Poly],
        raw: &[bool],
        hints: bool,
    ) -> Result<Program> {
        let old = forms.program;
        let mut builder = Builder {
            forms,
            scope: Box::new(ExprGraph::new(Op::Identity)),
            built: Vec::new(),
            memo: SortedMap::new(),
            folded: SortedMap::new(),
            paired: SortedMap::new(),
            stated,
        };
        for k in 0..old.scope.len {
            if let Decoded::Input(input) = old.node(k) {
                let num = builder.scope.input_at(input, old.scope.facts(SymInt::symbol(k)))?;
                builder.register(&forms.have(SymInt::symbol(k)), num);
            }
        }
        let results = old.results();
        let copies = builder.copy(&results.iter().zip(raw).filter(|(_, raw)| **raw).map(|(x, _)| *x).collect::<Vec<_>>())?;
        let roots: Vec<Poly> = wanted.iter().zip(raw).filter(|(_, raw)| !**raw).map(|(p, _)| p.clone()).collect();
        let live = builder.closure(&roots);
        builder.pair(&live);
        builder.plan(&roots, &live);
        if hints {
            let number = |k: &usize| nodes[*k] && !matches!(old.node(*k), Decoded::Pair);
            let hinted: Vec<Poly> = (0..nodes.len()).filter(number).map(|k| forms.have(SymInt::symbol(k))).collect();
            let all = builder.closure(&hinted);
            let mut next = all.iter().copied().peekable();
            for p in &hinted {
                let last = p.atoms().last().copied();
                builder.atoms(core::iter::from_fn(|| next.next_if(|x| Some(*x) <= last)))?;
                builder.sum(p)?;
            }
        }
        builder.atoms(live.iter().copied())?;
        let mut order: Vec<usize> = (0..roots.len()).collect();
        order.sort_unstable_by_key(|k| (roots[*k].len(), *k));
        for k in order {
            builder.sum(&roots[k])?;
        }
        let mut values = Vec::with_capacity(results.len());
        for (k, x) in results.iter().enumerate() {
            let value = match x.node() {
                Some(n) if raw[k] => copies[n],
                _ => builder.sum(&wanted[k])?,
            };
            values.push(value);
        }
        let mut inputs = old.inputs.clone();
        for input in &mut inputs {
            if let Some(below) = input.below {
                let below = forms.have(below);
                builder.atoms(builder.closure(core::slice::from_ref(&below)).into_iter())?;
                input.below = Some(builder.sum(&below)?);
            }
        }
        let conditions = conditions(&values[old.outputs.len()..]);
        let outputs =
            old.outputs.iter().zip(&values).map(|(output, value)| ProgramOutput { name: output.name.clone(), value: *value }).collect();
        Ok(Program { scope: builder.scope, inputs, outputs, conditions, tables: old.tables.clone() }.cleaned())
    }

    /// Copies the original nodes that `roots` need. Returns the new node for each original node, or 0 if it was not copied.
    /// Fails if the program is too large.
    fn copy(&mut self, roots: &[SymInt]) -> Result<Vec<SymInt>> {
        let old = self.forms.program;
        let needed = old.reached(roots, &|_| false);
        let mut map = vec![SymInt::ZERO; old.scope.len];
        for k in (0..old.scope.len).filter(|k| needed[*k]) {
            let x = SymInt::symbol(k);
            let node = old.scope.node(k);
            if node == Node::Input {
                map[k] = self.sum(&self.forms.have(x))?;
                continue;
            }
            let moved = |word: i64| SymInt::raw(word).node().map_or(word, |n| map[n].word());
            map[k] = self.scope.push(node, moved(old.scope.a[k]), moved(old.scope.b[k]), old.scope.facts(x))?;
            if node != Node::Pair {
                self.register(&self.forms.have(x), map[k]);
            }
        }
        Ok(map)
    }

    /// Returns the atoms that these polynomials need, directly or through operands of other atoms.
    fn closure(&self, roots: &[Poly]) -> SortedSet<Atom> {
        let mut out: SortedSet<Atom> = roots.iter().flat_map(Poly::atoms).collect();
        let mut at = self.forms.atoms.len() as Atom;
        // The operands of an atom consist of earlier atoms.
        while at > 0 {
            at -= 1;
            if out.contains(&at) {
                out.extend(operands(&self.forms.atoms[at as usize].kind).into_iter().flat_map(Poly::atoms));
            }
        }
        out
    }

    /// Pairs quotients with remainders of the same division that are written in another form, so that one division computes
    /// both.
    fn pair(&mut self, live: &SortedSet<Atom>) {
        for x in live.iter() {
            let Kind::Binary(node, q, e) = &self.forms.atoms[*x as usize].kind else { continue };
            if *node != Node::Rem || e.value().is_none_or(|e| e <= 0) {
                continue;
            }
            let own = self.forms.find(&Kind::Binary(Node::Div, q.clone(), e.clone())).filter(|own| live.contains(own));
            // (r + y / a) / e = (a r + y) / (a e)
            let merged = || {
                q.terms().iter().find_map(|(m, c)| {
                    let y = *m.first().filter(|_| m.len() == 1 && *c == 1)?;
                    let Kind::Binary(div, y, a) = &self.forms.atoms[y as usize].kind else { return None };
                    a.value().filter(|a| *div == Node::Div && *a > 0)?;
                    let rest = q.sub(&Poly::term(*m, 1))?;
                    // Pair if the rest has a term that y lacks, because compilers then divide by a e besides. Without
                    // a rest, pair only if e is odd, because compilers divide by an even number in two steps.
                    let differs = rest.terms().iter().any(|(m, _)| !m.is_empty() && y.coefficient(m) == 0);
                    let odd = rest.is_zero() && e.value().is_some_and(|e| e % 2 == 1);
                    let whole = Kind::Binary(Node::Div, y.add(&rest.mul(a)?)?, a.mul(e)?);
                    if differs || odd { self.forms.find(&whole) } else { None }
                })
            };
            if let Some(whole) =
                own.or_else(merged).filter(|whole| live.contains(whole) && !self.closure(core::slice::from_ref(q)).contains(whole))
            {
                self.paired.insert(whole, *x);
            }
        }
    }

    /// Returns `(remainder, dividend, divisor)` for the remainder that is built together with the quotient `x`; `None` if
    /// `x` is not paired.
    fn partner(&self, x: Atom) -> Option<(Atom, Poly, Poly)> {
        let partner = *self.paired.get(&x)?;
        match &self.forms.atoms[partner as usize].kind {
            Kind::Binary(_, q, e) => Some((partner, q.clone(), e.clone())),
            _ => None,
        }
    }

    /// Finds quotients `x / d` that occur once, in a sum whose other terms can be added to `x` instead.
    fn plan(&mut self, roots: &[Poly], live: &SortedSet<Atom>) {
        let forms = self.forms;
        let mut sums: SortedSet<&Poly> = roots.iter().collect();
        sums.extend(live.iter().flat_map(|x| operands(&forms.atoms[*x as usize].kind)));
        let mut uses: SortedMap<Atom, usize> = SortedMap::new();
        for x in sums.iter().flat_map(|p| p.atoms()) {
            *uses.or_insert(x, 0) += 1;
        }
        // A comparison moves its terms between its sides, so nothing is gained there.
        let compared = |p: &Poly| [Kind::Positive(p.clone()), Kind::Zero(p.clone())].iter().any(|kind| forms.find(kind).is_some());
        for p in sums.into_iter().filter(|p| !compared(p)) {
            for (m, c) in p.terms() {
                if let [x] = &m[..]
                    && uses.get(x) == Some(&1)
                    && let Kind::Binary(node, y, d) = &forms.atoms[*x as usize].kind
                    && *node == Node::Div
                    && let Some(shift) = self.shift(p, *c, y, d)
                    && (shift.value().is_some() || !self.paired.contains_key(x))
                {
                    self.folded.insert(*x, (SymInt::KEEP, shift));
                }
            }
        }
    }

    /// Returns terms `s` of `p = c (y / d) + c s + ..` that can move into the quotient, as `(y + s d) / d`. `y + s d` must
    /// have no more terms than `y`, except for terms that are known at launch. Returns `None` if there are none.
    fn shift(&self, p: &Poly, c: i64, y: &Poly, d: &Poly) -> Option<Poly> {
        if !self.forms.is_positive(d) || (d.value().is_none() && (!self.forms.is_launch(d) || self.forms.is_launch(y))) {
            return None;
        }
        let mut out = Poly::default();
        for (m, _) in y.terms().iter().filter(|(m, _)| m.is_empty() || d.value().is_some()) {
            let found = p.coefficient(m);
            if found % c == 0 {
                out = out.add(&Poly::term(*m, found / c))?;
            }
        }
        y.add(&out.mul(d)?)?;
        (!out.is_zero()).then_some(out)
    }

    /// Builds these atoms, which come in ascending order. Fails if the program is too large.
    fn atoms(&mut self, atoms: impl Iterator<Item = Atom>) -> Result<()> {
        for x in atoms {
            if self.has(x) {
                continue;
            }
            if let Some((partner, q, e)) = self.partner(x) {
                self.atoms(self.closure(core::slice::from_ref(&q)).into_iter())?;
                let shift = self.folded.get(&x).map(|(_, shift)| shift.clone());
                // The shift adds a multiple of the divisor, which does not change the remainder.
                let moved = shift.as_ref().and_then(|shift| shift.mul(&e)).and_then(|more| q.add(&more));
                let (q, e) = (self.sum(moved.as_ref().unwrap_or(&q))?, self.sum(&e)?);
                let num = self.emit(Node::Div, q, e)?;
                match (shift, moved) {
                    (Some(shift), Some(_)) => {
                        self.folded.insert(x, (num, shift));
                        let rest = self.emit(Node::Rem, q, e)?;
                        self.register(&Poly::atom(partner), rest);
                    }
                    _ => {
                        self.folded.remove(&x);
                        self.register(&Poly::atom(x), num);
                    }
                }
                continue;
            }
            if let Some((_, shift)) = self.folded.get(&x).cloned()
                && let Kind::Binary(_, y, d) = &self.forms.atoms[x as usize].kind
                && let Some(y) = shift.mul(d).and_then(|more| y.add(&more))
            {
                let (y, d) = (self.sum(&y)?, self.sum(d)?);
                let num = self.emit(Node::Div, y, d)?;
                self.folded.insert(x, (num, shift));
                continue;
            }
            let num = self.atom(x)?;
            self.register(&Poly::atom(x), num);
        }
        Ok(())
    }

    /// Returns true if `x` is built.
    fn has(&self, x: Atom) -> bool {
        self.memo.contains_key(&Poly::atom(x)) || self.folded.get(&x).is_some_and(|(num, _)| !num.is_keep())
    }

    /// Builds the node of atom `x`, for which all atoms before it must be built. Fails if the program is too large.
    fn atom(&mut self, x: Atom) -> Result<SymInt> {
        let info = &self.forms.atoms[x as usize];
        match &info.kind {
            Kind::Binary(node, a, b) => {
                if let Some((num, rest)) = self.partial_quotient(*node, a, b) {
                    let rest = self.sum(&rest)?;
                    return self.emit(Node::Div, num, rest);
                }
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                self.emit(*node, a, b)
            }
            Kind::Positive(p) => {
                let (a, b) = self.sides(p, &info.sources)?;
                self.scope.is_less(a, b)
            }
            Kind::Zero(p) => {
                let (a, b) = self.sides(p, &info.sources)?;
                self.scope.is_equal(a, b)
            }
            Kind::Select(c, a, b) => {
                let (c, a, b) = (self.sum(c)?, self.sum(a)?, self.sum(b)?);
                self.scope.select(c, a, b)
            }
            Kind::Lookup(at, table) => {
                let at = self.sum(at)?;
                self.scope.lookup(at, *table as usize, Facts::ANY)
            }
            // Inputs are built first, and a program that is built has no opaque atoms.
            Kind::Input(_) | Kind::Opaque(_) => Err(self.too_large()),
        }
    }

    /// Returns `(node of x / a, d / a)` for the quotient `x / d`, if `x / a` has a node, `d / a` is a number or has a node,
    /// and `d` has no node. Otherwise returns `None`.
    fn partial_quotient(&self, node: Node, x: &Poly, d: &Poly) -> Option<(SymInt, Poly)> {
        if node != Node::Div || d.value().is_some() || self.memo.contains_key(d) {
            return None;
        }
        self.forms.atoms.iter().enumerate().find_map(|(k, info)| {
            let Kind::Binary(code, y, a) = &info.kind else { return None };
            if *code != Node::Div || y != x {
                return None;
            }
            let num = *self.memo.get(&Poly::atom(k as Atom))?;
            let rest = d.exactly_over(a)?;
            let free = rest.value().is_some() || self.memo.contains_key(&rest);
            (free && self.forms.is_natural(a) && self.forms.is_natural(&rest)).then_some((num, rest))
        })
    }

    /// Returns nodes `a` and `b` whose comparison has the same answer as the comparison of `p` with 0, with the fewest new
    /// operations. `b - a` equals `p` up to a factor, or `(a, b)` is one of `sources`. Fails if the program is too large.
    fn sides(&mut self, p: &Poly, sources: &[(Poly, Poly)]) -> Result<(SymInt, SymInt)> {
        let (mut b, a) = p.partition(|m, c| m.is_empty() || c > 0);
        let constant = p.constant_term();
        let mut a = a.neg();
        let bare = Poly::default().plus(-constant).ok_or(self.too_large())?;
        if a.is_zero() || (constant < 0 && b.len() > 1) {
            b = b.add(&bare).ok_or(self.too_large())?;
            a = a.add(&bare).ok_or(self.too_large())?;
        }
        let mut best: Option<(usize, (Poly, Poly))> = None;
        for (a, b) in sources.iter().chain([&(a, b)]) {
            if a.atoms().into_iter().chain(b.atoms()).any(|x| !self.has(x)) {
                continue;
            }
            let (len, count) = (self.scope.len, self.built.len());
            let tried = self.sum(a).and(self.sum(b));
            let cost = self.scope.len - len;
            self.scope.len = len;
            self.built.drain(count..).for_each(|built| self.memo.remove(&built.poly));
            tried?;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (a.clone(), b.clone())));
            }
        }
        let (_, (a, b)) = best.ok_or(self.too_large())?;
        Ok((self.sum(&a)?, self.sum(&b)?))
    }

    /// Returns the operation `node` on `a` and `b`: a new node, or a known number or operand if it equals that. Fails if
    /// the number overflows or the program is too large.
    pub fn emit(&mut self, node: Node, a: SymInt, b: SymInt) -> Result<SymInt> {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return apply(node, x, y).and_then(SymInt::known).ok_or(self.too_large());
        }
        let (a, b) = if a.is_known() && matches!(node, Node::Add | Node::Mul | Node::Xor) { (b, a) } else { (a, b) };
        let (x, y) = (self.scope.facts(a), self.scope.facts(b));
        let facts = match node {
            Node::Add | Node::Sub if b.is(0) => return Ok(a),
            Node::Mul | Node::Div if b.is(1) => return Ok(a),
            Node::Rem if b.is(1) => return Ok(SymInt::ZERO),
            Node::Rem if a.is(0) || b.is(0) => return Ok(a),
            Node::Mul | Node::Div if a.is(0) || b.is(0) => return Ok(SymInt::ZERO),
            // The facts of an Xor node may state that both operands are not negative. An equal operand does not
            // have that fact, so Xor is not simplified here.
            Node::Add | Node::Sub | Node::Mul | Node::Div | Node::Rem | Node::Xor => facts_of(node, x, y),
            _ => return self.scope.replay(node, a, b),
        };
        let (a, b) = if node == Node::Mul && !b.is_known() && b.word() < a.word() { (b, a) } else { (a, b) };
        self.scope.push(node, a.word(), b.word(), facts)
    }

    /// Records that `num` is the node of `p`, unless `p` is a constant or has a node already.
    pub fn register(&mut self, p: &Poly, num: SymInt) {
        if p.value().is_some() || self.memo.contains_key(p) {
            return;
        }
        if let Some(facts) = self.stated.get(p) {
            self.scope.learn(num, *facts);
        }
        if self.forms.supposes && self.scope.facts(num).lo < 0 && self.forms.is_natural(p) {
            self.scope.learn(num, Facts::NATURAL);
        }
        self.memo.insert(p.clone(), num);
        self.built.push(Built { poly: p.clone(), num, atoms: signature(p) });
    }

    /// Returns the node of `p`; `None` if `p` is a constant or has no node yet.
    pub fn find(&self, p: &Poly) -> Option<SymInt> {
        self.memo.get(p).copied()
    }

    /// Returns the error for a normal form that no program of this size can hold.
    pub fn too_large(&self) -> LayoutError {
        LayoutError::plain(Op::Identity, Cause::TooLong, 0, 0)
    }
}

/// Returns the conditions that are not known to hold, each once.
pub(super) fn conditions(all: &[SymInt]) -> Vec<SymInt> {
    let mut out: Vec<SymInt> = Vec::new();
    for x in all {
        if x.value().is_none_or(|x| x == 0) && !out.contains(x) {
            out.push(*x);
        }
    }
    out
}
