//! What makes a dimension or an edge well-formed.

use super::{CoordGraph, Dataflow, DimId, Dimension, Edge, EdgeKind, Expr, GraphError, Name, Result, Transform};
use crate::error::Op;
use crate::value::{ExprGraph, SymInt};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};

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

    /// Parameters are declared, arguments are below `arguments`.
    fn check_expr(&self, expr: &Expr, arguments: usize, place: &dyn Fn() -> String) -> Result<()> {
        let mut found = Ok(());
        expr.visit(&mut |e| match e {
            Expr::Param(name) if !matches!(self.names.get(name), Some(Name::Parameter(_))) => {
                found = Err(GraphError::NoSuchParameter(name.clone()));
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
            return Err(GraphError::ForeignDimension(id.0));
        }
        let mut seen = BTreeSet::new();
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
        let drawn = transform.arities().iter().any(|(i, o)| within(inputs, *i) && within(outputs, *o));
        if !drawn || (transform.is_pairwise() && inputs != outputs) {
            return Err(GraphError::Arity { edge: self.edge_name(edge), takes: takes(transform), inputs, outputs });
        }
        let many = inputs.max(outputs);
        for quantity in transform.quantities() {
            let arguments = match transform {
                Transform::PiecewiseAffineJoin { condition, .. } if core::ptr::eq(condition, quantity) => many,
                _ => 0,
            };
            self.check_expr(quantity, arguments, &|| self.edge_name(edge).to_string())?;
        }
        let lengths: &[(&'static str, usize)] = match transform {
            Transform::PiecewiseAffineJoin { strides, .. } => {
                &[("strides of the first case", strides[0].len()), ("strides of the second case", strides[1].len())]
            }
            Transform::Embed { coefficients } => &[("coefficients", coefficients.len())],
            _ => &[],
        };
        if let Some((what, found)) = lengths.iter().find(|(_, length)| *length != many) {
            return Err(GraphError::Length { edge: self.edge_name(edge), what, found: *found, expected: many });
        }
        self.check_ranges(transform, edge)
    }

    fn check_ranges(&self, transform: &Transform, edge: &Edge) -> Result<()> {
        let at_least = |least: i64, what: &'static str, quantity: &Expr| match constant(quantity) {
            Some(value) if value < least => Err(GraphError::Range { place: self.edge_name(edge).to_string(), what, value, least }),
            _ => Ok(()),
        };
        match transform {
            Transform::PairSwap { rows_per_group } => at_least(1, "number of rows per group", rows_per_group),
            Transform::Rotate { rows_per_group, positions, .. } => {
                at_least(1, "number of rows per group", rows_per_group)?;
                at_least(1, "number of positions", positions)
            }
            Transform::Modulo { modulus } => at_least(1, "modulus", modulus),
            Transform::Pad { left, right } => {
                at_least(0, "left pad", left)?;
                at_least(0, "right pad", right)?;
                let size = |id: DimId| self.dim(id).size.as_ref().and_then(constant);
                let (inner, outer) = (size(edge.inputs[0]), size(edge.outputs[0]));
                if let (Some(inner), Some(left), Some(right), Some(declared)) = (inner, constant(left), constant(right), outer) {
                    let computed = inner.saturating_add(left).saturating_add(right);
                    if computed != declared {
                        let dim = self.dim(edge.outputs[0]).name.clone();
                        return Err(GraphError::Sizes { edge: self.edge_name(edge), computed, dim, declared });
                    }
                }
                Ok(())
            }
            Transform::Slice { begin, end } => {
                at_least(0, "first element", begin)?;
                if let (Some(begin), Some(end)) = (constant(begin), constant(end)) {
                    at_least(begin, "end", &Expr::Int(end))?;
                    if let Some(declared) = self.dim(edge.outputs[0]).size.as_ref().and_then(constant)
                        && declared != end - begin
                    {
                        let dim = self.dim(edge.outputs[0]).name.clone();
                        return Err(GraphError::Sizes { edge: self.edge_name(edge), computed: end - begin, dim, declared });
                    }
                }
                Ok(())
            }
            Transform::Gather { table } => {
                let entry = table.iter().copied().min().unwrap_or(0);
                at_least(0, "entry", &Expr::Int(entry))
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

/// The value of a quantity without parameters.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    let mut cx = ExprGraph::<0>::new(Op::Identity);
    let leaf = &mut |leaf: &Expr, _: &mut ExprGraph<0>| match leaf {
        Expr::Int(value) => SymInt::known(*value).ok_or(None),
        _ => Err(None::<crate::LayoutError>),
    };
    expr.evaluate::<0, Option<crate::LayoutError>>(&mut cx, leaf).ok().and_then(SymInt::value)
}

fn takes(transform: &Transform) -> &'static str {
    match transform {
        Transform::Flatten | Transform::Join | Transform::ConstructMacroTile => "one or more inputs and one output",
        Transform::Tile | Transform::Split | Transform::Embed { .. } | Transform::DestructMacroTile => "one input and one or more outputs",
        Transform::Sunder => "one dimension on one side, branches and a switch on the other",
        Transform::PiecewiseAffineJoin { .. } => "one dimension on one side, one or more on the other",
        Transform::PassThrough | Transform::Inherit | Transform::MakeOutput => "as many inputs as outputs",
        Transform::Forget => "one or more inputs",
        Transform::PairSwap { .. } | Transform::Rotate { .. } => "one input and two outputs, column and row",
        Transform::Xor => "two inputs and two outputs",
        Transform::Freeze { .. } => "one input and no output",
        Transform::Insert => "no input and one output",
        Transform::Replicate => "no input and one or more outputs",
        Transform::Pad { .. } | Transform::Slice { .. } | Transform::Modulo { .. } | Transform::Gather { .. } => "one input and one output",
    }
}
