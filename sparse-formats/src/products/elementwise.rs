//! Combines two operands in any formats, element by element, by a named operation. `operations::merge` takes any
//! function.

use super::operands::Progress;
use super::{Scalar, SparseOperand};
use crate::{Format, Merge, OperationError, SparseTensor, Values};
use alloc::borrow::Cow;
use alloc::string::ToString;

/// The operation on two elements.
///
/// ```
/// use sparse_formats::{Builder, Elementwise, Format, Indices, elementwise};
/// let build = |at: Vec<u8>, values: Vec<i32>| Builder::new(Format::vector(), 0).build(&[9], &[Indices::from(at)], values);
/// let (a, b) = (build(vec![1, 4], vec![-1, 2])?, build(vec![4, 7], vec![10, 20])?);
/// let of = |op| elementwise(&a, &b, op, &Format::vector());
/// // An element that is not stored counts as 0, so the greater of -1 and nothing is 0.
/// assert_eq!(of(Elementwise::Max)?, build(vec![1, 4, 7], vec![0, 10, 20])?);
/// assert_eq!(of(Elementwise::Min)?, build(vec![1, 4, 7], vec![-1, 2, 0])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Elementwise {
    /// The sum.
    Add,
    /// The first element minus the second.
    Sub,
    /// The product.
    Mul,
    /// The greater of the two elements.
    Max,
    /// The lesser of the two elements.
    Min,
}

/// Applies `op` to the elements of two tensors in any formats, and returns the result in a third format. An element
/// that is not stored counts as 0.
///
/// A product stores the coordinates that both tensors store. The other operations store the coordinates that at least
/// one of them stores. Results that are 0 are stored too. A format with dense axes stores all elements of a block.
/// Elements with the same coordinate, in a multigraph or in blocks, are added before the operation.
///
/// ```
/// use sparse_formats::{Builder, Composite, Elementwise, Format, Indices, elementwise};
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 0].into()];
/// let a = Builder::new(Format::csr(), 0).build(&[2, 3], &columns, vec![5, 6])?;
/// let columns: [Indices; 2] = [vec![0u8, 1].into(), vec![2u8, 1].into()];
/// let b = Composite::new(&Builder::new(Format::coo(2), 0).build(&[2, 3], &columns, vec![1, 2])?, &"dia".parse()?)?;
/// let difference = elementwise(&a, &b, Elementwise::Sub, &Format::csc())?;
/// assert_eq!((difference.stored(), difference.at(&[0, 2]), difference.at(&[1, 1])), (3, Some(&4), Some(&-2)));
/// assert_eq!(elementwise(&a, &b, Elementwise::Mul, &Format::coo(2))?.stored(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the extents of the tensors differ, if the format has another rank, or if it is a multigraph
/// with dense axes. Also if a tensor stores no values, if the result would lack a symmetry or triangle that stands for
/// elements, or if memory has no room.
pub fn elementwise<T: Scalar>(
    a: &impl SparseOperand<T>,
    b: &impl SparseOperand<T>,
    op: Elementwise,
    format: &Format,
) -> Result<SparseTensor<'static, T>, OperationError> {
    if a.shape() != b.shape() {
        return Err(OperationError::Operand { what: "other tensor", found: b.shape().to_vec(), expected: a.shape().to_vec() });
    }
    if format.is_multigraph() && format.dense_axes() > 0 {
        return Err(OperationError::MultigraphBlocks { format: format.to_string() });
    }
    // Merge to sorted coordinates without blocks. Convert to other formats afterwards.
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
    if a.watcher().is_none() && b.watcher().is_none() {
        let merged = left.merge(&right, merge, &to, f)?;
        return Ok(if *format == to { merged } else { merged.to_format(format)? });
    }
    let (mut of_left, mut of_right) = (Progress::new(a.watcher()), Progress::new(b.watcher()));
    let mut told = |at: [usize; 2]| {
        of_left.gone(at[0]);
        of_right.gone(at[1]);
    };
    let merged = left.merge_in_order(&right, merge, &to, Some(&mut told), f)?;
    of_left.all(left.stored());
    of_right.all(right.stored());
    Ok(if *format == to { merged } else { merged.to_format(format)? })
}

/// Returns the operand as one tensor without duplicates and blocks, with fill value 0. Borrows it if it already is such a
/// tensor, and converts it to `format` otherwise. Fails if memory has no room.
fn plain<'a, T: Scalar>(a: &'a impl SparseOperand<T>, format: &Format) -> Result<Cow<'a, SparseTensor<'a, T>>, OperationError> {
    let fits = |tensor: &SparseTensor<T>| {
        let format = tensor.format();
        !format.is_multigraph() && format.dense_axes() == 0 && *tensor.fill() == T::ZERO && !matches!(tensor.values(), Values::PatternOnly)
    };
    match a.tensors()[..] {
        [(None, tensor)] if fits(tensor) => Ok(Cow::Borrowed(tensor)),
        _ => Ok(Cow::Owned(a.gathered(format)?)),
    }
}
