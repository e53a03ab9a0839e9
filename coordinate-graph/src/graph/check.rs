//! Checks a dimension or an edge before a graph accepts it, on all quantities that are numbers. `formula.rs` checks
//! quantities that need the value of a parameter.

use super::{CoordGraph, Dataflow, DimId, Dimension, Edge, EdgeKind, Expr, FieldValue, GraphError, Name, Result, Transform};
use crate::sorted::SortedSet;
use layout_algebra::error::Op;
use layout_algebra::heap::*;
use layout_algebra::value::{ExprGraph, SymInt};

impl CoordGraph {
    pub(super) fn check_dimension(&self, dim: &Dimension) -> Result<()> {
        for quantity in [&dim.size, &dim.stride, &dim.offset].into_iter().flatten() {
            self.check_expr(quantity, 0, &|| format!("`{}`", dim.name))?;
        }
        match dim.size.as_ref().and_then(constant) {
            Some(value) if value < 0 => Err(GraphError::Range { place: format!("`{}`", dim.name), what: "size", value, least: 0 }),
            _ => Ok(()),
        }
    }

    /// Fails if a parameter of `expr` is not declared, an argument is not below `arguments`, or an operator lacks an
    /// operand. `place` gives the edge or the dimension for the error.
    fn check_expr(&self, expr: &Expr, arguments: usize, place: &dyn Fn() -> String) -> Result<()> {
        let mut found = Ok(());
        expr.visit(&mut |e| match e {
            Expr::Param(name) if !matches!(self.names.get(name), Some(Name::Parameter(_))) => {
                found = Err(GraphError::NoSuchParameter { name: name.clone() });
            }
            Expr::Arg(argument) if *argument >= arguments => {
                found = Err(GraphError::NoSuchArgument { place: place(), argument: *argument, count: arguments });
            }
            Expr::Op(op, operands) if operands.len() != op.operands() => {
                found = Err(GraphError::Length {
                    edge: super::EdgeName(place()),
                    what: "operands of an operator",
                    found: operands.len(),
                    expected: op.operands(),
                });
            }
            _ => {}
        });
        found
    }

    pub(super) fn check_edge(&self, edge: &Edge) -> Result<()> {
        let dims = || edge.inputs.iter().chain(&edge.outputs);
        if let Some(id) = dims().find(|id| id.0 >= self.dims.len()) {
            return Err(GraphError::ForeignDimension { id: id.0 });
        }
        let mut seen = SortedSet::new();
        if let Some(id) = dims().find(|id| !seen.insert(**id)) {
            return Err(GraphError::RepeatedDimension { edge: self.edge_name(edge), dim: self.dim(*id).name.clone() });
        }
        match &edge.kind {
            EdgeKind::Transform(transform) => self.check_transform(transform, edge),
            EdgeKind::Dataflow(relation) => self.check_relation(*relation, edge),
        }
    }

    fn check_transform(&self, transform: &Transform, edge: &Edge) -> Result<()> {
        let (inputs, outputs) = (edge.inputs.len(), edge.outputs.len());
        let within = |n: usize, (least, most): (usize, usize)| least <= n && n <= most;
        let sides = transform.sides();
        let drawn = sides.counts.iter().any(|(i, o)| within(inputs, *i) && within(outputs, *o));
        if !drawn || (sides.pairwise && inputs != outputs) {
            return Err(GraphError::Arity { edge: self.edge_name(edge), takes: sides.takes, inputs, outputs });
        }
        let many = inputs.max(outputs);
        for quantity in transform.quantities() {
            let arguments = match transform {
                Transform::PiecewiseAffineJoin { condition, .. } if core::ptr::eq(condition, quantity) => many,
                _ => 0,
            };
            self.check_expr(quantity, arguments, &|| self.edge_name(edge).to_string())?;
        }
        for (name, field) in transform.named_fields() {
            let lengths = match field {
                FieldValue::Quantities(list) => &[(name.what, list.len())][..],
                FieldValue::Lists([a, b]) => &[("strides of the first case", a.len()), ("strides of the second case", b.len())],
                _ => &[],
            };
            if let Some((what, found)) = lengths.iter().find(|(_, length)| *length != many) {
                return Err(GraphError::Length { edge: self.edge_name(edge), what, found: *found, expected: many });
            }
        }
        self.check_ranges(transform, edge)
    }

    fn check_ranges(&self, transform: &Transform, edge: &Edge) -> Result<()> {
        let place = || self.edge_name(edge).to_string();
        for (name, field) in transform.named_fields() {
            let value = match field {
                FieldValue::Quantity(quantity) => constant(quantity),
                FieldValue::Numbers(table) => table.iter().copied().min(),
                _ => None,
            };
            if let (Some(value), Some(least)) = (value, name.least)
                && value < least
            {
                return Err(GraphError::Range { place: place(), what: name.what, value, least });
            }
        }
        let size = |id: DimId| self.dim(id).size.as_ref().and_then(constant);
        let computed = match transform {
            Transform::Pad { left, right } => size(edge.inputs[0])
                .zip(constant(left).zip(constant(right)))
                .map(|(n, (left, right))| n.saturating_add(left).saturating_add(right)),
            Transform::Slice { begin, end } => match constant(begin).zip(constant(end)) {
                Some((begin, end)) if end < begin => {
                    return Err(GraphError::Range { place: place(), what: "end", value: end, least: begin });
                }
                bounds => bounds.map(|(begin, end)| end - begin),
            },
            _ => None,
        };
        match (computed, edge.outputs.first().and_then(|id| size(*id))) {
            (Some(computed), Some(declared)) if computed != declared => {
                let dim = self.dim(edge.outputs[0]).name.clone();
                Err(GraphError::Sizes { edge: self.edge_name(edge), computed, dim, declared })
            }
            _ => Ok(()),
        }
    }

    fn check_relation(&self, relation: Dataflow, edge: &Edge) -> Result<()> {
        let (inputs, outputs) = (edge.inputs.len(), edge.outputs.len());
        let fits = if relation == Dataflow::DataFlow { inputs > 0 && outputs > 0 } else { (inputs, outputs) == (1, 1) };
        if !fits {
            let takes = if relation == Dataflow::DataFlow { "inputs and outputs" } else { "one input and one output" };
            return Err(GraphError::Arity { edge: self.edge_name(edge), takes, inputs, outputs });
        }
        if relation.shares_storage() {
            let (from, to) = (edge.inputs[0], edge.outputs[0]);
            let holder = if self.storage(from) == to { Some(from) } else { self.holder(to) };
            if let Some(holder) = holder {
                let (dim, lies_in) = (self.dim(to).name.clone(), self.dim(holder).name.clone());
                return Err(GraphError::Storage { edge: self.edge_name(edge), dim, lies_in });
            }
        }
        Ok(())
    }
}

/// Returns the value of a quantity; `None` if it has a parameter or an argument, or if its arithmetic fails.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    let mut cx = ExprGraph::<0>::new(Op::Identity);
    let leaf = &mut |leaf: &Expr, _: &mut ExprGraph<0>| match leaf {
        Expr::Int(value) => SymInt::known(*value).ok_or(None),
        _ => Err(None::<layout_algebra::LayoutError>),
    };
    expr.evaluate::<0, Option<layout_algebra::LayoutError>>(&mut cx, leaf).ok().and_then(SymInt::value)
}
