//! The promises of layouts to tensors, and the macro by which a layout forwards them to the layout that it contains.

use super::coordinate_box::CoordinateBox;
use super::known_steps::KnownSteps;
use super::loops::Loops;
use crate::types::pattern::operand::{Coordinate, Fits, IntTuple, Slots};
use crate::types::pattern::pattern::Pattern;

/// The members of a layout that tensors rely on when they index memory: its constants, its loops, and its promises.
///
/// Programs use [`Layout`](crate::Layout), which extends this trait. This trait is for code that walks elements.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::layouts::{FEW, RawLayout, StaticSwizzle};
/// use layout_core::number::Xor;
/// /// Returns the indices in the order of coordinates, without divisions where there are loops.
/// fn indices<L: Layout>(layout: L) -> Vec<usize> {
///     let mut indices = Vec::new();
///     match layout.loops::<FEW>() {
///         Some(loops) => loops.for_each(|sum| indices.push(layout.image(sum))),
///         None => indices.extend((0..layout.size()).map(|k| layout.image(layout.sum_at(k)))),
///     }
///     indices
/// }
/// let rows = make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>));
/// assert_eq!(indices(rows), [0, 4, 1, 5, 2, 6, 3, 7]);
/// assert_eq!(indices(StaticSwizzle::<1, 0, 2>.composition(rows)), [0, 5, 1, 4, 2, 7, 3, 6]);
/// assert_eq!(indices(make_layout((2, 4), (Xor::<5>, Xor::<1>))), [0, 5, 1, 4, 2, 7, 3, 6]); // no loops
/// ```
///
/// Some numbers follow from the type alone. Others describe how a coordinate stands for the modes:
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::layouts::{MAX_LEAVES, RawLayout, StorageSpan};
/// /// Returns the members that the type alone determines.
/// fn known<L: RawLayout>(_: &L) -> (StorageSpan, Option<bool>, [Option<usize>; 2]) {
///     (L::SPAN, L::INJECTIVE, [L::LOOPS, L::MODES])
/// }
/// let rows = make_layout((Int::<2>, Int::<4>), (Int::<4>, Int::<1>));
/// assert_eq!(known(&rows), (StorageSpan::Elements(8), Some(true), [Some(2); 2]));
/// let nested = make_layout(((2, 2), 4), ((4, 8), Int::<1>));
/// assert_eq!(known(&nested), (StorageSpan::Unknown, None, [Some(3), Some(2)]));
/// /// Returns the notation as far as the type knows it, and the number of loops of step 1.
/// fn text<L: RawLayout>(_: &L) -> (Option<String>, usize) {
///     (L::TYPED.map(|pattern| pattern.layout().to_string()), L::STEPS.known)
/// }
/// assert_eq!(text(&nested), (Some("((?,?),?):((?,?),1)".to_string()), 1));
///
/// // An integer may stand for several modes, which `mode_coordinates` separates.
/// let modes = rows.mode_coordinates(5);
/// assert_eq!((&modes[..2], rows.index_of(&modes)), (&[1, 2][..], 6));
/// // Both loops count the one integer of a `usize`, and one each of a pair.
/// assert_eq!((&rows.places::<usize>()[..2], &rows.places::<(usize, usize)>()[..2]), (&[0, 0][..], &[0, 1][..]));
/// assert_eq!(rows.part().map(|all| all.size()), Some(8));
/// // The numbers that the value has beside its type.
/// let (mut nodes, pitched) = ([0; MAX_LEAVES], make_layout((2, Int::<4>), (10, Int::<1>)));
/// pitched.nodes(&mut nodes);
/// assert_eq!(nodes[..2], [2, 10]);
/// ```
///
/// # Safety
///
/// A type that implements this trait and [`Layout`](crate::Layout) promises for every value:
///
/// * All methods and constants of both traits are functions of the value. `Clone` copies, and copies return the same
///   results, at any time and on any thread.
/// * **Coordinates.** A coordinate has an integer for each of [`Layout::rank`](crate::Layout::rank) modes, each below its
///   entry of [`Layout::extents`](crate::Layout::extents), whose entries behind the last mode are 1.
///   [`Layout::mode_size`](crate::Layout::mode_size) is such an entry. [`Layout::contains`](crate::Layout::contains) is true
///   only for a `c` whose [`RawLayout::mode_coordinates`] are a coordinate; then [`Layout::crd2idx`](crate::Layout::crd2idx)
///   of `c` is [`RawLayout::index_of`] of that coordinate. An integer `k` below [`Layout::size`](crate::Layout::size) is the
///   coordinate at colexicographic position `k`.
/// * **Indices.** If [`Layout::index_range`](crate::Layout::index_range) is `Ok`, [`Layout::size`](crate::Layout::size) is
///   the number of coordinates. It and the product of all extents but 0 fit `isize`, and the index of every coordinate, as
///   an `isize`, lies in the range.
/// * **Sharing.** If [`RawLayout::INJECTIVE`] or [`Layout::is_injective`](crate::Layout::is_injective) is `Some(true)`, no
///   two coordinates share an index.
/// * **Storage.** If [`RawLayout::SPAN`] is [`StorageSpan::Elements`]`(n)`, [`Layout::index_range`](crate::Layout::index_range) is
///   `Ok` and within `0..n`.
/// * **Loops.** [`RawLayout::loops`], if there are any, visit every coordinate once in colexicographic order, and its index
///   is [`RawLayout::image`] of the sum of steps. Each loop counts the integer of one mode. If the numbers of loops and
///   modes are equal, loop `k` counts mode `k`. If [`RawLayout::LOOPS`] is `Some(n)`, there are exactly `n` loops wherever
///   `n` fit. [`RawLayout::MODES`] is the number of modes, if `Some`. `part` visits the coordinates in the same way,
///   [`RawLayout::sum_at`] is the sum at a position, and [`RawLayout::places`] are the integers that the loops count.
/// * **Types.** If [`RawLayout::TYPED`] is `Some(p)`, the layout is `p` with the numbers that [`RawLayout::nodes`] writes:
///   the same coordinates, loops and sums before [`RawLayout::image`].
/// * **Periods.** If [`RawLayout::period`] is `Some(p)`, then `image(sum + k p) = image(sum) + k p`.
/// * **Strides.** If a mode has a [`Layout::mode_stride`](crate::Layout::mode_stride), a step of its integer adds the stride
///   to the index. If every mode has one, an index is the first index plus the sum of integers times strides.
/// * **Equality.** [`RawLayout::same_as`] is true only for layouts of the same coordinates with the same indices. A
///   `PartialEq` promises nothing.
/// * Methods that take a closure call it only for coordinates of the layout, once for each, and not during another call of it.
///
/// These may be wrong without harm to memory: [`Layout::idx2crd`](crate::Layout::idx2crd), [`Layout::shape`](crate::Layout::shape),
/// [`Layout::checked_crd2idx`](crate::Layout::checked_crd2idx), [`RawLayout::outside`] and [`RawLayout::STEPS`].
#[diagnostic::on_unimplemented(message = "`{Self}` is not a layout", label = "make one with `make_layout(shape, stride)` or `layout!`")]
pub unsafe trait RawLayout: Copy {
    /// The span of the storage that the indices need.
    const SPAN: StorageSpan;

