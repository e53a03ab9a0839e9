//! Indices of layouts with XOR strides: evaluation, extremes, injectivity and checks.

use super::matrix::bits_below;
use crate::algebra::coords::LIMIT;
use crate::algebra::injective::injective;
use crate::bits::Span;
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, TupleValue};

/// Returns `a * b` without carries, 0 if a factor is 0; `None` if a factor is negative or the product does not fit.
pub(crate) const fn carryless(a: i64, b: i64) -> Option<i64> {
    if a == 0 || b == 0 {
        return Some(0);
    }
    if a < 0 || b < 0 || a.leading_zeros() + b.leading_zeros() < 66 {
        return None;
    }
    Some(product(a as u64, b as u64) as i64)
}

/// Returns `a * b` without carries modulo 2^64: the exclusive-or of `a` shifted by each bit of `b`.
#[inline]
const fn product(a: u64, b: u64) -> u64 {
    let (mut product, mut left) = (0, b);
    while left != 0 {
        product ^= a << left.trailing_zeros();
        left &= left - 1;
    }
    product
}

/// Returns `digit * ^stride` modulo `2^usize::BITS`, like the index arithmetic of run-time numbers.
///
/// ```
/// use layout_algebra::algebra::xor::exchanged;
/// // The values of a mode 4 : ^3.
/// assert_eq!([0, 1, 2, 3].map(|digit| exchanged(digit, 3)), [0, 3, 6, 5]);
/// ```
#[inline]
pub const fn exchanged(digit: usize, stride: usize) -> usize {
    product(digit as u64, stride as u64) as usize
}

/// A partial index modulo `2^usize::BITS`, built leaf by leaf: the sum of integer strides and the exclusive-or of XOR strides.
///
/// ```
/// use layout_algebra::{algebra::xor::Partial, value::Basis};
/// // The index of (3,1,2) in (4,2,8) : (^1,^5,8).
/// let mut index = Partial::default();
/// index.add(3, 1, Basis::XOR);
/// index.add(1, 5, Basis::XOR);
/// index.add(2, 8, Basis::INTEGER);
/// assert_eq!(index.whole(), (3 ^ 5) + 16);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Partial {
    sum: usize,
    mixed: usize,
}

impl Partial {
    /// Adds `digit` times the stride of a leaf along `basis`.
    #[inline]
    pub const fn add(&mut self, digit: usize, stride: i64, basis: Basis) {
        if basis.is_xor() {
            self.mixed ^= exchanged(digit, stride as usize);
        } else {
            self.sum = self.sum.wrapping_add(digit.wrapping_mul(stride as usize));
        }
    }

    /// Returns the index: both contributions added.
    #[inline]
    pub const fn whole(self) -> usize {
        self.sum.wrapping_add(self.mixed)
    }
}

/// Returns the bits that are set in some `x * ^stride` with `x < extent`.
///
/// ```
/// use layout_algebra::algebra::xor::bits_reached;
/// assert_eq!((bits_reached(4, 0b101), bits_reached(1, 0b101)), (0b1111, 0));
/// ```
pub const fn bits_reached(extent: i64, stride: i64) -> u64 {
    let mut bits = 0;
    each!(bit, 0..bits_below(extent), {
        bits |= (stride as u64) << bit;
    });
    bits
}

/// Returns [`bits_reached`]; for an open extent, all bits that any extent can reach.
const fn open_bits(extent: SymInt, stride: i64) -> u64 {
    match extent.value() {
        Some(extent) => bits_reached(extent, stride),
        None if stride == 0 => 0,
        None => (i64::MAX as u64) << stride.trailing_zeros() & i64::MAX as u64 >> 1,
    }
}

/// Inserts `stride * 2^k` for each `k < bits` into the span.
const fn with_bits(mut span: Span, stride: i64, bits: usize) -> Span {
    each!(bit, 0..bits, {
        span.insert((stride as u64) << bit);
    });
    span
}

