//! Conversions between integer strides, swizzled layouts and XOR strides: the same function, or a refusal.

use super::matrix::{Linear, Slots, are_disjoint, bits_below};
use crate::algebra::operands::{Composed, Inner, Operand};
use crate::bits::{BitMatrix, MAX_BITS};
use crate::error::{Cause, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{Basis, ExprGraph, LayoutValue, SymInt, TupleValue};

/// How many values are compared where bits overlap.
const MOST: usize = 1 << 16;

/// The bits of each mode of `l`.
pub(crate) const fn mode_bits<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<Slots<N>> {
    let mut slots = Slots { len: 0, bits: [0; N] };
    let mut k = 0;
    while let Some(mode) = l.tree.mode(l.root(), k) {
        let size = ok!(l.size_of(mode, cx));
        match size.value() {
            Some(extent) if extent.count_ones() == 1 => slots.bits[k] = bits_below(extent),
            Some(_) => return Err(cx.fail(Cause::NotPowerOfTwo, size, SymInt(0))),
            None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        }
        k += 1;
    }
    slots.len = k;
    Ok(slots)
}

impl Linear {
    /// `inner(offset + outer(c))`, if it is linear but for its value at 0.
    pub(crate) const fn of<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Linear> {
        let (l, offset, swizzle) = match x {
            Operand::Layout(l) => (l, 0, None),
            Operand::Composed(Composed { inner: Inner::Swizzle(swizzle), offset, outer }) if offset.is_scalar() => {
                match offset.leaf(0).value() {
                    Some(offset) => (outer, offset, Some(*swizzle)),
                    None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                }
            }
            _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
        };
        let mut linear =
            if l.has_xor() && offset == 0 { Linear { offset: 0, matrix: ok!(l.matrix(cx)) } } else { ok!(affine(l, offset, cx)) };
        if let Some(swizzle) = swizzle
            && !swizzle.is_identity()
        {
            let touched = 64 - ((swizzle.source() | swizzle.target()) as u64).leading_zeros();
            let bits = if touched > linear.matrix.outputs() { touched } else { linear.matrix.outputs() };
            let exchange = match BitMatrix::swizzle(swizzle, bits) {
                Some(exchange) => exchange,
                None => return Err(cx.fail(Cause::Overflow, SymInt(bits as i64), SymInt(0))),
            };
            // The matrix has at most as many outputs as the exchange has inputs.
            if let Some(matrix) = exchange.after(&linear.matrix) {
                linear.matrix = least_outputs(&matrix);
            }
            linear.offset = swizzle.apply(linear.offset as i64) as u64;
        }
        Ok(linear)
    }
}

/// The matrix with as few outputs as its columns need.
const fn least_outputs(matrix: &BitMatrix) -> BitMatrix {
    let mut all = 0;
    each!(k, 0..matrix.inputs() as usize, {
        all |= matrix.column(k);
    });
    match BitMatrix::from_columns(matrix.columns(), 64 - all.leading_zeros()) {
        Some(matrix) => matrix,
        None => *matrix,
    }
}

/// `offset + l(c)` for integer strides. A negative stride counts down from the far end of its mode, so its bits are turned over.
const fn affine<const N: usize, const E: usize>(l: &LayoutValue<N>, offset: i64, cx: &mut ExprGraph<E>) -> Result<Linear> {
    let (mut weight, mut len) = ([0i64; MAX_BITS], 0);
    let mut least = offset;
    let (mut all, mut overlap) = (0, None);
    each!(k, 0..l.len(), {
        let (extent, stride) = match (l.extent(k).value(), l.scale(k).value()) {
            (Some(extent), Some(stride)) => (extent, stride),
            _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        refuse_if!(cx, extent.count_ones() != 1, NotPowerOfTwo, SymInt(extent));
        refuse_if!(cx, !l.basis(k).is_integer() && stride != 0, BasisStride);
        each!(bit, 0..bits_below(extent), {
            let value = match stride.checked_mul(1 << bit) {
                Some(value) if len < MAX_BITS && value.unsigned_abs() < 1 << 62 => value,
                _ => return Err(cx.fail(Cause::Overflow, SymInt(extent), SymInt(stride))),
            };
            let size = value.abs();
            if all & size != 0 {
                overlap = Some((size, all & size));
            }
            all |= size;
            weight[len] = value;
            len += 1;
            if value < 0 {
                least = match least.checked_add(value) {
                    Some(least) => least,
                    None => return Err(cx.fail(Cause::Overflow, SymInt(least), SymInt(value))),
                };
            }
        });
    });
    refuse_if!(cx, least < 0, NoSuchIndex, SymInt(least));
    refuse_if!(cx, least >= 1 << 62, Overflow, SymInt(least), SymInt(1));
    if all & least != 0 {
        overlap = Some((least, all & least));
    }
    // From the least value up, where no carry can be; what each bit changes there is what it changes everywhere.
    let mut column = [0u64; MAX_BITS];
    let mut start = least as u64;
    each!(k, 0..len, {
        column[k] = (least ^ (least + weight[k].abs())) as u64;
    });
    each!(k, 0..len, {
        if weight[k] < 0 {
            start ^= column[k];
        }
    });
    if let Some((a, b)) = overlap {
        ok!(compare(&weight, &column, len, least, (a, b), cx));
    }
    let mut all = 0;
    each!(k, 0..len, {
        all |= column[k];
    });
    match BitMatrix::from_columns(column.split_at(len).0, 64 - all.leading_zeros()) {
        Some(matrix) => Ok(Linear { offset: start, matrix }),
        None => Err(cx.fail(Cause::Capacity, SymInt::small(MAX_BITS), SymInt(0))),
    }
}

/// Requires `least` with the weights of any bits added to be `least` with their columns exchanged.
const fn compare<const E: usize>(
    weight: &[i64; MAX_BITS],
    column: &[u64; MAX_BITS],
    len: usize,
    least: i64,
    overlap: (i64, i64),
    cx: &ExprGraph<E>,
) -> Result<()> {
    // Two bits that overlap without an offset are enough to differ; bits that move nothing count for nothing.
    let mut moving = [0; MAX_BITS];
    let mut n = 0;
    each!(k, 0..len, {
        if weight[k] != 0 {
            moving[n] = k;
            n += 1;
        }
    });
    if n > 16 {
        return Err(cx.fail(Cause::TooManyCoordinates, SymInt(if n < 62 { 1 << n } else { i64::MAX }), SymInt::small(MOST)));
    }
    each!(x, 0..1usize << n, {
        let (mut sum, mut mixed) = (least, least as u64);
        each!(k, 0..n, {
            if x >> k & 1 == 1 {
                sum += weight[moving[k]].abs();
                mixed ^= column[moving[k]];
            }
        });
        if sum as u64 != mixed {
            return Err(cx.fail(Cause::NotLinear, SymInt(overlap.0), SymInt(overlap.1)));
        }
    });
    Ok(())
}

/// The same function with XOR strides, a mode for each mode.
pub(crate) const fn to_xor<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let linear = ok!(Linear::of(x, cx));
    refuse_if!(cx, linear.offset != 0, NotLinear, SymInt(linear.offset as i64), SymInt(0));
    let l = match x {
        Operand::Composed(composed) => &composed.outer,
        Operand::Layout(l) => l,
        _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    };
    let modes = ok!(mode_bits(l, cx));
    let mut out = ok!(LayoutValue::of_matrix(&linear.matrix, &modes, cx));
    if l.is_scalar() {
        out.unwrap_single();
    }
    each!(k, 0..out.len(), {
        if out.stride[k] != 0 {
            out.basis[k] = Basis::XOR.0;
        }
    });
    Ok(out)
}

/// The same function with integer strides; where there is none, as a swizzle of such a layout, the one of fewest bits.
pub(crate) const fn to_affine<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    let linear = ok!(Linear::of(x, cx));
    let l = match x {
        Operand::Composed(composed) => &composed.outer,
        Operand::Layout(l) => l,
        _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    };
    let modes = ok!(mode_bits(l, cx));
    of_linear(&linear, &modes, l.is_scalar(), cx)
}

