//! Companions of a walk over a tensor: other tensors, coordinates, or nothing.

use super::storage::Storage;
use super::tensor::Tensor;
use crate::types::{Coordinate, Counted, FEW, Layout, Loops, Odometer, Slots, Steps, unroll};
use core::marker::PhantomData;
use core::ptr;

/// Returns the number of loops of two layouts if both numbers are known, equal, and at most [`FEW`]; 0 otherwise, and in unoptimised
/// builds. With one loop for every mode, layouts of equal extents then have loops of equal extents.
pub(super) const fn leafwise(ours: Option<usize>, theirs: Option<usize>) -> usize {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours == theirs && ours <= FEW && !cfg!(unoptimized) => ours,
        _ => 0,
    }
}

/// Clears `alike` if the two extents of mode `k` differ.
#[inline(always)]
fn equal(ours: &Slots, theirs: &Slots, alike: &mut bool, k: usize) {
    *alike &= ours[k] == theirs[k];
}

/// Returns true if two layouts have the same extents in all modes.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn are_alike<A: Layout, B: Layout>(a: &A, b: &B) -> bool {
    let (ours, theirs, mut alike) = (a.extents(), b.extents(), true);
    if const { leafwise(one_a_mode::<A>(), one_a_mode::<B>()) > 0 } {
        unroll!(leafwise(one_a_mode::<A>(), one_a_mode::<B>()), equal(&ours, &theirs, &mut alike));
    } else {
        let rank = a.rank().max(b.rank());
        alike = ours[..rank] == theirs[..rank];
    }
    alike
}

/// Panics if two layouts have different extents.
#[track_caller]
pub(super) fn refuse_unlike<A: Layout, B: Layout>(a: &A, b: &B) {
    if are_alike(a, b) {
        return;
    }
    let ((ours, rank), (theirs, other)) = ((a.extents(), a.rank()), (b.extents(), b.rank()));
    let may_repeat = rank > other || rank == other && (0..rank).all(|k| ours[k] == theirs[k] || theirs[k] == 1);
    let way = if may_repeat { ": `broadcast` says along which modes the elements repeat" } else { "" };
    panic!("tensors of the extents {:?} and {:?} have not the same coordinates{way}", &ours[..rank], &theirs[..other])
}

/// Returns the number of loops of a layout type, or `None` unless the type shows that every mode has one loop.
pub(super) const fn one_a_mode<L: Layout>() -> Option<usize> {
    match (L::LOOPS, L::MODES) {
        (Some(loops), Some(modes)) if loops == modes => Some(loops),
        _ => None,
    }
}

/// A companion that a walk carries beside the elements of a tensor.
///
/// # Safety
///
/// `items`, `rows` and `nth` access only elements that the caller promises in the `# Safety` section of each.
#[doc(hidden)]
pub unsafe trait Companion: Copy {
    /// The type of the items at one coordinate.
    type Items;

    /// The type of the items along one row.
    type Rows;

    /// The type of the loops, which step to a point for each coordinate.
    type Loops: Steps;

    /// The set of tensors whose types allow steps of 0: bit `k` for tensor `k`. Rows that repeat its element have a loop of their own.
    const REPEATS: u32 = 0;

    /// Returns true if indices differ by exactly as much as their sums of steps: [`RawLayout::period`] is 1.
    fn is_plain(&self) -> bool;

    /// Returns the items at a point: indices or, if `SUMS` is true, sums of steps, which [`RawLayout::image`] maps to indices.
    ///
    /// # Safety
    ///
    /// The point belongs to a coordinate inside the tensors.
    unsafe fn items<const SUMS: bool>(&self, at: <Self::Loops as Steps>::Point) -> Self::Items;

    /// Returns the items along `count` steps of the first loop from the point `at` on. Its step is 0 in the tensors of the bits `REPEATED`.
    ///
    /// # Safety
    ///
    /// All `count` points belong to coordinates inside the tensors. `is_plain` is true, and [`Steps::repeated`] is `REPEATED`.
    unsafe fn rows<const REPEATED: u32>(&self, loops: &Self::Loops, at: <Self::Loops as Steps>::Point, count: usize) -> Self::Rows;

