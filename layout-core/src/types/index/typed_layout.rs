//! The trait of layout types, whose shape and strides are patterns.
//!
//! A number of a layout that its type alone determines is a constant here. The layout types have a file for each kind in
//! `types/layout`, beside the trait [`Layout`](crate::Layout), which has `crd2idx` and serves layouts that are not types
//! as well.

use super::crd2crd;
use super::evaluate::{self, Leaves};
use super::hoist::Hoisted;
use crate::types::pattern::operand::{AsOperand, Coordinate, Descriptor, Fits, IntTuple, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use layout_algebra::DynLayout;
use layout_algebra::error::{Cause, LayoutError, Op, Result, Text};
use layout_algebra::text::layout_text;
use layout_algebra::value::{ExprGraph, LayoutValue, SymInt};

/// A layout whose shape and strides are types: what the [algebra](crate::LayoutAlgebra) works on.
///
/// Static numbers fold into the code. Run-time leaves are all that a value stores, and the arithmetic on them is straight-line code.
///
/// ```
/// use layout_core::{Int, Layout, TypedLayout, make_layout};
/// let (rows, ld) = (100, 128);
/// let a = make_layout((rows, Int::<64>), (Int::<1>, ld));
/// assert_eq!(a.crd2idx((3, 5)), 3 + 5 * 128);
/// assert_eq!(size_of_val(&a), 2 * size_of::<usize>());
/// ```
///
/// Numbers that no run-time leaf changes are constants of the type, and the leaves of a value are at hand:
///
/// ```
/// use layout_core::{Int, LayoutError, Strided, TypedLayout};
/// use layout_core::layouts::MAX_LEAVES;
/// type Tile = Strided<((Int<2>, Int<4>), Int<3>), ((Int<1>, Int<2>), Int<10>)>;
/// let storage = [0.0_f32; Tile::COSIZE.unwrap()];
/// assert_eq!((storage.len(), Tile::SIZE), (28, Some(24)));
/// assert_eq!((Tile::RANK, Tile::DEPTH, Tile::LEAVES), (2, 2, 3));
///
/// type Rows = Strided<(usize, Int<64>), (usize, Int<1>)>;
/// let rows = Rows::new((100, Int), (80, Int));
/// assert_eq!((Rows::SIZE, Rows::COSIZE), (None, None));
/// assert_eq!(rows.to_dyn::<16>()?.coalesce()?.to_string(), "(100,64):(80,1)");
/// // `PATTERN` has the layout with its run-time leaves as nodes, and `slots` writes the numbers of the nodes.
/// let mut slots = [0; MAX_LEAVES];
/// rows.slots(&mut slots);
/// assert_eq!((Rows::PATTERN.layout().to_string(), &slots[..2]), ("(?,64):(?,1)".to_string(), &[100, 80][..]));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `TypedLayout`: declare it as `impl TypedLayout` or `L: TypedLayout`, make it with `make_layout` or `layout!`",
    label = "the algebra needs a layout type",
    note = "a `DynLayout` has the operations as methods of its own, and `to_dyn` makes one of a layout type"
)]
///
/// # Safety
///
/// Tensors rely on a layout when they index memory: `slots` writes the values of the nodes of `PATTERN` for the numbers of
/// [`AsOperand::gather`]. These numbers are the inputs of `PATTERN`, or its nodes if `HAS_INPUTS` is false.
/// [`AsOperand::DESCRIPTOR`] is that pattern, or the same with every node as an input. `VALID` fails if `PATTERN` is refused.
pub unsafe trait TypedLayout: AsOperand {
    /// The leaves, as numbers or as nodes over the run-time leaves.
    const PATTERN: &'static Pattern;

    /// Fails the build if there is no such layout. Methods that users call mention it first, so that the compiler names the user's line.
    ///
    /// ```compile_fail
    /// use layout_core::{Int, Strided, TypedLayout};
    /// use layout_core::ops::LogicalDivide;
    /// /// A buffer for a tile of `L`.
    /// struct Buffer<L>(core::marker::PhantomData<L>);
    /// impl<L: TypedLayout> Buffer<L> {
    ///     fn new() -> Self {
    ///         let () = L::VALID; // logical_divide: tile 8 does not divide the extent 30 of mode 0
    ///         Buffer(core::marker::PhantomData)
    ///     }
    /// }
    /// Buffer::<LogicalDivide<Strided<(Int<30>,), (Int<1>,)>, (Int<8>,)>>::new();
    /// ```
    const VALID: () = Self::PATTERN.require();

    /// The number of modes.
    const RANK: usize = {
        let () = Self::VALID;
        let l = &Self::PATTERN.lay;
        l.tree.rank(l.root())
    };

    /// The depth of nested tuples.
    const DEPTH: usize = {
        let () = Self::VALID;
        let l = &Self::PATTERN.lay;
        l.tree.depth(l.root())
    };

    /// The number of leaves.
    const LEAVES: usize = {
        let () = Self::VALID;
        Self::PATTERN.lay.len()
    };

