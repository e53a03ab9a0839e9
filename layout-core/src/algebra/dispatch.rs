//! Every operation by name: what types, macros and the command call.

use super::operands::{arg, count, extent, ints, kind, layout, mode_number, numbers, scalar, shape, tiler};
use super::{
    cast, coalesce, common, complement, compose, composed, coordinate_layouts, coords, divide, inverse, modes, order, product, size, slice,
    tuples,
};
use crate::error::{Cause, Op, Result, ok};
use crate::text::{Composed, Inner, Operand};
use crate::value::{ExprGraph, LayoutValue, SymInt, Truth, TupleValue};

pub use super::composed::evaluate as eval_composed;

/// `op(args...)`, with a layout refused whose size or indices overflow 64 bits.
pub const fn apply_fitting<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    match apply(op, args, cx) {
        Ok(Operand::Layout(l)) => wrap(size::fitting(Ok(l), op)),
        result => result,
    }
}

/// `op(args...)`.
///
/// A swizzled or composed layout takes part in every operation on shapes through its outer layout.
pub const fn apply<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    cx.begin(op);
    if args.is_empty() {
        return Err(cx.fail(Cause::OperandCount, SymInt(1), SymInt(0)));
    }
    if let Operand::Composed(composed) = &args[0] {
        return on_composed(op, composed, args, cx);
    }
    match op {
        Op::Identity => Ok(args[0]),
        Op::ToIntTuple => match &args[0] {
            Operand::Tuple(x) if !x.has_keep() => Ok(Operand::Tuple(*x)),
            _ => Err(kind(0, cx)),
        },
        Op::Rank | Op::Depth | Op::Size | Op::Cosize | Op::GetShape | Op::GetStride => query(op, args, cx),
        Op::Crd2Idx | Op::Idx2Crd | Op::Crd2Crd | Op::Crd2IdxShape | Op::Idx2CrdShape | Op::IncrementCoord => coordinate(op, args, cx),
        Op::MakeLayout
        | Op::Get
        | Op::Select
        | Op::Take
        | Op::Group
        | Op::Append
        | Op::Prepend
        | Op::Replace
        | Op::Concat
        | Op::Slice
        | Op::Dice => by_modes(op, args, cx),
        Op::Coalesce | Op::Filter | Op::FilterZeros | Op::Flatten | Op::RightInverse | Op::LeftInverse | Op::Nullspace | Op::LayoutLike => {
            unary(op, args, cx)
        }
        Op::Composition => composition(args, cx),
        Op::Complement => {
            let l = ok!(layout(args, 0, cx));
            if args.len() == 1 && !l.is_integer() {
                return wrap(coordinate_layouts::complement(&l, cx));
            }
            let m = if args.len() > 1 { ok!(extent(args, 1, cx)) } else { ok!(size::cosize(&l, cx)) };
            wrap(complement::complement(&l, m, cx))
        }
        Op::LogicalDivide | Op::ZippedDivide | Op::TiledDivide | Op::FlatDivide => {
            let (l, t) = (ok!(layout(args, 0, cx)), ok!(tiler(args, 1, cx)));
            wrap(match op {
                Op::LogicalDivide => divide::logical_divide(&l, &t, cx),
                Op::ZippedDivide => divide::zipped_divide(&l, &t, cx),
                Op::TiledDivide => divide::tiled_divide(&l, &t, cx),
                _ => divide::flat_divide(&l, &t, cx),
            })
        }
        Op::LogicalProduct | Op::ZippedProduct | Op::TiledProduct | Op::FlatProduct => {
            let (l, t) = (ok!(layout(args, 0, cx)), ok!(tiler(args, 1, cx)));
            wrap(match op {
                Op::LogicalProduct => product::logical_product(&l, &t, cx),
                Op::ZippedProduct => product::zipped_product(&l, &t, cx),
                Op::TiledProduct => product::tiled_product(&l, &t, cx),
                _ => product::flat_product(&l, &t, cx),
            })
        }
        Op::BlockedProduct | Op::RakedProduct | Op::MaxCommonLayout | Op::MaxCommonVector => {
            let (a, b) = (ok!(layout(args, 0, cx)), ok!(layout(args, 1, cx)));
            match op {
                Op::BlockedProduct => wrap(product::blocked_product(&a, &b, cx)),
                Op::RakedProduct => wrap(product::raked_product(&a, &b, cx)),
                Op::MaxCommonLayout => wrap(common::max_common_layout(&a, &b, cx)),
                _ => number(common::max_common_vector(&a, &b, cx)),
            }
        }
        Op::TileToShape => {
            let (block, shape) = (ok!(layout(args, 0, cx)), ok!(shape(args, 1, cx)));
            if args.len() > 2 {
                let order = ok!(numbers(args, 2, cx));
                wrap(product::tile_to_shape(&block, &shape, Some(&order), cx))
            } else {
                wrap(product::tile_to_shape(&block, &shape, None, cx))
            }
        }
        Op::Upcast | Op::Downcast | Op::Recast => {
            let (l, n) = (ok!(layout(args, 0, cx)), ok!(scalar(args, 1, cx)));
            wrap(match op {
                Op::Upcast => cast::upcast(&l, n, cx),
                Op::Downcast => cast::downcast(&l, n, cx),
                _ => match (n.value(), ok!(scalar(args, 2, cx)).value()) {
                    (Some(old), Some(new)) => cast::recast(&l, old, new, cx),
                    _ => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
                },
            })
        }
        Op::MaxAlignment => {
            let l = ok!(layout(args, 0, cx));
            number(common::max_alignment(&l, cx))
        }
        Op::DomainDistribute => {
            let (shape, n) = (ok!(shape(args, 0, cx)), ok!(scalar(args, 1, cx)));
            wrap(common::domain_distribute(&shape, n, cx))
        }
        Op::ColMajor | Op::RowMajor | Op::Ordered | Op::IdentityLayout => {
            let shape = ok!(shape(args, 0, cx));
            wrap(match op {
                Op::ColMajor => order::col_major(&shape, cx),
                Op::RowMajor => order::row_major(&shape, cx),
                Op::IdentityLayout => order::identity(&shape, cx),
                _ => order::ordered(&shape, &ok!(numbers(args, 1, cx)), cx),
            })
        }
        Op::Swizzle => match args[0] {
            Operand::Swizzle(swizzle) => {
                let x = ok!(scalar(args, 1, cx));
                match x.value() {
                    Some(value) if value >= 0 => number(Ok(SymInt::raw(swizzle.apply(value)))),
                    _ => Err(cx.fail(Cause::OutOfRange, x, SymInt(0))),
                }
            }
            _ => Err(kind(0, cx)),
        },
        Op::Composed => {
            let (offset, outer) = (ok!(numbers(args, 1, cx)), ok!(layout(args, 2, cx)));
            match args[0] {
                Operand::Swizzle(swizzle) => Ok(Operand::Composed(Composed { inner: Inner::Swizzle(swizzle), offset, outer })),
                Operand::Layout(inner) => Ok(Operand::Composed(Composed { inner: Inner::Layout(inner), offset, outer })),
                _ => Err(kind(0, cx)),
            }
        }
        Op::Equal => match (
            &args[0],
            if args.len() > 1 {
                &args[1]
            } else {
                return Err(count(2, args, cx));
            },
        ) {
            (Operand::Tuple(a), Operand::Tuple(b)) => {
                let mut same = tuples::congruent(a, b);
                let mut k = 0;
                while same && k < a.len() {
                    same = a.leaf(k).same(b.leaf(k));
                    k += 1;
                }
                Ok(Operand::Tuple(TupleValue::scalar(if same { SymInt(1) } else { SymInt(0) })))
            }
            _ => Err(kind(1, cx)),
        },
        _ => tuple(op, args, cx),
    }
}

