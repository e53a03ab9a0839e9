//! The operations on layout types.
//!
//! The result of an operation is a type: it stores its operands, its pattern is the algebra run in a constant, and a refusal is a
//! compile error. Where the algebra leaves a promise about run-time leaves, `op` does not compile and `try_op` checks it once.

use super::evaluate::{Fits, Fixed, Index, index};
use super::layout::{Layout, TypedLayout, text_and_equality};
use super::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES};
use super::pattern::{self, Pattern};
use super::strided::Strided;
use crate::error::{Op, Result};
use core::marker::PhantomData;

/// An operation as a type.
pub trait Operation: Copy {
    /// Which one.
    const OP: Op;
}

/// The operands of an operation: a tuple of one to three terms.
pub trait Operands: Copy {
    /// Their forms.
    const DESCRIPTORS: &'static [Descriptor];
    /// Writes their run-time leaves, in order.
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize;
}

impl<A: AsOperand> Operands for (A,) {
    const DESCRIPTORS: &'static [Descriptor] = &[A::DESCRIPTOR];
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.0.gather(out, at)
    }
}

impl<A: AsOperand, B: AsOperand> Operands for (A, B) {
    const DESCRIPTORS: &'static [Descriptor] = &[A::DESCRIPTOR, B::DESCRIPTOR];
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.0.gather(out, at);
        self.1.gather(out, at)
    }
}

impl<A: AsOperand, B: AsOperand, C: AsOperand> Operands for (A, B, C) {
    const DESCRIPTORS: &'static [Descriptor] = &[A::DESCRIPTOR, B::DESCRIPTOR, C::DESCRIPTOR];
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.0.gather(out, at);
        let at = self.1.gather(out, at);
        self.2.gather(out, at)
    }
}

/// The layout `O(operands)`; aliases such as [`Composition`] name the common ones.
#[derive(Clone, Copy)]
pub struct Derived<O, X> {
    operands: X,
    op: PhantomData<O>,
}

impl<O: Operation, X: Operands> Derived<O, X> {
    /// Fails the build if run-time leaves must be checked.
    pub(super) const UNCONDITIONAL: () = {
        let () = Self::VALID;
        pattern::require_unconditional(Self::PATTERN)
    };

    /// The result; does not compile where run-time leaves must be checked.
    #[inline(always)]
    pub const fn new(operands: X) -> Self {
        let () = Self::UNCONDITIONAL;
        Derived::unchecked(operands)
    }

    /// The result, where the caller has named what refuses it.
    #[inline(always)]
    const fn unchecked(operands: X) -> Self {
        Derived { operands, op: PhantomData }
    }

    /// The result, if the run-time leaves keep what the operation needs.
    #[inline]
    pub fn try_new(operands: X) -> Result<Self> {
        let () = Self::VALID;
        let mut inputs = [0; MAX_LEAVES];
        operands.gather(&mut inputs, 0);
        <Self as TypedLayout>::PATTERN.values(&inputs)?;
        Ok(Derived { operands, op: PhantomData })
    }

    /// The operands.
    #[inline(always)]
    pub fn operands(&self) -> X {
        self.operands
    }
}

impl<O: Operation, X: Operands + Default> Default for Derived<O, X> {
    #[inline(always)]
    fn default() -> Self {
        Derived::new(X::default())
    }
}

text_and_equality!([O: Operation, X: Operands] Derived<O, X>);

impl<O: Operation, X: Operands> AsOperand for Derived<O, X> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.operands.gather(out, at)
    }
}

#[diagnostic::do_not_recommend]
impl<O: Operation, X: Operands> TypedLayout for Derived<O, X> {
    const PATTERN: &'static Pattern = &Pattern::derive(O::OP, X::DESCRIPTORS);
}

/// The names of operations as types, beside the methods on [`Layout`] that make them.
pub mod op {
    use super::{Op, Operation};

    macro_rules! operations {
        ($($name:ident)*) => {
            /// The operations that have a type.
            pub const ALL: &[Op] = &[$(Op::$name),*];
            $(
            #[doc = concat!("[`Op::", stringify!($name), "`].")]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
            impl Operation for $name {
                const OP: Op = Op::$name;
            }
            )*
        };
    }

