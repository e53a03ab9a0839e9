//! Integers as types: `Int<N>` and the arithmetic that stable const generics lack.

use core::marker::PhantomData;

/// The static integer `N`. It is zero-sized.
///
/// ```
/// use layout_core::Int;
/// use layout_core::number::StaticInt;
/// assert_eq!(<Int<8> as StaticInt>::VALUE, 8);
/// assert_eq!(size_of::<Int<8>>(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Int<const N: usize>;

impl<const N: usize> core::fmt::Debug for Int<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Int<{N}>")
    }
}

/// The static integer `-T`: a negative stride.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::number::Neg;
/// // The elements of four rows from right to left; the origin is the last element of row 0.
/// let flipped = make_layout((Int::<4>, Int::<3>), (Int::<3>, Neg::<Int<1>>::new()));
/// assert_eq!((flipped.offset((0, 2)), flipped.offset((1, 2))), (-2, 1));
/// assert_eq!(flipped.index_range()?, -2..10);
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Neg<T>(PhantomData<T>);

impl<T: StaticInt> Neg<T> {
    /// Makes the only value of the type.
    pub const fn new() -> Self {
        Neg(PhantomData)
    }
}

impl<T: StaticInt> core::fmt::Debug for Neg<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Neg<{}>", T::VALUE)
    }
}

