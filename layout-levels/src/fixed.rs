//! The dense level: the same number of positions below every parent.

use super::error::{Flaw, LevelArray, LevelError};
use super::traits::{Consecutive, Level};
use super::uniform::uniform;
use core::ops::ControlFlow;
use layout_algebra::fast_div::div_rem;
use layout_core::layouts::{Descriptor, IntTuple, MAX_LEAVES};

/// A level with `N` positions below every parent: coordinate `c < N` below parent `p` has the position `p * N + c`.
///
/// `N` is an extent as in a shape: `Int<8>`, a typenum integer, `usize`, `NonZeroUsize` or `Dyn<..>`. A
/// static extent takes no space, and its divisions are shifts or multiplications.
///
/// ```
/// use layout_core::Int;
/// use layout_levels::{Consecutive, Fixed, Level};
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

    /// Returns the level with the coordinates `0..extent`. A tuple or a negative number is a compile error.
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

    #[inline(always)]
    fn inside(&self, coordinate: usize) -> usize {
        coordinate
    }

    #[inline(always)]
    fn outside(&self, place: usize) -> usize {
        place
    }
}

uniform! { [N: IntTuple] Fixed<N>, ordered: true, fanout: match N::DESCRIPTOR {
    Descriptor::Known(n) if n >= 0 => Some(n as usize),
    _ => None,
} }
