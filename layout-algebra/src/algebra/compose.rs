//! Composition of layouts.
//!
//! `R = composition(A, B)` has `R(c) = A(B(c))` for all coordinates `c` of `B`, and a shape that refines `B`'s: `compatible(B, R)`.
//!
//! ```text
//! composition(A, B):                          A coalesced, its modes s_0 : d_0, ..., s_m : d_m
//!     for each leaf n : r of B:               the emitted leaves replace it
//!         for i in 0 .. m:
//!             if s_i divides r:               the step skips mode i
//!                 r = r / s_i
//!             else r divides s_i:             the step walks mode i, and from its end the next
//!                 t = min(s_i / r, n), divides n
//!                 emit t : r d_i
//!                 n = n / t,  r = 1
//!         emit n : r d_m                      the last mode continues beyond its extent
//! ```
//!
//! Run-time numbers are composed like this ([`compose_symbolic`]). Known numbers are decided exactly ([`compose_known`]): the result
//! exists whenever some layout has its values, also if strides do not divide. It is refused if leaves of `B` together cross a mode of `A`.
//! * Beyond its size, `A` continues its last mode; below 0 it continues to the left (indices unravel by floor division).
//! * A basis stride `d@k` of `B` walks mode `k` of `A`. A by-mode tiler composes mode by mode and keeps the modes that it does not name.
//! * XOR strides on either side are composed bit by bit ([`xor`](super::xor)).
//! * A leaf `1 : d` of `B` becomes `1 : 0`; if `A` has basis strides, `1 : A(d)` where that is a stride, so it keeps its coordinate.

use super::by_mode::Mode;
use super::coalesce::Omit;
use super::tiler::Tiler;
use crate::error::{Cause, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, MAX_DEPTH, Stride, SymInt, TreeNode, known, mul, push_leaf};

impl<const N: usize> LayoutValue<N> {
    /// Returns `composition(A, B)` for a layout `B`. Fails if no layout has its values, or leaves of `B` together cross a mode of `A`.
    ///
    /// ```
    /// use layout_algebra::{error::Op, text::Parser};
    /// use layout_algebra::value::{ExprGraph, LayoutValue};
    /// let mut scope = ExprGraph::<8>::new(Op::Parse);
    /// let a: LayoutValue<8> = Parser::new("(8,?):(?,1)").layout(&mut scope)?;
    /// let b = Parser::new("(4,2):(2,1)").layout(&mut scope)?;
    /// // The stride of the rows is known only at run time, so the result has expressions of it.
    /// assert_eq!(a.composition(&b, &mut scope)?.to_string(), "(4,2):(?,?)");
    /// // Steps of 3 do not meet the end of the first mode, at 8.
    /// let c = Parser::new("4:3").layout(&mut scope)?;
    /// assert!(a.composition(&c, &mut scope).is_err());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn composition<const E: usize>(&self, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        self.compose(self.root(), b, cx)
    }

    /// Returns `composition(A, T)` for a tiler `T`, mode by mode. Fails if `T` has more modes than `A`, or a composition fails.
    pub(crate) const fn composition_by<const E: usize>(&self, t: &Tiler<N>, cx: &mut ExprGraph<E>) -> Result<Self> {
        let t = ok!(t.over(self, cx));
        self.by_mode(Mode::Compose, &t, cx)
    }
}

/// The left operand `A` of a composition as digits: coalesced modes that agree with `A` beyond its size, and their boundaries.
#[derive(Clone)]
pub(crate) struct Digits<const N: usize> {
    pub modes: LayoutValue<N>,
    /// The product of the extents before each mode: its boundary.
    pub bound: [i64; N],
    /// True if every boundary is known.
    pub known: bool,
    /// True if every stride is a known integer.
    pub plain: bool,
}

impl<const N: usize> Digits<N> {
    pub(crate) const fn of<const E: usize>(a: &LayoutValue<N>, at: TreeNode, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = Digits { modes: ok!(a.merged(at, Omit::Inner, cx)), bound: [1; N], known: true, plain: true };
        let mut bound = SymInt(1);
        each!(k, 0..out.modes.tree.len, {
            if k > 0 {
                bound = mul!(cx, bound, SymInt(out.modes.shape[k - 1]));
                out.bound[k] = bound.0;
                out.known = out.known && known!(bound.0);
            }
            out.plain = out.plain && known!(out.modes.stride[k]) && out.modes.basis[k] == 0;
        });
        Ok(out)
    }

    pub(crate) const fn bound(&self, k: usize) -> SymInt {
        SymInt(self.bound[k])
    }
}

