//! Fast evaluation of many indices of a layout of known numbers.

use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::algebra::xor::carryless;
use crate::error::{Cause, LayoutError, Op, Result};
use crate::swizzle::Swizzle;
use crate::value::LayoutValue;

/// The leaves of a layout of known numbers, prepared to compute many indices: constant evaluation pays for every step.
#[derive(Clone, Copy)]
pub(crate) struct Indexer<const N: usize> {
    len: usize,
    extent: [i64; N],
    stride: [i64; N],
    xor: [bool; N],
    /// True for each leaf that is the last of its mode.
    last: [bool; N],
    offset: i64,
    swizzle: Option<Swizzle>,
}

impl<const N: usize> Indexer<N> {
    pub(crate) const fn of(x: &Operand<N>) -> Result<Self> {
        match x {
            Operand::Layout(l) => Self::of_layout(l, 0, None),
            Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer }) if offset.is_scalar() => {
                match offset.leaf(0).value() {
                    Some(offset) => Self::of_layout(outer, offset, Some(*swizzle)),
                    None => Err(LayoutError::plain(Op::BankConflicts, Cause::Undecided, 0, 0)),
                }
            }
            _ => Err(LayoutError::plain(Op::BankConflicts, Cause::OperandKind, 0, 0)),
        }
    }

    pub(crate) const fn of_layout(l: &LayoutValue<N>, offset: i64, swizzle: Option<Swizzle>) -> Result<Self> {
        let mut out = Indexer { len: l.len(), extent: l.shape, stride: l.stride, xor: [false; N], last: [false; N], offset, swizzle };
        if !l.is_known() {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::Undecided, 0, 0));
        }
        each!(k, 0..l.len(), {
            out.xor[k] = l.basis(k).is_xor();
            if l.basis(k).0 != 0 && !out.xor[k] {
                return Err(LayoutError::at_mode(Op::BankConflicts, k, Cause::BasisStride, 0, 0));
            }
        });
        let mut mode = 0;
        while let Some(span) = l.tree.mode(l.root(), mode) {
            if span.hi > 0 {
                out.last[span.hi - 1] = true;
            }
            mode += 1;
        }
        Ok(out)
    }

    /// Returns true if an extent is 0.
    pub(crate) const fn is_empty(&self) -> bool {
        each!(k, 0..self.len, {
            if self.extent[k] == 0 {
                return true;
            }
        });
        false
    }

    /// Returns the size of mode 0. Meaningless if the layout is empty.
    pub(crate) const fn first_mode(&self) -> i64 {
        let (mut size, mut k) = (1, 0);
        while k < self.len {
            size *= self.extent[k];
            if self.last[k] {
                return size;
            }
            k += 1;
        }
        size
    }

    /// Returns the number of coordinates. The product may overflow if an extent is 0.
    pub(crate) const fn size(&self) -> i64 {
        let mut size = 1;
        each!(k, 0..self.len, {
            size *= self.extent[k];
        });
        size
    }

    /// Returns the index of an integer coordinate that is not negative. Fails as `sum` does.
    pub(crate) const fn at(&self, coordinate: i64) -> Result<i64> {
        self.sum(&[coordinate])
    }

    /// Returns the index of one integer coordinate, or of one integer for each mode. Fails on other lengths and on overflow.
    pub(crate) const fn sum(&self, modes: &[i64]) -> Result<i64> {
        let (mut sum, mut mixed) = (0i64, 0i64);
        let (mut next, mut left) = (0, 0);
        let whole = modes.len() == 1;
        let mut fresh = true;
        each!(k, 0..self.len, {
            if fresh {
                if next == modes.len() {
                    return Err(LayoutError::plain(Op::BankConflicts, Cause::RankMismatch, modes.len() as i64, next as i64 + 1));
                }
                left = modes[next];
                next += 1;
            }
            let mut digit = left;
            if (whole && k + 1 < self.len) || (!whole && !self.last[k]) {
                let extent = self.extent[k];
                if extent == 0 {
                    left = 0;
                } else {
                    digit = left % extent;
                    left /= extent;
                }
            }
            let term = if self.xor[k] { carryless(digit, self.stride[k]) } else { digit.checked_mul(self.stride[k]) };
            let total = match term {
                Some(term) if self.xor[k] => {
                    mixed ^= term;
                    Some(sum)
                }
                Some(term) => sum.checked_add(term),
                None => None,
            };
            sum = match total {
                Some(sum) => sum,
                None => return Err(LayoutError::at_mode(Op::BankConflicts, k, Cause::Overflow, digit, self.stride[k])),
            };
            fresh = self.last[k] && !whole;
        });
        if !whole && next < modes.len() {
            return Err(LayoutError::plain(Op::BankConflicts, Cause::RankMismatch, modes.len() as i64, next as i64));
        }
        let index = match sum.checked_add(mixed) {
            Some(index) => index.checked_add(self.offset),
            None => None,
        };
        match (index, self.swizzle) {
            (Some(index), None) => Ok(index),
            (Some(index), Some(swizzle)) if index >= 0 => Ok(swizzle.apply(index)),
            (Some(index), _) => Err(LayoutError::plain(Op::BankConflicts, Cause::NegativeBits, index, 0)),
            (None, _) => Err(LayoutError::plain(Op::BankConflicts, Cause::Overflow, sum, self.offset)),
        }
    }
}