    /// Returns the items at step `k` of a row, from 0.
    ///
    /// # Safety
    ///
    /// `k` is below the number of steps.
    unsafe fn nth<const REPEATED: u32>(rows: &Self::Rows, k: usize) -> Self::Items;
}

// SAFETY: reads nothing.
unsafe impl Companion for () {
    type Items = ();
    type Rows = ();
    type Loops = ();

    #[inline(always)]
    fn is_plain(&self) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn items<const SUMS: bool>(&self, (): ()) {}

    #[inline(always)]
    unsafe fn rows<const REPEATED: u32>(&self, (): &(), (): (), _: usize) {}

    #[inline(always)]
    unsafe fn nth<const REPEATED: u32>((): &(), _: usize) {}
}

/// The companion that supplies coordinates of type `C`.
#[derive(Clone, Copy)]
pub(super) struct Coordinates<C>(pub PhantomData<C>);

// SAFETY: reads nothing.
unsafe impl<C: Coordinate> Companion for Coordinates<C> {
    type Items = C;
    /// The first coordinate, and the difference for each step.
    type Rows = (C, C);
    type Loops = Counted<C>;

    #[inline(always)]
    fn is_plain(&self) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn items<const SUMS: bool>(&self, at: C) -> C {
        at
    }

    #[inline(always)]
    unsafe fn rows<const REPEATED: u32>(&self, loops: &Counted<C>, at: C, _: usize) -> (C, C) {
        (at, loops.step(0))
    }

    #[inline(always)]
    unsafe fn nth<const REPEATED: u32>((first, step): &(C, C), k: usize) -> C {
        first.plus(*step, k)
    }
}

/// The companions of a walk: a reference to a tensor, a tuple of two to eight of these, or a reference to an array of tensors.
///
/// ```
/// use layout_core::{Int, Layout, Tensor, make_layout};
/// use layout_core::tensor::{CompanionTensors, Storage};
/// /// Counts the coordinates for which `test` is true of the elements of all tensors.
/// fn count<S: Storage, L: Layout, O: CompanionTensors>(t: &Tensor<S, L>, others: O, test: impl Fn(&S::Item, O::Items) -> bool) -> usize {
///     let mut count = 0;
///     t.zip(others, |x, items| count += test(x, items) as usize);
///     count
/// }
/// let a = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
/// let b = Tensor::new(&[1, 4, 2, 0, 0, 0], make_layout((2, 3), (Int::<1>, 2)))?;
/// assert_eq!(count(&a, &b, |x, y| x == y), 3);
/// assert_eq!(count(&a, (&a, &b), |x, (y, z)| x + y > 2 * z), 3);
/// assert_eq!(count(&a, &[b, b, b], |x, [y, ..]| x == y), 3);
/// # Ok::<(), layout_core::TensorError>(())
/// ```
///
/// # Safety
///
/// `are_alike` is true only if all have the extents of a layout. Then `companion_loops` writes the loops of each, with the same
/// extents, `odometers` returns the coordinates of each, and `indices` the index of each at a colexicographic position.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be walked beside a tensor",
    label = "a reference to a tensor can, a reference to an array of tensors, and a tuple of two to eight references to tensors"
)]
pub unsafe trait CompanionTensors: Companion {
    /// The type of the odometers, one for each tensor.
    #[doc(hidden)]
    type Odometers;

    /// The number of loops of each tensor, or `None` unless all have the same number, with one loop for every mode.
    #[doc(hidden)]
    const LOOPS: Option<usize>;

    /// Returns true if all tensors have the extents of `layout`.
    #[doc(hidden)]
    fn are_alike<L: Layout>(&self, layout: &L) -> bool;

    /// Panics with the extents of the first of `others` that differ from the extents of `tensor`.
    #[doc(hidden)]
    #[track_caller]
    fn differ<S: Storage, L: Layout>(tensor: &Tensor<S, L>, others: Self) -> !;

