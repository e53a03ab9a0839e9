//! The cosize of a layout type as a type: what generic code gives an array as its length.

use crate::types::{Composed, IndexMap, Int, IntTuple, Layout, Strided};
use core::ops::{Add, Mul, Sub};
use generic_array::ArrayLength;
use typenum::{Add1, B1, Const, Sub1, ToUInt, U, UInt, UTerm, Unsigned};

/// A static integer with a typenum twin: typenum's own, and `Int<N>` for the `N` that typenum's `Const` knows (0 to 1024 and some more).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no typenum integer",
    note = "use a typenum integer for this extent or stride, or `Owned<T, L, N>` with an explicit length"
)]
pub trait ToTypenum {
    /// The typenum integer.
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

/// `sum (s_k - 1) d_k` over the leaves of a shape `Self` (extents at least 1) and strides `D`, as a typenum integer.
pub trait StaticSpan<D> {
    /// The sum.
    type Span: Unsigned;
}

impl<S: ToTypenum, D: ToTypenum> StaticSpan<D> for S
where
    S::Uint: Sub<B1>,
    Sub1<S::Uint>: Mul<D::Uint>,
    typenum::Prod<Sub1<S::Uint>, D::Uint>: Unsigned,
{
    type Span = typenum::Prod<Sub1<S::Uint>, D::Uint>;
}

macro_rules! tuple_span {
    ($head:ident $head_d:ident $(, $name:ident $name_d:ident)+) => {
        impl<$head, $head_d, $($name, $name_d),*> StaticSpan<($head_d, $($name_d,)*)> for ($head, $($name,)*)
        where
            $head: StaticSpan<$head_d>,
            ($($name,)*): StaticSpan<($($name_d,)*)>,
            $head::Span: Add<<($($name,)*) as StaticSpan<($($name_d,)*)>>::Span>,
            typenum::Sum<$head::Span, <($($name,)*) as StaticSpan<($($name_d,)*)>>::Span>: Unsigned,
        {
            type Span = typenum::Sum<$head::Span, <($($name,)*) as StaticSpan<($($name_d,)*)>>::Span>;
        }
    };
}

impl<A: StaticSpan<D>, D> StaticSpan<(D,)> for (A,) {
    type Span = A::Span;
}

tuple_span!(A AD, B BD);
tuple_span!(A AD, B BD, C CD);
tuple_span!(A AD, B BD, C CD, E ED);
tuple_span!(A AD, B BD, C CD, E ED, F FD);
tuple_span!(A AD, B BD, C CD, E ED, F FD, G GD);

/// The cosize of a static layout as a typenum integer: the length of its storage in generic code.
///
/// Rust cannot compute an array length from a constant of a type parameter, so this goes by types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no cosize as a type",
    label = "not a static layout whose extents and strides have typenum integers",
    note = "a layout named by `layout! {{ type Name = ...; }}` has one for any size, and `Owned<T, L, N>` takes the length as a number"
)]
pub trait StaticCosize: Layout {
    /// The cosize.
    type Cosize: ArrayLength;
}

#[diagnostic::do_not_recommend]
impl<S: IntTuple + StaticSpan<D>, D: IntTuple> StaticCosize for Strided<S, D>
where
    S::Span: Add<B1>,
    Add1<S::Span>: ArrayLength,
{
    type Cosize = Add1<S::Span>;
}

impl<I: IndexMap, O: IntTuple, L: StaticCosize> StaticCosize for Composed<I, O, L> {
    type Cosize = L::Cosize;
}