    /// The answer of [`Layout::is_injective`](crate::Layout::is_injective), if it is known before the program runs.
    const INJECTIVE: Option<bool>;

    /// The number of [`RawLayout::loops`], if the type alone determines it. Then there are loops.
    const LOOPS: Option<usize> = None;

    /// The number of modes, [`Layout::rank`](crate::Layout::rank), if it is known before the program runs.
    const MODES: Option<usize> = None;

    /// The steps that the type determines.
    const STEPS: KnownSteps = KnownSteps::NONE;

    /// The pattern of a layout type; `None` for other layouts.
    const TYPED: Option<&'static Pattern> = None;

    /// The check that a coordinate of type `C` fits. The methods that users call mention it first, so that its message comes first.
    type Fits<C: IntTuple>: Fits;

    /// Writes the values of the nodes of [`RawLayout::TYPED`].
    #[inline(always)]
    fn nodes(&self, slots: &mut Slots) {
        let _ = slots;
    }

    /// Returns the integer of each mode that `c` stands for. `c` must be inside the shape.
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots;

    /// Returns the index of the coordinate with an integer for each mode. Entries behind the last mode are ignored.
    fn index_of(&self, modes: &Slots) -> usize;

    /// Returns the loops over all coordinates in colexicographic order, the first innermost. Their steps add up to the index before
    /// [`RawLayout::image`]. Returns `None` if coordinates are no box of leaves, for XOR strides, and for more than `N` loops.
    fn loops<const N: usize>(&self) -> Option<Loops<N>>;