    /// Returns empty loops for each tensor, which `companion_loops` overwrites.
    #[doc(hidden)]
    fn room() -> Self::Loops;

    /// Writes the loops of each tensor to `theirs`, to be run with the loops `ours` of a layout. If `ALIKE` is true, all extents agree
    /// already; otherwise all loops, `ours` too, are split so that they do. Returns false if a tensor has no such loops.
    #[doc(hidden)]
    fn companion_loops<const ALIKE: bool>(&self, ours: &mut Loops<FEW>, theirs: &mut Self::Loops) -> bool;

    /// Returns an odometer over all coordinates of each tensor, or `None` if a tensor has no loops.
    #[doc(hidden)]
    fn odometers(&self) -> Option<Self::Odometers>;

    /// Shortens `len` by [`Odometer::straight`] of each tensor in turn. If the result is `len`, the range lies in one box of each tensor.
    #[doc(hidden)]
    fn straight(all: &Self::Odometers, mode: usize, at: usize, len: usize) -> usize;

    /// Writes the loops of each tensor over a box to `theirs`, see [`Odometer::loops`]. Returns false if that is impossible for one.
    #[doc(hidden)]
    fn box_loops(all: &Self::Odometers, from: &Slots, count: &Slots, ours: &mut Loops<FEW>, theirs: &mut Self::Loops) -> bool;

    /// Returns the number of coordinates before the steps of any tensor change; 0 at the end.
    #[doc(hidden)]
    fn run(all: &Self::Odometers) -> usize;

    /// Returns the sums of steps `k` coordinates ahead, for `k` at most [`CompanionTensors::run`].
    #[doc(hidden)]
    fn point(all: &Self::Odometers, k: usize) -> <Self::Loops as Steps>::Point;

    /// Advances by `count` coordinates, at most [`CompanionTensors::run`].
    #[doc(hidden)]
    fn advance(all: &mut Self::Odometers, count: usize);

    /// Returns the index of each tensor at a colexicographic position, from 0.
    #[doc(hidden)]
    fn indices(&self, position: usize) -> <Self::Loops as Steps>::Point;
}

/// Returns the element at index `at`, or with `SUMS` at the sum of steps `at`.
///
/// # Safety
///
/// The promises of [`Companion::items`] hold.
#[inline(always)]
pub(super) unsafe fn element<S: Storage, L: Layout, const SUMS: bool>(tensor: &Tensor<S, L>, at: usize) -> &S::Item {
    let index = if SUMS { tensor.layout().image(at) } else { at };
    // SAFETY: the index belongs to a coordinate inside.
    unsafe { &*tensor.storage().origin().wrapping_add(index) }
}

/// Returns the number in all entries, or `None` if an entry has none or two numbers differ.
const fn common(loops: &[Option<usize>]) -> Option<usize> {
    let Some(first) = loops[0] else { return None };
    let mut k = 1;
    while k < loops.len() {
        if !matches!(loops[k], Some(other) if other == first) {
            return None;
        }
        k += 1;
    }
    Some(first)
}

/// Nests its arguments in pairs: `left!(a, b, c)` is `((a, b), c)`.
macro_rules! left {
    ($one:tt) => { $one };
    ($first:tt, $second:tt $(, $more:tt)*) => { left!(($first, $second) $(, $more)*) };
}

/// Repeats the type once for each name, nested in pairs.
macro_rules! pairs {
    ($type:ident: $one:ident) => { $type };
    ($type:ident: $first:ident $($more:ident)+) => { pairs!($type, $type: $($more)+) };
    ($pairs:ty, $type:ident: $one:ident) => { ($pairs, $type) };
    ($pairs:ty, $type:ident: $first:ident $($more:ident)+) => { pairs!(($pairs, $type), $type: $($more)+) };
}

/// Expands to a single entry as it is, and to several as a tuple.
macro_rules! tuple {
    ($one:tt) => { $one };
    ($($several:tt),+) => { ($($several),+) };
    (type $one:ty) => { $one };
    (type $($several:ty),+) => { ($($several),+) };
}