/// Returns `x * ^d`, the product without carries. Fails if `d` is not known, `x` is negative, or the product overflows.
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
    /// Returns the index at the coordinates `digits`, one for each leaf. Fails for basis strides and on overflow.
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

    /// Returns the least and the greatest index of a layout with XOR strides. Fails if these are not known or cost too much to find.
    pub(crate) const fn xor_extremes<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<(SymInt, SymInt)> {
        ok!(self.check_xor(cx));
        let mut plain = *self;
        let mut span = Span::EMPTY;
        let (mut cut, mut cuts) = ([0; N], 0);
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                let (extent, stride) = match (self.extent(k).value(), self.scale(k).value()) {
                    (Some(extent), Some(stride)) => (extent, stride),
                    _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                };
                plain.basis[k] = 0;
                // A mode that shares no bit with other modes is greatest at its last coordinate, like an integer stride.
                if stride.count_ones() > 1 || self.shares_bits(k) {
                    plain.stride[k] = 0;
                    if extent.count_ones() > 1 {
                        cut[cuts] = k;
                        cuts += 1;
                    } else {
                        span = with_bits(span, stride, bits_below(extent));
                    }
                }
            }
        });
        let (low, high) = ok!(plain.extremes(cx));
        let greatest = ok!(self.greatest(span, &cut, cuts, cx));
        let high = ok!(cx.add(high, SymInt(greatest as i64)));
        Ok((low, high))
    }

    /// Returns the greatest exclusive-or of an element of `span` and a value of each mode of `cut`, of any extent.
    ///
    /// The numbers below an extent are one block for each set bit: bits above it fixed, bits below free. Fails if choices exceed `LIMIT`.
    const fn greatest<const E: usize>(&self, span: Span, cut: &[usize; N], cuts: usize, cx: &ExprGraph<E>) -> Result<u64> {
        let mut block = [0; N];
        each!(j, 0..cuts, {
            block[j] = self.shape[cut[j]].trailing_zeros() as usize;
        });
        let (mut greatest, mut tried) = (0, 0);
        loop {
            let (mut span, mut fixed) = (span, 0);
            each!(j, 0..cuts, {
                let (extent, stride) = (self.shape[cut[j]], self.stride[cut[j]]);
                fixed ^= match carryless(extent & (-2 << block[j]), stride) {
                    Some(fixed) => fixed,
                    None => return Err(cx.fail(Cause::Overflow, SymInt(extent), SymInt(stride))),
                };
                span = with_bits(span, stride, block[j]);
            });
            let here = span.greatest_with(fixed as u64);
            if here > greatest {
                greatest = here;
            }
            tried += 1;
            refuse_if!(cx, tried > LIMIT, TooManyCoordinates, SymInt(tried), SymInt(LIMIT));
            let mut j = 0;
            while j < cuts {
                let above = self.shape[cut[j]] & (-2 << block[j]);
                if above != 0 {
                    block[j] = above.trailing_zeros() as usize;
                    break;
                }
                block[j] = self.shape[cut[j]].trailing_zeros() as usize;
                j += 1;
            }
            if j == cuts {
                return Ok(greatest);
            }
        }
    }

    /// Returns true if no two coordinates share an index; `None` if that is not decided. Integer strides that are multiples of
    /// the block that the XOR strides reach are tested as integers; all other strides must form a linear map.
    pub(crate) const fn xor_injective(&self) -> Option<bool> {
        let mut reached = 0;
        each!(k, 0..self.len(), {
            if !self.extent(k).is_known() || !self.scale(k).is_known() {
                return None;
            }
            if self.basis(k).is_xor() {
                reached |= bits_reached(self.shape[k], self.stride[k]);
            }
        });
        let block = match 1i64.checked_shl(64 - reached.leading_zeros()) {
            Some(block) if block > 0 => block,
            _ => return None,
        };
        let (mut low, mut high) = (*self, *self);
        each!(k, 0..self.len(), {
            // A mode of extent 1 moves nothing.
            if self.basis(k).is_integer() && self.stride[k] % block == 0 {
                low.shape[k] = 1;
            } else {
                high.shape[k] = 1;
                high.basis[k] = 0;
            }
        });
        match low.matrix(&mut ExprGraph::<0>::new(Op::MakeLayout)) {
            Ok(matrix) if matrix.outputs() <= block.trailing_zeros() => match injective(&high) {
                Some(true) => Some(matrix.rank() == matrix.inputs()),
                answer => answer,
            },
            _ => None,
        }
    }

    /// Fails if an XOR stride of the modes `kept` shares a bit with the index at `fixed`. If none does, the index is a sum.
    pub(crate) const fn require_apart<const E: usize>(&self, fixed: &TupleValue<N>, kept: &Self, cx: &mut ExprGraph<E>) -> Result<()> {
        let mut kept_bits = 0;
        each!(k, 0..kept.len(), {
            if kept.basis(k).is_xor() {
                kept_bits |= open_bits(kept.extent(k), kept.stride[k]);
            }
        });
        let digits = ok!(self.tree.digits(&self.shape, fixed, cx)).taken;
        let (mut value, mut open) = (0, 0);
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                match SymInt::raw(digits[k]).value() {
                    Some(_) => value ^= ok!(times(SymInt::raw(digits[k]), self.scale(k), cx)).word(),
                    None => open |= open_bits(self.extent(k), self.stride[k]),
                }
            }
        });
        let given = value as u64 | open;
        refuse_if!(cx, given & kept_bits != 0, NotLinear, SymInt(given as i64), SymInt((given & kept_bits) as i64));
        Ok(())
    }

    /// Returns the bits that some value of an XOR stride sets.
    pub(crate) const fn bits_together(&self) -> u64 {
        let mut all = 0;
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() {
                all |= open_bits(self.extent(k), self.stride[k]);
            }
        });
        all
    }

    /// Returns true if an XOR stride of another leaf shares a bit with leaf `k`.
    pub(super) const fn shares_bits(&self, k: usize) -> bool {
        let own = open_bits(self.extent(k), self.stride[k]);
        each!(other, 0..self.len(), {
            if other != k && self.basis(other).is_xor() && own & open_bits(self.extent(other), self.stride[other]) != 0 {
                return true;
            }
        });
        false
    }

    /// Fails unless the XOR strides are known and not negative, and the bits that they reach fit 62 bits.
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
