//! Evaluation on symbols: a query as a program.
