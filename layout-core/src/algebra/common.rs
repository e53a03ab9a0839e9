//! Elements that two layouts have in common, and even cuts of a layout.

use super::coalesce::Omit;
use crate::error::{Cause, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, TupleValue, gcd};

impl<const N: usize> LayoutValue<N> {
    /// The elements of both domains that are contiguous in both: the largest layout `V` that begins `right_inverse(B)` and has
    /// `A(V(i)) = B(V(i)) = i` for `i < size(V)`. No other is larger where `B` is injective and no stride of it is negative.
    pub(crate) const fn max_common_layout<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
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

    /// `size(max_common_layout(A, B))`: how many elements one copy instruction may move.
    pub(crate) const fn max_common_vector<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let common = ok!(self.max_common_layout(b, cx));
        common.size_of(common.root(), cx)
    }

    /// The first `n` modes of `self` and `extent` steps of the next, coalesced.
    const fn leading<const E: usize>(&self, n: usize, extent: SymInt, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        let mut k = 0;
        while k <= n {
            ok!(out.push_leaf(1, 1, if k < n { self.extent(k) } else { extent }, self.stride(k), cx));
            k += 1;
        }
        out.merged(out.root(), Omit::Single, cx)
    }

    /// Tests whether `v` stays in the domain of `self` and `self` provably undoes it: `A(V(i)) = i`.
    const fn agrees<const E: usize>(&self, v: &Self, cx: &ExprGraph<E>) -> Result<bool> {
        let mut trial = *cx;
        let (domain, size) = (ok!(self.size_of(self.root(), &mut trial)), ok!(v.size_of(v.root(), &mut trial)));
        let (_, last) = ok!(v.extremes(&mut trial));
        if !trial.less(last, domain).is_yes() {
            return Ok(false);
        }
        match self.compose(self.root(), v, &mut trial) {
            Ok(shared) if trial.promises == cx.promises => {
                let shared = ok!(shared.merged(shared.root(), Omit::Single, &mut trial));
                let contiguous = shared.is_scalar() && shared.is_integer() && shared.scale(0).is(1);
                Ok(size.is(1) || (contiguous && trial.equal(shared.extent(0), size).is_yes()))
            }
            _ => Ok(false),
        }
    }

    /// `best` and as many of the `extent` steps of mode `n` of the inverse as agree: what agrees at one length does at every shorter one.
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

    /// The first run of `head` along which `self` is contiguous, if it is longer than `best`.
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

    /// The largest `n` that divides the extent of the mode of stride 1 and every other stride, so that `L` moves in aligned groups of `n`
    /// consecutive coordinates; 1 where no mode is contiguous.
    pub(crate) const fn max_alignment<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<SymInt> {
        let flat = ok!(self.merged(self.root(), Omit::Single, cx));
        let mut found = false;
        let mut best = 0;
        each!(k, 0..flat.len(), {
            let contiguous = !found && flat.scale(k).is(1);
            found = found || contiguous;
            let factor = if contiguous { cx.facts(flat.extent(k)).div } else { cx.facts(flat.scale(k)).div };
            if factor != i64::MAX {
                best = gcd(factor, best);
            }
        });
        if self.has_xor() {
            // Groups of a power of two stay whole without carries.
            best &= -best;
        }
        Ok(if found && best > 0 { SymInt::raw(best) } else { SymInt(1) })
    }
}

impl<const N: usize> TupleValue<N> {
    /// A layout over `[0, size(S))` of at most `n` elements that cuts the leaves of `S` evenly, left to right: leaf by leaf it takes
    /// `gcd(extent, what is left of n)`.
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
