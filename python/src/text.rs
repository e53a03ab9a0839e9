//! The command and its protocol, without a process.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What the command `crd2idx` prints for these arguments.
#[pyfunction]
#[pyo3(signature = (*arguments))]
pub fn answer(py: Python<'_>, arguments: Vec<String>) -> PyResult<String> {
    py.detach(|| crd2idx_cli::answer(arguments)).map_err(PyValueError::new_err)
}

/// The answer, in JSON, to a request of `crd2idx batch`.
#[pyfunction]
pub fn reply(py: Python<'_>, request: &str) -> String {
    py.detach(|| crd2idx_cli::reply(request.as_bytes()))
}

/// The requests that are no operations on layouts: name, keys, and what is computed.
#[pyfunction]
pub fn requests() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    crd2idx_cli::requests().collect()
}