    /// The number of coordinates; `None` if it is not static or does not fit `usize`.
    const SIZE: Option<usize> = {
        let () = Self::VALID;
        static_number(Op::Size, Self::PATTERN)
    };

    /// The cosize, or `None` if not static: the span of the indices plus 1, the length of the storage, as in `[f32; A::COSIZE.unwrap()]`.
    const COSIZE: Option<usize> = {
        let () = Self::VALID;
        static_number(Op::Cosize, Self::PATTERN)
    };

    /// The layout in the notation, with `?` for numbers known only at run time.
    ///
    /// ```
    /// use layout_core::{Int, Strided, TypedLayout};
    /// use layout_core::ops::LogicalDivide;
    /// type A = Strided<(Int<32>, usize), (Int<1>, usize)>;
    /// assert_eq!(A::NOTATION, "(32,?):(1,?)");
    /// assert_eq!(LogicalDivide::<A, (Int<8>,)>::NOTATION, "((8,4),?):((1,8),?)");
    /// ```
    const NOTATION: &'static str = {
        let () = Self::VALID;
        Notation::<Self>::TEXT.as_str()
    };

    /// Returns the coordinate at `c` in a layout of coordinates: [`Identity`](crate::layouts::Identity) or a result from it.
    ///
    /// ```
    /// use layout_core::{Int, LayoutAlgebra, TypedLayout};
    /// use layout_core::layouts::make_identity_layout;
    /// // Thread 5 of 8 threads in columns has row 1 and column 1 of each tile of 4 x 2; this is tile (0, 2).
    /// let tiles = make_identity_layout((8, 6)).try_zipped_divide((Int::<4>, Int::<2>))?;
    /// let [row, column] = tiles.crd2crd(((1, 1), (0, 2)));
    /// assert_eq!((row, column), (1, 5));
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    fn crd2crd<C: IntTuple, R: Coordinate>(&self, c: C) -> R {
        crd2crd::crd2crd(self, &c)
    }

    /// Writes the values of the nodes of [`TypedLayout::PATTERN`] to `slots`.
    #[inline(always)]
    fn slots(&self, slots: &mut Slots) {
        let () = Self::VALID;
        evaluate::write_slots(self, slots)
    }

    /// Whether the run-time leaves of a value are the inputs of [`TypedLayout::PATTERN`], and not its nodes.
    #[doc(hidden)]
    const HAS_INPUTS: bool = true;

    /// Returns the layout with its leaves evaluated, for use in loops. More than `N` run-time quantities are a compile error.
    ///
    /// ```
    /// use layout_core::{Int, Layout, LayoutAlgebra, TypedLayout, make_layout};
    /// let (m, ld) = (96, 100);
    /// let tiles = make_layout((m, 64), (Int::<1>, ld)).try_zipped_divide((Int::<8>, Int::<4>))?;
    /// // `m`, `ld` and what the division computes of them: `m / 8`, `4 ld` and the like.
    /// let hoisted = tiles.hoist::<8>();
    /// assert!((0..12).all(|k| hoisted.crd2idx(((3, 1), (k, 5))) == tiles.crd2idx(((3, 1), (k, 5)))));
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    fn hoist<const N: usize>(&self) -> Hoisted<Self, N> {
        let () = Hoisted::<Self, N>::FITS;
        Hoisted::new(self)
    }

    /// Returns the strides; `C` has an integer for each leaf.
    ///
    /// ```
    /// use layout_core::{Int, LayoutAlgebra, TypedLayout, make_layout};
    /// let tiles = make_layout((32, 6), (Int::<1>, 40)).try_zipped_divide((Int::<8>, Int::<3>))?;
    /// let ((row, column), (tile_row, tile_column)): ((usize, usize), (usize, usize)) = tiles.stride();
    /// assert_eq!([row, column, tile_row, tile_column], [1, 40, 8, 120]);
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    fn stride<C: Coordinate>(&self) -> C {
        let () = <Leaves<Self, C> as Fits>::FITS;
        evaluate::strides(self)
    }

    /// Returns the layout as a value, for run-time algebra, printing and errors.
    ///
    /// Fails if there are more than `N` leaves, or if a size or an index does not fit 64 bits.
    fn to_dyn<const N: usize>(&self) -> Result<DynLayout<N>> {
        let () = Self::VALID;
        let mut slots = [0; MAX_LEAVES];
        self.slots(&mut slots);
        DynLayout::from_value(evaluated(Self::PATTERN, &slots)?)
    }
}