const fn wrap<const N: usize>(result: Result<LayoutValue<N>>) -> Result<Operand<N>> {
    match result {
        Ok(layout) => Ok(Operand::Layout(layout)),
        Err(error) => Err(error),
    }
}

const fn wrap_ints<const N: usize>(result: Result<TupleValue<N>>) -> Result<Operand<N>> {
    match result {
        Ok(ints) => Ok(Operand::Tuple(ints)),
        Err(error) => Err(error),
    }
}

const fn number<const N: usize>(result: Result<SymInt>) -> Result<Operand<N>> {
    match result {
        Ok(value) => Ok(Operand::Tuple(TupleValue::scalar(value))),
        Err(error) => Err(error),
    }
}

const fn query<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    match (op, &args[0]) {
        (Op::Cosize, Operand::Layout(l)) if !l.is_integer() => number(size::size(l, cx)),
        (Op::Cosize, Operand::Layout(l)) => number(size::cosize(l, cx)),
        (Op::GetStride, Operand::Layout(l)) => {
            let mut strides = *l;
            if l.is_integer() {
                return Ok(Operand::Tuple(TupleValue { tree: l.tree, leaf: l.stride }));
            }
            strides.shape = [0; N];
            Ok(Operand::Strides(strides))
        }
        (Op::GetStride | Op::GetShape, Operand::Tuple(x)) => Ok(Operand::Tuple(*x)),
        (Op::GetStride, Operand::Strides(x)) => Ok(Operand::Strides(*x)),
        (Op::GetShape, Operand::Tiler(t)) if t.lay.shape_of(t.root()).has_keep() => {
            Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0)))
        }
        (Op::GetShape, Operand::Tiler(t)) => Ok(Operand::Tuple(t.lay.shape_of(t.root()))),
        (Op::GetShape, _) => wrap_ints(ints(args, 0, cx)),
        (Op::Rank, _) => {
            let shape = ok!(ints(args, 0, cx));
            number(Ok(SymInt::small(shape.tree.rank(shape.root()))))
        }
        (Op::Depth, _) => {
            let shape = ok!(ints(args, 0, cx));
            number(Ok(SymInt::small(shape.tree.depth(shape.root()))))
        }
        (Op::Size, _) => number(extent(args, 0, cx)),
        _ => Err(kind(0, cx)),
    }
}

