//! The test whether two coordinates of a layout share an index.
//!
//! `L(a) = L(b)` for some `a != b` if and only if `sum x_k |d_k| = 0` for some `x != 0` with `|x_k| < s_k`. Strides that nest have no such
//! relation. [`relation`](super::relation) decides the others.

use super::relation::{Relation, Solution};
use crate::value::{LayoutValue, known};

/// Returns whether no two coordinates of `l` share an index; `None` if a number is not known, a stride is along a basis, or the relation
/// is too hard. `xor_injective` decides layouts with XOR strides.
///
/// ```
/// use layout_algebra::{DynLayout, algebra::injective::injective};
/// let is_injective = |text| Ok(injective(DynLayout::<16>::parse(text)?.value()));
/// // The values 0, 4, 7, 11 differ. The index 4 has two coordinates in the second layout.
/// assert_eq!((is_injective("(2,2):(4,7)")?, is_injective("(3,2):(2,4)")?), (Some(true), Some(false)));
/// assert_eq!(is_injective("(8,8):(^9,^1)")?, Some(true));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub const fn injective<const N: usize>(l: &LayoutValue<N>) -> Option<bool> {
    let mut relation = Relation::<N>::moving();
    let (mut repeats, mut open, mut xor, mut k) = (false, false, false, 0);
    while k < l.tree.len {
        if l.shape[k] == 0 {
            return Some(true);
        }
        let basis = l.basis[k] != 0;
        if basis || !known!(l.shape[k]) || !known!(l.stride[k]) {
            open = true;
            xor |= basis;
        } else if l.shape[k] > 1 {
            repeats |= l.stride[k] == 0;
            if l.stride[k] != 0 {
                relation.push(k, l.stride[k], 1 - l.shape[k], l.shape[k] - 1);
            }
        }
        k += 1;
    }
    if open {
        return if xor { l.xor_injective() } else { None };
    }
    if repeats {
        return Some(false);
    }
    if relation.nests() {
        return Some(true);
    }
    match relation.solve() {
        Solution::None => Some(true),
        Solution::Some(_) => Some(false),
        Solution::Open => None,
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;
