//! The trait that kernels take.

use super::evaluate::{self, Checked, Fits, Index, Modes};
use super::loops::{FEW, Loops};
use super::operand::{Coordinate, Descriptor, IntTuple, MAX_LEAVES, Slots};
use super::part::Part;
use super::pattern::Pattern;
use super::typed_layout::{TypedLayout, evaluated, same};
use super::walk::{InMemory, KnownSteps, PerInteger, Walk, is_nested};
use core::ops::Range;
use layout_algebra::algebra::injective::injective;
use layout_algebra::error::{Cause, LayoutError, Op, Result, Text};

/// A function from coordinates to indices, as kernels take it: layout types, hoisted, swizzled and composed ones, and [`DynLayout`](layout_algebra::DynLayout).
///
/// ```
/// use layout_core::{DynLayout, Int, Layout, StaticSwizzle, TypedLayout, make_layout};
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
/// which a `Vec` can hold as well; see [layouts in structs and collections](https://github.com/crd2idx/crd2idx/blob/main/docs/structs.md). Constants call
/// [`const_index`](crate::const_index) for an index, and have the sizes as [`TypedLayout::SIZE`] and [`TypedLayout::COSIZE`].
#[diagnostic::on_unimplemented(message = "`{Self}` is not a layout", label = "make one with `make_layout(shape, stride)` or `layout!`")]
///
/// # Safety
///
/// Tensors rely on a layout when they index memory. An implementation promises for every value:
///
/// * All methods and constants are functions of the value. `Clone` copies, and copies return the same results, at any time and on any thread.
/// * **Coordinates.** A coordinate has an integer for each of [`Layout::rank`] modes, each below its entry of [`Layout::extents`], which are 1 behind the last
///   mode. [`Layout::mode_size`] is such an entry. [`Layout::contains`] is true only for a `c` whose [`Layout::mode_coordinates`] are a coordinate; then
///   [`Layout::crd2idx`] of `c` is [`Layout::index_of`] of that coordinate. An integer `k` below [`Layout::size`] is the coordinate at colexicographic
///   position `k`.
/// * **Indices.** If [`Layout::index_range`] is `Ok`, [`Layout::size`] is the number of coordinates. It and the product of all extents but 0 fit `isize`, and
///   the index of every coordinate, as an `isize`, lies in the range.
/// * **Sharing.** If [`Layout::INJECTIVE`] or [`Layout::is_injective`] is `Some(true)`, no two coordinates share an index.
/// * **Storage.** If [`Layout::SPAN`] is [`Span::Elements`]`(n)`, [`Layout::index_range`] is `Ok` and within `0..n`.
/// * **Loops.** [`Layout::loops`], if there are any, visit every coordinate once in colexicographic order, and its index is [`Layout::image`] of the sum of
///   steps. Each loop counts the integer of one mode. If the numbers of loops and modes are equal, loop `k` counts mode `k`. If [`Layout::LOOPS`] is `Some(n)`, there are `n` loops, whatever has room for them;
///   [`Layout::MODES`] is the number of modes, if `Some`. `part` visits the coordinates in the same way,
///   [`Layout::sum_at`] is the sum at a position, and [`Layout::places`] are the integers that the loops count.
/// * **Periods.** If [`Layout::period`] is `Some(p)`, then `image(sum + k p) = image(sum) + k p`.
/// * **Strides.** If a mode has a [`Layout::mode_stride`], a step of its integer adds the stride to the index. If every mode has one, an index is the first
///   index plus the sum of integers times strides.
/// * **Equality.** [`Layout::same_as`] is true only for layouts of the same coordinates with the same indices. A `PartialEq` promises nothing.
/// * Methods that take a closure call it only for coordinates of the layout, once for each, and not during another call of it.
///
/// [`Layout::idx2crd`], [`Layout::shape`], [`Layout::checked_crd2idx`] and `outside` may be wrong without harm to memory.
pub unsafe trait Layout: Copy {
    /// What storage the indices need.
    const SPAN: Span;

    /// [`Layout::is_injective`] where it is known before the program runs.
    const INJECTIVE: Option<bool>;

    /// Number of [`Layout::loops`], which there are, if it is known before the program runs.
    const LOOPS: Option<usize> = None;