const fn coordinate<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    // (layout, coordinate), and (coordinate, layout or shape) as other notations have it.
    if let (Op::Crd2Idx | Op::Idx2Crd, Operand::Tuple(first)) = (op, &args[0]) {
        return match (op, ok!(arg(args, 1, cx))) {
            (Op::Crd2Idx, Operand::Layout(l)) => wrap_ints(coords::evaluate(l, first, cx)),
            (Op::Crd2Idx, Operand::Composed(l)) => wrap_ints(composed::evaluate(l, first, cx)),
            (Op::Crd2Idx, Operand::Tuple(shape)) if args.len() == 3 => {
                let l = ok!(make(shape, &args[2], cx));
                wrap_ints(coords::evaluate(&l, first, cx))
            }
            (Op::Crd2Idx, Operand::Tuple(_)) => number(coords::crd2idx_shape(&ok!(shape(args, 1, cx)), first, cx)),
            (Op::Idx2Crd, Operand::Tuple(_)) => wrap_ints(coords::idx2crd(&ok!(shape(args, 1, cx)), first, cx)),
            _ => Err(kind(1, cx)),
        };
    }
    let second = ok!(ints(args, 1, cx));
    match op {
        Op::Crd2Idx => wrap_ints(coords::evaluate(&ok!(layout(args, 0, cx)), &second, cx)),
        Op::Idx2Crd => {
            let l = ok!(layout(args, 0, cx));
            wrap_ints(coords::preimage(&l, ok!(scalar(args, 1, cx)), cx))
        }
        Op::Crd2IdxShape => number(coords::crd2idx_shape(&ok!(shape(args, 0, cx)), &second, cx)),
        Op::Idx2CrdShape => wrap_ints(coords::idx2crd(&ok!(shape(args, 0, cx)), &second, cx)),
        Op::Crd2Crd => wrap_ints(coords::crd2crd(&ok!(ints(args, 0, cx)), &ok!(shape(args, 1, cx)), &ok!(shape(args, 2, cx)), cx)),
        _ => wrap_ints(coords::increment(&ok!(ints(args, 0, cx)), &ok!(shape(args, 1, cx)), cx)),
    }
}

