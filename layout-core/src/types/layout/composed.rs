//! Composed layouts as types: `inner o offset o outer`, the function `c -> inner(offset + outer(c))`.
//!
//! It has the coordinates of `outer`, and operations on the domain apply to `outer`. Inverses, complements, casts and common
//! layouts are computed for the same function with XOR strides. A composed layout represents functions that no affine layout
//! computes: a swizzled layout, or a composition that the algebra refuses.

use super::fixed::Fixed;
use super::layout::Layout;
use super::ops::*;
use crate::types::index::typed_layout::TypedLayout;
use crate::types::number::Int;
use crate::types::pattern::descriptor::SwizzledDescriptor;
use crate::types::pattern::operand::{AsOperand, Descriptor, Fits, IntTuple, Slots};
use crate::types::walk::raw_layout::{RawLayout, StorageSpan, forward};
use core::ops::Range;
use layout_algebra::error::{Cause, LayoutError, Op, Result};
use layout_algebra::swizzle::Swizzle;

/// A function of indices: a swizzle, or a layout at integer coordinates.
///
/// ```
/// use layout_core::{Int, Layout, error::Result, make_layout};
/// use layout_core::layouts::{Composed, IndexMap, Swizzle};
/// use std::ops::Range;
/// /// Exchanges the elements of each pair, as another byte order does.
/// #[derive(Clone, Copy)]
/// struct Pairs;
/// // SAFETY: an index and its image are in one pair, whose elements have each other's place, `2 k` indices on as well.
/// unsafe impl IndexMap for Pairs {
///     const BLOCK: Option<usize> = Some(2);
///     const INJECTIVE: bool = true;
///     fn period(&self) -> Option<usize> {
///         Some(2)
///     }
///     fn map(&self, index: usize) -> usize {
///         index ^ 1
///     }
///     fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
///         Ok(if indices.is_empty() { indices } else { indices.start & !1..((indices.end - 1) | 1) + 1 })
///     }
/// }
/// let pairs = Composed::of(Pairs, make_layout((Int::<3>, Int::<2>), (Int::<2>, Int::<1>)));
/// assert_eq!([(0, 0), (0, 1), (2, 1)].map(|c| pairs.crd2idx(c)), [1, 0, 4]);
/// assert_eq!((pairs.index_range()?, pairs.is_injective()), (0..6, Some(true)));
/// // A type that stores nothing is the same map by default. Others compare their values.
/// assert!(Pairs.same_map(&Pairs) && !Swizzle::new(1, 0, 2)?.same_map(&Swizzle::new(1, 0, 3)?));
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
///
/// # Safety
///
/// Tensors rely on it when they index memory. All methods are functions of the value; `Clone` copies, and copies return the same results.
///
/// * [`IndexMap::map`] of an index in a range lies in the [`IndexMap::image`] of that range, if there is one.
/// * If [`IndexMap::BLOCK`] is `Some(n)`, an index and its image lie in one aligned block of `n` indices.
/// * If [`IndexMap::INJECTIVE`], unequal indices have unequal images.
/// * If [`IndexMap::period`] is `Some(p)`, then `map(i + k p) = map(i) + k p`.
/// * If `index` is `Some`, it is `map(offset + outer(c))`.
/// * [`IndexMap::same_map`] is true only for the same function.
pub unsafe trait IndexMap: Copy {
    /// If known, the size of aligned blocks that every index stays in.
    const BLOCK: Option<usize> = None;

    /// Whether no two indices have the same image.
    const INJECTIVE: bool = false;

    /// Returns the period, or `None` if none is known. Adding a multiple of the period to an index adds the same amount to the image.
    fn period(&self) -> Option<usize> {
        None
    }

    /// Returns the image of an index.
    fn map(&self, index: usize) -> usize;

    /// Returns a range that contains the images of all `indices`. It may contain other indices, too.
    ///
    /// Fails if an index has no image, or if the range does not fit `isize`.
    fn image(&self, indices: Range<isize>) -> Result<Range<isize>>;

