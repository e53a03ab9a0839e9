//! The native module of the Python package: layouts, the command's answers, sparse and ragged arrays over NumPy memory, and checkpoints.

mod analysis;
mod arrays;
mod checkpoints;
mod layout;
mod ragged;
mod ragged_lists;
mod signals;
mod sparse;
mod text;
mod threads;
mod transfer;

use pyo3::prelude::*;

/// The module `crd2idx._native`.
#[pymodule]
mod _native {
    #[pymodule_init]
    fn init() {
        super::threads::imported();
    }

    #[pymodule_export]
    use super::analysis::{index_cycles, index_table, layout_of_table};
    #[pymodule_export]
    use super::checkpoints::reshard_checkpoint;
    #[pymodule_export]
    use super::layout::{Layout, apply, evaluate, operations};
    #[pymodule_export]
    use super::ragged::{ragged_check, ragged_flatten, ragged_pad, ragged_parents, ragged_reduce};
    #[pymodule_export]
    use super::ragged_lists::{
        ragged_cartesian, ragged_combinations, ragged_concatenate, ragged_elements, ragged_filter, ragged_gather, ragged_group,
        ragged_index, ragged_local_index, ragged_num, ragged_order, ragged_pad_to, ragged_rows_below, ragged_run_lengths, ragged_same,
        ragged_slice, ragged_take, ragged_unflatten, ragged_views,
    };
    #[pymodule_export]
    use super::sparse::{Pattern, build, contract, explain_contraction, format_of, read, write};
    #[pymodule_export]
    use super::text::{answer, reply, requests};
    #[pymodule_export]
    use super::threads::{get_threads, set_threads, wanted_threads};
    #[pymodule_export]
    use super::transfer::Transfer;
}