    operations! {
        Coalesce Filter FilterZeros Flatten RightInverse LeftInverse Nullspace LayoutLike
        Composition Complement LogicalDivide ZippedDivide TiledDivide FlatDivide
        LogicalProduct ZippedProduct TiledProduct FlatProduct BlockedProduct RakedProduct TileToShape
        Upcast Downcast Recast MaxCommonLayout
        Get Select Take Group Append Prepend Replace Concat Slice Dice
        ColMajor RowMajor Ordered
    }
}

macro_rules! aliases {
    ($($(#[$doc:meta])* $name:ident<$($arg:ident),*>;)*) => { $(
        $(#[$doc])*
        pub type $name<$($arg),*> = Derived<op::$name, ($($arg,)*)>;
    )* };
}

aliases! {
    /// `coalesce(A)`.
    Coalesce<A>;
    /// `filter(A)`.
    Filter<A>;
    /// `flatten(A)`.
    Flatten<A>;
    /// `right_inverse(A)`.
    RightInverse<A>;
    /// `left_inverse(A)`.
    LeftInverse<A>;
    /// `nullspace(A)`.
    Nullspace<A>;
    /// `composition(A, B)`.
    Composition<A, B>;
    /// `complement(A, M)`.
    Complement<A, M>;
    /// `logical_divide(A, T)`.
    LogicalDivide<A, T>;
    /// `zipped_divide(A, T)`.
    ZippedDivide<A, T>;
    /// `tiled_divide(A, T)`.
    TiledDivide<A, T>;
    /// `flat_divide(A, T)`.
    FlatDivide<A, T>;
    /// `logical_product(A, B)`.
    LogicalProduct<A, B>;
    /// `zipped_product(A, B)`.
    ZippedProduct<A, B>;
    /// `tiled_product(A, B)`.
    TiledProduct<A, B>;
    /// `flat_product(A, B)`.
    FlatProduct<A, B>;
    /// `blocked_product(A, B)`.
    BlockedProduct<A, B>;
    /// `raked_product(A, B)`.
    RakedProduct<A, B>;
    /// `tile_to_shape(A, S, O)`.
    TileToShape<A, S, O>;
    /// `upcast(A, N)`.
    Upcast<A, N>;
    /// `downcast(A, N)`.
    Downcast<A, N>;
    /// The modes `K` of `A`.
    Select<A, K>;
    /// Mode `K` of `A`.
    Get<A, K>;
    /// Modes `B..E` of `A`.
    Take<A, B, E>;
    /// Modes `B..E` of `A` as one.
    Group<A, B, E>;
    /// `A` and `X` as its last mode.
    Append<A, X>;
    /// `X` as the first mode, and `A`.
    Prepend<A, X>;
    /// `A` with `X` for mode `K`.
    Replace<A, K, X>;
    /// The modes of `A` that `C` marks with `_`.
    Slice<A, C>;
    /// The modes of `A` that `C` fixes.
    Dice<A, C>;
    /// The column-major layout of `S`.
    ColMajor<S>;
    /// The row-major layout of `S`.
    RowMajor<S>;
    /// The compact layout of `S` in the order `O`.
    Ordered<S, O>;
}

macro_rules! method {
    ($(#[$doc:meta])* $name:ident $try_name:ident $op:ident ($($arg:ident: $type:ident),*)) => {
        $(#[$doc])*
        #[inline(always)]
        fn $name<$($type: AsOperand),*>(self, $($arg: $type),*) -> Derived<op::$op, (Self, $($type,)*)> {
            let () = Derived::<op::$op, (Self, $($type,)*)>::UNCONDITIONAL;
            Derived::unchecked((self, $($arg,)*))
        }

        #[doc = concat!("[`LayoutAlgebra::", stringify!($name), "`] with the run-time leaves checked.")]
        #[inline]
        fn $try_name<$($type: AsOperand),*>(self, $($arg: $type),*) -> Result<Derived<op::$op, (Self, $($type,)*)>> {
            let () = Derived::<op::$op, (Self, $($type,)*)>::VALID;
            Derived::try_new((self, $($arg,)*))
        }
    };
}

/// The algebra as methods of every layout type.
///
/// `op` fails to compile where the answer is no, or where it depends on run-time leaves; then `try_op` checks those once and
/// gives a [`LayoutError`](crate::LayoutError) that names operation, mode and numbers.
pub trait LayoutAlgebra: TypedLayout {
    method! {
        /// The fewest modes with the same function on the domain: `coalesce(L)(i) = L(i)` for `i < size(L)`.
        coalesce try_coalesce Coalesce ()
    }
    method! {
        /// [`LayoutAlgebra::coalesce`] mode by mode, down to the leaves of `profile`.
        coalesce_by try_coalesce_by Coalesce (profile: P)
    }
    method! {
        /// Without the modes of stride 0 and extent 1, coalesced: the same image.
        filter try_filter Filter ()
    }
    method! {
        /// Without nesting.
        flatten try_flatten Flatten ()
    }
    method! {
        /// `R(c) = self(B(c))`, with a shape that refines `B`'s; a tuple of layouts composes mode by mode.
        ///
        /// ```
        /// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
        /// let a = make_layout((Int::<6>, Int::<2>), (Int::<8>, Int::<2>));
        /// let b = make_layout((Int::<4>, Int::<3>), (Int::<3>, Int::<1>));
        /// let r = a.composition(b);
        /// for i in 0..12 {
        ///     assert_eq!(r.crd2idx(i), a.crd2idx(b.crd2idx(i)));
        /// }
        /// ```
        composition try_composition Composition (b: B)
    }
    method! {
        /// Ordered, disjoint from `self`, and together with it covering `[0, m)`.
        complement try_complement Complement (m: M)
    }
    method! {
        /// `(tile, rest)` for each mode of the tiler; refused where a tile does not divide.
        ///
        /// ```
        /// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
        /// let a = make_layout((Int::<32>, Int::<16>), (Int::<1>, Int::<32>));
        /// let t = a.logical_divide((Int::<8>, Int::<4>));
        /// assert_eq!(t.crd2idx(((3, 2), (1, 3))), a.crd2idx((3 + 8 * 2, 1 + 4 * 3)));
        /// ```
        logical_divide try_logical_divide LogicalDivide (tiler: T)
    }
    method! {
        /// `((tiles), (rests))`.
        zipped_divide try_zipped_divide ZippedDivide (tiler: T)
    }
    method! {
        /// `((tiles), rest, rest, ...)`.
        tiled_divide try_tiled_divide TiledDivide (tiler: T)
    }
    method! {
        /// `(tile, tile, ..., rest, rest, ...)`.
        flat_divide try_flat_divide FlatDivide (tiler: T)
    }
    method! {
        /// `(self, copies)`: copies of `self` laid out as `b` says.
        logical_product try_logical_product LogicalProduct (b: B)
    }
    method! {
        /// `((blocks), (copies))`.
        zipped_product try_zipped_product ZippedProduct (b: B)
    }
    method! {
        /// `((blocks), copies, copies, ...)`.
        tiled_product try_tiled_product TiledProduct (b: B)
    }
    method! {
        /// `(block, ..., copies, ...)`.
        flat_product try_flat_product FlatProduct (b: B)
    }
    method! {
        /// Mode `k` is `(self_k, b_k)`.
        blocked_product try_blocked_product BlockedProduct (b: B)
    }
    method! {
        /// Mode `k` is `(b_k, self_k)`.
        raked_product try_raked_product RakedProduct (b: B)
    }
    method! {
        /// Copies of `self` that cover `shape`, laid out in `order`.
        tile_to_shape try_tile_to_shape TileToShape (shape: S, order: O)
    }
    method! {
        /// `self(R(i)) = i` for `i < size(R)`.
        right_inverse try_right_inverse RightInverse ()
    }
    method! {
        /// `Q(self(c)) = c` where `self` is injective.
        left_inverse try_left_inverse LeftInverse ()
    }
    method! {
        /// `self(K(i)) = 0`.
        nullspace try_nullspace Nullspace ()
    }
    method! {
        /// The layout of groups of `n` elements.
        upcast try_upcast Upcast (n: N)
    }
    method! {
        /// The layout of the `n` parts of each element.
        downcast try_downcast Downcast (n: N)
    }
    method! {
        /// The elements contiguous in `self` and in `b`.
        max_common_layout try_max_common_layout MaxCommonLayout (b: B)
    }
    method! {
        /// The modes named by a tuple of static integers.
        select try_select Select (modes: K)
    }
    method! {
        /// Mode `k`, a static integer.
        mode try_mode Get (k: K)
    }
    method! {
        /// Modes `begin..end`.
        take try_take Take (begin: B, end: E)
    }
    method! {
        /// Modes `begin..end` as one nested mode.
        group try_group Group (begin: B, end: E)
    }
    method! {
        /// With `x` as last mode.
        append try_append Append (x: X)
    }
    method! {
        /// With `x` as first mode.
        prepend try_prepend Prepend (x: X)
    }
    method! {
        /// With `x` for mode `k`.
        replace try_replace Replace (k: K, x: X)
    }
    method! {
        /// The modes that `c` fixes.
        dice try_dice Dice (c: C)
    }

    /// Fixes the integers of `c` and keeps the modes marked [`Keep`](super::Keep): the kept layout, and the index of the fixed part.
    ///
    /// ```
    /// use layout_core::{Int, Keep, Layout, LayoutAlgebra, make_layout};
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

impl<L: TypedLayout> LayoutAlgebra for L {}

/// The tuple itself: names a shape where `make_layout` would be too far away.
#[inline(always)]
pub const fn make_shape<S: IntTuple>(shape: S) -> S {
    shape
}

/// The tuple itself, as strides.
#[inline(always)]
pub const fn make_stride<D: IntTuple>(stride: D) -> D {
    stride
}

/// The tuple itself, as a coordinate.
#[inline(always)]
pub const fn make_coord<C: IntTuple>(coord: C) -> C {
    coord
}

/// The layout `shape : stride`. Index arithmetic is modular; [`try_make_layout`] checks that nothing overflows.
///
/// ```
/// use layout_core::{Int, Layout, make_coord, make_layout, make_shape, make_stride};
/// let l = make_layout(make_shape((3, 4)), make_stride((Int::<4>, Int::<1>)));
/// assert_eq!(l.crd2idx(make_coord((2, 1))), 9);
/// ```
#[inline(always)]
pub const fn make_layout<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Strided<S, D> {
    let () = Strided::<S, D>::VALID;
    Strided::new(shape, stride)
}

/// The layout `shape : stride` if its size and every index fit `isize`.
///
/// ```
/// use layout_core::try_make_layout;
/// assert!(try_make_layout((1 << 40, 1 << 40), (1, 1 << 40)).is_err());
/// ```
pub fn try_make_layout<S: IntTuple, D: IntTuple>(shape: S, stride: D) -> Result<Strided<S, D>> {
    Strided::try_new(shape, stride)
}

/// Column-major: the leftmost mode is contiguous.
#[inline(always)]
pub fn col_major<S: IntTuple>(shape: S) -> ColMajor<S> {
    let () = ColMajor::<S>::UNCONDITIONAL;
    Derived::unchecked((shape,))
}

/// Row-major: the rightmost mode is contiguous.
#[inline(always)]
pub fn row_major<S: IntTuple>(shape: S) -> RowMajor<S> {
    let () = RowMajor::<S>::UNCONDITIONAL;
    Derived::unchecked((shape,))
}

/// Compact strides, the modes visited by increasing `order`.
#[inline(always)]
pub fn ordered<S: IntTuple, O: IntTuple>(shape: S, order: O) -> Ordered<S, O> {
    let () = Ordered::<S, O>::UNCONDITIONAL;
    Derived::unchecked((shape, order))
}

/// What [`crd2idx`] indexes: a layout, or a (shape, stride) pair.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a layout nor a pair of a shape and a stride",
    label = "make one with `make_layout(shape, stride)` or `layout!`"
)]
pub trait IntoLayout {
    /// The layout.
    type Layout: TypedLayout;
    /// Makes it.
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

/// The index of `coord` in a layout, or in a (shape, stride) pair.
///
/// ```
/// use layout_core::{Int, crd2idx, make_layout};
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
