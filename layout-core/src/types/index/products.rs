//! Sums of few products, and bounds checks of few digits, without an optimiser. Each number is read directly from its position.
//!
//! Constants choose the function instead of branches: the compiler evaluates every constant of a branch, even if it is not taken.

use super::evaluate::Tabled;
use super::typed_layout::TypedLayout;
use crate::types::number::{Int, StaticInt, place};
use crate::types::pattern::operand::IntTuple;

/// Returns true if the table has few digits, and their numbers are leaves that a value of the layout stores.
pub(in crate::types) const fn are_few<T: Tabled, L: TypedLayout>() -> bool {
    T::TABLE.few > 0 && (T::TABLE.numbers_are_inputs || !L::HAS_INPUTS)
}

macro_rules! functions {
    ($($(#[$doc:meta])* $choose:ident -> $result:ty: $known_1:ident $known_2:ident $known_3:ident $known_4:ident $mixed_1:ident $mixed_2:ident $mixed_3:ident $mixed_4:ident;)*) => { $(
        $(#[$doc])*
        pub(in crate::types) const fn $choose<T: Tabled, L: TypedLayout, C: IntTuple>() -> fn(&L, &C) -> $result {
            match (L::PATTERN.scope.len, T::TABLE.few) {
                (0, 1) => $known_1::<T, L, C>,
                (0, 2) => $known_2::<T, L, C>,
                (0, 3) => $known_3::<T, L, C>,
                (0, _) => $known_4::<T, L, C>,
                (_, 1) => $mixed_1::<T, L, C>,
                (_, 2) => $mixed_2::<T, L, C>,
                (_, 3) => $mixed_3::<T, L, C>,
                (_, _) => $mixed_4::<T, L, C>,
            }
        }
    )* };
}

functions! {
    /// Returns the function that sums the products of digits and strides.
    sum -> usize: known_1 known_2 known_3 known_4 mixed_1 mixed_2 mixed_3 mixed_4;
    /// Returns the function that checks whether every digit is below its extent.
    inside -> bool: below_known_1 below_known_2 below_known_3 below_known_4 below_mixed_1 below_mixed_2 below_mixed_3 below_mixed_4;
}

macro_rules! of_digits {
    ($($known:ident $mixed:ident $below_known:ident $below_mixed:ident: $first:literal $($k:literal)*;)*) => { $(
        #[inline(always)]
        fn $known<T: Tabled, L: TypedLayout, C: IntTuple>(_: &L, c: &C) -> usize {
            c.input::<Int<$first>>().wrapping_mul(T::TABLE.number.value[$first])
            $(.wrapping_add(c.input::<Int<$k>>().wrapping_mul(T::TABLE.number.value[$k])))*
        }

        #[inline(always)]
        fn $mixed<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> usize {
            c.input::<Int<$first>>().wrapping_mul(const { number::<T, L, $first>() }(layout))
            $(.wrapping_add(c.input::<Int<$k>>().wrapping_mul(const { number::<T, L, $k>() }(layout))))*
        }

        #[inline(always)]
        fn $below_known<T: Tabled, L: TypedLayout, C: IntTuple>(_: &L, c: &C) -> bool {
            c.input::<Int<$first>>() < T::TABLE.number.value[$first] $(&& c.input::<Int<$k>>() < T::TABLE.number.value[$k])*
        }

        #[inline(always)]
        fn $below_mixed<T: Tabled, L: TypedLayout, C: IntTuple>(layout: &L, c: &C) -> bool {
            c.input::<Int<$first>>() < const { number::<T, L, $first>() }(layout)
            $(&& c.input::<Int<$k>>() < const { number::<T, L, $k>() }(layout))*
        }
    )* };
}

of_digits! {
    known_1 mixed_1 below_known_1 below_mixed_1: 0;
    known_2 mixed_2 below_known_2 below_mixed_2: 0 1;
    known_3 mixed_3 below_known_3 below_mixed_3: 0 1 2;
    known_4 mixed_4 below_known_4 below_mixed_4: 0 1 2 3;
}

/// Returns the function that reads the number of the digit `K`.
const fn number<T: Tabled, L: TypedLayout, const K: usize>() -> fn(&L) -> usize {
    if T::TABLE.number.slot[K] { L::input::<Number<T, L, K>> } else { known_number::<T, L, K> }
}

#[inline(always)]
fn known_number<T: Tabled, L: TypedLayout, const K: usize>(_: &L) -> usize {
    T::TABLE.number.value[K]
}

place! {
    /// The position of the number of the digit `K`.
    Number<T: Tabled, L: TypedLayout, const K: usize>, if L::HAS_INPUTS { T::TABLE.number_input.value[K] } else { T::TABLE.number.value[K] };
}
