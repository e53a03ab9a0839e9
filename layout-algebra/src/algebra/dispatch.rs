//! Dispatch of every operation by name, for types, macros and the command-line tool.

use super::cast::Cast;
use super::functions::{self, Equality, Verdict};
use super::operands::{
    ComposedValue, Inner, Operand, coord, count, extent, integer, kind, layout, mode, number, order, shape, tiler, tuple,
};
use super::{accesses, composed, size, table, xor};
use crate::banks::{Access, Banks};
use crate::error::{Cause, OfComposed, Op, Result, ok, refuse_if};
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

mod by_function;

use by_function::*;

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
                Op::Parse | Op::EncodeTiled => Err(kind(0, args, cx)),
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
