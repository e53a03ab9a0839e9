//! The operands of an operation, and the kinds of operands that operations take.
//!
//! For each kind of the table of operations, a function here converts operand number `at` to that kind, or refuses it.

use super::tiler::Tiler;
use super::{composed, modes};
use crate::error::{Cause, LayoutError, Op, OperandKind, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{ExprGraph, LayoutValue, SymInt, TupleValue};

/// The function that a composed layout applies last.
///
/// ```
/// use layout_algebra::{error::Op, expression::{Inner, Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let Operand::Composed(two) = Parser::whole::<8, 0>("(8,2):(2,1) o 0 o 4:2", &mut scope)? else { unreachable!() };
/// assert!(matches!(two.inner, Inner::Layout(inner) if inner.len() == 2));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub enum Inner<const N: usize> {
    /// A swizzle.
    Swizzle(Swizzle),
    /// A layout.
    Layout(LayoutValue<N>),
}

/// A composed layout `inner o offset o outer`: the function `c -> inner(offset + outer(c))`.
///
/// ```
/// use layout_algebra::{error::Op, expression::{ComposedValue, Inner, Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let operand = Parser::whole::<8, 0>("S<3,0,3> o 5 o (8,8):(8,1)", &mut scope)?;
/// let Operand::Composed(ComposedValue { inner: Inner::Swizzle(swizzle), offset, outer }) = operand else { unreachable!() };
/// // Coordinate (2,3) has the plain index 19.
/// assert_eq!((swizzle.apply(19 + 5), offset.to_string().as_str(), outer.to_string().as_str()), (27, "5", "(8,8):(8,1)"));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ComposedValue<const N: usize> {
    /// The function that is applied last: a swizzle or a layout.
    pub inner: Inner<N>,
    /// The offset that is added between the two functions. It is a tuple if `outer` has basis strides.
    pub offset: TupleValue<N>,
    /// The layout that is applied first. It has the shape of the composed layout.
    pub outer: LayoutValue<N>,
}

/// An operand or a result of any kind.
///
/// ```
/// use layout_algebra::{error::{Op, OperandKind}, expression::{Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut operand = |text| Parser::whole::<8, 0>(text, &mut scope);
/// assert!(matches!(operand("(8,_)")?, Operand::Tuple(shape) if shape.has_keep()));
/// assert!(matches!(operand("(1@0,1@1)")?, Operand::Strides(_)));
/// assert!(matches!(operand("[4:2;_]")?, Operand::Tiler(_)));
/// assert!(matches!(operand("(8,8):(8,1)")?, Operand::Layout(l) if l.len() == 2));
/// assert!(matches!(operand("S<3,0,3>")?, Operand::Swizzle(s) if s.width() == 6));
/// assert!(matches!(operand("S<3,0,3> o 0 o 64:1")?, Operand::Composed(_)));
/// // The error of a tool that takes tuples only.
/// assert_eq!(operand("64:1")?.instead_of(OperandKind::Tuple).reason().as_str(), "the text is a layout, where a tuple is taken");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)]
pub enum Operand<const N: usize> {
    /// An integer or a tuple: a shape, a coordinate, a by-mode tiler.
    Tuple(TupleValue<N>),
    /// A tuple with basis strides. The shape of the value is unused.
    Strides(LayoutValue<N>),
    /// A layout.
    Layout(LayoutValue<N>),
    /// A by-mode tiler in brackets.
    Tiler(Tiler<N>),
    /// A swizzle.
    Swizzle(Swizzle),
    /// A composed layout.
    Composed(ComposedValue<N>),
}

/// Returns the error that operand number `at`, from 0, is of the wrong kind.
#[cold]
pub(crate) const fn kind<const N: usize, const E: usize>(at: usize, args: &[Operand<N>], cx: &ExprGraph<E>) -> LayoutError {
    let given = if at < args.len() { args[at].kind() } else { 0 };
    cx.fail(Cause::OperandKind, SymInt::small(at), SymInt::raw(given))
}

/// Returns the error that `need` operands are needed, but `given` are given.
#[cold]
pub(crate) const fn count<const E: usize>(need: usize, given: usize, cx: &ExprGraph<E>) -> LayoutError {
    cx.fail3(Cause::OperandCount, SymInt::small(need), SymInt::small(need), SymInt::small(given))
}

impl<const N: usize> Operand<N> {
    /// Returns the number of the operand's `OperandKind`, for messages.
    pub(crate) const fn kind(&self) -> i64 {
        (match self {
            Operand::Tuple(x) if x.is_scalar() && x.leaf(0).is_keep() => OperandKind::Keep,
            Operand::Tuple(x) if x.is_scalar() => OperandKind::Integer,
            Operand::Tuple(x) if x.has_keep() => OperandKind::KeepTuple,
            Operand::Tuple(_) => OperandKind::Tuple,
            Operand::Strides(_) => OperandKind::Strides,
            Operand::Layout(_) => OperandKind::Layout,
            Operand::Tiler(_) => OperandKind::Tiler,
            Operand::Swizzle(_) => OperandKind::Swizzle,
            Operand::Composed(ComposedValue { inner: Inner::Swizzle(_), .. }) => OperandKind::Swizzled,
            Operand::Composed(_) => OperandKind::Composed,
        }) as i64
    }

