//! The formula of an edge with its numbers put in, for one product each: arithmetic, which is evaluated before it is printed.

use super::graph::Values;
use crd2idx::graph::{CoordGraph, DimId, Direction, Expr, ExprOp, Transform};

/// The values of dimensions and parameters.
pub struct Known<'a> {
    graph: &'a CoordGraph,
    values: Values<'a>,
}

impl<'a> Known<'a> {
    pub fn new(graph: &'a CoordGraph, bound: &[(&'a str, i64)], determined: &[(&'a str, i64)]) -> Self {
        Known { graph, values: determined.iter().chain(bound).copied().collect() }
    }

    pub fn value(&self, id: DimId) -> Option<i64> {
        self.values.get(self.graph.dimension(id).ok()?.name.as_str()).copied()
    }

    /// A size, a stride or another quantity of an edge.
    pub fn quantity(&self, expr: &Expr) -> Option<i128> {
        self.evaluate(expr, &[])
    }

    fn evaluate(&self, expr: &Expr, arguments: &[DimId]) -> Option<i128> {
        let (op, operands) = match expr {
            Expr::Int(value) => return Some((*value).into()),
            Expr::Arg(k) => return self.value(*arguments.get(*k)?).map(i128::from),
            Expr::Param(name) => return self.values.get(name.as_str()).copied().map(i128::from),
            Expr::Op(op, operands) => (op, operands),
        };
        let operands = operands.iter().map(|operand| self.evaluate(operand, arguments)).collect::<Option<Vec<_>>>()?;
        let (a, b) = (*operands.first()?, operands.get(1).copied().unwrap_or(0));
        Some(match op {
            ExprOp::Add => a.checked_add(b)?,
            ExprOp::Sub => a.checked_sub(b)?,
            ExprOp::Mul => a.checked_mul(b)?,
            ExprOp::Div => (a - a.checked_rem_euclid(b)?) / b,
            ExprOp::CeilDiv => -((-a - (-a).checked_rem_euclid(b)?) / b),
            ExprOp::Rem => a.checked_rem_euclid(b)?,
            ExprOp::Min => a.min(b),
            ExprOp::Max => a.max(b),
            ExprOp::Equal => (a == b).into(),
            ExprOp::Less => (a < b).into(),
            ExprOp::LessEqual => (a <= b).into(),
            ExprOp::And => (a != 0 && b != 0).into(),
            ExprOp::Or => (a != 0 || b != 0).into(),
            ExprOp::Not => (a == 0).into(),
        })
    }

    fn size(&self, id: DimId) -> Option<i128> {
        self.quantity(self.graph.dimension(id).ok()?.size.as_ref()?)
    }

    fn stride(&self, id: DimId) -> Option<i128> {
        self.quantity(self.graph.dimension(id).ok()?.stride.as_ref()?)
    }

    fn offset(&self, id: DimId) -> Option<i128> {
        match &self.graph.dimension(id).ok()?.offset {
            Some(offset) => self.quantity(offset),
            None => Some(0),
        }
    }

    /// `x0 d0 + x1 d1`
    fn strided(&self, dims: &[DimId]) -> Option<String> {
        self.sum(dims, &dims.iter().map(|id| self.stride(*id)).collect::<Option<Vec<_>>>()?)
    }

    fn sum(&self, dims: &[DimId], factors: &[i128]) -> Option<String> {
        let terms = dims.iter().zip(factors).map(|(id, factor)| Some(format!("{} * {factor}", self.value(*id)?)));
        Some(terms.collect::<Option<Vec<_>>>()?.join(" + "))
    }

    /// `(x0 n1 + x1) n2 + x2`
    fn horner(&self, dims: &[DimId]) -> Option<String> {
        let mut text = self.value(*dims.first()?)?.to_string();
        for (k, id) in dims.iter().enumerate().skip(1) {
            let open = if k > 1 { format!("({text})") } else { text };
            text = format!("{open} * {} + {}", self.size(*id)?, self.value(*id)?);
        }
        Some(text)
    }

    /// The digits by sizes, the last one fastest, of a value that starts at its offset.
    fn digits(&self, source: DimId, dims: &[DimId]) -> Vec<Option<String>> {
        let from = self.behind_offset(source);
        let digit = |k: usize| -> Option<String> {
            let below = dims[k + 1..].iter().map(|id| self.size(*id)).try_fold(1i128, |product, size| product.checked_mul(size?))?;
            let over = if below == 1 { from.clone()? } else { format!("{} div {below}", from.clone()?) };
            Some(if k == 0 { over } else { format!("{over} mod {}", self.size(dims[k])?) })
        };
        (0..dims.len()).map(digit).collect()
    }

    /// The digits by strides: the slowest takes the whole quotient.
    fn packed(&self, source: DimId, dims: &[DimId]) -> Vec<Option<String>> {
        let slowest = dims.iter().filter(|id| self.size(**id) != Some(1)).filter_map(|id| self.stride(*id)).max();
        let digit = |id: &DimId| -> Option<String> {
            let (from, stride) = (self.behind_offset(source)?, self.stride(*id)?);
            let over = format!("{from} div {stride}");
            Some(match self.size(*id) {
                Some(size) if Some(stride) != slowest || size == 1 => format!("{over} mod {size}"),
                _ => over,
            })
        };
        dims.iter().map(digit).collect()
    }

    fn behind_offset(&self, source: DimId) -> Option<String> {
        let (value, offset) = (self.value(source)?, self.offset(source)?);
        Some(if offset == 0 { value.to_string() } else { format!("({value} - {offset})") })
    }

    fn plus_offset(&self, text: Option<String>, product: DimId) -> Option<String> {
        let offset = self.offset(product)?;
        if offset == 0 { text } else { Some(format!("{} + {offset}", text?)) }
    }

    fn by_strides(&self, dims: &[DimId]) -> bool {
        use crd2idx::graph::FlattenMode;
        match self.graph.flatten_mode() {
            FlattenMode::Sizes => false,
            FlattenMode::Strides => true,
            FlattenMode::Declared => dims.iter().all(|id| self.graph.dimension(*id).is_ok_and(|dim| dim.stride.is_some())),
        }
    }
}

