//! Coordinate graphs: their laws, the graphs of the examples, `graph!`, and how much they compute.

mod common;
mod graph_examples;
mod graph_laws;
mod graph_macro;
mod operations;
