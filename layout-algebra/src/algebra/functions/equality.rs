//! Whether two layouts are the same function, and otherwise the least coordinate at which they differ.
//!
//! Layouts with integer strides are coalesced and compared mode by mode ([`walk`](super::walk)). This needs no search, and decides
//! layouts with run-time leaves by their facts. Swizzles and XOR strides without carries are compared by bits
//! ([`columns`](super::columns)). All other layouts are compared at the coordinates of one period ([`points`](super::points)).

use super::known::KnownFunction;
use super::points::{STEPS, Search, search};
use super::walk::Comparison;
use super::{columns, walk};
use crate::algebra::composed::{self, as_layout, is_idle};
use crate::algebra::operands::{ComposedValue, Inner, Operand, layout};
use crate::error::{Cause, LayoutError, Op, Result, ok, refuse_if};
use crate::swizzle::Swizzle;
use crate::value::{ExprGraph, LayoutValue, SymInt, Truth, TupleValue};

/// The answer of [`equal_functions`].
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)]
pub enum Equality<const N: usize> {
    /// The layouts have the same size, and the same index at each coordinate, for all run-time numbers with their facts.
    Equal,
    /// The layouts differ.
    Differ(Difference<N>),
    /// Facts about run-time numbers do not decide the question.
    Open(OpenEquality),
}

/// The least linear coordinate at which two layouts differ, with the index of each. `None` is no index: the coordinate is outside the
/// domain of the smaller layout.
#[derive(Clone, Copy)]
pub struct Difference<const N: usize> {
    /// The least linear coordinate at which they differ.
    pub at: SymInt,
    /// The index of the first layout.
    pub left: Option<TupleValue<N>>,
    /// The index of the second layout.
    pub right: Option<TupleValue<N>>,
}

/// A question about run-time numbers that decides whether two layouts are the same function: whether `left` and `right` are equal. Both
/// are strides or extents, or a possible extent and 0 or 1.
#[derive(Clone, Copy, Debug)]
pub struct OpenEquality {
    /// The layouts agree below this linear coordinate, as far as both have elements there.
    pub at: SymInt,
    /// A number of the first layout, or an extent of either.
    pub left: SymInt,
    /// A number of the second layout, or 0 or 1.
    pub right: SymInt,
}

impl<const N: usize> Equality<N> {
    /// Returns true for [`Equality::Equal`].
    pub const fn is_equal(&self) -> bool {
        matches!(self, Equality::Equal)
    }

    /// Returns the answer without its details.
    pub const fn truth(&self) -> Truth {
        match self {
            Equality::Equal => Truth::Yes,
            Equality::Differ(_) => Truth::No,
            Equality::Open(_) => Truth::Unknown,
        }
    }
}

