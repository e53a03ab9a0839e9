//! Pairs of functions, `<name>_layout` and `<name>_hand`: both compute one index, through a layout and as a kernel author writes it.
//!
//! `tests/compiled/golden.rs` compares their machine code, and `cargo test` here their results. A twin uses integers and raw
//! pointers, and is the shortest code its author would find: digits that continue one another are joined, and common factors
//! taken out. Digits are summed in order, in one expression, because the compiler combines only neighbours in a sum. A new pair
//! goes into the module of its layouts, and a test of its name into `agree`.

#![cfg_attr(not(test), no_std)]
// Kernels take pointers and strides, as real ones do: the caller vouches for them, and there are many.
#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]
// A twin takes the arguments of its layout, even those that do not reach the index.
#![allow(unused_variables)]

use core::num::NonZeroUsize;
use core::ptr::NonNull;

/// Sums a value over nested loops, written out.
macro_rules! sum {
    ($($i:ident in $range:expr),+ => $value:expr) => {{
        let mut sum = 0.0;
        sum!(@ sum; $($i in $range),+; $value);
        sum
    }};
    (@ $sum:ident; $i:ident in $range:expr $(, $inner:ident in $of_inner:expr)*; $value:expr) => {
        for $i in $range {
            sum!(@ $sum; $($inner in $of_inner),*; $value);
        }
    };
    (@ $sum:ident; ; $value:expr) => { $sum += $value };
}

/// Returns the element `index` behind `data`, as tensors read it. The caller vouches for it. Debug assertions do not check
/// such a pointer, as in a crate without `std`, so that both functions of a pair have only their own instructions.
#[inline(always)]
pub unsafe fn at<'a, T>(data: NonNull<T>, index: usize) -> &'a T {
    unsafe { data.add(index).as_ref() }
}

/// Returns the element `index` behind `data`, for writes.
#[inline(always)]
pub unsafe fn at_mut<'a, T>(data: NonNull<T>, index: usize) -> &'a mut T {
    unsafe { data.add(index).as_mut() }
}

pub mod composed;
pub mod divided;
pub mod graphs;
pub mod groups;
pub mod inverse;
pub mod levels;
pub mod loops;
pub mod many_leaves;
pub mod mixed;
pub mod neighbours;
pub mod nested;
pub mod products;
pub mod several;
pub mod signed;
pub mod sliced;
pub mod static_;
pub mod swizzled;
pub mod tensors;
pub mod tiles;
pub mod walks;
pub mod xor_strides;
pub mod xored;

#[cfg(test)]
mod agree;
#[cfg(test)]
mod optimised;

/// Returns `(x / extent, x % extent)`, or `(0, x)` if the extent is 0.
#[inline(always)]
fn split(x: usize, extent: usize) -> (usize, usize) {
    match NonZeroUsize::new(extent) {
        Some(extent) => (x / extent, x % extent),
        None => (0, x),
    }
}
