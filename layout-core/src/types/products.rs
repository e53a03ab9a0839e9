//! The sum of few products, without an optimiser: coordinates and strides are read where they are, each by its place.
//!
//! Constants choose the function, not branches: of a branch that is not taken the compiler still evaluates every constant.

use super::evaluate::Tabled;
use super::operand::{IntTuple, Place};
use super::typed_layout::TypedLayout;

/// The place `K`.
struct Nth<const K: usize>;

impl<const K: usize> Place for Nth<K> {
    const AT: usize = K;
}

/// Returns true if the index is a sum of few products, of coordinates and of strides that a value of the layout has.
pub(super) const fn are_few<T: Tabled, L: TypedLayout>() -> bool {
    T::TABLE.products > 0 && (T::TABLE.strides_are_inputs || !L::HAS_INPUTS)
}

/// The function that sums them.
pub(super) const fn sum<T: Tabled, L: TypedLayout, C: IntTuple>() -> fn(&L, &C) -> usize {
    match (L::PATTERN.scope.len, T::TABLE.products) {
        (0, 1) => known_1::<T, L, C>,
        (0, 2) => known_2::<T, L, C>,
        (0, 3) => known_3::<T, L, C>,
        (0, _) => known_4::<T, L, C>,
        (_, 1) => mixed_1::<T, L, C>,
        (_, 2) => mixed_2::<T, L, C>,
        (_, 3) => mixed_3::<T, L, C>,
        (_, _) => mixed_4::<T, L, C>,
    }
}

macro_rules! sums {
    ($($known:ident $mixed:ident: $first:literal $($k:literal)*;)*) => { $(
        #[inline(always)]
        fn $known<T: Tabled, L: TypedLayout, C: IntTuple>(_: &L, c: &C) -> usize {
            c.input::<Nth<$first>>().wrapping_mul(T::TABLE.stride.value[$first])
            $(.wrapping_add(c.input::<Nth<$k>>().wrapping_mul(T::TABLE.stride.value[$k])))*
        }

        #[inline(always)]
        fn $mixed<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
            c.input::<Nth<$first>>().wrapping_mul(const { stride::<T, L, $first>() }(layout))
            $(.wrapping_add(c.input::<Nth<$k>>().wrapping_mul(const { stride::<T, L, $k>() }(layout))))*
        }
    )* };
}

sums! {
    known_1 mixed_1: 0;
    known_2 mixed_2: 0 1;
    known_3 mixed_3: 0 1 2;
    known_4 mixed_4: 0 1 2 3;
}

/// The function that reads the stride of the digit `K`.
const fn stride<T: Tabled, L: TypedLayout, const K: usize>() -> fn(&L) -> usize {
    if T::TABLE.stride.slot[K] { L::input::<Stride<T, L, K>> } else { known_stride::<T, L, K> }
}

#[inline(always)]
fn known_stride<T: Tabled, L: TypedLayout, const K: usize>(_: &L) -> usize {
    T::TABLE.stride.value[K]
}

/// The place of the stride of the digit `K`.
struct Stride<T, L, const K: usize>(core::marker::PhantomData<(T, L)>);

impl<T: Tabled, L: TypedLayout, const K: usize> Place for Stride<T, L, K> {
    const AT: usize = if L::HAS_INPUTS { T::TABLE.stride_input.value[K] } else { T::TABLE.stride.value[K] };
}
