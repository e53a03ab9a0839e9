//! Companions of a walk over a tensor: other tensors, coordinates, or nothing.

use super::storage::Storage;
use super::tensor::Tensor;
use crate::types::{Coordinate, Counted, Layout, Loops, Odometer, Runs, Slots, Steps, unroll};
use core::marker::PhantomData;
use core::ptr;

/// The number of loops of two sides, if both have one for every mode; loops agree where extents do. Returns 0 if the number is not known.
pub(super) const fn leafwise(ours: Option<usize>, theirs: Option<usize>) -> usize {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours == theirs && !cfg!(unoptimized) => ours,
        _ => 0,
    }
}

/// Whether two extents are one.
#[inline(always)]
fn equal(ours: &Slots, theirs: &Slots, alike: &mut bool, k: usize) {
    *alike &= ours[k] == theirs[k];
}

/// Whether two layouts have the same extents.
#[cfg_attr(not(unoptimized), inline(always))]
fn are_alike<A: Layout, B: Layout>(a: &A, b: &B) -> bool {
    let (ours, theirs, mut alike) = (a.extents(), b.extents(), true);
    if const { leafwise(one_a_mode::<A>(), one_a_mode::<B>()) > 0 } {
        unroll!(leafwise(one_a_mode::<A>(), one_a_mode::<B>()), equal(&ours, &theirs, &mut alike));
    } else {
        let rank = a.rank().max(b.rank());
        alike = ours[..rank] == theirs[..rank];
    }
    alike
}

/// Number of loops of a layout, if there is one for every mode.
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
pub unsafe trait Alongside: Copy {
    /// The items at one coordinate.
    type Items;

    /// The items along one row.
    type Rows;

    /// The loops, which step to a point for each coordinate.
    type Loops: Steps;

    /// Returns true if every index moves by as much as its sum of steps: [`Layout::period`] is 1.
    fn is_plain(&self) -> bool;

    /// Returns the items at a point. The point holds indices, or with `SUMS` sums of steps, which [`Layout::image`] maps to indices.
    ///
    /// # Safety
    ///
    /// The point belongs to a coordinate inside the tensors.
    unsafe fn items<const SUMS: bool>(&self, at: <Self::Loops as Steps>::Point) -> Self::Items;

    /// Returns the items along `count` steps of the first loop.
    ///
    /// # Safety
    ///
    /// All `count` points belong to coordinates inside the tensors. `is_plain` and [`Steps::is_row`] are true.
    unsafe fn rows(&self, loops: &Self::Loops, at: <Self::Loops as Steps>::Point, count: usize) -> Self::Rows;

    /// Returns the items `k` steps along a row.
    ///
    /// # Safety
    ///
    /// `k` is below the number of steps.
    unsafe fn nth(rows: &Self::Rows, k: usize) -> Self::Items;
}

// SAFETY: reads nothing.
unsafe impl Alongside for () {
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
    unsafe fn rows(&self, (): &(), (): (), _: usize) {}

    #[inline(always)]
    unsafe fn nth((): &(), _: usize) {}
}

/// The coordinates, as of type `C`.
#[derive(Clone, Copy)]
pub(super) struct Coordinates<C>(pub PhantomData<C>);

// SAFETY: reads nothing.
unsafe impl<C: Coordinate> Alongside for Coordinates<C> {
    type Items = C;
    /// The first coordinate, and the difference per step.
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
    unsafe fn rows(&self, loops: &Counted<C>, at: C, _: usize) -> (C, C) {
        (at, loops.step(0))
    }

    #[inline(always)]
    unsafe fn nth((first, step): &(C, C), k: usize) -> C {
        first.plus(*step, k)
    }
}

/// Tensors that a walk reads beside another: a reference to a tensor, or a tuple of two to eight.
///
/// # Safety
///
/// `are_alike` is true only where all have the extents of a layout. Then `beside` gives the loops of each, of the same extents, `odometers` its coordinates, and
/// `indices` its index at a colexicographic position.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be walked beside a tensor",
    label = "a reference to a tensor can, and a tuple of two to eight such references"
)]
pub unsafe trait Beside: Alongside {
    /// The coordinates of each, with the sum of steps of each.
    #[doc(hidden)]
    type Odometers: Runs<Point = <Self::Loops as Steps>::Point>;

    /// The number of loops of each, if all have the same number and one loop for every mode.
    #[doc(hidden)]
    const LOOPS: Option<usize>;

    /// Returns true if all have the extents of a layout.
    #[doc(hidden)]
    fn are_alike<L: Layout>(&self, layout: &L) -> bool;

    /// Says which extents differ from those of a tensor.
    #[doc(hidden)]
    #[track_caller]
    fn differ<S: Storage, L: Layout>(tensor: &Tensor<S, L>, others: Self) -> !;

    /// The loops of each beside those of a layout. With `ALIKE` these are alike, otherwise they are cut where one of them begins anew.
    #[doc(hidden)]
    fn beside<const ALIKE: bool>(&self, loops: Loops) -> Option<(Loops, Self::Loops)>;

    /// All coordinates of each, by digits that begin anew where they do.
    #[doc(hidden)]
    fn odometers(&self) -> Option<Self::Odometers>;

    /// The index of each at a colexicographic position.
    #[doc(hidden)]
    fn indices(&self, position: usize) -> <Self::Loops as Steps>::Point;
}

