//! Compares plans with enumeration.

mod distribution;
mod generate;
mod limits;
mod oracle;
mod random;
