//! The cosize of a layout type as a type, which generic code uses as an array length.

use crate::types::{Composed, IndexMap, Int, IntTuple, Layout, Strided};
use core::ops::{Add, Mul, Sub};
use generic_array::ArrayLength;
use typenum::{Add1, B1, Const, Prod, Sub1, Sum, ToUInt, U, UInt, UTerm, Unsigned};

/// A static integer with a typenum integer: typenum's own, and `Int<N>` for each `N` of typenum's `Const` (0 to 1024 and some more).
///
/// ```
/// use layout_core::Int;
/// use layout_core::number::typenum::{U32, Unsigned};
/// use layout_core::tensor::ToTypenum;
/// /// The bytes of a row of floats, as a constant of generic code.
/// const fn bytes<Columns: ToTypenum>() -> usize {
///     4 * <Columns::Uint as Unsigned>::USIZE
/// }
/// assert_eq!((bytes::<Int<33>>(), bytes::<U32>()), (132, 128));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no typenum integer",
    note = "use a typenum integer for this extent or stride, or `Owned<T, L, N>` with an explicit length"
)]
pub trait ToTypenum {
    /// The typenum integer of the same value.
    type Uint: Unsigned;
}

impl<const N: usize> ToTypenum for Int<N>
where
    Const<N>: ToUInt,
    U<N>: Unsigned,
{
    type Uint = U<N>;
}

impl ToTypenum for UTerm {
    type Uint = UTerm;
}

impl<N: Unsigned, B: typenum::Bit> ToTypenum for UInt<N, B>
where
    UInt<N, B>: Unsigned,
{
    type Uint = UInt<N, B>;
}

/// The cosize of a static layout as a typenum integer: the length of its storage in generic code.
///
/// Rust cannot compute an array length from a constant of a type parameter, so types compute it.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::number::typenum::Unsigned;
/// use layout_core::tensor::{StaticCosize, Stored};
/// /// A double buffer for tiles of any static layout.
/// struct Buffers<L: StaticCosize> {
///     tiles: [Stored<f32, L>; 2],
/// }
/// impl<L: StaticCosize + Default> Buffers<L> {
///     const BYTES: usize = 2 * 4 * <L::Cosize as Unsigned>::USIZE;
///     fn new() -> Self {
///         Buffers { tiles: [(); 2].map(|()| Stored::filled(L::default(), 0.0)) }
///     }
/// }
/// type Padded = Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>;
/// let mut buffers = Buffers::<Padded>::new();
/// buffers.tiles[1][(3, 7)] = 1.0;
/// assert_eq!((Buffers::<Padded>::BYTES, size_of_val(&buffers)), (2 * 4 * 35, 280));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no cosize as a type",
    label = "not a static layout whose extents and strides have typenum integers",
    note = "a layout named by `layout! {{ type Name = ...; }}` has one for any size, and `Owned<T, L, N>` takes the length as a number"
)]
pub trait StaticCosize: Layout {
    /// The cosize as a type.
    type Cosize: ArrayLength;
}

/// The cosize of one leaf is `(s - 1) d + 1`.
#[diagnostic::do_not_recommend]
impl<S: IntTuple + ToTypenum, D: IntTuple + ToTypenum> StaticCosize for Strided<S, D>
where
    S::Uint: Sub<B1>,
    Sub1<S::Uint>: Mul<D::Uint>,
    Prod<Sub1<S::Uint>, D::Uint>: Add<B1>,
    Add1<Prod<Sub1<S::Uint>, D::Uint>>: ArrayLength,
{
    type Cosize = Add1<Prod<Sub1<S::Uint>, D::Uint>>;
}

#[diagnostic::do_not_recommend]
impl<S: IntTuple, D: IntTuple> StaticCosize for Strided<(S,), (D,)>
where
    Strided<S, D>: StaticCosize,
{
    type Cosize = CosizeOf<S, D>;
}

/// The cosize of the layout `S : D`.
type CosizeOf<S, D> = <Strided<S, D> as StaticCosize>::Cosize;

/// Implements the cosize of several modes: the sum of their cosizes, less 1 for each mode but the first.
macro_rules! tuple_cosize {
    ($head:ident $head_d:ident $(, $name:ident $name_d:ident)+) => {
        #[diagnostic::do_not_recommend]
        impl<$head: IntTuple, $head_d: IntTuple, $($name: IntTuple, $name_d: IntTuple),*> StaticCosize for Strided<($head, $($name,)*), ($head_d, $($name_d,)*)>
        where
            Strided<$head, $head_d>: StaticCosize,
            Strided<($($name,)*), ($($name_d,)*)>: StaticCosize,
            CosizeOf<$head, $head_d>: Add<CosizeOf<($($name,)*), ($($name_d,)*)>>,
            Sum<CosizeOf<$head, $head_d>, CosizeOf<($($name,)*), ($($name_d,)*)>>: Sub<B1>,
            Sub1<Sum<CosizeOf<$head, $head_d>, CosizeOf<($($name,)*), ($($name_d,)*)>>>: ArrayLength,
        {
            type Cosize = Sub1<Sum<CosizeOf<$head, $head_d>, CosizeOf<($($name,)*), ($($name_d,)*)>>>;
        }
    };
}

tuple_cosize!(A AD, B BD);
tuple_cosize!(A AD, B BD, C CD);
tuple_cosize!(A AD, B BD, C CD, E ED);
tuple_cosize!(A AD, B BD, C CD, E ED, F FD);
tuple_cosize!(A AD, B BD, C CD, E ED, F FD, G GD);

impl<I: IndexMap, O: IntTuple, L: StaticCosize> StaticCosize for Composed<I, O, L> {
    type Cosize = L::Cosize;
}
