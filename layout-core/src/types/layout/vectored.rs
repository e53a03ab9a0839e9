//! Layouts of groups of `V` neighbouring elements, for tensors of vectors.

use super::composed::{Composed, StaticSwizzle};
use super::layout::Layout;
use crate::types::index::typed_layout::{TypedLayout, text_and_equality};
use crate::types::number::StaticInt;
use crate::types::pattern::operand::{AsOperand, Descriptor, IntTuple, MAX_LEAVES};
use crate::types::pattern::pattern::{Pattern, compact};
use crate::types::walk::loops::Loops;
use crate::types::walk::raw_layout::RawLayout;
use layout_algebra::DynLayout;
use layout_algebra::error::{Cause, LayoutError, Op, Result, ok, refuse_if};
use layout_algebra::swizzle::Swizzle;
use layout_algebra::value::{LayoutValue, SymInt, Truth};

/// The layout of groups of `V` neighbours along the leaf of stride 1: its extent and every other stride are divided by `V`.
///
/// [`Tensor::vectors`](crate::Tensor::vectors) makes it. Unlike in an upcast, no other leaf moves inside a group.
///
/// ```
/// use layout_core::{Int, Layout, Strided, Tensor, TensorError};
/// use layout_core::layouts::Vectored;
/// type Columns = Strided<(Int<8>, usize), (Int<1>, Int<12>)>;
/// /// The type of a field.
/// struct Loads {
///     layout: Vectored<Columns, 4>,
/// }
/// let data = [0.0_f32; 60];
/// let columns = Tensor::new(&data, Columns::new((Int, 5), (Int, Int)))?;
/// let loads = Loads { layout: columns.vectors::<4>()?.layout() };
/// assert_eq!((loads.layout.to_string(), loads.layout.crd2idx((1, 2))), ("(2,5):(1,3)".to_string(), 7));
/// # Ok::<(), TensorError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Vectored<L, const V: usize> {
    layout: L,
}

impl<L: TypedLayout, const V: usize> Vectored<L, V> {
    /// Makes the layout of the vectors of `layout`.
    ///
    /// Fails if `V` does not divide the extent of the leaf of stride 1, or another stride: at compile time, if static leaves show it.
    pub(crate) fn new(layout: L) -> Result<Self> {
        let () = Self::VALID;
        let vectors = Vectored { layout };
        if const { L::PATTERN.scope.len > 0 } {
            match (vectors.loops::<MAX_LEAVES>(), layout.loops()) {
                (Some(coarse), Some(fine)) => regroups(&coarse, &fine, V)?,
                _ => return Err(LayoutError::plain(Op::Upcast, Cause::Undecided, 0, 0)),
            }
        }
        Ok(vectors)
    }
}

// SAFETY: writes the leaves of `layout`.
unsafe impl<L: TypedLayout, const V: usize> AsOperand for Vectored<L, V> {
    const DESCRIPTOR: Descriptor = Descriptor::Layout(<Self as TypedLayout>::PATTERN);

    #[inline(always)]
    fn gather<const ROOM: usize>(&self, out: &mut [usize; ROOM], at: usize) -> usize {
        self.layout.gather(out, at)
    }

    #[inline(always)]
    fn input<At: StaticInt>(&self) -> usize {
        self.layout.input::<At>()
    }
}

// SAFETY: the inputs of the pattern are the leaves of `layout`.
unsafe impl<L: TypedLayout, const V: usize> TypedLayout for Vectored<L, V> {
    const PATTERN: &'static Pattern = &match L::DESCRIPTOR {
        Descriptor::Layout(pattern) => pattern_of(pattern, V),
        _ => panic!("a layout is described by its pattern"),
    };
    const VALID: () = {
        let () = L::VALID;
        Self::PATTERN.require()
    };
}

text_and_equality!([L: TypedLayout, const V: usize] Vectored<L, V>);

const fn pattern_of(pattern: &Pattern, v: usize) -> Pattern {
    match vectored(pattern, v) {
        Ok(pattern) => pattern,
        Err(error) => Pattern::refused(error),
    }
}

const fn vectored(pattern: &Pattern, v: usize) -> Result<Pattern> {
    if let Some(error) = pattern.refusal() {
        return Err(error);
    }
    let (mut lay, mut scope) = (pattern.lay, pattern.scope);
    scope.begin(Op::Upcast);
    refuse_if!(scope, v == 0 || v > u32::MAX as usize, NotPositive, SymInt(0));
    let lanes = SymInt::small(v);
    let unit = unit(&pattern.lay);
    refuse_if!(scope, unit.is_none() && v > 1, NoUnitStride, lanes);
    let unit = match unit {
        Some(unit) => unit,
        None => lay.len(),
    };
    let mut k = 0;
    while k < lay.len() {
        refuse_if!(scope, lay.basis[k] != 0, BasisStride);
        k += 1;
    }
    k = 0;
    while k < lay.len() {
        let (extent, stride) = (lay.extent(k), lay.scale(k));
        if k == unit {
            refuse_if!(scope, matches!(scope.divides(lanes, extent), Truth::No), CastExtent, extent, lanes);
            lay.shape[k] = ok!(scope.div(extent, lanes)).word();
        } else if extent.is(1) {
            lay.stride[k] = 0;
        } else {
            refuse_if!(scope, matches!(scope.divides(lanes, stride), Truth::No), CastStride, lanes, stride);
            lay.stride[k] = match stride.value() {
                Some(stride) => stride / v as i64,
                None => ok!(scope.div(stride, lanes)).word(),
            };
        }
        k += 1;
    }
    Ok(compact(lay, scope))
}

