//! Runs the steps of a plan: today's kernels in `kernels`, and loops for all other steps in the other modules.

mod accumulate;
mod join;
mod kernels;
mod loops;
mod masked;
mod spgemm;
mod unary;
mod walk;

use crate::plan::ContractionStep;
use crate::subscripts::Letter;
use crate::value::{Lettered, Sparse, Value};
use crate::{ContractionError, ContractionKernel};
use alloc::vec::Vec;
use sparse_formats::Scalar;

/// Computes a step from its operands, in the order of the step.
pub(crate) fn run<'v, T: Scalar>(
    step: &ContractionStep,
    extents: &[u64],
    inputs: Vec<Lettered<'v, T>>,
) -> Result<Lettered<'v, T>, ContractionError> {
    let letters = &step.out.letters[..];
    let value = match step.kernel() {
        ContractionKernel::Permute | ContractionKernel::Diagonal | ContractionKernel::Reduce => {
            let mut inputs = inputs.into_iter();
            let Some(a) = inputs.next() else { unreachable!("a step has operands") };
            unary::run(step.kernel(), extents, a, letters)?
        }
        ContractionKernel::Walk => {
            let (a, b) = (sparse(&inputs[0]), dense(&inputs[1]));
            walk::run(extents, a, b, letters, step.out.dense)?
        }
        ContractionKernel::Join => {
            let (a, b) = (sparse(&inputs[0]), sparse(&inputs[1]));
            let out = join::run(extents, a, b, letters, step.out.dense)?;
            [a, b].iter().for_each(|(_, operand)| operand.report());
            out
        }
        ContractionKernel::Loops => Value::Dense(loops::multiply(extents, dense(&inputs[0]), dense(&inputs[1]), letters)?.into()),
        ContractionKernel::Masked => {
            let operands = [sparse(&inputs[0]), sparse(&inputs[1]), sparse(&inputs[2])];
            let made = masked::run(operands)?;
            operands.iter().for_each(|(_, operand)| operand.report());
            Value::Sparse(Sparse::Made(made))
        }
        kernel => kernels::run(kernel, extents, &inputs, letters)?,
    };
    Ok(Lettered { letters: letters.to_vec(), value })
}

/// A sparse tensor with its letters.
type OfSparse<'s, 'v, T> = (&'s [Letter], &'s Sparse<'v, T>);

/// A dense array with its letters.
type OfDense<'s, T> = (&'s [Letter], &'s [T]);

/// Returns a sparse operand. The plan has chosen the kernel by the storage of its operands.
fn sparse<'s, 'v, T: Scalar>(of: &'s Lettered<'v, T>) -> OfSparse<'s, 'v, T> {
    match &of.value {
        Value::Sparse(sparse) => (&of.letters, sparse),
        Value::Dense(_) => unreachable!("the plan gives this kernel a sparse tensor"),
    }
}

/// Returns a dense operand. The plan has chosen the kernel by the storage of its operands.
fn dense<'s, T: Scalar>(of: &'s Lettered<'_, T>) -> OfDense<'s, T> {
    match &of.value {
        Value::Dense(data) => (&of.letters, data),
        Value::Sparse(_) => unreachable!("the plan gives this kernel a dense array"),
    }
}

pub(crate) use accumulate::{of_dense, to_dense};
