//! The trait that kernels take.

use crate::types::index::evaluate::{self, Checked, Index, Modes};
use crate::types::index::typed_layout::{TypedLayout, evaluated};
use crate::types::pattern::operand::{Coordinate, Fits, IntTuple, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;
use crate::types::walk::loops::FEW;
use crate::types::walk::part::Part;
use crate::types::walk::raw_layout::RawLayout;
use crate::types::walk::walk::{InMemory, PerInteger, Walk, is_nested};
use core::ops::Range;
use layout_algebra::algebra::injective::injective;
use layout_algebra::error::{Cause, LayoutError, Op, Result};

/// A function from coordinates to indices, as kernels take it: layout types, hoisted, swizzled and composed ones, and [`DynLayout`](layout_algebra::DynLayout).
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
/// A layout is a type of its own, and none can be a `dyn Layout`: a field has a named type, a parameter `L: Layout`, or a [`DynLayout`](layout_algebra::DynLayout),
/// which a `Vec` can hold as well; see [layouts in structs and collections](https://github.com/crd2idx/crd2idx/blob/main/docs/do/structs.md). Constants call
/// [`const_index`](crate::layouts::const_index) for an index, and have the sizes as [`TypedLayout::SIZE`] and [`TypedLayout::COSIZE`].
///
/// Tensors index memory by what a layout says. [`RawLayout`], an unsafe trait, makes the promises that they need, so that no safe code breaks them.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a layout", label = "make one with `make_layout(shape, stride)` or `layout!`")]
pub trait Layout: RawLayout {
    /// Number of modes.
    fn rank(&self) -> usize;

    /// Number of coordinates, modulo `2^usize::BITS`; exact where [`Layout::index_range`] is `Ok`.
    fn size(&self) -> usize; // in constants: `SIZE.unwrap()`, of a `TypedLayout`

    /// The extent of mode `K`: the product of its leaves.
    fn mode_size<const K: usize>(&self) -> usize;

    /// The index of the coordinate `c`: an integer, or a tuple that follows the shape down to any depth.
    ///
    /// An integer for a tuple of modes unravels colexicographically, the last sub-mode taking the whole quotient. Total; arithmetic is modulo
    /// `2^usize::BITS`, so an index below 0 (negative strides) is its two's complement, see [`Layout::offset`].
    /// A coordinate that does not fit a layout type is a compile error; one that does not fit a [`DynLayout`](layout_algebra::DynLayout) panics, as a program that is wrong.
    ///
    /// ```
    /// use layout_core::{Int, Layout, Strided};
    /// type L = Strided<((Int<2>, Int<4>), (Int<3>, Int<5>)), ((Int<3>, Int<6>), (Int<1>, Int<24>))>;
    /// assert_eq!(L::default().crd2idx((11, 12)), 129);
    /// assert_eq!(L::default().crd2idx(((1, 3), 5)), 3 + 18 + 2 + 24);
    /// ```
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize; // in constants: `const_index::<Self, MODES>([..])`

    /// [`Layout::crd2idx`] as a signed number of elements.
    #[inline(always)]
    fn offset<C: IntTuple>(&self, c: C) -> isize {
        let () = <Self::Fits<C> as Fits>::FITS;
        self.crd2idx(c) as isize
    }

    /// The index of `c`, or `None` where an integer of `c` is not below the size of its mode, or the index does not fit `usize`
    /// (`isize` if strides may be negative).
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize>;

    /// Returns true if every integer of `c` is below the size of its mode.
    fn contains<C: IntTuple>(&self, c: C) -> bool;

    /// The coordinate at colexicographic position `index`: `C` is `usize`, or a tuple that follows the shape down to any depth.
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

    /// Every coordinate, in colexicographic order.
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

    /// The extents, where `C` says so the size of a whole mode.
    fn shape<C: Coordinate>(&self) -> C;

    /// The extents of the modes, 1 behind the last.
    fn extents(&self) -> Slots;

    /// The stride of mode `k`, if it has a single one: the distance between the indices of any two neighbours along the mode. If every mode has one, the
    /// index of the integers `c_k` is the index of the first coordinate plus the sum of `c_k * mode_stride(k)`; see [`Affine`](crate::layouts::Affine).
    ///
    /// A nested mode has one where its leaves follow each other, a swizzled layout has none.
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

    /// The least range that is known to hold every index, below 0 where strides are negative; empty for an empty layout.
    ///
    /// It is exact except for swizzles, which may leave gaps at the end of their last block. Fails where an index or the size does not fit `isize`,
    /// where a run-time leaf is out of the range of its type, and where the values are coordinates, which are no indices. Layouts of run-time integers do not check this when they are made; tensors check it here.
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

    /// Whether no two coordinates share an index; `None` where that would take too long to decide.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// assert_eq!(make_layout((Int::<3>, 3), (Int::<2>, 3)).is_injective(), Some(true)); // 0 2 4, 3 5 7, 6 8 10
    /// assert_eq!(make_layout((Int::<3>, 4), (Int::<2>, 2)).is_injective(), Some(false));
    /// ```
    fn is_injective(&self) -> Option<bool>;

    /// `f` of the index of every coordinate, in colexicographic order: nested loops over the leaves, whatever the rank, without a division.
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
                // What is compiled is inlined where it is called once.
                if const { !is_nested::<Self>() } {
                    match self.part() {
                        Some(part) => part.for_each(|sum, _| f(self.image(sum))),
                        None => (0..self.size()).for_each(|k| f(self.crd2idx(k))),
                    }
                }
            }
        }
    }

    /// `f` of the index of every coordinate, in the order that the strides like: the least stride innermost, upwards, and one loop over what lies in a row. Layouts with XOR strides, and
    /// of more than eight loops that do not join, have the order of coordinates.
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
        // Of a constant only one arm is compiled.
        if const { InMemory::<Self>::BY_STRIDE.is_some() } {
            if let Some(loops) = const { &InMemory::<Self>::BY_STRIDE } {
                loops.for_each_of::<InMemory<Self>>(|sum| f(self.image(sum)));
            }
            return;
        }
        match self.loops::<FEW>() {
            Some(loops) => loops.by_stride().for_each(|sum| f(self.image(sum))),
            None => {
                // What is compiled is inlined where it is called once.
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

    /// `f` of every coordinate and its index, in colexicographic order: coordinates are counted, not divided.
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

/// All coordinates of a layout as a part, if it has loops.
#[inline]
pub(crate) fn whole_part<L: Layout>(layout: &L) -> Option<Part> {
    Some(Part::whole(&layout.loops::<MAX_LEAVES>()?, layout.rank(), &layout.extents()))
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

/// The leaves of mode `k`, or a compile error.
#[track_caller]
const fn mode_leaves(pattern: &Pattern, k: usize) -> (usize, usize) {
    let tree = &pattern.lay.tree;
    match tree.mode(tree.root(), k) {
        Some(mode) => (mode.lo, mode.hi),
        None => layout_algebra::error::refuse(LayoutError::plain(Op::Get, Cause::NoSuchMode, k as i64, tree.rank(tree.root()) as i64)),
    }
}
