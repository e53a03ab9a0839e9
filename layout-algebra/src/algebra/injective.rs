//! The test whether two coordinates of a layout share an index.
//!
//! `L(a) = L(b)` for some `a != b` if and only if `sum x_k |d_k| = 0` for some `x != 0` with `|x_k| < s_k`. The search visits modes from
//! the greatest stride down. The reach of the other modes limits each `x_k` to few values, and to one if the strides nest.

use crate::value::{LayoutValue, known};

/// The maximum number of partial sums that the search visits before it leaves the question open.
const BUDGET: usize = 1 << 14;

/// Returns whether no two coordinates of `l` share an index; `None` if a number is not known, a stride is along a basis, or the search
/// takes too long. `xor_injective` decides layouts with XOR strides.
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
    // The reach of the modes from `k` on, and the greatest common divisor of their sums.
    let (mut reach, mut common) = ([0i128; N], [0i128; N]);
    let (mut below, mut divisor) = (0i128, 0i128);
    k = len;
    while k > 0 {
        k -= 1;
        if stride[k] == 0 {
            return Some(false);
        }
        below = below.saturating_add((extent[k] - 1).saturating_mul(stride[k]));
        if below > 1 << 100 {
            return None;
        }
        divisor = gcd(divisor, stride[k]);
        (reach[k], common[k]) = (below, divisor);
    }
    search(&extent, &stride, &reach, &common, len)
}

/// Returns whether only `x = 0` has the sum 0; `None` after `BUDGET` partial sums. Visits only sums that later modes can cancel.
const fn search<const N: usize>(extent: &[i128; N], stride: &[i128; N], reach: &[i128; N], common: &[i128; N], len: usize) -> Option<bool> {
    let (mut x, mut last, mut step, mut sum) = ([0i128; N], [0i128; N], [0i128; N], [0i128; N]);
    // `x` and `-x` are equivalent, so the first mode that moves only moves up.
    let (mut k, mut looked) = (0, 0);
    let mut enter = true;
    loop {
        if k == len {
            let mut moved = false;
            let mut j = 0;
            while j < len {
                moved |= x[j] != 0;
                j += 1;
            }
            if moved {
                return Some(false);
            }
            if k == 0 {
                return Some(true);
            }
            k -= 1;
            enter = false;
            continue;
        }
        let before = if k == 0 { 0 } else { sum[k - 1] };
        let beyond = if k + 1 < len { reach[k + 1] } else { 0 };
        if enter {
            let most = extent[k] - 1;
            let (low, high) = (ceil_div(-beyond - before, stride[k]), (beyond - before).div_euclid(stride[k]));
            let still = {
                let (mut still, mut j) = (true, 0);
                while j < k {
                    still &= x[j] == 0;
                    j += 1;
                }
                still
            };
            let low = if still && low < 0 { 0 } else { low };
            let low = if low < -most { -most } else { low };
            last[k] = if high > most { most } else { high };
            // The later modes can cancel only multiples of their common divisor.
            let rest = if k + 1 < len { common[k + 1] } else { 0 };
            match congruent(stride[k], -before, rest) {
                Some((residue, modulus)) => {
                    x[k] = if modulus == 0 { residue } else { low + (residue - low).rem_euclid(modulus) };
                    step[k] = modulus;
                    if x[k] < low {
                        x[k] = last[k] + 1;
                    }
                }
                None => x[k] = last[k] + 1,
            }
        } else if step[k] == 0 {
            x[k] = last[k] + 1;
        } else {
            x[k] += step[k];
        }
        if x[k] > last[k] {
            x[k] = 0;
            if k == 0 {
                return Some(true);
            }
            k -= 1;
            enter = false;
            continue;
        }
        looked += 1;
        if looked > BUDGET {
            return None;
        }
        sum[k] = before + x[k] * stride[k];
        k += 1;
        enter = true;
    }
}

/// Solves `a x = b` modulo `m`. Returns a residue and its modulus, or `(b / a, 0)` for `m = 0`; `None` if there is no solution.
const fn congruent(a: i128, b: i128, m: i128) -> Option<(i128, i128)> {
    if m == 0 {
        return if b % a == 0 { Some((b / a, 0)) } else { None };
    }
    // Euclid's algorithm, which also tracks the factor of `a`.
    let (mut g, mut rest, mut factor, mut next) = (a, m, 1i128, 0i128);
    while rest != 0 {
        let quotient = g / rest;
        (g, rest) = (rest, g - quotient * rest);
        (factor, next) = (next, factor - quotient * next);
    }
    if b % g != 0 {
        return None;
    }
    let modulus = m / g;
    Some(((b / g).rem_euclid(modulus) * factor.rem_euclid(modulus) % modulus, modulus))
}

const fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

const fn ceil_div(a: i128, b: i128) -> i128 {
    -((-a).div_euclid(b))
}

#[cfg(feature = "alloc")]
#[cfg(test)]
mod tests;
