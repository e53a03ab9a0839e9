//! Conversions of operands between integer strides, swizzles and XOR strides. Each result is the function of its operand.
//! `Linear` of `matrix.rs` is the form in between.

use super::compose::{BitImage, leaf_runs};
use super::index::bits_reached;
use super::matrix::{Linear, Slots, are_disjoint, bits_below};
use crate::algebra::accesses::Indexer;
use crate::algebra::coalesce::Omit;
use crate::algebra::compose::{LinearRun, LinearRuns};
use crate::algebra::composed;
use crate::algebra::coords::LIMIT;
use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::bits::{BitMatrix, MAX_BITS};
use crate::error::{Cause, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TupleValue};

/// The maximum number of indices that `compare` compares if the bits of two strides overlap.
const MOST: usize = 1 << 16;

/// Returns the number of coordinate bits of each mode of `l`. Fails if a size is not a known power of two.
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
    /// Returns `inner(offset + outer(c))` as its value at 0 and a linear map over F2. Fails if there is no such map.
    pub(crate) const fn of<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Linear> {
        let (l, offset, swizzle) = match x {
            Operand::Layout(l) => (l, 0, None),
            Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer }) if offset.is_scalar() => {
                match offset.leaf(0).value() {
                    Some(offset) => (outer, offset, Some(*swizzle)),
                    None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                }
            }
            _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
        };
        let linear = if l.has_xor() && offset == 0 { Linear { offset: 0, matrix: ok!(l.matrix(cx)) } } else { ok!(affine(l, offset, cx)) };
        match swizzle {
            Some(swizzle) => linear.exchanged(swizzle, cx),
            None => Ok(linear),
        }
    }

    /// Returns `c -> swizzle(self(c))`. Fails if the swizzle has too many bits for a matrix.
    const fn exchanged<const E: usize>(mut self, swizzle: Swizzle, cx: &ExprGraph<E>) -> Result<Linear> {
        if swizzle.is_identity() {
            return Ok(self);
        }
        let bits = if swizzle.width() > self.matrix.outputs() { swizzle.width() } else { self.matrix.outputs() };
        let exchange = match BitMatrix::swizzle(swizzle, bits) {
            Some(exchange) => exchange,
            None => return Err(cx.fail(Cause::Overflow, SymInt(bits as i64), SymInt(0))),
        };
        // The exchange has at least as many inputs as the matrix has outputs.
        if let Some(matrix) = exchange.after(&self.matrix) {
            self.matrix = least_outputs(&matrix);
        }
        self.offset = swizzle.apply(self.offset as i64) as u64;
        Ok(self)
    }
}

/// Returns the matrix with the fewest outputs that its columns need.
const fn least_outputs(matrix: &BitMatrix) -> BitMatrix {
    match BitMatrix::from_columns(matrix.columns(), 64 - matrix.columns_together().leading_zeros()) {
        Some(matrix) => matrix,
        None => *matrix,
    }
}

/// Returns `offset + l(c)` for integer strides, or fails if sums carry. A negative stride counts from its far end, by inverted bits.
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
    // Counted from the least value up, no sum carries. The bits that a weight changes there are the bits it changes everywhere.
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

/// Fails unless the sum of `least` and any of the weights equals the exclusive-or of `least` and the columns of these weights.
const fn compare<const E: usize>(
    weight: &[i64; MAX_BITS],
    column: &[u64; MAX_BITS],
    len: usize,
    least: i64,
    overlap: (i64, i64),
    cx: &ExprGraph<E>,
) -> Result<()> {
    // Weights of 0 move nothing. Leave them out, so that there are fewer sums to compare.
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

/// Returns the function of `x` as a layout with XOR strides, each mode coalesced. Fails if it is not linear.
pub(crate) const fn to_xor<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let none = ok!(identity());
    let l = match x {
        Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer }) => {
            ok!(composed::require_no_offset(offset, 0, cx));
            ok!(mixed(outer, 0, *swizzle, cx)).1
        }
        Operand::Composed(l) => ok!(mixed(&ok!(composed::as_layout(l, 0, cx)), 0, none, cx)).1,
        Operand::Layout(l) => ok!(mixed(l, 0, none, cx)).1,
        _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    };
    let mut out = LayoutValue::empty();
    let mut k = 0;
    while let Some(mode) = l.tree.mode(l.root(), k) {
        ok!(out.push_mode(&ok!(l.merged(mode, Omit::Single, cx)), cx));
        k += 1;
    }
    if l.is_scalar() {
        out.unwrap_single();
    }
    Ok(out)
}