/// # Safety
///
/// As of [`Alongside::items`].
#[inline(always)]
unsafe fn element<S: Storage, L: Layout, const SUMS: bool>(tensor: &Tensor<S, L>, at: usize) -> &S::Item {
    let index = if SUMS { tensor.layout().image(at) } else { at };
    // SAFETY: the index belongs to a coordinate inside.
    unsafe { &*tensor.storage().origin().wrapping_add(index) }
}

/// The number that all are, if there is one.
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

/// All in pairs: `left!(a, b, c)` is `((a, b), c)`.
macro_rules! left {
    ($one:tt) => { $one };
    ($first:tt, $second:tt $(, $more:tt)*) => { left!(($first, $second) $(, $more)*) };
}

/// The type once for each name, in pairs.
macro_rules! pairs {
    ($type:ident: $one:ident) => { $type };
    ($type:ident: $first:ident $($more:ident)+) => { pairs!($type, $type: $($more)+) };
    ($pairs:ty, $type:ident: $one:ident) => { ($pairs, $type) };
    ($pairs:ty, $type:ident: $first:ident $($more:ident)+) => { pairs!(($pairs, $type), $type: $($more)+) };
}

/// One alone, or several as a tuple.
macro_rules! tuple {
    ($one:tt) => { $one };
    ($($several:tt),+) => { ($($several),+) };
    (type $one:ty) => { $one };
    (type $($several:ty),+) => { ($($several),+) };
}

macro_rules! beside {
    ($(($storage:ident $layout:ident $tensor:ident $index:ident))+) => {
        // SAFETY: reads an element of each tensor at the index of a coordinate that is inside.
        unsafe impl<'a, $($storage: Storage<Item: 'a>, $layout: Layout),+> Alongside for tuple!(type $(&'a Tensor<$storage, $layout>),+) {
            type Items = tuple!(type $(&'a $storage::Item),+);
            type Rows = tuple!(type $(&'a [$storage::Item]),+);
            type Loops = pairs!(Loops: $($storage)+);

            #[inline(always)]
            fn is_plain(&self) -> bool {
                let tuple!($($tensor),+) = *self;
                true $(& ($tensor.layout().period() == Some(1)))+
            }

            #[inline(always)]
            unsafe fn items<const SUMS: bool>(&self, left!($($index),+): <Self::Loops as Steps>::Point) -> Self::Items {
                let tuple!($($tensor),+) = *self;
                // SAFETY: promised by the caller.
                $(let $tensor = unsafe { element::<_, _, SUMS>($tensor, $index) };)+
                tuple!($($tensor),+)
            }

            #[inline(always)]
            unsafe fn rows(&self, _: &Self::Loops, left!($($index),+): <Self::Loops as Steps>::Point, count: usize) -> Self::Rows {
                let tuple!($($tensor),+) = *self;
                // SAFETY: the elements of as many coordinates, one behind the other.
                $(let $tensor = unsafe { &*ptr::slice_from_raw_parts($tensor.storage().origin().wrapping_add($tensor.layout().image($index)), count) };)+
                tuple!($($tensor),+)
            }

            #[inline(always)]
            unsafe fn nth(tuple!($($tensor),+): &Self::Rows, k: usize) -> Self::Items {
                // SAFETY: promised by the caller.
                $(let $tensor = unsafe { &*$tensor.as_ptr().wrapping_add(k) };)+
                tuple!($($tensor),+)
            }
        }

        // SAFETY: where all are alike, each has the extents of the layout, so that the loops of all visit the same coordinates in the same order.
        unsafe impl<'a, $($storage: Storage<Item: 'a>, $layout: Layout),+> Beside for tuple!(type $(&'a Tensor<$storage, $layout>),+) {
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
                let (tuple!($($tensor),+), layout) = (others, tensor.layout());
                let (mut theirs, mut rank) = (layout.extents(), layout.rank());
                $(if !are_alike(&layout, &$tensor.layout()) {
                    (theirs, rank) = ($tensor.layout().extents(), rank.max($tensor.layout().rank()));
                })+
                panic!("tensors of the extents {:?} and {:?} have not the same coordinates", &layout.extents()[..rank], &theirs[..rank])
            }

            #[cfg_attr(not(unoptimized), inline(always))]
            fn beside<const ALIKE: bool>(&self, mut loops: Loops) -> Option<(Loops, Self::Loops)> {
                let tuple!($($tensor),+) = *self;
                if ALIKE {
                    $(let $index = $tensor.layout().loops()?;)+
                    return Some((loops, left!($($index),+)));
                }
                // All are cut before each is cut like them.
                $(loops = loops.refined(&$tensor.layout().loops()?)?.0;)+
                $(let $index = loops.refined(&$tensor.layout().loops()?)?.1;)+
                Some((loops, left!($($index),+)))
            }

            #[inline]
            fn odometers(&self) -> Option<Self::Odometers> {
                let tuple!($($tensor),+) = *self;
                $(let $index = $tensor.layout().part()?.odometer();)+
                Some(left!($($index),+))
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

beside!((A K a i));
beside!((A K a i) (B L b j));
beside!((A K a i) (B L b j) (C M c k));
beside!((A K a i) (B L b j) (C M c k) (D N d l));
beside!((A K a i) (B L b j) (C M c k) (D N d l) (E O e m));
beside!((A K a i) (B L b j) (C M c k) (D N d l) (E O e m) (F P f n));
beside!((A K a i) (B L b j) (C M c k) (D N d l) (E O e m) (F P f n) (G Q g o));
beside!((A K a i) (B L b j) (C M c k) (D N d l) (E O e m) (F P f n) (G Q g o) (H R h p));
