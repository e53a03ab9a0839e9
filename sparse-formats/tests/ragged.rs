//! Ragged and paged arrays: operations against nested lists, broken arrays, interchange, and results on any number of threads.

mod common;

mod ragged {
    #[cfg(feature = "arrow")]
    mod arrow;
    mod blocks;
    mod mutations;
    mod nested;
    mod operations;
    mod paged;
    mod reductions;
    mod sparse;
    mod storage;
    #[cfg(feature = "parallel")]
    mod threads;
    #[cfg(feature = "parallel")]
    mod visits;
}
