//! The command: its output, its exit codes and the answers of its protocol. No input makes it panic.

#[path = "common/batch.rs"]
mod batch;
#[path = "common/command.rs"]
mod command;
#[path = "../../tests/common/mod.rs"]
mod common;

mod cli;
mod emit;
mod explain;
mod files;
mod graph;
mod linear;
mod placement;
mod plan;
mod ragged;
#[cfg(feature = "shell")]
mod repl;
mod sparse;
mod vectors;
