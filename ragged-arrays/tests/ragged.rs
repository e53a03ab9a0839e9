//! Tests ragged and paged arrays: operations against nested lists, broken arrays, interchange, and results on any
//! number of threads.

#[path = "../../sparse-formats/tests/common/random.rs"]
mod random;

mod ragged {
    #[cfg(feature = "arrow")]
    mod arrow;
    mod blocks;
    mod lists;
    mod missing_lists;
    mod mutations;
    mod nested;
    mod operations;
    mod paged;
    mod reductions;
    mod storage;
    #[cfg(feature = "parallel")]
    mod threads;
    #[cfg(feature = "parallel")]
    mod visits;
}