    /// Returns the error that a text parses to this operand, but another kind is needed.
    #[cold]
    pub const fn instead_of(&self, needed: OperandKind) -> LayoutError {
        LayoutError::triple(Op::Parse, Cause::OperandKind, 0, self.kind(), needed as i64)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident($args:ident, $at:ident, $cx:ident) -> $given:ty $body:block)*) => { $(
        $(#[$doc])*
        pub(crate) const fn $kind<const N: usize, const E: usize>(
            $args: &[Operand<N>],
            $at: usize,
            $cx: &mut ExprGraph<E>,
        ) -> Result<$given> {
            if $at >= $args.len() {
                return Err(count($at + 1, $args.len(), $cx));
            }
            $body
        }
    )* };
}

kinds! {
    /// Takes a layout. An integer `n` becomes `n:1`, and a composed layout becomes one layout with its function.
    layout(args, at, cx) -> LayoutValue<N> {
        match &args[at] {
            Operand::Layout(layout) => Ok(*layout),
            Operand::Composed(l) => composed::as_layout(l, at, cx),
            Operand::Tuple(x) if x.is_scalar() && !x.leaf(0).is_keep() => {
                let extent = x.leaf(0);
                if cx.facts(extent).hi < 0 {
                    Err(cx.fail(Cause::NegativeExtent, extent, SymInt(0)))
                } else {
                    Ok(LayoutValue::scalar(extent, SymInt(1)))
                }
            }
            _ => Err(kind(at, args, cx)),
        }
    }

    /// Takes a layout, composed or not, or a by-mode tiler.
    tiler(args, at, cx) -> Tiler<N> {
        match &args[at] {
            Operand::Layout(layout) => Ok(Tiler::layout(layout)),
            Operand::Tiler(tiler) => Ok(*tiler),
            Operand::Tuple(shape) => Tiler::shape(shape, cx),
            Operand::Composed(l) => Ok(Tiler::layout(&ok!(composed::as_layout(l, at, cx)))),
            _ => Err(kind(at, args, cx)),
        }
    }

    /// Takes a tuple that may contain `_`. A layout gives its shape.
    coord(args, at, cx) -> TupleValue<N> {
        match &args[at] {
            Operand::Tuple(x) => Ok(*x),
            Operand::Layout(layout) | Operand::Composed(ComposedValue { outer: layout, .. }) => Ok(layout.shape_of(layout.root())),
            _ => Err(kind(at, args, cx)),
        }
    }

    /// Takes a tuple of integers, without `_`. A layout gives its shape.
    tuple(args, at, cx) -> TupleValue<N> {
        let x = match &args[at] {
            Operand::Tuple(x) => *x,
            Operand::Layout(layout) | Operand::Composed(ComposedValue { outer: layout, .. }) => layout.shape_of(layout.root()),
            _ => return Err(kind(at, args, cx)),
        };
        if x.has_keep() { Err(cx.fail(Cause::UnexpectedKeep, SymInt(0), SymInt(0))) } else { Ok(x) }
    }

    /// Takes a tuple of extents, none negative.
    shape(args, at, cx) -> TupleValue<N> {
        let shape = ok!(tuple(args, at, cx));
        each!(k, 0..shape.len(), {
            refuse_if!(cx, cx.facts(shape.leaf(k)).hi < 0, NegativeExtent, shape.leaf(k));
        });
        Ok(shape)
    }

    /// Takes an integer, known or not.
    integer(args, at, cx) -> SymInt {
        match &args[at] {
            Operand::Tuple(x) if x.is_scalar() && !x.leaf(0).is_keep() => Ok(x.leaf(0)),
            _ => Err(kind(at, args, cx)),
        }
    }

    /// Takes a known integer.
    number(args, at, cx) -> i64 {
        match ok!(integer(args, at, cx)).value() {
            Some(number) => Ok(number),
            None => Err(cx.fail(Cause::Undecided, SymInt(0), SymInt(0))),
        }
    }

    /// Takes the product of a tuple, or the size of a layout.
    extent(args, at, cx) -> SymInt {
        let shape = ok!(tuple(args, at, cx));
        shape.product(shape.root(), cx)
    }

    /// Takes the number of a mode, from 0: a known integer that is not negative.
    mode(args, at, cx) -> usize {
        modes::index(ok!(integer(args, at, cx)), cx)
    }
}

/// Takes a tuple of integers, or returns `None` if there is no operand number `at`.
pub(crate) const fn order<const N: usize, const E: usize>(
    args: &[Operand<N>],
    at: usize,
    cx: &mut ExprGraph<E>,
) -> Result<Option<TupleValue<N>>> {
    if at < args.len() { Ok(Some(ok!(tuple(args, at, cx)))) } else { Ok(None) }
}
