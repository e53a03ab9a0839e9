//! Composed layouts: `inner o offset o outer`, the function `c -> inner(offset + outer(c))`.
//!
//! Its coordinates are those of `outer`. It represents functions that no single affine layout has.

use super::cast::Cast;
use super::coalesce::Omit;
use super::operands::{ComposedValue, Inner};
use super::xor;
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue, gcd};

/// The maximum number of coordinates that [`cosize`] evaluates.
const MOST: i64 = 1 << 16;

/// Returns `inner(offset + outer(c))`. Fails if a layout refuses its coordinate, or if a swizzle gets a tuple or a negative number.
///
/// ```
/// use layout_algebra::algebra::composed::evaluate;
/// use layout_algebra::expression::{Operand, Parser};
/// use layout_algebra::{error::Op, value::{ExprGraph, SymInt, TupleValue}};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let Operand::Composed(swizzled) = Parser::whole::<8, 0>("S<2,0,2> o 1 o (4,4):(4,1)", &mut scope)? else { unreachable!() };
/// // Coordinate 2 has index 8, and the swizzle of 8 + 1 is 9 ^ 2.
/// let index = evaluate(&swizzled, &TupleValue::scalar(SymInt::small(2)), &mut scope)?;
/// assert_eq!(index.leaf(0).value(), Some(11));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn evaluate<const N: usize, const E: usize>(
    l: &ComposedValue<N>,
    c: &TupleValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    let at = ok!(l.outer.evaluate(c, cx));
    let at = ok!(l.offset.elementwise(Op::TupleAdd, &at, cx));
    cx.begin(Op::Crd2Idx);
    match &l.inner {
        Inner::Layout(inner) => inner.evaluate(&at, cx),
        Inner::Swizzle(swizzle) if at.is_scalar() => Ok(TupleValue::scalar(ok!(exchange(*swizzle, at.leaf(0), cx)))),
        Inner::Swizzle(_) => Err(cx.fail(Cause::OutOfRange, SymInt(0), SymInt(0))),
    }
}

/// Returns `swizzle(x)`. Fails if `x` may be negative and the swizzle has bits.
const fn exchange<const E: usize>(swizzle: Swizzle, x: SymInt, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    if swizzle.is_identity() {
        return Ok(x);
    }
    refuse_if!(cx, cx.facts(x).lo < 0, NegativeSwizzle, x);
    if let Some(x) = x.value() {
        return Ok(SymInt::raw(swizzle.apply(x)));
    }
    // Move the field that is read to the position of the field that changes.
    let field = ok!(cx.div(x, SymInt::raw(1 << swizzle.source().trailing_zeros())));
    let field = ok!(cx.rem(field, SymInt::raw(1 << swizzle.source().count_ones())));
    let moved = ok!(cx.mul(field, SymInt::raw(1 << swizzle.target().trailing_zeros())));
    cx.xor(x, moved)
}

/// Fails unless `offset`, which belongs to operand number `at`, is 0: coordinate 0 of a layout has index 0.
pub(crate) const fn require_no_offset<const N: usize, const E: usize>(offset: &TupleValue<N>, at: usize, cx: &ExprGraph<E>) -> Result<()> {
    each!(k, 0..offset.len(), {
        refuse_if!(cx, !offset.leaf(k).is(0), BeginsElsewhere, SymInt::small(at));
    });
    Ok(())
}

/// Returns the function of `l`, operand number `at`, as one layout: by XOR strides or by composition. Fails if its offset is not 0.
///
/// ```
/// use layout_algebra::algebra::composed::as_layout;
/// use layout_algebra::expression::{Operand, Parser};
/// use layout_algebra::{error::Op, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut layout = |text| match Parser::whole::<8, 0>(text, &mut scope)? {
///     Operand::Composed(composed) => as_layout(&composed, 0, &mut scope),
///     other => panic!("{other} is not composed"),
/// };
/// assert_eq!(layout("S<2,0,2> o 0 o (4,4):(4,1)")?.to_string(), "(4,4):(^5,^1)");
/// assert_eq!(layout("(8,2):(2,1) o 0 o 4:2")?.to_string(), "4:4");
/// assert!(layout("S<2,0,2> o 1 o (4,4):(4,1)").is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn as_layout<const N: usize, const E: usize>(l: &ComposedValue<N>, at: usize, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    ok!(require_no_offset(&l.offset, at, cx));
    match &l.inner {
        Inner::Layout(inner) => inner.compose(inner.root(), &l.outer, cx),
        Inner::Swizzle(swizzle) if is_idle(*swizzle, l, cx) => Ok(l.outer),
        Inner::Swizzle(swizzle) => {
            let layout = ok!(xor::mixed(&l.outer, 0, *swizzle, cx)).1;
            let sums = layout.sums();
            Ok(if sums.is_integer() { sums } else { layout })
        }
    }
}