/// Writes the loops of a layout to `theirs`. Returns false if there are none, or more than `FEW`.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn write<L: Layout>(layout: &L, theirs: &mut Loops<FEW>) -> bool {
    layout.loops().is_some_and(|loops| {
        *theirs = loops;
        true
    })
}

/// Splits `ours` and the loops of a layout, which go to `theirs`, so that their extents agree. Returns false if this is impossible.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn cut<L: Layout>(ours: &mut Loops<FEW>, layout: &L, theirs: &mut Loops<FEW>) -> bool {
    layout.loops().and_then(|loops| ours.refined(&loops)).is_some_and(|cut| {
        (*ours, *theirs) = cut;
        true
    })
}

/// The loops of one tensor.
type FewLoops = Loops<FEW>;

/// Returns true if the bit number `bit` is set.
const fn is_repeated<const REPEATED: u32>(bit: u32) -> bool {
    REPEATED >> bit & 1 == 1
}

/// Returns `count` contiguous elements as a slice.
///
/// # Safety
///
/// Each of the `count` elements from the sum of steps `sum` on belongs to a coordinate inside, and the layout is plain.
#[inline(always)]
pub(super) unsafe fn row<S: Storage, L: Layout>(tensor: &Tensor<S, L>, sum: usize, count: usize) -> &[S::Item] {
    // SAFETY: the caller promises this.
    unsafe { &*ptr::slice_from_raw_parts(tensor.storage().origin().wrapping_add(tensor.layout().image(sum)), count) }
}

