//! The trait of all layout types, and the layout of a shape and a stride.

use super::evaluate::{self, Checked, Index, Tabled};
use super::hoist::Hoisted;
use super::index_table::{IndexTable, Purpose};
use super::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES, Slots};
use super::pattern::Pattern;
use crate::dynamic::DynLayout;
use crate::error::Text;
use crate::error::{Cause, LayoutError, Op, Result};
use crate::text::layout_text;
use crate::value::{ExprGraph, LayoutValue, SymInt};

/// A function from coordinates to indices: `L(c) = sum_k c_k d_k`, where `c_k` are the digits of the coordinate.
///
/// What is static folds; what is not is straight-line code over the run-time leaves, which is all that a value stores.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// let (rows, ld) = (100, 128);
/// let a = make_layout((rows, Int::<64>), (Int::<1>, ld));
/// assert_eq!(a.crd2idx((3, 5)), 3 + 5 * 128);
/// assert_eq!(size_of_val(&a), 2 * size_of::<usize>());
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not a layout", label = "make one with `make_layout(shape, stride)` or `layout!`")]
pub trait Layout: AsOperand {
    /// Leaves as numbers or nodes over the run-time leaves.
    const PATTERN: &'static Pattern;

    /// Fails the build if there is no such layout. What users call mentions it first, so that the compiler names the user's line, once.
    const VALID: () = Self::PATTERN.require();

    /// Number of modes.
    const RANK: usize = {
        let () = Self::VALID;
        let l = &Self::PATTERN.lay;
        l.tree.rank(l.root())
    };

    /// Number of nested tuples.
    const DEPTH: usize = {
        let () = Self::VALID;
        let l = &Self::PATTERN.lay;
        l.tree.depth(l.root())
    };

    /// Number of leaves.
    const LEAVES: usize = {
        let () = Self::VALID;
        Self::PATTERN.lay.len()
    };

    /// Number of coordinates, if static.
    const SIZE: Option<usize> = {
        let () = Self::VALID;
        static_number(Op::Size, Self::PATTERN)
    };

    /// One more than the span of the indices, if static: the length of the storage.
    const COSIZE: Option<usize> = {
        let () = Self::VALID;
        static_number(Op::Cosize, Self::PATTERN)
    };

    /// The layout in the notation, `?` for what is known only at run time.
    ///
    /// ```
    /// use layout_core::{Int, Layout, LogicalDivide, Strided};
    /// type A = Strided<(Int<32>, usize), (Int<1>, usize)>;
    /// assert_eq!(A::NOTATION, "(32,?):(1,?)");
    /// assert_eq!(LogicalDivide::<A, (Int<8>,)>::NOTATION, "((8,4),?):((1,8),?)");
    /// ```
    const NOTATION: &'static str = {
        let () = Self::VALID;
        Notation::<Self>::TEXT.as_str()
    };

    /// The index of the coordinate `c`: an integer, or a tuple that follows the shape down to any depth.
    ///
    /// An integer for a tuple of modes unravels colexicographically, the last sub-mode taking the whole quotient. Total; arithmetic is modulo
    /// `2^usize::BITS`, so an index below 0 (negative strides) is its two's complement, see [`Layout::offset`].
    /// A coordinate that does not fit the shape is a compile error.
    ///
    /// ```
    /// use layout_core::{Int, Layout, Strided};
    /// type L = Strided<((Int<2>, Int<4>), (Int<3>, Int<5>)), ((Int<3>, Int<6>), (Int<1>, Int<24>))>;
    /// assert_eq!(L::default().crd2idx((11, 12)), 129);
    /// assert_eq!(L::default().crd2idx(((1, 3), 5)), 3 + 18 + 2 + 24);
    /// ```
    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <Index<Self, C> as Tabled>::FITS;
        evaluate::index::<Index<Self, C>, Self, C>(self, &c)
    }

    /// [`Layout::crd2idx`] as a signed number of elements.
    #[inline(always)]
    fn offset<C: IntTuple>(&self, c: C) -> isize {
        let () = <Index<Self, C> as Tabled>::FITS;
        self.crd2idx(c) as isize
    }

    /// The index of `c`, or `None` where an integer of `c` is not below the size of its mode.
    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        let () = <Checked<Self, C> as Tabled>::FITS;
        evaluate::checked(self, &c)
    }

    /// The index of a static coordinate as a type: `Const::<L, C>::VALUE`.
    #[inline(always)]
    fn crd2idx_const<C: IntTuple>(&self, _: C) -> Const<Self, C> {
        Const(core::marker::PhantomData)
    }

    /// Number of coordinates.
    #[inline(always)]
    fn size(&self) -> usize {
        let () = Self::VALID;
        evaluate::size(self, const { (0, Self::LEAVES) })
    }

    /// The extent of mode `k`: the product of its leaves.
    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        let () = Self::VALID;
        evaluate::size(self, const { mode_leaves(Self::PATTERN, K) })
    }

    /// Writes the values of the nodes of [`Layout::PATTERN`] to `slots`, which has room for as many.
    #[inline(always)]
    fn slots<const ROOM: usize>(&self, slots: &mut [usize; ROOM]) {
        let () = Self::VALID;
        evaluate::write_slots(self, slots)
    }

    /// Writes the run-time leaves that strides are, each at its place among all.
    #[doc(hidden)]
    #[inline(always)]
    fn gather_strides<const ROOM: usize>(&self, inputs: &mut [usize; ROOM]) {
        self.gather(inputs, 0);
    }

    /// The layout with its leaves evaluated, for loops: at most `N` of them may be unknown.
    #[inline(always)]
    fn hoist<const N: usize>(&self) -> Hoisted<Self, N> {
        let () = Hoisted::<Self, N>::FITS;
        Hoisted::new(self)
    }

    /// The same layout as a value, for run-time algebra, printing and errors.
    ///
    /// Fails where the leaves exceed the capacity, or sizes and indices 64 bits.
    fn to_dyn<const N: usize>(&self) -> Result<DynLayout<N>> {
        let () = Self::VALID;
        let mut slots = [0; MAX_LEAVES];
        self.slots(&mut slots);
        let l = &Self::PATTERN.lay;
        let scope = ExprGraph::<0>::new(Op::MakeLayout);
        let mut out = LayoutValue::empty();
        out.push(l, l.root(), 0, 0, &scope)?;
        for k in 0..l.len() {
            out.shape[k] = leaf(l.extent(k), &slots)?.word();
            out.stride[k] = leaf(l.scale(k), &slots)?.word();
        }
        DynLayout::from_value(out)
    }
}

