//! Errors that return the rejected parts.

use alloc::boxed::Box;
use core::fmt::{Debug, Display, Formatter, Result};

/// An error together with the parts that were rejected.
#[derive(Clone)]
pub struct Rejected<P, E> {
    /// The parts as they were given.
    pub parts: Box<P>,
    /// The reason for the rejection.
    pub error: E,
}

impl<P, E> Rejected<P, E> {
    pub(crate) fn new(parts: P, error: E) -> Self {
        Rejected { parts: Box::new(parts), error }
    }
}

impl<P, E: Debug> Debug for Rejected<P, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.error.fmt(f)
    }
}

impl<P, E: Display> Display for Rejected<P, E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.error.fmt(f)
    }
}

impl<P, E: core::error::Error> core::error::Error for Rejected<P, E> {}