/// A run of steps of a leaf of `B` along which `A` is linear. It is a leaf of the result if `extent` divides `left`.
///
/// ```
/// use layout_algebra::DynLayout;
/// let (a, b): (DynLayout, DynLayout) = ("(6,4):(1,10)".parse()?, "8:3".parse()?);
/// // Steps of 3 in columns of 6: two of them, then four steps of a whole column.
/// let runs: Vec<_> = a.trace_composition(&b)?.runs(0).collect();
/// assert_eq!((runs[0].left, runs[0].step, runs[0].extent, runs[0].stride), (8, 3, 2, 3));
/// assert_eq!((runs[1].left, runs[1].step, runs[1].extent, runs[1].stride), (4, 6, 4, 10));
/// assert!(runs.iter().all(|run| run.divides()));
/// assert_eq!(a.composition(&b)?.to_string(), "(2,4):(3,10)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinearRun {
    /// The number of steps of the leaf that are left where the run begins.
    pub left: i64,
    /// The length of each step in the domain of `A`; 0 for a leaf that moves nothing.
    pub step: i64,
    /// The value `A(step)`.
    pub stride: i64,
    /// The largest number up to `left` with `A(i step) = i stride` for all `i < extent`.
    pub extent: i64,
    /// The basis of the stride.
    pub(crate) basis: Basis,
    /// The number of the leaf of `B`, from 0.
    pub(crate) leaf: u8,
    /// The mode of `A` in which the run lies, if some numbers are not known.
    pub(crate) digit: u8,
}

impl LinearRun {
    pub(crate) const fn new(left: SymInt, step: SymInt, stride: Stride, extent: SymInt, leaf: usize, digit: usize) -> LinearRun {
        let (left, step, extent, leaf, digit) = (left.0, step.0, extent.0, leaf as u8, digit as u8);
        LinearRun { left, step, stride: stride.scale.0, extent, basis: stride.basis, leaf, digit }
    }

    /// Returns true if a whole number of such runs is left. A run that does not divide is the last of a refused composition.
    pub const fn divides(&self) -> bool {
        self.extent == self.left || self.left % self.extent == 0
    }
}

/// At most `N` runs, in the order of the leaves of `B`.
#[derive(Clone)]
pub(crate) struct LinearRuns<const N: usize> {
    pub len: usize,
    pub run: [LinearRun; N],
}

impl<const N: usize> LinearRuns<N> {
    pub(crate) const fn empty() -> Self {
        let none = LinearRun { left: 1, step: 0, stride: 0, extent: 1, basis: Basis(0), leaf: 0, digit: 0 };
        LinearRuns { len: 0, run: [none; N] }
    }

    /// Sorts the runs by the leaves that they come from.
    const fn sort(&mut self) {
        each!(i, 1..self.len, {
            let mut k = i;
            while k > 0 && self.run[k].leaf < self.run[k - 1].leaf {
                (self.run[k], self.run[k - 1]) = (self.run[k - 1], self.run[k]);
                k -= 1;
            }
        });
    }

    /// Returns the layout `b` with each leaf replaced by its runs. Fails if the result is nested too deep or has too many leaves.
    pub(crate) const fn in_place_of<const E: usize>(&self, b: &LayoutValue<N>, cx: &ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut out = LayoutValue::empty();
        let (mut k, mut p) = (0, 0);
        while k < b.tree.len {
            let mut end = p + 1;
            while end < self.len && self.run[end].leaf as usize == k {
                end += 1;
            }
            refuse_if!(cx, b.tree.depth_of(k) >= MAX_DEPTH, TooDeep, SymInt::small(MAX_DEPTH as usize));
            let depth = b.tree.depth[k] + (end > p + 1) as u8;
            let mut join = if k == 0 { 0 } else { b.tree.join[k - 1] };
            while p < end {
                let run = &self.run[p];
                let (stride, basis) = if b.tree.is_stand_in(k) { (0, 0) } else { (run.stride, run.basis.0) };
                push_leaf!(out, N, depth, join, run.extent, stride, basis, cx);
                join = depth;
                p += 1;
            }
            k += 1;
        }
        Ok(out)
    }

