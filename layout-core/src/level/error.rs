//! What is wrong with the arrays of a level: which array, where, and the numbers.

use super::index::Index;
use core::fmt;

/// An array of a level, as its constructor names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The offsets of [`Ragged`](super::Ragged).
    Offsets,
    /// The positions of [`Compressed`](super::Compressed) and [`Loose`](super::Loose).
    Positions,
    /// Coordinates.
    Coordinates,
    /// The starts of [`Views`](super::Views).
    Starts,
    /// The sizes of [`Views`](super::Views).
    Sizes,
    /// The parents that [`Table`](super::Table) and [`Tiled`](super::Tiled) store.
    Parents,
    /// The level as a whole.
    Level,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Part::Offsets => "offsets",
            Part::Positions => "positions",
            Part::Coordinates => "coordinates",
            Part::Starts => "starts",
            Part::Sizes => "sizes",
            Part::Parents => "parents",
            Part::Level => "level",
        }
    }
}

/// What is wrong with a number, or with the length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// There is no number, not even the first offset.
    Empty,
    /// It is negative, or more than this machine addresses.
    NotAnAddress {
        /// The number.
        value: i128,
    },
    /// It is smaller than the one before it.
    Decreases {
        /// The number.
        value: usize,
        /// The one before.
        before: usize,
    },
    /// It repeats the one before it, where numbers ascend.
    Repeats {
        /// The number.
        value: usize,
    },
    /// It is more than there is.
    Beyond {
        /// The number.
        value: usize,
        /// At most this may be.
        most: usize,
    },
    /// It is not what the other arrays say.
    Differs {
        /// The number.
        value: usize,
        /// What it must be.
        expected: usize,
    },
    /// The array has another length than it must have.
    Length {
        /// The length.
        len: usize,
        /// The length it must have, at least.
        expected: usize,
    },
    /// Every range must begin at a multiple of a number.
    Misaligned {
        /// Where it begins.
        value: usize,
        /// The number.
        align: usize,
    },
    /// There are fewer parents than the level above has positions.
    Parents {
        /// How many there are.
        parents: usize,
        /// How many there must be.
        expected: usize,
    },
    /// There are more positions than this machine addresses.
    Overflow {
        /// The parents,
        parents: usize,
        /// and the positions of each.
        fanout: usize,
    },
    /// A layout that is not a bijection onto `0..size`, or that has no inverse.
    NotABijection {
        /// Its size.
        size: usize,
        /// One more than its last index.
        cosize: usize,
    },
}

/// Why arrays do not make a level, or levels do not make a chain.
///
/// ```
/// use layout_core::level::Ragged;
/// let error = Ragged::new([0, 3, 2, 5]).unwrap_err();
/// assert_eq!(error.to_string(), "offsets[2] = 2 is smaller than the 3 before it");
/// assert_eq!(error.at_level(1).to_string(), "level 1: offsets[2] = 2 is smaller than the 3 before it");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelError {
    /// The level in its chain, where it is in one.
    pub level: Option<usize>,
    /// The array.
    pub part: Part,
    /// The place in the array.
    pub index: usize,
    /// What is wrong there.
    pub flaw: Flaw,
}

impl LevelError {
    /// Something wrong at `index` of `part`.
    #[cold]
    pub const fn new(part: Part, index: usize, flaw: Flaw) -> Self {
        LevelError { level: None, part, index, flaw }
    }

    /// The family and the kind of the error, for programs: `level/not_monotone`.
    pub const fn class(&self) -> &'static str {
        match self.flaw {
            Flaw::Empty => "level/empty_offsets",
            Flaw::NotAnAddress { value } if value < 0 => "level/negative",
            Flaw::NotAnAddress { .. } => "level/not_an_address",
            Flaw::Decreases { .. } => "level/not_monotone",
            Flaw::Beyond { .. } | Flaw::Parents { .. } => "level/beyond_child",
            Flaw::Length { .. } => "level/length_mismatch",
            _ => "level/level",
        }
    }

    /// This error in level `level` of a chain.
    pub const fn at_level(self, level: usize) -> Self {
        LevelError { level: Some(level), ..self }
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(level) = self.level {
            write!(f, "level {level}: ")?;
        }
        let (part, index) = (self.part.name(), self.index);
        match self.flaw {
            Flaw::Empty => write!(f, "{part} has no number; of nothing it is [0]"),
            Flaw::NotAnAddress { value } => write!(f, "{part}[{index}] = {value} is not an address"),
            Flaw::Decreases { value, before } => write!(f, "{part}[{index}] = {value} is smaller than the {before} before it"),
            Flaw::Repeats { value } => write!(f, "{part}[{index}] = {value} repeats the one before it"),
            Flaw::Beyond { value, most } => write!(f, "{part}[{index}] = {value} is beyond {most}"),
            Flaw::Differs { value, expected } => write!(f, "{part}[{index}] = {value} must be {expected}"),
            Flaw::Length { len, expected } => write!(f, "{part} has {len} numbers, but {expected} are needed"),
            Flaw::Misaligned { value, align } => write!(f, "the range of parent {index} begins at {value}, not a multiple of {align}"),
            Flaw::Parents { parents, expected } => write!(f, "there are ranges for {parents} parents, but {expected} are needed"),
            Flaw::Overflow { parents, fanout } => write!(f, "{parents} parents with {fanout} positions each are too many"),
            Flaw::NotABijection { size, cosize } => {
                write!(f, "a layout of size {size} and cosize {cosize} is not a bijection with an inverse layout")
            }
        }
    }
}

impl core::error::Error for LevelError {}

/// Every number is an address.
pub(super) fn addresses<I: Index>(part: Part, words: &[I]) -> Result<(), LevelError> {
    match words.iter().position(|word| word.address().is_none()) {
        None => Ok(()),
        Some(index) => Err(LevelError::new(part, index, Flaw::NotAnAddress { value: words[index].exact() })),
    }
}

/// At least one number, all addresses, none smaller than the one before.
pub(super) fn offsets<I: Index>(part: Part, words: &[I]) -> Result<(), LevelError> {
    if words.is_empty() {
        return Err(LevelError::new(part, 0, Flaw::Empty));
    }
    addresses(part, words)?;
    match words.windows(2).position(|pair| pair[1] < pair[0]) {
        None => Ok(()),
        Some(k) => {
            let (before, value) = (words[k].to_usize(), words[k + 1].to_usize());
            Err(LevelError::new(part, k + 1, Flaw::Decreases { value, before }))
        }
    }
}

/// No number exceeds `most`.
pub(super) fn at_most<I: Index>(part: Part, words: &[I], most: usize) -> Result<(), LevelError> {
    match words.iter().position(|word| word.to_usize() > most) {
        None => Ok(()),
        Some(index) => Err(LevelError::new(part, index, Flaw::Beyond { value: words[index].to_usize(), most })),
    }
}
