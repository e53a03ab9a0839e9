//! Layouts of coordinates, and layouts padded to whole tiles: kernels that mask their last tiles need both.

use super::ops::ColMajor;
use crate::types::index::typed_layout::{TypedLayout, text_and_equality};
use crate::types::number::StaticInt;
use crate::types::pattern::descriptor::{operand, push_ints};
use crate::types::pattern::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES};
use crate::types::pattern::pattern::{Pattern, compact};
use layout_algebra::algebra::operands::Operand;
use layout_algebra::error::{Cause, Op, Result, ok, refuse_if};
use layout_algebra::value::{ExprGraph, SymInt, Truth, TupleValue};

/// The layout of the coordinates of `L`: its shape, and strides that move along the coordinate itself, `(4,8):(1@0,1@1)`.
///
/// The algebra divides, slices and composes it as it does `L`. [`TypedLayout::crd2crd`] then returns the coordinate of `L`
/// that belongs to a coordinate of the result.
///
/// ```
/// use layout_core::{Int, LayoutAlgebra, Strided, TypedLayout};
/// use layout_core::layouts::Identity;
/// // A kernel masks the last tiles of `a` by the coordinate of each element. `a` itself is padded.
/// let a = Strided::new((Int::<8>, Int::<6>), (Int::<1>, Int::<10>));
/// let at = Identity::new(a).zipped_divide((Int::<4>, Int::<6>));
/// let (row, column): (usize, usize) = at.crd2crd(((3, 5), (1, 0)));
/// assert!((row, column) == (7, 5) && row < 8);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Identity<L> {
    layout: L,
}

/// The identity on a shape, see [`make_identity_layout`].
///
/// ```
/// use layout_core::{Int, TypedLayout};
/// use layout_core::layouts::{IdentityLayout, make_identity_layout};
/// // The type of a field.
/// struct Grid {
///     coordinates: IdentityLayout<(usize, Int<4>)>,
/// }
/// let grid = Grid { coordinates: make_identity_layout((10, Int)) };
/// assert_eq!(grid.coordinates.to_string(), "(10,4):(1@0,1@1)");
/// assert_eq!(grid.coordinates.crd2crd::<_, (usize, usize)>(23), (3, 2)); // also of a position
/// ```
pub type IdentityLayout<S> = Identity<ColMajor<S>>;

/// Makes the layout whose index is the coordinate itself.
///
/// ```
/// use layout_core::{Int, LayoutAlgebra, TypedLayout};
/// use layout_core::layouts::make_identity_layout;
/// let tiles = make_identity_layout((Int::<8>, Int::<6>)).zipped_divide((Int::<4>, Int::<2>));
/// assert_eq!(tiles.to_string(), "((4,2),(2,3)):((1@0,1@1),(4@0,2@1))");
/// let at: (usize, usize) = tiles.crd2crd(((3, 1), (1, 2)));
/// assert_eq!(at, (7, 5));
/// ```
#[inline(always)]
pub fn make_identity_layout<S: IntTuple>(shape: S) -> IdentityLayout<S> {
    Identity::new(super::ops::col_major(shape))
}

impl<L: TypedLayout> Identity<L> {
    /// Makes the layout of the coordinates of `layout`.
    #[inline(always)]
    pub const fn new(layout: L) -> Self {
        Identity { layout }
    }
}

// SAFETY: writes the leaves of `layout`.
unsafe impl<L: TypedLayout> AsOperand for Identity<L> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.layout.gather(out, at)
    }

    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        self.layout.input::<At>()
    }
}

// SAFETY: the inputs of the pattern are the leaves of `layout`.
unsafe impl<L: TypedLayout> TypedLayout for Identity<L> {
    const PATTERN: &'static Pattern = &total(identity(&L::DESCRIPTOR));
    const VALID: () = {
        let () = L::VALID;
        Self::PATTERN.require()
    };
}

text_and_equality!([L: TypedLayout] Identity<L>);

/// The layout `L` with the extents of its first modes rounded up to multiples of those of `T`: the same function, for whole tiles.
///
/// Facts of run-time extents decide whether rounding is needed: a `Dyn::<8>` and a tile of 4 need none.
///
/// ```
/// use layout_core::{Dyn, Int, LayoutAlgebra, Strided};
/// use layout_core::layouts::Padded;
/// let rows = Padded::new(Strided::new((10, Dyn::<8>::new(16).unwrap()), (Int::<1>, 10)), (Int::<4>, Int::<4>));
/// assert_eq!(rows.to_string(), "(12,16):(1,10)");
/// assert_eq!(rows.zipped_divide((Int::<4>, Int::<4>)).to_string(), "((4,4),(3,4)):((1,10),(4,40))");
/// ```
#[derive(Clone, Copy, Default)]
pub struct Padded<L, T> {
    layout: L,
    tiler: T,
}

