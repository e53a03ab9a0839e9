//! Layouts as functions to draw: the extents of their modes, and a value at each coordinate.

use crd2idx::algebra::expression::{Operand, apply};
use crd2idx::algebra::value::{ExprGraph, LayoutValue, TupleValue};
use crd2idx::error::Op;

/// The maximum number of leaves of one operand.
pub const LEAVES: usize = crate::eval::LEAVES;

pub type Value = Operand<LEAVES>;

/// Returns the value of `op(args...)`, or its error as text.
pub fn applied(op: Op, args: &[Value]) -> Result<Value, String> {
    apply(op, args, &mut ExprGraph::<0>::new(op)).map_err(|error| error.to_string())
}

pub fn integer(k: usize) -> Result<Value, String> {
    let ints = i64::try_from(k).ok().and_then(TupleValue::integer);
    ints.map(Operand::Tuple).ok_or_else(|| format!("{k} does not fit 64 bits"))
}

/// Returns the digits of `k` in the mixed radix of these extents, the fastest first.
pub fn digits(mut k: usize, extents: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let digit = |extent| {
        let digit = k % extent;
        k /= extent;
        digit
    };
    extents.into_iter().map(digit).collect()
}

/// A layout, or a composed layout, whose extents and strides are all known.
pub struct Function {
    pub value: Value,
    /// The extents of the leaves, by mode.
    pub modes: Vec<Vec<usize>>,
    integer: bool,
}

impl Function {
    /// Returns the function of an operand.
    ///
    /// Fails if the operand is no layout, has unknown numbers, has no element, or has more elements than a picture shows.
    pub fn new(value: Value) -> Result<Function, String> {
        let (lay, integer) = match &value {
            Operand::Layout(lay) => (lay, lay.is_integer() || lay.has_xor()),
            Operand::Composed(composed) => (&composed.outer, composed.outer.is_integer() || composed.outer.has_xor()),
            Operand::Tuple(shape) => {
                return Err(format!("{shape} is a shape, not a layout: give it strides, {shape}:..., or write col_major({shape})"));
            }
            other => return Err(format!("{other} is not a layout")),
        };
        if !lay.is_known() {
            return Err(format!("{value} has numbers that are not known (`?`): a picture needs them all"));
        }
        let modes = modes(lay);
        let size = modes.iter().flatten().try_fold(1_usize, |size, extent| size.checked_mul(*extent));
        match size {
            Some(0) => Err(format!("{value} has no element to draw")),
            Some(size) if size <= super::MOST_CELLS => Ok(Function { value, modes, integer }),
            size => Err(format!("{value}: {}", super::too_many(size.unwrap_or(usize::MAX)))),
        }
    }

    /// Returns the number of coordinates of a mode; 1 beyond the rank.
    pub fn extent(&self, mode: usize) -> usize {
        self.modes.get(mode).map_or(1, |extents| extents.iter().product())
    }

    pub fn size(&self) -> usize {
        self.modes.iter().flatten().product()
    }

    /// Returns the coordinate in each mode of coordinate number `k`. The numbers count from 0, mode 0 fastest.
    pub fn digits(&self, k: usize) -> Vec<usize> {
        digits(k, (0..self.modes.len()).map(|mode| self.extent(mode)))
    }

    /// Returns the value at coordinate number `k`: an integer or a tuple.
    pub fn at(&self, k: usize) -> Result<Value, String> {
        apply(Op::Crd2Idx, &[self.value, integer(k)?], &mut ExprGraph::<0>::new(Op::Crd2Idx)).map_err(|error| error.to_string())
    }

    /// Returns the index at coordinate number `k`, or `k` itself if the values are not integers.
    pub fn index(&self, k: usize) -> Result<i64, String> {
        match self.at(k)? {
            Operand::Tuple(index) if self.integer && index.is_scalar() => Ok(index.leaf(0).value().unwrap_or(0)),
            _ => Ok(k as i64),
        }
    }

    /// Returns coordinate number `k` as text, nested like the shape.
    pub fn coordinate(&self, k: usize) -> Result<String, String> {
        Ok(applied(Op::Idx2CrdShape, &[self.shape()?, integer(k)?])?.to_string())
    }

    pub fn shape(&self) -> Result<Value, String> {
        applied(Op::GetShape, &[self.value])
    }

    /// Returns the column-major layout of this shape: its value at coordinate number `k` is `k`.
    pub fn natural(&self) -> Result<Value, String> {
        applied(Op::ColMajor, &[self.shape()?])
    }
}

fn modes(layout: &LayoutValue<LEAVES>) -> Vec<Vec<usize>> {
    let (tree, root) = (layout.tree(), layout.root());
    let extent = |k: usize| layout.extent(k).value().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    (0..tree.rank(root)).filter_map(|mode| tree.mode(root, mode)).map(|span| (span.lo..span.hi).map(extent).collect()).collect()
}