    /// The steps that the type knows.
    #[doc(hidden)]
    const STEPS: KnownSteps = KnownSteps::NONE;

    /// [`Layout::rank`], if it is known before the program runs.
    const MODES: Option<usize> = None;
    /// The pattern of a layout type.
    #[doc(hidden)]
    const TYPED: Option<&'static Pattern> = None;

    /// Writes the values of the nodes of [`Layout::TYPED`].
    #[doc(hidden)]
    #[inline(always)]
    fn nodes(&self, slots: &mut Slots) {
        let _ = slots;
    }

    /// Fails the build where a coordinate of type `C` does not fit. What users call mentions it first.
    #[doc(hidden)]
    type Fits<C: IntTuple>: Fits;

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

    /// The least range that is known to hold every index, below 0 where strides are negative; empty for an empty layout.
    ///
    /// It is exact except for swizzles, which may leave gaps at the end of their last block. Fails where an index or the size does not fit `isize`,
    /// where a run-time leaf is out of the range of its type, and where the values are coordinates, which are no indices. Layouts of run-time integers do not check this when they are made; tensors check it here.
    ///
    /// ```
    /// use layout_core::{Int, Layout, Signed, make_layout};
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

    /// The extents of the modes, 1 behind the last.
    fn extents(&self) -> Slots;

    /// The integer of each mode that `c` stands for: `c` is inside the shape.
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots;

    /// The index of the coordinate with an integer for each mode; those behind the last mode are not looked at.
    fn index_of(&self, modes: &Slots) -> usize;

    /// The loops over all coordinates in colexicographic order, the first innermost, and their steps in the index before [`Layout::image`].
    /// `None` where the coordinates are no box of leaves, or there are more than `N` loops.
    fn loops<const N: usize>(&self) -> Option<Loops<N>>;

    /// The coordinates as some of those that loops over leaves visit, the integers of each mode from a corner on. `None` where there are no loops.
    #[doc(hidden)]
    #[inline]
    fn part(&self) -> Option<Part> {
        Some(Part::whole(&self.loops::<MAX_LEAVES>()?, self.rank(), &self.extents()))
    }

    /// For each loop of [`Layout::loops`] the integer of a coordinate of type `C` that it counts; several loops of one integer are its digits.
    fn places<C: Coordinate>(&self) -> Slots;

    /// The sum of steps at colexicographic position `k`.
    #[inline(always)]
    fn sum_at(&self, k: usize) -> usize {
        self.crd2idx(k)
    }

    /// The index from the sum of steps of [`Layout::loops`]: what a swizzle makes of it, otherwise that sum.
    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        sum
    }

    /// The number of which a multiple added to the sum of steps is added to [`Layout::image`]: 1 but for swizzles, of which it is the block that they
    /// move elements in. `None` where none is known.
    ///
    /// ```
    /// use layout_core::{Int, Layout, StaticSwizzle, make_layout};
    /// let rows = make_layout((8, 8), (8, 1));
    /// assert_eq!((rows.period(), StaticSwizzle::<2, 0, 3>.composition(rows).period()), (Some(1), Some(32)));
    /// ```
    #[inline(always)]
    fn period(&self) -> Option<usize> {
        Some(1)
    }

    /// The stride of mode `k`, if it has a single one: the distance between the indices of any two neighbours along the mode. If every mode has one, the
    /// index of the integers `c_k` is the index of the first coordinate plus the sum of `c_k * mode_stride(k)`; see [`Affine`](super::Affine).
    ///
    /// A nested mode has one where its leaves follow each other, a swizzled layout has none.
    ///
    /// ```
    /// use layout_core::{Int, Layout, StaticSwizzle, make_layout};
    /// let l = make_layout(((2, 4), (3, 5)), ((3, 6), (1, 24)));
    /// assert_eq!((l.mode_stride(0), l.mode_stride(1)), (Some(3), None));
    /// assert_eq!(StaticSwizzle::<3, 0, 3>.composition(make_layout((8, 8), (8, 1))).mode_stride(0), None);
    /// ```
    fn mode_stride(&self, k: usize) -> Option<isize> {
        let _ = k;
        None
    }

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

    /// The extents, where `C` says so the size of a whole mode.
    fn shape<C: Coordinate>(&self) -> C;

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
    /// use layout_core::{Layout, Signed, make_layout};
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

    /// Returns true if `other` is known to have the same coordinates, with the same indices.
    ///
    /// The default returns true only for types that store nothing.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout};
    /// let (a, b) = (make_layout((4, 8), (Int::<1>, 4)), make_layout((4, 8), (Int::<1>, 5)));
    /// assert!(a.same_as(&a) && !a.same_as(&b));
    /// ```
    fn same_as(&self, other: &Self) -> bool {
        let _ = other;
        size_of::<Self>() == 0
    }

    /// Says that `c` is outside.
    #[doc(hidden)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> !;
}

