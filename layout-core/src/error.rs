//! What went wrong: the operation, the mode, the numbers.

use crate::text::Text;
use crate::value::SymInt;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// An operation of the algebra, as errors and the text interface name it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// The name in the text interface.
            pub const fn name(self) -> &'static str {
                match self { $(Op::$name => $text,)* }
            }

            /// The operation with that name.
            pub fn from_name(name: &str) -> Option<Op> {
                match name { $($text => Some(Op::$name),)* _ => Op::from_alias(name) }
            }

            /// Every operation.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];
        }
    };
}

ops! {
    Parse = "parse", Identity = "identity", ToIntTuple = "to_int_tuple", MakeLayout = "make_layout", Size = "size", Cosize = "cosize", Rank = "rank", Depth = "depth",
    GetShape = "get_shape", GetStride = "get_stride", Get = "get",
    Crd2Idx = "crd2idx", Idx2Crd = "idx2crd", Crd2Crd = "crd2crd", Crd2IdxShape = "crd2idx_shape", Idx2CrdShape = "idx2crd_shape",
    IncrementCoord = "increment_coord",
    Coalesce = "coalesce", CoalesceShape = "coalesce_shape", Filter = "filter", FilterZeros = "filter_zeros", Flatten = "flatten",
    Group = "group", Select = "select", Take = "take", Append = "append", Prepend = "prepend", Replace = "replace",
    Concat = "concat", Slice = "slice", Dice = "dice",
    Composition = "composition", Complement = "complement",
    LogicalDivide = "logical_divide", ZippedDivide = "zipped_divide", TiledDivide = "tiled_divide", FlatDivide = "flat_divide",
    LogicalProduct = "logical_product", ZippedProduct = "zipped_product", TiledProduct = "tiled_product", FlatProduct = "flat_product",
    BlockedProduct = "blocked_product", RakedProduct = "raked_product", TileToShape = "tile_to_shape",
    RightInverse = "right_inverse", LeftInverse = "left_inverse", Nullspace = "nullspace",
    Upcast = "upcast", Downcast = "downcast", Recast = "recast_layout",
    MaxCommonVector = "max_common_vector", MaxCommonLayout = "max_common_layout", MaxAlignment = "max_alignment",
    DomainDistribute = "domain_distribute",
    ColMajor = "col_major", RowMajor = "row_major", Ordered = "make_ordered_layout", LayoutLike = "make_layout_like",
    IdentityLayout = "make_identity_layout",
    Swizzle = "swizzle", Composed = "make_composed_layout",
    Congruent = "congruent", WeaklyCongruent = "weakly_congruent", Compatible = "compatible", EvenlyDivides = "evenly_divides",
    CeilDiv = "ceil_div", RoundUp = "round_up", ShapeDiv = "shape_div", PrefixProduct = "prefix_product", SuffixProduct = "suffix_product",
    Product = "tuple_product", ProductEach = "tuple_product_each", ProductLike = "product_like", InnerProduct = "inner_product",
    TupleAdd = "tuple_add", TupleSub = "tuple_sub", ElemScale = "elem_scale", TupleSum = "tuple_sum",
    IntMul = "int_mul", IntDiv = "int_div", IntMod = "int_mod", IntLt = "int_lt", Equal = "equal",
    GetInner = "composed_get_inner", GetOffset = "composed_get_offset", GetOuter = "composed_get_outer",
    TupleMax = "tuple_max", TupleMin = "tuple_min", TupleGcd = "tuple_gcd", ElemLess = "elem_less",
}

impl Op {
    /// Other names in use for an operation.
    fn from_alias(name: &str) -> Option<Op> {
        Some(match name {
            "layout_eval" => Op::Crd2Idx,
            "compose" | "compose_by" => Op::Composition,
            "product" => Op::Product,
            "ordered" => Op::Ordered,
            "recast" => Op::Recast,
            "int_add" => Op::TupleAdd,
            "int_sub" => Op::TupleSub,
            "int_min" => Op::TupleMin,
            "int_max" => Op::TupleMax,
            "int_gcd" => Op::TupleGcd,
            "int_eq" => Op::Equal,
            "shape" | "to_shape" => Op::GetShape,
            "stride" | "to_stride" => Op::GetStride,
            "to_coord" | "make_shape" | "make_stride" | "make_coord" | "make_int_tuple" | "make_tile" => Op::Identity,
            _ => return None,
        })
    }
}

/// Where in a layout: the modes from the outermost in; empty is the whole layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    len: u8,
    modes: [u8; 7],
}

