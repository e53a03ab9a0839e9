//! Tests of sparse tensors and of the kernels below them.

mod common;

use common::random;

mod sparse {
    mod attributes;
    mod blocks;
    mod build;
    mod composite;
    mod compress;
    #[cfg(feature = "ndarray")]
    mod dense;
    mod dia;
    mod groups;
    #[cfg(feature = "json")]
    mod header;
    mod interop;
    mod large;
    mod levels;
    #[cfg(feature = "sprs")]
    mod matrices;
    mod names;
    mod operations;
    mod order;
    mod products;
    mod products_on_threads;
    mod ragged;
    mod rows;
    mod validation;
    mod value_arrays;
}