    /// Returns all coordinates as a [`CoordinateBox`]: for each mode, the integers from a corner on. Returns `None` if there are no loops.
    fn part(&self) -> Option<CoordinateBox>;

    /// Returns, for each loop, the number (from 0) of the integer of a `C` that it counts. Several loops of one integer are its digits.
    fn places<C: Coordinate>(&self) -> Slots;

    /// Returns the sum of steps at colexicographic position `k`.
    fn sum_at(&self, k: usize) -> usize;

    /// Returns the index for a sum of steps of [`RawLayout::loops`]: the sum itself, or the result of a swizzle on it.
    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        sum
    }

    /// Returns the period: adding a multiple of it to a sum of steps adds the same amount to [`RawLayout::image`]. It is 1
    /// for plain layouts and the block size for swizzled ones. Returns `None` if no period is known.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use layout_core::layouts::{RawLayout, StaticSwizzle};
    /// let rows = make_layout((8, 8), (8, 1));
    /// assert_eq!((rows.period(), StaticSwizzle::<2, 0, 3>.composition(rows).period()), (Some(1), Some(32)));
    /// ```
    #[inline(always)]
    fn period(&self) -> Option<usize> {
        Some(1)
    }

    /// Returns true if `other` is known to have the same coordinates, with the same indices.
    ///
    /// ```
    /// use layout_core::{Int, make_layout};
    /// use layout_core::layouts::RawLayout;
    /// let (a, b) = (make_layout((4, 8), (Int::<1>, 4)), make_layout((4, 8), (Int::<1>, 5)));
    /// assert!(a.same_as(&a) && !a.same_as(&b));
    /// ```
    fn same_as(&self, other: &Self) -> bool;

    /// Panics with the coordinate `c` and the coordinates of the layout.
    ///
    /// ```should_panic
    /// use layout_core::{Layout, make_layout};
    /// use layout_core::layouts::RawLayout;
    /// let (a, c) = (make_layout((2, 4), (4, 1)), (2, 0));
    /// // the coordinate (2,0) is outside of (2,4):(4,1)
    /// a.checked_crd2idx(c).unwrap_or_else(|| a.outside(c));
    /// ```
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> !;
}

/// The storage that a layout needs.
///
/// ```
/// use layout_core::{Int, Strided};
/// use layout_core::layouts::{RawLayout, StorageSpan};
/// use layout_core::number::Neg;
/// assert_eq!(<Strided<(Int<4>, Int<3>), (Int<1>, Int<8>)>>::SPAN, StorageSpan::Elements(20));
/// assert_eq!(<Strided<(Int<4>, Int<3>), (Neg<Int<1>>, Int<8>)>>::SPAN, StorageSpan::Below);
/// assert_eq!(<Strided<(Int<4>, usize), (Int<1>, Int<8>)>>::SPAN, StorageSpan::Unknown);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageSpan {
    /// All indices lie in `0..n` for this number `n`.
    Elements(usize),
    /// A negative stride reaches below the first element.
    Below,
    /// The span is known only at run time.
    Unknown,
}

