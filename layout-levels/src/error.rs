//! Errors of the arrays of a level: the array, the index in it, and the numbers.

use super::index::Index;
use core::fmt;

named_enum! {
    /// An array of a level, under the name that its constructor uses.
    ///
    /// ```
    /// use layout_levels::{Compressed, LevelArray};
    /// let error = Compressed::new([0_u32, 2], [1_u16, 9], 4).unwrap_err();
    /// assert_eq!((error.part, error.part.name()), (LevelArray::Coordinates, "coordinates"));
    /// assert_eq!(LevelArray::from_name("starts"), Some(LevelArray::Starts));
    /// assert!(LevelArray::ALL.contains(&LevelArray::Table));
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LevelArray {
        /// The offsets of [`Ragged`](super::Ragged).
        Offsets = "offsets",
        /// The positions of [`Compressed`](super::Compressed) and [`Loose`](super::Loose).
        Positions = "positions",
        /// The coordinates that a level stores.
        Coordinates = "coordinates",
        /// The starts of [`Views`](super::Views).
        Starts = "starts",
        /// The sizes of [`Views`](super::Views).
        Sizes = "sizes",
        /// The parents that [`Table`](super::Table) and [`Tiled`](super::Tiled) store.
        Parents = "parents",
        /// The table of parents of [`Indirect`](super::Indirect).
        Table = "table",
        /// The array of diagonals of [`Range`](super::Range).
        Diagonals = "diagonals",
        /// The level as a whole.
        Level = "level",
    }
}

/// Declares the flaws of arrays: variants with fields, class and message. A message may name `part[index]`.
macro_rules! flaws {
    (|$part:ident, $index:ident| $($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* })? => $class:expr, $message:literal;)*) => {
        /// A flaw of an array: of one of its numbers, or of its length.
        ///
        /// ```
        /// use layout_levels::{Flaw, Ragged};
        /// /// Returns the offsets with each number below the one before it raised to that.
        /// fn repaired(mut offsets: [i32; 4]) -> Option<[i32; 4]> {
        ///     while let Err(error) = Ragged::new(&offsets) {
        ///         match error.flaw {
        ///             Flaw::Decreases { before, .. } => offsets[error.index] = before as i32,
        ///             _ => return None,
        ///         }
        ///     }
        ///     Some(offsets)
        /// }
        /// assert_eq!((repaired([0, 3, 2, 5]), repaired([0, -1, 2, 5])), (Some([0, 3, 3, 5]), None));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Flaw {
            $(
                $(#[$doc])*
                #[doc = concat!("\n\n`` ", $message, " ``")]
                $name $({ $(#[doc = concat!("`", stringify!($field), "` of the message.")] $field: $type),* })?,
            )*
        }

        layout_algebra::displayed_error! { LevelError, |error| match error.flaw {
            $(Flaw::$name $({ $($field),* })? => $class,)*
        } }

        impl fmt::Display for LevelError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if let Some(level) = self.level {
                    write!(f, "level {level}: ")?;
                }
                let ($part, $index) = (self.part.name(), self.index);
                match self.flaw {
                    $(Flaw::$name $({ $($field),* })? => write!(f, $message),)*
                }
            }
        }
    };
}

flaws! { |part, index|
    /// The array is empty: it lacks even the first offset.
    Empty => "level/empty_offsets", "{part} is empty; without parents it is [0]";
    /// A number is negative, or exceeds the addresses of this machine.
    NotAnAddress { value: i128 } =>
        if value < 0 { "level/negative" } else { "level/not_an_address" }, "{part}[{index}] = {value} is negative or exceeds the addresses of this machine";
    /// A number is smaller than the one before it.
    Decreases { value: usize, before: usize } => "level/not_monotone", "{part}[{index}] = {value} is smaller than the {before} before it";
    /// A number repeats the one before it, although the order promises that numbers ascend.
    Repeats { value: usize } => "level/level", "{part}[{index}] = {value} repeats the one before it";
    /// A number exceeds its bound.
    Beyond { value: usize, most: usize } => "level/beyond_child", "{part}[{index}] = {value} is greater than {most}";
    /// A number contradicts the other arrays.
    Differs { value: usize, expected: usize } => "level/level", "{part}[{index}] = {value} must be {expected}";
    /// An array has the wrong length.
    Length { len: usize, expected: usize } => "level/length_mismatch", "{part} has {len} numbers, but {expected} are needed";
    /// A range does not begin at a multiple of the alignment.
    Misaligned { value: usize, align: usize } =>
        "level/level", "the range of parent {index} begins at {value}, which is not a multiple of {align}";
    /// A level has fewer parents than the level above has positions.
    Parents { parents: usize, expected: usize } =>
        "level/beyond_child", "there are ranges for {parents} parents, but {expected} are needed";
    /// A level has more positions than this machine addresses.
    Overflow { parents: usize, fanout: usize } => "level/level", "{parents} parents with {fanout} positions each exceed the addresses of this machine";
    /// Memory has no room for the elements of rows, or for their offsets.
    Memory { rows: usize } => "level/overflow", "{part} of {rows} rows exceed memory";
    /// A layout is not a bijection onto `0..size`, or has no inverse layout.
    NotABijection { size: usize, cosize: usize } =>
        "level/level", "the layout of size {size} and cosize {cosize} is not a bijection onto 0..size with an inverse layout";
}

/// The error of arrays that do not form a level, or of levels that do not form a chain.
///
/// ```
/// use layout_levels::Ragged;
/// let error = Ragged::new([0, 3, 2, 5]).unwrap_err();
/// assert_eq!(error.to_string(), "offsets[2] = 2 is smaller than the 3 before it");
/// assert_eq!((error.index, error.class()), (2, "level/not_monotone"));
/// assert_eq!(error.at_level(1).to_string(), "level 1: offsets[2] = 2 is smaller than the 3 before it");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LevelError {
    /// The number of the level in its chain, from 0 for the outermost; `None` if the level is not in a chain.
    pub level: Option<usize>,
    /// The array with the flaw.
    pub part: LevelArray,
    /// The index of the wrong number in the array. For a misaligned range its parent, and 0 for other flaws.
    pub index: usize,
    /// The flaw and its numbers.
    pub flaw: Flaw,
}

impl LevelError {
    /// Returns the error of a flaw at `index` of `part`, outside a chain.
    #[cold]
    pub const fn new(part: LevelArray, index: usize, flaw: Flaw) -> Self {
        LevelError { level: None, part, index, flaw }
    }

    /// Returns this error for level `level` of a chain.
    pub const fn at_level(self, level: usize) -> Self {
        LevelError { level: Some(level), ..self }
    }
}

/// Fails if a number of the array `part` is negative or exceeds a `usize`.
pub(super) fn addresses<I: Index>(part: LevelArray, words: &[I]) -> Result<(), LevelError> {
    match words.iter().position(|word| word.address().is_none()) {
        None => Ok(()),
        Some(index) => Err(LevelError::new(part, index, Flaw::NotAnAddress { value: words[index].exact() })),
    }
}

/// Fails if the array `part` is empty, if a number is no address, or if one is smaller than the number before it.
pub(super) fn offsets<I: Index>(part: LevelArray, words: &[I]) -> Result<(), LevelError> {
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

/// Fails if a number of the array `part` exceeds `most`.
pub(super) fn at_most<I: Index>(part: LevelArray, words: &[I], most: usize) -> Result<(), LevelError> {
    match words.iter().position(|word| word.to_usize() > most) {
        None => Ok(()),
        Some(index) => Err(LevelError::new(part, index, Flaw::Beyond { value: words[index].to_usize(), most })),
    }
}
