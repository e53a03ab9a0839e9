//! The trace of a complement.

use super::require_integers;
use crate::algebra::coalesce::{Omit, merged};
use crate::algebra::complement::{gaps, sort_by_stride};
use crate::error::{Cause, LayoutError, Op, Result};
use crate::value::{Basis, ExprGraph, LayoutValue};

/// How the complement of a layout comes about: its moving modes by stride, and the gap below each.
///
/// A mode `extent : stride` over `span` elements covered leaves `stride / span` copies of them below itself, rounded down, and covers
/// `extent stride` elements.
///
/// ```
/// use layout_core::DynLayout;
/// let l: DynLayout = "(2,2):(12,2)".parse()?;
/// let trace = l.trace_complement(false)?;
/// let gaps: Vec<_> = trace.gaps().map(|gap| (gap.extent, gap.stride, gap.span, gap.copies)).collect();
/// assert_eq!(gaps, [(2, 2, 1, 2), (2, 12, 4, 3)]);
/// assert_eq!(trace.span(), 24);
/// assert_eq!(l.complement(48)?.to_string(), "(2,3,2):(1,4,24)");
/// # Ok::<(), layout_core::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Complement<const N: usize> {
    modes: LayoutValue<N>,
    len: usize,
    gap: [(i64, i64); N],
    span: i64,
    /// The extent and the stride of the mode that is refused, and why.
    refusal: Option<(i64, i64, LayoutError)>,
}

/// A mode of the layout, and what the complement puts below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The extent of the mode.
    pub extent: i64,
    /// Its stride.
    pub stride: i64,
    /// The elements covered below it; the stride of the gap.
    pub span: i64,
    /// The extent of the gap; 1 where there is none.
    pub copies: i64,
}

/// The trace of the complement of known integers; with `exact`, of the one that divides use, where strides nest.
pub fn complement<const N: usize>(l: &LayoutValue<N>, exact: bool) -> Result<Complement<N>> {
    let mut cx = ExprGraph::<0>::new(Op::Complement);
    require_integers(l, &cx)?;
    let flat = merged(l, l.root(), Omit::Unmoving, &mut cx)?;
    let mut modes = LayoutValue::empty();
    for k in (0..flat.len()).filter(|&k| !flat.extent(k).is(1)) {
        modes.push_leaf(1, 1, flat.extent(k), flat.stride(k), &cx)?;
    }
    sort_by_stride(&mut modes, &mut cx)?;
    let mut out = Complement { modes, len: 0, gap: [(1, 1); N], span: 1, refusal: None };
    // An extent or a stride that no complement has is refused before any mode is looked at.
    if let Err(error) = gaps(&flat, Basis::INTEGER, exact, &mut cx)
        && matches!(error.cause, Cause::ZeroExtent | Cause::NegativeStride)
    {
        let mut modes = (0..flat.len()).map(|k| (flat.shape[k], flat.stride[k])).filter(|mode| mode.0 != 1);
        out.refusal = modes.find(|mode| mode.0 == 0 || mode.1 < 0).map(|(extent, stride)| (extent, stride, error));
        return Ok(out);
    }
    let (mut below, mut filled) = (LayoutValue::<N>::empty(), 0);
    while out.len < modes.len() {
        // What one mode more adds to the gaps is what lies below it.
        below.push_leaf(1, 1, modes.extent(out.len), modes.stride(out.len), &cx)?;
        match gaps(&below, Basis::INTEGER, exact, &mut cx) {
            Ok((more, span)) => {
                let copies = if more.len() > filled { more.shape[filled] } else { 1 };
                out.gap[out.len] = (out.span, copies);
                (filled, out.span) = (more.len(), span.word());
            }
            Err(error) => {
                out.refusal = Some((modes.shape[out.len], modes.stride[out.len], error));
                break;
            }
        }
        out.len += 1;
    }
    Ok(out)
}

impl<const N: usize> Complement<N> {
    /// The modes by stride with the gaps below them, up to the one that is refused.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        (0..self.len).map(|k| {
            let (span, copies) = self.gap[k];
            Gap { extent: self.modes.shape[k], stride: self.modes.stride[k], span, copies }
        })
    }

    /// The elements that these modes cover with their gaps filled; the stride with which the complement goes on.
    pub const fn span(&self) -> i64 {
        self.span
    }

    /// The extent and the stride of the mode that is refused over these, and why.
    pub const fn refusal(&self) -> Option<(i64, i64, LayoutError)> {
        self.refusal
    }
}

impl<const N: usize> core::fmt::Debug for Complement<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut all = f.debug_struct("Complement");
        self.gaps().for_each(|gap| _ = all.field("gap", &gap));
        all.field("span", &self.span).field("refusal", &self.refusal).finish()
    }
}
