//! Ragged arrays: recorded cases through `batch`, broken requests, and the command.

mod command;
mod mutations;
mod protocol;
