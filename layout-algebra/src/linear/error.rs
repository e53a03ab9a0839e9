//! The errors of operations on linear layouts.

use crate::heap::*;

crate::errors! {
    /// An error in a linear layout, or in an operation on two of them.
    ///
    /// ```
    /// use layout_algebra::linear::{LinearError, LinearLayout};
    /// let error = LinearLayout::new(vec![("lane".into(), vec![vec![1]])], vec![("row".into(), 3)]).unwrap_err();
    /// assert_eq!(error, LinearError::Size { name: "row".into(), size: 3 });
    /// assert_eq!((error.class(), error.to_string().as_str()), ("linear/size", "the size 3 of `row` is not a power of two"));
    /// ```
    LinearError {
        /// A dimension whose size is not a power of two.
        Size { name: String, size: u64 } => "linear/size", "the size {size} of `{name}` is not a power of two";
        /// A name that two inputs or two outputs share.
        Repeated { name: String } => "linear/repeated", "the name `{name}` is given twice";
        /// A basis whose number of components is not the number of outputs.
        Components { name: String, given: usize, outputs: usize } =>
            "linear/components", "a basis of `{name}` has {given} components for {outputs} outputs";
        /// A value that does not fit its dimension.
        OutOfRange { name: String, value: u64, size: u64 } => "linear/range", "{value} is outside the size {size} of `{name}`";
        /// More bits than a matrix can have.
        TooManyBits { bits: usize } => "linear/bits", "{bits} bits are more than {}", crate::bits::MAX_BITS;
        /// A name that no dimension has, or a dimension to which no value is given.
        NoSuchName { name: String } => "linear/name", "there is no dimension `{name}`";
        /// Dimensions whose names do not match the expected names.
        Names { given: String, expected: String } => "linear/names", "the dimensions are {given}, but {expected} are needed";
        /// A dimension that is larger than the dimension that receives it.
        Larger { name: String, size: u64, most: u64 } => "linear/larger", "`{name}` has size {size}, but at most {most} is possible";
        /// Dimensions whose total number of bits does not match the matrix.
        Total { given: u32, bits: u32 } => "linear/total", "the sizes have {given} bits, but the dimensions have {bits}";
        /// A layout that has no inverse of the requested kind.
        NotInvertible { inputs: u32, outputs: u32, rank: u32 } =>
            "linear/not_invertible", "{inputs} bits to {outputs} bits with rank {rank}: there is no such inverse";
        /// A value of one layout that the other layout does not take.
        NotAValue { name: String, bit: u32 } => "linear/not_a_value", "basis {bit} of `{name}` has a value that the other layout does not take";
        /// A layout that is not a factor of the other layout.
        NotAFactor => "linear/not_a_factor", "the second layout is no factor of the first";
        /// A dimension that the identity does not map to itself alone.
        NotIdentity { name: String } => "linear/not_identity", "`{name}` is not mapped to itself alone by the identity";
    }
}
