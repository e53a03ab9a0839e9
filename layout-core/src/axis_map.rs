//! Maps between the axes of an array and groups of these axes, where all extents are constants.

/// Runs `body` for each `k` in `0..n`. The first sixteen are written out, so that their constants fold at every opt-level.
macro_rules! unrolled {
    ($n:expr, $k:ident => $body:block) => {
        unrolled!(@ $n, $k => $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        let mut rest = 16;
        while rest < $n {
            let $k = rest;
            $body
            rest += 1;
        }
    };
    (@ $n:expr, $k:ident => $body:block, $($number:literal)*) => { $(
        if $number < $n {
            let $k = $number;
            $body
        }
    )* };
}

/// A constant map from `N` axes to `M` groups of axes, where each group has one coordinate. It is `AxisMap::grouped` of `sparse-formats`
/// with a fixed size, and without a heap. Its sums fold to multiplications by constants, and its divisions to multiplications and shifts.
///
/// This is no layout type because a constant computes its extents, order and groups as values: the extents of a layout type are types.
///
/// ```
/// use layout_core::layouts::FixedAxisMap;
/// // Five axes as a matrix: axes 0 and 1 are its rows, the others its columns.
/// const ROWS: FixedAxisMap<5, 2> = FixedAxisMap::grouped([5; 5], [0, 1, 2, 3, 4], [2, 5]).unwrap();
/// assert_eq!((ROWS.shape(), ROWS.extents()), ([5; 5], [25, 125]));
/// assert_eq!(ROWS.forward([4, 1, 0, 3, 1]), [21, 16]);
/// assert_eq!(ROWS.backward([21, 16]), [4, 1, 0, 3, 1]);
/// // `reduce` and `promote` check the coordinates first.
/// assert_eq!(ROWS.reduce([4, 1, 0, 3, 5]), None);
/// assert_eq!(ROWS.promote([25, 0]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedAxisMap<const N: usize, const M: usize> {
    shape: [u64; N],
    order: [usize; N],
    /// The number of the group of the axis at each position of `order`.
    group: [usize; N],
    /// The stride, in its group, of the axis at each position of `order`.
    strides: [u64; N],
    sizes: [u64; M],
}

impl<const N: usize, const M: usize> FixedAxisMap<N, M> {
    /// Makes a map that cuts the list `axis_order` into groups. Group `m` ends before position `ends[m]`; its last axis has stride 1.
    ///
    /// Returns `None` unless `axis_order` is a permutation of `0..N`, `ends` never decreases and ends with `N`, and each size fits 64 bits.
    pub const fn grouped(shape: [u64; N], axis_order: [usize; N], ends: [usize; M]) -> Option<Self> {
        let (mut seen, mut group, mut strides, mut sizes) = ([false; N], [0; N], [0; N], [1u64; M]);
        let (mut m, mut start) = (0, 0);
        while m < M {
            if ends[m] < start || ends[m] > N || (m + 1 == M && ends[m] != N) {
                return None;
            }
            let mut k = ends[m];
            let mut empty = false;
            while k > start {
                k -= 1;
                let axis = axis_order[k];
                if axis >= N || seen[axis] {
                    return None;
                }
                seen[axis] = true;
                empty |= shape[axis] == 0;
            }
            k = ends[m];
            while k > start {
                k -= 1;
                (group[k], strides[k]) = (m, sizes[m]);
                sizes[m] = match sizes[m].checked_mul(shape[axis_order[k]]) {
                    _ if empty => 0,
                    Some(size) => size,
                    None => return None,
                };
            }
            start = ends[m];
            m += 1;
        }
        if M == 0 && N > 0 { None } else { Some(FixedAxisMap { shape, order: axis_order, group, strides, sizes }) }
    }

    /// Returns the extent of each axis, by the number of the axis.
    pub const fn shape(&self) -> [u64; N] {
        self.shape
    }

    /// Returns the size of each group: the product of the extents of its axes.
    pub const fn extents(&self) -> [u64; M] {
        self.sizes
    }

    /// Returns the coordinate of each group for the coordinates `dense` of the axes. If one is out of range, the result means nothing.
    #[inline(always)]
    pub const fn forward(&self, dense: [u64; N]) -> [u64; M] {
        let mut out = [0u64; M];
        unrolled!(N, k => {
            let term = dense[self.order[k]].wrapping_mul(self.strides[k]);
            out[self.group[k]] = out[self.group[k]].wrapping_add(term);
        });
        out
    }

    /// Returns the coordinate of each axis for the coordinates `reduced` of the groups. If one is out of range, the result means nothing.
    #[inline(always)]
    pub const fn backward(&self, reduced: [u64; M]) -> [u64; N] {
        let (mut out, mut rest) = ([0; N], reduced);
        // In each group, start at the fastest axis: divide the rest by each extent, and give the first axis all that is left.
        unrolled!(N, k => {
            let k = N - 1 - k;
            let (axis, group) = (self.order[k], self.group[k]);
            if k == 0 || self.group[k - 1] != group {
                out[axis] = rest[group];
            } else {
                (rest[group], out[axis]) = div_rem(rest[group], self.shape[axis]);
            }
        });
        out
    }

    /// Returns the coordinate of each group, or `None` if a coordinate in `dense` is not below the extent of its axis.
    #[inline(always)]
    pub const fn reduce(&self, dense: [u64; N]) -> Option<[u64; M]> {
        unrolled!(N, k => {
            if dense[k] >= self.shape[k] {
                return None;
            }
        });
        Some(self.forward(dense))
    }

    /// Returns the coordinate of each axis, or `None` if a coordinate in `reduced` is not below the size of its group.
    #[inline(always)]
    pub const fn promote(&self, reduced: [u64; M]) -> Option<[u64; N]> {
        unrolled!(M, k => {
            if reduced[k] >= self.sizes[k] {
                return None;
            }
        });
        Some(self.backward(reduced))
    }
}

/// Returns `(a / b, a % b)`, or `(0, 0)` if `b` is 0.
#[inline(always)]
const fn div_rem(a: u64, b: u64) -> (u64, u64) {
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rem)) => (quotient, rem),
        _ => (0, 0),
    }
}
