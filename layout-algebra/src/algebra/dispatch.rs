//! Dispatch of every operation by name, for types, macros and the command-line tool.

use super::cast::Cast;
use super::operands::{
    ComposedValue, Inner, Operand, coord, count, extent, integer, kind, layout, mode, number, order, shape, tiler, tuple,
};
use super::{accesses, composed, size, xor};
use crate::banks::{Access, Banks};
use crate::error::{Cause, OfComposed, Op, Result, ok};
use crate::value::{ExprGraph, LayoutValue, Stride, SymInt, Truth, TupleValue};

/// Wraps the result of a function of the algebra in an operand.
macro_rules! give {
    (layout $result:expr, $cx:ident) => { give!(@ $result, layout => Ok(Operand::Layout(layout))) };
    (tuple $result:expr, $cx:ident) => { give!(@ $result, tuple => Ok(Operand::Tuple(tuple))) };
    (integer $result:expr, $cx:ident) => { give!(@ $result, value => Ok(Operand::Tuple(TupleValue::scalar(value)))) };
    (truth $result:expr, $cx:ident) => { give!(@ $result, truth => decided(truth, $cx)) };
    (@ $result:expr, $value:ident => $operand:expr) => {
        match $result {
            Ok($value) => $operand,
            Err(error) => Err(error),
        }
    };
}

/// Expands to the argument that a function of the algebra takes for a converted operand: by value for numbers, else by reference.
macro_rules! pass {
    (order $operand:ident) => {
        $operand.as_ref()
    };
    (integer $operand:ident) => {
        $operand
    };
    (number $operand:ident) => {
        $operand
    };
    (extent $operand:ident) => {
        $operand
    };
    (mode $operand:ident) => {
        $operand
    };
    ($kind:ident $operand:ident) => {
        &$operand
    };
}

/// Defines the function of a row without a dispatcher. It takes the operands and refuses any further ones.
macro_rules! row {
    (by $($rest:tt)*) => {};
    ([$custom:ident] $($rest:tt)*) => {};
    ([] $($rest:tt)*) => { row!(= $($rest)*); };
    ($how:tt $name:ident ($($arg:ident: $kind:ident),*) -> $result:ident $function:path) => {
        #[allow(non_snake_case)]
        pub(super) const fn $name<const N: usize, const E: usize>(args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
            let at = 0;
            $(
                let $arg = ok!($kind(args, at, cx));
                let at = at + 1;
            )*
            if args.len() > at {
                return Err(count(at, args.len(), cx));
            }
            give!($result row!(@ $how $function, $name ($(pass!($kind $arg)),*) cx), cx)
        }
    };
    (@ = $function:path, $name:ident ($($arg:expr),*) $cx:ident) => { $function($($arg,)* $cx) };
    (@ of $function:path, $name:ident ($first:expr $(, $arg:expr)*) $cx:ident) => { $function($first, Op::$name, $($arg,)* $cx) };
}

/// Expands to the call that runs an operation: its dispatcher, or the function of its row.
macro_rules! run {
    (by $custom:path, $name:ident $args:ident $cx:ident) => {
        $custom(Op::$name, $args, $cx)
    };
    ([$custom:ident], $name:ident $args:ident $cx:ident) => {
        $custom(Op::$name, $args, $cx)
    };
    ($how:tt $($function:path)?, $name:ident $args:ident $cx:ident) => {
        rows::$name($args, $cx)
    };
}