    pub(crate) const fn push<const E: usize>(&mut self, run: LinearRun, cx: &ExprGraph<E>) -> Result<()> {
        refuse_if!(cx, self.len == N, Capacity, SymInt::small(N));
        self.run[self.len] = run;
        self.len += 1;
        Ok(())
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the composition of the node `at` of `self` with `b`, as a step of the current operation. Fails as `composition`.
    pub(crate) const fn compose<const E: usize>(&self, at: TreeNode, b: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut runs = LinearRuns::empty();
        if b.is_integer() {
            let digits = ok!(Digits::of(self, at, cx));
            ok!(digits.split(b, Basis(0), &mut runs, cx));
        } else if b.has_xor() {
            let digits = ok!(Digits::of(self, at, cx));
            ok!(digits.split_xor(b, Basis(0), &mut runs, cx));
        } else {
            ok!(self.split_by_basis(at, b, &mut runs, cx));
            runs.sort();
        }
        runs.in_place_of(b, cx)
    }

    /// Composes each basis of `B` with the mode of `A` that the basis walks, and appends the runs to `runs`.
    const fn split_by_basis<const E: usize>(&self, at: TreeNode, b: &Self, runs: &mut LinearRuns<N>, cx: &mut ExprGraph<E>) -> Result<()> {
        each!(k, 0..b.len(), {
            let basis = b.basis(k);
            let mut seen = false;
            let mut any_moves = false;
            each!(i, 0..b.len(), {
                let other = b.basis(i);
                if other.0 == basis.0 {
                    seen = seen || i < k;
                    any_moves = any_moves || b.moves(i);
                } else if b.moves(i) && b.moves(k) && (basis.begins_with(other) || other.begins_with(basis)) {
                    return Err(cx.fail(Cause::MixedBasis, SymInt(0), SymInt(0)));
                }
            });
            if !seen {
                match self.walked(at, basis, cx) {
                    Ok(mode) => {
                        let digits = ok!(Digits::of(self, mode, cx));
                        ok!(digits.split(b, basis, runs, cx));
                    }
                    Err(error) if any_moves => return Err(error),
                    Err(_) => {
                        let digits = ok!(Digits::of(&LayoutValue::empty(), LayoutValue::<N>::empty().root(), cx));
                        ok!(digits.split(b, basis, runs, cx));
                    }
                }
            }
        });
        Ok(())
    }

    const fn moves(&self, k: usize) -> bool {
        !self.scale(k).is(0) && !self.extent(k).is(1)
    }

    /// Returns the mode of the node `at` of `self` that `basis` walks. Fails if there is no such mode.
    const fn walked<const E: usize>(&self, at: TreeNode, basis: Basis, cx: &ExprGraph<E>) -> Result<TreeNode> {
        let mut mode = at;
        each!(s, 0..basis.len(), {
            mode = match self.tree.mode(mode, basis.step(s)) {
                Some(mode) => mode,
                None => {
                    let rank = self.tree.rank(mode);
                    return Err(cx.fail(Cause::NoSuchMode, SymInt::small(basis.step(s)), SymInt::small(rank)));
                }
            };
        });
        Ok(mode)
    }
}

impl<const N: usize> Digits<N> {
    /// Returns `A(step)`, or 0 if that is not a stride.
    const fn one_step<const E: usize>(&self, step: SymInt, cx: &mut ExprGraph<E>) -> Stride {
        match self.at(step.word(), cx) {
            Ok(stride) => stride,
            Err(_) => Stride::integer(SymInt(0)),
        }
    }

    /// Splits the leaves of `B` along `basis` at the boundaries of `A`, and appends their runs to `runs`.
    pub(crate) const fn split<const E: usize>(
        &self,
        b: &LayoutValue<N>,
        basis: Basis,
        runs: &mut LinearRuns<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        if !self.plain && self.modes.has_xor() {
            return self.split_xor(b, basis, runs, cx);
        }
        let outer = cx.path();
        let first = runs.len;
        let mut known = self.known;
        let mut empty = false;
        each!(k, 0..b.tree.len, {
            empty = empty || b.shape[k] == 0;
            known = known && (b.basis[k] != basis.0 || (known!(b.shape[k]) && known!(b.stride[k])));
        });
        each!(k, 0..b.tree.len, {
            if b.basis[k] == basis.0 {
                cx.at(outer.then(k));
                let (extent, step) = (SymInt(b.shape[k]), SymInt(b.stride[k]));
                if extent.0 == 1 || step.0 == 0 {
                    let stride = if known && extent.0 == 1 && !self.modes.is_integer() {
                        self.one_step(step, cx)
                    } else {
                        Stride::integer(SymInt(0))
                    };
                    ok!(runs.push(LinearRun::new(extent, SymInt(0), stride, extent, k, 0), cx));
                } else if known {
                    ok!(self.split_known(extent, step, k, runs, empty, cx));
                } else {
                    ok!(self.split_open(extent, step, k, runs, cx));
                }
            }
        });
        cx.at(outer);
        if empty {
            Ok(())
        } else if known {
            self.check_known(runs, first, cx)
        } else {
            self.check_open(runs, first, cx)
        }
    }
}
