//! Plans against enumeration.

mod generate;
mod oracle;
mod random;
