//! Errors of the text of a kernel.

use alloc::string::String;
use core::fmt;

/// An error in the text of a kernel: its line, from 1, and what is wrong there.
///
/// ```
/// use kernel_verdicts::Kernel;
/// let error = Kernel::parse("kernel k\nblock t < 32\nstore y[t]").unwrap_err();
/// assert_eq!((error.line(), error.to_string()), (3, "line 3: `y` is no memory".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl KernelError {
    /// Returns the line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl core::error::Error for KernelError {}
