//! Explanations: other code evaluates every statement again, and every suggestion is run.

mod command;
mod graphs;
mod pages;
mod random;
pub mod statements;