macro_rules! dispatch {
    (
        layouts { $($name:ident $text:literal $aliases:tt on $composed:ident $(by $custom:ident)? {
            $($(#[$law:meta])+ $method:ident $try_method:ident ($($arg:ident: $type:ident $kind:ident),*) => ($of:literal $(, $with:literal)*) $is:literal;)+
        })* }
        makers { $($maker:ident $maker_text:literal $maker_aliases:tt on $maker_composed:ident {
            $(#[$maker_law:meta])+ $make:ident ($($maker_arg:ident: $maker_type:ident $maker_kind:ident),*) => ($maker_of:literal $(, $maker_with:literal)*) $maker_is:literal;
        })* }
        functions { $(
            $(#[$fn_law:meta])+
            $fn_name:ident $fn_text:literal $fn_aliases:tt ($($fn_arg:ident: $fn_kind:ident),*) -> $result:ident on $fn_composed:ident $how:tt $fn_function:path => ($($fn_of:literal),+) $fn_is:literal;
        )* }
    ) => {
        mod rows {
            use super::*;
            $(row! { [$($custom)?] $name $((l: layout $(, $arg: $kind)*) -> layout LayoutValue::$method)+ })*
            $(row! { [] $maker (s: shape $(, $maker_arg: $maker_kind)*) -> layout TupleValue::$make })*
            $(row! { $how $fn_name ($($fn_arg: $fn_kind),*) -> $result $fn_function })*
        }

        const fn by_row<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
            match op {
                Op::Parse => Err(kind(0, args, cx)),
                $(Op::$name => run!([$($custom)?], $name args cx),)*
                $(Op::$maker => run!([], $maker args cx),)*
                $(Op::$fn_name => run!($how $fn_function, $fn_name args cx),)*
            }
        }
    };
}

operations!(dispatch);

/// Applies `op` to `args`. Fails if the operation refuses them, or if the size or an index of the result overflows 64 bits.
///
/// The row of an operation declares how it treats a swizzled or composed layout ([`OfComposed`]).
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::expression::{Operand, Parser, apply};
/// use layout_algebra::value::ExprGraph;
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let swizzled = Parser::whole::<16, 0>("S<3,0,3> o 0 o (8,8):(8,1)", &mut scope)?;
/// // The size is a number, a layout with XOR strides has the same indices, and an operand is missing.
/// assert!(matches!(apply(Op::Size, &[swizzled], &mut scope)?, Operand::Tuple(size) if size.leaf(0).is(64)));
/// assert_eq!(apply(Op::ToXor, &[swizzled], &mut scope)?.to_string(), "(8,8):(^9,^1)");
/// let error = apply(Op::ZippedDivide, &[swizzled], &mut scope).map(|_| ()).unwrap_err();
/// assert_eq!(error.to_string(), "zipped_divide: 2 operands are needed, but 1 is given");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn apply<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    match dispatch(op, args, cx) {
        Ok(Operand::Layout(l)) => give!(layout size::fitting(Ok(l), op), cx),
        result => result,
    }
}

/// Applies an operation like [`apply`], but leaves the check of the size of the result to the caller.
///
/// ```
/// use layout_algebra::algebra::dispatch::dispatch;
/// use layout_algebra::error::Op;
/// use layout_algebra::expression::{Operand, Parser, apply};
/// use layout_algebra::value::ExprGraph;
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// // The indices 0 and 2^62 fit 64 bits, the sum of two such indices does not.
/// let far = Parser::whole::<8, 0>("2:4611686018427387904", &mut scope)?;
/// let Operand::Layout(pair) = dispatch(Op::Concat, &[far, far], &mut scope)? else { unreachable!() };
/// assert!(pair.reach() > i64::MAX.into() && apply(Op::Concat, &[far, far], &mut scope).is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn dispatch<const N: usize, const E: usize>(op: Op, args: &[Operand<N>], cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
    cx.begin(op);
    let (least, most) = op.counts();
    if args.len() < least || args.len() > most {
        let most = if most == usize::MAX { i64::MAX } else { most as i64 };
        return Err(cx.fail3(Cause::OperandCount, SymInt::small(least), SymInt::raw(most), SymInt::small(args.len())));
    }
    match &args[0] {
        Operand::Composed(composed) => on_composed(op, composed, args, cx),
        Operand::Tuple(x) if matches!(op, Op::Select | Op::Take | Op::Group | Op::Flatten | Op::Unflatten) => {
            match ok!(with_first(op, as_shape(x), args, cx)) {
                Operand::Layout(l) => Ok(Operand::Tuple(l.shape_of(l.root()))),
                other => Ok(other),
            }
        }
        Operand::Tiler(t) if matches!(op, Op::Flatten) => Ok(Operand::Tiler(ok!(t.flatten(cx)))),
        _ => by_row(op, args, cx),
    }
}

/// Returns a layout of the shape `x`, with strides 0. An operation that cuts the layout cuts the tuple.
const fn as_shape<const N: usize>(x: &TupleValue<N>) -> LayoutValue<N> {
    let mut l = LayoutValue::empty();
    l.tree = x.tree;
    l.shape = x.leaf;
    l
}

