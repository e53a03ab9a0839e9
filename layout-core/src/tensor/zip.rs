//! Walks over several tensors at once, of the same extents and any layouts.

use super::storage::{Storage, StorageMut};
use super::tensor::Tensor;
use crate::types::{Layout, Loops, Odometer, Runs, Slots, Steps, unroll};

/// How many loops two sides have, if each has one for every mode: those agree where the extents do. 0 where that is not known.
const fn leafwise(ours: Option<usize>, theirs: Option<usize>) -> usize {
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

/// What a walk over a tensor takes along, to be read: another tensor, by reference, or a tuple of two to four.
///
/// # Safety
///
/// `are_alike` is true only where all have the extents of a layout. Then `beside` gives the loops of each, of the same extents, and `indices` the index of each
/// at a colexicographic position.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be walked beside a tensor",
    label = "a reference to a tensor can, and a tuple of two to four such references"
)]
pub unsafe trait Beside: Copy {
    /// A reference to an element of each.
    type Items;

    /// The loops of each, which step to an integer for each.
    #[doc(hidden)]
    type Loops: Steps;

    /// The coordinates of each, with the sum of steps of each.
    #[doc(hidden)]
    type Odometers: Runs<Point = <Self::Loops as Steps>::Point>;

    /// How many loops each has, if all have as many, one for every mode.
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

    /// The element of each at its index, or with `SUMS` at the image of its sum of steps.
    ///
    /// # Safety
    ///
    /// They are those of coordinates that are inside.
    #[doc(hidden)]
    unsafe fn items<const SUMS: bool>(&self, indices: <Self::Loops as Steps>::Point) -> Self::Items;
}

/// # Safety
///
/// As of [`Beside::items`].
#[inline(always)]
unsafe fn element<S: Storage, L: Layout, const SUMS: bool>(tensor: &Tensor<S, L>, at: usize) -> &S::Item {
    let index = if SUMS { tensor.layout().image(at) } else { at };
    // SAFETY: the index of a coordinate that is inside.
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

macro_rules! beside {
    ($($tensors:tt: $type:ty => $items:ty, $indices:tt: $loops:ty, $odometers:ty; $($storage:ident $layout:ident $tensor:ident $index:ident),+;)*) => { $(
        // SAFETY: where all are alike, each has the extents of the layout, so that the loops of all visit the same coordinates in the same order.
        unsafe impl<'a, $($storage: Storage<Item: 'a>, $layout: Layout),+> Beside for $type {
            type Items = $items;
            type Loops = $loops;
            type Odometers = $odometers;

            const LOOPS: Option<usize> = common(&[$(one_a_mode::<$layout>()),+]);

            #[cfg_attr(not(unoptimized), inline(always))]
            fn are_alike<Of: Layout>(&self, layout: &Of) -> bool {
                let $tensors = *self;
                true $(&& are_alike(layout, &$tensor.layout()))+
            }

            #[cold]
            #[inline(never)]
            #[track_caller]
            fn differ<Of: Storage, By: Layout>(tensor: &Tensor<Of, By>, others: Self) -> ! {
                let ($tensors, layout) = (others, tensor.layout());
                let (mut theirs, mut rank) = (layout.extents(), layout.rank());
                $(if !are_alike(&layout, &$tensor.layout()) {
                    (theirs, rank) = ($tensor.layout().extents(), rank.max($tensor.layout().rank()));
                })+
                panic!("tensors of the extents {:?} and {:?} have not the same coordinates", &layout.extents()[..rank], &theirs[..rank])
            }

            #[cfg_attr(not(unoptimized), inline(always))]
            fn beside<const ALIKE: bool>(&self, mut loops: Loops) -> Option<(Loops, $loops)> {
                let $tensors = *self;
                if ALIKE {
                    $(let $index = $tensor.layout().loops()?;)+
                    return Some((loops, $indices));
                }
                // All are cut before each is cut like them.
                $(loops = loops.refined(&$tensor.layout().loops()?)?.0;)+
                $(let $index = loops.refined(&$tensor.layout().loops()?)?.1;)+
                Some((loops, $indices))
            }

            #[inline]
            fn odometers(&self) -> Option<$odometers> {
                let $tensors = *self;
                $(let $index = $tensor.layout().part()?.odometer();)+
                Some($indices)
            }

            #[inline]
            fn indices(&self, position: usize) -> <$loops as Steps>::Point {
                let $tensors = *self;
                $(let $index = $tensor.layout().crd2idx(position);)+
                $indices
            }

            #[inline(always)]
            unsafe fn items<const SUMS: bool>(&self, $indices: <$loops as Steps>::Point) -> $items {
                let $tensors = *self;
                // SAFETY: promised by the caller.
                $(let $tensor = unsafe { element::<_, _, SUMS>($tensor, $index) };)+
                $tensors
            }
        }
    )* };
}

