//! The command `crd2idx` and its requests, without a process.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the text that the command `crd2idx` prints for these arguments.
#[pyfunction]
#[pyo3(signature = (*arguments))]
pub fn answer(py: Python<'_>, arguments: Vec<String>) -> PyResult<String> {
    py.detach(|| crd2idx_cli::answer(arguments)).map_err(PyValueError::new_err)
}

/// Answers a request of `crd2idx batch`; both are JSON.
#[pyfunction]
pub fn reply(py: Python<'_>, request: &str) -> String {
    py.detach(|| crd2idx_cli::reply(request.as_bytes()))
}

/// Lists the requests except the operations on layouts: their names, keys, and summaries.
#[pyfunction]
pub fn requests() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    crd2idx_cli::requests().collect()
}
