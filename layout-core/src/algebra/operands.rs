//! The operands of an operation by position, each as what the operation takes.

use super::modes;
use super::tiler::Tiler;
use crate::error::{Cause, LayoutError, Result, ok};
use crate::text::Operand;
use crate::value::{Ints, Lay, Num, Scope};

pub(crate) const fn kind<const E: usize>(at: usize, cx: &Scope<E>) -> LayoutError {
    cx.fail(Cause::OperandKind, Num::small(at), Num(0))
}

pub(crate) const fn count<const N: usize, const E: usize>(need: usize, args: &[Operand<N>], cx: &Scope<E>) -> LayoutError {
    cx.fail(Cause::OperandCount, Num::small(need), Num::small(args.len()))
}

pub(crate) const fn arg<'a, const N: usize, const E: usize>(args: &'a [Operand<N>], at: usize, cx: &Scope<E>) -> Result<&'a Operand<N>> {
    if at < args.len() { Ok(&args[at]) } else { Err(count(at + 1, args, cx)) }
}

/// A layout; an integer `n` is `n:1`.
pub(crate) const fn layout<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Lay<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Layout(layout) => Ok(*layout),
        Operand::Ints(ints) if ints.is_scalar() && !ints.leaf(0).is_keep() => {
            let extent = ints.leaf(0);
            if cx.facts(extent).hi < 0 { Err(cx.fail(Cause::NegativeExtent, extent, Num(0))) } else { Ok(Lay::scalar(extent, Num(1))) }
        }
        _ => Err(kind(at, cx)),
    }
}

pub(crate) const fn tiler<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Tiler<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Layout(layout) => Ok(Tiler::layout(layout)),
        Operand::Tiler(tiler) => Ok(*tiler),
        Operand::Ints(shape) => Tiler::shape(shape, cx),
        _ => Err(kind(at, cx)),
    }
}

/// A tuple; a layout gives its shape.
pub(crate) const fn ints<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Ints<N>> {
    match ok!(arg(args, at, cx)) {
        Operand::Ints(ints) => Ok(*ints),
        Operand::Layout(layout) => Ok(layout.shape_of(layout.root())),
        _ => Err(kind(at, cx)),
    }
}

/// A tuple of extents: no `_`, none negative.
pub(crate) const fn shape<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Ints<N>> {
    let shape = ok!(numbers(args, at, cx));
    let mut k = 0;
    while k < shape.len() {
        if cx.facts(shape.leaf(k)).hi < 0 {
            return Err(cx.fail(Cause::NegativeExtent, shape.leaf(k), Num(0)));
        }
        k += 1;
    }
    Ok(shape)
}

/// A tuple without `_`.
pub(crate) const fn numbers<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Ints<N>> {
    let ints = ok!(ints(args, at, cx));
    if ints.has_keep() { Err(cx.fail(Cause::UnexpectedKeep, Num(0), Num(0))) } else { Ok(ints) }
}

pub(crate) const fn scalar<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<Num> {
    match ok!(arg(args, at, cx)) {
        Operand::Ints(ints) if ints.is_scalar() && !ints.leaf(0).is_keep() => Ok(ints.leaf(0)),
        _ => Err(kind(at, cx)),
    }
}

/// The product of a tuple, or the size of a layout.
pub(crate) const fn extent<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &mut Scope<E>) -> Result<Num> {
    let shape = ok!(numbers(args, at, cx));
    shape.product(shape.root(), cx)
}

/// A mode by its number.
pub(crate) const fn mode_number<const N: usize, const E: usize>(args: &[Operand<N>], at: usize, cx: &Scope<E>) -> Result<usize> {
    modes::index(ok!(scalar(args, at, cx)), cx)
}
