//! Why an operation on linear layouts is refused.

use crate::heap::*;

crate::errors! {
    /// What is wrong with a linear layout, or with two of them together.
    LinearError {
        /// The size of a dimension is no power of two.
        Size { name: String, size: u64 } => "linear/size", "the size {size} of `{name}` is not a power of two";
        /// A name stands for two inputs or for two outputs.
        Repeated { name: String } => "linear/repeated", "the name `{name}` is given twice";
        /// A basis has not one component for each output.
        Components { name: String, given: usize, outputs: usize } =>
            "linear/components", "a basis of `{name}` has {given} components for {outputs} outputs";
        /// A value that does not fit its dimension.
        OutOfRange { name: String, value: u64, size: u64 } => "linear/range", "{value} is outside the size {size} of `{name}`";
        /// More bits than a matrix has.
        TooManyBits { bits: usize } => "linear/bits", "{bits} bits are more than {}", crate::bits::MAX_BITS;
        /// There is no such dimension.
        NoSuchName { name: String } => "linear/name", "there is no dimension `{name}`";
        /// The names on one side are not those on the other.
        Names { given: String, expected: String } => "linear/names", "the dimensions are {given}, but {expected} are needed";
        /// A dimension that is larger than the one it goes to.
        Larger { name: String, size: u64, most: u64 } => "linear/larger", "`{name}` has size {size}, but at most {most} is possible";
        /// The sizes given are not those that are there.
        Total { given: u32, bits: u32 } => "linear/total", "the sizes have {given} bits, the dimensions {bits}";
        /// The layout has no inverse of that kind.
        NotInvertible { inputs: u32, outputs: u32, rank: u32 } =>
            "linear/not_invertible", "{inputs} bits to {outputs} bits with rank {rank}: there is no such inverse";
        /// A value of one layout that is no value of the other.
        NotAValue { name: String, bit: u32 } => "linear/not_a_value", "basis {bit} of `{name}` has a value that the other layout does not take";
        /// A layout that is no factor of the other.
        NotAFactor => "linear/not_a_factor", "the second layout is no factor of the first";
        /// A dimension that is not mapped to itself alone.
        NotIdentity { name: String } => "linear/not_identity", "`{name}` is not mapped to itself alone by the identity";
    }
}
