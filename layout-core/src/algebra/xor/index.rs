//! The inner product of layouts with XOR strides.

use super::matrix::bits_below;
use crate::bits::Span;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, SymInt};

/// `a * b` without carries, of numbers that are not negative; `None` where it does not fit.
pub const fn carryless(a: i64, b: i64) -> Option<i64> {
    if a == 0 || b == 0 {
        return Some(0);
    }
    if a < 0 || b < 0 || a.leading_zeros() + b.leading_zeros() < 66 {
        return None;
    }
    let (mut product, mut left) = (0, b);
    while left != 0 {
        product ^= a << left.trailing_zeros();
        left &= left - 1;
    }
    Some(product)
}

/// The bits that some `x * ^stride` has for `x < extent`.
const fn reach(extent: i64, stride: i64) -> u64 {
    let mut bits = 0;
    each!(bit, 0..bits_below(extent), {
        bits |= (stride as u64) << bit;
    });
    bits
}

/// `x * ^d`
const fn times<const E: usize>(x: SymInt, d: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    let d = match d.value() {
        Some(d) => d,
        None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    };
    if let Some(x) = x.value() {
        refuse_if!(cx, x < 0, OutOfRange, SymInt(x));
        return match carryless(x, d) {
            Some(product) => Ok(SymInt(product)),
            None => Err(cx.fail(Cause::Overflow, SymInt(x), SymInt(d))),
        };
    }
    let (mut product, mut left) = (SymInt(0), d);
    while left != 0 {
        let shifted = ok!(cx.mul(x, SymInt(left & -left)));
        product = ok!(cx.xor(product, shifted));
        left &= left - 1;
    }
    Ok(product)
}

impl<const N: usize> LayoutValue<N> {
    /// The index at the coordinate of every leaf.
    pub(crate) const fn xor_sum<const E: usize>(&self, digits: &[i64; N], cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let (mut sum, mut mixed) = (SymInt(0), SymInt(0));
        each!(k, 0..self.len(), {
            let (digit, scale) = (SymInt::raw(digits[k]), self.scale(k));
            if self.basis(k).is_xor() {
                let term = ok!(times(digit, scale, cx));
                mixed = ok!(cx.xor(mixed, term));
            } else {
                refuse_if!(cx, !self.basis(k).is_integer() && !scale.is(0), MixedBasis);
                let term = ok!(cx.mul(digit, scale));
                sum = ok!(cx.add(sum, term));
            }
        });
        cx.add(mixed, sum)
    }

    /// The least and the greatest index of a layout with XOR strides.
    pub(crate) const fn xor_extremes<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<(SymInt, SymInt)> {
        let mut plain = *self;
        let mut span = Span::EMPTY;
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                let (extent, stride) = match (self.extent(k).value(), self.scale(k).value()) {
                    (Some(extent), Some(stride)) => (extent, stride),
                    _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                };
                plain.basis[k] = 0;
                // A mode that exchanges nothing with others ends where its extent does.
                if extent.count_ones() <= 1 || stride.count_ones() != 1 || self.shares_bits(k) {
                    refuse_if!(cx, extent.count_ones() > 1, NotPowerOfTwo, SymInt(extent));
                    plain.stride[k] = 0;
                    each!(bit, 0..bits_below(extent), {
                        span.insert((stride as u64) << bit);
                    });
                }
            }
        });
        let (low, high) = ok!(plain.extremes(cx));
        if self.extent_is_zero() {
            return Ok((low, high));
        }
        let high = ok!(cx.add(high, SymInt(span.greatest() as i64)));
        Ok((low, high))
    }

    /// Tests whether an XOR stride of another mode has a bit in common with those of mode `k`.
    const fn shares_bits(&self, k: usize) -> bool {
        let own = reach(self.shape[k], self.stride[k]);
        each!(other, 0..self.len(), {
            if other != k && self.basis(other).is_xor() && own & reach(self.shape[other], self.stride[other]) != 0 {
                return true;
            }
        });
        false
    }

    /// Checks the XOR strides of a layout: known, not negative, and small enough that what they reach fits 62 bits.
    pub(crate) const fn check_xor<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<()> {
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                match self.scale(k).value() {
                    None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                    Some(stride) => {
                        refuse_if!(cx, stride < 0, NegativeStride, SymInt(stride));
                        if let Some(extent) = self.extent(k).value() {
                            let bits = bits_below(extent) as u32 + (64 - stride.leading_zeros());
                            refuse_if!(cx, stride != 0 && bits > 62, Overflow, SymInt(extent), SymInt(stride));
                        }
                    }
                }
            }
        });
        Ok(())
    }
}
