//! The book in `docs/`, and the README: the summary lists every page, links lead somewhere, and commands print the output shown. Pictures and
//! messages equal the output of commands and compiler. Rust blocks run as documentation tests.
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