/// The maximum number of operands of an expression.
const MOST: usize = 32;

/// Applies `op` with the layout `first` in place of operand 0.
const fn with_first<const N: usize, const E: usize>(
    op: Op,
    first: LayoutValue<N>,
    args: &[Operand<N>],
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    // Operands are large, and most operations have few: copy only 4 if possible.
    if args.len() <= 4 { replaced::<N, E, 4>(op, first, args, cx) } else { replaced::<N, E, MOST>(op, first, args, cx) }
}

const fn replaced<const N: usize, const E: usize, const ROOM: usize>(
    op: Op,
    first: LayoutValue<N>,
    args: &[Operand<N>],
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    let mut with = [Operand::Layout(first); ROOM];
    if args.len() > with.len() {
        // All operations with more operands take a plain layout as the first.
        return Err(kind(0, args, cx));
    }
    each!(k, 1..args.len(), {
        with[k] = args[k];
    });
    by_row(op, with.split_at(args.len()).0, cx)
}

/// Applies `op` to a swizzled or composed layout, as its row declares.
const fn on_composed<const N: usize, const E: usize>(
    op: Op,
    l: &ComposedValue<N>,
    args: &[Operand<N>],
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    match op.of_composed() {
        OfComposed::Domain => {
            let mut offset = l.offset;
            if matches!(op, Op::Slice) {
                let (_, more) = ok!(l.outer.slice(&ok!(coord(args, 1, cx)), cx));
                offset = ok!(offset.elementwise(Op::TupleAdd, &TupleValue::scalar(more), cx));
                cx.begin(op);
            }
            match ok!(with_first(op, l.outer, args, cx)) {
                Operand::Layout(outer) => Ok(Operand::Composed(ComposedValue { inner: l.inner, offset, outer })),
                other => Ok(other),
            }
        }
        OfComposed::Inside => match l.inner {
            Inner::Swizzle(_) => with_first(op, l.outer, args, cx),
            Inner::Layout(_) => Err(cx.fail(Cause::TwoLayouts, SymInt(0), SymInt(0))),
        },
        OfComposed::Nothing => Err(kind(0, args, cx)),
        // The row's operand kinds convert the operand to its shape or to one layout, or take it as it is.
        OfComposed::Bits | OfComposed::Shape | OfComposed::Itself => by_row(op, args, cx),
    }
}

const fn decided<const N: usize, const E: usize>(truth: Truth, cx: &ExprGraph<E>) -> Result<Operand<N>> {
    match truth {
        Truth::Yes => Ok(Operand::Tuple(TupleValue::scalar(SymInt(1)))),
        Truth::No => Ok(Operand::Tuple(TupleValue::scalar(SymInt(0)))),
        Truth::Unknown => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
    }
}

