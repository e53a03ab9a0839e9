//! The command `crd2idx`: asks the algebra.

mod batch;
mod cli;
mod emit;
mod eval;
mod explain;
mod graph;
mod picture;
mod ragged;
mod show;
mod sparse;
mod svg;

fn main() -> std::process::ExitCode {
    cli::run()
}
