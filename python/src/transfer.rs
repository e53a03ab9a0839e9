//! Transfers of elements from one layout to another, over NumPy arrays. [`crate::arrays`] has the rules for borrowing them.

use crate::arrays::{disjoint, refused};
use crd2idx::relayout::{self, PlanError, Side, TransferError};
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Copies the elements of an array from one layout to another. One transfer runs on any number of arrays.
#[pyclass(frozen, module = "crd2idx._native")]
pub struct Transfer {
    u8: relayout::Transfer<u8>,
    u16: relayout::Transfer<u16>,
    u32: relayout::Transfer<u32>,
    u64: relayout::Transfer<u64>,
}

#[pymethods]
impl Transfer {
    #[new]
    fn new(source: &str, target: &str, source_base: i64, target_base: i64) -> PyResult<Self> {
        fn made<T: Copy>(source: &Side, target: &Side) -> Result<relayout::Transfer<T>, TransferError> {
            relayout::Transfer::new(source, target)
        }
        let side = |text: &str, base: i64| Ok::<_, PlanError>(Side::parse(text)?.with_base(&[base]));
        let (source, target) = (side(source, source_base).map_err(refused)?, side(target, target_base).map_err(refused)?);
        Ok(Transfer {
            u8: made(&source, &target).map_err(refused)?,
            u16: made(&source, &target).map_err(refused)?,
            u32: made(&source, &target).map_err(refused)?,
            u64: made(&source, &target).map_err(refused)?,
        })
    }

    /// Copies the elements of `source` to `target`. Both are one-dimensional arrays of unsigned numbers that share no memory. With `parallel`, the call uses
    /// all cores.
    ///
    /// Other Python threads wait. No thread may write to the arrays during the call.
    fn run(&self, source: &Bound<'_, PyUntypedArray>, target: &Bound<'_, PyUntypedArray>, parallel: bool) -> PyResult<()> {
        fn of<T: Element + crd2idx::tensor::PlainData + Send + Sync>(
            transfer: &relayout::Transfer<T>,
            [source, target]: [&Bound<'_, PyArray1<T>>; 2],
            parallel: bool,
        ) -> PyResult<()> {
            disjoint(source, target)?;
            let source = source.try_readonly().map_err(refused)?;
            let mut target = target.try_readwrite().map_err(refused)?;
            let (source, target) = (source.as_slice().map_err(refused)?, target.as_slice_mut().map_err(refused)?);
            if parallel { transfer.run_parallel(source, target) } else { transfer.run(source, target) }.map_err(refused)
        }
        macro_rules! attempt {
            ($($name:ident)*) => { $(
                if let (Ok(source), Ok(target)) = (source.cast::<PyArray1<$name>>(), target.cast::<PyArray1<$name>>()) {
                    return of(&self.$name, [source, target], parallel);
                }
            )* };
        }
        attempt!(u8 u16 u32 u64);
        Err(PyTypeError::new_err(format!(
            "the elements have the types {} and {}; both must have the same size of 1, 2, 4 or 8 bytes",
            source.dtype(),
            target.dtype()
        )))
    }
}
