//! What conversions refuse.

use super::parallel;
use alloc::vec::Vec;
use core::fmt;
use layout_core::level::Index;

/// Why arrays cannot be converted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// An array has another length than the arrays beside it ask for.
    Length {
        /// The array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// A coordinate is not below its extent.
    OutOfRange {
        /// The array.
        array: &'static str,
        /// Where in it.
        position: usize,
        /// The coordinate.
        coordinate: u64,
        /// The extent.
        extent: u64,
    },
    /// An entry is below the entry before it, where they have to be in order.
    Unsorted {
        /// Where.
        position: usize,
    },
    /// Two entries share a coordinate where that is an error.
    Duplicate {
        /// The position of the second of them.
        position: usize,
        /// The coordinate.
        coordinate: Vec<u64>,
    },
    /// A number does not fit the index type, or memory.
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        number: u64,
        /// How many there may be.
        most: u64,
    },
    /// Pointers do not start at 0, decrease, or end elsewhere than at the number of entries.
    Pointers {
        /// The first pointer that is wrong.
        position: usize,
        /// Its value.
        value: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Length { array, found, expected } => write!(f, "{array} has {found} elements, not {expected}"),
            Error::OutOfRange { array, position, coordinate, extent } => {
                write!(f, "{array}[{position}] is {coordinate}, the extent is {extent}")
            }
            Error::Unsorted { position } => write!(f, "entry {position} is below the entry before it"),
            Error::Duplicate { position, coordinate } => write!(f, "entry {position} repeats the coordinate {coordinate:?}"),
            Error::TooLarge { what, number, most } => write!(f, "{number} {what}, at most {most} fit"),
            Error::Pointers { position, value } => {
                write!(f, "pointers[{position}] is {value}: pointers rise from 0 to the number of entries")
            }
        }
    }
}

impl core::error::Error for Error {}

/// `found == expected`, or the error that says so.
pub(crate) fn same_length(array: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Length { array, found, expected }) }
}

/// `number <= most`, or the error that says so.
pub(crate) fn fits(what: &'static str, number: u64, most: u64) -> Result<(), Error> {
    if number <= most { Ok(()) } else { Err(Error::TooLarge { what, number, most }) }
}

/// That all of `numbers` are below `extent`, or the error that names the first that is not.
pub(crate) fn below<T: Index>(array: &'static str, numbers: &[T], extent: u64) -> Result<(), Error> {
    let parts = parallel::ranges(numbers.len(), parallel::threads(numbers.len()));
    // Negative numbers are great ones.
    let most = |part: &[T]| if T::SIGNED { part.iter().map(|x| x.to_u64()).max() } else { part.iter().max().map(|x| x.to_u64()) };
    match parallel::map(parts, |part| most(&numbers[part])).into_iter().max().flatten() {
        Some(most) if most >= extent => {
            let position = numbers.iter().position(|x| x.to_u64() >= extent).unwrap_or(0);
            Err(Error::OutOfRange { array, position, coordinate: numbers[position].to_u64(), extent })
        }
        _ => Ok(()),
    }
}