/// A static layout with a name of its own, as `layout! { type Name = ...; }` makes it. It stores nothing.
///
/// ```
/// use layout_core::{Int, Layout, TypedLayout};
/// use layout_core::layouts::{AsOperand, NamedLayout, Pattern};
/// /// A tile of 16 x 8 in columns.
/// #[derive(Clone, Copy)]
/// struct Tile;
/// impl NamedLayout for Tile {
///     const PATTERN: &'static Pattern = &Pattern::strided(&<(Int<16>, Int<8>)>::DESCRIPTOR, &<(Int<1>, Int<16>)>::DESCRIPTOR);
/// }
/// const { <Tile as NamedLayout>::VALID };
/// assert_eq!((Tile::NOTATION, Tile.crd2idx((3, 2)), size_of::<Tile>()), ("(16,8):(1,16)", 35, 0));
/// ```
pub trait NamedLayout: Copy {
    /// The pattern of the layout.
    const PATTERN: &'static Pattern;

    /// Fails the build if there is no such layout, as [`TypedLayout::VALID`] does.
    const VALID: () = Self::PATTERN.require();
}

// SAFETY: a constant has no run-time leaves.
#[diagnostic::do_not_recommend]
unsafe impl<L: NamedLayout> AsOperand for L {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(settled(L::PATTERN));
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, _: &mut [usize; ROOM], at: usize) -> usize {
        at
    }
}

// SAFETY: a constant has no run-time leaves.
#[diagnostic::do_not_recommend]
unsafe impl<L: NamedLayout> TypedLayout for L {
    const PATTERN: &'static Pattern = settled(<L as NamedLayout>::PATTERN);
    const VALID: () = {
        let () = <L as NamedLayout>::VALID;
        // Require it again, because an implementation may override the constant of the trait.
        <L as NamedLayout>::PATTERN.require()
    };
}

/// Returns `pattern`. Fails the build if it has run-time leaves, because a named layout stores none.
const fn settled(pattern: &'static Pattern) -> &'static Pattern {
    assert!(pattern.scope.inputs == 0, "a layout with a name of its own has no run-time leaves");
    pattern
}

/// Returns the layout of `pattern` with the values `slots` of its nodes. Fails if a value breaks a fact of its type or does not fit.
pub(in crate::types) fn evaluated<const N: usize>(pattern: &Pattern, slots: &Slots) -> Result<LayoutValue<N>> {
    pattern.require_exact(slots)?;
    let l = &pattern.lay;
    let leaf = |x: SymInt| match x.node() {
        None => Ok(x),
        Some(k) => SymInt::known(slots[k] as isize as i64).ok_or(LayoutError::plain(Op::MakeLayout, Cause::TooLow, SymInt::MIN, 0)),
    };
    let mut out = LayoutValue::empty();
    out.push(l, l.root(), 0, 0, &ExprGraph::<0>::new(Op::MakeLayout))?;
    for k in 0..l.len() {
        out.shape[k] = leaf(l.extent(k))?.word();
        out.stride[k] = leaf(l.scale(k))?.word();
    }
    Ok(out)
}

/// Writes the layout of `pattern` with its nodes evaluated, in the notation.
pub(in crate::types) fn write(pattern: &Pattern, slots: &Slots, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
    match evaluated::<MAX_LEAVES>(pattern, slots) {
        Ok(layout) => core::fmt::Display::fmt(&layout, f),
        // A leaf is out of range.
        Err(_) => core::fmt::Display::fmt(&pattern.lay, f),
    }
}

/// Returns true if two layouts of one pattern have the same extents and strides.
pub(in crate::types) fn same<L: TypedLayout>(a: &L, b: &L) -> bool {
    let (mut x, mut y) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
    a.slots(&mut x);
    b.slots(&mut y);
    let l = &L::PATTERN.lay;
    let equal = |leaf: SymInt| leaf.node().is_none_or(|node| x[node] == y[node]);
    (0..l.len()).all(|k| equal(l.extent(k)) && equal(l.scale(k)))
}

/// Implements `Display` and `Debug` in the notation, and equality by extents and strides.
macro_rules! text_and_equality {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut slots = [0; MAX_LEAVES];
                self.slots(&mut slots);
                $crate::types::index::typed_layout::write(<Self as TypedLayout>::PATTERN, &slots, f)
            }
        }

        impl<$($generics)*> core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl<$($generics)*> PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                $crate::types::index::typed_layout::same(self, other)
            }
        }

        impl<$($generics)*> Eq for $type {}
    };
}
pub(in crate::types) use text_and_equality;

/// Returns the size if `op` is [`Op::Size`], else the cosize. Returns `None` if it is not static or does not fit `usize`.
const fn static_number(op: Op, pattern: &Pattern) -> Option<usize> {
    let mut scope = pattern.scope;
    let number = match op {
        Op::Size => pattern.lay.size_of(pattern.lay.root(), &mut scope),
        _ => pattern.lay.cosize(&mut scope),
    };
    match number {
        Ok(number) => match number.value() {
            Some(value) if value as u64 <= usize::MAX as u64 => Some(value as usize),
            _ => None,
        },
        Err(_) => None,
    }
}

/// The text of a layout type in the notation.
struct Notation<L>(core::marker::PhantomData<L>);

impl<L: TypedLayout> Notation<L> {
    const TEXT: &'static Text<1024> = &layout_text(&L::PATTERN.lay);
}
