//! Layouts of known numbers, composed or not, as functions of the linear coordinate.

use crate::algebra::coalesce::Omit;
use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::algebra::xor::{bits_reached, carryless};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{ExprGraph, LayoutValue, SymInt};

/// The coalesced modes of a layout of known numbers, whose strides are integers or XOR strides.
#[derive(Clone, Copy)]
pub(super) struct Modes<const N: usize> {
    pub len: usize,
    pub extent: [i64; N],
    pub stride: [i64; N],
    /// True for an XOR stride that is not 0.
    pub xor: [bool; N],
}

impl<const N: usize> Modes<N> {
    /// Returns the modes of `l`, without those that `omit` drops. Returns `None` if a number is not known, or a value is no integer.
    pub const fn of(l: &LayoutValue<N>, omit: Omit) -> Option<Self> {
        if !l.is_known() || !l.gives_integers() {
            return None;
        }
        let Ok(l) = l.merged(l.root(), omit, &mut ExprGraph::<0>::new(Op::Coalesce)) else { return None };
        let mut out = Modes { len: l.len(), extent: l.shape, stride: l.stride, xor: [false; N] };
        each!(k, 0..l.len(), {
            out.xor[k] = l.basis(k).is_xor() && l.stride[k] != 0;
        });
        Some(out)
    }

    /// Returns the product of the extents of the first `modes` modes, at most `i64::MAX`.
    pub const fn size(&self, modes: usize) -> i64 {
        let mut size = 1i64;
        each!(k, 0..modes, {
            size = size.saturating_mul(self.extent[k]);
        });
        size
    }

    /// Returns bounds of the sums of all coordinates of the domain. The least one is reached, and the greatest one without XOR strides.
    pub const fn range(&self) -> (i128, i128) {
        let (mut low, mut high, mut mixed) = (0i128, 0i128, 0u64);
        each!(k, 0..self.len, {
            let reach = (self.extent[k] as i128 - 1).saturating_mul(self.stride[k] as i128);
            if self.xor[k] {
                mixed |= bits_reached(self.extent[k], self.stride[k]);
            } else if reach < 0 {
                low = low.saturating_add(reach);
            } else {
                high = high.saturating_add(reach);
            }
        });
        (low, high.saturating_add(mixed as i128))
    }

    /// Returns the index of an integer coordinate, which may lie outside the domain. Returns `None` on overflow, and if the coordinate
    /// of an XOR stride is negative.
    pub const fn at(&self, coordinate: i64) -> Option<i64> {
        let (mut sum, mut mixed, mut left) = (0i64, 0i64, coordinate);
        each!(k, 0..self.len, {
            let mut digit = left;
            if self.extent[k] == 0 {
                left = 0;
            } else if k + 1 < self.len {
                digit = left.rem_euclid(self.extent[k]);
                left = left.div_euclid(self.extent[k]);
            }
            let term = if self.xor[k] { carryless(digit, self.stride[k]) } else { digit.checked_mul(self.stride[k]) };
            match term {
                Some(term) if self.xor[k] => mixed ^= term,
                Some(term) => match sum.checked_add(term) {
                    Some(next) => sum = next,
                    None => return None,
                },
                None => return None,
            }
        });
        sum.checked_add(mixed)
    }
}

/// The function that is applied to the indices of a layout.
#[derive(Clone, Copy)]
pub(super) enum After<const N: usize> {
    Nothing,
    Swizzle(Swizzle),
    Layout(Modes<N>),
}

/// The function `c -> after(offset + modes(c))`.
#[derive(Clone, Copy)]
pub(super) struct KnownFunction<const N: usize> {
    pub modes: Modes<N>,
    pub offset: i64,
    pub after: After<N>,
}

impl<const N: usize> KnownFunction<N> {
    /// Returns the function of an operand; `None` if a number is not known, or a value between the functions is no integer.
    pub const fn of(x: &Operand<N>) -> Option<Self> {
        match x {
            Operand::Layout(l) => match Modes::of(l, Omit::Single) {
                Some(modes) => Some(KnownFunction { modes, offset: 0, after: After::Nothing }),
                None => None,
            },
            Operand::Composed(ComposedValue { inner, offset, outer }) => {
                let (Some(modes), true) = (Modes::of(outer, Omit::Single), offset.is_scalar()) else { return None };
                let Some(offset) = offset.leaf(0).value() else { return None };
                let after = match inner {
                    Inner::Swizzle(swizzle) if swizzle.is_identity() => After::Nothing,
                    Inner::Swizzle(swizzle) => After::Swizzle(*swizzle),
                    Inner::Layout(l) => match Modes::of(l, Omit::Inner) {
                        Some(inner) => After::Layout(inner),
                        None => return None,
                    },
                };
                Some(KnownFunction { modes, offset, after })
            }
            _ => None,
        }
    }

