//! The book in `docs/`, and the README: every page is listed, links lead somewhere, what a command is said to print it prints, pictures are those of
//! the commands beside them, and messages those of the compiler. Blocks of Rust run as documentation tests.
//!
//! `BOOK=overwrite cargo test --test book` writes outputs and pictures anew.

#[path = "common/command.rs"]
mod command;

mod book {
    mod commands;
    mod errors;
    mod links;
    mod operations;
    mod pages;
    mod pictures;
    mod shell;
}

mod pictures;
