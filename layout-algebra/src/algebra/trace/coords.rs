//! The traces of an index and of a preimage.

use super::require_integers;
use crate::algebra::coords::Steps;
use crate::error::{Cause, Op, Result, refuse_if};
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

/// The digit that a leaf takes of an integer coordinate, when the coordinate unravels from left to right.
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout, trace::{Digit, digits_of}};
/// let (a, c): (DynLayout, DynCoord) = ("(4,6):(6,1)".parse()?, DynCoord::integer(9)?);
/// // 9 = 1 + 4 * 2
/// assert_eq!(digits_of(a.value(), c.value())?.collect::<Vec<_>>(), [Digit { left: 9, taken: 1 }, Digit { left: 2, taken: 2 }]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The quotient that is left by the leaves before it.
    pub left: i64,
    /// The coordinate of the leaf: `left` modulo the extent, or all of `left` in the last leaf of a tuple.
    pub taken: i64,
}

/// Returns the digits of the coordinate `c`, one for each leaf of `l`. Fails if `c` does not match `l`, or a number is not known.
///
/// ```
/// use layout_algebra::{DynCoord, DynLayout, trace};
/// let (l, c): (DynLayout, DynCoord) = ("((2,4),5):((3,6),1)".parse()?, "(11,2)".parse()?);
/// let digits: Vec<_> = trace::digits_of(l.value(), c.value())?.map(|digit| (digit.left, digit.taken)).collect();
/// assert_eq!(digits, [(11, 1), (5, 5), (2, 2)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn digits_of<const N: usize>(l: &LayoutValue<N>, c: &TupleValue<N>) -> Result<impl Iterator<Item = Digit> + use<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Crd2Idx);
    let digits = l.tree.digits(&l.shape, c, &mut cx)?;
    refuse_if!(cx, !l.is_known() || c.has_keep(), Undecided);
    Ok((0..l.len()).map(move |k| Digit { left: digits.left[k], taken: digits.taken[k] }))
}

/// A step in the search for the coordinate of an index: the multiple of its stride that one leaf takes.
///
/// ```
/// use layout_algebra::{DynLayout, trace::{CoordinateStep, preimage}};
/// let a: DynLayout = "(4,6):(6,1)".parse()?;
/// // 20 = 3 * 6 + 2
/// let steps: Vec<_> = preimage(a.value(), 20)?.collect();
/// assert_eq!(steps[0], CoordinateStep { leaf: 0, left: 20, taken: 3, coordinate: 3 });
/// assert_eq!(steps[1], CoordinateStep { leaf: 1, left: 2, taken: 2, coordinate: 2 });
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoordinateStep {
    /// The number of the leaf in the layout, from 0.
    pub leaf: usize,
    /// The index minus the least index and minus what the leaves of larger strides take.
    pub left: i64,
    /// The number of steps that the leaf takes: `coordinate`, or `extent - 1 - coordinate` if the stride is negative.
    pub taken: i64,
    /// The coordinate of the leaf.
    pub coordinate: i64,
}

/// Traces the search for a coordinate with this index: the moving leaves of `l` from the largest stride to the smallest. Fails if
/// there is none.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let l: DynLayout = "(4,6):(6,-1)".parse()?;
/// let steps: Vec<_> = trace::preimage(l.value(), 8)?.map(|step| (step.leaf, step.left, step.taken, step.coordinate)).collect();
/// assert_eq!(steps, [(0, 13, 2, 2), (1, 1, 1, 4)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn preimage<const N: usize>(l: &LayoutValue<N>, index: i64) -> Result<impl Iterator<Item = CoordinateStep> + use<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Idx2Crd);
    require_integers(l, &cx)?;
    let index = SymInt::known(index).ok_or_else(|| cx.fail(Cause::NoSuchIndex, SymInt(index), SymInt(0)))?;
    let (steps, l) = (Steps::to(l, index, &mut cx)?, *l);
    let mut left = steps.start;
    Ok((0..steps.order.len).map(move |i| {
        let step = CoordinateStep { leaf: steps.order.leaf[i], left, taken: steps.taken[i], coordinate: steps.coordinate(&l, i) };
        left -= step.taken * steps.size(i);
        step
    }))
}
