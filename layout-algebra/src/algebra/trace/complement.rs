//! The trace of a complement.

use super::require_integers;
use crate::algebra::complement::{Gap, Gaps};
use crate::error::{LayoutError, Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue};

/// How the complement of a layout comes about: its moving modes by stride, and the gap below each.
///
/// Over `span` elements covered, modes whose values are `distance` apart leave room for `distance / span` copies of what is below, rounded
/// down, and cover all up to their largest value and `distance` elements from there.
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
pub struct Complement<const N: usize> {
    gaps: Gaps<N>,
    refusal: Option<LayoutError>,
}

/// The trace of the complement of known integers; with `exact`, of the one that divides use, where strides nest.
pub fn complement<const N: usize>(l: &LayoutValue<N>, exact: bool) -> Result<Complement<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Complement);
    require_integers(l, &cx)?;
    let mut gaps = Gaps::NONE;
    let refusal = gaps.find(l, Basis::INTEGER, exact, &mut cx).err();
    Ok(Complement { gaps, refusal })
}

impl<const N: usize> Complement<N> {
    /// The gaps by the strides of the modes above them, up to the mode that is refused.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        self.gaps.gap[..self.gaps.len].iter().copied()
    }

    /// The modes above a gap: extents and strides.
    pub fn modes(&self, gap: &Gap) -> impl Iterator<Item = (i64, i64)> {
        (gap.first..gap.end).map(|k| self.mode(k))
    }

    /// The elements that these modes cover with their gaps filled; the stride with which the complement goes on.
    pub const fn span(&self) -> i64 {
        self.gaps.span.word()
    }

    /// The extent and the stride of the mode that is refused over these, and why.
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

impl<const N: usize> core::fmt::Debug for Complement<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut all = f.debug_struct("Complement");
        self.gaps().for_each(|gap| _ = all.field("gap", &gap));
        all.field("span", &self.span()).field("refusal", &self.refusal).finish()
    }
}