/// Forwards members of [`Layout`](crate::Layout) and [`RawLayout`] to a field: `forward!(L, field: rank size loops);`.
macro_rules! forward {
    ($inner:ident, $field:tt: $($member:ident)+) => { $(forward!(@ $member $inner $field);)+ };
    (@ SPAN $inner:ident $field:tt) => { const SPAN: $crate::types::StorageSpan = $inner::SPAN; };
    (@ INJECTIVE $inner:ident $field:tt) => { const INJECTIVE: Option<bool> = $inner::INJECTIVE; };
    (@ LOOPS $inner:ident $field:tt) => { const LOOPS: Option<usize> = $inner::LOOPS; };
    (@ STEPS $inner:ident $field:tt) => { const STEPS: $crate::types::KnownSteps = $inner::STEPS; };
    (@ MODES $inner:ident $field:tt) => { const MODES: Option<usize> = $inner::MODES; };
    (@ Fits $inner:ident $field:tt) => { type Fits<C: $crate::types::IntTuple> = $inner::Fits<C>; };
    (@ rank $inner:ident $field:tt) => {
        #[inline(always)]
        fn rank(&self) -> usize {
            self.$field.rank()
        }
    };
    (@ size $inner:ident $field:tt) => {
        #[inline(always)]
        fn size(&self) -> usize {
            self.$field.size()
        }
    };
    (@ mode_size $inner:ident $field:tt) => {
        #[inline(always)]
        fn mode_size<const K: usize>(&self) -> usize {
            self.$field.mode_size::<K>()
        }
    };
    (@ crd2idx $inner:ident $field:tt) => {
        #[inline(always)]
        fn crd2idx<C: $crate::types::IntTuple>(&self, c: C) -> usize {
            let () = <$inner::Fits<C> as $crate::types::Fits>::FITS;
            self.$field.crd2idx(c)
        }
    };
    (@ checked_crd2idx $inner:ident $field:tt) => {
        #[inline(always)]
        fn checked_crd2idx<C: $crate::types::IntTuple>(&self, c: C) -> Option<usize> {
            let () = <$inner::Fits<C> as $crate::types::Fits>::FITS;
            self.$field.checked_crd2idx(c)
        }
    };
    (@ contains $inner:ident $field:tt) => {
        #[inline(always)]
        fn contains<C: $crate::types::IntTuple>(&self, c: C) -> bool {
            let () = <$inner::Fits<C> as $crate::types::Fits>::FITS;
            self.$field.contains(c)
        }
    };
    (@ index_range $inner:ident $field:tt) => {
        #[inline(always)]
        fn index_range(&self) -> $crate::error::Result<core::ops::Range<isize>> {
            self.$field.index_range()
        }
    };
    (@ extents $inner:ident $field:tt) => {
        #[inline(always)]
        fn extents(&self) -> $crate::types::Slots {
            self.$field.extents()
        }
    };
    (@ mode_stride $inner:ident $field:tt) => {
        #[inline(always)]
        fn mode_stride(&self, k: usize) -> Option<isize> {
            self.$field.mode_stride(k)
        }
    };
    (@ idx2crd $inner:ident $field:tt) => {
        #[inline(always)]
        fn idx2crd<C: $crate::types::Coordinate>(&self, index: usize) -> C {
            self.$field.idx2crd(index)
        }
    };
    (@ shape $inner:ident $field:tt) => {
        #[inline(always)]
        fn shape<C: $crate::types::Coordinate>(&self) -> C {
            self.$field.shape()
        }
    };
    (@ mode_coordinates $inner:ident $field:tt) => {
        #[inline(always)]
        fn mode_coordinates<C: $crate::types::IntTuple>(&self, c: C) -> $crate::types::Slots {
            let () = <$inner::Fits<C> as $crate::types::Fits>::FITS;
            self.$field.mode_coordinates(c)
        }
    };
    (@ index_of $inner:ident $field:tt) => {
        #[inline(always)]
        fn index_of(&self, modes: &$crate::types::Slots) -> usize {
            self.$field.index_of(modes)
        }
    };
    (@ loops $inner:ident $field:tt) => {
        #[inline(always)]
        fn loops<const N: usize>(&self) -> Option<$crate::types::Loops<N>> {
            self.$field.loops()
        }
    };
    (@ part $inner:ident $field:tt) => {
        #[inline]
        fn part(&self) -> Option<$crate::types::CoordinateBox> {
            self.$field.part()
        }
    };
    (@ places $inner:ident $field:tt) => {
        #[inline(always)]
        fn places<C: $crate::types::Coordinate>(&self) -> $crate::types::Slots {
            let () = <$inner::Fits<C> as $crate::types::Fits>::FITS;
            self.$field.places::<C>()
        }
    };
    (@ sum_at $inner:ident $field:tt) => {
        #[inline(always)]
        fn sum_at(&self, k: usize) -> usize {
            self.$field.sum_at(k)
        }
    };
    (@ image $inner:ident $field:tt) => {
        #[inline(always)]
        fn image(&self, sum: usize) -> usize {
            self.$field.image(sum)
        }
    };
    (@ period $inner:ident $field:tt) => {
        #[inline(always)]
        fn period(&self) -> Option<usize> {
            self.$field.period()
        }
    };
    (@ same_as $inner:ident $field:tt) => {
        #[inline]
        fn same_as(&self, other: &Self) -> bool {
            self.$field.same_as(&other.$field)
        }
    };
    (@ outside $inner:ident $field:tt) => {
        #[track_caller]
        fn outside<C: $crate::types::IntTuple>(self, c: C) -> ! {
            self.$field.outside(c)
        }
    };
}
pub(crate) use forward;