/// For each product the arithmetic that gives it; `None` where only its value is said.
pub fn formula(
    transform: &Transform,
    direction: Direction,
    sources: &[DimId],
    products: &[DimId],
    known: &Known<'_>,
) -> Vec<Option<String>> {
    let forward = direction == Direction::Forward;
    let of = |id: DimId| known.value(id).map(|value| value.to_string());
    let first = |text: Option<String>| [text].into_iter().chain(products.iter().skip(1).map(|_| None)).collect();
    let lines: Vec<Option<String>> = match (transform, forward) {
        (Transform::Flatten, true) if !known.by_strides(sources) => first(known.plus_offset(known.horner(sources), products[0])),
        (Transform::Flatten | Transform::Join, true) | (Transform::Split, false) => {
            first(known.plus_offset(known.strided(sources), products[0]))
        }
        (Transform::Tile, false) => first(known.plus_offset(known.horner(sources), products[0])),
        (Transform::Tile, true) => known.digits(sources[0], products),
        (Transform::Flatten, false) if !known.by_strides(products) => known.digits(sources[0], products),
        (Transform::Flatten | Transform::Join, false) | (Transform::Split, true) => known.packed(sources[0], products),
        (Transform::Embed { coefficients }, false) => {
            let factors = coefficients.iter().map(|factor| known.quantity(factor)).collect::<Option<Vec<_>>>();
            first(known.plus_offset(factors.and_then(|factors| known.sum(sources, &factors)), products[0]))
        }
        (Transform::Pad { left, .. }, _) => {
            first(of(sources[0]).zip(known.quantity(left)).map(|(x, left)| format!("{x} {} {left}", if forward { "+" } else { "-" })))
        }
        (Transform::Slice { begin, .. }, _) => {
            first(of(sources[0]).zip(known.quantity(begin)).map(|(x, begin)| format!("{x} {} {begin}", if forward { "-" } else { "+" })))
        }
        (Transform::Modulo { modulus }, false) => first(of(sources[0]).zip(known.quantity(modulus)).map(|(x, n)| format!("{x} mod {n}"))),
        (Transform::PairSwap { rows_per_group }, false) => first((|| {
            let (col, row, rows) = (of(sources[0])?, of(sources[1])?, known.quantity(rows_per_group)?);
            Some(format!("{col} xor (1 - {row} div {rows} mod 2)"))
        })()),
        (Transform::Rotate { rows_per_group, positions, inverse }, false) => first((|| {
            let (col, row, rows) = (of(sources[0])?, of(sources[1])?, known.quantity(rows_per_group)?);
            let sign = if *inverse { "+" } else { "-" };
            Some(format!("({col} {sign} {row} div {rows} div 2 * 2) mod {}", known.quantity(positions)?))
        })()),
        (Transform::Sunder, _) => first((|| {
            let (switch, branches) = sources.split_last()?;
            let s = usize::try_from(known.value(*switch)?).ok()?;
            let before = branches.get(..s)?.iter().map(|id| known.size(*id)).collect::<Option<Vec<_>>>()?;
            let before: String = before.iter().map(|size| format!(" + {size}")).collect();
            Some(format!("{}{before}", of(*branches.get(s)?)?))
        })()),
        (Transform::PiecewiseAffineJoin { condition, strides, initial }, _) => first((|| {
            let case = usize::from(known.evaluate(condition, sources)? == 0);
            let terms = sources.iter().zip(&strides[case]).filter_map(|(id, stride)| match known.quantity(stride) {
                Some(0) => None,
                stride => Some((|| Some(format!(" + {} * {}", known.value(*id)?, stride?)))()),
            });
            Some(format!("{}{}", known.quantity(&initial[case])?, terms.collect::<Option<String>>()?))
        })()),
        _ => products.iter().map(|_| None).collect(),
    };
    // What the engine says is what counts: a formula that gives another number is left out.
    let holds = |(id, line): (&DimId, Option<String>)| {
        let value = known.value(*id)?;
        line.filter(|line| super::statement::Names::default().holds(&format!("{line} = {value}")))
    };
    products.iter().zip(lines).map(holds).collect()
}
