//! The command: what it prints, how it ends, what it answers in its protocol, and that no input ends it early.

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
mod plan;
mod ragged;
mod sparse;
mod vectors;
