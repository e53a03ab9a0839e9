//! The operations on layout types.
//!
//! The result of an operation is a type. It stores its operands; its pattern is the algebra run in a constant; and a refusal is a
//! compile error. If the algebra leaves a promise about run-time leaves, `op` does not compile, and `try_op` checks it once.

use super::fixed::Fixed;
use super::layout::Layout;
use super::strided::Strided;
use crate::types::index::evaluate::{Index, index};
use crate::types::index::typed_layout::{TypedLayout, text_and_equality};
use crate::types::number::StaticInt;
use crate::types::pattern::operand::{AsOperand, Descriptor, Fits, IntTuple, MAX_LEAVES, forms};
use crate::types::pattern::pattern::{self, Pattern};
use core::marker::PhantomData;
use layout_algebra::error::{Op, Result};

/// An operation as a type.
///
/// ```
/// use layout_core::{Int, LayoutError, Strided, TypedLayout, error::Op};
/// use layout_core::ops::{Derived, Operation, op};
/// /// Divides columns of `m` elements in the way of `O`.
/// fn divided<O: Operation>(m: usize) -> Result<String, LayoutError> {
///     let columns = Strided::new((m, Int::<6>), (Int::<1>, m));
///     Ok(Derived::<O, _>::try_new((columns, (Int::<4>, Int::<3>)))?.to_string())
/// }
/// assert_eq!(op::ZippedDivide::OP, Op::ZippedDivide);
/// assert_eq!(divided::<op::ZippedDivide>(8)?, "((4,3),(2,2)):((1,8),(4,24))");
/// assert_eq!(divided::<op::FlatDivide>(8)?, "(4,3,2,2):(1,8,4,24)");
/// assert_eq!(divided::<op::FlatDivide>(9).unwrap_err().to_string(), "flat_divide: tile 4 does not divide the extent 9 of mode 0");
/// # Ok::<(), LayoutError>(())
/// ```
pub trait Operation: Copy {
    /// The operation in the algebra.
    const OP: Op;
}

/// The layout `O(operands)` for a tuple of operands. Aliases such as [`Composition`] name the common ones.
///
/// ```
/// use layout_core::{Int, Layout, Strided, make_layout};
/// use layout_core::ops::{Derived, ZippedDivide, op};
/// type Rows = Strided<(usize, Int<8>), (usize, Int<1>)>;
/// /// The type of a field. Only the run-time leaves of the operands are stored.
/// struct Tiles {
///     layout: ZippedDivide<Rows, (Int<4>, Int<8>)>,
/// }
/// let rows: Rows = make_layout((12, Int), (10, Int));
/// let tiles = Tiles { layout: Derived::try_new((rows, (Int, Int)))? };
/// assert_eq!((tiles.layout.crd2idx(((1, 2), (2, 0))), size_of::<Tiles>()), (92, 2 * size_of::<usize>()));
/// assert_eq!(tiles.layout.operands().0, rows);
/// assert!(ZippedDivide::<Rows, (Int<4>, Int<8>)>::try_new((make_layout((13, Int), (10, Int)), (Int, Int))).is_err());
///
/// // `new` needs no check: the operands show that the result exists.
/// let flat = Derived::<op::Flatten, _>::new((make_layout((2, (3, 4)), (1, (2, 6))),));
/// assert_eq!(flat.to_string(), "(2,3,4):(1,2,6)");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Derived<O, X> {
    operands: X,
    op: PhantomData<O>,
}

impl<O: Operation, X: AsOperand> Derived<O, X> {
    /// Fails the build if run-time leaves decide whether the result exists.
    pub(in crate::types) const UNCONDITIONAL: () = {
        let () = Self::VALID;
        pattern::require_unconditional(Self::PATTERN)
    };

    /// Makes the result. It does not compile if run-time leaves decide whether the result exists.
    #[inline(always)]
    pub const fn new(operands: X) -> Self {
        let () = Self::UNCONDITIONAL;
        Derived::unchecked(operands)
    }

    /// Makes the result. The caller has mentioned the constant that refuses it.
    #[inline(always)]
    pub(crate) const fn unchecked(operands: X) -> Self {
        Derived { operands, op: PhantomData }
    }