/// Compares two layouts, composed or not, as functions of the linear coordinate. An integer `n` stands for `n:1`.
///
/// The domains belong to the functions: layouts of different sizes differ, at the latest where the smaller one ends.
///
/// Fails if an operand is no layout, and if an index overflows or a swizzle gets a negative number. Layouts whose sums carry below a
/// swizzle, and compositions that are no single layout, are compared at up to 2^20 coordinates, and refused if these are not enough.
/// Domains without common digits are compared at fewer: 2^18 steps.
///
/// ```
/// use layout_algebra::algebra::functions::{Equality, equal_functions};
/// use layout_algebra::{error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// let mut scope = ExprGraph::<8>::new(Op::Parse);
/// let mut operand = |text| Parser::whole::<16, 8>(text, &mut scope);
/// let (rows, bits) = (operand("S<1,0,2> o 0 o (2,4):(4,1)")?, operand("(2,2,2):(^5,^1,^2)")?);
/// let (short, long) = (operand("(1000,1000000007):(3,3000)")?, operand("(2000,500000003):(3,6000)")?);
/// assert!(equal_functions(&rows, &bits, &mut scope)?.is_equal());
///
/// // The domains end at different coordinates.
/// let Equality::Differ(first) = equal_functions(&short, &long, &mut scope)? else { unreachable!() };
/// assert_eq!((first.at.word(), first.left.is_some(), first.right.is_some()), (1_000_000_006_000, true, false));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
///
/// Constants can assert it:
///
/// ```
/// use layout_algebra::algebra::functions::equal_functions;
/// use layout_algebra::{error::Op, expression::{Operand, Parser}, value::ExprGraph};
/// const fn same(a: &str, b: &str) -> bool {
///     let mut scope = ExprGraph::<0>::new(Op::EqualFunctions);
///     let (Ok(a), Ok(b)) = (Parser::whole::<8, 0>(a, &mut scope), Parser::whole::<8, 0>(b, &mut scope)) else { return false };
///     matches!(equal_functions(&a, &b, &mut scope), Ok(answer) if answer.is_equal())
/// }
/// const _: () = assert!(same("((2,2),1099511627776):((1,2),4)", "(4398046511104,1):(1,7)"));
/// ```
pub const fn equal_functions<const N: usize, const E: usize>(a: &Operand<N>, b: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Equality<N>> {
    cx.begin(Op::EqualFunctions);
    let args = [*a, *b];
    let (f, g) = (ok!(one_function(&args, 0, cx)), ok!(one_function(&args, 1, cx)));
    let found = ok!(compare(&f, &g, cx));
    cx.begin(Op::EqualFunctions);
    Ok(match found {
        Comparison::Same => Equality::Equal,
        Comparison::Differ { at, left, right } => {
            let (mut left_index, mut right_index) = (None, None);
            if left.is_some() {
                left_index = Some(ok!(index(&f, at, left, cx)));
            }
            if right.is_some() {
                right_index = Some(ok!(index(&g, at, right, cx)));
            }
            cx.begin(Op::EqualFunctions);
            Equality::Differ(Difference { at, left: left_index, right: right_index })
        }
        Comparison::Open { at, left, right } => Equality::Open(OpenEquality { at, left, right }),
        Comparison::Mixed => return Err(cx.fail(Cause::RunTimeNumber, SymInt(0), SymInt(0))),
    })
}

/// Returns operand number `at` as one layout if it is one, else without a swizzle that changes nothing.
pub(super) const fn one_function<const N: usize, const E: usize>(
    args: &[Operand<N>],
    at: usize,
    cx: &mut ExprGraph<E>,
) -> Result<Operand<N>> {
    let Operand::Composed(l) = &args[at] else { return Ok(Operand::Layout(ok!(layout(args, at, cx)))) };
    match l.inner {
        Inner::Swizzle(swizzle) if is_idle(swizzle, l, cx) => {
            if l.offset.is_scalar() && l.offset.leaf(0).is(0) {
                return Ok(Operand::Layout(l.outer));
            }
            Ok(Operand::Composed(ComposedValue { inner: Inner::Swizzle(ok!(Swizzle::new(0, 0, 0))), ..*l }))
        }
        Inner::Swizzle(_) => Ok(args[at]),
        Inner::Layout(_) => {
            let mut trial = *cx;
            match as_layout(l, at, &mut trial) {
                Ok(layout) => {
                    *cx = trial;
                    Ok(Operand::Layout(layout))
                }
                Err(_) => Ok(args[at]),
            }
        }
    }
}

/// Returns the layout that has the domain of a function; `one_function` returns layouts only.
const fn domain<const N: usize>(f: &Operand<N>) -> LayoutValue<N> {
    match f {
        Operand::Layout(l) | Operand::Composed(ComposedValue { outer: l, .. }) => *l,
        _ => LayoutValue::empty(),
    }
}

/// Returns the layout coalesced. A stride of 0 moves along nothing, so its basis does not matter.
const fn coalesced<const N: usize, const E: usize>(l: &LayoutValue<N>, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
    let mut l = *l;
    each!(k, 0..l.len(), {
        if l.stride[k] == 0 {
            l.basis[k] = 0;
        }
    });
    l.coalesce(cx)
}

/// Returns that the functions differ at `at`, where they have the indices of one step of `f` and `g`, or none.
const fn differ<const N: usize>(at: i64, f: &LayoutValue<N>, g: &LayoutValue<N>, sizes: (i64, i64)) -> Comparison {
    let left = if at < sizes.0 && !f.is_empty() { Some(f.stride(0)) } else { None };
    let right = if at < sizes.1 && !g.is_empty() { Some(g.stride(0)) } else { None };
    Comparison::Differ { at: SymInt(at), left, right }
}

/// Compares two functions by the first method that decides them.
const fn compare<const N: usize, const E: usize>(f: &Operand<N>, g: &Operand<N>, cx: &mut ExprGraph<E>) -> Result<Comparison> {
    let (l, r) = (domain(f), domain(g));
    let known = is_known(f) && is_known(g);
    let mut sizes = (0, 0);
    if known {
        sizes = (ok!(l.size_of(l.root(), cx)).word(), ok!(r.size_of(r.root(), cx)).word());
        if sizes.0 == 0 || sizes.1 == 0 {
            return Ok(if sizes.0 == sizes.1 { Comparison::Same } else { differ(0, &l, &r, sizes) });
        }
    }
    let functions = (KnownFunction::of(f), KnownFunction::of(g));
    if let Some(a) = &functions.0 {
        ok!(a.require_range(cx));
    }
    if let Some(b) = &functions.1 {
        ok!(b.require_range(cx));
    }
    match (f, g) {
        (Operand::Layout(_), Operand::Layout(_)) => {
            let (l, r) = (ok!(coalesced(&l, cx)), ok!(coalesced(&r, cx)));
            match ok!(walk::compare(&l, &r, cx)) {
                Comparison::Mixed => {}
                found => return Ok(found),
            }
        }
        (Operand::Composed(a), Operand::Composed(b)) if is_same_tuple(&a.offset, &b.offset) => match (&a.inner, &b.inner) {
            // A swizzle takes different numbers to different numbers.
            (Inner::Swizzle(s), Inner::Swizzle(t)) if is_same_swizzle(*s, *t) => {
                let (l, r) = (ok!(coalesced(&l, cx)), ok!(coalesced(&r, cx)));
                match ok!(walk::compare(&l, &r, cx)) {
                    Comparison::Mixed => {}
                    found => return Ok(found),
                }
            }
            (Inner::Layout(inner), Inner::Layout(other)) if is_same_layout(inner, other) => {
                let (l, r) = (ok!(coalesced(&l, cx)), ok!(coalesced(&r, cx)));
                let total = match &functions.0 {
                    Some(a) => a.is_total(),
                    None => true,
                };
                if let (Comparison::Same, true) = (ok!(walk::compare(&l, &r, cx)), total) {
                    return Ok(Comparison::Same);
                }
            }
            _ => {}
        },
        _ => {}
    }
    if !known {
        return Ok(Comparison::Mixed);
    }
    let (Some(a), Some(b)) = functions else { return one_by_one(f, g, sizes, cx) };
    let at = match columns::compare(&a, &b) {
        Some(at) => at,
        None => match search(&a, &b) {
            Search::At(at) => Some(at),
            Search::Same if sizes.0 == sizes.1 => None,
            Search::Same => Some(if sizes.0 < sizes.1 { sizes.0 } else { sizes.1 }),
            Search::Open { tried, of } => return Err(cx.fail(Cause::TooManyPoints, SymInt(tried), SymInt(of))),
        },
    };
    Ok(match at {
        Some(at) => differ(at, &l, &r, sizes),
        None => Comparison::Same,
    })
}

/// Returns true if all numbers of a function are known.
const fn is_known<const N: usize>(f: &Operand<N>) -> bool {
    match f {
        Operand::Composed(ComposedValue { inner, offset, outer }) => {
            outer.is_known()
                && offset.is_known()
                && match inner {
                    Inner::Layout(inner) => inner.is_known(),
                    Inner::Swizzle(_) => true,
                }
        }
        _ => domain(f).is_known(),
    }
}

/// The maximum number of coordinates for which whole coordinates are passed from one layout to the next.
const ONE_BY_ONE: i64 = (STEPS / 4) as i64;

/// Compares functions that pass coordinates from one layout to the next, one coordinate after another.
const fn one_by_one<const N: usize, const E: usize>(
    f: &Operand<N>,
    g: &Operand<N>,
    sizes: (i64, i64),
    cx: &mut ExprGraph<E>,
) -> Result<Comparison> {
    let end = if sizes.0 < sizes.1 { sizes.0 } else { sizes.1 };
    each!(at, 0..end, {
        refuse_if!(cx, at == ONE_BY_ONE, TooManyPoints, SymInt(at), SymInt(end));
        let c = TupleValue::scalar(SymInt(at));
        if !is_same_tuple(&ok!(value(f, &c, cx)), &ok!(value(g, &c, cx))) {
            return Ok(differ(at, &domain(f), &domain(g), sizes));
        }
    });
    Ok(if sizes.0 == sizes.1 { Comparison::Same } else { differ(end, &domain(f), &domain(g), sizes) })
}

const fn value<const N: usize, const E: usize>(f: &Operand<N>, c: &TupleValue<N>, cx: &mut ExprGraph<E>) -> Result<TupleValue<N>> {
    let found = match f {
        Operand::Composed(l) => composed::evaluate(l, c, cx),
        _ => domain(f).evaluate(c, cx),
    };
    match found {
        Err(error) => Err(LayoutError::new(Op::EqualFunctions, error.path, error.cause, error.symbols())),
        index => index,
    }
}

/// Returns the index of `f` at a coordinate that takes one step of the stride `step`.
const fn index<const N: usize, const E: usize>(
    f: &Operand<N>,
    at: SymInt,
    step: Option<crate::value::Stride>,
    cx: &mut ExprGraph<E>,
) -> Result<TupleValue<N>> {
    match (f, step) {
        (Operand::Layout(l), Some(step)) if !l.is_known() && (step.basis.is_integer() || step.basis.is_xor()) => {
            Ok(TupleValue::scalar(step.scale))
        }
        _ => value(f, &TupleValue::scalar(at), cx),
    }
}

const fn is_same_tuple<const N: usize>(a: &TupleValue<N>, b: &TupleValue<N>) -> bool {
    let mut same = a.congruent(b);
    each!(k, 0..if same { a.len() } else { 0 }, {
        same = same && a.leaf(k).same(b.leaf(k));
    });
    same
}

const fn is_same_layout<const N: usize>(a: &LayoutValue<N>, b: &LayoutValue<N>) -> bool {
    let mut same = a.tree.congruent(a.root(), &b.tree, b.root());
    each!(k, 0..if same { a.len() } else { 0 }, {
        same = same && a.shape[k] == b.shape[k] && a.stride[k] == b.stride[k] && a.basis[k] == b.basis[k];
    });
    same
}

const fn is_same_swizzle(a: Swizzle, b: Swizzle) -> bool {
    a.source() == b.source() && a.target() == b.target()
}
