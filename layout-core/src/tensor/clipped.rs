//! Layouts of which the first coordinates of each mode are used: the tiles at the ends.

use crate::error::{Result, Text};
use crate::types::{Coordinate, Descriptor, Fits, IntTuple, Layout, Loops, MAX_LEAVES, Slots, Span, div_rem, unroll};
use core::ops::Range;

/// A layout restricted to the coordinates below `extents`, mode by mode: the same function there.
///
/// Integers for several modes unravel along the new extents.
///
/// ```
/// use layout_core::{Clipped, Int, Layout, make_layout};
/// let tile = make_layout((Int::<8>, Int::<4>), (Int::<1>, 100));
/// let rest = Clipped::new(tile, (3, 4));
/// assert_eq!(rest.crd2idx((2, 3)), tile.crd2idx((2, 3)));
/// assert!(rest.contains((2, 3)) && !rest.contains((3, 3)));
/// assert_eq!(rest.crd2idx(4), tile.crd2idx((1, 1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clipped<L, E> {
    layout: L,
    /// None is above that of the layout.
    extents: E,
}

impl<L: Layout, E: Coordinate> Clipped<L, E> {
    /// The coordinates of `layout` below `extents`, which has an integer for each mode that is clipped, from the first on.
    #[inline(always)]
    pub fn new(layout: L, extents: E) -> Self {
        let (whole, mut clipped) = (layout.extents(), [0; MAX_LEAVES]);
        extents.gather(&mut clipped, 0);
        let clipped_modes = const { E::DESCRIPTOR.inputs() };
        unroll!(E::DESCRIPTOR.inputs(), clip(clipped_modes, &whole, &mut clipped));
        Clipped { layout, extents: E::from_values(&clipped, &mut 0) }
    }

    /// The extents of the modes that are clipped.
    #[inline(always)]
    fn clipped(&self) -> Slots {
        let mut clipped = [0; MAX_LEAVES];
        self.extents.gather(&mut clipped, 0);
        clipped
    }

    /// The layout that is clipped.
    #[inline(always)]
    pub fn layout(&self) -> L {
        self.layout
    }

    /// The position in the whole layout of the coordinate at position `k`.
    #[inline(always)]
    fn position(&self, k: usize) -> usize {
        let (whole, clipped) = (self.layout.extents(), self.extents());
        let (mut rest, mut position, mut weight) = (k, 0usize, 1usize);
        let rank = self.rank();
        for mode in 0..rank {
            let (quotient, digit) = if mode + 1 == rank { (0, rest) } else { div_rem(rest, clipped[mode]) };
            rest = quotient;
            position = position.wrapping_add(digit.wrapping_mul(weight));
            weight = weight.wrapping_mul(whole[mode]);
        }
        position
    }
}

/// One extent of `named` ones, at most that of the layout.
#[inline(always)]
fn clip(named: usize, whole: &Slots, clipped: &mut Slots, k: usize) {
    if k < named {
        clipped[k] = clipped[k].min(whole[k]);
    }
}

/// One extent of `named` ones in the place of the layout's.
#[inline(always)]
fn replace(named: usize, clipped: &Slots, extents: &mut Slots, k: usize) {
    if k < named {
        extents[k] = clipped[k];
    }
}

/// Whether a coordinate is below one extent of `named` ones.
#[inline(always)]
fn below(named: usize, clipped: &Slots, modes: &Slots, inside: &mut bool, k: usize) {
    if k < named {
        *inside &= modes[k] < clipped[k];
    }
}

/// The product of extents, which are 1 behind the last.
#[inline(always)]
fn product(extents: &Slots, rank: usize) -> usize {
    let first = extents[0].wrapping_mul(extents[1]).wrapping_mul(extents[2]).wrapping_mul(extents[3]);
    if rank > 4 { extents[4..rank].iter().fold(first, |size, extent| size.wrapping_mul(*extent)) } else { first }
}

/// Number of integers of a coordinate that has one for each mode.
const fn flat<C: IntTuple>() -> Option<usize> {
    let Descriptor::Tuple(modes) = C::DESCRIPTOR else { return None };
    let mut k = 0;
    while k < modes.len() {
        if !matches!(modes[k], Descriptor::Known(_) | Descriptor::Input(_)) {
            return None;
        }
        k += 1;
    }
    Some(modes.len())
}

/// Returns true if a coordinate of type `C` is one integer for all modes.
#[inline(always)]
pub(super) const fn is_linear<C: IntTuple>() -> bool {
    !matches!(C::DESCRIPTOR, Descriptor::Tuple(_))
}

/// The only integer of a coordinate.
#[inline(always)]
pub(super) fn integer<C: IntTuple>(c: C) -> usize {
    let mut value = [0];
    c.gather(&mut value, 0);
    match C::DESCRIPTOR {
        Descriptor::Known(known) => known as usize,
        _ => value[0],
    }
}

// SAFETY: a part of the domain of a layout, and its function.
unsafe impl<L: Layout, E: Coordinate> Layout for Clipped<L, E> {
    const SPAN: Span = L::SPAN;