/// Shape and stride as a checked layout.
const fn make<const N: usize, const E: usize>(shape: &TupleValue<N>, stride: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let stride = match stride {
        Operand::Tuple(stride) => {
            let mut out = LayoutValue::empty();
            out.tree = stride.tree;
            out.stride = stride.leaf;
            out
        }
        Operand::Strides(stride) => *stride,
        _ => return Err(kind(1, cx)),
    };
    let l = ok!(LayoutValue::zip(shape, &stride, cx));
    ok!(size::check(&l, cx));
    Ok(l)
}

const fn by_modes<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    if let (Op::MakeLayout, Operand::Tuple(shape)) = (op, &args[0]) {
        let stride = ok!(arg(args, 1, cx));
        return wrap(make(shape, stride, cx));
    }
    if let (Op::Get | Op::Select | Op::Take | Op::Group, Operand::Tuple(x)) = (op, &args[0]) {
        // A tuple is cut like the layout that has it as its shape.
        let mut l = LayoutValue::empty();
        l.tree = x.tree;
        l.shape = x.leaf;
        return match ok!(cut(op, &l, args, cx)) {
            Operand::Layout(l) => Ok(Operand::Tuple(l.shape_of(l.root()))),
            other => Ok(other),
        };
    }
    let l = ok!(layout(args, 0, cx));
    match op {
        Op::MakeLayout | Op::Concat => {
            let mut out = LayoutValue::empty();
            let mut k = 0;
            while k < args.len() {
                let mode = ok!(layout(args, k, cx));
                ok!(out.push_mode(&mode, cx));
                k += 1;
            }
            Ok(Operand::Layout(out))
        }
        Op::Append => wrap(modes::append(&l, &ok!(layout(args, 1, cx)), cx)),
        Op::Prepend => wrap(modes::prepend(&l, &ok!(layout(args, 1, cx)), cx)),
        Op::Replace => {
            let k = ok!(mode_number(args, 1, cx));
            wrap(modes::replace(&l, k, &ok!(layout(args, 2, cx)), cx))
        }
        Op::Slice => match slice::slice(&l, &ok!(ints(args, 1, cx)), cx) {
            Ok((l, _)) => Ok(Operand::Layout(l)),
            Err(error) => Err(error),
        },
        Op::Dice => wrap(slice::dice(&l, &ok!(ints(args, 1, cx)), cx)),
        _ => cut(op, &l, args, cx),
    }
}

const fn cut<const N: usize, const E: usize>(op: Op, l: &LayoutValue<N>, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    match op {
        Op::Get => {
            let mut l = *l;
            let mut k = 1;
            while k < args.len() {
                l = ok!(modes::get(&l, ok!(mode_number(args, k, cx)), cx));
                k += 1;
            }
            Ok(Operand::Layout(l))
        }
        Op::Select => wrap(modes::select(l, &ok!(ints(args, 1, cx)), cx)),
        Op::Take | Op::Group => {
            let (begin, end) = (ok!(mode_number(args, 1, cx)), ok!(mode_number(args, 2, cx)));
            wrap(if matches!(op, Op::Take) { modes::take(l, begin, end, cx) } else { modes::group(l, begin, end, cx) })
        }
        _ => Err(kind(0, cx)),
    }
}

