//! The results of transforms, computed by their definitions.

use super::random::{Dim, RandomGraph};

/// The formula by which the products of a step follow from its sources.
#[derive(Clone, Debug)]
pub enum Formula {
    /// `sum x factor`, and the offset of the product.
    Sum(Vec<i64>),
    /// `(x0 n1 + x1) n2 + ...`, and the offset of the product.
    Horner(Vec<i64>),
    /// The digits without the offset of the source. `order` has the slowest digit first, which takes the whole quotient, and
    /// leaves out digits that are always 0.
    Digits {
        sizes: Vec<i64>,
        order: Vec<usize>,
    },
    Same,
    /// `x + by`; the product (true) or the source (false) must lie in `0..length`, if `inside` is `Some`.
    Shift {
        by: i64,
        inside: Option<(bool, i64)>,
    },
    Xor(i64),
    Entry(Vec<i64>),
    Place(Vec<i64>),
    Modulo(i64),
    Constant(i64),
    PairSwap(i64),
    Rotate {
        rows: i64,
        positions: i64,
        inverse: bool,
    },
    /// The source that the last source, the switch, chooses, shifted behind the earlier ones; the numbers are their sizes.
    Sunder(Vec<i64>),
    Piecewise {
        condition: Condition,
        cases: [(Vec<i64>, i64); 2],
    },
}

#[derive(Clone, Debug)]
pub enum Condition {
    Less(usize, i64),
    AtMost(usize, usize),
    Equal(usize, i64),
    /// The value is 1 modulo 3.
    Remainder(usize),
}

#[derive(Clone, Debug)]
pub struct Step {
    pub formula: Formula,
    pub sources: Vec<usize>,
    pub products: Vec<usize>,
}

/// A coordinate, and whether it and all coordinates that it is computed from lie inside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    pub number: i64,
    pub valid: bool,
}

/// The reason why there is no value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Gap {
    /// A table or a switch has no such entry.
    Entry,
    /// The bits of a negative number are exchanged.
    Bits,
}

impl RandomGraph {
    /// Returns the value of every dimension, or the reason why it has none, for the values `at` of the sources.
    pub fn values(&self, at: &[i64]) -> Vec<Result<Value, Gap>> {
        let mut values = vec![Err(Gap::Entry); self.dims.len()];
        let inside = |dim: &Dim, number: i64| dim.size.is_none_or(|size| 0 <= number && number < size);
        for (k, number) in self.sources.iter().zip(at) {
            values[*k] = Ok(Value { number: *number, valid: inside(&self.dims[*k], *number) });
        }
        for step in &self.steps {
            let results = self.results(step, &values);
            for (place, k) in step.products.iter().enumerate() {
                let value = results.as_ref().map(|results| results[place]).map_err(|gap| *gap);
                values[*k] = value.map(|value| Value { valid: value.valid && inside(&self.dims[*k], value.number), ..value });
            }
        }
        values
    }

    fn results(&self, step: &Step, values: &[Result<Value, Gap>]) -> Result<Vec<Value>, Gap> {
        let sources: Vec<Result<Value, Gap>> = step.sources.iter().map(|k| values[*k]).collect();
        // Branches that are not taken may have no value.
        let chosen = match &step.formula {
            Formula::Sunder(sizes) => {
                let switch = sources[sizes.len()]?;
                let s = usize::try_from(switch.number).ok().filter(|s| *s < sizes.len()).ok_or(Gap::Entry)?;
                let branch = sources[s]?;
                Some(Value { number: branch.number + sizes[..s].iter().sum::<i64>(), valid: branch.valid && switch.valid })
            }
            Formula::Piecewise { condition, cases } => {
                let x = |k: usize| sources[k].map(|value| value.number);
                let (holds, mut read) = match condition {
                    Condition::Less(a, n) => (x(*a)? < *n, vec![*a]),
                    Condition::AtMost(a, b) => (x(*a)? <= x(*b)?, vec![*a, *b]),
                    Condition::Equal(a, n) => (x(*a)? == *n, vec![*a]),
                    Condition::Remainder(a) => (x(*a)?.rem_euclid(3) == 1, vec![*a]),
                };
                let (strides, mut number) = cases[usize::from(!holds)].clone();
                for (k, stride) in strides.iter().enumerate().filter(|(_, stride)| **stride != 0) {
                    number += stride * x(k)?;
                    read.push(k);
                }
                Some(Value { number, valid: read.iter().all(|k| sources[*k].is_ok_and(|value| value.valid)) })
            }
            _ => None,
        };
        if let Some(value) = chosen {
            return Ok(vec![value]);
        }
        let sources: Vec<Value> = sources.into_iter().collect::<Result<_, _>>()?;
        let x: Vec<i64> = sources.iter().map(|value| value.number).collect();
        let mut valid = sources.iter().all(|value| value.valid);
        let added = step.products.first().map_or(0, |k| self.dims[*k].offset);
        let taken = step.sources.first().map_or(0, |k| self.dims[*k].offset);
        let numbers = match &step.formula {
            Formula::Sum(factors) => vec![x.iter().zip(factors).map(|(x, d)| x * d).sum::<i64>() + added],
            Formula::Horner(sizes) => vec![x.iter().zip(sizes).fold(0, |sum, (x, n)| sum * n + x) + added],
            Formula::Digits { sizes, order } => {
                valid &= !order.is_empty() || x[0] == taken;
                digits(x[0] - taken, sizes, order)
            }
            Formula::Same => x,
            Formula::Shift { by, inside } => {
                if let Some((of_product, length)) = inside {
                    let part = if *of_product { x[0] + by } else { x[0] };
                    valid &= 0 <= part && part < *length;
                }
                vec![x[0] + by]
            }
            Formula::Xor(_) if x[1] < 0 => return Err(Gap::Bits),
            Formula::Xor(n) => vec![x[0], x[1] ^ x[0].rem_euclid(*n)],
            Formula::Entry(table) => vec![*usize::try_from(x[0]).ok().and_then(|at| table.get(at)).ok_or(Gap::Entry)?],
            Formula::Place(table) => vec![table.iter().position(|entry| *entry == x[0]).ok_or(Gap::Entry)? as i64],
            Formula::Modulo(n) => vec![x[0].rem_euclid(*n)],
            Formula::Constant(at) => vec![*at],
            Formula::PairSwap(_) if x[0] < 0 => return Err(Gap::Bits),
            Formula::PairSwap(rows) => vec![x[0] ^ (1 - x[1].div_euclid(*rows).rem_euclid(2))],
            Formula::Rotate { rows, positions, inverse } => {
                let by = x[1].div_euclid(*rows).div_euclid(2) * 2;
                vec![(if *inverse { x[0] + by } else { x[0] - by }).rem_euclid(*positions)]
            }
            Formula::Sunder(_) | Formula::Piecewise { .. } => return Err(Gap::Entry),
        };
        let mut out: Vec<Value> = numbers.into_iter().map(|number| Value { number, valid }).collect();
        if let Formula::Xor(_) = step.formula {
            // The first product is the first source, whatever the second is.
            out[0].valid = sources[0].valid;
        }
        Ok(out)
    }
}

/// Returns one digit of `value` for each size. `order` has the slowest digit first; digits that are not in it are 0.
fn digits(value: i64, sizes: &[i64], order: &[usize]) -> Vec<i64> {
    let mut out = vec![0; sizes.len()];
    let mut rest = value;
    for (place, k) in order.iter().enumerate().rev() {
        out[*k] = if place == 0 { rest } else { rest.rem_euclid(sizes[*k]) };
        rest = rest.div_euclid(sizes[*k]);
    }
    out
}