macro_rules! companions {
    ($(($storage:ident $layout:ident $tensor:ident $index:ident $bit:literal))+) => {
        // SAFETY: each method reads an element of each tensor at the index of a coordinate that is inside.
        unsafe impl<'a, $($storage: Storage<Item: 'a>, $layout: Layout),+> Companion for tuple!(type $(&'a Tensor<$storage, $layout>),+) {
            type Items = tuple!(type $(&'a $storage::Item),+);
            type Rows = tuple!(type $(&'a [$storage::Item]),+);
            type Loops = pairs!(FewLoops: $($storage)+);

            const REPEATS: u32 = 0 $(| ($layout::STEPS.repeats as u32) << $bit)+;

            #[inline(always)]
            fn is_plain(&self) -> bool {
                let tuple!($($tensor),+) = *self;
                true $(& ($tensor.layout().period() == Some(1)))+
            }

            #[inline(always)]
            unsafe fn items<const SUMS: bool>(&self, left!($($index),+): <Self::Loops as Steps>::Point) -> Self::Items {
                let tuple!($($tensor),+) = *self;
                // SAFETY: the caller promises this.
                $(let $tensor = unsafe { element::<_, _, SUMS>($tensor, $index) };)+
                tuple!($($tensor),+)
            }

            #[inline(always)]
            unsafe fn rows<const REPEATED: u32>(&self, _: &Self::Loops, left!($($index),+): <Self::Loops as Steps>::Point, count: usize) -> Self::Rows {
                let tuple!($($tensor),+) = *self;
                // SAFETY: the elements of `count` coordinates are contiguous, or all are the same element.
                $(let $tensor = unsafe { row($tensor, $index, if is_repeated::<REPEATED>($bit) { 1 } else { count }) };)+
                tuple!($($tensor),+)
            }

            #[inline(always)]
            unsafe fn nth<const REPEATED: u32>(tuple!($($tensor),+): &Self::Rows, k: usize) -> Self::Items {
                // SAFETY: the caller promises this.
                $(let $tensor = unsafe { &*$tensor.as_ptr().wrapping_add(if is_repeated::<REPEATED>($bit) { 0 } else { k }) };)+
                tuple!($($tensor),+)
            }
        }

        // SAFETY: if all are alike, each has the extents of the layout, and the loops of all visit the same coordinates in the same order.
        unsafe impl<'a, $($storage: Storage<Item: 'a>, $layout: Layout),+> CompanionTensors for tuple!(type $(&'a Tensor<$storage, $layout>),+) {
            type Odometers = pairs!(Odometer: $($storage)+);

            const LOOPS: Option<usize> = common(&[$(one_a_mode::<$layout>()),+]);

            #[cfg_attr(not(unoptimized), inline(always))]
            fn are_alike<Of: Layout>(&self, layout: &Of) -> bool {
                let tuple!($($tensor),+) = *self;
                true $(&& are_alike(layout, &$tensor.layout()))+
            }

            #[cold]
            #[inline(never)]
            #[track_caller]
            fn differ<Of: Storage, By: Layout>(tensor: &Tensor<Of, By>, others: Self) -> ! {
                let tuple!($($tensor),+) = others;
                $(refuse_unlike(&tensor.layout(), &$tensor.layout());)+
                unreachable!()
            }

            #[cfg_attr(not(unoptimized), inline(always))]
            fn room() -> Self::Loops {
                $(let $index = Loops::new(0);)+
                left!($($index),+)
            }

            #[cfg_attr(not(unoptimized), inline(always))]
            fn companion_loops<const ALIKE: bool>(&self, ours: &mut Loops<FEW>, theirs: &mut Self::Loops) -> bool {
                let (tuple!($($tensor),+), left!($($index),+)) = (*self, theirs);
                if ALIKE {
                    return true $(&& write(&$tensor.layout(), $index))+;
                }
                // Cut `ours` by every layout first, and then cut each layout like `ours`.
                true $(&& cut(ours, &$tensor.layout(), $index))+ $(&& cut(ours, &$tensor.layout(), $index))+
            }

            #[inline]
            fn odometers(&self) -> Option<Self::Odometers> {
                let tuple!($($tensor),+) = *self;
                $(let $index = $tensor.layout().part()?.odometer();)+
                Some(left!($($index),+))
            }

            fn straight(left!($($tensor),+): &Self::Odometers, mode: usize, at: usize, mut len: usize) -> usize {
                $(len = $tensor.straight(mode, at, len);)+
                len
            }

            fn box_loops(left!($($tensor),+): &Self::Odometers, from: &Slots, count: &Slots, ours: &mut Loops<FEW>, left!($($index),+): &mut Self::Loops) -> bool {
                true $(&& $tensor.loops(from, count, ours, $index))+
            }

            #[inline]
            fn run(left!($($tensor),+): &Self::Odometers) -> usize {
                usize::MAX$(.min($tensor.run()))+
            }

            #[inline(always)]
            fn point(left!($($tensor),+): &Self::Odometers, k: usize) -> <Self::Loops as Steps>::Point {
                $(let $index = $tensor.point(k);)+
                left!($($index),+)
            }

            #[inline]
            fn advance(left!($($tensor),+): &mut Self::Odometers, count: usize) {
                $($tensor.advance(count);)+
            }

            #[inline]
            fn indices(&self, position: usize) -> <Self::Loops as Steps>::Point {
                let tuple!($($tensor),+) = *self;
                $(let $index = $tensor.layout().crd2idx(position);)+
                left!($($index),+)
            }
        }
    };
}

companions!((A K a i 0));
companions!((A K a i 0) (B L b j 1));
companions!((A K a i 0) (B L b j 1) (C M c k 2));
companions!((A K a i 0) (B L b j 1) (C M c k 2) (D N d l 3));
companions!((A K a i 0) (B L b j 1) (C M c k 2) (D N d l 3) (E O e m 4));
companions!((A K a i 0) (B L b j 1) (C M c k 2) (D N d l 3) (E O e m 4) (F P f n 5));
companions!((A K a i 0) (B L b j 1) (C M c k 2) (D N d l 3) (E O e m 4) (F P f n 5) (G Q g o 6));
companions!((A K a i 0) (B L b j 1) (C M c k 2) (D N d l 3) (E O e m 4) (F P f n 5) (G Q g o 6) (H R h p 7));