/// An integer known to the compiler. The type is zero-sized: the integer is a constant of the type.
///
/// ```
/// use layout_core::Int;
/// use layout_core::number::{Neg, StaticInt, typenum::U16};
/// /// Returns the number of vectors of 16 bytes in a row of `N` elements of type `T`.
/// fn vectors<T, N: StaticInt>(_: N) -> usize {
///     const { N::VALUE as usize * size_of::<T>() / 16 }
/// }
/// assert_eq!((vectors::<f32, _>(Int::<64>), vectors::<u8, _>(U16::new())), (16, 1));
/// assert_eq!(Neg::<Int<3>>::VALUE, -3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a static integer",
    label = "write `Int::<N>`, `Neg<Int<N>>`, a typenum integer, or `Quot`, `Prod`, `Sum`, `CeilDiv`, `Min` of them"
)]
pub trait StaticInt: Copy + Default {
    /// The integer.
    const VALUE: i64;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> StaticInt for Int<N> {
    const VALUE: i64 = {
        assert!(N as u64 <= i64::MAX as u64, "a static integer must fit in i64");
        N as i64
    };
}

#[diagnostic::do_not_recommend]
impl<T: StaticInt> StaticInt for Neg<T> {
    const VALUE: i64 = -T::VALUE;
}

macro_rules! static_arithmetic {
    ($($(#[$doc:meta])* $name:ident, $value:expr;)*) => { $(
        $(#[$doc])*
        pub struct $name<A, B>(PhantomData<(A, B)>);

        impl<A, B> Clone for $name<A, B> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<A, B> Copy for $name<A, B> {}
        impl<A, B> Default for $name<A, B> {
            fn default() -> Self {
                $name(PhantomData)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<A: StaticInt, B: StaticInt> StaticInt for $name<A, B> {
            const VALUE: i64 = $value;
        }
    )* };
}

/// Declares a static integer that is the position of a run-time leaf.
macro_rules! place {
    ($(#[$doc:meta])* $vis:vis $name:ident<$a:ident: $of_a:path, $b:ident: $of_b:path, const $k:ident: usize>, $value:expr;) => {
        $(#[$doc])*
        $vis struct $name<$a, $b, const $k: usize>(core::marker::PhantomData<($a, $b)>);

        impl<$a, $b, const $k: usize> Clone for $name<$a, $b, $k> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$a, $b, const $k: usize> Copy for $name<$a, $b, $k> {}
        impl<$a, $b, const $k: usize> Default for $name<$a, $b, $k> {
            fn default() -> Self {
                $name(core::marker::PhantomData)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$a: $of_a, $b: $of_b, const $k: usize> StaticInt for $name<$a, $b, $k> {
            const VALUE: i64 = { $value } as i64;
        }
    };
}
pub(in crate::types) use place;

const fn quotient(a: i64, b: i64) -> Option<i64> {
    if b != 0 && a % b == 0 { Some(a / b) } else { None }
}

const fn ceil_div(a: i64, b: i64) -> Option<i64> {
    if a >= 0 && b > 0 { Some(a / b + (a % b != 0) as i64) } else { None }
}

const fn shifted(high: i64, bit: i64) -> Option<i64> {
    if high <= i64::MAX >> 1 { Some(high << 1 | bit) } else { None }
}

/// Returns the value in `result`. If it is `None`, fails the build with the name `what` of the operation and both numbers.
#[track_caller]
const fn checked(what: &str, a: i64, b: i64, result: Option<i64>) -> i64 {
    match result {
        Some(value) => value,
        None => {
            let mut text = layout_algebra::error::Text::<96>::EMPTY;
            text.push_str(what);
            text.push_str(" of ");
            text.push_int(a);
            text.push_str(" and ");
            text.push_int(b);
            panic!("{}", text.as_str())
        }
    }
}

static_arithmetic! {
    /// The static integer `A / B`, which must be exact.
    ///
    /// ```
    /// use layout_core::Int;
    /// use layout_core::number::{Quot, StaticInt};
    /// struct Tile<const BN: usize>;
    /// impl<const BN: usize> Tile<BN> {
    ///     const VECTORS: i64 = <Quot<Int<BN>, Int<4>> as StaticInt>::VALUE;
    /// }
    /// assert_eq!(Tile::<128>::VECTORS, 32);
    /// ```
    Quot, checked("inexact quotient", A::VALUE, B::VALUE, quotient(A::VALUE, B::VALUE));
    /// The static integer `A * B`.
    ///
    /// ```
    /// use layout_core::{Int, Layout, Strided};
    /// use layout_core::number::Prod;
    /// // The images of a batch lie one behind the other.
    /// type Batch<const H: usize, const W: usize> = Strided<(usize, Int<H>, Int<W>), (Prod<Int<H>, Int<W>>, Int<W>, Int<1>)>;
    /// let images = Batch::<4, 6>::new((10, Int, Int), Default::default());
    /// assert_eq!(images.crd2idx((2, 1, 3)), 2 * 24 + 1 * 6 + 3);
    /// ```
    Prod, checked("overflow in the product", A::VALUE, B::VALUE, A::VALUE.checked_mul(B::VALUE));
    /// The static integer `A + B`.
    ///
    /// ```
    /// use layout_core::{Int, Strided, TypedLayout};
    /// use layout_core::number::Sum;
    /// // A tile whose rows are padded by one element, so that the elements of a column lie in different banks.
    /// type Padded<const N: usize> = Strided<(Int<N>, Int<N>), (Sum<Int<N>, Int<1>>, Int<1>)>;
    /// assert_eq!((Padded::<32>::NOTATION, Padded::<32>::COSIZE), ("(32,32):(33,1)", Some(31 * 33 + 32)));
    /// ```
    Sum, checked("overflow in the sum", A::VALUE, B::VALUE, A::VALUE.checked_add(B::VALUE));
    /// The static integer `A / B` rounded up, for `A >= 0` and `B > 0`.
    ///
    /// ```
    /// use layout_core::Int;
    /// use layout_core::number::{CeilDiv, StaticInt};
    /// // Blocks of 128 threads for `N` elements.
    /// type Blocks<const N: usize> = CeilDiv<Int<N>, Int<128>>;
    /// assert_eq!((Blocks::<256>::VALUE, Blocks::<257>::VALUE), (2, 3));
    /// ```
    CeilDiv, checked("undefined ceil_div", A::VALUE, B::VALUE, ceil_div(A::VALUE, B::VALUE));
    /// The smaller of the static integers `A` and `B`.
    ///
    /// ```
    /// use layout_core::{Int, LayoutAlgebra, TypedLayout};
    /// use layout_core::number::Min;
    /// use layout_core::ops::{RowMajor, ZippedDivide};
    /// // Tiles of 64 rows, or of all rows if there are fewer.
    /// type Tiles<const M: usize> = ZippedDivide<RowMajor<(Int<M>, Int<8>)>, (Min<Int<M>, Int<64>>, Int<8>)>;
    /// assert_eq!(Tiles::<128>::NOTATION, "((64,8),(2,1)):((8,1),(512,0))");
    /// assert_eq!(Tiles::<32>::NOTATION, "((32,8),(1,1)):((8,1),(0,0))");
    /// ```
    Min, if A::VALUE < B::VALUE { A::VALUE } else { B::VALUE };
}

#[diagnostic::do_not_recommend]
impl StaticInt for typenum::UTerm {
    const VALUE: i64 = 0;
}

#[diagnostic::do_not_recommend]
impl<U: StaticInt, B: typenum::Bit> StaticInt for typenum::UInt<U, B>
where
    Self: Copy + Default,
{
    // Computed bit by bit, because the constants of typenum wrap around.
    const VALUE: i64 = checked("overflow in the typenum integer", U::VALUE, B::U8 as i64, shifted(U::VALUE, B::U8 as i64));
}

/// The XOR stride `^D`: the coordinate times `D`, without carries, is combined with the rest of the index by XOR. It is zero-sized.
///
/// ```
/// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
/// use layout_core::number::Xor;
/// let (i, j) = (3, 5);
/// let tile = make_layout((Int::<8>, Int::<8>), (Xor::<9>, Xor::<1>));
/// assert_eq!(tile.to_string(), "(8,8):(^9,^1)");
/// assert_eq!(tile.crd2idx((i, j)), (i ^ i << 3) ^ j);
/// assert_eq!(tile.right_inverse().to_string(), "(8,8):(^8,^9)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Xor<const D: usize>;

impl<const D: usize> core::fmt::Debug for Xor<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Xor<{D}>")
    }
}

/// A run-time extent or stride with facts that the algebra may use: a multiple of `DIV`, at most `MAX` and at least `MIN`.
///
/// ```
/// use layout_core::Dyn;
/// let rows = Dyn::<8>::new(1024)?;
/// assert_eq!(rows.get(), 1024);
/// assert!(Dyn::<8>::new(1023).is_err());
/// # Ok::<(), layout_core::number::FactError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dyn<const DIV: usize = 1, const MAX: usize = { isize::MAX as usize }, const MIN: usize = 0>(usize);

/// The error for a value that breaks the facts of its [`Dyn`].
///
/// ```
/// use layout_core::Dyn;
/// let error = Dyn::<8, 4096>::new(1020).unwrap_err();
/// assert_eq!(error.to_string(), "1020 is not a multiple of 8 between 0 and 4096");
/// assert_eq!((error.value, error.div, error.class()), (1020, 8, "layout/fact"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FactError {
    /// The refused value.
    pub value: usize,
    /// The number that the value must be a multiple of.
    pub div: usize,
    /// The least value allowed.
    pub min: usize,
    /// The greatest value allowed.
    pub max: usize,
}

impl core::fmt::Display for FactError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} is not a multiple of {} between {} and {}", self.value, self.div, self.min, self.max)
    }
}

layout_algebra::displayed_error! { FactError, |error| "layout/fact" }

impl<const DIV: usize, const MAX: usize, const MIN: usize> Dyn<DIV, MAX, MIN> {
    /// Returns `value` as this type, or an error if it breaks a fact of the type.
    #[inline(always)]
    pub const fn new(value: usize) -> Result<Self, FactError> {
        const { assert!(DIV > 0 && MIN <= MAX && MAX <= isize::MAX as usize, "Dyn: DIV must be positive and MIN <= MAX <= isize::MAX") };
        if value.is_multiple_of(DIV) && value <= MAX && value >= MIN {
            Ok(Dyn(value))
        } else {
            Err(FactError { value, div: DIV, min: MIN, max: MAX })
        }
    }

    /// Returns `value` as this type. The caller has checked it: a value that breaks a fact of the type panics.
    pub(in crate::types) const fn accepted(value: usize) -> Self {
        match Dyn::new(value) {
            Ok(value) => value,
            Err(_) => panic!("a number breaks the facts of its type"),
        }
    }

    /// Returns the value.
    #[inline(always)]
    pub const fn get(self) -> usize {
        self.0
    }
}

/// A run-time stride that may be negative.
///
/// ```
/// use layout_core::{Layout, make_layout};
/// use layout_core::number::Signed;
/// let pitch = -256; // an image whose rows go upwards in memory
/// let image = make_layout((3, 4), (Signed(pitch), 1));
/// assert_eq!(image.offset((2, 1)), -511);
/// assert_eq!(image.index_range()?, -512..4);
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed(pub isize);

/// `_`: keeps the whole mode, in a slice or a tiler.
///
/// ```
/// use layout_core::{LayoutAlgebra, make_layout};
/// use layout_core::number::Keep;
/// let a = make_layout((4, (2, 3)), (6, (3, 1)));
/// let (column, first) = a.slice((Keep, (1, 2))); // every row, at column (1, 2)
/// assert_eq!((column.to_string(), first), ("(4):(6)".to_string(), 3 + 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep;
