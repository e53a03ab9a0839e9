//! The values of formulas: computes the products of one edge from its sources. The formulas are in `term.rs` and
//! `transform.rs`. Every function here fails if a size, a stride, a parameter or a source has no value, or if arithmetic
//! fails.

use super::evaluation::{Evaluation, Fault, MINUS_ONE, Outcome, Value, known};
use super::term::{Formula, Site, Term, branch};
use super::{DimId, Transform};
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, Facts, SymInt, Truth};

/// Inverse tables are built only if every entry is below this bound, which also bounds their length.
const MOST_INVERSE: i64 = 1 << 16;

impl<'g, const E: usize> Evaluation<'_, 'g, E> {
    /// Returns the values of the products of an edge, in order, or the fault for which one has none.
    pub(super) fn fire(&mut self, site: &Site<'g>, transform: &'g Transform) -> Outcome<Vec<Value>> {
        let (terms, inside) = self.terms(site, transform)?;
        let mut out = terms.iter().map(|term| self.term(site, term)).collect::<Outcome<Vec<_>>>()?;
        if let (Some([x, size]), true) = (inside, self.checked) {
            let (x, size) = (self.term(site, &x)?, self.term(site, &size)?);
            for value in &mut out {
                value.valid = self.within(x.num, size.num, value.valid)?;
            }
        }
        Ok(out)
    }

    /// Returns a term for each product of an edge, in order. With a pair `[x, size]`, the products are valid only if `0 <=
    /// x < size`. Fails if the edge has no formula in this direction.
    pub(super) fn terms(&mut self, site: &Site<'g>, transform: &'g Transform) -> Outcome<(Vec<Term<'g>>, Option<[Term<'g>; 2]>)> {
        let order = match transform.formula(self.direction, site)? {
            Formula::Terms(terms, inside) => return Ok((terms, inside)),
            Formula::Digits => (0..site.products.len()).rev().collect(),
            Formula::Packed => self.packed_order(site)?,
        };
        let (source, of) = (site.sources[0], |k: &usize| site.products[*k]);
        // A product that is not in `order` has one element.
        let mut terms: Vec<_> = site.products.iter().map(|id| Term::Digit(source, Vec::new(), Some(*id))).collect();
        for (rank, k) in order.iter().enumerate() {
            let last = rank + 1 == order.len();
            terms[*k] = Term::Digit(source, order[..rank].iter().map(of).collect(), (!last).then(|| of(k)));
        }
        // An empty `order` means that every product has one element, so 0 is the only valid index.
        let inside = order.is_empty().then_some([Term::FromOffset(source), Term::Int(1)]);
        Ok((terms, inside))
    }

    /// Returns the positions of the products with packed strides, fastest first: each stride is the product of the sizes
    /// before it. Products of size 1 may be left out. Fails if the strides have no such order.
    fn packed_order(&mut self, site: &Site<'g>) -> Outcome<Vec<usize>> {
        let mut left = Vec::new();
        for (k, id) in site.products.iter().enumerate() {
            let size = if site.dim(*id).size.is_some() { Some(self.size(*id, site.edge)?) } else { None };
            match self.stride(*id, site.edge) {
                // The coordinate of a dimension of one element is 0, so its stride does not matter.
                Err(_) if size == Some(SymInt::ONE) => {}
                stride => left.push((k, stride?, size)),
            }
        }
        let (mut order, mut below) = (Vec::new(), Some(SymInt::ONE));
        while let Some(product) = below {
            let fits = |at: &usize| self.cx.equal(left[*at].1, product) == Truth::Yes;
            // A dimension of size 1 does not change the product of sizes, so it comes before a greater dimension with the
            // same stride.
            let Some(next) = (0..left.len()).rev().filter(fits).min_by_key(|at| left[*at].2 != Some(SymInt::ONE)) else { break };
            let (k, _, size) = left.remove(next);
            order.push(k);
            below = match size.filter(|size| *size != SymInt::ZERO && !left.is_empty()) {
                Some(size) => Some(self.cx.mul(product, size)?),
                None => None,
            };
        }
        match left.iter().all(|(.., size)| *size == Some(SymInt::ONE)) {
            true => Ok(order),
            false => Err(Fault::Undefined(site.edge, "its strides do not form a packed order")),
        }
    }

    /// Returns the value of a term, or the fault for which it has none.
    pub(super) fn term(&mut self, site: &Site<'g>, term: &Term<'g>) -> Outcome<Value> {
        Ok(match term {
            Term::Int(value) => Value::of(known(*value)?),
            Term::Coordinate(id) => self.value(*id)?,
            Term::FromOffset(id) => {
                let value = self.value(*id)?;
                let offset = self.offset(*id)?;
                Value { num: self.cx.sub(value.num, offset)?, ..value }
            }
            Term::Offset(id) => Value::of(self.offset(*id)?),
            Term::Stride(id) => Value::of(self.stride(*id, site.edge)?),
            Term::Size(id) => Value::of(self.size(*id, site.edge)?),
            Term::Quantity(expr) => self.expression(expr, site.sources)?,
            Term::Divisor(expr, what) => {
                let num = self.quantity(expr)?;
                Value::of(at_least(1, num, |value| Fault::Range { edge: site.edge, dim: None, what, value, least: 1 })?)
            }
            Term::Op(op, sides) => {
                let (a, b) = (self.term(site, &sides[0])?, self.term(site, &sides[1])?);
                self.joined(a, b, |cx| op.apply(a.num, b.num, cx))?
            }
            Term::Xor(sides) => {
                let (a, b) = (self.term(site, &sides[0])?, self.term(site, &sides[1])?);
                self.joined(a, b, |cx| cx.xor(a.num, b.num))?
            }
            Term::Sum(terms) => {
                let mut sum = Value::of(SymInt::ZERO);
                for term in terms {
                    let value = self.term(site, term)?;
                    sum = self.joined(sum, value, |cx| cx.add(sum.num, value.num))?;
                }
                sum
            }
            Term::Multiple(id, stride) => {
                let stride = self.quantity(stride)?;
                if stride == SymInt::ZERO {
                    return Ok(Value::of(SymInt::ZERO));
                }
                let value = self.value(*id)?;
                Value { num: self.cx.mul(value.num, stride)?, ..value }
            }
            Term::Horner(dims) => {
                let mut sum = self.value(dims[0])?;
                for id in &dims[1..] {
                    let size = self.size(*id, site.edge)?;
                    sum.num = self.cx.mul(sum.num, size)?;
                    let value = self.value(*id)?;
                    sum = self.joined(sum, value, |cx| cx.add(sum.num, value.num))?;
                }
                sum
            }
            Term::Digit(id, below, size) => {
                let mut value = self.term(site, &Term::FromOffset(*id))?;
                for id in below {
                    let size = self.size(*id, site.edge)?;
                    value.num = self.cx.div(value.num, size)?;
                }
                if let Some(id) = size {
                    let size = self.size(*id, site.edge)?;
                    value.num = self.cx.rem(value.num, size)?;
                }
                value
            }
            Term::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.term(site, condition)?;
                let out = match condition.num.value() {
                    Some(0) => self.term(site, otherwise),
                    Some(_) => self.term(site, then),
                    None => {
                        let then = self.term(site, then);
                        let otherwise = self.term(site, otherwise);
                        self.either(condition.num, then, otherwise)
                    }
                }?;
                Value { valid: self.cx.min(out.valid, condition.valid)?, ..out }
            }
            Term::Switch(switch, branches) => self.switched(site, *switch, branches)?,
            Term::Entry(id, table) => self.entry(site.edge, *id, table)?,
            Term::Place(id, table) => self.place(site.edge, *id, table)?,
        })
    }

    /// Returns the number that `num` computes from `a` and `b`. It is valid if both are. Fails if `num` does.
    fn joined(
        &mut self,
        a: Value,
        b: Value,
        num: impl FnOnce(&mut ExprGraph<E>) -> layout_algebra::error::Result<SymInt>,
    ) -> Outcome<Value> {
        Ok(Value { num: num(self.cx)?, valid: self.cx.min(a.valid, b.valid)? })
    }

    fn size(&mut self, id: DimId, edge: usize) -> Outcome<SymInt> {
        let size = self.graph.dim(id).size.as_ref().ok_or(Fault::MissingSize(id, edge))?;
        let size = self.quantity(size)?;
        at_least(0, size, |value| Fault::Range { edge, dim: Some(id), what: "size", value, least: 0 })
    }

    fn stride(&mut self, id: DimId, edge: usize) -> Outcome<SymInt> {
        let stride = self.graph.dim(id).stride.as_ref().ok_or(Fault::MissingStride(id, edge))?;
        self.quantity(stride)
    }

    fn offset(&mut self, id: DimId) -> Outcome<SymInt> {
        self.graph.dim(id).offset.as_ref().map_or(Ok(SymInt::ZERO), |offset| self.quantity(offset))
    }

    /// Returns the value of the branch that a switch chooses. If the switch is a known number, only that branch is
    /// evaluated; fails if there is none with that number. Otherwise the value is invalid where the branch does not exist.
    fn switched(&mut self, site: &Site<'g>, switch: DimId, branches: &'g [DimId]) -> Outcome<Value> {
        let switch = self.value(switch)?;
        if let Some(value) = switch.num.value() {
            return match usize::try_from(value) {
                Ok(s) if s < branches.len() => self.branch(site, branches, s, switch.valid),
                _ => Err(Fault::Switch { edge: site.edge, value, branches: branches.len() }),
            };
        }
        let last = branches.len() - 1;
        let mut out = self.branch(site, branches, last, switch.valid)?;
        for s in (0..last).rev() {
            let chosen = self.cx.is_equal(switch.num, SymInt::small(s))?;
            let branch = self.branch(site, branches, s, switch.valid);
            out = self.either(chosen, branch, Ok(out))?;
        }
        out.valid = self.within(switch.num, SymInt::small(branches.len()), out.valid)?;
        Ok(out)
    }

    fn branch(&mut self, site: &Site<'g>, branches: &'g [DimId], s: usize, valid: SymInt) -> Outcome<Value> {
        let out = self.term(site, &branch(branches, s))?;
        Ok(Value { valid: self.cx.min(out.valid, valid)?, ..out })
    }

    /// Selects one of two values by a condition that is known only at run time. If one of them fails because of its values,
    /// the other one is returned, and it is valid only if the condition chooses it.
    fn either(&mut self, condition: SymInt, then: Outcome<Value>, otherwise: Outcome<Value>) -> Outcome<Value> {
        match (then, otherwise) {
            (Ok(then), Ok(otherwise)) => Ok(Value {
                num: self.cx.select(condition, then.num, otherwise.num)?,
                valid: self.cx.select(condition, then.valid, otherwise.valid)?,
            }),
            (Ok(then), Err(fault)) if fault.is_of_values() => {
                let condition = self.cx.truth(condition)?;
                Ok(Value { valid: self.cx.min(then.valid, condition)?, ..then })
            }
            (Err(fault), Ok(otherwise)) if fault.is_of_values() => {
                let condition = self.cx.not(condition)?;
                Ok(Value { valid: self.cx.min(otherwise.valid, condition)?, ..otherwise })
            }
            (Err(fault), _) | (_, Err(fault)) => Err(fault),
        }
    }

    fn entry(&mut self, k: usize, source: DimId, table: &[i64]) -> Outcome<Value> {
        let value = self.value(source)?;
        if let Some(at) = value.num.value() {
            let entry = usize::try_from(at).ok().and_then(|at| table.get(at));
            return Ok(Value { num: known(*entry.ok_or(Fault::Entry(k, at))?)?, ..value });
        }
        let valid = if self.checked { self.within(value.num, SymInt::small(table.len()), value.valid)? } else { value.valid };
        Ok(Value { num: self.lookup(k, value.num, table.to_vec())?, valid })
    }

    fn place(&mut self, k: usize, source: DimId, table: &[i64]) -> Outcome<Value> {
        let value = self.value(source)?;
        if let Some(entry) = value.num.value() {
            let mut places = table.iter().enumerate().filter(|(_, other)| **other == entry);
            return match (places.next(), places.next()) {
                (Some((place, _)), None) => Ok(Value { num: SymInt::small(place), ..value }),
                _ => Err(Fault::Entry(k, entry)),
            };
        }
        let most = table.iter().copied().max().unwrap_or(0);
        if most >= MOST_INVERSE {
            return Err(Fault::Undefined(k, "its entries are too large for an inverse table"));
        }
        let mut inverse = vec![-1; most as usize + 1];
        for (place, entry) in table.iter().enumerate() {
            let slot = &mut inverse[*entry as usize];
            if *slot >= 0 {
                return Err(Fault::Undefined(k, "two of its entries are equal"));
            }
            *slot = place as i64;
        }
        let length = SymInt::small(inverse.len());
        let num = self.lookup(k, value.num, inverse)?;
        let mut valid = value.valid;
        if self.checked {
            valid = self.within(value.num, length, valid)?;
            let found = self.cx.is_less(MINUS_ONE, num)?;
            valid = self.cx.min(valid, found)?;
        }
        Ok(Value { num, valid })
    }

    /// Returns entry `index` of `entries`, which become a table of edge `k` unless all are 0. Fails if the expression graph
    /// is full.
    fn lookup(&mut self, k: usize, index: SymInt, entries: Vec<i64>) -> Outcome<SymInt> {
        let lo = entries.iter().copied().min().unwrap_or(0).min(0);
        let hi = entries.iter().copied().max().unwrap_or(0).max(0);
        if lo == hi {
            return Ok(SymInt::ZERO);
        }
        let found = self.tables.iter().position(|(edge, table)| *edge == k && *table == entries);
        let number = found.unwrap_or(self.tables.len());
        if found.is_none() {
            self.tables.push((k, entries));
        }
        Ok(self.cx.lookup(index, number, Facts { lo, hi, div: 1 })?)
    }
}

/// Returns `num`. Fails with `fault(num)` if `num` is known to be less than `least`.
fn at_least(least: i64, num: SymInt, fault: impl FnOnce(i64) -> Fault) -> Outcome<SymInt> {
    match num.value() {
        Some(value) if value < least => Err(fault(value)),
        _ => Ok(num),
    }
}
