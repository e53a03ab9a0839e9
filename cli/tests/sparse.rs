//! Sparse tensors through JSON: recorded cases from independent sources, asked through `batch`, and the command on files.

#[path = "common/batch.rs"]
mod batch;
#[path = "common/command.rs"]
mod command;

mod sparse {
    mod command;
    mod protocol;
    mod vectors;
}
