//! Arrays as long as a layout spans.

use super::evaluate::Fits;
use super::int::Int;
use super::layout::{Layout, Span};
use super::operand::IntTuple;
use super::strided::Strided;
use core::ops::{Add, Index, IndexMut, Mul, Sub};
use generic_array::sequence::GenericSequence;
use generic_array::{ArrayLength, GenericArray};
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

/// An element for every index of the layout `L`, in a `GenericArray` of the layout's cosize.
///
/// ```
/// use layout_core::{Int, Layout, Stored, StaticCosize, Strided};
/// fn transpose_tile<L: StaticCosize + Default>() -> Stored<f32, L> {
///     let mut tile = Stored::filled(L::default(), 0.0);
///     tile[(1, 0)] = 2.0;
///     tile
/// }
/// let tile = transpose_tile::<Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>>();
/// assert_eq!(tile.as_slice().len(), 35);
/// assert_eq!(tile.as_slice()[9], 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct Stored<T, L: StaticCosize> {
    data: GenericArray<T, L::Cosize>,
    layout: L,
}

impl<T: Clone, L: StaticCosize> Stored<T, L> {
    /// Every element `value`.
    pub fn filled(layout: L, value: T) -> Self {
        const { assert_reachable(L::SPAN, <L::Cosize as Unsigned>::USIZE) };
        Stored { data: GenericArray::generate(|_| value.clone()), layout }
    }
}

/// An element for every index of the static layout `L`, in an array of `N` elements; `N` below the cosize is a compile error.
///
/// ```
/// use layout_core::{Int, Owned, Strided};
/// type Tile = Strided<(Int<4>, Int<8>), (Int<9>, Int<1>)>; // rows padded to 9
/// let mut tile = Owned::<f32, Tile, 35>::filled(Tile::default(), 0.0);
/// tile[(3, 7)] = 1.0;
/// assert_eq!(tile.as_slice()[34], 1.0);
/// assert_eq!(tile.get((4, 0)), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Owned<T, L, const N: usize> {
    data: [T; N],
    layout: L,
}

/// Fails the build where a static layout reaches past its storage, or is not static.
#[track_caller]
const fn assert_reachable(span: Span, capacity: usize) {
    match span {
        Span::Elements(span) if span <= capacity => {}
        Span::Elements(span) => {
            let mut text = crate::error::Text::<96>::EMPTY;
            text.push_str("storage: the layout spans ");
            text.push_int(span as i64);
            text.push_str(" elements, the array has ");
            text.push_int(capacity as i64);
            panic!("{}", text.as_str())
        }
        Span::Below => panic!("storage: a negative stride reaches below the first element"),
        Span::Unknown => panic!("storage: the layout is not static"),
    }
}

impl<T: Copy, L: Layout, const N: usize> Owned<T, L, N> {
    /// Every element `value`.
    pub const fn filled(layout: L, value: T) -> Self {
        const { assert_reachable(L::SPAN, N) };
        Owned { data: [value; N], layout }
    }
}

impl<T, L: Layout, const N: usize> Owned<T, L, N> {
    /// Elements in the order of their indices.
    pub const fn from_array(layout: L, data: [T; N]) -> Self {
        const { assert_reachable(L::SPAN, N) };
        Owned { data, layout }
    }
}

macro_rules! accessors {
    ([$($generics:tt)*] $type:ty, $layout:ident) => {
        impl<$($generics)*> $type {
            /// The layout.
            pub fn layout(&self) -> $layout {
                self.layout
            }

            /// The elements in the order of their indices.
            pub fn as_slice(&self) -> &[T] {
                &self.data
            }

            /// The elements in the order of their indices.
            pub fn as_mut_slice(&mut self) -> &mut [T] {
                &mut self.data
            }

            /// The element at `c`, or `None` outside the shape.
            #[inline(always)]
            pub fn get<I: IntTuple>(&self, c: I) -> Option<&T> {
                let () = <$layout::Fits<I> as Fits>::FITS;
                self.data.get(self.layout.checked_crd2idx(c)?)
            }

            /// The element at `c`, or `None` outside the shape.
            #[inline(always)]
            pub fn get_mut<I: IntTuple>(&mut self, c: I) -> Option<&mut T> {
                let () = <$layout::Fits<I> as Fits>::FITS;
                self.data.get_mut(self.layout.checked_crd2idx(c)?)
            }

            /// The element at the index of `c`, for coordinates that are known to lie inside the shape: others may name another element, or panic.
            #[inline(always)]
            #[track_caller]
            pub fn at<I: IntTuple>(&self, c: I) -> &T {
                let () = <$layout::Fits<I> as Fits>::FITS;
                &self.data[self.layout.crd2idx(c)]
            }

            /// The element at the index of `c`, for coordinates that are known to lie inside the shape: others may name another element, or panic.
            #[inline(always)]
            #[track_caller]
            pub fn at_mut<I: IntTuple>(&mut self, c: I) -> &mut T {
                let () = <$layout::Fits<I> as Fits>::FITS;
                &mut self.data[self.layout.crd2idx(c)]
            }
        }

        /// Panics outside the shape, naming the coordinate and the layout.
        impl<I: IntTuple, $($generics)*> Index<I> for $type {
            type Output = T;
            #[inline(always)]
            #[track_caller]
            fn index(&self, c: I) -> &T {
                let () = <$layout::Fits<I> as Fits>::FITS;
                match self.get(c) {
                    Some(element) => element,
                    None => self.layout.outside(c),
                }
            }
        }

        impl<I: IntTuple, $($generics)*> IndexMut<I> for $type {
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, c: I) -> &mut T {
                let () = <$layout::Fits<I> as Fits>::FITS;
                let layout = self.layout;
                match self.get_mut(c) {
                    Some(element) => element,
                    None => layout.outside(c),
                }
            }
        }
    };
}

accessors!([T, L: Layout, const N: usize] Owned<T, L, N>, L);
accessors!([T, L: StaticCosize] Stored<T, L>, L);
