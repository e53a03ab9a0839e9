//! Ragged arrays: recorded cases through `batch`, operations against nested lists, broken arrays, and the command.

#[cfg(feature = "arrow")]
mod arrow;
mod blocks;
mod command;
mod mutations;
pub mod nested;
mod operations;
mod protocol;
mod reductions;
mod sparse;
mod storage;
