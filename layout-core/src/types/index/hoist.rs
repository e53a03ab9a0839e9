//! Layouts whose leaves are evaluated once, before a loop.

use super::evaluate;
use super::typed_layout::{TypedLayout, text_and_equality};
use crate::types::number::StaticInt;
use crate::types::pattern::operand::{AsOperand, Descriptor, MAX_LEAVES, Slots};
use crate::types::pattern::pattern::Pattern;

/// The layout `L` with the values of its residual: an index costs only the arithmetic on coordinates.
///
/// ```
/// use layout_core::{Int, Layout, LayoutAlgebra, TypedLayout, make_layout};
/// let a = make_layout((96, 40), (Int::<1>, 96)).logical_divide((Int::<1>, Int::<1>));
/// let tiled = a.hoist::<8>();
/// let sum: usize = (0..96).map(|i| tiled.crd2idx(((0, i), (0, 3)))).sum();
/// assert_eq!(sum, (0..96).map(|i| i + 3 * 96).sum());
/// ```
#[derive(Clone, Copy)]
pub struct Hoisted<L, const N: usize> {
    values: [usize; N],
    layout: core::marker::PhantomData<L>,
}

impl<L: TypedLayout, const N: usize> Hoisted<L, N> {
    /// Fails the build if the layout has more than `N` run-time quantities.
    pub(in crate::types) const FITS: () = {
        let () = L::VALID;
        require_room(L::PATTERN.scope.len, N)
    };

    #[inline(always)]
    pub(in crate::types) fn new(layout: &L) -> Self {
        let (mut slots, mut values) = ([0; MAX_LEAVES], [0; N]);
        layout.slots(&mut slots);
        evaluate::copy::<L, MAX_LEAVES, N>(&slots, &mut values);
        Hoisted { values, layout: core::marker::PhantomData }
    }
}

text_and_equality!([L: TypedLayout, const N: usize] Hoisted<L, N>);

/// For the algebra, every run-time quantity of `L` is a run-time leaf.
// SAFETY: there is a value for each node of the pattern. `FITS` has checked that they fit, and `new` has read them from a layout.
unsafe impl<L: TypedLayout, const N: usize> AsOperand for Hoisted<L, N> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(&L::PATTERN.hoisted());

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        let len = const { L::PATTERN.scope.len };
        out[at..at + len].copy_from_slice(&self.values[..len]);
        at + len
    }

    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        self.values[At::VALUE as usize]
    }
}

// SAFETY: the values belong to the nodes of `L::PATTERN`, in their order.
unsafe impl<L: TypedLayout, const N: usize> TypedLayout for Hoisted<L, N> {
    // Relations among the quantities still improve an index, so keep the pattern of `L`.
    const PATTERN: &'static Pattern = L::PATTERN;
    const HAS_INPUTS: bool = false;

    #[inline(always)]
    fn slots(&self, slots: &mut Slots) {
        evaluate::copy::<L, N, MAX_LEAVES>(&self.values, slots);
    }
}

#[track_caller]
const fn require_room(needed: usize, room: usize) {
    if needed > room {
        let mut text = layout_algebra::error::Text::<96>::EMPTY;
        text.push_str("hoist: the layout has ");
        text.push_int(needed as i64);
        text.push_str(" run-time quantities, there is room for ");
        text.push_int(room as i64);
        panic!("{}", text.as_str())
    }
}