    /// Returns true if `other` is known to be the same function. By default, that is known only for types that store nothing.
    fn same_map(&self, other: &Self) -> bool {
        let _ = other;
        size_of::<Self>() == 0
    }

    /// Returns `map(offset + outer(c))`, or `None` if it needs `outer(c)`. `offset` is `Some` if it is known when compiling.
    #[doc(hidden)]
    #[inline(always)]
    fn index<L: Layout, C: IntTuple>(&self, offset: Option<usize>, outer: &L, c: &C) -> Option<usize> {
        let _ = (offset, outer, c);
        None
    }
}

/// Returns the number of indices in the aligned blocks that a swizzle keeps indices in: no bit above the highest target bit changes.
const fn block(swizzle: Swizzle) -> u64 {
    1 << (i64::BITS - swizzle.target().leading_zeros())
}

/// Returns the period of a swizzle, `2^width`: higher bits neither change nor change others. It is `None` if it does not fit `usize`.
const fn period(swizzle: Swizzle) -> Option<usize> {
    if swizzle.width() < usize::BITS { Some(1 << swizzle.width()) } else { None }
}

/// Returns the range of the aligned blocks of `block` indices that a range touches. Fails if its end does not fit `isize`.
#[inline(always)]
pub(in crate::types) fn blocks(indices: Range<isize>, block: u64) -> Result<Range<isize>> {
    if indices.is_empty() {
        return Ok(indices);
    }
    // Blocks are powers of two, so that rounding down never overflows.
    match isize::try_from(block).map(|block| (indices.start & -block, ((indices.end - 1) | (block - 1)).checked_add(1))) {
        Ok((start, Some(end))) => Ok(start..end),
        _ => Err(LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0)),
    }
}

// SAFETY: the images of coordinates of a layout lie in its range, and `image` refuses indices that are not coordinates.
unsafe impl<L: TypedLayout> IndexMap for L {
    #[inline(always)]
    fn map(&self, index: usize) -> usize {
        self.crd2idx(index)
    }

    fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
        if indices.start < 0 || indices.end > self.size() as isize {
            return Err(LayoutError::plain(Op::Composition, Cause::OutOfRange, indices.end as i64 - 1, self.size() as i64));
        }
        self.index_range()
    }

    fn same_map(&self, other: &Self) -> bool {
        self.same_as(other)
    }
}

// SAFETY: a swizzle is its own inverse. It changes no bit above the block, because `Swizzle::new` checks its fields.
unsafe impl IndexMap for Swizzle {
    const INJECTIVE: bool = true;

    #[inline(always)]
    fn period(&self) -> Option<usize> {
        period(*self)
    }

    #[inline(always)]
    fn map(&self, index: usize) -> usize {
        self.apply_index(index)
    }

    #[inline(always)]
    fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
        blocks(indices, block(*self))
    }

    fn same_map(&self, other: &Self) -> bool {
        self == other
    }
}

/// The swizzle `S<B, M, S>` as a type: a [`Swizzle`] that folds to a shift, a mask and an exclusive-or.
///
/// ```
/// use layout_core::{Int, Layout, TypedLayout, make_layout};
/// use layout_core::layouts::{StaticSwizzle, Swizzle};
/// type Banks = StaticSwizzle<2, 0, 3>; // bits 3 and 4 change bits 0 and 1
/// assert_eq!(Banks::SWIZZLE, Swizzle::new(2, 0, 3)?);
/// let tile = Banks::default().composition(make_layout((Int::<4>, Int::<8>), (Int::<8>, Int::<1>)));
/// assert_eq!((0..4).map(|row| tile.crd2idx((row, 0)) % 8).collect::<Vec<_>>(), [0, 1, 2, 3]);
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct StaticSwizzle<const B: u8, const M: u8, const S: i8>;