    /// Makes the result. Fails if the run-time leaves break a promise of the operation.
    #[inline]
    pub fn try_new(operands: X) -> Result<Self> {
        let () = Self::VALID;
        let mut inputs = [0; MAX_LEAVES];
        operands.gather(&mut inputs, 0);
        <Self as TypedLayout>::PATTERN.values(&inputs)?;
        Ok(Derived { operands, op: PhantomData })
    }

    /// Returns the operands.
    #[inline(always)]
    pub fn operands(&self) -> X {
        self.operands
    }
}

impl<O: Operation, X: AsOperand + Default> Default for Derived<O, X> {
    #[inline(always)]
    fn default() -> Self {
        Derived::new(X::default())
    }
}

text_and_equality!([O: Operation, X: AsOperand] Derived<O, X>);

// SAFETY: `gather` writes the leaves of the operands in order, which is the order of the inputs of the pattern.
unsafe impl<O: Operation, X: AsOperand> AsOperand for Derived<O, X> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.operands.gather(out, at)
    }
    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        self.operands.input::<At>()
    }
}

// SAFETY: the inputs of the pattern are the leaves of the operands. `try_new` checks its promises; `new` and `unchecked` require
// that there are none.
unsafe impl<O: Operation, X: AsOperand> TypedLayout for Derived<O, X> {
    const PATTERN: &'static Pattern = &Pattern::derive(O::OP, forms::<X>());
}

/// Expands to an example that makes a layout with the call `$call` and prints it.
macro_rules! example {
    ($is:expr => $($call:tt)*) => { example!("", $is => $($call)*) };
    ($type:expr, $is:expr => $($call:tt)*) => {
        concat!(
            "```\nuse crd2idx::prelude::*;\nlet r", $type, " = ", $($call)*, ";\nassert_eq!(r.to_string(), \"", $is,
            "\");\n# Ok::<(), LayoutError>(())\n```"
        )
    };
}

/// Expands to the text of operands in parentheses, each in the macro of its kind.
macro_rules! operands {
    () => { "()" };
    ($kind:ident $text:literal $(, $more:ident $more_text:literal)*) => {
        concat!("(", operands!(@ $kind $text), $(", ", operands!(@ $more $more_text),)* ")")
    };
    (@ $type:ident) => { ", _" };
    (@ layout $text:literal) => { concat!("layout!(", $text, ")") };
    (@ coord $text:literal) => { concat!("coord!(", $text, ")") };
    (@ integer $text:literal) => { concat!("int!(", $text, ")") };
    (@ number $text:literal) => { concat!("int!(", $text, ")") };
    (@ extent $text:literal) => { concat!("int!(", $text, ")") };
    (@ mode $text:literal) => { concat!("int!(", $text, ")") };
    (@ $kind:ident $text:literal) => { concat!("shape!(", $text, ")") };
}

pub(super) use {example, operands};