/// A layout whose groups of `V` neighbours along the leaf of stride 1 have a layout: layout types, dynamic, swizzled, injective ones.
///
/// ```
/// use layout_core::{DynLayout, Int, Layout, LayoutError, make_layout};
/// use layout_core::layouts::{StaticSwizzle, Vectorable};
/// /// Returns the index of the first element of each group of four.
/// fn groups<L: Vectorable<4>>(layout: &L) -> Result<Vec<usize>, LayoutError> {
///     let vectors = layout.vectors()?;
///     Ok((0..vectors.size()).map(|k| 4 * vectors.crd2idx(k)).collect())
/// }
/// assert_eq!(groups(&make_layout((Int::<8>, 2), (Int::<1>, 12)))?, [0, 4, 12, 16]);
/// assert_eq!(groups(&DynLayout::<16>::parse("(2,8):(8,1)")?)?, [0, 8, 4, 12]);
/// // A swizzle that moves whole groups has groups. One that moves elements within a group is refused.
/// let rows = make_layout((2, 8), (8, Int::<1>));
/// assert_eq!(groups(&StaticSwizzle::<1, 2, 1>.composition(rows))?, [0, 12, 4, 8]);
/// assert!(groups(&StaticSwizzle::<1, 0, 3>.composition(rows)).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Safety
///
/// The coordinates of [`Vectorable::vectors`] are the coordinates of the layout, with each `V` neighbours as one. For an
/// index `i` of theirs, the `V` elements have the indices `V i` to `V i + V - 1`, in order. If no two coordinates of the
/// layout share an index, no two groups do.
pub unsafe trait Vectorable<const V: usize>: Layout {
    /// The layout type of the groups.
    type Vectors: Layout;

    /// Returns the layout of the groups.
    ///
    /// Fails if `V` does not divide the extent of the leaf of stride 1, or another stride, or if a swizzle moves elements within a group.
    fn vectors(&self) -> Result<Self::Vectors>;
}

// SAFETY: `new` compares the loops if the types do not decide.
#[diagnostic::do_not_recommend]
unsafe impl<L: TypedLayout, const V: usize> Vectorable<V> for L {
    type Vectors = Vectored<L, V>;

    #[inline(always)]
    fn vectors(&self) -> Result<Vectored<L, V>> {
        Vectored::new(*self)
    }
}

// SAFETY: `vectors` compares the loops.
unsafe impl<const N: usize, const V: usize> Vectorable<V> for DynLayout<N> {
    type Vectors = DynLayout<N>;

    fn vectors(&self) -> Result<DynLayout<N>> {
        const { assert!(V > 0 && V <= u32::MAX as usize, "vectors have elements") };
        let mut value = *self.value();
        let unit = unit(&value);
        for k in 0..value.len() {
            let divided = if Some(k) == unit { &mut value.shape[k] } else { &mut value.stride[k] };
            *divided = divided.div_euclid(V as i64);
        }
        let vectors = DynLayout::from_value(value)?;
        match (vectors.loops::<MAX_LEAVES>(), self.loops()) {
            (Some(coarse), Some(fine)) => regroups(&coarse, &fine, V)?,
            _ => return Err(LayoutError::plain(Op::Upcast, Cause::Undecided, 0, 0)),
        }
        Ok(vectors)
    }
}

/// Returns the swizzle of groups of `v` elements, and their offset. Fails unless `v` is a power of two that divides the offset.
#[inline(always)]
fn groups(swizzle: Swizzle, offset: usize, v: usize) -> Result<(Swizzle, usize)> {
    let of_groups = if v.is_power_of_two() { swizzle.of_groups(v.trailing_zeros()) } else { None };
    match of_groups {
        Some(of_groups) if offset.is_multiple_of(v) => Ok((of_groups, ((offset as isize) >> v.trailing_zeros()) as usize)),
        _ => Err(LayoutError::plain(Op::Upcast, Cause::CastStride, v as i64, offset as i64)),
    }
}

