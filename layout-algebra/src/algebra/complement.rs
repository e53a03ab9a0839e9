//! Complement of a layout.
//!
//! `C = complement(L, m)` is ordered (its strides increase) and disjoint from `L`: all sums of a value of `L` and a value of `C` differ.
//! The modes of `L` are visited by stride. `C` fills the gap below a mode with as many whole copies of what lies below as fit between two
//! values of the mode. A last mode repeats the whole until its span is at least `m`. The values of a mode that begins after the span of the
//! modes before it are its stride apart. Modes that begin inside that span *interleave*: the least distance between their values does not
//! follow from strides alone, so differences are tried, up to [`LIMIT`] of them.
//!
//! * If the strides nest, each a multiple of the span before it, `(L, C)` takes every value below its span exactly once. Divides require
//!   that: they refuse strides that do not nest, and an `m` that is not a multiple of the span.
//! * If nothing is left to add, `C` is `1:span`, which continues after `L`, or `1:0` if the span is only known at run time.
//! * Modes of stride 0 are ignored. A mode of extent 0 covers nothing that could be copied: then `C` is empty.

use super::coalesce::Omit;
use super::coords::LIMIT;
use super::order::Ordered;
use super::relation::{Relation, Solution};
use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, Truth, known, mul, push_leaf};

impl<const N: usize> LayoutValue<N> {
    /// Returns `complement(L, m)`. Fails if `m` or a stride is negative, or if `L` has equal values along strides that are not 0.
    pub(crate) const fn complement<const E: usize>(&self, m: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Complement);
        refuse_if!(cx, cx.facts(m).hi < 0, NegativeExtent, m);
        self.complement_in(m, false, cx)
    }

    /// Returns `complement(L, m)` within another operation, which errors name. Fails as `complement`, but does not check the sign of `m`.
    ///
    /// With `exact`, fails also unless the strides nest (each is a multiple of the span of the modes below it) and `m` is a multiple
    /// of the span of all modes.
    pub(crate) const fn complement_in<const E: usize>(&self, m: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        if !self.is_integer() {
            refuse_if!(cx, !self.has_xor(), BasisStride);
            let mut trial = *cx;
            return match (self.xor_complement(m, exact, &mut trial), self.sums()) {
                // Integer strides may succeed where bits fail.
                (Err(error), sums) if !sums.has_xor() && !matches!(error.cause, Cause::Singular) => sums.complement_in(m, exact, cx),
                (result, _) => {
                    *cx = trial;
                    result
                }
            };
        }
        self.along(Basis(0), m, exact, cx)
    }

    /// Returns the complement up to `m` of the modes of `self` along `basis`; the other modes do not count. Fails as `complement_in`.
    pub(crate) const fn along<const E: usize>(&self, basis: Basis, m: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (mut out, span) = ok!(self.filled(basis, exact, cx));
        if exact {
            ok!(cx.require_multiple(m, span, Cause::TileSpanDoesNotDivide, (span, m)));
        }
        let rest = if span.0 == 0 {
            SymInt(0)
        } else if exact {
            ok!(cx.div(m, span))
        } else {
            ok!(cx.ceil_div(m, span))
        };
        push_leaf!(out, N, 1, 1, rest.0, span.0, basis.0, cx);
        let mut out = ok!(out.merged(out.root(), Omit::Single, cx));
        if out.len() == 1 && out.extent(0).is(1) && span.is_known() {
            out.set_stride(0, Stride { scale: span, basis });
        }
        Ok(out)
    }

    /// Returns the modes that fill the gaps of `self` along `basis`, and the span of `self` with them. Fails as `Gaps::find`.
    pub(crate) const fn filled<const E: usize>(&self, basis: Basis, exact: bool, cx: &mut ExprGraph<E>) -> Result<(Self, SymInt)> {
        let mut gaps = Gaps::NONE;
        ok!(gaps.find(self, basis, exact, cx));
        let mut out = LayoutValue::empty();
        each!(k, 0..gaps.len, {
            let gap = &gaps.gap[k];
            if gap.copies != 1 {
                push_leaf!(out, N, 1, 1, gap.copies, gap.span, basis.0, cx);
            }
        });
        Ok((out, gaps.span))
    }
}