impl<const B: u8, const M: u8, const S: i8> StaticSwizzle<B, M, S> {
    /// The swizzle as a value. Fields that overlap are a compile error.
    pub const SWIZZLE: Swizzle = match Swizzle::new(B as i64, M as i64, S as i64) {
        Ok(swizzle) => swizzle,
        Err(error) => layout_algebra::error::refuse(error),
    };
}

// SAFETY: as for `Swizzle`.
unsafe impl<const B: u8, const M: u8, const S: i8> IndexMap for StaticSwizzle<B, M, S> {
    const BLOCK: Option<usize> = Some(block(Self::SWIZZLE) as usize);
    const INJECTIVE: bool = true;

    #[inline(always)]
    fn period(&self) -> Option<usize> {
        const { period(Self::SWIZZLE) }
    }

    #[inline(always)]
    fn map(&self, index: usize) -> usize {
        const { Self::SWIZZLE }.apply_index(index)
    }

    #[inline(always)]
    fn image(&self, indices: Range<isize>) -> Result<Range<isize>> {
        blocks(indices, const { block(Self::SWIZZLE) })
    }
}

impl<const B: u8, const M: u8, const S: i8> core::fmt::Display for StaticSwizzle<B, M, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        Self::SWIZZLE.fmt(f)
    }
}

/// The layout `inner o offset o outer`: the index of `c` is `inner(offset + outer(c))`.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::layouts::StaticSwizzle;
/// // 8 rows of 8: without the swizzle, a column is eight times the same bank.
/// let tile = StaticSwizzle::<3, 0, 3>.composition(make_layout((Int::<8>, Int::<8>), (Int::<8>, Int::<1>)));
/// assert_eq!(tile.to_string(), "S<3,0,3> o 0 o (8,8):(8,1)");
/// assert_eq!(tile.crd2idx((3, 5)), 24 + (5 ^ 3));
/// // Operations apply to the outer layout.
/// let quarters = tile.zipped_divide((Int::<4>, Int::<4>));
/// assert_eq!(quarters.crd2idx(((1, 2), (1, 0))), tile.crd2idx((5, 2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Composed<I, O, L> {
    inner: I,
    offset: O,
    outer: L,
}

/// `S<B, M, S> o 0 o L`.
///
/// ```
/// use layout_core::{Int, Layout, Strided};
/// use layout_core::layouts::Swizzled;
/// /// A tile of shared memory, 32 rows of `LD` elements.
/// struct Shared<const LD: usize> {
///     layout: Swizzled<3, 2, 3, Strided<(Int<32>, Int<LD>), (Int<LD>, Int<1>)>>,
/// }
/// let shared = Shared::<32> { layout: Default::default() };
/// assert_eq!((shared.layout.crd2idx((1, 0)), shared.layout.to_string()), (32 + 4, "S<3,2,3> o 0 o (32,32):(32,1)".to_string()));
/// ```
pub type Swizzled<const B: u8, const M: u8, const S: i8, L> = Composed<StaticSwizzle<B, M, S>, Int<0>, L>;

/// The parts of a composed layout.
///
/// ```
/// use layout_core::{Int, Layout, make_layout};
/// use layout_core::layouts::{Composed, Swizzle};
/// // A tile that begins 16 elements into swizzled storage: the swizzle sees the whole index.
/// let tile = Composed::new(Swizzle::new(2, 0, 2)?, Int::<16>, make_layout((4, 4), (4, 1)));
/// assert_eq!(tile.crd2idx((3, 1)), 16 + (13 ^ 3));
/// assert_eq!((tile.inner().to_string(), tile.offset(), tile.outer().crd2idx((3, 1))), ("S<2,0,2>".to_string(), 16, 13));
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
impl<I: IndexMap, O: IntTuple, L: Layout> Composed<I, O, L> {
    const OFFSET: Option<usize> = match O::DESCRIPTOR {
        Descriptor::Known(offset) => Some(offset as usize),
        Descriptor::Input(_) => None,
        _ => panic!("the offset of a composed layout is an integer"),
    };