const fn unary<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    if let (Op::Flatten, Operand::Tuple(x)) = (op, &args[0]) {
        let mut l = LayoutValue::empty();
        l.tree = x.tree;
        l.shape = x.leaf;
        let flat = ok!(coalesce::flatten(&l, cx));
        return Ok(Operand::Tuple(flat.shape_of(flat.root())));
    }
    if let (Op::Flatten, Operand::Tiler(t)) = (op, &args[0]) {
        return Ok(Operand::Tiler(ok!(t.flatten(cx))));
    }
    let l = ok!(layout(args, 0, cx));
    wrap(match op {
        Op::Coalesce if args.len() > 1 => coalesce::coalesce_by(&l, &ok!(ints(args, 1, cx)), cx),
        Op::Coalesce => coalesce::coalesce(&l, cx),
        Op::Filter => coalesce::filter(&l, cx),
        Op::FilterZeros => coalesce::filter_zeros(&l, cx),
        Op::Flatten => coalesce::flatten(&l, cx),
        Op::RightInverse => inverse::right_inverse(&l, cx),
        Op::LeftInverse => inverse::left_inverse(&l, cx),
        Op::Nullspace => inverse::nullspace(&l, cx),
        _ => order::layout_like(&l, cx),
    })
}

const fn composition<const N: usize, const E: usize>(args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    if let Operand::Swizzle(swizzle) = &args[0] {
        let outer = ok!(layout(args, 1, cx));
        return Ok(Operand::Composed(Composed { inner: Inner::Swizzle(*swizzle), offset: TupleValue::scalar(SymInt(0)), outer }));
    }
    let a = ok!(layout(args, 0, cx));
    match ok!(arg(args, 1, cx)) {
        Operand::Layout(b) => wrap(compose::composition(&a, b, cx)),
        // A o (inner o offset o outer) is affine where A o inner is.
        Operand::Composed(b) => match &b.inner {
            Inner::Layout(inner) => {
                let inner = ok!(compose::composition(&a, inner, cx));
                Ok(Operand::Composed(Composed { inner: Inner::Layout(inner), offset: b.offset, outer: b.outer }))
            }
            Inner::Swizzle(_) => Err(kind(1, cx)),
        },
        _ => {
            let t = ok!(tiler(args, 1, cx));
            wrap(compose::composition_by(&a, &t, cx))
        }
    }
}

const fn on_composed<const N: usize, const E: usize>(
    op: Op,
    l: &Composed<N>,
    args: &[Operand<N>],
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    match op {
        Op::Identity => return Ok(args[0]),
        Op::GetInner => {
            return Ok(match &l.inner {
                Inner::Swizzle(swizzle) => Operand::Swizzle(*swizzle),
                Inner::Layout(layout) => Operand::Layout(*layout),
            });
        }
        Op::GetOffset => return Ok(Operand::Tuple(l.offset)),
        Op::GetOuter => return Ok(Operand::Layout(l.outer)),
        Op::Crd2Idx => return wrap_ints(composed::evaluate(l, &ok!(ints(args, 1, cx)), cx)),
        Op::Size | Op::Rank | Op::Depth | Op::GetShape => {}
        Op::LayoutLike if matches!(l.inner, Inner::Layout(_)) => return Err(kind(0, cx)),
        Op::Cosize => return number(composed::cosize(l, cx)),
        // Inverses and casts depend on the inner function too.
        Op::RightInverse | Op::LeftInverse | Op::Nullspace | Op::Complement | Op::Upcast | Op::Downcast | Op::Recast => {
            return Err(kind(0, cx));
        }
        _ => {}
    }
    let mut outer = [Operand::Layout(l.outer); 3];
    if args.len() > outer.len() {
        return Err(count(outer.len(), args, cx));
    }
    let mut k = 1;
    while k < args.len() {
        outer[k] = args[k];
        k += 1;
    }
    let (outer, _) = outer.split_at(args.len());
    let mut offset = l.offset;
    if matches!(op, Op::Slice) {
        let (_, more) = ok!(slice::slice(&l.outer, &ok!(ints(args, 1, cx)), cx));
        offset = ok!(tuples::elementwise(Op::TupleAdd, &offset, &TupleValue::scalar(more), cx));
    }
    match ok!(apply(op, outer, cx)) {
        Operand::Layout(outer) if !matches!(op, Op::LayoutLike) => Ok(Operand::Composed(Composed { inner: l.inner, offset, outer })),
        other => Ok(other),
    }
}

