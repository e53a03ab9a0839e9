//! Plans against enumeration.

mod distribution;
mod generate;
mod oracle;
mod random;