impl Path {
    /// The whole layout.
    pub const ROOT: Path = Path { len: 0, modes: [0; 7] };

    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }

    /// The path to mode `mode` of this one; beyond seven steps the innermost ones are not recorded.
    pub const fn then(mut self, mode: usize) -> Path {
        if (self.len as usize) < self.modes.len() {
            self.modes[self.len as usize] = if mode > 255 { 255 } else { mode as u8 };
            self.len += 1;
        }
        self
    }

    /// The modes, outermost first.
    pub fn modes(&self) -> &[u8] {
        &self.modes[..self.len as usize]
    }
}

macro_rules! causes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Why an operation was refused. In the text `{0}`, `{1}`, `{2}` are the numbers and `{at}` is the mode.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Cause { $($(#[$doc])* $name,)* }

        impl Cause {
            pub(crate) const fn template(self) -> &'static str {
                match self { $(Cause::$name => $text,)* }
            }
        }
    };
}

causes! {
    /// A result does not fit 64 bits.
    Overflow = "{0} and {1} overflow 64 bits in {at}",
    /// A result does not fit 64 bits.
    TooLong = "the size or the indices of the result overflow 64 bits",
    /// A static layout reaches further than the target can address.
    TooLarge = "the layout spans {0} elements, more than this target can address",
    /// A number that the algebra does not represent.
    TooLow = "numbers below {0} are not computed with",
    /// A division by zero.
    DivideByZero = "{0} is divided by 0 in {at}",
    /// More leaves than the capacity.
    Capacity = "the result needs more than {0} leaves",
    /// More nesting than a tree records.
    TooDeep = "the result would be nested more than {0} deep",
    /// More symbols than the capacity.
    TooManySymbols = "more than {0} run-time quantities",
    /// A negative extent.
    NegativeExtent = "the extent {0} of {at} is negative",
    /// An extent of zero where a positive one is needed.
    ZeroExtent = "the extent of {at} is 0",
    /// A number that had to be positive.
    NotPositive = "{0} must be positive",
    /// Exact division fails.
    TileDoesNotDivide = "tile {0} does not divide the extent {1} of {at}",
    /// A layout tiler reaches a span that does not divide the size.
    TileSpanDoesNotDivide = "the tiler spans {0} elements, which does not divide the size {1} of {at}",
    /// Composition: a digit of the right operand would be cut inside a mode of the left.
    RunDoesNotDivide = "stride {1} runs evenly for {2} steps only, which does not divide the extent {0} of {at} of the right operand",
    /// Composition: a step only known at run time that fits no mode.
    StepDoesNotDivide = "stride {1} of {at} of the right operand does not divide the {0} elements of a mode of the left operand",
    /// Composition: what one mode of the left operand takes does not divide the extent.
    PieceDoesNotDivide = "the {0} steps that fit in a mode of the left operand do not divide the extent {1} of {at} of the right operand",
    /// Composition: a sum of two modes of the right operand crosses a mode boundary of the left.
    Carry = "coordinates of {at} of the right operand add up to {0}, across the boundary at {1} of the left operand",
    /// A quantity only known at run time decides the structure.
    Undecided = "the run-time values of {at} decide the structure of the result; make them static or give them facts",
    /// Two modes of a layout reach the same element.
    NotInjective = "stride {1} falls inside the {0} elements already covered, in {at}",
    /// Strides that do not nest.
    StrideDoesNotNest = "stride {1} is not a multiple of the {0} elements already covered, in {at}",
    /// Strides of which none divides the other.
    StridesDoNotDivide = "stride {1} is not a multiple of stride {0}, in {at}",
    /// A negative stride where the operation needs positive ones.
    NegativeStride = "the stride {0} of {at} is negative",
    /// An extent of 1 known only at run time.
    SingleElement = "{at} has a single element, which is known only at run time",
    /// A stride of 0 known only at run time.
    ZeroStride = "the stride of {at} is 0, which is known only at run time",
    /// Basis strides where the operation needs integers.
    BasisStride = "{at} has a basis stride",
    /// A stride that mixes bases.
    MixedBasis = "the result would need a stride along two bases in {at}",
    /// The rank is wrong.
    RankMismatch = "{at} has {1} modes, but {0} are given",
    /// A coordinate is nested deeper than the shape.
    NotCongruent = "{at} is an integer, but a tuple of {0} is given",
    /// Shape and stride differ in nesting.
    ShapeStrideMismatch = "shape and stride differ in nesting at {at}",
    /// There is no such mode.
    NoSuchMode = "mode {0} is not one of the {1} modes of {at}",
    /// The wildcard is not allowed here.
    UnexpectedKeep = "`_` is not allowed in {at}",
    /// The wildcard is missing.
    ExpectedInteger = "an integer is needed, but a tuple is given",
    /// An answer that takes every coordinate.
    TooManyCoordinates = "{0} coordinates are too many to go through; at most {1} are",
    /// A coordinate outside the shape.
    OutOfRange = "coordinate {0} is outside the extent {1} of {at}",
    /// An index that no coordinate has.
    NoSuchIndex = "no coordinate of {at} has index {0}, or the strides are not mixed radix",
    /// Recast: stride and factor do not divide each other.
    CastStride = "stride {1} of {at} and the factor {0} do not divide each other",
    /// Recast: an extent that does not divide.
    CastExtent = "{0} elements of {at} do not divide into groups of {1}",
    /// Downcast needs a unit stride.
    NoUnitStride = "no mode has stride 1 for the factor {0}",
    /// Elementwise division of integers that do not divide each other.
    ShapeDiv = "{0} and {1} do not divide each other in {at}",
    /// Bits of a negative number.
    NegativeBits = "the bits of {0} and {1} are exchanged, but one is negative",
    /// Swizzle parameters out of range.
    SwizzleRange = "swizzle <{0},{1},{2}> is outside its range",
    /// The kind of operand does not fit.
    OperandKind = "operand {0} is of the wrong kind",
    /// The number of operands does not fit.
    OperandCount = "{0} operands are needed, but {1} are given",
    /// A number that the leaf of a layout type does not take.
    StaticLeaf = "{at} has {0}, where the type has {1}",
    /// A number that breaks the facts of a leaf of a layout type.
    LeafFacts = "{at} has {0}, where the type asks for a multiple of {1} from {2} on and within its bound",
    /// A text that is not of the notation.
    Syntax = "unexpected text at byte {0}",
}

