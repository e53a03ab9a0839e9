//! Layouts whose values are coordinates: complement and inverses of layouts with basis strides.
//!
//! A stride `d@k` moves along coordinate `k` of the codomain, `d@j@k` along coordinate `j` of coordinate `k`. So the bases of a
//! layout name a tree of coordinates; for an integer layout the tree is one integer. Complement and inverses work in each
//! coordinate separately. Their results are nested like the coordinates, with one mode for each coordinate. A coordinate that no
//! mode moves along is `1:1@k` in a complement, and `1:0` in an inverse.

use crate::error::{Cause, Op, Result, ok, refuse_if};
use crate::value::{Basis, ExprGraph, LayoutValue, Stride, SymInt, TreeNode};

/// The operation that is applied in each coordinate.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Complement,
    RightInverse,
    LeftInverse,
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the complement of `L` in its whole codomain. In each coordinate these are the modes that fill the gaps, then
    /// `1:span`, which continues after `L` without end, as the last mode of a layout does.
    pub(crate) const fn open_complement<const E: usize>(&self, cx: &mut ExprGraph<E>) -> Result<Self> {
        cx.begin(Op::Complement);
        self.by_coordinate(Part::Complement, cx)
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Applies the operation `part` in every coordinate of the codomain of `self`, and nests the results like the coordinates.
    pub(crate) const fn by_coordinate<const E: usize>(&self, part: Part, cx: &mut ExprGraph<E>) -> Result<Self> {
        if self.has_xor() {
            let mut trial = *cx;
            return match (self.xor_part(part, &mut trial), self.sums()) {
                // Integer strides may succeed where bits fail.
                (Err(error), sums) if !sums.has_xor() && !matches!(error.cause, Cause::Singular) => sums.by_coordinate(part, cx),
                (result, _) => {
                    *cx = trial;
                    result
                }
            };
        }
        let mut out = LayoutValue::empty();
        ok!(self.walk_coordinates(part, Basis(0), &mut out, 0, 0, cx));
        Ok(out)
    }

    const fn walk_coordinates<const E: usize>(
        &self,
        part: Part,
        at: Basis,
        out: &mut Self,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let rank = ok!(self.rank_at(at, cx));
        if rank == 0 {
            let mode = match part {
                Part::Complement => ok!(self.open_along(at, cx)),
                Part::RightInverse => ok!(self.right_along(at, cx)),
                Part::LeftInverse => ok!(self.left_along(at, cx)),
            };
            return out.push(&mode, mode.root(), level, join, cx);
        }
        each!(k, 0..rank, {
            let next = ok!(step(at, k, cx));
            ok!(self.walk_coordinates(part, next, out, level + 1, if k == 0 { join } else { level + 1 }, cx));
        });
        Ok(())
    }
}

/// Returns the basis of coordinate `mode` inside the coordinate `at`. Fails if it is nested too deep.
pub(crate) const fn step<const E: usize>(at: Basis, mode: usize, cx: &ExprGraph<E>) -> Result<Basis> {
    match at.then(mode) {
        Some(next) => Ok(next),
        None => Err(cx.fail(Cause::TooDeep, SymInt::small(Basis::MAX_STEPS), SymInt(0))),
    }
}

impl<const N: usize> LayoutValue<N> {
    /// Returns the number of coordinates that bases of `self` name inside coordinate `at`; 0 for an integer. Fails if `at` is both.
    pub(crate) const fn rank_at<const E: usize>(&self, at: Basis, cx: &ExprGraph<E>) -> Result<usize> {
        let (mut here, mut rank) = (false, 0);
        each!(k, 0..self.len(), {
            let basis = self.basis(k);
            // A plain stride of 0 moves along nothing.
            if basis.begins_with(at) && !(basis.is_integer() && self.scale(k).is(0)) {
                if basis.len() == at.len() {
                    here = true;
                } else if basis.step(at.len()) >= rank {
                    rank = basis.step(at.len()) + 1;
                }
            }
        });
        if here && rank > 0 { Err(cx.fail(Cause::MixedBasis, SymInt(0), SymInt(0))) } else { Ok(rank) }
    }

    /// Returns the complement along the basis `at`, with a last mode `1:span` that continues without end.
    const fn open_along<const E: usize>(&self, at: Basis, cx: &mut ExprGraph<E>) -> Result<Self> {
        let (mut out, span) = ok!(self.filled(at, false, cx));
        ok!(out.push_leaf(1, 1, SymInt(1), Stride { scale: span, basis: at }, cx));
        out.unwrap_single();
        Ok(out)
    }

    /// Returns what the tile `t` leaves of each coordinate of the node `at`: the exact complement up to the size of the mode.
    pub(crate) const fn rest<const E: usize>(&self, at: TreeNode, t: &Self, cx: &mut ExprGraph<E>) -> Result<Self> {
        let mut out = LayoutValue::empty();
        ok!(self.rest_at(at, t, Basis(0), &mut out, 0, 0, cx));
        Ok(out)
    }

    #[allow(clippy::too_many_arguments)]
    const fn rest_at<const E: usize>(
        &self,
        at: TreeNode,
        t: &Self,
        basis: Basis,
        out: &mut Self,
        level: u8,
        join: u8,
        cx: &mut ExprGraph<E>,
    ) -> Result<()> {
        let named = ok!(t.rank_at(basis, cx));
        if named == 0 {
            let size = ok!(self.size_of(at, cx));
            let mode = ok!(t.along(basis, size, true, cx));
            return out.push(&mode, mode.root(), level, join, cx);
        }
        let have = self.tree.rank(at);
        refuse_if!(cx, named > have, NoSuchMode, SymInt::small(named - 1), SymInt::small(have));
        let outer = cx.path();
        let mut k = 0;
        while let Some(mode) = self.tree.mode(at, k) {
            cx.at(outer.then(k));
            let next = ok!(step(basis, k, cx));
            ok!(self.rest_at(mode, t, next, out, level + 1, if k == 0 { join } else { level + 1 }, cx));
            k += 1;
        }
        cx.at(outer);
        Ok(())
    }
}