macro_rules! dispatchers {
    ($($(#[$doc:meta])* $name:ident($op:ident, $args:ident, $cx:ident) $body:block)*) => { $(
        $(#[$doc])*
        const fn $name<const N: usize, const E: usize>($op: Op, $args: &[Operand<N>], $cx: &mut ExprGraph<E>) -> Result<Operand<N>> $body
    )* };
}

dispatchers! {
    coalesce(_op, args, cx) {
        let l = ok!(layout(args, 0, cx));
        match args.len() {
            1 => give!(layout l.coalesce(cx), cx),
            2 => give!(layout l.coalesce_by(&ok!(coord(args, 1, cx)), cx), cx),
            given => Err(count(2, given, cx)),
        }
    }

    composition(_op, args, cx) {
        if let Operand::Swizzle(swizzle) = &args[0] {
            let outer = ok!(layout(args, 1, cx));
            return Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(*swizzle), offset: TupleValue::scalar(SymInt(0)), outer }));
        }
        let a = ok!(layout(args, 0, cx));
        if args.len() != 2 {
            return Err(count(2, args.len(), cx));
        }
        match &args[1] {
            // A o (inner o offset o outer) = (A o inner) o offset o outer
            Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset, outer }) => {
                let inner = ok!(a.composition(inner, cx));
                Ok(Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset: *offset, outer: *outer }))
            }
            Operand::Layout(_) | Operand::Composed(_) => give!(layout a.composition(&ok!(layout(args, 1, cx)), cx), cx),
            _ => {
                let t = ok!(tiler(args, 1, cx));
                give!(layout a.composition_by(&t, cx), cx)
            }
        }
    }

    /// Inverts a layout. A layout continues beyond its domain along its last mode, but the single layout of a composition equals
    /// the composition only inside the domain. A mode `1:0` at the end stops it there.
    inverse(op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        let mut l = ok!(layout(args, 0, cx));
        if let Operand::Composed(ComposedValue { inner: Inner::Layout(_), .. }) = &args[0] {
            if l.extent_is_zero() {
                l = LayoutValue::scalar(SymInt(1), SymInt(0));
            }
            let mut ended = LayoutValue::empty();
            ok!(ended.push_mode(&l, cx));
            ok!(ended.push_leaf(1, 1, SymInt(1), Stride::integer(SymInt(0)), cx));
            l = ended;
        }
        give!(layout if matches!(op, Op::LeftInverse) { l.left_inverse(cx) } else { l.right_inverse(cx) }, cx)
    }

    cast(op, args, cx) {
        let need = if matches!(op, Op::Recast) { 3 } else { 2 };
        if args.len() > need {
            return Err(count(need, args.len(), cx));
        }
        let by = match op {
            Op::Recast => Cast::Recast(ok!(number(args, 1, cx)), ok!(number(args, 2, cx))),
            Op::Upcast => Cast::Up(ok!(integer(args, 1, cx))),
            _ => Cast::Down(ok!(integer(args, 1, cx))),
        };
        if let Operand::Composed(l) = &args[0]
            && let Some(swizzled) = ok!(composed::cast(l, by, cx))
        {
            return Ok(Operand::Composed(swizzled));
        }
        give!(layout ok!(layout(args, 0, cx)).cast(by, cx), cx)
    }

    complement(_op, args, cx) {
        let l = ok!(layout(args, 0, cx));
        if args.len() == 1 && !l.gives_integers() {
            return give!(layout l.open_complement(cx), cx);
        }
        let m = match args.len() {
            1 => ok!(l.cosize(cx)),
            2 => ok!(extent(args, 1, cx)),
            given => return Err(count(2, given, cx)),
        };
        give!(layout l.complement(m, cx), cx)
    }

    get(_op, args, cx) {
        let mut l = match &args[0] {
            Operand::Tuple(x) => as_shape(x),
            _ => ok!(layout(args, 0, cx)),
        };
        each!(k, 1..args.len(), {
            l = ok!(l.mode(ok!(mode(args, k, cx)), cx));
        });
        Ok(if matches!(args[0], Operand::Tuple(_)) { Operand::Tuple(l.shape_of(l.root())) } else { Operand::Layout(l) })
    }

    concat(_op, args, cx) {
        let mut out = LayoutValue::empty();
        each!(k, 0..args.len(), {
            ok!(out.push_mode(&ok!(layout(args, k, cx)), cx));
        });
        Ok(Operand::Layout(out))
    }

    make_layout(op, args, cx) {
        match &args[0] {
            Operand::Tuple(shape) if args.len() > 1 => give!(layout make(shape, args, 1, cx), cx),
            Operand::Tuple(_) => Err(count(2, 1, cx)),
            _ => concat(op, args, cx),
        }
    }

    make_composed(_op, args, cx) {
        let (offset, outer) = (ok!(tuple(args, 1, cx)), ok!(layout(args, 2, cx)));
        match args[0] {
            Operand::Swizzle(swizzle) => Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer })),
            Operand::Layout(inner) => Ok(Operand::Composed(ComposedValue { inner: Inner::Layout(inner), offset, outer })),
            _ => Err(kind(0, args, cx)),
        }
    }

    /// Returns the inner function, the outer layout or the offset of a composed layout, as `op` says.
    parts(op, args, cx) {
        let Operand::Composed(l) = &args[0] else { return Err(kind(0, args, cx)) };
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        Ok(match (op, &l.inner) {
            (Op::GetOffset, _) => Operand::Tuple(l.offset),
            (Op::GetOuter, _) => Operand::Layout(l.outer),
            (_, Inner::Swizzle(swizzle)) => Operand::Swizzle(*swizzle),
            (_, Inner::Layout(layout)) => Operand::Layout(*layout),
        })
    }

    cosize(op, args, cx) {
        if args.len() > 1 {
            return Err(count(1, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(integer composed::cosize(l, op, cx), cx),
            _ if matches!(op, Op::Cosize) => give!(integer ok!(layout(args, 0, cx)).cosize(cx), cx),
            _ => give!(tuple ok!(layout(args, 0, cx)).coshape(cx), cx),
        }
    }

    max_alignment(_op, args, cx) {
        if args.len() > 1 {
            return Err(count(1, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(integer composed::max_alignment(l, cx), cx),
            _ => give!(integer ok!(layout(args, 0, cx)).max_alignment(cx), cx),
        }
    }

    preimage(_op, args, cx) {
        let index = ok!(integer(args, 1, cx));
        if args.len() > 2 {
            return Err(count(2, args.len(), cx));
        }
        match &args[0] {
            Operand::Composed(l) => give!(tuple composed::preimage(l, index, cx), cx),
            _ => give!(tuple ok!(layout(args, 0, cx)).preimage(index, cx), cx),
        }
    }

    identity(_op, args, _cx) {
        Ok(args[0])
    }

    plain_tuple(_op, args, cx) {
        match &args[0] {
            Operand::Tuple(x) if !x.has_keep() => Ok(Operand::Tuple(*x)),
            _ => Err(kind(0, args, cx)),
        }
    }

    to_xor(_op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        give!(layout xor::to_xor(&args[0], cx), cx)
    }

    bank_conflicts(_op, args, cx) {
        if args.len() != 4 {
            return Err(count(4, args.len(), cx));
        }
        let threads = ok!(layout(args, 1, cx));
        let (bits, vector) = (ok!(number(args, 2, cx)), ok!(number(args, 3, cx)));
        if bits < 1 || bits > 128 || vector < 1 || vector > 128 {
            return Err(cx.fail(Cause::AccessWidth, SymInt(bits.saturating_mul(vector)), SymInt(0)));
        }
        let access = Access::vector(bits as u32, vector as u32);
        match accesses::conflicts(&args[0], &threads, access, Banks::NVIDIA) {
            Ok(conflicts) => Ok(Operand::Tuple(TupleValue::scalar(SymInt(conflicts as i64)))),
            Err(error) => Err(error),
        }
    }

    to_affine(_op, args, cx) {
        if args.len() != 1 {
            return Err(count(1, args.len(), cx));
        }
        xor::to_affine(&args[0], cx)
    }

    swizzle(_op, args, cx) {
        match args[0] {
            Operand::Swizzle(swizzle) => match ok!(number(args, 1, cx)) {
                value if value >= 0 => Ok(Operand::Tuple(TupleValue::scalar(SymInt::raw(swizzle.apply(value))))),
                value => Err(cx.fail(Cause::OutOfRange, SymInt::raw(value), SymInt(0))),
            },
            _ => Err(kind(0, args, cx)),
        }
    }

    product(_op, args, cx) {
        give!(integer extent(args, 0, cx), cx)
    }

    get_shape(_op, args, cx) {
        match &args[0] {
            Operand::Tiler(t) if t.lay.shape_of(t.root()).has_keep() => Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))),
            Operand::Tiler(t) => Ok(Operand::Tuple(t.lay.shape_of(t.root()))),
            _ => give!(tuple coord(args, 0, cx), cx),
        }
    }

    get_stride(_op, args, cx) {
        match &args[0] {
            Operand::Layout(l) if l.is_integer() => Ok(Operand::Tuple(TupleValue::nested(l.tree, l.stride))),
            Operand::Layout(l) => {
                let mut strides = *l;
                strides.shape = [0; N];
                Ok(Operand::Strides(strides))
            }
            Operand::Tuple(_) | Operand::Strides(_) => Ok(args[0]),
            _ => Err(kind(0, args, cx)),
        }
    }

    /// Takes `(layout, coordinate)`, and `(coordinate, layout or shape)` as in other notations.
    crd2idx(_op, args, cx) {
        let c = match &args[0] {
            Operand::Tuple(c) => c,
            Operand::Composed(l) => return give!(tuple composed::evaluate(l, &ok!(coord(args, 1, cx)), cx), cx),
            _ => return give!(tuple ok!(layout(args, 0, cx)).evaluate(&ok!(coord(args, 1, cx)), cx), cx),
        };
        if args.len() < 2 {
            return Err(count(2, 1, cx));
        }
        match &args[1] {
            Operand::Layout(l) => give!(tuple l.evaluate(c, cx), cx),
            Operand::Composed(l) => give!(tuple composed::evaluate(l, c, cx), cx),
            Operand::Tuple(shape) if args.len() == 3 => give!(tuple ok!(make(shape, args, 2, cx)).evaluate(c, cx), cx),
            Operand::Tuple(_) => give!(integer ok!(shape(args, 1, cx)).crd2idx_shape(c, cx), cx),
            _ => Err(kind(1, args, cx)),
        }
    }

    idx2crd(op, args, cx) {
        let Operand::Tuple(index) = &args[0] else {
            return preimage(op, args, cx);
        };
        if let [_, Operand::Layout(_) | Operand::Composed(_)] = args {
            return preimage(op, &[args[1], args[0]], cx);
        }
        give!(tuple ok!(shape(args, 1, cx)).idx2crd(index, cx), cx)
    }

    /// Compares the nesting only, so `_` is accepted.
    nesting(op, args, cx) {
        let (a, b) = (ok!(coord(args, 0, cx)), ok!(coord(args, 1, cx)));
        let holds = if matches!(op, Op::Congruent) { a.congruent(&b) } else { a.weakly_congruent(&b) };
        Ok(Operand::Tuple(TupleValue::scalar(SymInt(holds as i64))))
    }

    equal(_op, args, cx) {
        if args.len() != 2 {
            return Err(count(2, args.len(), cx));
        }
        let (Operand::Tuple(a), Operand::Tuple(b)) = (&args[0], &args[1]) else {
            return Err(kind(matches!(args[0], Operand::Tuple(_)) as usize, args, cx));
        };
        let mut same = a.congruent(b);
        let mut k = 0;
        while same && k < a.len() {
            same = a.leaf(k).same(b.leaf(k));
            k += 1;
        }
        Ok(Operand::Tuple(TupleValue::scalar(SymInt(same as i64))))
    }

    ceil_div(op, args, cx) {
        let a = ok!(tuple(args, 0, cx));
        if let [_, Operand::Layout(l)] = args {
            // For a layout: the extents of its copies that cover the shape.
            let size = ok!(a.product(a.root(), cx));
            let rest = ok!(l.complement_in(size, false, cx));
            return Ok(Operand::Tuple(rest.shape_of(rest.root())));
        }
        give!(tuple a.elementwise(op, &ok!(tuple(args, 1, cx)), cx), cx)
    }

    /// Folds the integers of one tuple, or combines corresponding integers of two tuples.
    fold_or_pair(op, args, cx) {
        let a = ok!(tuple(args, 0, cx));
        if args.len() == 1 {
            return give!(integer a.fold(op, cx), cx);
        }
        let b = ok!(tuple(args, 1, cx));
        if !matches!(op, Op::TupleGcd) {
            return give!(tuple a.elementwise(op, &b, cx), cx);
        }
        let mut both = TupleValue::<N>::empty();
        ok!(both.push(&a, a.root(), 1, 1, cx));
        ok!(both.push(&b, b.root(), 1, 1, cx));
        give!(integer both.fold(op, cx), cx)
    }

    arithmetic(op, args, cx) {
        let (a, b) = (ok!(integer(args, 0, cx)), ok!(integer(args, 1, cx)));
        give!(integer match op {
            Op::IntMul => cx.mul(a, b),
            Op::IntDiv => cx.div(a, b),
            _ => cx.rem(a, b),
        }, cx)
    }
}

/// Returns the checked layout of a shape and the strides `args[at]`. Fails if they do not match or an index overflows.
const fn make<const N: usize, const E: usize>(
    shape: &TupleValue<N>,
    args: &[Operand<N>],
    at: usize,
    cx: &mut ExprGraph<E>,
) -> Result<LayoutValue<N>> {
    let stride = match &args[at] {
        Operand::Tuple(stride) => {
            let mut out = LayoutValue::empty();
            out.tree = stride.tree;
            out.stride = stride.leaf;
            out
        }
        Operand::Strides(stride) => *stride,
        _ => return Err(kind(at, args, cx)),
    };
    let l = ok!(LayoutValue::zip(shape, &stride, cx));
    ok!(l.check(cx));
    Ok(l)
}
