//! Layouts with their leaves evaluated once, before a loop.

use super::evaluate::{Index, Tabled, run};
use super::layout::Layout;
use super::operand::IntTuple;

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
    /// Fails the build if the layout has more run-time quantities than there is room for.
    pub(super) const FITS: () = {
        let () = L::VALID;
        require_room(L::PATTERN.scope.len, N)
    };

    #[inline(always)]
    pub(super) fn new(layout: &L) -> Self {
        let mut values = [0; N];
        layout.slots(&mut values);
        Hoisted { values, layout: core::marker::PhantomData }
    }

    /// [`Layout::crd2idx`].
    #[inline(always)]
    pub fn crd2idx<C: IntTuple>(&self, c: C) -> usize {
        let () = <Index<L, C> as Tabled>::FITS;
        run::<Index<L, C>, C, N>(&c, &self.values).0
    }
}

#[track_caller]
const fn require_room(needed: usize, room: usize) {
    if needed > room {
        let mut text = crate::error::Text::<96>::EMPTY;
        text.push_str("hoist: the layout has ");
        text.push_int(needed as i64);
        text.push_str(" run-time quantities, there is room for ");
        text.push_int(room as i64);
        panic!("{}", text.as_str())
    }
}
