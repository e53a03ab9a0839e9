//! Layouts with their leaves evaluated once, before a loop.

use super::layout::{Index, Layout, run};
use super::term::{IntTuple, MAX_LEAVES};

/// `L` with the values of its residual: an index costs only the arithmetic on coordinates.
///
/// ```
/// use layout_core::{Int, Layout, LayoutAlgebra, make_layout};
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

impl<L: Layout, const N: usize> Hoisted<L, N> {
    #[inline(always)]
    pub(super) fn new(layout: &L) -> Self {
        const {
            assert!(L::PATTERN.scope.len <= N, "hoist: the layout has more run-time quantities than the capacity of Hoisted");
        }
        let slots = layout.slots();
        let mut values = [0; N];
        values.copy_from_slice(&slots[..N]);
        Hoisted { values, layout: core::marker::PhantomData }
    }

    /// [`Layout::crd2idx`].
    #[inline(always)]
    pub fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let mut slots = [0; MAX_LEAVES];
        slots[..N].copy_from_slice(&self.values);
        run::<Index<L, C>, C>(&c, &slots).0
    }
}
