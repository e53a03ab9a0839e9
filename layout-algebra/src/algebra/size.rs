//! Size, cosize and coshape.
//!
//! `size(L)` is the number of coordinates. `cosize(L)` is the maximum minus the minimum of the indices, plus 1, and 0 without
//! coordinates: `1 + sum (s_k - 1) |d_k|`, exact for negative strides and stride 0.

use super::xor::bits_reached;
use crate::error::{Cause, LayoutError, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, TupleValue, known};

/// The range of the indices of a layout (the least index, the greatest index, and their span), and the check that its size and
/// its indices fit 64 bits.
///
/// ```
/// use layout_algebra::{error::Op, text::Parser};
/// use layout_algebra::value::{ExprGraph, LayoutValue, SymInt};
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// let mut layout = |text| Parser::new(text).layout(&mut scope);
/// let (down, along, open): (LayoutValue<8>, LayoutValue<8>, LayoutValue<8>) =
///     (layout("(4,3):(-1,8)")?, layout("(4,3):(1@0,1@1)")?, layout("(?,3):(1,8)")?);
/// // Indices from -3 to 16: a size of 12, and 20 elements.
/// assert_eq!(down.extremes(&mut scope)?, (SymInt::raw(-3), SymInt::small(16)));
/// assert_eq!((down.cosize(&mut scope)?, down.reach()), (SymInt::small(20), 20));
/// assert_eq!((along.cosize(&mut scope)?, along.extremes(&mut scope).is_err()), (SymInt::small(12), true));
/// // A run-time extent gives a symbol, and is not counted.
/// assert_eq!((open.cosize(&mut scope)?.is_known(), open.reach()), (false, 0));
/// // Tools that make values by themselves check them.
/// let mut long = down;
/// long.stride[1] = i64::MAX / 2;
/// assert!(down.check(&mut scope).is_ok() && long.check(&mut scope).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
impl<const N: usize> LayoutValue<N> {
    /// Returns the greatest minus the least index, plus 1, or 0 for a layout without coordinates. With basis strides an index has
    /// several components: then returns the product of this number over the components. Fails on overflow.
    pub const fn cosize<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        if !self.is_integer() && !self.has_xor() {
            let extents = ok!(self.coshape(cx));
            return extents.product(extents.root(), cx);
        }
        cx.begin(Op::Cosize);
        self.span(cx)
    }

    const fn span<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let (lo, hi) = ok!(self.extremes(cx));
        let span = ok!(cx.sub(hi, lo));
        cx.add(span, SymInt(1))
    }

    /// Returns the extents of the indices, coordinate by coordinate. Their product is `cosize(L)`.
    ///
    /// It is the cosize if the indices are integers. Along a coordinate it is `1 + sum (s_k - 1) |d_k|` over the modes along it.
    pub(crate) const fn coshape<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
        cx.begin(Op::Coshape);
        if self.is_integer() || self.has_xor() {
            return Ok(TupleValue::scalar(ok!(self.span(cx))));
        }
        // With non-negative strides, the last coordinate has the greatest value.
        let mut upward = *self;
        let mut last = [0; N];
        each!(k, 0..self.len(), {
            upward.stride[k] = ok!(cx.abs(self.scale(k))).word();
            last[k] = ok!(cx.sub(self.extent(k), SymInt(1))).word();
        });
        let mut out = ok!(upward.along_bases(&last, cx));
        each!(k, 0..out.len(), {
            out.leaf[k] = if self.extent_is_zero() { 0 } else { ok!(cx.add(out.leaf(k), SymInt(1))).word() };
        });
        Ok(out)
    }

    /// Returns the least and the greatest index; `(0, -1)` for an empty layout. Fails for basis strides and on overflow.
    pub const fn extremes<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<(SymInt, SymInt)> {
        let (mut lo, mut hi) = (SymInt(0), SymInt(0));
        if self.extent_is_zero() {
            return Ok((SymInt(0), SymInt(-1)));
        }
        each!(k, 0..self.len(), {
            if !self.basis(k).is_integer() {
                refuse_if!(cx, !self.has_xor(), BasisStride);
                return self.xor_extremes(cx);
            }
            let steps = ok!(cx.sub(self.extent(k), SymInt(1)));
            let reach = ok!(cx.mul(steps, self.scale(k)));
            let up = ok!(cx.max(reach, SymInt(0)));
            let down = ok!(cx.min(reach, SymInt(0)));
            hi = ok!(cx.add(hi, up));
            lo = ok!(cx.add(lo, down));
        });
        Ok((lo, hi))
    }

    /// Fails if an extent is negative, or if the size or an index overflows 64 bits. Every layout made at run time passes this.
    pub const fn check<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<()> {
        each!(k, 0..self.len(), {
            refuse_if!(cx, self.extent(k).is_keep() || self.scale(k).is_keep(), UnexpectedKeep);
            refuse_if!(cx, cx.facts(self.extent(k)).hi < 0, NegativeExtent, self.extent(k));
        });
        if !self.is_known() {
            if !self.is_integer() {
                ok!(self.check_xor(cx));
            }
            // An open extent may turn out to be 0. The layout is checked again when its numbers are known.
            return Ok(());
        }
        ok!(self.size_of(self.root(), cx));
        if self.gives_integers() {
            ok!(self.span(cx));
        } else {
            // Coordinates have no single span.
            ok!(self.check_xor(cx));
        }
        Ok(())
    }

    /// Returns the larger of size and cosize if every number is known, else 0. A result above `i64::MAX` is only a lower bound.
    /// XOR strides contribute all bits that they reach.
    pub const fn reach(&self) -> i128 {
        let (mut size, mut cosize) = (1i128, 1i128);
        let (mut exchanged, mut beyond) = (0, false);
        each!(k, 0..self.tree.len, {
            let (extent, stride) = (self.shape[k], self.stride[k]);
            if !known!(extent) || !known!(stride) || extent == 0 {
                return 0;
            }
            if !beyond {
                let span = if self.basis[k] == 0 { (extent as i128 - 1) * stride as i128 } else { 0 };
                cosize += if span < 0 { -span } else { span };
                if self.basis[k] == Basis::XOR.0 {
                    exchanged |= bits_reached(extent, stride);
                }
                size *= extent as i128;
                beyond = size > i64::MAX as i128 || cosize > i64::MAX as i128;
            }
        });
        cosize += exchanged as i128;
        if size > cosize { size } else { cosize }
    }
}

/// Returns `result`, or an error of `op` if the size or an index of the layout overflows 64 bits.
pub(crate) const fn fitting<const N: usize>(result: Result<LayoutValue<N>>, op: Op) -> Result<LayoutValue<N>> {
    match result {
        Ok(l) if l.reach() > i64::MAX as i128 => Err(LayoutError::plain(op, Cause::TooLong, 0, 0)),
        // Run-time numbers are checked when they are known.
        Ok(l) if l.has_xor() && l.is_known() => match l.check(&mut ExprGraph::<0>::new(op)) {
            Ok(()) => Ok(l),
            Err(error) => Err(error),
        },
        result => result,
    }
}