    /// Makes `inner o offset o outer`.
    #[inline(always)]
    pub const fn new(inner: I, offset: O, outer: L) -> Self {
        Composed { inner, offset, outer }
    }

    /// Returns the function of the indices.
    #[inline(always)]
    pub const fn inner(&self) -> I {
        self.inner
    }

    /// Returns the number added to the indices of the outer layout.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        match const { Self::OFFSET } {
            Some(offset) => offset,
            None => {
                let mut offset = [0];
                self.offset.gather(&mut offset, 0);
                offset[0]
            }
        }
    }

    /// Returns this layout with another outer layout.
    #[inline(always)]
    pub(crate) const fn with_outer<M: Layout>(&self, outer: M) -> Composed<I, O, M> {
        Composed::new(self.inner, self.offset, outer)
    }

    /// Returns the outer layout, whose coordinates this layout has.
    #[inline(always)]
    pub const fn outer(&self) -> L {
        self.outer
    }

    #[inline(always)]
    fn map(&self, index: usize) -> usize {
        self.inner.map(self.offset().wrapping_add(index))
    }
}

impl<I: IndexMap + Default, O: IntTuple + Default, L: Layout + Default> Default for Composed<I, O, L> {
    fn default() -> Self {
        Composed::new(I::default(), O::default(), L::default())
    }
}

// SAFETY: the coordinates are the coordinates of `outer`. An index is the image of an index of `outer` plus the offset. `SPAN`,
// `INJECTIVE` and `period` hold because `IndexMap` promises it: an image lies in the block of its index, images of unequal
// indices differ if `IndexMap::INJECTIVE`, and adding a multiple of the period to an index adds it to the image.
unsafe impl<I: IndexMap, O: IntTuple, L: Layout> RawLayout for Composed<I, O, L> {
    forward!(L, outer: LOOPS MODES STEPS Fits mode_coordinates loops part places sum_at outside);

    const SPAN: StorageSpan = match (L::SPAN, Self::OFFSET, I::BLOCK) {
        (StorageSpan::Elements(span), Some(offset), Some(block)) => StorageSpan::Elements((offset + span).next_multiple_of(block)),
        (StorageSpan::Below, ..) => StorageSpan::Below,
        _ => StorageSpan::Unknown,
    };

    const INJECTIVE: Option<bool> = match L::INJECTIVE {
        Some(true) if !I::INJECTIVE => None,
        injective => injective,
    };

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        self.map(self.outer.index_of(modes))
    }

    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        self.map(self.outer.image(sum))
    }

    fn period(&self) -> Option<usize> {
        let (outer, inner) = (self.outer.period()?, self.inner.period()?);
        // The composition needs a multiple of both periods. The periods of layouts and swizzles are powers of two, so the
        // larger one suffices. For other maps it may not, and then no period is known.
        if outer.max(inner).is_multiple_of(outer.min(inner)) { Some(outer.max(inner)) } else { None }
    }

    fn same_as(&self, other: &Self) -> bool {
        self.inner.same_map(&other.inner) && self.offset() == other.offset() && self.outer.same_as(&other.outer)
    }
}

impl<I: IndexMap, O: IntTuple, L: Layout> Layout for Composed<I, O, L> {
    forward!(L, outer: rank size mode_size contains idx2crd shape extents);

    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <L::Fits<C> as Fits>::FITS;
        match self.inner.index(const { Self::OFFSET }, &self.outer, &c) {
            Some(index) => index,
            None => self.map(self.outer.crd2idx(c)),
        }
    }

    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        let () = <L::Fits<C> as Fits>::FITS;
        Some(self.map(self.outer.checked_crd2idx(c)?))
    }

    #[inline(always)]
    fn index_range(&self) -> Result<Range<isize>> {
        let (outer, offset) = (self.outer.index_range()?, self.offset() as isize);
        match (outer.start.checked_add(offset), outer.end.checked_add(offset)) {
            _ if outer.is_empty() => Ok(outer),
            (Some(start), Some(end)) => self.inner.image(start..end),
            _ => Err(LayoutError::plain(Op::MakeLayout, Cause::TooLong, 0, 0)),
        }
    }

    fn is_injective(&self) -> Option<bool> {
        self.outer.is_injective().filter(|injective| I::INJECTIVE || !injective)
    }
}

