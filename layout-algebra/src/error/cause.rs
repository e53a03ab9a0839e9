//! The reasons for a refusal, and their texts.

/// The family of the algebra's errors.
const FAMILY: &[u8] = b"layout";

/// Returns the length of [`class_of`] a name.
const fn class_len(name: &str) -> usize {
    let (name, mut len) = (name.as_bytes(), FAMILY.len());
    each!(k, 0..name.len(), {
        len += 1 + name[k].is_ascii_uppercase() as usize;
    });
    len
}

/// Returns the family and the words of a name in small letters: `layout/too_long` for `TooLong`.
const fn class_of<const N: usize>(name: &str) -> [u8; N] {
    let (name, mut out, mut at) = (name.as_bytes(), [b'/'; N], FAMILY.len());
    each!(k, 0..FAMILY.len(), {
        out[k] = FAMILY[k];
    });
    each!(k, 0..name.len(), {
        if name[k].is_ascii_uppercase() {
            out[at] = if k == 0 { b'/' } else { b'_' };
            at += 1;
        }
        out[at] = name[k].to_ascii_lowercase();
        at += 1;
    });
    out
}

macro_rules! causes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The reason for a refusal. In its text, `{0}`, `{1}`, `{2}` are numbers, `{at}` is the mode, `{0?one|many}` is `one` if number 0 is 1,
        /// `{operand}` and `{kind}` describe an operand, `{taken}` lists the kinds taken, and `{count}` is the number of operands needed.
        ///
        /// ```
        /// use layout_algebra::{DynLayout, error::Cause};
        /// let a = DynLayout::<16>::parse("(30,8):(1,30)")?;
        /// match a.zipped_divide(&"(8,4)".parse()?) {
        ///     Err(error) if error.cause == Cause::TileDoesNotDivide => assert_eq!(error.numbers(), [Some(8), Some(30), Some(0)]),
        ///     other => panic!("8 does not divide 30: {other:?}"),
        /// }
        /// # Ok::<(), layout_algebra::LayoutError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Cause { $($(#[$doc])* $name,)* }

        impl Cause {
            pub(crate) const fn template(self) -> &'static str {
                match self { $(Cause::$name => $text,)* }
            }

            /// Returns the class of a refusal for this reason: `layout/tile_does_not_divide`.
            pub(crate) const fn class(self) -> &'static str {
                match self { $(Cause::$name => {
                    const NAME: &str = stringify!($name);
                    const CLASS: [u8; class_len(NAME)] = class_of(NAME);
                    match core::str::from_utf8(&CLASS) {
                        Ok(class) => class,
                        Err(_) => unreachable!(),
                    }
                })* }
            }
        }
    };
}

