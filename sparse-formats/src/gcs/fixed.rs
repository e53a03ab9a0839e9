//! Groups of axes whose extents are constants.

/// [`Gcs`](crate::Gcs) of `N` axes in `M` groups as a constant: what it computes of coordinates folds to multiplications by constants, and divisions
/// to multiplications and shifts.
///
/// ```
/// use sparse_formats::FixedGcs;
/// const GCS: FixedGcs<5, 2> = FixedGcs::new([5; 5], [0, 1, 2, 3, 4], [2, 5]).unwrap();
/// assert_eq!(GCS.reduce([4, 1, 0, 3, 1]), [21, 16]);
/// assert_eq!(GCS.promote([21, 16]), [4, 1, 0, 3, 1]);
/// assert_eq!(GCS.checked_promote([25, 0]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedGcs<const N: usize, const M: usize> {
    shape: [u64; N],
    order: [usize; N],
    /// For each axis in the order, its group.
    group: [usize; N],
    /// For each axis in the order, its stride in its group.
    strides: [u64; N],
    sizes: [u64; M],
}

impl<const N: usize, const M: usize> FixedGcs<N, M> {
    /// The axes in this order, in groups that end at these places in it.
    ///
    /// `None` unless `axis_order` is a permutation, `ends` do not decrease and end with `N`, and the size of each group fits 64 bits.
    pub const fn new(shape: [u64; N], axis_order: [usize; N], ends: [usize; M]) -> Option<Self> {
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
        if M == 0 && N > 0 { None } else { Some(FixedGcs { shape, order: axis_order, group, strides, sizes }) }
    }

    /// The extents, in the order of the axes.
    pub const fn shape(&self) -> [u64; N] {
        self.shape
    }

    /// The sizes of the groups.
    pub const fn group_shape(&self) -> [u64; M] {
        self.sizes
    }

    /// The coordinates in the groups of coordinates in range; of others, some numbers.
    #[inline(always)]
    pub const fn reduce(&self, dense: [u64; N]) -> [u64; M] {
        let mut out = [0u64; M];
        let mut k = 0;
        while k < N {
            let term = dense[self.order[k]].wrapping_mul(self.strides[k]);
            out[self.group[k]] = out[self.group[k]].wrapping_add(term);
            k += 1;
        }
        out
    }

    /// The coordinates in the axes of coordinates in range; of others, some numbers.
    #[inline(always)]
    pub const fn promote(&self, reduced: [u64; M]) -> [u64; N] {
        let mut out = [0; N];
        let mut k = 0;
        while k < N {
            let quotient = match reduced[self.group[k]].checked_div(self.strides[k]) {
                Some(quotient) => quotient,
                None => 0,
            };
            let axis = self.order[k];
            // The first axis of a group takes the whole quotient.
            out[axis] = if k == 0 || self.group[k - 1] != self.group[k] { quotient } else { rem(quotient, self.shape[axis]) };
            k += 1;
        }
        out
    }

    /// The coordinates in the groups, unless a coordinate is out of range.
    #[inline(always)]
    pub const fn checked_reduce(&self, dense: [u64; N]) -> Option<[u64; M]> {
        let mut k = 0;
        while k < N {
            if dense[k] >= self.shape[k] {
                return None;
            }
            k += 1;
        }
        Some(self.reduce(dense))
    }

    /// The coordinates in the axes, unless a coordinate is out of range.
    #[inline(always)]
    pub const fn checked_promote(&self, reduced: [u64; M]) -> Option<[u64; N]> {
        let mut k = 0;
        while k < M {
            if reduced[k] >= self.sizes[k] {
                return None;
            }
            k += 1;
        }
        Some(self.promote(reduced))
    }
}

/// The remainder; 0 for a divisor of 0.
const fn rem(a: u64, b: u64) -> u64 {
    match a.checked_rem(b) {
        Some(rem) => rem,
        None => 0,
    }
}