/// `offset ^ matrix(x)` with a mode for each run of bits: plain, or with a swizzle.
pub(crate) const fn of_linear<const N: usize, const E: usize>(
    linear: &Linear,
    modes: &Slots<N>,
    scalar: bool,
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    let (swizzle, matrix) = match separated(&linear.matrix, linear.offset) {
        Some(found) => found,
        None => return Err(cx.fail(Cause::NoSwizzle, SymInt(linear.matrix.rank() as i64), SymInt(0))),
    };
    let start = swizzle.apply(linear.offset as i64);
    let mut column = [0; MAX_BITS];
    each!(k, 0..matrix.inputs() as usize, {
        // What the offset has already, a bit of the coordinate takes away.
        column[k] = if matrix.column(k) & start as u64 == 0 { matrix.column(k) as i64 } else { -(matrix.column(k) as i64) };
    });
    let mut layout = ok!(LayoutValue::of_columns(column.split_at(matrix.inputs() as usize).0, Basis::INTEGER, modes, cx));
    if scalar {
        layout.unwrap_single();
    }
    if swizzle.is_identity() && linear.offset == 0 {
        return Ok(Operand::Layout(layout));
    }
    let offset = TupleValue::scalar(SymInt(start));
    Ok(Operand::Composed(Composed { inner: Inner::Swizzle(swizzle), offset, outer: layout }))
}

/// The swizzle of fewest bits that takes the columns to ones that share no bits with each other, and all or none with the offset; and these columns.
const fn separated(matrix: &BitMatrix, offset: u64) -> Option<(Swizzle, BitMatrix)> {
    let none = match Swizzle::new(0, 0, 0) {
        Ok(none) => none,
        Err(_) => return None,
    };
    if are_disjoint_with(matrix, offset) {
        return Some((none, *matrix));
    }
    let top = 64 - offset.leading_zeros();
    let width = if matrix.outputs() > top { matrix.outputs() } else { top } as i64;
    each!(bits, 1..width / 2 + 1, {
        each!(base, 0..width - 2 * bits + 1, {
            each!(shift, bits..(width - base - bits + 1), {
                each!(sign, 0..2, {
                    let found = match Swizzle::new(bits, base, if sign == 0 { shift } else { -shift }) {
                        Ok(swizzle) => separated_by(matrix, offset, swizzle, width as u32),
                        Err(_) => None,
                    };
                    if found.is_some() {
                        return found;
                    }
                });
            });
        });
    });
    None
}

/// The columns with a swizzle undone, if they share no bits then.
const fn separated_by(matrix: &BitMatrix, offset: u64, swizzle: Swizzle, width: u32) -> Option<(Swizzle, BitMatrix)> {
    let Some(exchange) = BitMatrix::swizzle(swizzle, width) else { return None };
    match exchange.after(matrix) {
        // A swizzle is its own inverse.
        Some(plain) if are_disjoint_with(&plain, exchange.apply(offset)) => Some((swizzle, plain)),
        _ => None,
    }
}

/// Tests whether columns share no bits, and all or none with the offset.
const fn are_disjoint_with(matrix: &BitMatrix, offset: u64) -> bool {
    each!(k, 0..matrix.inputs() as usize, {
        if matrix.column(k) & offset != 0 && matrix.column(k) & !offset != 0 {
            return false;
        }
    });
    are_disjoint(matrix)
}