/// The gap below a mode of a layout, or below several modes that interleave.
///
/// ```
/// use layout_algebra::DynLayout;
/// let a: DynLayout = "(3,2):(4,24)".parse()?;
/// let gaps: Vec<_> = a.trace_complement(true)?.gaps().collect();
/// // Below stride 4 fit 4 copies of one element, below stride 24 fit 2 copies of 12.
/// assert_eq!((gaps[0].distance, gaps[0].span, gaps[0].copies), (4, 1, 4));
/// assert_eq!((gaps[1].distance, gaps[1].span, gaps[1].copies), (24, 12, 2));
/// // The gaps are the modes `copies : span` of the complement.
/// assert_eq!(a.complement(48)?.to_string(), "(4,2):(1,12)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The least distance between two values of the modes. For one mode it is the stride.
    pub distance: i64,
    /// The number of elements covered below the modes. It is the stride of the gap.
    pub span: i64,
    /// The number of copies of these elements that fit in the distance. It is the extent of the gap; 1 if there is no gap.
    pub copies: i64,
    /// The modes above the gap are `first..end`, by stride.
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// The moving modes of a layout along one basis, sorted by stride, and the `len` gaps below them. Numbers are words of `SymInt`.
#[derive(Clone)]
pub(crate) struct Gaps<const N: usize> {
    pub modes: LayoutValue<N>,
    pub len: usize,
    pub gap: [Gap; N],
    /// The number of elements that the modes cover with their gaps filled.
    pub span: SymInt,
}

impl<const N: usize> Gaps<N> {
    pub(crate) const NONE: Gaps<N> =
        Gaps { modes: LayoutValue::empty(), len: 0, gap: [Gap { distance: 1, span: 1, copies: 1, first: 0, end: 0 }; N], span: SymInt(1) };

    /// Finds the gaps of `l` along `basis`. If it fails, the mode after the last gap is at fault, or the only mode has a negative stride.
    pub(crate) const fn find<const E: usize>(
        &mut self,
        l: &LayoutValue<N>,
        basis: Basis,
        exact: bool,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let flat = ok!(l.merged(l.root(), Omit::Unmoving, cx));
        let (mut last, mut in_order, mut empty) = (0, true, false);
        each!(k, 0..flat.tree.len, {
            let (extent, stride) = (flat.shape[k], flat.stride[k]);
            if flat.basis[k] == basis.0 && extent != 1 && stride != 0 {
                if if known!(stride) { stride < 0 } else { cx.facts(SymInt(stride)).hi < 0 } {
                    self.modes = LayoutValue::scalar(SymInt(extent), SymInt(stride));
                    return Err(cx.fail(unless_single(Cause::NegativeStride, SymInt(extent)), SymInt(stride), SymInt(0)));
                }
                if !known!(stride) {
                    ok!(cx.require_positive(SymInt(stride)));
                }
                in_order = in_order && (self.modes.tree.len == 0 || (known!(stride) && known!(last) && last <= stride));
                // A layout without values overlaps no other.
                empty = empty || extent == 0;
                push_leaf!(self.modes, N, 1, 1, extent, stride, basis.0, cx);
                last = stride;
            }
        });
        if !in_order {
            ok!(self.sort(cx));
        }
        let mut k = 0;
        while k < self.modes.tree.len {
            let (extent, stride, span) = (SymInt(self.modes.shape[k]), SymInt(self.modes.stride[k]), self.span);
            k += 1;
            let inside = !exact && !empty && known!(stride.0) && known!(span.0) && stride.0 < span.0;
            let joined = if inside { self.interleave(k) } else { Truth::No };
            refuse_if!(cx, matches!(joined, Truth::Unknown), Undecided);
            if matches!(joined, Truth::Yes) {
                let gap = &self.gap[self.len - 1];
                let mut end = SymInt(gap.distance);
                each!(i, gap.first..k, {
                    let reach = ok!(cx.mul(SymInt(self.modes.shape[i] - 1), SymInt(self.modes.stride[i])));
                    end = ok!(cx.add(end, reach));
                });
                self.span = end;
                continue;
            }
            if exact || !empty {
                ok!(require_behind(extent, stride, span, exact, cx));
            }
            let copies = if span.0 == 0 { SymInt(0) } else { ok!(cx.div(stride, span)) };
            if !known!(extent.0) && !cx.equal(stride, span).is_yes() {
                // A mode that turns out to have one element leaves no gap.
                ok!(cx.require_less(SymInt(1), extent, Cause::SingleElement, (extent, SymInt(0))));
            }
            self.gap[self.len] = Gap { distance: stride.0, span: span.0, copies: copies.0, first: k - 1, end: k };
            self.len += 1;
            self.span = mul!(cx, extent, stride);
        }
        Ok(())
    }

    /// Sorts the modes by stride. Fails if the order depends on run-time numbers.
    const fn sort<const E: usize>(&mut self, cx: &ExprGraph<E>) -> Result<()> {
        let (given, mut order) = (self.modes, Ordered::<N>::new());
        each!(k, 0..given.tree.len, {
            ok!(order.insert(k, given.scale(k), cx));
        });
        each!(k, 0..order.len, {
            self.modes.shape[k] = given.shape[order.leaf[k]];
            self.modes.stride[k] = order.key[k].0;
        });
        Ok(())
    }