beside! {
    a: &'a Tensor<A, K> => &'a A::Item, i: Loops, Odometer; A K a i;
    (a, b): (&'a Tensor<A, K>, &'a Tensor<B, L>) => (&'a A::Item, &'a B::Item), (i, j): (Loops, Loops), (Odometer, Odometer);
        A K a i, B L b j;
    (a, b, c): (&'a Tensor<A, K>, &'a Tensor<B, L>, &'a Tensor<C, M>) => (&'a A::Item, &'a B::Item, &'a C::Item),
        ((i, j), k): ((Loops, Loops), Loops), ((Odometer, Odometer), Odometer);
        A K a i, B L b j, C M c k;
    (a, b, c, d): (&'a Tensor<A, K>, &'a Tensor<B, L>, &'a Tensor<C, M>, &'a Tensor<D, N>)
        => (&'a A::Item, &'a B::Item, &'a C::Item, &'a D::Item), ((i, j), (k, l)): ((Loops, Loops), (Loops, Loops)),
        ((Odometer, Odometer), (Odometer, Odometer));
        A K a i, B L b j, C M c k, D N d l;
}

/// Panics where a tensor and others do not have the same extents.
#[cfg_attr(not(unoptimized), inline(always))]
#[track_caller]
fn require_alike<S: Storage, L: Layout, O: Beside>(tensor: &Tensor<S, L>, others: &O) {
    if !others.are_alike(&tensor.layout()) {
        // The tensor and not its layout, which would be in registers meanwhile.
        O::differ(tensor, *others)
    }
}

/// `f` of the index of every coordinate in a layout, and what `others` have there: with `SUMS` to be mapped to indices.
///
/// # Safety
///
/// The extents are alike.
#[cfg_attr(not(unoptimized), inline(always))]
unsafe fn each_beside<L: Layout, O: Beside>(layout: &L, others: &O, mut f: impl FnMut(usize, O::Items)) {
    // SAFETY: the extents are alike, so that all coordinates are inside.
    let at_sums = |(sum, sums)| f(layout.image(sum), unsafe { others.items::<true>(sums) });
    // Of a constant only one arm is compiled.
    if const { leafwise(one_a_mode::<L>(), O::LOOPS) > 0 } {
        if let Some(loops) = layout.loops().and_then(|loops| others.beside::<true>(loops)) {
            loops.for_each_of::<L>(at_sums);
        }
        return;
    }
    if let Some(loops) = layout.loops().and_then(|loops| others.beside::<false>(loops)) {
        return loops.for_each(at_sums);
    }
    match layout.part().zip(others.odometers()) {
        Some((part, others)) => (part.odometer(), others).for_each(at_sums),
        // SAFETY: as above.
        None => (0..layout.size()).for_each(|k| f(layout.crd2idx(k), unsafe { others.items::<false>(others.indices(k)) })),
    }
}

impl<S: Storage, L: Layout> Tensor<S, L> {
    /// `f` of every element and those of other tensors at the same coordinate, mode by mode; layouts and nesting may differ.
    ///
    /// `others` is a reference to a tensor, or a tuple of two to four. Panics where the extents of the modes differ.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let columns = Tensor::new(&[1, 4, 2, 5, 3, 6], make_layout((2, 3), (Int::<1>, 2)))?;
    /// let mut product = 0;
    /// rows.zip(&columns, |x, y| product += x * y);
    /// assert_eq!(product, 91);
    /// columns.zip((&rows, &rows), |x, (y, z)| assert_eq!((x, x), (y, z)));
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip<O: Beside>(&self, others: O, mut f: impl FnMut(&S::Item, O::Items)) {
        require_alike(self, &others);
        let origin = self.storage().origin();
        // SAFETY: they are alike, and the indices those of coordinates that are inside.
        unsafe { each_beside(&self.layout(), &others, |index, items| f(&*origin.wrapping_add(index), items)) };
    }
}

impl<S: StorageMut, L: Layout> Tensor<S, L> {
    /// [`Tensor::zip`], to be written.
    ///
    /// ```
    /// use layout_core::{Int, Tensor, make_layout};
    /// let mut copy = [0; 6];
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], make_layout((2, 3), (3, Int::<1>)))?;
    /// let mut columns = Tensor::new(&mut copy, make_layout((2, 3), (Int::<1>, 2)))?;
    /// columns.zip_mut(&rows, |to, from| *to = *from);
    /// columns.zip_mut((&rows, &rows), |to, (x, y)| *to += x * y);
    /// assert_eq!(copy, [2, 20, 6, 30, 12, 42]);
    /// # Ok::<(), layout_core::TensorError>(())
    /// ```
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn zip_mut<O: Beside>(&mut self, others: O, mut f: impl FnMut(&mut S::Item, O::Items)) {
        require_alike(self, &others);
        let layout = self.layout();
        let origin = self.storage_mut().origin_mut();
        // SAFETY: they are alike, and the indices those of coordinates that are inside; a borrow ends before the next begins, and the others are other tensors,
        // as this one is borrowed exclusively.
        unsafe { each_beside(&layout, &others, |index, items| f(&mut *origin.wrapping_add(index), items)) };
    }

    /// Sets every element to that of `other` at the same coordinate, see [`Tensor::zip_mut`].
    #[cfg_attr(not(unoptimized), inline(always))]
    #[track_caller]
    pub fn assign<R: Storage<Item = S::Item>, M: Layout>(&mut self, other: &Tensor<R, M>)
    where
        S::Item: Clone,
    {
        self.zip_mut(other, |to, from| to.clone_from(from));
    }
}
