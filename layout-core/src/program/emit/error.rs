//! Why a program is not printed.

use super::Language;
use crate::heap::*;
use core::fmt;

/// A refused emission.
///
/// Displays as `` `n` is in [0, ...], which does not fit 32 bits; give it a bound ``.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EmitError {
    /// The program has no output.
    NoOutput,
    /// There is no such output.
    NoSuchOutput {
        /// Its number.
        output: usize,
        /// How many there are.
        outputs: usize,
    },
    /// There is no such language.
    UnknownLanguage(String),
    /// A number is not proven to fit the width.
    Width {
        /// The input or the expression.
        what: String,
        /// True if it is an input.
        is_input: bool,
        /// The least value it may have; `None` where unbounded.
        lo: Option<i64>,
        /// The largest value it may have; `None` where unbounded.
        hi: Option<i64>,
        /// The width.
        bits: u32,
    },
    /// The language has no integers of that width.
    NoSuchWidth {
        /// The language.
        language: Language,
        /// The width.
        bits: u32,
    },
    /// The language does not have what the program needs.
    Construct {
        /// The language.
        language: Language,
        /// The part that it does not have.
        construct: &'static str,
    },
    /// A level of a ragged array has no text.
    Level {
        /// Its number.
        level: usize,
        /// Why.
        what: String,
    },
    /// A name that stands for nothing.
    UnknownName {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An expression has no value; the text says why.
    Expression(String),
    /// One expression would repeat its parts too often.
    TooLong {
        /// How many operations it may have.
        limit: u64,
    },
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitError::NoOutput => f.write_str("the program has no output"),
            EmitError::NoSuchOutput { output, outputs } => write!(f, "output {output} is not one of the {outputs} outputs"),
            EmitError::UnknownLanguage(name) => {
                write!(f, "`{name}` is none of the languages ")?;
                for (k, language) in Language::ALL.iter().enumerate() {
                    write!(f, "{}{language}", if k == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            EmitError::Width { what, is_input, lo, hi, bits } => {
                write!(f, "`{what}` is in [")?;
                for (bound, after) in [(lo, ", "), (hi, "]")] {
                    match bound {
                        Some(bound) => write!(f, "{bound}{after}")?,
                        None => write!(f, "...{after}")?,
                    }
                }
                write!(f, ", which does not fit {bits} bits; give ")?;
                f.write_str(if *is_input { "it closer bounds" } else { "its inputs closer bounds" })
            }
            EmitError::NoSuchWidth { language, bits } => write!(f, "{language} has no integers of {bits} bits"),
            EmitError::Construct { language, construct } => write!(f, "{language} has no text for {construct}"),
            EmitError::Level { level, what } => write!(f, "level {level}: {what}"),
            EmitError::UnknownName { name, known } => write!(f, "`{name}` is none of {known}"),
            EmitError::Expression(why) => write!(f, "the expression has no value: {why}"),
            EmitError::TooLong { limit } => write!(f, "one expression would repeat its parts: more than {limit} operations"),
        }
    }
}

impl core::error::Error for EmitError {}
