//! The trace of a complement.

use super::require_integers;
use crate::algebra::complement::{Gap, Gaps};
use crate::error::{LayoutError, Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue};

/// The trace of the complement of a layout: its moving modes by stride, and the gap below each.
///
/// Let `span` elements be covered below some modes, and let the values of these modes be at least `distance` apart. Then
/// `distance / span` copies, rounded down, fit below the modes. The new span ends `distance` elements after their largest value.
///
/// ```
/// use layout_algebra::DynLayout;
/// let l: DynLayout = "(2,2):(12,2)".parse()?;
/// let trace = l.trace_complement(false)?;
/// let gaps: Vec<_> = trace.gaps().map(|gap| (gap.distance, gap.span, gap.copies)).collect();
/// assert_eq!(gaps, [(2, 1, 2), (12, 4, 3)]);
/// assert_eq!(trace.span(), 24);
/// assert_eq!(l.complement(48)?.to_string(), "(2,3,2):(1,4,24)");
/// // Two modes that interleave: 0, 4, 7, 11.
/// let l: DynLayout = "(2,2):(4,7)".parse()?;
/// let trace = l.trace_complement(false)?;
/// assert_eq!(trace.gaps().map(|gap| (trace.modes(&gap).count(), gap.copies)).collect::<Vec<_>>(), [(2, 3)]);
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct ComplementTrace<const N: usize> {
    gaps: Gaps<N>,
    refusal: Option<LayoutError>,
}

/// Traces the complement of a layout. Fails unless all numbers are known integers. With `exact`, strides must nest, as divides require.
///
/// ```
/// use layout_algebra::{DynLayout, trace};
/// let trace = trace::complement(DynLayout::<16>::parse("(4,2):(1,8)")?.value(), false)?;
/// assert_eq!((trace.gaps().map(|gap| gap.copies).collect::<Vec<_>>(), trace.span()), (vec![1, 2], 16));
/// assert!(trace::complement(DynLayout::<16>::parse("(8,8):(^9,^1)")?.value(), false).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub fn complement<const N: usize>(l: &LayoutValue<N>, exact: bool) -> Result<ComplementTrace<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Complement);
    require_integers(l, &cx)?;
    let mut gaps = Gaps::NONE;
    let refusal = gaps.find(l, Basis::INTEGER, exact, &mut cx).err();
    Ok(ComplementTrace { gaps, refusal })
}

impl<const N: usize> ComplementTrace<N> {
    /// Returns the gaps, ordered by the strides of the modes above them, up to the refused mode if there is one.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        self.gaps.gap[..self.gaps.len].iter().copied()
    }

    /// Returns the extents and strides of the modes above a gap.
    pub fn modes(&self, gap: &Gap) -> impl Iterator<Item = (i64, i64)> {
        (gap.first..gap.end).map(|k| self.mode(k))
    }

    /// Returns the number of elements that the modes cover with their gaps filled: the stride of the complement's last mode.
    pub const fn span(&self) -> i64 {
        self.gaps.span.word()
    }

    /// Returns the extent and the stride of the refused mode, and the error; `None` if the complement exists.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// let (extent, stride, error) = DynLayout::<16>::parse("(4,3):(1,2)")?.trace_complement(false)?.refusal().unwrap();
    /// assert_eq!((extent, stride), (3, 2));
    /// assert_eq!(error.to_string(), "complement: stride 2 falls inside the 4 elements already covered, in the layout");
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn refusal(&self) -> Option<(i64, i64, LayoutError)> {
        let error = self.refusal?;
        let next = self.gaps().last().map_or(0, |gap| gap.end);
        let (extent, stride) = self.mode(next.min(self.gaps.modes.len().saturating_sub(1)));
        Some((extent, stride, error))
    }

    fn mode(&self, k: usize) -> (i64, i64) {
        (self.gaps.modes.shape[k], self.gaps.modes.stride[k])
    }
}

impl<const N: usize> core::fmt::Debug for ComplementTrace<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut all = f.debug_struct("ComplementTrace");
        self.gaps().for_each(|gap| _ = all.field("gap", &gap));
        all.field("span", &self.span()).field("refusal", &self.refusal).finish()
    }
}
