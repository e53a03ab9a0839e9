//! Errors of the text of a tile program, and of the choice.

use alloc::string::String;
use core::fmt;

/// The result of reading a tile program or of choosing its layouts.
pub(crate) type Result<T> = core::result::Result<T, ChoiceError>;

/// An error in a tile program: its line, from 1, and what is wrong there.
///
/// ```
/// use layout_choice::TileProgram;
/// let error = TileProgram::parse("tile t\nthreads 128\nx[i] <- a[i]").unwrap_err();
/// assert_eq!((error.line(), error.to_string()), (3, "line 3: `x` is no tensor".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceError {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl ChoiceError {
    /// Returns the line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl core::error::Error for ChoiceError {}

/// Returns the error `message` of `line`.
pub(crate) fn fail<T>(line: usize, message: String) -> Result<T> {
    Err(ChoiceError { line, message })
}
