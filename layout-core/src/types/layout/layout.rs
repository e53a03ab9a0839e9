//! `Layout`, the trait of every function from coordinates to indices that a kernel can take. The unsafe promises are in `RawLayout`.

use crate::types::index::evaluate::{self, Checked, Index, Modes};
use crate::types::index::typed_layout::{TypedLayout, evaluated};
use crate::types::pattern::operand::{Coordinate, Fits, IntTuple, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use crate::types::walk::coordinate_box::CoordinateBox;
use crate::types::walk::loops::FEW;
use crate::types::walk::raw_layout::RawLayout;
use crate::types::walk::walk::{InMemory, PerInteger, Walk, is_nested};
use core::ops::Range;
use layout_algebra::algebra::injective::injective;
use layout_algebra::error::{Cause, LayoutError, Op, Result};

/// A function from coordinates to indices: layout types, hoisted, swizzled and composed ones, [`DynLayout`](layout_algebra::DynLayout).
///
/// ```
/// use layout_core::{DynLayout, Int, Layout, TypedLayout, make_layout};
/// use layout_core::layouts::StaticSwizzle;
/// fn sum<L: Layout>(l: &L, data: &[f32]) -> f32 {
///     (0..l.size()).map(|i| data[l.crd2idx(i)]).sum()
/// }
/// let data: Vec<f32> = (0..64).map(|x| x as f32).collect();
/// let tile = make_layout((Int::<8>, 4), (Int::<8>, Int::<1>));
/// assert_eq!(sum(&tile, &data), 944.0);
/// assert_eq!(sum(&tile.hoist::<4>(), &data), 944.0);
/// assert_eq!(sum(&StaticSwizzle::<3, 0, 3>.composition(tile), &data), 1008.0);
/// assert_eq!(sum(&DynLayout::<16>::parse("(8,4):(8,1)")?, &data), 944.0);
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
///
/// It answers questions about its shape and about coordinates:
///
/// ```
/// use layout_core::{Int, Layout, make_layout, number::Signed};
/// let a = make_layout(((2, 4), 3), ((3, 6), Signed(-1)));
/// assert_eq!((a.rank(), a.size(), a.mode_size::<0>(), &a.extents()[..3]), (2, 24, 8, &[8, 3, 1][..]));
/// /// Returns the numbers of rows and columns. (`shape` of a `Strided` is a method of its own.)
/// fn rows_and_columns<L: Layout>(layout: &L) -> (usize, usize) {
///     layout.shape()
/// }
/// assert_eq!((rows_and_columns(&a), a.shape()), ((8, 3), ((2, 4), 3)));
/// // `offset` is the signed index. The checked form refuses coordinates outside the shape.
/// assert_eq!((a.offset((3, 1)), a.offset((0, 2))), (3 + 6 - 1, -2));
/// assert_eq!((a.checked_crd2idx((3, 1)), a.checked_crd2idx((8, 1))), (Some(8), None));
/// assert!(a.contains(((1, 3), 2)) && !a.contains(((2, 3), 2)) && a.contains(23));
/// ```
///
/// There is no `dyn Layout`. A field has a named type, a parameter `L: Layout`, or a [`DynLayout`](layout_algebra::DynLayout), which a
/// `Vec` can hold as well; see [layouts in structs and collections](https://github.com/crd2idx/crd2idx/blob/main/docs/do/structs.md).
/// Constants call [`const_index`](crate::layouts::const_index), and read [`TypedLayout::SIZE`] and [`TypedLayout::COSIZE`].
///
/// Tensors index memory by the answers of a layout. [`RawLayout`], an unsafe trait, makes the promises that no safe code can break.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a layout", label = "make one with `make_layout(shape, stride)` or `layout!`")]
pub trait Layout: RawLayout {
    /// Returns the number of modes.
    fn rank(&self) -> usize;

    /// Returns the number of coordinates, modulo `2^usize::BITS`; it is exact if [`Layout::index_range`] is `Ok`.
    fn size(&self) -> usize; // in constants: `SIZE.unwrap()`, of a `TypedLayout`

    /// Returns the extent of mode `K`, counted from 0: the product of the extents of its leaves.
    fn mode_size<const K: usize>(&self) -> usize;

    /// Returns the index of the coordinate `c`: an integer, or a tuple that follows the shape down to any depth.
    ///
    /// An integer for a tuple of modes unravels colexicographically; the last sub-mode takes the whole quotient. Arithmetic is modulo
    /// `2^usize::BITS`: a negative index (from negative strides) is its two's complement, see [`Layout::offset`]. A coordinate that does
    /// not fit a layout type is a compile error. One that does not fit a [`DynLayout`](layout_algebra::DynLayout) panics.
    ///
    /// ```
    /// use layout_core::{Int, Layout, Strided};
    /// type L = Strided<((Int<2>, Int<4>), (Int<3>, Int<5>)), ((Int<3>, Int<6>), (Int<1>, Int<24>))>;
    /// assert_eq!(L::default().crd2idx((11, 12)), 129);
    /// assert_eq!(L::default().crd2idx(((1, 3), 5)), 3 + 18 + 2 + 24);
    /// ```
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize; // in constants: `const_index::<Self, MODES>([..])`

    /// Returns [`Layout::crd2idx`] as a signed number of elements.
    #[inline(always)]
    fn offset<C: IntTuple>(&self, c: C) -> isize {
        let () = <Self::Fits<C> as Fits>::FITS;
        self.crd2idx(c) as isize
    }

    /// Returns the index of `c`, or `None` if `c` is outside the shape or the index does not fit `usize` (`isize` with signed strides).
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize>;

    /// Returns true if every integer of `c` is below the size of its mode.
    fn contains<C: IntTuple>(&self, c: C) -> bool;

    /// Returns the coordinate at colexicographic position `index`: `C` is `usize`, or a tuple that follows the shape down to any depth.
    ///
    /// The last integer takes the whole quotient.
    ///
    /// ```
    /// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
    /// let tiled = make_layout((Int::<8>, 6), (Int::<6>, Int::<1>)).logical_divide((Int::<4>,));
    /// let ((i, tile), j): ((usize, usize), usize) = tiled.idx2crd(23);
    /// assert_eq!(((i, tile), j), ((3, 1), 2));
    /// assert_eq!(tiled.idx2crd::<(usize, usize)>(23), (7, 2));
    /// ```
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C;

    /// Iterates over every coordinate, in colexicographic order.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// let l = make_layout((Int::<2>, 2), (2, Int::<1>));
    /// assert!(l.coordinates::<(usize, usize)>().eq([(0, 0), (1, 0), (0, 1), (1, 1)]));
    /// ```
    #[inline(always)]
    fn coordinates<C: Coordinate>(&self) -> impl Iterator<Item = C> {
        let layout = *self;
        (0..self.size()).map(move |index| layout.idx2crd(index))
    }

    /// Returns the extents as a `C`. An integer of `C` that stands for a whole mode receives the size of the mode.
    fn shape<C: Coordinate>(&self) -> C;

    /// Returns the extents of the modes, followed by ones.
    fn extents(&self) -> Slots;

    /// Returns the stride of mode `k` (from 0), the distance between neighbours' indices, or `None` if distances differ. If each mode has
    /// a stride, the index of `c_k` is the first index plus the sum of `c_k * mode_stride(k)`; see [`Affine`](crate::layouts::Affine).
    ///
    /// A nested mode has a single stride if each leaf continues the one before it. A swizzled layout has none.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// use layout_core::layouts::StaticSwizzle;
    /// let l = make_layout(((2, 4), (3, 5)), ((3, 6), (1, 24)));
    /// assert_eq!((l.mode_stride(0), l.mode_stride(1)), (Some(3), None));
    /// assert_eq!(StaticSwizzle::<3, 0, 3>.composition(make_layout((8, 8), (8, 1))).mode_stride(0), None);
    /// ```
    fn mode_stride(&self, k: usize) -> Option<isize> {
        let _ = k;
        None
    }

    /// Returns the smallest known range of all indices. It begins below 0 if strides are negative, and is empty for an empty layout.
    ///
    /// It is exact except for swizzles, which may leave gaps at the end of their last block. Fails if an index or the size
    /// does not fit `isize`, if a run-time leaf is out of the range of its type, and if the values of the layout are
    /// coordinates instead of indices. Making a layout of run-time integers does not check this; making a tensor does.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// use layout_core::number::Signed;
    /// assert_eq!(make_layout((4, 8), (Int::<1>, 10)).index_range()?, 0..74);
    /// assert_eq!(make_layout((4, 8), (Signed(-1), 10)).index_range()?, -3..71);
    /// let error = make_layout((4, 8), (usize::MAX, 10)).index_range().unwrap_err();
    /// assert_eq!(error.to_string(),
    ///     "make_layout: a run-time number of the layout is -1 as a signed number, but its type has none below 0: strides that may be negative are `Signed`");
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    fn index_range(&self) -> Result<Range<isize>>;

    /// Returns whether no two coordinates share an index, or `None` if that would take too long to decide.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// assert_eq!(make_layout((Int::<3>, 3), (Int::<2>, 3)).is_injective(), Some(true)); // 0 2 4, 3 5 7, 6 8 10
    /// assert_eq!(make_layout((Int::<3>, 4), (Int::<2>, 2)).is_injective(), Some(false));
    /// ```
    fn is_injective(&self) -> Option<bool>;

    /// Calls `f` with the index of every coordinate, in colexicographic order, by nested loops over the leaves without a division.
    ///
    /// ```
    /// use layout_core::{DynLayout, Layout};
    /// let l = DynLayout::<16>::parse("(2,(2,2)):(4,(1,2))")?;
    /// let mut indices = Vec::new();
    /// l.for_each_index(|index| indices.push(index));
    /// assert_eq!(indices, [0, 4, 1, 5, 2, 6, 3, 7]);
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_index(&self, mut f: impl FnMut(usize)) {
        match self.loops::<FEW>() {
            Some(loops) => loops.for_each_of::<Self>(|sum| f(self.image(sum))),
            None => {
                // The compiler inlines `f` if it occurs in one arm only, so compile this arm only where it may run.
                if const { !is_nested::<Self>() } {
                    match self.part() {
                        Some(part) => part.for_each(|sum, _| f(self.image(sum))),
                        None => (0..self.size()).for_each(|k| f(self.crd2idx(k))),
                    }
                }
            }
        }
    }

    /// Calls `f` with the index of every coordinate, by stride: the least innermost, indices ascending along each loop, and one loop over
    /// contiguous indices. Layouts with XOR strides, or with more than eight loops that do not join, keep the order of coordinates.
    ///
    /// ```
    /// use layout_core::{Layout, make_layout};
    /// use layout_core::number::Signed;
    /// let mut indices = Vec::new();
    /// make_layout((3, 2), (2, Signed(-1))).for_each_index_by_stride(|index| indices.push(index as isize));
    /// assert_eq!(indices, [-1, 0, 1, 2, 3, 4]);
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_index_by_stride(&self, mut f: impl FnMut(usize)) {
        // The condition is a constant, so that only one arm is compiled.
        if const { InMemory::<Self>::BY_STRIDE.is_some() } {
            if let Some(loops) = const { &InMemory::<Self>::BY_STRIDE } {
                loops.for_each_of::<InMemory<Self>>(|sum| f(self.image(sum)));
            }
            return;
        }
        match self.loops::<FEW>() {
            Some(loops) => loops.by_stride().for_each(|sum| f(self.image(sum))),
            None => {
                // The compiler inlines `f` if it occurs in one arm only, so compile this arm only where it may run.
                if const { !is_nested::<Self>() } {
                    let joined = self.loops::<MAX_LEAVES>().and_then(|loops| loops.by_stride().resized::<FEW>());
                    match (joined, self.part()) {
                        (Some(loops), _) => loops.for_each(|sum| f(self.image(sum))),
                        (None, Some(part)) => part.for_each(|sum, _| f(self.image(sum))),
                        (None, None) => (0..self.size()).for_each(|k| f(self.crd2idx(k))),
                    }
                }
            }
        }
    }

    /// Calls `f` with every coordinate and its index, in colexicographic order. Coordinates are counted up, without divisions.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// make_layout((Int::<2>, 3), (3, Int::<1>)).for_each_coordinate(|(i, j): (usize, usize), index| assert_eq!(index, 3 * i + j));
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    fn for_each_coordinate<C: Coordinate>(&self, mut f: impl FnMut(C, usize)) {
        let () = <Self::Fits<C> as Fits>::FITS;
        let Some(loops) = self.loops::<FEW>() else {
            if const { !is_nested::<Self>() } {
                match self.part() {
                    Some(part) if const { C::DESCRIPTOR.is_flat(MAX_LEAVES) } && const { C::DESCRIPTOR.inputs() } == self.rank() => {
                        part.for_each(|sum, modes| f(C::from_values(modes, &mut 0), self.image(sum)))
                    }
                    _ => (0..self.size()).for_each(|k| f(self.idx2crd(k), self.crd2idx(k))),
                }
            }
            return;
        };
        let places = self.places::<C>();
        let each = |(sum, c)| f(c, self.image(sum));
        if const { Self::LOOPS.is_none() }
            && let Some(places) = loops.places::<C>(&places)
        {
            return loops.counted::<PerInteger<C>, C>(places).for_each_of::<PerInteger<C>>(each);
        }
        loops.counted::<Self, C>(&places).for_each_of::<Self>(each)
    }
}

/// Returns the box of all coordinates of a layout, or `None` if the layout has no loops.
#[inline]
pub(crate) fn whole_part<L: Layout>(layout: &L) -> Option<CoordinateBox> {
    Some(CoordinateBox::whole(&layout.loops::<MAX_LEAVES>()?, layout.rank(), &layout.extents()))
}

#[diagnostic::do_not_recommend]
impl<L: TypedLayout> Layout for L {
    #[inline(always)]
    fn rank(&self) -> usize {
        L::RANK
    }

    #[inline(always)]
    fn size(&self) -> usize {
        let () = L::VALID;
        evaluate::size(self, const { (0, L::LEAVES) })
    }

    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        let () = L::VALID;
        evaluate::size(self, const { mode_leaves(L::PATTERN, K) })
    }

    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <Index<L, C> as Fits>::FITS;
        evaluate::index::<Index<L, C>, L, C>(self, &c)
    }

    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        let () = <Checked<L, C> as Fits>::FITS;
        evaluate::checked(self, &c)
    }

    #[inline(always)]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <Checked<L, C> as Fits>::FITS;
        evaluate::inside::<Checked<L, C>, L, C>(self, &c)
    }

    #[inline(always)]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::digits(self, index)
    }

    #[inline(always)]
    fn shape<C: Coordinate>(&self) -> C {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::extents(self)
    }

    #[inline(always)]
    fn extents(&self) -> Slots {
        let () = L::VALID;
        evaluate::mode_extents(self)
    }

    #[inline]
    fn mode_stride(&self, k: usize) -> Option<isize> {
        let tree = &L::PATTERN.lay.tree;
        let mode = tree.mode(tree.root(), k)?;
        self.loops::<MAX_LEAVES>()?.merged(mode.lo..mode.hi)
    }

    #[inline(always)]
    fn index_range(&self) -> Result<Range<isize>> {
        let () = L::VALID;
        evaluate::index_range(self)
    }

    fn is_injective(&self) -> Option<bool> {
        if L::INJECTIVE.is_some() {
            return L::INJECTIVE;
        }
        let mut slots = [0; MAX_LEAVES];
        self.slots(&mut slots);
        injective(&evaluated::<MAX_LEAVES>(L::PATTERN, &slots).ok()?)
    }
}

/// Returns the range of leaves of mode `k`. Fails the build if there is no such mode.
#[track_caller]
const fn mode_leaves(pattern: &Pattern, k: usize) -> (usize, usize) {
    let tree = &pattern.lay.tree;
    match tree.mode(tree.root(), k) {
        Some(mode) => (mode.lo, mode.hi),
        None => layout_algebra::error::refuse(LayoutError::plain(Op::Get, Cause::NoSuchMode, k as i64, tree.rank(tree.root()) as i64)),
    }
}
