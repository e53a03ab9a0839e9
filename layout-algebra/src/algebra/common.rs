//! Elements that two layouts have in common, alignment, and even cuts of a layout.

use super::accesses::Indexer;
use super::coalesce::Omit;
use super::coords::LIMIT;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TupleValue, gcd};

impl<const N: usize> LayoutValue<N> {
    /// Returns the coordinates whose elements are contiguous in `A` and `B`: the largest layout `V` that begins `right_inverse(B)`
    /// and has `A(V(i)) = B(V(i)) = i` for `i < size(V)`. None is larger if `B` is injective and has no negative stride.
    pub(crate) const fn max_common_layout<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() || b.has_xor() {
            let (a, b) = (self.sums(), b.sums());
            if (a.has_xor() || b.has_xor()) && a.is_known() && b.is_known() {
                let inverse = ok!(b.right_in(cx));
                let agreed = ok!(a.agreed(&inverse, cx));
                return inverse.beginning(agreed, cx);
            }
            return a.common_with(&b, cx);
        }
        self.common_with(b, cx)
    }

    /// Returns `max_common_layout(A, B)` without linear algebra. Takes modes of `right_inverse(B)` as long as compositions prove them.
    const fn common_with<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let inverse = ok!(b.right_in(cx));
        let mut best = LayoutValue::scalar(SymInt(1), SymInt(0));
        each!(n, 0..inverse.len(), {
            let whole = ok!(inverse.leading(n, inverse.extent(n), cx));
            if !ok!(self.agrees(&whole, cx)) {
                return match inverse.extent(n).value() {
                    Some(extent) => self.part_of_mode(&inverse, n, extent, &best, cx),
                    None => self.linear_part(&whole, &best, cx),
                };
            }
            best = whole;
        });
        Ok(best)
    }

    /// Returns `size(max_common_layout(A, B))`: the number of elements that one copy instruction may move.
    pub(crate) const fn max_common_vector<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let common = ok!(self.max_common_layout(b, cx));
        common.size_of(common.root(), cx)
    }

    /// Returns the modes `0..n` of `self` and `extent` steps of mode `n`, coalesced.
    const fn leading<const E: usize>(&self, n: usize, extent: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        let mut k = 0;
        while k <= n {
            ok!(out.push_leaf(1, 1, if k < n { self.extent(k) } else { extent }, self.stride(k), cx));
            k += 1;
        }
        out.merged(out.root(), Omit::Single, cx)
    }

    /// Returns true if `v` stays in the domain of `self` and provably `A(V(i)) = i`.
    const fn agrees<const E: usize>(&self, v: &Self, cx: &ExprGraph<E>) -> Result<bool> {
        let mut trial = *cx;
        let (domain, size) = (ok!(self.size_of(self.root(), &mut trial)), ok!(v.size_of(v.root(), &mut trial)));
        let (_, last) = ok!(v.extremes(&mut trial));
        if !trial.less(last, domain).is_yes() {
            return Ok(false);
        }
        match self.compose(self.root(), v, &mut trial) {
            Ok(shared) if trial.promises == cx.promises => {
                let shared = ok!(shared.sums().merged(shared.root(), Omit::Single, &mut trial));
                let contiguous = shared.is_scalar() && shared.is_integer() && shared.scale(0).is(1);
                Ok(size.is(1) || (contiguous && trial.equal(shared.extent(0), size).is_yes()))
            }
            _ => Ok(false),
        }
    }

    /// Returns `best` with the most steps of mode `n` of the inverse that agree, found by bisection: fewer steps agree too.
    const fn part_of_mode<const E: usize>(
        &self,
        inverse: &Self,
        n: usize,
        extent: i64,
        best: &Self,
        cx: &mut ExprGraph<E>,
    ) -> Result<Self> {
        let mut best = *best;
        let (mut good, mut bad) = (1, extent);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            let head = ok!(inverse.leading(n, SymInt(middle), cx));
            if ok!(self.agrees(&head, cx)) {
                best = head;
                good = middle;
            } else {
                bad = middle;
            }
        }
        Ok(best)
    }

    /// Returns the first run of `head` along which `self` is contiguous, if it provably agrees; otherwise `best`.
    const fn linear_part<const E: usize>(&self, head: &Self, best: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut trial = *cx;
        if let Ok(shared) = self.compose(self.root(), head, &mut trial) {
            let shared = ok!(shared.merged(shared.root(), Omit::Single, &mut trial));
            if shared.is_integer() && shared.scale(0).is(1) {
                let run = LayoutValue::scalar(shared.extent(0), SymInt(1));
                if let Ok(part) = head.compose(head.root(), &run, &mut trial) {
                    let part = ok!(part.merged(part.root(), Omit::Single, &mut trial));
                    if trial.promises == cx.promises && ok!(self.agrees(&part, &trial)) {
                        *cx = trial;
                        return Ok(part);
                    }
                }
            }
        }
        Ok(*best)
    }

    /// Returns the number of leading `i` with `A(V(i)) = i` and `V(i)` in the domain, for known numbers. If the composition
    /// proves all, no `i` is tested. If both layouts are linear, only 0 and the powers of two are tested; otherwise each `i` is.
    const fn agreed<const E: usize>(&self, v: &Self, cx: &ExprGraph<E>) -> Result<i64> {
        let mut trial = *cx;
        let (domain, size) = match (ok!(self.size_of(self.root(), &mut trial)).value(), ok!(v.size_of(v.root(), &mut trial)).value()) {
            (Some(domain), Some(size)) => (domain, size),
            _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        if ok!(self.agrees(v, cx)) {
            return Ok(size);
        }
        let linear = self.matrix(&mut trial).is_ok() && v.matrix(&mut trial).is_ok();
        let (a, v) = (ok!(Indexer::of_layout(self, 0, None)), ok!(Indexer::of_layout(v, 0, None)));
        let mut i = 0;
        while i < size {
            refuse_if!(cx, !linear && i > LIMIT, TooManyCoordinates, SymInt(size), SymInt(LIMIT));
            let at = ok!(v.at(i));
            if at < 0 || at >= domain || ok!(a.at(at)) != i {
                return Ok(i);
            }
            i = if !linear {
                i + 1
            } else if i == 0 {
                1
            } else {
                i << 1
            };
        }
        Ok(size)
    }

    /// Returns the layout of the first `m` values, where `m` is the greatest number up to `n` that is whole steps of a mode.
    const fn beginning<const E: usize>(&self, n: i64, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (mut k, mut left) = (0, n);
        while k < self.len() && self.shape[k] <= left {
            left /= self.shape[k];
            k += 1;
        }
        if k < self.len() && left > 1 {
            self.leading(k, SymInt(left), cx)
        } else if k > 0 {
            self.leading(k - 1, self.extent(k - 1), cx)
        } else {
            Ok(LayoutValue::scalar(SymInt(1), SymInt(0)))
        }
    }

    /// Returns the largest `n` that divides the extent of the mode of stride 1 and every other stride; 1 if no mode has stride 1.
    /// Then `L` moves in aligned groups of `n` consecutive coordinates.
    pub(crate) const fn max_alignment<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        if self.has_xor() {
            ok!(self.merged(self.root(), Omit::Single, cx)).sums().max_alignment_from(0, cx)
        } else {
            self.max_alignment_from(0, cx)
        }
    }

    /// Returns `max_alignment` of the indices `start + L(c)`, with exclusive-or in place of the sum for XOR strides.
    pub(crate) const fn max_alignment_from<const E: usize>(&self, start: i64, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let flat = ok!(self.merged(self.root(), Omit::Single, cx));
        let (mut found, mut unit) = (false, Basis::INTEGER);
        let mut best = start;
        each!(k, 0..flat.len(), {
            let contiguous = !found && flat.scale(k).is(1);
            if contiguous {
                (found, unit) = (true, flat.basis(k));
            }
            let factor = if contiguous { cx.facts(flat.extent(k)).div } else { cx.facts(flat.scale(k)).div };
            if factor != i64::MAX {
                best = gcd(factor, best);
            }
        });
        if self.has_xor() {
            if unit.is_xor() || !found || best.count_ones() == 1 {
                // XOR strides keep only groups of a power of two contiguous.
                best &= best.wrapping_neg();
            } else {
                best = gcd(best, ok!(flat.common_of_exchanged(start, cx)));
            }
        }
        Ok(if found && best > 0 { SymInt::raw(best) } else { SymInt(1) })
    }

    /// Returns the greatest common divisor of `start ^ x` over all values `x` of the XOR strides. Fails above `LIMIT` values.
    const fn common_of_exchanged<const E: usize>(&self, start: i64, cx: &mut ExprGraph<E>) -> Result<i64> {
        let mut exchanged = *self;
        each!(k, 0..self.len(), {
            if !self.basis(k).is_xor() {
                exchanged.shape[k] = 1;
            }
        });
        let size = match ok!(exchanged.size_of(exchanged.root(), cx)).value() {
            Some(size) => size,
            None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        refuse_if!(cx, size > LIMIT, TooManyCoordinates, SymInt(size), SymInt(LIMIT));
        let indices = ok!(Indexer::of_layout(&exchanged, 0, None));
        let mut common = 0;
        each!(c, 0..size, {
            common = gcd(ok!(indices.at(c)) ^ start, common);
        });
        Ok(common)
    }
}

impl<const N: usize> TupleValue<N> {
    /// Returns a layout over `[0, size(S))` of at most `n` elements that cuts the leaves of `S` evenly, left to right. Each leaf
    /// takes `gcd(extent, rest)` and divides the rest of `n` by it. Fails unless `n` is a known positive number.
    pub(crate) const fn domain_distribute<const E: usize>(&self, n: SymInt, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut left = match n.value() {
            Some(n) if n > 0 => n,
            Some(_) => return Err(cx.fail(Cause::NotPositive, n, SymInt(0))),
            None => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        let mut out = LayoutValue::empty();
        let mut span = SymInt(1);
        each!(k, 0..self.len(), {
            let take = gcd(left, cx.facts(self.leaf(k)).div);
            ok!(out.push_leaf(1, 1, SymInt::raw(take), Stride::integer(span), cx));
            left /= take;
            span = ok!(cx.mul(span, self.leaf(k)));
        });
        out.merged(out.root(), Omit::Single, cx)
    }
}
