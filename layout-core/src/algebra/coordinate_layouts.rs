//! Layouts whose values are coordinates.
//!
//! A stride `d@k` moves along coordinate `k` of the codomain and `d@j@k` along coordinate `j` of coordinate `k`, so the bases of a layout
//! name a tree of coordinates, and an integer layout has the tree of one. Complement and inverses work in each coordinate separately;
//! their results are nested as the coordinates are, one mode for each coordinate. A coordinate that no mode moves along is `1:1@k` in a
//! complement, and `1:0` in an inverse.

use super::coalesce::unwrap_single;
use super::complement::{along, filled};
use super::inverse::{left_along, right_along};
use crate::error::{Cause, Op, Result, ok};
use crate::value::{Basis, ExprGraph, LayoutValue, Span, Stride, SymInt};

/// The operation in each coordinate.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Complement,
    RightInverse,
    LeftInverse,
}

/// The complement of `L` in its whole codomain: in each coordinate the modes that fill the gaps, then `1:span`, which has no end of its own and
/// goes on behind `L` as the last mode of a layout does.
pub const fn complement<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    cx.begin(Op::Complement);
    by_coordinate(Part::Complement, l, cx)
}

/// Does `part` in every coordinate of the codomain of `l`.
pub(crate) const fn by_coordinate<const N: usize, const E: usize>(
    part: Part,
    l: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    ok!(walk(part, l, Basis(0), &mut out, 0, 0, cx));
    Ok(out)
}

const fn walk<const N: usize, const E: usize>(
    part: Part,
    l: &LayoutValue<N>,
    at: Basis,
    out: &mut LayoutValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let rank = ok!(rank(l, at, cx));
    if rank == 0 {
        let mode = match part {
            Part::Complement => ok!(open(l, at, cx)),
            Part::RightInverse => ok!(right_along(l, at, cx)),
            Part::LeftInverse => ok!(left_along(l, at, cx)),
        };
        return out.push(&mode, mode.root(), level, join, cx);
    }
    each!(k, 0..rank, {
        let next = ok!(step(at, k, cx));
        ok!(walk(part, l, next, out, level + 1, if k == 0 { join } else { level + 1 }, cx));
    });
    Ok(())
}

/// Coordinate `mode` inside the coordinate `at`.
pub(crate) const fn step<const E: usize>(at: Basis, mode: usize, cx: &ExprGraph<E>) -> Result<Basis> {
    match at.then(mode) {
        Some(next) => Ok(next),
        None => Err(cx.fail(Cause::TooDeep, SymInt::small(Basis::MAX_STEPS), SymInt(0))),
    }
}

/// The number of coordinates that the bases of `l` name inside coordinate `at`; 0 where `at` is an integer.
pub(crate) const fn rank<const N: usize, const E: usize>(l: &LayoutValue<N>, at: Basis, cx: &ExprGraph<E>) -> Result<usize> {
    let (mut here, mut rank) = (false, 0);
    each!(k, 0..l.len(), {
        let basis = l.basis(k);
        // A plain stride of 0 moves along nothing.
        if basis.begins_with(at) && !(basis.is_integer() && l.scale(k).is(0)) {
            if basis.len() == at.len() {
                here = true;
            } else if basis.step(at.len()) >= rank {
                rank = basis.step(at.len()) + 1;
            }
        }
    });
    if here && rank > 0 { Err(cx.fail(Cause::MixedBasis, SymInt(0), SymInt(0))) } else { Ok(rank) }
}

/// The complement along `at`, open at its end.
const fn open<const N: usize, const E: usize>(l: &LayoutValue<N>, at: Basis, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let (mut out, span) = ok!(filled(l, at, false, cx));
    ok!(out.push_leaf(1, 1, SymInt(1), Stride { scale: span, basis: at }, cx));
    unwrap_single(&mut out);
    Ok(out)
}

/// The rest that the tile `t` leaves of the coordinates of `a|at`: in each coordinate the exact complement up to the size of the mode.
pub(crate) const fn rest<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    at: Span,
    t: &LayoutValue<N>,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let mut out = LayoutValue::empty();
    ok!(rest_at(a, at, t, Basis(0), &mut out, 0, 0, cx));
    Ok(out)
}

#[allow(clippy::too_many_arguments)]
const fn rest_at<const N: usize, const E: usize>(
    a: &LayoutValue<N>,
    at: Span,
    t: &LayoutValue<N>,
    basis: Basis,
    out: &mut LayoutValue<N>,
    level: u8,
    join: u8,
    cx: &mut ExprGraph<E>,
) -> Result<()> {
    let named = ok!(rank(t, basis, cx));
    if named == 0 {
        let size = ok!(a.size_of(at, cx));
        let mode = ok!(along(t, basis, size, true, cx));
        return out.push(&mode, mode.root(), level, join, cx);
    }
    let have = a.tree.rank(at);
    if named > have {
        return Err(cx.fail(Cause::NoSuchMode, SymInt::small(named - 1), SymInt::small(have)));
    }
    let outer = cx.path();
    let mut k = 0;
    while let Some(mode) = a.tree.mode(at, k) {
        cx.at(outer.then(k));
        let next = ok!(step(basis, k, cx));
        ok!(rest_at(a, mode, t, next, out, level + 1, if k == 0 { join } else { level + 1 }, cx));
        k += 1;
    }
    cx.at(outer);
    Ok(())
}
