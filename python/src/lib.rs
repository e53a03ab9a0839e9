//! The native module of the Python package: layouts, the command's answers, and sparse and ragged arrays over NumPy memory.

mod analysis;
mod arrays;
mod layout;
mod ragged;
mod signals;
mod sparse;
mod text;
mod threads;
mod transfer;

use pyo3::prelude::*;

/// The module `crd2idx._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::analysis::{index_cycles, index_table, layout_of_table};
    #[pymodule_export]
    use super::layout::{Layout, apply, evaluate, operations};
    #[pymodule_export]
    use super::ragged::{ragged_check, ragged_flatten, ragged_pad, ragged_parents, ragged_reduce};
    #[pymodule_export]
    use super::sparse::{Pattern, build, contract, explain_contraction, format_of, read, write};
    #[pymodule_export]
    use super::text::{answer, reply, requests};
    #[pymodule_export]
    use super::threads::{get_threads, set_threads, wanted_threads};
    #[pymodule_export]
    use super::transfer::Transfer;
}
