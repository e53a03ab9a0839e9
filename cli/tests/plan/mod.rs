//! Plans of copies.

mod command;
mod protocol;
mod vectors;