causes! {
    /// An arithmetic result that does not fit 64 bits.
    Overflow = "{0} and {1} overflow 64 bits in {at}",
    /// A layout whose size or indices do not fit 64 bits.
    TooLong = "the size or the indices of the result overflow 64 bits",
    /// A static layout reaches further than the target can address.
    TooLarge = "the layout spans {0} elements, more than this target can address",
    /// A run-time number above `isize::MAX`, of a type without negative numbers.
    NotNatural = "a run-time number of {at} is {0} as a signed number, but its type has none below 0: strides that may be negative are `Signed`",
    /// A number below the least one that the algebra represents.
    TooLow = "numbers below {0} are not computed with",
    /// A division by zero.
    DivideByZero = "{0} is divided by 0 in {at}",
    /// A result with more leaves than the capacity.
    Capacity = "the result needs more than {0} {0?leaf|leaves}",
    /// A result nested deeper than a tree can record.
    TooDeep = "the result would be nested more than {0} deep",
    /// More symbols or promises than the capacity.
    TooManySymbols = "more than {0} run-time {0?quantity|quantities}",
    /// A value whose fields were set by hand, with a tree that does not nest its leaves into tuples.
    Nesting = "the tree of {0} {0?leaf|leaves} does not describe nested tuples",
    /// A negative extent.
    NegativeExtent = "the extent {0} of {at} is negative",
    /// An extent of zero where a positive one is needed.
    ZeroExtent = "the extent of {at} is 0",
    /// A number that must be positive.
    NotPositive = "{0} must be positive",
    /// A tile that does not divide an extent.
    TileDoesNotDivide = "tile {0} does not divide the extent {1} of {at}",
    /// A layout tiler whose span does not divide the size.
    TileSpanDoesNotDivide = "the tiler spans {0} {0?element|elements}, which does not divide the size {1} of {at}",
    /// Composition: a run of the right operand would be cut inside a mode of the left operand.
    RunDoesNotDivide = "stride {1} runs evenly for {2} {2?step|steps} only, which does not divide the extent {0} of {at} of the right operand",
    /// Composition: a step, known only at run time, that fits no mode.
    StepDoesNotDivide = "stride {1} of {at} of the right operand does not divide the {0} {0?element|elements} of a mode of the left operand",
    /// Composition: the steps that fit in one mode of the left operand do not divide the extent.
    PieceDoesNotDivide = "the {0} {0?step|steps} that fit in a mode of the left operand {0?does|do} not divide the extent {1} of {at} of the right operand",
    /// Composition: a sum of modes of the right operand crosses a mode boundary of the left operand.
    Carry = "coordinates of {at} of the right operand add up to {0}, across the boundary at {1} of the left operand",
    /// Upcast: the steps of several modes inside a group of elements leave the group.
    GroupCarry = "the steps inside a group of {1} elements add up to {0}, past the end of the group",
    /// A quantity, known only at run time, that decides the structure of the result.
    Undecided = "the run-time values of {at} decide the structure of the result; make them static or give them facts",
    /// Two modes of a layout that reach the same element.
    NotInjective = "stride {1} falls inside the {0} {0?element|elements} already covered, in {at}",
    /// Strides that do not nest.
    StrideDoesNotNest = "stride {1} is not a multiple of the {0} {0?element|elements} already covered, in {at}",
    /// Two strides where the smaller does not divide the larger.
    StridesDoNotDivide = "stride {1} is not a multiple of stride {0}, in {at}",
    /// A negative stride where the operation needs positive strides.
    NegativeStride = "the stride {0} of {at} is negative",
    /// An extent of 1 known only at run time.
    SingleElement = "{at} has a single element, which is known only at run time",
    /// A stride of 0 known only at run time.
    ZeroStride = "the stride of {at} is 0, which is known only at run time",
    /// An extent that is not a power of two, in an operation on bits.
    NotPowerOfTwo = "the extent {0} of {at} is not a power of two",
    /// Bits that are summed with a carry.
    NotLinear = "the value {0} of {at} shares the bits {1} with others, so that sums carry",
    /// A linear map that is not a swizzled layout.
    NoSwizzle = "no swizzle takes the columns, of rank {0}, to integer strides",
    /// A layout without an inverse over F2.
    Singular = "the {0} {0?bit|bits} of {at} have only {1} independent {1?value|values}",
    /// A width, in bits, that no access of a lane has.
    AccessWidth = "accesses have 8, 16, 32, 64 or 128 bits, not {0}",
    /// A vector whose elements are not consecutive.
    NotConsecutive = "the indices {0} and {1} of one vector do not follow each other",
    /// A vector that does not begin at a multiple of its size.
    Misaligned = "a vector of {1} begins at index {0}, where it is not aligned",
    /// An index before the first element.
    NegativeAddress = "index {0} lies before the first element",
    /// A bank model outside the supported range.
    BankModel = "{0} {0?bank|banks} of {1} {1?byte|bytes} for {2} {2?lane|lanes} are outside the range",
    /// A tensor map of too few or too many modes.
    TensorRank = "a tensor map has 1 to 5 modes, not {0}",
    /// A width of elements, in bits, for which no tensor map is made.
    ElementBits = "elements of a tensor map have 8, 16, 32 or 64 bits, not {0}",
    /// An address of global memory that is not aligned.
    TensorAddress = "the address {0} is not a multiple of 16 bytes",
    /// Global memory without a contiguous mode.
    NotContiguous = "no mode with more than one element has stride 1",
    /// An extent outside the range of a tensor map.
    TensorExtent = "the extent {0} of {at} is not from 1 to 2^32",
    /// A stride outside the range of a tensor map.
    TensorStride = "the stride of {0} {0?byte|bytes} of {at} is not a multiple of 16 from 0 to below 2^40",
    /// A box extent outside the range of a tensor map.
    BoxExtent = "the box extent {0} of {at} is not from 1 to 256",
    /// A box that cuts a nested mode in unequal parts.
    BoxNesting = "the box extent {0} of {at} and the extent {1} inside it do not divide each other",
    /// Rows of a box that are not whole units of a copy.
    BoxRow = "rows of {0} {0?byte|bytes} in the box are not a multiple of 16 bytes",
    /// Rows of a box that are longer than its swizzle.
    BoxSwizzle = "rows of {0} {0?byte|bytes} in the box are longer than the {1} bytes of the swizzle",
    /// An element stride outside the range of a tensor map.
    ElementStride = "the element stride {0} of {at} is not from 1 to 8",
    /// An element stride of a mode that takes none.
    FixedElementStride = "{at} has the element stride {0}, but contiguous and nested modes have 1",
    /// Basis strides where the operation needs integers.
    BasisStride = "{at} has a basis stride",
    /// An XOR stride where the operation needs integers.
    XorStride = "{at} has the XOR stride ^{0}",
    /// A stride along two bases.
    MixedBasis = "the result would need a stride along two bases in {at}",
    /// A tuple with a wrong number of modes.
    RankMismatch = "{at} has {1} {1?mode|modes}, but {0} {0?is|are} given",
    /// A coordinate nested deeper than the shape.
    NotCongruent = "{at} is an integer, but a tuple of {0} is given",
    /// A shape and a stride that differ in nesting.
    ShapeStrideMismatch = "shape and stride differ in nesting at {at}",
    /// A profile with a wrong number of leaves.
    LeafMismatch = "the profile has {0} {0?leaf|leaves}, but the layout has {1}",
    /// A mode number past the rank.
    NoSuchMode = "mode {0} is named, but {at} has {1} {1?mode|modes}, counted from 0",
    /// A wildcard where none is allowed.
    UnexpectedKeep = "`_` is not allowed in {at}",
    /// A tuple where an integer is needed.
    ExpectedInteger = "an integer is needed, but a tuple is given",
    /// A question that only a test of too many coordinates would answer.
    TooManyCoordinates = "{0} coordinates are too many to try one by one; the limit is {1}",
    /// A question about indices that a search of limited length did not decide.
    TooManySteps = "{0} steps of a search do not decide the question; strides that nest need no search",
    /// A question about known numbers, where one is known only at run time.
    RunTimeNumber = "the answer depends on a number that is known only at run time; make it static",
    /// A comparison of two functions that agree at all coordinates that were compared, but that may differ at others.
    TooManyPoints = "the functions agree at the first {0} of {1} coordinates; bits that no sum carries into, or extents that divide one another, would decide the rest",
    /// A comparison of two functions that depends on an open relation of run-time numbers.
    OpenEquality = "facts about run-time numbers do not decide whether {0} is {1}, and so whether the functions are equal",
    /// A coordinate outside the shape.
    OutOfRange = "coordinate {0} is outside the extent {1} of {at}",
    /// An index that no coordinate has.
    NoSuchIndex = "no coordinate of {at} has index {0}",
    /// A table whose length differs from the size of its shape.
    TableLength = "the table has {0} {0?index|indices}, but the shape has {1} {1?coordinate|coordinates}",
    /// A table of indices that no layout has.
    TableIndex = "coordinate {0} has index {1}, but the strides of the coordinates before give {2}; no swizzle fits",
    /// A cast: a stride and a factor that do not divide each other.
    CastStride = "stride {1} of {at} and the factor {0} do not divide each other",
    /// A cast or an access: an extent, or a number of values, that does not divide into groups or vectors.
    CastExtent = "{0} {0?element|elements} of {at} {0?does|do} not divide into groups of {1}",
    /// Downcast: no mode has stride 1.
    NoUnitStride = "no mode has stride 1 for the factor {0}",
    /// Elementwise division of integers that do not divide each other.
    ShapeDiv = "{0} and {1} do not divide each other in {at}",
    /// An exchange of bits of a negative number.
    NegativeBits = "the bits of {0} and {1} are exchanged, but one is negative",
    /// A negative number below a swizzle.
    NegativeSwizzle = "a swizzle takes numbers from 0 on, not {0}",
    /// Swizzle parameters out of range.
    SwizzleRange = "swizzle <{0},{1},{2}> is outside its range",
    /// An operand of a wrong kind.
    OperandKind = "{operand} is {kind}, where {taken} is taken",
    /// Two composed layouts where strides or a span are needed.
    TwoLayouts = "{operand} is composed of two layouts and has no strides of its own; `composition` of the two gives one layout, where there is one",
    /// A composed layout whose offset is not 0.
    BeginsElsewhere = "{operand} has an offset, so it is no layout: the index of coordinate 0 of a layout is 0",
    /// XOR strides with a factor that is not a power of two.
    FactorNotPowerOfTwo = "XOR strides go with factors that are powers of two, not with {0}",
    /// A wrong number of operands.
    OperandCount = "{count} needed, but {2} {2?is|are} given",
    /// Threads with different numbers of values.
    ThreadValues = "a thread has {1} {1?value|values}, where those before it have {0}",
    /// A number that a static leaf of a layout type does not have.
    StaticLeaf = "{at} has {0}, where the type has {1}",
    /// A number that breaks the facts of a leaf of a layout type.
    LeafFacts = "{at} has {0}, where the type asks for a multiple of {1} from {2} on and within its bound",
    /// A text that does not follow the notation.
    Syntax = "unexpected text at byte {0}",
    /// A number in a text that does not fit.
    NumberTooLarge = "the number at byte {0} does not fit 64 bits",
    /// A name in a text that is not an operation.
    NoSuchOperation = "there is no operation of the name at byte {0}",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_words() {
        assert_eq!(Cause::TileDoesNotDivide.class(), "layout/tile_does_not_divide");
        assert_eq!((Cause::Overflow.class(), Cause::Carry.class()), ("layout/overflow", "layout/carry"));
    }
}