/// What storage a layout needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// Indices are below this number.
    Elements(usize),
    /// A negative stride reaches below the first element.
    Below,
    /// Known only at run time.
    Unknown,
}

// SAFETY: all methods evaluate constant tables of one pattern over the values of its nodes, which `TypedLayout` promises; the algebra's laws are tested by
// enumeration. `index_range` checks the signs of leaves, and the size and the indices for overflow.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout> Layout for L {
    const SPAN: Span = {
        let () = L::VALID;
        span(L::PATTERN, L::COSIZE)
    };

    const INJECTIVE: Option<bool> = {
        let () = L::VALID;
        injective(&L::PATTERN.lay)
    };

    const LOOPS: Option<usize> = if L::PATTERN.lay.has_xor() { None } else { Some(L::LEAVES) };
    const STEPS: KnownSteps = KnownSteps::of(L::PATTERN);
    const MODES: Option<usize> = Some(L::RANK);

    const TYPED: Option<&'static Pattern> = Some(L::PATTERN);

    #[inline(always)]
    fn nodes(&self, slots: &mut Slots) {
        self.slots(slots);
    }

    type Fits<C: IntTuple> = Index<L, C>;

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

    #[inline(always)]
    fn extents(&self) -> Slots {
        let () = L::VALID;
        evaluate::mode_extents(self)
    }

    #[inline(always)]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::mode_coordinates(self, &c)
    }

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        let () = L::VALID;
        evaluate::index_of(self, modes)
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        let () = <Modes<L, C> as Fits>::FITS;
        evaluate::places::<L, C>()
    }

    #[inline(always)]
    fn loops<const N: usize>(&self) -> Option<Loops<N>> {
        let () = L::VALID;
        // What is exchanged takes no steps.
        if const { L::PATTERN.lay.has_xor() } { None } else { evaluate::loops(self) }
    }

    #[inline]
    fn mode_stride(&self, k: usize) -> Option<isize> {
        let tree = &L::PATTERN.lay.tree;
        let mode = tree.mode(tree.root(), k)?;
        self.loops::<MAX_LEAVES>()?.merged(mode.lo..mode.hi)
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

    fn same_as(&self, other: &Self) -> bool {
        same(self, other)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut slots, mut inputs) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        self.slots(&mut slots);
        c.gather(&mut inputs, 0);
        refuse_coordinate(L::PATTERN, &slots, &C::DESCRIPTOR, &inputs)
    }
}
/// The storage of a layout with this cosize.
const fn span(pattern: &Pattern, cosize: Option<usize>) -> Span {
    let l = &pattern.lay;
    let mut k = 0;
    while k < l.len() {
        if matches!(l.scale(k).value(), Some(stride) if stride < 0) && l.shape[k] > 1 {
            return Span::Below;
        }
        k += 1;
    }
    match cosize {
        // Run-time extents with stride 0 do not change the span, but the size is unknown.
        Some(cosize) if pattern.scope.len == 0 => Span::Elements(cosize),
        _ => Span::Unknown,
    }
}

/// Says that a coordinate is outside of a layout.
#[cold]
#[track_caller]
fn refuse_coordinate(pattern: &Pattern, slots: &Slots, form: &Descriptor, inputs: &Slots) -> ! {
    let mut text = Text::<512>::EMPTY;
    form.write(inputs, &mut 0, &mut text);
    match evaluated::<MAX_LEAVES>(pattern, slots) {
        Ok(layout) => panic!("the coordinate {} is outside of {layout}", text.as_str()),
        Err(_) => panic!("the coordinate {} is outside of the layout", text.as_str()),
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
