//! Two tensors in any formats, element by element.

use super::operands::Progress;
use super::{Operand, Scalar};
use crate::{Format, Merge, OperationError, SparseTensor, Values};
use alloc::borrow::Cow;
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
    // What a format may promise less than sorted coordinates, and blocks, come after.
    let direct = !format.is_multigraph() && format.dense_axes() == 0 && format.rank() == a.shape().len();
    let to = if direct { format.clone() } else { Format::coo(a.shape().len()).with_axis_order(format.axis_order())? };
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
    let (left, right) = (plain(a, &to)?, plain(b, &to)?);
    let (mut of_left, mut of_right) = (Progress::new(a.watcher()), Progress::new(b.watcher()));
    let mut told = |at: [usize; 2]| {
        of_left.gone(at[0]);
        of_right.gone(at[1]);
    };
    let merged = left.merge_told(&right, merge, &to, &mut told, f)?;
    of_left.all(left.stored());
    of_right.all(right.stored());
    Ok(if *format == to { merged } else { merged.to_format(format)? })
}

/// An operand as one tensor whose elements have a coordinate each, and 0 where nothing is stored: where it lies, if it is one.
fn plain<'a, T: Scalar>(a: &'a impl Operand<T>, format: &Format) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    let fits = |tensor: &SparseTensor<T>| {
        let format = tensor.format();
        !format.is_multigraph() && format.dense_axes() == 0 && *tensor.fill() == T::ZERO && !matches!(tensor.values(), Values::PatternOnly)
    };
    match a.tensors()[..] {
        [(None, tensor)] if fits(tensor) => Ok(Cow::Borrowed(tensor)),
        _ => Ok(Cow::Owned(a.gathered(format)?)),
    }
}