    const INJECTIVE: Option<bool> = match L::INJECTIVE {
        Some(true) => Some(true),
        _ => None,
    };

    const LOOPS: Option<usize> = L::LOOPS;

    type Fits<C: IntTuple> = L::Fits<C>;

    #[inline(always)]
    fn rank(&self) -> usize {
        self.layout.rank()
    }

    #[inline(always)]
    fn size(&self) -> usize {
        product(&self.extents(), self.rank())
    }

    #[inline(always)]
    fn mode_size<const K: usize>(&self) -> usize {
        self.layout.mode_size::<K>().min(self.extents()[K])
    }

    #[inline(always)]
    fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { is_linear::<C>() } { self.layout.crd2idx(self.position(integer(c))) } else { self.layout.crd2idx(c) }
    }

    #[inline(always)]
    fn checked_crd2idx<C: IntTuple>(&self, c: C) -> Option<usize> {
        if self.contains(c) { Some(self.crd2idx(c)) } else { None }
    }

    #[inline(always)]
    fn contains<C: IntTuple>(&self, c: C) -> bool {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { is_linear::<C>() } {
            return integer(c) < self.size();
        }
        // An integer below the extent of its mode is below that of the layout.
        let named = const { E::DESCRIPTOR.inputs() };
        let settled = named >= self.rank() && const { flat::<C>() } == Some(self.rank());
        if !settled && !self.layout.contains(c) {
            return false;
        }
        let (modes, clipped, mut inside) = (self.layout.mode_coordinates(c), self.clipped(), true);
        unroll!(E::DESCRIPTOR.inputs(), below(named, &clipped, &modes, &mut inside));
        inside
    }

    fn index_range(&self) -> Result<Range<isize>> {
        if self.size() == 0 { Ok(0..0) } else { self.layout.index_range() }
    }

    fn is_injective(&self) -> Option<bool> {
        self.layout.is_injective().filter(|injective| *injective)
    }

    #[inline(always)]
    fn extents(&self) -> Slots {
        let (mut extents, clipped) = (self.layout.extents(), self.clipped());
        let named = const { E::DESCRIPTOR.inputs() };
        unroll!(E::DESCRIPTOR.inputs(), replace(named, &clipped, &mut extents));
        extents
    }

    #[inline(always)]
    fn mode_coordinates<C: IntTuple>(&self, c: C) -> Slots {
        let () = <L::Fits<C> as Fits>::FITS;
        if const { is_linear::<C>() } { self.layout.mode_coordinates(self.position(integer(c))) } else { self.layout.mode_coordinates(c) }
    }

    #[inline(always)]
    fn index_of(&self, modes: &Slots) -> usize {
        self.layout.index_of(modes)
    }

    #[inline(always)]
    fn places<C: Coordinate>(&self) -> Slots {
        self.layout.places::<C>()
    }

    #[inline(always)]
    fn loops(&self) -> Option<Loops> {
        // Where each mode is one loop; of a nested mode a part may be no box.
        let mut loops = self.layout.loops()?;
        if loops.len != self.rank().max(1) {
            return None;
        }
        loops.extents = self.extents();
        Some(loops)
    }

    #[inline(always)]
    fn sum_at(&self, k: usize) -> usize {
        self.layout.sum_at(self.position(k))
    }

    #[inline(always)]
    fn image(&self, sum: usize) -> usize {
        self.layout.image(sum)
    }

    #[inline]
    fn mode_stride(&self, k: usize) -> Option<isize> {
        self.layout.mode_stride(k)
    }

    #[inline(always)]
    fn idx2crd<C: Coordinate>(&self, index: usize) -> C {
        if const { is_linear::<C>() } { C::from_values(&[index; MAX_LEAVES], &mut 0) } else { self.layout.idx2crd(self.position(index)) }
    }

    /// Of a nested mode, which has no shape where it is clipped, the extents that it has as a whole.
    #[inline(always)]
    fn shape<C: Coordinate>(&self) -> C {
        let flat = match C::DESCRIPTOR {
            Descriptor::Tuple(modes) => modes.iter().all(|mode| matches!(mode, Descriptor::Input(_))),
            _ => false,
        };
        if flat { C::from_values(&self.extents(), &mut 0) } else { self.layout.shape() }
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn outside<C: IntTuple>(self, c: C) -> ! {
        let (mut coordinate, mut extents) = (Text::<256>::EMPTY, Text::<256>::EMPTY);
        write(&c, &mut coordinate);
        write(&self.extents, &mut extents);
        panic!("the coordinate {} is outside of a tile of which {} is used", coordinate.as_str(), extents.as_str())
    }
}

/// The text of a coordinate.
pub(super) fn write<C: IntTuple>(c: &C, text: &mut Text<256>) {
    let mut inputs = [0; MAX_LEAVES];
    c.gather(&mut inputs, 0);
    C::DESCRIPTOR.write(&inputs, &mut 0, text);
}