impl<L: TypedLayout, T: IntTuple> Padded<L, T> {
    /// Makes the layout with room for tiles of the shape `tiler`, whose integers are static. The modes that they belong to are not nested.
    #[inline(always)]
    pub const fn new(layout: L, tiler: T) -> Self {
        let () = Self::VALID;
        Padded { layout, tiler }
    }

    /// For each mode, whether the facts of its extent prove that tiles divide it.
    pub(crate) const EXACT: [bool; MAX_LEAVES] = {
        let mut exact = [false; MAX_LEAVES];
        each!(k, 0..MAX_LEAVES, {
            exact[k] = Self::is_exact(k);
        });
        exact
    };

    const fn is_exact(k: usize) -> bool {
        let (Descriptor::Layout(pattern), Some(tile)) = (L::DESCRIPTOR, static_extent(&T::DESCRIPTOR, k)) else { return false };
        let l = &pattern.lay;
        match l.tree.mode(l.root(), k) {
            Some(mode) if mode.hi - mode.lo == 1 => matches!(pattern.scope.divides(SymInt(tile), l.extent(mode.lo)), Truth::Yes),
            _ => false,
        }
    }
}

// SAFETY: writes the leaves of `layout` and of `tiler`, in this order.
unsafe impl<L: TypedLayout, T: IntTuple> AsOperand for Padded<L, T> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(Self::PATTERN);

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.layout.gather(out, at);
        self.tiler.gather(out, at)
    }
}

// SAFETY: the inputs of the pattern are the leaves of `layout` and of `tiler`, in this order.
unsafe impl<L: TypedLayout, T: IntTuple> TypedLayout for Padded<L, T> {
    const PATTERN: &'static Pattern = &total(padded(&L::DESCRIPTOR, &T::DESCRIPTOR));
    const VALID: () = {
        let () = L::VALID;
        Self::PATTERN.require()
    };
}

text_and_equality!([L: TypedLayout, T: IntTuple] Padded<L, T>);

const fn total(pattern: Result<Pattern>) -> Pattern {
    match pattern {
        Ok(pattern) => pattern,
        Err(error) => Pattern::refused(error),
    }
}

const fn identity(form: &Descriptor) -> Result<Pattern> {
    let mut scope = ExprGraph::new(Op::IdentityLayout);
    let Operand::Layout(lay) = ok!(operand(form, &mut scope)) else { return Err(scope.fail(Cause::OperandKind, SymInt(0), SymInt(0))) };
    let lay = ok!(lay.shape_of(lay.root()).identity(&mut scope));
    Ok(compact(lay, scope))
}

/// Returns integer `k` of a flat tuple, or `None` if it is missing or not static. A single integer is its own integer 0.
const fn static_extent(form: &Descriptor, k: usize) -> Option<i64> {
    match form {
        Descriptor::Tuple(modes) if k < modes.len() => match modes[k] {
            Descriptor::Known(extent) => Some(extent),
            _ => None,
        },
        Descriptor::Known(extent) if k == 0 => Some(*extent),
        _ => None,
    }
}

const fn padded(layout: &Descriptor, tiler: &Descriptor) -> Result<Pattern> {
    let mut scope = ExprGraph::new(Op::ZippedDivide);
    let Operand::Layout(mut lay) = ok!(operand(layout, &mut scope)) else {
        return Err(scope.fail(Cause::OperandKind, SymInt(0), SymInt(0)));
    };
    let mut tiles = TupleValue::empty();
    ok!(push_ints(tiler, &mut tiles, None, 0, 0, &mut scope));
    let mut k = 0;
    while k < tiles.tree.len {
        let tile = SymInt::raw(tiles.leaf[k]);
        let Some(mode) = lay.tree.mode(lay.root(), k) else {
            return Err(scope.fail(Cause::NoSuchMode, SymInt::small(k), SymInt::small(lay.tree.rank(lay.root()))));
        };
        refuse_if!(scope, !tile.is_known() || mode.hi - mode.lo != 1 || static_extent(tiler, k).is_none(), Undecided);
        refuse_if!(scope, tile.word() <= 0, ZeroExtent);
        let extent = lay.extent(mode.lo);
        if !matches!(scope.divides(tile, extent), Truth::Yes) {
            let count = ok!(scope.ceil_div(extent, tile));
            lay.shape[mode.lo] = ok!(scope.mul(count, tile)).word();
        }
        k += 1;
    }
    Ok(compact(lay, scope))
}
