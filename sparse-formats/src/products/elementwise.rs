//! Two tensors in any formats, element by element.

use super::{Operand, Scalar};
use crate::{Format, Merge, OperationError, SparseTensor};
use alloc::string::ToString;

/// What is made of two elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Elementwise {
    /// Their sum.
    Add,
    /// Their difference.
    Sub,
    /// Their product.
    Mul,
    /// The greater.
    Max,
    /// The less.
    Min,
}

/// `op` of the elements of two tensors in any formats, in a third; what is not stored is 0.
///
/// Products are stored where both are, all else where one is; results that are 0 are stored too. A format with dense axes stores all elements of a block.
/// Elements of one coordinate, which a multigraph may have, in blocks too, are added before anything else.
///
/// # Errors
/// Tensors of different extents, a format of another rank, one of a multigraph with dense axes.
pub fn elementwise<T: Scalar>(
    a: &impl Operand<T>,
    b: &impl Operand<T>,
    op: Elementwise,
    format: &Format,
) -> Result<SparseTensor<'static, T>, OperationError> {
    if a.shape() != b.shape() {
        return Err(OperationError::Operand { what: "other tensor", found: b.shape().to_vec(), expected: a.shape().to_vec() });
    }
    if format.is_multigraph() && format.dense_axes() > 0 {
        return Err(OperationError::MultigraphBlocks { format: format.to_string() });
    }
    let sorted = Format::coo(a.shape().len()).with_axis_order(format.axis_order())?;
    let merge = if op == Elementwise::Mul { Merge::Intersection } else { Merge::Union };
    let f = |a: &T, b: &T| match op {
        Elementwise::Add => a.plus(*b),
        Elementwise::Sub => a.minus(*b),
        Elementwise::Mul => a.times(*b),
        Elementwise::Max => {
            if b > a {
                *b
            } else {
                *a
            }
        }
        Elementwise::Min => {
            if b < a {
                *b
            } else {
                *a
            }
        }
    };
    let merged = a.gathered(&sorted)?.merge(&b.gathered(&sorted)?, merge, &sorted, f)?;
    Ok(if *format == sorted { merged } else { merged.to_format(format)? })
}
