//! Explanations: every statement in them is evaluated again, by other code, and every suggestion is run.

mod command;
mod graphs;
mod pages;
mod random;
pub mod statements;