macro_rules! typed {
    (
        layouts { $($name:ident $text:literal $aliases:tt on $composed:ident $(by $custom:ident)? {
            $($(#[$law:meta])+ $method:ident $try_method:ident ($($arg:ident: $type:ident $kind:ident),*) => ($of:literal $(, $with:literal)*) $is:literal;)+
        })* }
        makers { $($maker:ident $maker_text:literal $maker_aliases:tt on $maker_composed:ident {
            $(#[$maker_law:meta])+ $make:ident ($($maker_arg:ident: $maker_type:ident $maker_kind:ident),*) => ($maker_of:literal $(, $maker_with:literal)*) $maker_is:literal;
        })* }
        functions $functions:tt
    ) => {
        /// The operations as types, each named as the alias of its result.
        pub mod op {
            use super::{Op, Operation};

            $(marker!($name);)*
            $(marker!($maker);)*
            marker!(Slice);
        }

        $(alias! { $name<A> $([$($law)+] ($($type),*) $is = ["layout!(", $of, ").", stringify!($method), operands!($($kind $with),*)])+ })*
        $(alias! { $maker<S> [$($maker_law)+] ($($maker_type),*) $maker_is = [
            stringify!($make), operands!(shape $maker_of $(, $maker_kind $maker_with)*)
        ] })*

        /// The algebra as methods of every layout type; `A` and `a` are the layout itself.
        ///
        /// `op` fails to compile if the operation is refused, or if run-time leaves decide whether it is. In the second case `try_op`
        /// checks these leaves once and returns a [`LayoutError`](layout_algebra::LayoutError) that names operation, mode and numbers.
        pub trait LayoutAlgebra: TypedLayout {
            $($(
                $(#[$law])+
                ///
                #[doc = example!($is => "layout!(", $of, ").", stringify!($method), operands!($($kind $with),*))]
                #[inline(always)]
                fn $method<$($type: AsOperand),*>(self, $($arg: $type),*) -> Derived<op::$name, (Self, $($type,)*)> {
                    let () = Derived::<op::$name, (Self, $($type,)*)>::UNCONDITIONAL;
                    Derived::unchecked((self, $($arg,)*))
                }

                #[doc = concat!("[`LayoutAlgebra::", stringify!($method), "`] with the run-time leaves checked.")]
                ///
                #[doc = example!($is => "layout!(", $of, ").", stringify!($try_method), operands!($($kind $with),*), "?")]
                #[inline]
                fn $try_method<$($type: AsOperand),*>(self, $($arg: $type),*) -> Result<Derived<op::$name, (Self, $($type,)*)>> {
                    let () = Derived::<op::$name, (Self, $($type,)*)>::VALID;
                    Derived::try_new((self, $($arg,)*))
                }
            )+)*

            /// Fixes the integers of `c`, keeps the modes marked [`Keep`](crate::number::Keep). Returns the kept layout and the fixed index.
            ///
            /// ```
            /// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
            /// use layout_core::number::Keep;
            /// let a = make_layout((Int::<4>, Int::<8>), (Int::<8>, Int::<1>));
            /// let (row, offset) = a.slice((2, Keep));
            /// assert_eq!(offset + row.crd2idx((3,)), a.crd2idx((2, 3)));
            /// ```
            #[inline(always)]
            fn slice<C: IntTuple>(self, c: C) -> (Slice<Self, C>, usize) {
                let () = <Fixed<Self, C> as Fits>::FITS;
                (Derived::unchecked((self, c)), index::<Fixed<Self, C>, Self, C>(&self, &c))
            }
        }

        $(
            $(#[$maker_law])+
            ///
            #[doc = example!($maker_is => stringify!($make), operands!(shape $maker_of $(, $maker_kind $maker_with)*))]
            #[inline(always)]
            pub fn $make<S: IntTuple $(, $maker_type: IntTuple)*>(shape: S $(, $maker_arg: $maker_type)*) -> $maker<S $(, $maker_type)*> {
                let () = $maker::<S $(, $maker_type)*>::UNCONDITIONAL;
                Derived::unchecked((shape, $($maker_arg,)*))
            }
        )*
    };
}

macro_rules! marker {
    ($name:ident) => {
        #[doc = concat!("[`Op::", stringify!($name), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Operation for $name {
            const OP: Op = Op::$name;
        }
    };
}

macro_rules! alias {
    ($name:ident<$first:ident> [$($law:meta)+] ($($type:ident),*) $is:literal = [$($call:tt)*] $($more:tt)*) => {
        $(#[$law])+
        ///
        #[doc = example!(concat!(": crd2idx::ops::", stringify!($name), "<_", $(operands!(@ $type),)* ">"), $is => $($call)*)]
        pub type $name<$first $(, $type)*> = Derived<op::$name, ($first, $($type,)*)>;
    };
}

operations!(typed);

/// The layout of the modes of `A` that `C` marks with `_`.
///
/// ```
/// use layout_core::{Int, LayoutAlgebra, Strided, number::Keep, ops::Slice};
/// type Rows = Strided<(usize, Int<8>), (Int<8>, Int<1>)>;
/// /// Returns row `i` of the matrix, and the index where it begins.
/// fn row(rows: Rows, i: usize) -> (Slice<Rows, (usize, Keep)>, usize) {
///     rows.slice((i, Keep))
/// }
/// let (row, first) = row(Rows::new((4, Int), (Int, Int)), 3);
/// assert_eq!((row.to_string(), first), ("(8):(1)".to_string(), 24));
/// ```
pub type Slice<A, C> = Derived<op::Slice, (A, C)>;

impl<L: TypedLayout> LayoutAlgebra for L {}

/// Returns the tuple itself. The call names a shape that is written far from its `make_layout`.
///
/// ```
/// use layout_core::{Int, Layout, make_layout, ops::make_shape};
/// let tile = make_shape((Int::<4>, Int::<8>));
/// let (rows, columns) = (make_layout(tile, (Int::<8>, Int::<1>)), make_layout(tile, (Int::<1>, Int::<4>)));
/// assert_eq!((rows.crd2idx((3, 2)), columns.crd2idx((3, 2))), (26, 11));
/// ```
#[inline(always)]
pub const fn make_shape<S: IntTuple>(shape: S) -> S {
    shape
}

/// Returns the tuple itself, as strides.
///
/// ```
/// use layout_core::{Int, Layout, make_layout, ops::make_stride};
/// let padded = make_stride((Int::<33>, Int::<1>));
/// assert_eq!(make_layout((Int::<32>, Int::<32>), padded).crd2idx((2, 5)), 71);
/// ```
#[inline(always)]
pub const fn make_stride<D: IntTuple>(stride: D) -> D {
    stride
}

/// Returns the tuple itself, as a coordinate.
///
/// ```
/// use layout_core::{Int, Layout, make_layout, ops::make_coord};
/// let (lane, k) = (5, 2);
/// let at = make_coord((lane % 4, (lane / 4, k)));
/// assert_eq!(make_layout((4, (2, 8)), (1, (4, 8))).crd2idx(at), 1 + 4 + 16);
/// ```
#[inline(always)]
pub const fn make_coord<C: IntTuple>(coord: C) -> C {
    coord
}

/// Makes the layout `shape : stride`. Index arithmetic is modular; [`try_make_layout`] checks that nothing overflows.
///
/// Shape and strides have the same form, so the wrong order compiles. `layout!((m, n) : (n, 1))` of `crd2idx` separates them by a colon.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::ops::{make_coord, make_shape, make_stride};
/// let l = make_layout(make_shape((3, 4)), make_stride((Int::<4>, Int::<1>)));
/// assert_eq!(l.crd2idx(make_coord((2, 1))), 9);
/// ```
#[inline(always)]
pub const fn make_layout<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Strided<S, D> {
    let () = Strided::<S, D>::VALID;
    Strided::new(shape, stride)
}

/// Makes the layout `shape : stride`. Fails if its size or an index does not fit `isize`.
///
/// ```
/// use layout_core::ops::try_make_layout;
/// assert!(try_make_layout((1 << 40, 1 << 40), (1, 1 << 40)).is_err());
/// ```
pub fn try_make_layout<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<Strided<S, D>> {
    Strided::try_new(shape, stride)
}

/// A value that [`crd2idx`] can index: a layout, or a (shape, stride) pair.
///
/// ```
/// use layout_core::{Layout, make_layout, ops::IntoLayout};
/// /// Returns the number of elements between the first and the last, whichever form the caller has.
/// fn distance(layout: impl IntoLayout) -> usize {
///     let layout = layout.into_layout();
///     layout.crd2idx(layout.size() - 1) - layout.crd2idx(0)
/// }
/// assert_eq!((distance(((3, 4), (10, 1))), distance(make_layout((3, 4), (10, 1)))), (23, 23));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a layout nor a pair of a shape and a stride",
    label = "make one with `make_layout(shape, stride)` or `layout!`"
)]
pub trait IntoLayout {
    /// The layout type.
    type Layout: TypedLayout;
    /// Converts to the layout.
    fn into_layout(self) -> Self::Layout;
}

#[diagnostic::do_not_recommend]
impl<L: TypedLayout> IntoLayout for L {
    type Layout = L;
    #[inline(always)]
    fn into_layout(self) -> L {
        self
    }
}

impl<S: IntTuple, D: IntTuple> IntoLayout for (S, D) {
    type Layout = Strided<S, D>;
    #[inline(always)]
    fn into_layout(self) -> Strided<S, D> {
        Strided::new(self.0, self.1)
    }
}

/// Returns the index of `coord` in a layout, or in a (shape, stride) pair.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::ops::crd2idx;
/// let shape = ((13, 13), (14, 14));
/// let stride = ((15, 15), (16, 16));
/// assert_eq!(crd2idx((0, 12), (shape, stride)), 192);
/// assert_eq!(crd2idx((11, 12), make_layout(shape, stride)), 357);
/// ```
#[inline(always)]
pub fn crd2idx<C: IntTuple, L: IntoLayout>(coord: C, layout: L) -> usize {
    let () = <Index<L::Layout, C> as Fits>::FITS;
    layout.into_layout().crd2idx(coord)
}