/// Returns `(start, layout)` with `swizzle(offset + outer(c)) = start ^ layout(c)`. The layout has XOR strides, and one or more
/// leaves for each leaf of `outer`.
///
/// A leaf whose extent is not a known power of two keeps its integer stride if that is a multiple of the swizzle's block.
pub(crate) const fn mixed<const N: usize, const E: usize>(
    outer: &LayoutValue<N>,
    offset: i64,
    swizzle: Swizzle,
    cx: &mut ExprGraph<E>,
) -> Result<(u64, LayoutValue<N>)> {
    let bits = swizzle.width();
    // `low` has the leaves that become bits, with extents rounded up to powers of two. `above`: other leaves stay above them.
    let (mut low, mut stays, mut cut, mut above) = (*outer, [false; N], None, false);
    each!(k, 0..outer.len(), {
        let (extent, stride) = (outer.extent(k), outer.scale(k));
        let whole = extent.is_known() && extent.0.count_ones() == 1 && stride.is_known();
        if !whole && bits > 0 && outer.basis(k).is_integer() && cx.facts(stride).div % (1 << bits) == 0 || stride.is(0) {
            stays[k] = true;
            above |= !stride.is(0);
            (low.shape[k], low.stride[k], low.basis[k]) = (1, 0, 0);
        } else if !whole && extent.is_known() && extent.0 < 1 << 61 {
            cut = Some(k);
            low.shape[k] = if extent.is(0) { 1 } else { (extent.0 as u64).next_power_of_two() as i64 };
        }
    });
    let found = if low.has_xor() && offset == 0 {
        match low.matrix(cx) {
            Ok(matrix) => Ok(Linear { offset: 0, matrix }),
            Err(error) => Err(error),
        }
    } else {
        affine(&low, offset, cx)
    };
    let linear = match (found, cut) {
        (Ok(linear), _) => ok!(linear.exchanged(swizzle, cx)),
        (Err(error), Some(k)) if matches!(error.cause, Cause::NotLinear) => {
            cx.at(cx.path().then(k));
            return Err(cx.fail(Cause::NotPowerOfTwo, outer.extent(k), SymInt(0)));
        }
        (Err(error), _) => return Err(error),
    };
    let used = (linear.offset >> bits | linear.matrix.columns_together() >> bits) << bits;
    refuse_if!(cx, above && used != 0, NotLinear, SymInt(used as i64), SymInt(used as i64));
    let mut image = [BitImage { mixed: 0, sum: 0 }; MAX_BITS];
    each!(k, 0..linear.matrix.inputs() as usize, {
        image[k].mixed = linear.matrix.column(k);
    });
    let (mut runs, mut at) = (LinearRuns::empty(), 0);
    each!(k, 0..outer.len(), {
        let (extent, stride) = (outer.extent(k), outer.stride(k));
        let end = at + if stays[k] { 0 } else { bits_below(low.shape[k]) };
        if at == end {
            ok!(runs.push(LinearRun::new(extent, SymInt(0), if stays[k] { stride } else { Stride::integer(SymInt(0)) }, extent, k, 0), cx));
        } else {
            ok!(leaf_runs(&image, at, end, extent, SymInt(1), k, &mut runs, cx));
        }
        at = end;
    });
    Ok((linear.offset, ok!(runs.in_place_of(outer, cx))))
}

/// Returns the swizzle that changes nothing. Never fails.
const fn identity() -> Result<Swizzle> {
    Swizzle::new(0, 0, 0)
}

impl<const N: usize> LayoutValue<N> {
    /// Replaces XOR strides that share no bit with others by integer strides. Inside the domain, all values stay.
    pub(crate) const fn sums(&self) -> Self {
        let mut out = *self;
        each!(k, 0..self.len(), {
            if self.basis(k).is_xor() && self.scale(k).is_known() && !self.shares_bits(k) {
                let mut reached = 0;
                let mut alone = self.extent(k).is_known() || self.scale(k).is(0);
                each!(bit, 0..if alone { bits_below(self.shape[k]) } else { 0 }, {
                    let value = (self.stride[k] as u64) << bit;
                    alone = alone && reached & value == 0;
                    reached |= value;
                });
                if alone {
                    out.basis[k] = 0;
                }
            }
        });
        out
    }

    /// Replaces integer strides whose multiples reach a bit of `bits` by XOR strides, because next to XOR strides of these bits
    /// sums would carry. A linear layout stays the same function.
    pub(crate) const fn mixed_beside(&self, bits: u64) -> Self {
        let mut out = *self;
        each!(k, 0..self.len(), {
            if self.basis(k).is_integer() && self.extent(k).is_known() && bits_reached(self.shape[k], self.stride[k]) & bits != 0 {
                out.basis[k] = Basis::XOR.0;
            }
        });
        out
    }
}

