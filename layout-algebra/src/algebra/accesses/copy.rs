//! The threads and vectors of a copy between two layouts.

use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, gcd};

/// The number of bits that the widest copy instruction moves.
const WIDEST: i64 = 128;

impl<const N: usize> LayoutValue<N> {
    /// Returns the largest number of elements, a power of two, that are contiguous and aligned in both `self` and `b` and have
    /// `bits` bits each and at most 128 together. Fails if `bits` is not in `1..=128` or a number is only known at run time.
    const fn vector_to<const E: usize>(&self, b: &Self, bits: i64, cx: &mut ExprGraph<E>) -> Result<i64> {
        refuse_if!(cx, bits < 1 || bits > WIDEST, AccessWidth, SymInt(bits));
        let common = ok!(self.max_common_vector(b, cx));
        let (here, there) = (ok!(self.max_alignment(cx)), ok!(b.max_alignment(cx)));
        match (common.value(), here.value(), there.value()) {
            (Some(common), Some(here), Some(there)) => {
                let all = gcd(gcd(common, here), there);
                let most = WIDEST / bits;
                let whole = all & all.wrapping_neg();
                Ok(if whole < most { whole } else { 1 << most.ilog2() })
            }
            _ => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        }
    }

    /// Returns `copy_threads(A, B, n, bits)`, with the modes `(thread, (element of a vector, turn))`. In the order of `B`, each
    /// thread in turn takes a vector until all elements are copied, the widest with which all threads take equally many. Fails if
    /// sizes differ, `B` has gaps, a number is only known at run time, or `n` does not divide the size.
    pub(crate) const fn copy_threads<const E: usize>(&self, b: &Self, threads: i64, bits: i64, cx: &mut ExprGraph<E>) -> Result<Self> {
        refuse_if!(cx, threads < 1, NotPositive, SymInt(threads));
        let size = ok!(b.size_of(b.root(), cx));
        let own = ok!(self.size_of(self.root(), cx));
        if !own.same(size) {
            return match (own.value(), size.value()) {
                (Some(own), Some(size)) if own < size => Err(cx.fail(Cause::OutOfRange, SymInt(size - 1), SymInt(own))),
                (Some(own), Some(size)) => Err(cx.fail(Cause::OutOfRange, SymInt(own - 1), SymInt(size))),
                _ => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
            };
        }
        let mut vector = ok!(self.vector_to(b, bits, cx));
        let order = ok!(b.right_in(cx));
        let reached = ok!(order.size_of(order.root(), cx));
        let (size, reached) = match (size.value(), reached.value()) {
            (Some(size), Some(reached)) => (size, reached),
            _ => return Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        };
        // The inverse of a layout with gaps stops at the first gap, so it does not order all elements.
        refuse_if!(cx, reached != size, NoSuchIndex, SymInt(reached));
        let turn = loop {
            let turn = match threads.checked_mul(vector) {
                Some(turn) => turn,
                None => return Err(cx.fail(Cause::Overflow, SymInt(threads), SymInt(vector))),
            };
            if size % turn == 0 || vector == 1 {
                break turn;
            }
            vector /= 2;
        };
        refuse_if!(cx, size % turn != 0, TileDoesNotDivide, SymInt(turn), SymInt(size));
        let mut walk = LayoutValue::empty();
        ok!(walk.push_leaf(1, 0, SymInt(threads), Stride::integer(SymInt(vector)), cx));
        ok!(walk.push_leaf(2, 1, SymInt(vector), Stride::integer(SymInt(1)), cx));
        ok!(walk.push_leaf(2, 2, SymInt(size / turn), Stride::integer(SymInt(turn)), cx));
        order.compose(order.root(), &walk, cx)
    }
}