    /// Joins mode `end - 1`, which begins inside the span before it, to the modes of the last gap, and these to the gap before
    /// while the elements below do not fit between their values. Returns `No` if that fails, `Unknown` if numbers are not known.
    #[cold]
    const fn interleave(&mut self, end: usize) -> Truth {
        let mut at = self.len;
        while at > 0 {
            at -= 1;
            let Gap { first, span, .. } = self.gap[at];
            match self.modes.distance(first, end) {
                Some(0) => return Truth::No,
                Some(distance) if known!(span) => {
                    if span <= distance {
                        let copies = if span > 0 { distance / span } else { 0 };
                        self.gap[at] = Gap { distance, span, copies, first, end };
                        self.len = at + 1;
                        return Truth::Yes;
                    }
                }
                _ => return Truth::Unknown,
            }
        }
        Truth::No
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the least distance between two values of the modes `first..end`, of known numbers; 0 if two coordinates have the same
    /// value, or if relations do not decide.
    ///
    /// Two values are less than `d` apart if and only if their difference and a number between `-d` and `d` sum up to 0.
    #[cold]
    pub(super) const fn distance_by_relations(&self, first: usize, end: usize) -> i64 {
        let mut least = self.stride[first];
        each!(k, first..end, {
            least = if self.stride[k] < least { self.stride[k] } else { least };
        });
        // Each solution is nearer. They come much nearer at random, so there are few.
        each!(_round, 0..64, {
            let mut relation = Relation::<N>::moving();
            each!(k, first..end, {
                relation.push(k, self.stride[k], 1 - self.shape[k], self.shape[k] - 1);
            });
            if least == 1 {
                return if matches!(relation.solve(), Solution::None) { 1 } else { 0 };
            }
            if end == N {
                return 0;
            }
            relation.push(end, 1, 1 - least, least - 1);
            match relation.solve() {
                Solution::None => return least,
                Solution::Some(x) if x[end] != 0 => least = x[end].abs(),
                _ => return 0,
            }
        });
        0
    }

    /// Returns the least distance between two values of the modes `first..end`; 0 if two coordinates have the same value, or if neither
    /// [`LIMIT`] differences of coordinates nor relations decide. `None` if a number is not known.
    pub(super) const fn distance(&self, first: usize, end: usize) -> Option<i64> {
        // Do not enumerate the longest mode: its steps that come nearest follow by division.
        let mut longest = first;
        let mut count = 1i64;
        each!(k, first..end, {
            if !known!(self.shape[k]) || !known!(self.stride[k]) {
                return None;
            }
            let other = if self.shape[k] > self.shape[longest] { longest } else { k };
            longest = if self.shape[k] > self.shape[longest] { k } else { longest };
            if k > first {
                count = count.saturating_mul(self.shape[other].saturating_mul(2) - 1);
            }
        });
        if count > LIMIT {
            return Some(self.distance_by_relations(first, end));
        }
        let (most, stride) = ((self.shape[longest] - 1) as i128, self.stride[longest] as i128);
        let mut least = stride;
        // The differences are symmetric: half of them suffice.
        each!(difference, 0..count / 2, {
            let mut rest = difference;
            let mut apart = 0i128;
            each!(k, first..end, {
                if k != longest {
                    let width = 2 * self.shape[k] - 1;
                    apart += (rest % width - self.shape[k] + 1) as i128 * self.stride[k] as i128;
                    rest /= width;
                }
            });
            let mut steps = -apart / stride - 1;
            let last = steps + 2;
            while steps <= last {
                let inside = if steps < -most {
                    -most
                } else if steps > most {
                    most
                } else {
                    steps
                };
                let here = apart + inside * stride;
                let here = if here < 0 { -here } else { here };
                least = if here < least { here } else { least };
                steps += 1;
            }
        });
        Some(least as i64)
    }
}

/// Returns `cause`, or `Undecided` if the mode may turn out to have a single element: such a mode is never refused.
const fn unless_single(cause: Cause, extent: SymInt) -> Cause {
    if extent.is_known() { cause } else { Cause::Undecided }
}

/// Fails unless `stride >= span`, and with `exact` also if `stride` is no multiple of `span`. Open relations become promises.
const fn require_behind<const E: usize>(extent: SymInt, stride: SymInt, span: SymInt, exact: bool, cx: &mut ExprGraph<E>) -> Result<()> {
    if known!(stride.0) && known!(span.0) && stride.0 >= span.0 && (!exact || (span.0 != 0 && stride.0 % span.0 == 0)) {
        return Ok(());
    }
    if cx.less(stride, span).is_yes() {
        return Err(cx.fail(unless_single(Cause::NotInjective, extent), span, stride));
    }
    if exact {
        // A positive multiple of the span is at least the span.
        return cx.require_multiple(stride, span, Cause::StrideDoesNotNest, (span, stride));
    }
    let last = ok!(cx.sub(span, SymInt(1)));
    cx.require_less(last, stride, Cause::NotInjective, (span, stride))
}