/// Returns the offset of a swizzled layout, or `None` if it is not a known integer.
const fn number<const N: usize>(offset: &TupleValue<N>) -> Option<i64> {
    if offset.is_scalar() { offset.leaf(0).value() } else { None }
}

/// Returns true if the swizzle provably changes no index of `l`.
pub(crate) const fn is_idle<const N: usize, const E: usize>(swizzle: Swizzle, l: &ComposedValue<N>, cx: &ExprGraph<E>) -> bool {
    if swizzle.is_identity() {
        return true;
    }
    let mut trial = *cx;
    match (number(&l.offset), l.outer.extremes(&mut trial)) {
        (Some(offset), Ok((lo, hi))) => match (lo.value(), hi.value()) {
            (Some(lo), Some(hi)) => is_identity_on(swizzle, lo.saturating_add(offset), hi.saturating_add(offset)),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the number of elements between the least and the greatest index of a swizzled layout, both included.
///
/// Evaluates every coordinate if the function is not one layout. Fails above 2^16 coordinates, and for two layouts.
pub(crate) const fn cosize<const N: usize, const E: usize>(l: &ComposedValue<N>, op: Op, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    let Inner::Swizzle(swizzle) = l.inner else { return Err(cx.fail(Cause::TwoLayouts, SymInt(0), SymInt(0))) };
    if is_idle(swizzle, l, cx) {
        return l.outer.cosize(cx);
    }
    let mut trial = *cx;
    if let Ok(layout) = as_layout(l, 0, &mut trial)
        && layout.gives_integers()
    {
        *cx = trial;
        return layout.cosize(cx);
    }
    let size = match ok!(l.outer.size_of(l.outer.root(), cx)).value() {
        Some(size) if size <= MOST => size,
        Some(size) => {
            return Err(cx.fail(Cause::TooManyCoordinates, SymInt::raw(size), SymInt::raw(MOST)));
        }
        None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    };
    let (mut lo, mut hi) = (0, -1);
    each!(k, 0..size, {
        let index = ok!(evaluate(l, &TupleValue::scalar(SymInt::raw(k)), cx));
        let index = match if index.is_scalar() { index.leaf(0).value() } else { None } {
            Some(index) => index,
            None => return Err(cx.fail(Cause::BasisStride, SymInt(0), SymInt(0))),
        };
        if k == 0 || index < lo {
            lo = index;
        }
        if k == 0 || index > hi {
            hi = index;
        }
    });
    cx.begin(op);
    let span = ok!(cx.sub(SymInt::raw(hi), SymInt::raw(lo)));
    cx.add(span, SymInt(1))
}

/// Returns `max_alignment` of a composed layout: the largest one for its function that also divides its first index.
pub(crate) const fn max_alignment<const N: usize, const E: usize>(l: &ComposedValue<N>, cx: &mut ExprGraph<E>) -> Result<SymInt> {
    match (&l.inner, number(&l.offset)) {
        (Inner::Swizzle(swizzle), Some(offset)) if is_idle(*swizzle, l, cx) => {
            Ok(SymInt::raw(gcd(ok!(l.outer.max_alignment(cx)).word(), offset)))
        }
        (Inner::Swizzle(swizzle), Some(offset)) => {
            let (start, layout) = ok!(xor::mixed(&l.outer, offset, *swizzle, cx));
            let layout = ok!(layout.merged(layout.root(), Omit::Single, cx));
            let sums = layout.sums();
            // A start that shares bits with XOR strides is not added, so keep the XOR strides.
            let layout = if start == 0 || sums.is_integer() && start & layout.bits_together() == 0 { sums } else { layout };
            layout.max_alignment_from(start as i64, cx)
        }
        (Inner::Swizzle(_), None) => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        (Inner::Layout(_), _) => ok!(as_layout(l, 0, cx)).max_alignment(cx),
    }
}

/// Returns a coordinate of `l` whose index is `index`. Fails if there is none. A swizzle is its own inverse.
pub(crate) const fn preimage<const N: usize, const E: usize>(
    l: &ComposedValue<N>,
    index: SymInt,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    let (swizzle, offset) = match &l.inner {
        Inner::Layout(_) => {
            let layout = ok!(as_layout(l, 0, cx));
            let found = ok!(layout.preimage(index, cx));
            // The composition refines the shape of `outer`: take the coordinate of `outer` at the same position.
            let at = ok!(layout.shape_of(layout.root()).crd2idx_shape(&found, cx));
            return l.outer.shape_of(l.outer.root()).idx2crd(&TupleValue::scalar(at), cx);
        }
        Inner::Swizzle(swizzle) => match (index.value(), number(&l.offset)) {
            (Some(_), Some(offset)) => (swizzle, offset),
            _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        },
    };
    refuse_if!(cx, index.0 < 0, NoSuchIndex, index);
    let before = ok!(cx.sub(SymInt::raw(swizzle.apply(index.0)), SymInt::raw(offset)));
    match l.outer.preimage(before, cx) {
        Err(error) if matches!(error.cause, Cause::NoSuchIndex) => Err(cx.fail(Cause::NoSuchIndex, index, SymInt(0))),
        found => found,
    }
}

/// Casts a swizzled layout by powers of two that keep the bits of the swizzle outside the groups. `None` in other cases.
pub(crate) const fn cast<const N: usize, const E: usize>(
    l: &ComposedValue<N>,
    by: Cast,
    cx: &mut ExprGraph<E>,
) -> Result<Option<ComposedValue<N>>> {
    let Inner::Swizzle(swizzle) = l.inner else { return Ok(None) };
    let (down, up) = match by {
        Cast::Down(n) => (n, SymInt(1)),
        Cast::Up(n) => (SymInt(1), n),
        Cast::Recast(old, new) => {
            refuse_if!(cx, old <= 0 || new <= 0, NotPositive, SymInt::raw(if old <= 0 { old } else { new }));
            let common = gcd(old, new);
            (SymInt::raw(old / common), SymInt::raw(new / common))
        }
    };
    let (Some(parts), Some(group)) = (down.value(), up.value()) else { return Ok(None) };
    if parts < 1 || group < 1 || parts.count_ones() != 1 || group.count_ones() != 1 || !l.offset.is_scalar() {
        return Ok(None);
    }
    let (bits, base, shift) = swizzle.parameters();
    let base = base as i64 + parts.trailing_zeros() as i64 - group.trailing_zeros() as i64;
    let Ok(swizzle) = Swizzle::new(bits as i64, base, shift as i64) else { return Ok(None) };
    if !cx.divides(up, l.offset.leaf(0)).is_yes() || group > 1 && l.outer.steps_back(group, cx) {
        return Ok(None);
    }
    let outer = ok!(l.outer.cast(by, cx));
    let offset = ok!(cx.mul(l.offset.leaf(0), down));
    let offset = match offset.value() {
        // `group` divides the offset, also a negative one.
        Some(offset) => SymInt::raw(offset / group),
        None => ok!(cx.div(offset, up)),
    };
    Ok(Some(ComposedValue { inner: Inner::Swizzle(swizzle), offset: TupleValue::scalar(offset), outer }))
}

impl<const N: usize> LayoutValue<N> {
    /// Tests whether a mode may walk down inside a group of `n` elements. A swizzle does not move all elements of such a group alike.
    const fn steps_back<const E: usize>(&self, n: i64, cx: &ExprGraph<E>) -> bool {
        each!(k, 0..self.len(), {
            let facts = cx.facts(self.scale(k));
            if facts.lo < 0 && facts.div % n != 0 && !self.extent(k).is(1) {
                return true;
            }
        });
        false
    }
}

/// Returns true if provably no index from `lo` to `hi` has a bit that `swizzle` reads.
const fn is_identity_on(swizzle: Swizzle, lo: i64, hi: i64) -> bool {
    let source = swizzle.source();
    // Indices whose bits agree from the lowest bit of `source` up agree in all bits of `source`.
    lo >= 0 && lo & source == 0 && (source == 0 || lo >> source.trailing_zeros() == hi >> source.trailing_zeros())
}
