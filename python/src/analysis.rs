//! All indices of a layout, and the layout of given indices.

use crate::layout::{LEAVES, Layout, operand, refused};
use crd2idx::algebra::analysis::Analysis;
use crd2idx::algebra::expression::{Operand, apply};
use crd2idx::algebra::table::layout_of;
use crd2idx::algebra::value::{ExprGraph, TupleValue};
use crd2idx::error::{Cause, Op};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the analysis of a layout.
pub fn of(layout: &Layout) -> PyResult<Analysis> {
    Analysis::of(&layout.value).map_err(refused)
}

/// Returns the distinct indices of a layout in order, and for each the linear coordinates that have it.
#[pyfunction]
pub fn index_table(py: Python<'_>, layout: &Layout) -> PyResult<(Vec<i64>, Vec<Vec<u32>>)> {
    py.detach(|| Ok(of(layout)?.table().map(|(index, of)| (index, of.to_vec())).unzip()))
}

/// Returns the cycles of the permutation that a layout is, or None if it has holes or is not injective.
#[pyfunction]
pub fn index_cycles(py: Python<'_>, layout: &Layout) -> PyResult<Option<Vec<Vec<u32>>>> {
    py.detach(|| Ok(of(layout)?.permutation().map(|permutation| permutation.cycles().to_vec())))
}

/// Returns the layout of a shape whose index at linear coordinate `k` is `table[k]`.
#[pyfunction]
pub fn layout_of_table(py: Python<'_>, table: Vec<i64>, shape: &Bound<'_, PyAny>) -> PyResult<Layout> {
    let shape = operand(shape)?;
    let Operand::Tuple(of) = shape else { return Err(PyValueError::new_err(format!("{shape} is not a shape"))) };
    let mut scope = ExprGraph::<0>::new(Op::FromTable);
    py.detach(|| layout_of::<LEAVES, 0>(&table, &of, &mut scope)).map(Layout::of).map_err(|error| {
        let at = error.numbers()[0].filter(|_| error.cause == Cause::TableIndex).and_then(TupleValue::integer);
        let at = at.and_then(|linear| apply(Op::Idx2CrdShape, &[shape, Operand::Tuple(linear)], &mut scope).ok());
        match at {
            Some(Operand::Tuple(at)) if !at.is_scalar() => {
                PyValueError::new_err(format!("{error}; coordinate {} is {at}", error.numbers()[0].unwrap_or(0)))
            }
            _ => refused(error),
        }
    })
}