impl<I: IndexMap + core::fmt::Display, O: IntTuple, L: Layout + core::fmt::Display> core::fmt::Display for Composed<I, O, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} o {} o {}", self.inner, self.offset() as isize, self.outer)
    }
}

impl<I: IndexMap + core::fmt::Display, O: IntTuple, L: Layout + core::fmt::Display> core::fmt::Debug for Composed<I, O, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

/// A swizzled layout is an operand. Its run-time leaves are the leaves of the offset and of the outer layout.
// SAFETY: `gather` writes the leaves of the offset and then of the layout, in the order of the descriptor.
unsafe impl<const B: u8, const M: u8, const S: i8, O: IntTuple, L: TypedLayout> AsOperand for Composed<StaticSwizzle<B, M, S>, O, L> {
    const DESCRIPTOR: Descriptor =
        Descriptor::Swizzled(&SwizzledDescriptor { swizzle: StaticSwizzle::<B, M, S>::SWIZZLE, offset: O::DESCRIPTOR, outer: L::PATTERN });
    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let at = self.offset.gather(out, at);
        self.outer.gather(out, at)
    }
}

macro_rules! on_outer {
    (
        layouts { $($name:ident $text:literal $aliases:tt on $composed:ident $(by $custom:ident)? {
            $($(#[$law:meta])+ $method:ident $try_method:ident ($($arg:ident: $type:ident $kind:ident),*) => ($of:literal $(, $with:literal)*) $is:literal;)+
        })* }
        makers $makers:tt
        functions $functions:tt
    ) => {
        $(forms! { [$composed] $name $(
            $method $try_method ($($arg: $type),*) => ($of, operands!($($kind $with),*)) $is;
        )+ })*
    };
}

/// Expands to an example of an operation on a swizzled layout.
macro_rules! swizzled {
    ($is:literal = $of:literal, $($call:tt)*) => {
        example!(concat!("S<1,0,2> o 0 o ", $is) => "StaticSwizzle::<1, 0, 2>.composition(layout!(", $of, ")).", $($call)*)
    };
}

macro_rules! forms {
    ([domain] $name:ident $($method:ident $try_method:ident ($($arg:ident: $type:ident),*) => ($of:literal, $operands:expr) $is:literal;)+) => {
        impl<Inner: IndexMap, Offset: IntTuple, Outer: TypedLayout> Composed<Inner, Offset, Outer> { $(
            #[doc = concat!("[`LayoutAlgebra::", stringify!($method), "`] of the outer layout.")]
            ///
            #[doc = swizzled!($is = $of, stringify!($method), $operands)]
            #[inline(always)]
            pub fn $method<$($type: AsOperand),*>(self, $($arg: $type),*) -> Composed<Inner, Offset, Derived<op::$name, (Outer, $($type,)*)>> {
                let () = Derived::<op::$name, (Outer, $($type,)*)>::UNCONDITIONAL;
                Composed::new(self.inner, self.offset, self.outer.$method($($arg),*))
            }

            #[doc = concat!("[`LayoutAlgebra::", stringify!($try_method), "`] of the outer layout.")]
            ///
            #[doc = swizzled!($is = $of, stringify!($try_method), $operands, "?")]
            #[inline]
            pub fn $try_method<$($type: AsOperand),*>(
                self,
                $($arg: $type),*
            ) -> Result<Composed<Inner, Offset, Derived<op::$name, (Outer, $($type,)*)>>> {
                let () = Derived::<op::$name, (Outer, $($type,)*)>::VALID;
                Ok(Composed::new(self.inner, self.offset, self.outer.$try_method($($arg),*)?))
            }
        )+ }
    };
    // Operations on more than the outer layout return one layout, with XOR strides.
    ([shape] $($forms:tt)+) => {};
    ([$composed:ident] $name:ident $($method:ident $try_method:ident ($($arg:ident: $type:ident),*) => ($of:literal, $operands:expr) $is:literal;)+) => {
        impl<const BITS: u8, const BASE: u8, const SHIFT: i8, Offset: IntTuple, Outer: TypedLayout>
            Composed<StaticSwizzle<BITS, BASE, SHIFT>, Offset, Outer>
        { $(
            #[doc = concat!("[`LayoutAlgebra::", stringify!($method), "`] of the same function as one layout, which has XOR strides.")]
            #[inline(always)]
            pub fn $method<$($type: AsOperand),*>(self, $($arg: $type),*) -> Derived<op::$name, (Self, $($type,)*)> {
                let () = Derived::<op::$name, (Self, $($type,)*)>::UNCONDITIONAL;
                Derived::unchecked((self, $($arg,)*))
            }

            #[doc = concat!("[`LayoutAlgebra::", stringify!($try_method), "`] of the same function as one layout, which has XOR strides.")]
            #[inline]
            pub fn $try_method<$($type: AsOperand),*>(self, $($arg: $type),*) -> Result<Derived<op::$name, (Self, $($type,)*)>> {
                let () = Derived::<op::$name, (Self, $($type,)*)>::VALID;
                Derived::try_new((self, $($arg,)*))
            }
        )+ }
    };
}

operations!(on_outer);

/// Operations on the outer layout, as the table of operations lists them.
impl<I: IndexMap, O: IntTuple, L: TypedLayout> Composed<I, O, L> {
    /// Applies [`LayoutAlgebra::slice`] to the outer layout, and adds the index of the fixed modes to the offset.
    ///
    /// ```
    /// use layout_core::{Int, Layout, make_layout, number::Keep};
    /// use layout_core::layouts::StaticSwizzle;
    /// let tile = StaticSwizzle::<3, 0, 3>.composition(make_layout((Int::<8>, Int::<8>), (Int::<8>, Int::<1>)));
    /// let row = tile.slice((5, Keep));
    /// assert_eq!(row.to_string(), "S<3,0,3> o 40 o (8):(1)");
    /// assert_eq!(row.crd2idx(2), tile.crd2idx((5, 2)));
    /// ```
    #[inline(always)]
    pub fn slice<C: IntTuple>(self, c: C) -> Composed<I, usize, Slice<L, C>> {
        let () = <Fixed<L, C> as Fits>::FITS;
        let (kept, fixed) = self.outer.slice(c);
        Composed::new(self.inner, self.offset().wrapping_add(fixed), kept)
    }
}

impl<I: IndexMap, L: Layout> Composed<I, Int<0>, L> {
    /// Composes an index map with a layout: `c -> inner(outer(c))`.
    ///
    /// ```
    /// use layout_core::{Layout, make_layout};
    /// use layout_core::layouts::{Composed, Swizzle};
    /// let layout = Composed::of(Swizzle::new(1, 0, 2)?, make_layout((4, 2), (1, 4)));
    /// assert_eq!(layout.crd2idx((2, 1)), 6 ^ 1);
    /// # Ok::<(), layout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub const fn of(inner: I, outer: L) -> Self {
        Composed::new(inner, Int, outer)
    }
}

impl<const B: u8, const M: u8, const S: i8> StaticSwizzle<B, M, S> {
    /// Returns `self o 0 o outer`.
    #[inline(always)]
    pub const fn composition<L: Layout>(self, outer: L) -> Swizzled<B, M, S, L> {
        Composed::new(self, Int, outer)
    }
}
