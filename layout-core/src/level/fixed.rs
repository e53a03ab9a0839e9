//! The dense level: as many positions below every parent.

use super::error::{Flaw, LevelError, Part};
use super::traits::{Consecutive, Extent, Level, Locate, Parent};
use super::walk_uniform;
use crate::types::{Descriptor, IntTuple, MAX_LEAVES, div_rem};
use core::ops::{ControlFlow, Range};

/// `N` positions below every parent, with the coordinates `0..N`: `p * N + c`.
///
/// `N` is an extent as in a shape: `Int<8>`, a typenum integer, `usize`, `NonZeroUsize`, `Dyn<..>`. A static one takes no space, and its
/// divisions are shifts or multiplications.
///
/// ```
/// use layout_core::Int;
/// use layout_core::level::{Fixed, Level, Parent};
/// let columns = Fixed::new(Int::<8>);
/// assert_eq!((columns.range(3), columns.parent(29), columns.coordinate(3, 29)), (24..32, 3, 5));
/// assert_eq!((size_of_val(&columns), Fixed::<Int<8>>::FANOUT), (0, Some(8)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fixed<N>(N);

impl<N: IntTuple> Fixed<N> {
    const IS_EXTENT: () = match N::DESCRIPTOR {
        Descriptor::Known(n) if n >= 0 => (),
        Descriptor::Input(facts) if facts.lo >= 0 => (),
        _ => panic!("Fixed: the extent must be one integer that is not negative; for a shape of several modes use `Block`"),
    };

    /// The level of this extent; a tuple or a negative number is a compile error.
    #[inline(always)]
    pub const fn new(extent: N) -> Self {
        let () = Self::IS_EXTENT;
        Fixed(extent)
    }

    #[inline(always)]
    fn number(&self) -> usize {
        let () = Self::IS_EXTENT;
        if let Some(n) = Self::FANOUT {
            return n;
        }
        let mut slots = [0; MAX_LEAVES];
        self.0.gather(&mut slots, 0);
        slots[0]
    }
}

impl<N: IntTuple> Level for Fixed<N> {
    const FULL: bool = true;
    const ORDERED: bool = true;
    const UNIQUE: bool = true;
    const BRANCHLESS: bool = matches!(N::DESCRIPTOR, Descriptor::Known(1));
    const COMPACT: bool = true;
    const UNIFORM: bool = true;
    const FANOUT: Option<usize> = match N::DESCRIPTOR {
        Descriptor::Known(n) if n >= 0 => Some(n as usize),
        _ => None,
    };
    type Coord = usize;

    fn size(&self, parents: usize) -> Result<usize, LevelError> {
        let fanout = self.number();
        parents.checked_mul(fanout).ok_or(LevelError::new(Part::Level, 0, Flaw::Overflow { parents, fanout }))
    }

    #[inline(always)]
    fn range(&self, parent: usize) -> Range<usize> {
        let begin = self.begin(parent);
        begin..begin.wrapping_add(self.number())
    }

    #[inline(always)]
    fn coordinate(&self, parent: usize, position: usize) -> usize {
        position.wrapping_sub(self.begin(parent))
    }

    #[inline(always)]
    fn walk<B>(&self, parent: usize, f: &mut impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        walk_uniform(self.begin(parent), self.number(), f)
    }
}

impl<N: IntTuple> Consecutive for Fixed<N> {
    #[inline(always)]
    fn begin(&self, parent: usize) -> usize {
        parent.wrapping_mul(self.number())
    }
}

impl<N: IntTuple> Parent for Fixed<N> {
    #[inline(always)]
    fn parent(&self, position: usize) -> usize {
        self.split(position).0
    }

    // One division, of which a static extent leaves a shift and a mask.
    #[inline(always)]
    fn split(&self, position: usize) -> (usize, usize) {
        div_rem(position, self.number())
    }
}

impl<N: IntTuple> Locate for Fixed<N> {
    #[inline(always)]
    fn locate(&self, parent: usize, coordinate: usize) -> Option<usize> {
        let (position, exists) = self.place(parent, coordinate);
        if exists { Some(position) } else { None }
    }

    #[inline(always)]
    fn place(&self, parent: usize, coordinate: usize) -> (usize, bool) {
        let exists = coordinate < self.number();
        (self.begin(parent).wrapping_add(coordinate), exists)
    }
}

impl<N: IntTuple> Extent for Fixed<N> {
    #[inline(always)]
    fn extent(&self, _: usize) -> usize {
        self.number()
    }
}