/// A refused operation.
///
/// Displays as `zipped_divide: tile 8 does not divide the extent 30 of mode 0`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LayoutError {
    /// The operation that was asked for.
    pub op: Op,
    /// The mode it failed at.
    pub path: Path,
    /// Why.
    pub cause: Cause,
    numbers: [SymInt; 3],
}

impl LayoutError {
    #[cold]
    pub(crate) const fn new(op: Op, path: Path, cause: Cause, numbers: [SymInt; 3]) -> Self {
        LayoutError { op, path, cause, numbers }
    }

    /// An error about the whole input with plain numbers.
    #[cold]
    pub(crate) const fn plain(op: Op, cause: Cause, a: i64, b: i64) -> Self {
        LayoutError::new(op, Path::ROOT, cause, [SymInt::raw(a), SymInt::raw(b), SymInt(0)])
    }

    #[cold]
    pub(crate) const fn triple(op: Op, cause: Cause, a: i64, b: i64, c: i64) -> Self {
        LayoutError::new(op, Path::ROOT, cause, [SymInt::raw(a), SymInt::raw(b), SymInt::raw(c)])
    }

    /// The numbers the message names, in the order of its text; `None` for one that is only known at run time.
    pub const fn numbers(&self) -> [Option<i64>; 3] {
        [self.numbers[0].value(), self.numbers[1].value(), self.numbers[2].value()]
    }

    pub(crate) const fn symbols(&self) -> [SymInt; 3] {
        self.numbers
    }

    /// The message, in `const` context too.
    pub const fn text(&self) -> Text<256> {
        let mut out = Text::EMPTY;
        out.push_str(self.op.name());
        out.push_str(": ");
        self.push_reason(&mut out);
        out
    }

    /// The message without the operation.
    pub const fn reason(&self) -> Text<256> {
        let mut out = Text::EMPTY;
        self.push_reason(&mut out);
        out
    }

    /// The message without the operation.
    pub(crate) const fn push_reason(&self, out: &mut Text<256>) {
        let template = self.cause.template().as_bytes();
        let mut k = 0;
        while k < template.len() {
            if template[k] != b'{' {
                out.push(template[k]);
                k += 1;
            } else if template[k + 1] == b'a' {
                self.push_path(out);
                k += 4;
            } else {
                match self.numbers[(template[k + 1] - b'0') as usize].value() {
                    Some(value) => out.push_int(value),
                    None => out.push(b'?'),
                }
                k += 3;
            }
        }
    }

    const fn push_path(&self, out: &mut Text<256>) {
        if self.path.len == 0 {
            out.push_str("the layout");
            return;
        }
        out.push_str("mode ");
        let mut k = 0;
        while k < self.path.len as usize {
            if k > 0 {
                out.push(b'.');
            }
            out.push_int(self.path.modes[k] as i64);
            k += 1;
        }
    }
}

impl core::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl core::fmt::Debug for LayoutError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "LayoutError({self})")
    }
}

impl core::error::Error for LayoutError {}

/// Fails a constant evaluation with the message of `error`; the span is the caller's line.
#[track_caller]
pub(crate) const fn refuse(error: LayoutError) -> ! {
    panic!("{}", error.text().as_str())
}

/// `Result` of the algebra.
pub type Result<T> = core::result::Result<T, LayoutError>;

/// `?` for `const fn`.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use ok;