    pub const fn size(&self) -> i64 {
        self.modes.size(self.modes.len)
    }

    /// Fails if the numbers that the modes and the offset make do not fit, or if a swizzle gets a negative one of them.
    pub const fn require_range<const E: usize>(&self, cx: &ExprGraph<E>) -> Result<()> {
        if self.size() == 0 {
            return Ok(());
        }
        let (low, high) = self.modes.range();
        let (least, greatest) = (low + self.offset as i128, high + self.offset as i128);
        refuse_if!(cx, least < SymInt::MIN as i128, Overflow, SymInt(self.offset), SymInt(low as i64));
        refuse_if!(cx, greatest > i64::MAX as i128, Overflow, SymInt(self.offset), SymInt(high as i64));
        refuse_if!(cx, matches!(self.after, After::Swizzle(_)) && least < 0, NegativeSwizzle, SymInt(least as i64));
        Ok(())
    }

    /// Returns true if every number that the modes and the offset make provably has an index.
    pub const fn is_total(&self) -> bool {
        let After::Layout(inner) = &self.after else { return true };
        let (low, high) = self.modes.range();
        let (low, high) = (low.saturating_add(self.offset as i128), high.saturating_add(self.offset as i128));
        each!(k, 0..inner.len, {
            if inner.xor[k] && (low < 0 || k + 1 == inner.len) {
                return false;
            }
        });
        if inner.len == 0 {
            return true;
        }
        // The last mode takes the whole quotient, the others stay within their extents.
        let (least, greatest) = inner.range();
        let (quotient, stride) = (if high > -low { high } else { -low }, inner.stride[inner.len - 1] as i128);
        let reach = quotient.saturating_mul(stride).saturating_abs();
        least.saturating_sub(reach) >= SymInt::MIN as i128 && greatest.saturating_add(reach) <= i64::MAX as i128
    }

    /// Returns the number of steps that the index of a coordinate counts as.
    pub const fn steps(&self) -> usize {
        let after = match &self.after {
            After::Layout(inner) => inner.len,
            _ => 0,
        };
        1 + (self.modes.len + after) / 4
    }

    /// Returns the index of a coordinate of the domain. Fails on overflow, and if a swizzle or an XOR stride gets a negative number.
    pub const fn index<const E: usize>(&self, coordinate: i64, cx: &ExprGraph<E>) -> Result<i64> {
        if let Some(index) = self.at(coordinate) {
            return Ok(index);
        }
        ok!(self.require_range(cx));
        // The sum fits, so the second layout has no index for it.
        let mut x = self.offset;
        if let Some(sum) = self.modes.at(coordinate) {
            x += sum;
        }
        let mut stride = 0;
        if let After::Layout(inner) = &self.after
            && inner.len > 0
        {
            let last = inner.len - 1;
            refuse_if!(cx, x < 0 && inner.xor[last], OutOfRange, SymInt(x), SymInt(inner.size(inner.len)));
            stride = inner.stride[last];
        }
        Err(cx.fail(Cause::Overflow, SymInt(x), SymInt(stride)))
    }

    /// Returns the index of an integer coordinate of the domain. Returns `None` on overflow, and if a swizzle gets a negative number.
    pub const fn at(&self, coordinate: i64) -> Option<i64> {
        match self.modes.at(coordinate) {
            Some(sum) => self.after(sum),
            None => None,
        }
    }

    /// Returns the index for this sum of the modes. Returns `None` as `at` does.
    pub const fn after(&self, sum: i64) -> Option<i64> {
        let Some(x) = sum.checked_add(self.offset) else { return None };
        match &self.after {
            After::Nothing => Some(x),
            After::Swizzle(swizzle) => {
                if x < 0 {
                    None
                } else {
                    Some(swizzle.apply(x))
                }
            }
            After::Layout(inner) => inner.at(x),
        }
    }

    /// Returns `(period, step)` with `after(x + period) = after(x) + step`, or `None` if there is none.
    pub const fn period(&self) -> Option<(i64, i64)> {
        match &self.after {
            After::Nothing => Some((1, 1)),
            After::Swizzle(swizzle) => Some((1 << swizzle.width(), 1 << swizzle.width())),
            After::Layout(inner) => {
                // The last mode takes the whole quotient.
                if inner.len == 0 || inner.xor[inner.len - 1] {
                    return None;
                }
                let last = inner.len - 1;
                let period = inner.size(last);
                if period == 0 || period == i64::MAX { None } else { Some((period, inner.stride[last])) }
            }
        }
    }
}
