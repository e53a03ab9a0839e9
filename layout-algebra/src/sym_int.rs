//! One integer of the algebra: a known value, a symbol, or the wildcard `_`.

// Constant evaluation pays for every call and every named constant, so the most frequent tests are macros with literals.

/// Tests whether a word is a known number.
#[doc(hidden)]
#[macro_export]
macro_rules! known {
    ($word:expr) => {
        $word >= -0x7fff_ffff_ffff_0000
    };
}
#[doc(hidden)]
pub use known;

/// Tests whether an `i128` is the value of a known number.
macro_rules! fits {
    ($exact:expr) => {
        ($exact as i64) as i128 == $exact && $exact as i64 >= -0x7fff_ffff_ffff_0000
    };
}
pub(crate) use fits;

/// An integer of the algebra: *known* (a value), *symbolic* (a node of an [`ExprGraph`](crate::value::ExprGraph)), or `_` (keep
/// this mode).
///
/// The 2^16 lowest `i64` are symbols and the wildcard. So a `SymInt` takes eight bytes, and a known one is its value.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::value::{ExprGraph, Facts, SymInt};
/// let eight = SymInt::small(8);
/// assert_eq!((eight.value(), eight.word(), eight.is_known(), eight.is(8)), (Some(8), 8, true, true));
/// assert_eq!((SymInt::known(8), SymInt::known(SymInt::MIN - 1)), (Some(eight), None));
///
/// let mut scope = ExprGraph::<4>::new(Op::Parse);
/// let n = scope.input(Facts::NATURAL)?;
/// assert_eq!((n.value(), n.node()), (None, Some(0)));
/// assert!(n.same(SymInt::symbol(0)) && n.same(SymInt::raw(n.word())));
/// assert_eq!((scope.mul(n, SymInt::ONE)?, scope.mul(n, SymInt::ZERO)?), (n, SymInt::ZERO));
///
/// assert!(SymInt::KEEP.is_keep() && SymInt::KEEP.word() == SymInt::KEEP_WORD);
/// assert_eq!(format!("{eight:?} {n:?} {:?}", SymInt::KEEP), "8 ?0 _");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SymInt(pub i64);

const KEEP: i64 = i64::MIN;
const FIRST_SYMBOL: i64 = i64::MIN + 1;

impl SymInt {
    /// The least value of a known number.
    pub const MIN: i64 = i64::MIN + (1 << 16);
    /// The word of [`SymInt::KEEP`].
    pub const KEEP_WORD: i64 = KEEP;
    /// The known number 0.
    pub const ZERO: SymInt = SymInt(0);
    /// The known number 1.
    pub const ONE: SymInt = SymInt(1);
    /// The wildcard `_`.
    pub const KEEP: SymInt = SymInt(KEEP);

    /// Returns the known number `value`, or `None` below [`SymInt::MIN`].
    #[inline(always)]
    pub const fn known(value: i64) -> Option<SymInt> {
        if !known!(value) { None } else { Some(SymInt(value)) }
    }

    /// Returns the known number `value`, which must be at most `i64::MAX`.
    #[inline(always)]
    pub const fn small(value: usize) -> SymInt {
        SymInt(value as i64)
    }

    /// Wraps a word: a known number that does not overflow, or a symbol. The caller has checked the range.
    #[inline(always)]
    pub const fn raw(value: i64) -> SymInt {
        SymInt(value)
    }

    /// Returns the symbol of the node with this index in an expression graph.
    #[inline(always)]
    pub const fn symbol(node: usize) -> SymInt {
        SymInt(FIRST_SYMBOL + node as i64)
    }

    /// Returns true for a known number, false for a symbol or `_`.
    #[inline(always)]
    pub const fn is_known(self) -> bool {
        known!(self.0)
    }

    /// Returns true for `_`.
    #[inline(always)]
    pub const fn is_keep(self) -> bool {
        self.0 == KEEP
    }

    /// Returns the value of a known number, or `None` for a symbol or `_`.
    #[inline(always)]
    pub const fn value(self) -> Option<i64> {
        if self.is_known() { Some(self.0) } else { None }
    }

    /// Returns true if this is the known number `value`.
    #[inline(always)]
    pub const fn is(self, value: i64) -> bool {
        self.0 == value
    }

    /// Tests whether two words are equal, in `const` context: the same value, the same symbol, or both `_`.
    #[inline(always)]
    pub const fn same(self, other: SymInt) -> bool {
        self.0 == other.0
    }

    /// Returns the index of the node of a symbol, or `None` for a known number or `_`.
    #[inline(always)]
    pub const fn node(self) -> Option<usize> {
        if self.is_known() || self.is_keep() { None } else { Some((self.0 - FIRST_SYMBOL) as usize) }
    }

    /// Returns the `i64` that values store for this integer. For a known number it is the number.
    #[inline(always)]
    pub const fn word(self) -> i64 {
        self.0
    }
}

impl core::fmt::Debug for SymInt {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.value(), self.node()) {
            (Some(value), _) => write!(f, "{value}"),
            (_, Some(node)) => write!(f, "?{node}"),
            _ => f.write_str("_"),
        }
    }
}

const _: () = assert!(SymInt::MIN == -0x7fff_ffff_ffff_0000);
