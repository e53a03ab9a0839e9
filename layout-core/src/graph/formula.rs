//! The formula of each transform, in each direction.

use super::engine::{Fault, Outcome, Value, Walk, ends, known};
use super::{DimId, Direction, Edge, Expr, FlattenMode, Transform};
use crate::value::{Facts, SymInt, Truth};
use alloc::vec;
use alloc::vec::Vec;

/// Inverse tables are made of entries below this.
const MOST_INVERSE: i64 = 1 << 16;

const NOT_PACKED: &str = "its strides are not those of a packed order";

impl<const E: usize> Walk<'_, E> {
    /// The values of the products of edge `k`, in their order.
    pub(super) fn fire(&mut self, k: usize, transform: &Transform) -> Outcome<Vec<Value>> {
        let graph = self.graph;
        let edge = &graph.edges[k];
        let forward = self.direction == Direction::Forward;
        let (sources, products) = ends(edge, self.direction);
        let undefined = |reason| Err(Fault::Undefined(k, reason));
        match (transform, forward) {
            (Transform::Flatten, true) | (Transform::Join, true) | (Transform::Split, false) => {
                let strided = !matches!(transform, Transform::Flatten) || self.by_strides(k, sources)?;
                let value = if strided { self.strided(k, sources)? } else { self.horner(k, sources)? };
                Ok(vec![self.moved(value, products[0], true)?])
            }
            (Transform::Tile, false) => {
                let value = self.horner(k, sources)?;
                Ok(vec![self.moved(value, products[0], true)?])
            }
            (Transform::Tile, true) => {
                let value = self.value(sources[0])?;
                let value = self.moved(value, sources[0], false)?;
                self.digits(k, value, products)
            }
            (Transform::Flatten, false) | (Transform::Join, false) | (Transform::Split, true) => {
                let value = self.value(sources[0])?;
                let value = self.moved(value, sources[0], false)?;
                if matches!(transform, Transform::Flatten) && !self.by_strides(k, products)? {
                    return self.digits(k, value, products);
                }
                self.packed(k, value, products)
            }
            (Transform::Sunder, _) if products.len() == 1 && sources.len() > 1 => Ok(vec![self.sunder(k, sources)?]),
            (Transform::Sunder, _) => undefined("the branch is not known"),
            (Transform::PiecewiseAffineJoin { condition, strides, initial }, _) if products.len() == 1 => {
                Ok(vec![self.piecewise(sources, condition, strides, initial)?])
            }
            (Transform::PiecewiseAffineJoin { .. }, _) => undefined("the case is not known"),
            (Transform::PassThrough | Transform::Inherit | Transform::MakeOutput, _) => sources.iter().map(|id| self.value(*id)).collect(),
            (Transform::Embed { coefficients }, false) => {
                let mut sum = self.offset(products[0])?;
                for (id, coefficient) in sources.iter().zip(coefficients) {
                    let coefficient = self.quantity(coefficient)?;
                    sum = self.term(sum, *id, coefficient)?;
                }
                Ok(vec![sum])
            }
            (Transform::Embed { .. }, true) => undefined("several coordinates may have one sum"),
            (Transform::PairSwap { rows_per_group }, false) => Ok(vec![self.pair_swap(k, sources, rows_per_group)?]),
            (Transform::Rotate { rows_per_group, positions, inverse }, false) => {
                Ok(vec![self.rotate(k, sources, rows_per_group, positions, *inverse)?])
            }
            (Transform::PairSwap { .. } | Transform::Rotate { .. }, true) => undefined("the row is not known"),
            (Transform::Pad { left, right }, _) => Ok(vec![self.pad(edge, left, right)?]),
            (Transform::Slice { begin, end }, _) => Ok(vec![self.slice(edge, begin, end)?]),
            (Transform::Modulo { modulus }, false) => {
                let (value, modulus) = (self.value(sources[0])?, self.positive(k, modulus, "modulus")?);
                Ok(vec![Value { num: self.cx.rem(value.num, modulus)?, ..value }])
            }
            (Transform::Modulo { .. }, true) => undefined("many coordinates have one remainder"),
            (Transform::Xor, _) => self.xor(k, edge),
            (Transform::Freeze { at }, false) => Ok(vec![Value { num: self.quantity(at)?, valid: SymInt::ONE }]),
            (Transform::Freeze { .. }, true) => undefined("nothing depends on it"),
            (Transform::Gather { table }, false) => Ok(vec![self.gather(k, sources[0], table)?]),
            (Transform::Gather { table }, true) => Ok(vec![self.scatter(k, sources[0], table)?]),
            (Transform::Forget, _) => undefined("the coordinate is given up"),
            (Transform::Insert | Transform::Replicate, _) => undefined("nothing depends on it"),
            (Transform::ConstructMacroTile | Transform::DestructMacroTile, _) => undefined("it is a relation of storage"),
        }
    }

    fn size(&mut self, id: DimId, edge: usize) -> Outcome<SymInt> {
        let size = self.graph.dim(id).size.as_ref().ok_or(Fault::MissingSize(id, edge))?;
        let size = self.quantity(size)?;
        at_least(0, size, |value| Fault::Range { edge, dim: Some(id), what: "size", value, least: 0 })
    }

    /// A quantity that edge `k` divides by.
    fn positive(&mut self, k: usize, quantity: &Expr, what: &'static str) -> Outcome<SymInt> {
        let num = self.quantity(quantity)?;
        at_least(1, num, |value| Fault::Range { edge: k, dim: None, what, value, least: 1 })
    }

    fn stride(&mut self, id: DimId, edge: usize) -> Outcome<SymInt> {
        let stride = self.graph.dim(id).stride.as_ref().ok_or(Fault::MissingStride(id, edge))?;
        self.quantity(stride)
    }

    /// The offset of a linear dimension.
    fn offset(&mut self, id: DimId) -> Outcome<Value> {
        let num = match &self.graph.dim(id).offset {
            Some(offset) => self.quantity(offset)?,
            None => SymInt::ZERO,
        };
        Ok(Value { num, valid: SymInt::ONE })
    }

    /// The value with the offset of a linear dimension added, or taken away.
    fn moved(&mut self, value: Value, id: DimId, add: bool) -> Outcome<Value> {
        let offset = self.offset(id)?.num;
        let num = if add { self.cx.add(value.num, offset)? } else { self.cx.sub(value.num, offset)? };
        Ok(Value { num, ..value })
    }

    /// `sum + x * factor`
    fn term(&mut self, sum: Value, id: DimId, factor: SymInt) -> Outcome<Value> {
        let value = self.value(id)?;
        let product = self.cx.mul(value.num, factor)?;
        Ok(Value { num: self.cx.add(sum.num, product)?, valid: self.cx.min(sum.valid, value.valid)? })
    }

    /// Whether a Flatten goes by strides.
    fn by_strides(&self, edge: usize, dims: &[DimId]) -> Outcome<bool> {
        let without = |id: &&DimId| self.graph.dim(**id).stride.is_none();
        match self.graph.flatten {
            FlattenMode::Sizes => Ok(false),
            FlattenMode::Strides => Ok(true),
            FlattenMode::Declared => match dims.iter().find(without) {
                None => Ok(true),
                Some(_) if dims.iter().all(|id| without(&id)) => Ok(false),
                Some(id) => Err(Fault::MissingStride(*id, edge)),
            },
        }
    }

    /// `x0 d0 + x1 d1 + ...`
    fn strided(&mut self, edge: usize, dims: &[DimId]) -> Outcome<Value> {
        let mut sum = Value { num: SymInt::ZERO, valid: SymInt::ONE };
        for id in dims {
            let stride = self.stride(*id, edge)?;
            sum = self.term(sum, *id, stride)?;
        }
        Ok(sum)
    }

    /// `(x0 n1 + x1) n2 + ...`
    fn horner(&mut self, edge: usize, dims: &[DimId]) -> Outcome<Value> {
        let mut sum = self.value(dims[0])?;
        for id in &dims[1..] {
            let size = self.size(*id, edge)?;
            sum.num = self.cx.mul(sum.num, size)?;
            sum = self.term(sum, *id, SymInt::ONE)?;
        }
        Ok(sum)
    }

    /// The digits of `value` in the sizes of `dims`, the last one fastest; the first takes the whole quotient.
    fn digits(&mut self, edge: usize, value: Value, dims: &[DimId]) -> Outcome<Vec<Value>> {
        let mut out = vec![value; dims.len()];
        let mut rest = value.num;
        for k in (1..dims.len()).rev() {
            let size = self.size(dims[k], edge)?;
            out[k].num = self.cx.rem(rest, size)?;
            rest = self.cx.div(rest, size)?;
        }
        out[0].num = rest;
        Ok(out)
    }

    /// The digits of `value` in the order of the strides, where each stride is the product of the sizes below it; the slowest takes the whole quotient.
    fn packed(&mut self, edge: usize, value: Value, dims: &[DimId]) -> Outcome<Vec<Value>> {
        let mut left = Vec::new();
        for (k, id) in dims.iter().enumerate() {
            let size = if self.graph.dim(*id).size.is_some() { Some(self.size(*id, edge)?) } else { None };
            let stride = match self.stride(*id, edge) {
                // The one coordinate of a single element is 0 whatever its stride.
                Err(_) if size == Some(SymInt::ONE) => continue,
                stride => stride?,
            };
            left.push((k, stride, size));
        }
        let (mut order, mut below) = (Vec::new(), Some(SymInt::ONE));
        while let Some(product) = below {
            let fits = |at: &usize| self.cx.equal(left[*at].1, product) == Truth::Yes;
            // A single element moves no other, so it comes before what has the same stride.
            let Some(next) = (0..left.len()).rev().filter(fits).min_by_key(|at| left[*at].2 != Some(SymInt::ONE)) else { break };
            let (k, _, size) = left.remove(next);
            order.push((k, size));
            below = match size.filter(|size| *size != SymInt::ZERO && !left.is_empty()) {
                Some(size) => Some(self.cx.mul(product, size)?),
                None => None,
            };
        }
        if left.iter().any(|(.., size)| *size != Some(SymInt::ONE)) {
            return Err(Fault::Undefined(edge, NOT_PACKED));
        }
        let mut out = vec![Value { num: SymInt::ZERO, ..value }; dims.len()];
        let mut rest = value.num;
        match order.split_last() {
            Some(((slowest, _), faster)) => {
                for (k, size) in faster {
                    let size = size.unwrap_or(SymInt::ONE);
                    out[*k].num = self.cx.rem(rest, size)?;
                    rest = self.cx.div(rest, size)?;
                }
                out[*slowest].num = rest;
            }
            // No digit takes the quotient: 0 is the only index.
            None => {
                let first = self.cx.is_equal(rest, SymInt::ZERO)?;
                let valid = self.cx.min(value.valid, first)?;
                out.iter_mut().for_each(|digit| digit.valid = valid);
            }
        }
        Ok(out)
    }

    /// `b_s + n_0 + ... + n_(s-1)`, branch `s` only where it is known.
    fn sunder(&mut self, edge: usize, sources: &[DimId]) -> Outcome<Value> {
        let (branches, switch) = (&sources[..sources.len() - 1], sources[sources.len() - 1]);
        let switch = self.value(switch)?;
        if let Some(value) = switch.num.value() {
            return match usize::try_from(value) {
                Ok(s) if s < branches.len() => self.branch(edge, branches, s, switch.valid),
                _ => Err(Fault::Switch { edge, value, branches: branches.len() }),
            };
        }
        let mut out = self.branch(edge, branches, branches.len() - 1, switch.valid)?;
        for s in (0..branches.len() - 1).rev() {
            let chosen = self.cx.is_equal(switch.num, SymInt::small(s))?;
            let branch = self.branch(edge, branches, s, switch.valid);
            out = self.either(chosen, branch, Ok(out))?;
        }
        out.valid = self.within(switch.num, SymInt::small(branches.len()), out.valid)?;
        Ok(out)
    }

    fn branch(&mut self, edge: usize, branches: &[DimId], s: usize, valid: SymInt) -> Outcome<Value> {
        let mut out = self.value(branches[s])?;
        for id in &branches[..s] {
            let size = self.size(*id, edge)?;
            out.num = self.cx.add(out.num, size)?;
        }
        Ok(Value { valid: self.cx.min(out.valid, valid)?, ..out })
    }

    /// One of two values by a condition that is only known at run time. A value that arithmetic refuses is never meant: choosing it is not valid.
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

    fn piecewise(&mut self, many: &[DimId], condition: &Expr, strides: &[Vec<Expr>; 2], initial: &[Expr; 2]) -> Outcome<Value> {
        let chosen = self.expression(condition, &|walk, k| walk.value(many[k]).map(|value| value.num))?;
        let mut valid = SymInt::ONE;
        for k in condition.arguments() {
            let argument = self.value(many[k])?;
            valid = self.cx.min(valid, argument.valid)?;
        }
        let mut out = match chosen.value() {
            Some(0) => self.affine(many, &strides[1], &initial[1]),
            Some(_) => self.affine(many, &strides[0], &initial[0]),
            None => {
                let then = self.affine(many, &strides[0], &initial[0]);
                let otherwise = self.affine(many, &strides[1], &initial[1]);
                self.either(chosen, then, otherwise)
            }
        }?;
        out.valid = self.cx.min(out.valid, valid)?;
        Ok(out)
    }

    /// `initial + sum x * stride`; a coordinate with stride 0 is not looked at.
    fn affine(&mut self, dims: &[DimId], strides: &[Expr], initial: &Expr) -> Outcome<Value> {
        let mut sum = Value { num: self.quantity(initial)?, valid: SymInt::ONE };
        for (id, stride) in dims.iter().zip(strides) {
            let stride = self.quantity(stride)?;
            if stride != SymInt::ZERO {
                sum = self.term(sum, *id, stride)?;
            }
        }
        Ok(sum)
    }

    /// The column, the number of its row's group, and whether both are valid.
    fn grouped(&mut self, k: usize, sources: &[DimId], rows_per_group: &Expr) -> Outcome<(SymInt, SymInt, SymInt)> {
        let (col, row) = (self.value(sources[0])?, self.value(sources[1])?);
        let rows = self.positive(k, rows_per_group, "number of rows per group")?;
        Ok((col.num, self.cx.div(row.num, rows)?, self.cx.min(col.valid, row.valid)?))
    }

    fn pair_swap(&mut self, k: usize, sources: &[DimId], rows_per_group: &Expr) -> Outcome<Value> {
        let (col, group, valid) = self.grouped(k, sources, rows_per_group)?;
        let odd = self.cx.rem(group, known(2)?)?;
        let even = self.cx.sub(SymInt::ONE, odd)?;
        Ok(Value { num: self.cx.xor(col, even)?, valid })
    }

    fn rotate(&mut self, k: usize, sources: &[DimId], rows_per_group: &Expr, positions: &Expr, inverse: bool) -> Outcome<Value> {
        let (col, group, valid) = self.grouped(k, sources, rows_per_group)?;
        let two = known(2)?;
        let half = self.cx.div(group, two)?;
        let by = self.cx.mul(half, two)?;
        let turned = if inverse { self.cx.add(col, by)? } else { self.cx.sub(col, by)? };
        let positions = self.positive(k, positions, "number of positions")?;
        Ok(Value { num: self.cx.rem(turned, positions)?, valid })
    }

    fn pad(&mut self, edge: &Edge, left: &Expr, right: &Expr) -> Outcome<Value> {
        let left = self.quantity(left)?;
        if self.direction == Direction::Forward {
            let value = self.value(edge.inputs[0])?;
            return Ok(Value { num: self.cx.add(value.num, left)?, ..value });
        }
        let value = self.value(edge.outputs[0])?;
        let num = self.cx.sub(value.num, left)?;
        let mut valid = value.valid;
        // The size of the inner dimension bounds it already, where it has one.
        if let (true, None, Some(size)) = (self.checked, &self.graph.dim(edge.inputs[0]).size, &self.graph.dim(edge.outputs[0]).size) {
            let (size, right) = (self.quantity(size)?, self.quantity(right)?);
            let pads = self.cx.add(left, right)?;
            let inner = self.cx.sub(size, pads)?;
            valid = self.within(num, inner, valid)?;
        }
        Ok(Value { num, valid })
    }

    fn slice(&mut self, edge: &Edge, begin: &Expr, end: &Expr) -> Outcome<Value> {
        let begin = self.quantity(begin)?;
        let forward = self.direction == Direction::Forward;
        let value = self.value(if forward { edge.inputs[0] } else { edge.outputs[0] })?;
        let other = if forward { self.cx.sub(value.num, begin)? } else { self.cx.add(value.num, begin)? };
        let part = if forward { other } else { value.num };
        let mut valid = value.valid;
        if self.checked {
            let end = self.quantity(end)?;
            let length = self.cx.sub(end, begin)?;
            valid = self.within(part, length, valid)?;
        }
        Ok(Value { num: other, valid })
    }

    fn xor(&mut self, k: usize, edge: &Edge) -> Outcome<Vec<Value>> {
        let (sources, _) = ends(edge, self.direction);
        let (a, b) = (self.value(sources[0])?, self.value(sources[1])?);
        let sized = if self.graph.dim(edge.outputs[1]).size.is_some() { edge.outputs[1] } else { edge.inputs[1] };
        let size = self.size(sized, k)?;
        let low = self.cx.rem(a.num, size)?;
        Ok(vec![a, Value { num: self.cx.xor(b.num, low)?, valid: self.cx.min(a.valid, b.valid)? }])
    }

    fn gather(&mut self, k: usize, source: DimId, table: &[i64]) -> Outcome<Value> {
        let value = self.value(source)?;
        if let Some(at) = value.num.value() {
            let entry = usize::try_from(at).ok().and_then(|at| table.get(at));
            return Ok(Value { num: known(*entry.ok_or(Fault::Entry(k, at))?)?, ..value });
        }
        let valid = if self.checked { self.within(value.num, SymInt::small(table.len()), value.valid)? } else { value.valid };
        Ok(Value { num: self.entry(k, value.num, table.to_vec())?, valid })
    }

    /// The place of an entry.
    fn scatter(&mut self, k: usize, source: DimId, table: &[i64]) -> Outcome<Value> {
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
        let num = self.entry(k, value.num, inverse)?;
        let mut valid = value.valid;
        if self.checked {
            valid = self.within(value.num, length, valid)?;
            let found = self.cx.is_less(known(-1)?, num)?;
            valid = self.cx.min(valid, found)?;
        }
        Ok(Value { num, valid })
    }

    /// A lookup in a table of the program.
    fn entry(&mut self, k: usize, index: SymInt, entries: Vec<i64>) -> Outcome<SymInt> {
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

/// `num`, unless it is known to be less than `least`; then the fault with its value.
fn at_least(least: i64, num: SymInt, fault: impl FnOnce(i64) -> Fault) -> Outcome<SymInt> {
    match num.value() {
        Some(value) if value < least => Err(fault(value)),
        _ => Ok(num),
    }
}
