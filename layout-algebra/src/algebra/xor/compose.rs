//! Composition `A o B`, the function `c -> A(B(c))`, where `A` or `B` has XOR strides.
//!
//! The extents of `A` are powers of two, so a number splits into digits bit by bit: `A(x)` combines `A(2^b)` for the bits `b` of `x`. If the
//! leaves of `B` combine without carries, bit `j` of a leaf contributes `A` of its value in `B`. A leaf of the result is a run of bits, each
//! of twice the value of the bit before. A leaf of `B` that walks only the last mode of `A` needs no bits, so its numbers may be open.

use super::matrix::bits_below;
use crate::algebra::compose::{Digits, LinearRun, LinearRuns};
use crate::bits::MAX_BITS;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt};

/// The index that the layout `A` gives for one bit of its coordinate: the contribution `mixed` of XOR strides, and `sum` of integer
/// strides.
#[derive(Clone, Copy)]
pub(super) struct BitImage {
    pub mixed: u64,
    pub sum: i64,
}

impl<const N: usize> Digits<N> {
    /// Returns the number of coordinate bits below the last mode. Fails if an extent below it is not a power of two.
    const fn low_bits<const E: usize>(&self, cx: &ExprGraph<E>) -> Result<u32> {
        let last = self.modes.len() - 1;
        each!(k, 0..last, {
            match self.modes.extent(k).value() {
                Some(extent) => refuse_if!(cx, extent.count_ones() != 1, NotPowerOfTwo, SymInt(extent)),
                None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            }
        });
        Ok(self.bound[last].trailing_zeros())
    }