macro_rules! swizzled {
    ($([$($generics:tt)*] $swizzle:ty, |$inner:ident| $value:expr;)*) => { $(
        // SAFETY: `groups` fails unless the swizzle keeps groups whole.
        unsafe impl<$($generics)* O: IntTuple, L: Vectorable<V>, const V: usize> Vectorable<V> for Composed<$swizzle, O, L> {
            type Vectors = Composed<Swizzle, usize, L::Vectors>;

            #[inline(always)]
            fn vectors(&self) -> Result<Self::Vectors> {
                let $inner = self.inner();
                let (swizzle, offset) = groups($value, self.offset(), V)?;
                Ok(Composed::new(swizzle, offset, self.outer().vectors()?))
            }
        }
    )* };
}

swizzled! {
    [] Swizzle, |swizzle| swizzle;
    [const B: u8, const M: u8, const S: i8,] StaticSwizzle<B, M, S>, |_swizzle| const { StaticSwizzle::<B, M, S>::SWIZZLE };
}

/// Fails unless `fine` splits each element of `coarse` into `v` elements: one loop of step 1 has `v` times as many turns in `fine`, and
/// the other loops have `v` times the step.
pub(crate) fn regroups(coarse: &Loops, fine: &Loops, v: usize) -> Result<()> {
    let refused = |cause, a: usize, b: usize| Err(LayoutError::plain(Op::Upcast, cause, a as i64, b as i64));
    // An empty loop may be the one that is `v` times as long, or any other.
    let (mut found, mut either) = (v == 1, false);
    if coarse.len != fine.len {
        return refused(Cause::Undecided, 0, 0);
    }
    for k in 0..fine.len {
        let ((few, far), (many, near)) = (coarse.at(k), fine.at(k));
        let alike = few == many && (many <= 1 || (far as isize).checked_mul(v as isize) == Some(near as isize));
        let longer = near == 1 && (far == 1 || few <= 1) && few.checked_mul(v) == Some(many);
        if alike {
            either |= longer;
            continue;
        }
        if found || !longer {
            return if near == 1 { refused(Cause::CastExtent, many, v) } else { refused(Cause::CastStride, v, near) };
        }
        found = true;
    }
    if found || either { Ok(()) } else { refused(Cause::NoUnitStride, v, 0) }
}

/// Returns the greatest number `V` of neighbouring elements that [`Tensor::vectors`](crate::Tensor::vectors) can group. It is the
/// greatest common divisor of the extent of the leaf of stride 1 and of the strides of all other leaves.
///
/// Leaves of extent 1 do not count, and every divisor of this number succeeds, too. The result is 1 if no leaf has stride 1 or a
/// stride is an XOR stride. It is 0 if every number succeeds: if the leaf of stride 1 has extent 0, and no other extent exceeds 1.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::layouts::max_vector;
/// assert_eq!(max_vector(&make_layout((8, 5), (Int::<1>, 12))), 4);
/// assert_eq!(max_vector(&make_layout((8, 5), (5, Int::<1>))), 5);
/// ```
pub fn max_vector<L: TypedLayout>(layout: &L) -> usize {
    let Some(loops) = layout.loops::<MAX_LEAVES>() else { return 1 };
    let Some(unit) = unit(&L::PATTERN.lay) else { return 1 };
    (0..loops.len).fold(0, |longest, k| match loops.at(k) {
        (extent, _) if k == unit => gcd(extent, longest),
        (extent, step) if extent > 1 => gcd((step as isize).unsigned_abs(), longest),
        _ => longest,
    })
}

/// Returns the greatest number `V` of neighbouring elements that can be grouped in the tensors of both layouts: the greatest common
/// divisor of [`max_vector`] of both. It is 1 unless the same leaf has stride 1 in both, and all extents are equal.
///
/// ```
/// use layout_core::{Int, make_layout};
/// use layout_core::layouts::max_common_vector;
/// let (a, b) = (make_layout((8, 6), (Int::<1>, 8)), make_layout((8, 6), (Int::<1>, 12)));
/// assert_eq!(max_common_vector(&a, &b), 4);
/// assert_eq!(max_common_vector(&a, &make_layout((8, 6), (6, Int::<1>))), 1);
/// ```
pub fn max_common_vector<A: TypedLayout, B: TypedLayout>(a: &A, b: &B) -> usize {
    match (unit(&A::PATTERN.lay), unit(&B::PATTERN.lay), a.loops::<MAX_LEAVES>(), b.loops::<MAX_LEAVES>()) {
        (Some(i), Some(j), Some(a_loops), Some(b_loops)) if i == j && a_loops.extents == b_loops.extents => {
            gcd(max_vector(a), max_vector(b))
        }
        _ => 1,
    }
}

/// Returns the number (from 0) of the leaf of stride 1, or `None` if there is none. A leaf whose extent is not 1 takes precedence.
const fn unit<const N: usize>(l: &LayoutValue<N>) -> Option<usize> {
    let (mut unit, mut k) = (None, 0);
    while k < l.len() {
        if l.scale(k).is(1) {
            match unit {
                Some(first) if !l.extent(first).is(1) || l.extent(k).is(1) => {}
                _ => unit = Some(k),
            }
        }
        k += 1;
    }
    unit
}

const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
