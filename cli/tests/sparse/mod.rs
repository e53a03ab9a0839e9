//! Sparse tensors through JSON: recorded cases from independent sources through `batch`, and the command on files.

mod blocked;
mod command;
mod contract;
mod protocol;
mod vectors;
