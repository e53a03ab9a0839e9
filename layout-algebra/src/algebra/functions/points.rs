//! The comparison of two functions of known numbers at the coordinates that matter.
//!
//! Both domains are cut into common digits. A function repeats along a digit, up to a constant, after as many steps as make a multiple of
//! its period ([`KnownFunction::period`]). If both functions repeat with the same constant, larger coordinates of the digit give no other
//! difference; with different constants, they differ at the first repetition at the latest. What remains is compared in the order of the
//! linear coordinate.

use super::known::KnownFunction;
use crate::algebra::xor::carryless;
use crate::value::gcd;

/// The maximum number of coordinates of common digits that are compared.
const MOST: i64 = 1 << 20;

/// The maximum number of steps of a question: coordinates that are tried, and nodes of searches.
pub(super) const STEPS: usize = 1 << 18;

/// The maximum number of common digits: a size below 2^63 has at most 63 factors above 1.
const DIGITS: usize = 64;

/// The result of the comparison of two functions.
pub(super) enum Search {
    Same,
    /// The functions agree below this coordinate, and differ there or cannot be computed there.
    At(i64),
    /// The functions agree at the `tried` least of `of` coordinates that could differ.
    Open {
        tried: i64,
        of: i64,
    },
}

/// A common digit: its weight in the linear coordinate, the number of its values that matter, and its strides in both functions.
#[derive(Clone, Copy)]
struct Digit {
    weight: i64,
    extent: i64,
    stride: [i64; 2],
    xor: [bool; 2],
}

/// Returns the coordinate along one function after which the digit repeats, and the constant that this adds.
const fn repeats<const N: usize>(f: &KnownFunction<N>, stride: i64, xor: bool) -> Option<(i64, i128)> {
    let Some((period, step)) = f.period() else { return None };
    if xor {
        return None;
    }
    // The stride and the period have common factors.
    let steps = period / gcd(period, stride.abs());
    Some((steps, (steps as i128 * stride as i128) / period as i128 * step as i128))
}

/// Compares two functions. The sizes may differ: then only the coordinates of both are compared.
pub(super) const fn search<const N: usize>(a: &KnownFunction<N>, b: &KnownFunction<N>) -> Search {
    let (n, m) = (a.size(), b.size());
    let mut bound = if n < m { n } else { m };
    if bound == 0 {
        return Search::Same;
    }
    let mut digit = [Digit { weight: 1, extent: 1, stride: [0; 2], xor: [false; 2] }; DIGITS];
    let (mut len, mut weight, mut i, mut j) = (0, 1i64, 0, 0);
    let (mut left, mut right) = (0, 0);
    let (mut scale, mut other) = (1i64, 1i64);
    let mut limit = bound;
    while weight < bound && i < a.modes.len && j < b.modes.len {
        // `left` and `right` are the extents that remain of the modes `i` and `j`, whose strides count `scale` and `other` times.
        if left == 0 {
            (left, scale) = (a.modes.extent[i], 1);
        }
        if right == 0 {
            (right, other) = (b.modes.extent[j], 1);
        }
        let extent = if left < right { left } else { right };
        let (cut, rest) = (if left < right { right } else { left }, extent);
        let divides = cut % rest == 0
            && (left == extent || !a.modes.xor[i] || extent.count_ones() == 1)
            && (right == extent || !b.modes.xor[j] || extent.count_ones() == 1);
        if !divides {
            return scan(a, b, bound);
        }
        let (Some(stride), Some(other_stride)) = (a.modes.stride[i].checked_mul(scale), b.modes.stride[j].checked_mul(other)) else {
            return scan(a, b, bound);
        };
        let (xor, other_xor) = (a.modes.xor[i], b.modes.xor[j]);
        let mut values = extent;
        if let (Some((steps, add)), Some((other_steps, other_add))) = (repeats(a, stride, xor), repeats(b, other_stride, other_xor)) {
            let common = steps / gcd(steps, other_steps);
            if let Some(period) = common.checked_mul(other_steps)
                && period < values
            {
                values = period;
                if add * (period / steps) as i128 != other_add * (period / other_steps) as i128 && limit > weight * period {
                    limit = weight * period;
                }
            }
        }
        digit[len] = Digit { weight, extent: values, stride: [stride, other_stride], xor: [xor, other_xor] };
        len += 1;
        weight *= extent;
        (scale, other) = (scale * extent, other * extent);
        (left, right) = (left / extent, right / extent);
        if left == 1 {
            (left, i) = (0, i + 1);
        }
        if right == 1 {
            (right, j) = (0, j + 1);
        }
    }
    let differ = limit < bound;
    bound = limit;
    let mut count = 1i64;
    each!(k, 0..len, {
        if digit[k].weight < bound {
            count = count.saturating_mul(digit[k].extent);
        }
    });
    // The sums of the digits from `k` on, and the part of the coordinate that they make.
    let (mut coordinate, mut at) = ([0i64; DIGITS], [0i64; DIGITS + 1]);
    let (mut sum, mut mixed) = ([[0i64; 2]; DIGITS + 1], [[0i64; 2]; DIGITS + 1]);
    let mut tried = 0;
    loop {
        if at[0] >= bound {
            return if differ { Search::At(bound) } else { Search::Same };
        }
        let (Some(x), Some(y)) = (sum[0][0].checked_add(mixed[0][0]), sum[0][1].checked_add(mixed[0][1])) else {
            return Search::At(at[0]);
        };
        match (a.after(x), b.after(y)) {
            (Some(x), Some(y)) if x == y => {}
            _ => return Search::At(at[0]),
        }
        tried += 1;
        let mut k = 0;
        while k < len && coordinate[k] + 1 == digit[k].extent {
            coordinate[k] = 0;
            k += 1;
        }
        if k == len {
            return if differ { Search::At(bound) } else { Search::Same };
        }
        if tried == MOST {
            return Search::Open { tried, of: count };
        }
        coordinate[k] += 1;
        let (mut next, mut both, mut and) = (at[k + 1], sum[k + 1], mixed[k + 1]);
        let by = coordinate[k];
        next += by * digit[k].weight;
        each!(side, 0..2, {
            if digit[k].xor[side] {
                match carryless(by, digit[k].stride[side]) {
                    Some(term) => and[side] ^= term,
                    None => return Search::At(next),
                }
            } else {
                match by.checked_mul(digit[k].stride[side]) {
                    Some(term) => match both[side].checked_add(term) {
                        Some(sum) => both[side] = sum,
                        None => return Search::At(next),
                    },
                    None => return Search::At(next),
                }
            }
        });
        loop {
            (at[k], sum[k], mixed[k]) = (next, both, and);
            if k == 0 {
                break;
            }
            k -= 1;
        }
    }
}

/// Compares the first coordinates, up to `bound` of them, within [`STEPS`]: the domains have no common digits.
const fn scan<const N: usize>(a: &KnownFunction<N>, b: &KnownFunction<N>, bound: i64) -> Search {
    let most = (STEPS / (a.steps() + b.steps())) as i64;
    let end = if bound < most { bound } else { most };
    each!(x, 0..end, {
        match (a.at(x), b.at(x)) {
            (Some(left), Some(right)) if left == right => {}
            _ => return Search::At(x),
        }
    });
    if end == bound { Search::Same } else { Search::Open { tried: end, of: bound } }
}