    /// Returns `A(2^bit)`. Fails if the stride is not known or along a basis, or if the value exceeds 62 bits.
    const fn image<const E: usize>(&self, bit: u32, cx: &ExprGraph<E>) -> Result<BitImage> {
        let mut k = self.modes.len() - 1;
        while self.bound[k].trailing_zeros() > bit {
            k -= 1;
        }
        let stride = match self.modes.scale(k).value() {
            Some(stride) => stride,
            None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        let up = bit - self.bound[k].trailing_zeros();
        let scaled = match stride.checked_mul(1 << up) {
            Some(scaled) if up < 62 && scaled.unsigned_abs() < 1 << 62 => scaled,
            _ => return Err(cx.fail(Cause::Overflow, SymInt(stride), SymInt(1 << up))),
        };
        let basis = self.modes.basis(k);
        refuse_if!(cx, !basis.is_xor() && !basis.is_integer() && stride != 0, MixedBasis);
        Ok(if basis.is_xor() { BitImage { mixed: scaled as u64, sum: 0 } } else { BitImage { mixed: 0, sum: scaled } })
    }

    /// Appends the runs of the leaves of `B` along `basis`, and of its leaves with XOR strides, to `runs`.
    pub(crate) const fn split_xor<const E: usize>(
        &self,
        b: &LayoutValue<N>,
        basis: Basis,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let low = ok!(self.low_bits(cx));
        let last = self.modes.len() - 1;
        let sums_last = !self.modes.basis(last).is_xor();
        // For each bit of each leaf of `B`, the index that it gives in `B`: the stride of the leaf, shifted by the number of the bit.
        // `first` has the position of the bits of each leaf.
        let (mut value, mut len) = ([0u64; MAX_BITS], 0);
        let mut first = [0; N];
        let (mut by_sums, mut by_xor, mut carried, mut shared) = (0u64, 0u64, 0u64, 0u64);
        let outer = cx.path();
        each!(k, 0..b.len(), {
            first[k] = len;
            let (extent, step) = (b.extent(k), b.scale(k));
            let xor = b.basis(k).is_xor();
            if (xor || b.basis(k).0 == basis.0) && !is_still(extent, step) && !self.is_alone(b, k, low, cx) {
                cx.at(outer.then(k));
                let (extent, step) = match (extent.value(), step.value()) {
                    (Some(extent), Some(step)) => (extent, step),
                    _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                };
                refuse_if!(cx, step < 0, NegativeStride, SymInt(step));
                each!(bit, 0..bits_below(extent), {
                    refuse_if!(cx, len == MAX_BITS || step.leading_zeros() as usize <= bit + 2, Overflow, SymInt(extent), SymInt(step));
                    let x = (step as u64) << bit;
                    if xor {
                        carried |= by_sums & x;
                        shared |= by_xor & x;
                        by_xor |= x;
                    } else {
                        carried |= (by_sums | by_xor) & x;
                        by_sums |= x;
                    }
                    value[len] = x;
                    len += 1;
                });
            }
        });
        cx.at(outer);
        // Carries within the last mode of `A` are allowed if its stride is an integer and no XOR stride of `B` reaches it.
        let (above, mut summed) = (u64::MAX << low, 0);
        if sums_last && by_xor & above == 0 {
            summed = carried & above;
            carried &= !above;
        }
        refuse_if!(cx, carried != 0, Carry, SymInt(carried as i64), SymInt(carried as i64 & (carried as i64).wrapping_neg()));
        let mut image = [BitImage { mixed: 0, sum: 0 }; MAX_BITS];
        // An exclusive-or cannot be summed: the result has XOR strides if no two values of bits overlap.
        let mut exchanged = false;
        each!(k, 0..len, {
            let mut left = value[k];
            while left != 0 {
                let one = ok!(self.image(left.trailing_zeros(), cx));
                exchanged |= one.sum != 0 && shared >> left.trailing_zeros() & 1 == 1;
                image[k].mixed ^= one.mixed;
                image[k].sum = match image[k].sum.checked_add(one.sum) {
                    Some(sum) => sum,
                    None => return Err(cx.fail(Cause::Overflow, SymInt(image[k].sum), SymInt(one.sum))),
                };
                left &= left - 1;
            }
            exchanged |= image[k].mixed != 0 && image[k].sum != 0;
        });
        if exchanged {
            refuse_if!(cx, summed != 0, Carry, SymInt(summed as i64), SymInt(summed as i64 & (summed as i64).wrapping_neg()));
            ok!(self.exchange(&value, &mut image, len, by_sums | by_xor, cx));
        }
        each!(k, 0..b.len(), {
            if b.basis(k).is_xor() || b.basis(k).0 == basis.0 {
                cx.at(outer.then(k));
                let (extent, step) = (b.extent(k), b.scale(k));
                if is_still(extent, step) {
                    ok!(runs.push(LinearRun::new(extent, SymInt(0), Stride::integer(SymInt(0)), extent, k, 0), cx));
                } else if self.is_alone(b, k, low, cx) {
                    refuse_if!(cx, exchanged, Undecided);
                    let scale = match self.modes.scale(last).value() {
                        // If the last mode continues the modes before it, no division is needed.
                        Some(stride) if stride % self.bound[last] == 0 => ok!(cx.mul(step, SymInt(stride / self.bound[last]))),
                        _ => {
                            let ratio = ok!(cx.div(step, self.bound(last)));
                            ok!(cx.mul(ratio, self.modes.scale(last)))
                        }
                    };
                    let stride = Stride { scale, basis: self.modes.basis(last) };
                    ok!(runs.push(LinearRun::new(extent, step, stride, extent, k, last), cx));
                } else {
                    let end = if k + 1 < b.len() { first[k + 1] } else { len };
                    ok!(leaf_runs(&image, first[k], end, extent, step, k, runs, cx));
                }
            }
        });
        cx.at(outer);
        Ok(())
    }

    /// Returns true if leaf `k` of `B` walks only the last mode of `A`, in whole steps, with integer strides.
    const fn is_alone<const E: usize>(&self, b: &LayoutValue<N>, k: usize, low: u32, cx: &ExprGraph<E>) -> bool {
        let sums = !b.basis(k).is_xor() && !self.modes.basis(self.modes.len() - 1).is_xor();
        sums && cx.facts(b.scale(k)).div % (1 << low) == 0
    }

    /// Turns the values of `A` at the bits `used` into XOR strides. Fails if two of these values share a bit.
    const fn exchange<const E: usize>(
        &self,
        value: &[u64; MAX_BITS],
        image: &mut [BitImage; MAX_BITS],
        len: usize,
        used: u64,
        cx: &ExprGraph<E>,
    ) -> Result<()> {
        let (mut sums, mut mixed) = (0u64, 0u64);
        let mut left = used;
        while left != 0 {
            let one = ok!(self.image(left.trailing_zeros(), cx));
            refuse_if!(cx, one.sum < 0, NegativeStride, SymInt(one.sum));
            let here = one.sum as u64;
            let met = (sums | mixed) & here | sums & one.mixed;
            refuse_if!(cx, met != 0, NotLinear, SymInt((here | one.mixed) as i64), SymInt(met as i64));
            sums |= here;
            mixed |= one.mixed;
            left &= left - 1;
        }
        each!(k, 0..len, {
            image[k] = BitImage { mixed: 0, sum: 0 };
            let mut left = value[k];
            while left != 0 {
                let one = ok!(self.image(left.trailing_zeros(), cx));
                image[k].mixed ^= one.mixed ^ one.sum as u64;
                left &= left - 1;
            }
        });
        Ok(())
    }
}

/// Returns true if a leaf `extent : step` has no bits: it moves nothing, or has no coordinates.
const fn is_still(extent: SymInt, step: SymInt) -> bool {
    extent.is(0) || extent.is(1) || step.is(0)
}

/// Appends the runs of leaf number `leaf`: the bits `from..end`, split where a value is not twice the value before. Fails if a run
/// does not divide the steps that are left.
#[allow(clippy::too_many_arguments)]
pub(super) const fn leaf_runs<const N: usize, const E: usize>(
    image: &[BitImage; MAX_BITS],
    from: usize,
    end: usize,
    extent: SymInt,
    step: SymInt,
    leaf: usize,
    runs: &mut LinearRuns<N>,
    cx: &ExprGraph<E>,
) -> Result<()> {
    let (mut left, mut at) = (extent.0, from);
    while at < end {
        let start = at;
        at += 1;
        while at < end && image[at].sum == image[at - 1].sum << 1 && image[at].mixed == image[at - 1].mixed << 1 {
            at += 1;
        }
        let taken = if at == end { left } else { 1 << (at - start) };
        if left % taken != 0 {
            return Err(cx.fail3(Cause::RunDoesNotDivide, SymInt(left), SymInt(step.0 << (start - from)), SymInt(taken)));
        }
        let stride = if image[start].mixed != 0 {
            Stride { scale: SymInt(image[start].mixed as i64), basis: Basis::XOR }
        } else {
            Stride::integer(SymInt(image[start].sum))
        };
        ok!(runs.push(LinearRun::new(SymInt(left), SymInt(step.0 << (start - from)), stride, SymInt(taken), leaf, 0), cx));
        left /= taken;
    }
    Ok(())
}
