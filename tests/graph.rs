//! Coordinate graphs: their laws, the graphs of the examples, `graph!`, and the cost of their programs.

mod common;
mod graph_examples;
mod graph_laws;
mod graph_macro;
mod operations;
