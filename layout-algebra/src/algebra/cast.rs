//! Casts of the element type: a layout of elements becomes a layout of larger or smaller elements.
//!
//! * `upcast(L, n)` indexes groups of `n` elements. A stride `d` with `n | d` becomes `d / n`. A stride with `d | n` walks inside a group:
//!   `n / d` of its steps become one step, and all such modes together must stay inside one group.
//! * `downcast(L, n)` indexes the `n` parts of each element: the parts extend one mode of stride 1. `recast(L, old, new)` takes bits.
//! * A mode of extent 1 is never refused. With XOR strides, `n` is a power of two: `^d` becomes `^(d / n)` or `^(n d)`.

use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, SymInt, Truth, gcd};

/// A change of the size of elements.
#[derive(Clone, Copy)]
pub(crate) enum Cast {
    /// An upcast, by the number of elements in a group.
    Up(SymInt),
    /// A downcast, by the number of parts of an element.
    Down(SymInt),
    /// A recast from an old to a new element, by their numbers of bits.
    Recast(i64, i64),
}

impl<const N: usize> LayoutValue<N> {
    /// Returns `upcast(L, n)`, `downcast(L, n)` or `recast(L, old, new)`, as `by` says. Fails as these do.
    pub(crate) const fn cast<const E: usize>(&self, by: Cast, cx: &mut ExprGraph<E>) -> Result<Self> {
        match by {
            Cast::Up(n) => self.upcast(n, cx),
            Cast::Down(n) => self.downcast(n, cx),
            Cast::Recast(old, new) => self.recast(old, new, cx),
        }
    }

    /// Returns `recast(L, old, new)`: a downcast by `old / g`, then an upcast by `new / g`, where `g = gcd(old, new)` in bits.
    pub(crate) const fn recast<const E: usize>(&self, old: i64, new: i64, cx: &mut ExprGraph<E>) -> Result<Self> {
        refuse_if!(cx, old <= 0 || new <= 0, NotPositive, SymInt::raw(if old <= 0 { old } else { new }));
        let common = gcd(old, new);
        let finer = ok!(self.downcast(SymInt::raw(old / common), cx));
        finer.upcast(SymInt::raw(new / common), cx)
    }

    /// Returns `upcast(L, n)`. Fails if a stride or an extent does not fit groups of `n`, or coordinates carry out of a group.
    pub(crate) const fn upcast<const E: usize>(&self, n: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() {
            return ok!(self.with_sums(n, cx)).upcast_leaves(n, cx);
        }
        ok!(self.positive(n, cx));
        self.upcast_leaves(n, cx)
    }

    const fn upcast_leaves<const E: usize>(&self, n: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = *self;
        // The joint reach of the modes inside a group, and the number of these modes. A single mode cannot carry.
        let (mut walk, mut inside) = (SymInt(0), 0);
        // The bits of XOR strides inside a group.
        let mut mixed = 0;
        each!(k, 0..self.len(), {
            let (extent, stride) = (self.extent(k), self.scale(k));
            if extent.is(1) || cx.divides(n, stride).is_yes() {
                out.stride[k] = if cx.divides(n, stride).is_yes() { ok!(exact_div(stride, n, cx)).word() } else { 0 };
                continue;
            }
            let xor = self.basis(k).is_xor();
            refuse_if!(cx, xor && stride.0.count_ones() != 1, CastStride, n, stride);
            let step = ok!(cx.abs(stride));
            ok!(cx.require_multiple(n, step, Cause::CastStride, (n, stride)));
            let group = ok!(cx.div(n, step));
            let groups = match cx.less(group, extent) {
                Truth::No if cx.facts(extent).lo > 0 => SymInt(1),
                Truth::No => ok!(cx.ceil_div(extent, group)),
                _ => {
                    ok!(cx.require_multiple(extent, group, Cause::CastExtent, (extent, group)));
                    ok!(cx.div(extent, group))
                }
            };
            out.shape[k] = groups.word();
            out.stride[k] = if groups.is(1) {
                0
            } else if cx.facts(stride).hi < 0 {
                -1
            } else {
                1
            };
            if groups.is(1) {
                out.basis[k] = 0;
            }
            inside += 1;
            if xor {
                mixed |= n.0 - stride.0;
                continue;
            }
            let steps = ok!(cx.min(extent, group));
            let steps = ok!(cx.sub(steps, SymInt(1)));
            let reach = ok!(cx.mul(steps, step));
            walk = ok!(cx.add(walk, reach));
        });
        if mixed != 0 && !walk.is(0) {
            walk = ok!(cx.add(walk, SymInt(mixed)));
        } else if mixed != 0 {
            // XOR strides have no carries, so nothing leaves a group.
            inside = 0;
        }
        if inside > 1 {
            ok!(cx.require_less(walk, n, Cause::GroupCarry, (walk, n)));
        }
        Ok(out)
    }

    /// Returns `downcast(L, n)`. Fails if no mode has stride 1.
    pub(crate) const fn downcast<const E: usize>(&self, n: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() {
            return ok!(self.with_sums(n, cx)).downcast_leaves(n, cx);
        }
        ok!(self.positive(n, cx));
        self.downcast_leaves(n, cx)
    }

    const fn downcast_leaves<const E: usize>(&self, n: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        if n.is(1) {
            return Ok(*self);
        }
        // The mode that the parts extend: preferably one of extent above 1.
        let mut unit = self.len();
        each!(k, 0..self.len(), {
            let stride = self.scale(k);
            if stride.is(1) && (unit == self.len() || (self.extent(unit).is(1) && !self.extent(k).is(1))) {
                unit = k;
            }
        });
        refuse_if!(cx, unit == self.len(), NoUnitStride, n);
        let mut out = *self;
        each!(k, 0..self.len(), {
            if k == unit {
                out.shape[k] = ok!(cx.mul(self.extent(k), n)).word();
            } else {
                out.stride[k] = match cx.mul(self.scale(k), n) {
                    Ok(stride) => stride.word(),
                    Err(_) if self.extent(k).is(1) => 0,
                    Err(error) => return Err(error),
                };
            }
        });
        Ok(out)
    }

    /// Returns the function of `self` with integer strides where possible. Fails if XOR strides remain and `n` is no power of two.
    const fn with_sums<const E: usize>(&self, n: SymInt, cx: &ExprGraph<E>) -> Result<Self> {
        let out = self.sums();
        if !out.has_xor() {
            ok!(out.positive(n, cx));
            return Ok(out);
        }
        refuse_if!(cx, !self.gives_integers(), BasisStride);
        match n.value() {
            Some(factor) => {
                refuse_if!(cx, factor < 1, NotPositive, n);
                refuse_if!(cx, factor.count_ones() != 1, FactorNotPowerOfTwo, n);
                Ok(out)
            }
            None => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        }
    }

    const fn positive<const E: usize>(&self, n: SymInt, cx: &ExprGraph<E>) -> Result<()> {
        ok!(self.require_integers(cx));
        refuse_if!(cx, cx.facts(n).lo < 1, NotPositive, n);
        Ok(())
    }
}

/// Returns `a / n`, where `n` divides `a`, for either sign of `a`.
const fn exact_div<const E: usize>(a: SymInt, n: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    match (a.value(), n.value()) {
        (Some(a), Some(n)) => Ok(SymInt::raw(a / n)),
        _ => cx.div(a, n),
    }
}
