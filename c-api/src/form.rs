//! The three forms of a coordinate as integers: one for the whole layout, one for each mode, one for each leaf.

use crate::status::{Failure, Outcome, Status};
use crd2idx::algebra::expression::{ComposedValue, Operand, apply};
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::{Cause, Op};
use crd2idx::layouts::DynCoord;
use crd2idx::{DynLayout, LayoutError};
use crd2idx_cli::LEAVES;

/// An operand of the algebra, as large as those of the command.
pub type Value = Operand<LEAVES>;

/// Applies an operation to operands of known numbers.
pub fn applied(op: Op, operands: &[Value]) -> Result<Value, LayoutError> {
    apply(op, operands, &mut ExprGraph::<0>::new(op))
}

/// Returns the operand that is an integer.
pub fn integer(value: i64) -> Result<Value, LayoutError> {
    TupleValue::integer(value).map(Operand::Tuple).ok_or(LayoutError::plain(Op::Parse, Cause::TooLow, value, 0))
}

/// Returns the integers of a tuple. Fails for an operand of another kind.
fn integers(value: &Value, op: Op) -> Result<Vec<i64>, LayoutError> {
    match value {
        Operand::Tuple(tuple) => {
            let leaves = (0..tuple.len()).filter(|k| !tuple.tree().is_stand_in(*k));
            let known = leaves.map(|k| tuple.leaf(k).value().ok_or(LayoutError::plain(op, Cause::Undecided, 0, 0)));
            known.collect()
        }
        _ => Err(LayoutError::plain(op, Cause::BasisStride, 0, 0)),
    }
}

/// Returns the single integer of a tuple. Fails for other tuples: such an index is a coordinate.
pub fn scalar(value: &Value, op: Op) -> Result<i64, LayoutError> {
    match value {
        Operand::Tuple(tuple) if tuple.is_scalar() => integers(value, op).map(|all| all[0]),
        _ => Err(LayoutError::plain(op, Cause::BasisStride, 0, 0)),
    }
}

/// A layout whose modes have one integer each in a coordinate.
pub struct Form {
    layout: Value,
    /// The number of coordinates of each mode.
    pub extents: Vec<i64>,
    /// The layout as one loop over its leaves, swizzles as XOR strides. `None` if it has no such form.
    plain: Option<DynLayout<LEAVES>>,
}

impl Form {
    fn of(layout: Value) -> Result<Form, LayoutError> {
        let shape = applied(Op::GetShape, &[layout])?;
        let extents = integers(&applied(Op::ProductEach, &[shape])?, Op::GetShape)?;
        let one = match layout {
            Operand::Composed(_) => applied(Op::ToXor, &[layout]).ok(),
            layout => Some(layout),
        };
        let plain = match one {
            Some(Operand::Layout(layout)) => DynLayout::from_value(layout).ok(),
            _ => None,
        };
        Ok(Form { plain: plain.filter(|plain| plain.rank() == extents.len()), layout, extents })
    }

    /// Returns the index of a coordinate inside the shape by one loop. Returns `None` for other coordinates and other layouts.
    fn fast(&self, coordinate: &[i64]) -> Option<i64> {
        // Few integers need no large array, which takes longer to clear than to use.
        if coordinate.len() <= 4 { self.fast_in::<4>(coordinate) } else { self.fast_in::<LEAVES>(coordinate) }
    }

    /// Returns the index as [`Form::fast`] does, for at most `N` integers.
    fn fast_in<const N: usize>(&self, coordinate: &[i64]) -> Option<i64> {
        // The loop computes in `usize`, which has the indices of a layout only if it has 64 bits.
        let plain = self.plain.as_ref().filter(|_| usize::BITS == 64)?;
        let mut digits = [0; N];
        let digits = digits.get_mut(..coordinate.len())?;
        for ((digit, x), extent) in digits.iter_mut().zip(coordinate).zip(&self.extents) {
            // A negative number is above every extent.
            if x.cast_unsigned() >= extent.cast_unsigned() {
                return None;
            }
            *digit = usize::try_from(*x).ok()?;
        }
        plain.index(digits).map(usize::cast_signed).and_then(|index| i64::try_from(index).ok())
    }

    /// Returns the index of a coordinate, also outside the shape. Fails as `crd2idx` of the algebra does.
    pub fn index(&self, coordinate: &[i64]) -> Result<i64, LayoutError> {
        match self.fast(coordinate) {
            Some(index) => Ok(index),
            None => {
                let coordinate = Operand::Tuple(*DynCoord::flat(coordinate)?.value());
                scalar(&applied(Op::Crd2Idx, &[self.layout, coordinate])?, Op::Crd2Idx)
            }
        }
    }

    /// Returns a coordinate that has this index. Fails if there is none.
    pub fn coordinate(&self, index: i64) -> Result<Vec<i64>, LayoutError> {
        integers(&applied(Op::FlatCoordinate, &[self.layout, integer(index)?])?, Op::FlatCoordinate)
    }

    /// Returns coordinate number `k` of the shape. The first mode varies fastest, and the last mode takes the whole quotient.
    pub fn unraveled(&self, k: i64) -> Result<Vec<i64>, LayoutError> {
        let shape = Operand::Tuple(*DynCoord::<LEAVES>::flat(&self.extents)?.value());
        integers(&applied(Op::Idx2CrdShape, &[shape, integer(k)?])?, Op::Idx2CrdShape)
    }
}

/// The forms of a layout.
pub struct Forms {
    linear: Form,
    modes: Form,
    leaves: Form,
}

impl Forms {
    /// Returns the forms of a layout. Fails if the layout is nested so deep that its modes cannot be grouped.
    pub fn of(layout: Value) -> Result<Forms, LayoutError> {
        let (Operand::Layout(outer) | Operand::Composed(ComposedValue { outer, .. })) = &layout else {
            return Err(layout.instead_of(crd2idx::error::OperandKind::Layout));
        };
        let linear = match outer.tree().rank(outer.root()) {
            0 => layout,
            rank => applied(Op::Group, &[layout, integer(0)?, integer(rank as i64)?])?,
        };
        let leaves = applied(Op::Flatten, &[layout])?;
        Ok(Forms { linear: Form::of(linear)?, modes: Form::of(layout)?, leaves: Form::of(leaves)? })
    }

    pub fn rank(&self) -> usize {
        self.modes.extents.len()
    }

    pub fn leaves(&self) -> usize {
        self.leaves.extents.len()
    }

    /// Returns the form of coordinates of `count` integers. Fails if the layout has no such form.
    pub fn of_count(&self, count: usize) -> Outcome<&Form> {
        match count {
            1 => Ok(&self.linear),
            n if n == self.rank() => Ok(&self.modes),
            n if n == self.leaves() => Ok(&self.leaves),
            n => {
                let (rank, leaves) = (self.rank(), self.leaves());
                let message = format!(
                    "a coordinate of {n} integers is given, but this layout takes 1, {rank} (one for each mode) or {leaves} (one for each leaf)"
                );
                let numbers = [n, rank, leaves].map(|n| i64::try_from(n).ok());
                Err(Failure::call(Status::Length, "length", message).with(|parts| parts.numbers = numbers))
            }
        }
    }
}
