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
    let (mut extent, mut stride) = ([0i128; N], [0i128; N]);
    let (mut len, mut open, mut xor, mut k) = (0, false, false, 0);
    while k < l.tree.len {
        if l.shape[k] == 0 {
            return Some(true);
        }
        let basis = l.basis[k] != 0;
        if basis || !known!(l.shape[k]) || !known!(l.stride[k]) {
            open = true;
            xor |= basis;
        } else if l.shape[k] > 1 {
            // Insert sorted by stride, the greatest first.
            let (e, d) = (l.shape[k] as i128, (l.stride[k] as i128).abs());
            let mut at = len;
            while at > 0 && stride[at - 1] < d {
                (extent[at], stride[at]) = (extent[at - 1], stride[at - 1]);
                at -= 1;
            }
            (extent[at], stride[at]) = (e, d);
            len += 1;
        }
        k += 1;
    }
    if open {
        return if xor { l.xor_injective() } else { None };
    }
    // The strides nest if each is more than the reach of those below it.
    let (mut below, mut nest) = (0i128, true);
    k = len;
    while k > 0 {
        k -= 1;
        nest = nest && stride[k] > below;
        below = below.saturating_add((extent[k] - 1).saturating_mul(stride[k]));
    }
    if nest {
        return Some(true);
    }
    let mut relation = Relation::moving();
    each!(k, 0..len, {
        if stride[k] == 0 {
            return Some(false);
        }
        let most = (extent[k] - 1) as i64;
        relation.push(k, stride[k] as i64, -most, most);
    });
    match relation.solve() {
        Solution::<N>::None => Some(true),
        Solution::Some(_) => Some(false),
        Solution::Open => None,
    }
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;