/// Returns the function of `x` with integer strides, else as a swizzle of such a layout, with the fewest bits. Fails if neither exists.
pub(crate) const fn to_affine<const N: usize, const E: usize>(x: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    let l = match x {
        Operand::Layout(l) => {
            let sums = l.sums();
            if sums.is_integer() {
                return Ok(Operand::Layout(sums));
            }
            l
        }
        Operand::Composed(l) => match l.inner {
            Inner::Layout(_) => return to_affine(&Operand::Layout(ok!(composed::as_layout(l, 0, cx))), cx),
            Inner::Swizzle(swizzle) => {
                if composed::is_idle(swizzle, l, cx) && l.outer.is_integer() {
                    let zero = l.offset.is_scalar() && l.offset.leaf(0).is(0);
                    return Ok(if zero {
                        Operand::Layout(l.outer)
                    } else {
                        Operand::Composed(ComposedValue { inner: Inner::Swizzle(ok!(identity())), ..*l })
                    });
                }
                &l.outer
            }
        },
        _ => return Err(cx.fail(Cause::OperandKind, SymInt(0), SymInt(0))),
    };
    if let Some((start, outer)) = summed(x, l, cx) {
        let (inner, offset) = (Inner::Swizzle(ok!(identity())), TupleValue::scalar(SymInt(start)));
        return Ok(if start == 0 { Operand::Layout(outer) } else { Operand::Composed(ComposedValue { inner, offset, outer }) });
    }
    let mut trial = *cx;
    let found = match Linear::of(x, &mut trial) {
        Ok(linear) => match mode_bits(l, &mut trial) {
            Ok(modes) => of_linear(&linear, &modes, l.is_scalar(), &mut trial),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match found {
        // The operand is already a swizzle of a layout with integer strides.
        Err(_) if matches!(x, Operand::Composed(_)) && l.is_integer() => Ok(*x),
        found => found,
    }
}

/// Returns `offset ^ matrix(x)` with one mode for each entry of `modes`: a plain layout or a swizzled one. Fails if neither exists.
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
        // A bit that the offset already has is cleared by the coordinate: its stride is negative.
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
    Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer: layout }))
}

/// Returns `(start, layout)` with integer strides and `x(c) = start + layout(c)`; `None` without one, or above [`LIMIT`] values.
const fn summed<const N: usize, const E: usize>(x: &Operand<N>, l: &LayoutValue<N>, cx: &ExprGraph<E>) -> Option<(i64, LayoutValue<N>)> {
    let mut trial = *cx;
    let (Ok(modes), Ok(indices)) = (mode_bits(l, &mut trial), Indexer::of(x)) else { return None };
    let (mut bits, mut weight) = (0, [0; MAX_BITS]);
    each!(k, 0..modes.len, {
        bits += modes.bits[k];
    });
    let Ok(start) = indices.at(0) else { return None };
    if 1 << (if bits < 62 { bits } else { 62 }) > LIMIT {
        return None;
    }
    each!(c, 0..1usize << bits, {
        let Ok(index) = indices.at(c as i64) else { return None };
        let mut sum = start;
        if c.count_ones() == 1 {
            weight[c.trailing_zeros() as usize] = index - start;
        }
        each!(k, 0..bits, {
            sum += weight[k] * (c >> k & 1) as i64;
        });
        if sum != index {
            return None;
        }
    });
    match LayoutValue::of_columns(weight.split_at(bits).0, Basis::INTEGER, &modes, &mut trial) {
        Ok(mut layout) => {
            if l.is_scalar() {
                layout.unwrap_single();
            }
            Some((start, layout))
        }
        Err(_) => None,
    }
}

/// Returns the swizzle of fewest bits after which [`are_disjoint_with`] holds, and the columns it makes; `None` without one.
const fn separated(matrix: &BitMatrix, offset: u64) -> Option<(Swizzle, BitMatrix)> {
    let Ok(none) = identity() else { return None };
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

/// Undoes a swizzle on the columns. Returns the swizzle and these columns, or `None` if `are_disjoint_with` does not hold.
const fn separated_by(matrix: &BitMatrix, offset: u64, swizzle: Swizzle, width: u32) -> Option<(Swizzle, BitMatrix)> {
    let Some(exchange) = BitMatrix::swizzle(swizzle, width) else { return None };
    match exchange.after(matrix) {
        // A swizzle is its own inverse.
        Some(plain) if are_disjoint_with(&plain, exchange.apply(offset)) => Some((swizzle, plain)),
        _ => None,
    }
}

/// Returns true if the columns share no bits, and each has all or none of its bits in the offset.
const fn are_disjoint_with(matrix: &BitMatrix, offset: u64) -> bool {
    each!(k, 0..matrix.inputs() as usize, {
        if matrix.column(k) & offset != 0 && matrix.column(k) & !offset != 0 {
            return false;
        }
    });
    are_disjoint(matrix)
}