const fn truth<const N: usize, const E: usize>(truth: Result<Truth>, cx: &ExprGraph<E>) -> Result<Operand<N>> {
    match ok!(truth) {
        Truth::Yes => Ok(Operand::Tuple(TupleValue::scalar(SymInt(1)))),
        Truth::No => Ok(Operand::Tuple(TupleValue::scalar(SymInt(0)))),
        Truth::Unknown => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    }
}

const fn tuple<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    if matches!(op, Op::Congruent | Op::WeaklyCongruent) {
        // Nesting only, so `_` will do.
        let (a, b) = (ok!(ints(args, 0, cx)), ok!(ints(args, 1, cx)));
        let same = if matches!(op, Op::Congruent) { tuples::congruent(&a, &b) } else { tuples::weakly_congruent(&a, &b) };
        return truth(Ok(if same { Truth::Yes } else { Truth::No }), cx);
    }
    let a = ok!(numbers(args, 0, cx));
    match op {
        Op::CoalesceShape => return wrap_ints(tuples::coalesce_shape(&a, cx)),
        Op::PrefixProduct => return wrap_ints(tuples::prefix_product(&a, cx)),
        Op::SuffixProduct => return wrap_ints(tuples::suffix_product(&a, cx)),
        Op::ProductEach => return wrap_ints(tuples::product_each(&a, cx)),
        Op::Product | Op::TupleSum => return number(tuples::fold(op, &a, cx)),
        Op::TupleMax | Op::TupleMin | Op::TupleGcd if args.len() == 1 => {
            return number(tuples::fold(op, &a, cx));
        }
        Op::CeilDiv => {
            if let Operand::Layout(l) = ok!(arg(args, 1, cx)) {
                // By a layout: the number of its copies that cover the shape.
                let size = ok!(a.product(a.root(), cx));
                let rest = ok!(complement::complement_in(l, size, false, cx));
                let copies = rest.shape_of(rest.root());
                return wrap_ints(Ok(copies));
            }
        }
        _ => {}
    }
    let b = ok!(numbers(args, 1, cx));
    match op {
        Op::Compatible => truth(tuples::compatible(&a, &b, cx), cx),
        Op::EvenlyDivides => truth(tuples::evenly_divides(&a, &b, cx), cx),
        Op::ElemLess | Op::IntLt => truth(tuples::elem_less(&a, &b, cx), cx),
        Op::InnerProduct => number(tuples::inner_product(&a, &b, cx)),
        Op::ProductLike => wrap_ints(tuples::product_like(&a, &b, cx)),
        Op::TupleGcd => {
            let mut both = TupleValue::<N>::empty();
            ok!(both.push(&a, a.root(), 1, 1, cx));
            ok!(both.push(&b, b.root(), 1, 1, cx));
            number(tuples::fold(op, &both, cx))
        }
        Op::IntMul => number(cx.mul(ok!(scalar(args, 0, cx)), ok!(scalar(args, 1, cx)))),
        Op::IntDiv => number(cx.div(ok!(scalar(args, 0, cx)), ok!(scalar(args, 1, cx)))),
        Op::IntMod => number(cx.rem(ok!(scalar(args, 0, cx)), ok!(scalar(args, 1, cx)))),
        _ => wrap_ints(tuples::elementwise(op, &a, &b, cx)),
    }
}