fn leaf(x: SymInt, slots: &Slots) -> Result<SymInt> {
    match x.node() {
        None => Ok(x),
        Some(k) => SymInt::known(slots[k] as isize as i64).ok_or(LayoutError::plain(Op::MakeLayout, Cause::TooLow, SymInt::MIN, 0)),
    }
}

const fn static_number(op: Op, pattern: &Pattern) -> Option<usize> {
    let mut scope = pattern.scope;
    let number = match op {
        Op::Size => crate::algebra::size::size(&pattern.lay, &mut scope),
        _ => crate::algebra::size::cosize(&pattern.lay, &mut scope),
    };
    match number {
        Ok(number) => match number.value() {
            Some(value) if value as u64 <= usize::MAX as u64 => Some(value as usize),
            _ => None,
        },
        Err(_) => None,
    }
}

/// The leaves of mode `k`, or a compile error.
#[track_caller]
const fn mode_leaves(pattern: &Pattern, k: usize) -> (usize, usize) {
    let tree = &pattern.lay.tree;
    match tree.mode(tree.root(), k) {
        Some(mode) => (mode.lo, mode.hi),
        None => crate::error::refuse(LayoutError::plain(Op::Get, Cause::NoSuchMode, k as i64, tree.rank(tree.root()) as i64)),
    }
}

/// The text of a layout type.
struct Notation<L>(core::marker::PhantomData<L>);

impl<L: Layout> Notation<L> {
    const TEXT: &'static Text<1024> = &layout_text(&L::PATTERN.lay);
}

/// The index of the static coordinate `C` in the static layout `L`, as a type.
///
/// ```
/// use layout_core::{Const, Int, Layout, Strided};
/// type L = Strided<(Int<3>, Int<4>, Int<5>), (Int<20>, Int<5>, Int<1>)>;
/// type I = Const<L, (Int<1>, Int<2>, Int<3>)>;
/// assert_eq!(I::VALUE, 33);
/// ```
pub struct Const<L, C>(core::marker::PhantomData<(L, C)>);

impl<L: Layout, C: IntTuple> Const<L, C> {
    /// The index.
    pub const VALUE: usize = {
        let () = L::VALID;
        IndexTable::new(Op::Crd2Idx, L::PATTERN, &C::DESCRIPTOR, Purpose::Constant).known_index()
    };
}

impl<L, C> Clone for Const<L, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L, C> Copy for Const<L, C> {}

/// The layout `shape : stride`.
///
/// Stores the run-time leaves only; a static one is zero-sized.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Strided<S, D> {
    shape: S,
    stride: D,
}

impl<S: IntTuple, D: IntTuple> Strided<S, D> {
    /// `shape : stride`; a difference in nesting is a compile error.
    #[inline(always)]
    pub const fn new(shape: S, stride: D) -> Self {
        let () = Self::VALID;
        Strided { shape, stride }
    }

    /// `shape : stride` if its size and every index fit `isize`.
    pub fn try_new(shape: S, stride: D) -> Result<Self> {
        let layout = Strided { shape, stride };
        let checked = layout.to_dyn::<MAX_LEAVES>()?;
        if checked.cosize() > isize::MAX as i64 {
            return Err(LayoutError::plain(Op::MakeLayout, Cause::TooLarge, checked.cosize(), 0));
        }
        Ok(layout)
    }

    /// The shape.
    #[inline(always)]
    pub const fn shape(&self) -> S {
        self.shape
    }

    /// The strides.
    #[inline(always)]
    pub const fn stride(&self) -> D {
        self.stride
    }

    /// The coordinate at colexicographic position `index` of the shape; the last leaf takes the whole quotient.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// let l = make_layout((Int::<2>, (Int::<3>, Int::<4>)), (Int::<1>, (Int::<2>, Int::<6>)));
    /// assert_eq!(l.idx2crd(17), (1, (2, 2)));
    /// ```
    #[inline(always)]
    pub fn idx2crd(&self, index: usize) -> S::Coord {
        let mut index = index;
        self.shape.unravel(&mut index, true)
    }
}

impl<S: IntTuple, D: IntTuple> AsOperand for Strided<S, D> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.shape.gather(out, at);
        self.stride.gather(out, at)
    }
}

#[diagnostic::do_not_recommend]
impl<S: IntTuple, D: IntTuple> Layout for Strided<S, D> {
    const PATTERN: &'static Pattern = &Pattern::strided(&S::DESCRIPTOR, &D::DESCRIPTOR);

    #[inline(always)]
    fn gather_strides<const ROOM: usize>(&self, inputs: &mut [usize; ROOM]) {
        self.stride.gather(inputs, const { S::DESCRIPTOR.inputs() });
    }
}
