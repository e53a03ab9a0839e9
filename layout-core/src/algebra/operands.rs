//! The operands of an operation by position, each as what the operation takes.

use super::modes;
use super::tiler::Tiler;
use crate::error::{Cause, LayoutError, Result, ok};
use crate::text::Operand;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

pub(crate) const fn kind<const E: usize>(at: usize, cx: &ExprGraph<E>) -> LayoutError {
    cx.fail(Cause::OperandKind, SymInt::small(at), SymInt(0))
}

pub(crate) const fn count<const N: usize, const E: usize>(need: usize, args: &[Operand<N>], cx: &ExprGraph<E>) -> LayoutError {
    cx.fail(Cause::OperandCount, SymInt::small(need), SymInt::small(args.len()))
}

pub(crate) const fn arg<'a, const N: usize, const E: usize>(
    args: &'a [Operand<N>],
    at: usize,
    cx: &ExprGraph<E>,
) -> Result<&'a Operand<N>> {
    if at < args.len() { Ok(&args[at]) } else { Err(count(at + 1, args, cx)) }
}

/// A layout; an integer `n` is `n:1`.
pub(crate) const fn layout<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<LayoutValue<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Layout(layout) => Ok(*layout),
        Operand::Tuple(ints) if ints.is_scalar() && !ints.leaf(0).is_keep() => {
            let extent = ints.leaf(0);
            if cx.facts(extent).hi < 0 {
                Err(cx.fail(Cause::NegativeExtent, extent, SymInt(0)))
            } else {
                Ok(LayoutValue::scalar(extent, SymInt(1)))
            }
        }
        _ => Err(kind(at, cx)),
    }
}

pub(crate) const fn tiler<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<Tiler<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Layout(layout) => Ok(Tiler::layout(layout)),
        Operand::Tiler(tiler) => Ok(*tiler),
        Operand::Tuple(shape) => Tiler::shape(shape, cx),
        _ => Err(kind(at, cx)),
    }
}

/// A tuple; a layout gives its shape.
pub(crate) const fn ints<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<TupleValue<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Tuple(ints) => Ok(*ints),
        Operand::Layout(layout) => Ok(layout.shape_of(layout.root())),
        _ => Err(kind(at, cx)),
    }
}

/// A tuple of extents: no `_`, none negative.
pub(crate) const fn shape<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<TupleValue<N>> {
    let shape = ok!(numbers(args, at, cx));
    let mut k = 0;
    while k < shape.len() {
        if cx.facts(shape.leaf(k)).hi < 0 {
            return Err(cx.fail(Cause::NegativeExtent, shape.leaf(k), SymInt(0)));
        }
        k += 1;
    }
    Ok(shape)
}

/// A tuple without `_`.
pub(crate) const fn numbers<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<TupleValue<N>> {
    let ints = ok!(ints(args, at, cx));
    if ints.has_keep() { Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))) } else { Ok(ints) }
}

pub(crate) const fn scalar<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<SymInt> {
    match ok!(arg(args, at, cx)) {
        Operand::Tuple(ints) if ints.is_scalar() && !ints.leaf(0).is_keep() => Ok(ints.leaf(0)),
        _ => Err(kind(at, cx)),
    }
}

/// The product of a tuple, or the size of a layout.
pub(crate) const fn extent<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    let shape = ok!(numbers(args, at, cx));
    shape.product(shape.root(), cx)
}

/// A mode by its number.
pub(crate) const fn mode_number<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &ExprGraph<E>) -> Result<usize> {
    modes::index(ok!(scalar(args, at, cx)), cx)
}
