//! Why an operation on linear layouts is refused.

use crate::heap::*;
use core::fmt;

/// What is wrong with a linear layout, or with two of them together.
#[derive(Clone, PartialEq, Eq)]
pub enum LinearError {
    /// The size of a dimension is no power of two.
    Size {
        /// The dimension.
        name: String,
        /// Its size.
        size: u64,
    },
    /// A name stands for two inputs or for two outputs.
    Repeated {
        /// The name.
        name: String,
    },
    /// A basis has not one component for each output.
    Components {
        /// The input.
        name: String,
        /// The components that it has.
        given: usize,
        /// The number of outputs.
        outputs: usize,
    },
    /// A value that does not fit its dimension.
    OutOfRange {
        /// The dimension.
        name: String,
        /// The value.
        value: u64,
        /// The size of the dimension.
        size: u64,
    },
    /// More bits than a matrix has.
    TooManyBits {
        /// The bits.
        bits: usize,
    },
    /// There is no such dimension.
    NoSuchName {
        /// The name.
        name: String,
    },
    /// The names on one side are not those on the other.
    Names {
        /// Those that are there.
        given: String,
        /// Those that have to be.
        expected: String,
    },
    /// A dimension that is larger than the one it goes to.
    Larger {
        /// The dimension.
        name: String,
        /// Its size.
        size: u64,
        /// The most it may be.
        most: u64,
    },
    /// The sizes given are not those that are there.
    Total {
        /// The bits given.
        given: u32,
        /// The bits there.
        bits: u32,
    },
    /// The layout has no inverse of that kind.
    NotInvertible {
        /// The bits of the inputs.
        inputs: u32,
        /// The bits of the outputs.
        outputs: u32,
        /// The rank.
        rank: u32,
    },
    /// A value of one layout that is no value of the other.
    NotAValue {
        /// The input whose basis has the value.
        name: String,
        /// The bit of the input.
        bit: u32,
    },
    /// A layout that is no factor of the other.
    NotAFactor,
    /// A dimension that is not mapped to itself alone.
    NotIdentity {
        /// The dimension.
        name: String,
    },
}

impl fmt::Display for LinearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use LinearError::*;
        match self {
            Size { name, size } => write!(f, "the size {size} of `{name}` is not a power of two"),
            Repeated { name } => write!(f, "the name `{name}` is given twice"),
            Components { name, given, outputs } => write!(f, "a basis of `{name}` has {given} components for {outputs} outputs"),
            OutOfRange { name, value, size } => write!(f, "{value} is outside the size {size} of `{name}`"),
            TooManyBits { bits } => write!(f, "{bits} bits are more than {}", crate::bits::MAX_BITS),
            NoSuchName { name } => write!(f, "there is no dimension `{name}`"),
            Names { given, expected } => write!(f, "the dimensions are {given}, but {expected} are needed"),
            Larger { name, size, most } => write!(f, "`{name}` has size {size}, but at most {most} is possible"),
            Total { given, bits } => write!(f, "the sizes have {given} bits, the dimensions {bits}"),
            NotInvertible { inputs, outputs, rank } => {
                write!(f, "{inputs} bits to {outputs} bits with rank {rank}: there is no such inverse")
            }
            NotAValue { name, bit } => write!(f, "basis {bit} of `{name}` has a value that the other layout does not take"),
            NotAFactor => f.write_str("the second layout is no factor of the first"),
            NotIdentity { name } => write!(f, "`{name}` is not mapped to itself alone by the identity"),
        }
    }
}

crate::displayed_error! { LinearError }
