//! Sorting networks, which sort up to 16 words without a branch.

/// The number of words of the widest network.
///
/// ```
/// use array_kernels::network::{WIDEST, sort};
/// /// Sorts a row, in a network if it is short.
/// fn sort_row(row: &mut [u64]) {
///     if row.len() > WIDEST {
///         return row.sort_unstable();
///     }
///     let mut words = [u64::MAX; WIDEST];
///     words[..row.len()].copy_from_slice(row);
///     sort(&mut words, row.len());
///     row.copy_from_slice(&words[..row.len()]);
/// }
/// let mut row = [5, 1, 4];
/// sort_row(&mut row);
/// assert_eq!(row, [1, 4, 5]);
/// ```
pub const WIDEST: usize = 16;

/// The network of Batcher's odd-even merge sort for `N` words. `ALL` has its pairs of indices to exchange, and their number.
struct Network<const N: usize>;

impl<const N: usize> Network<N> {
    const ALL: ([(usize, usize); 63], usize) = {
        let (mut out, mut len) = ([(0, 0); 63], 0);
        let mut p = 1;
        while p < N {
            let mut k = p;
            while k >= 1 {
                let mut j = k % p;
                while j + k < N {
                    let mut i = 0;
                    while i < k && i + j + k < N {
                        if (i + j) / (2 * p) == (i + j + k) / (2 * p) {
                            out[len] = (i + j, i + j + k);
                            len += 1;
                        }
                        i += 1;
                    }
                    j += 2 * k;
                }
                k /= 2;
            }
            p *= 2;
        }
        (out, len)
    };

    #[inline(always)]
    fn sort(words: &mut [u64; WIDEST]) {
        macro_rules! unrolled {
            ($($k:literal)*) => { $(
                if const { $k < Self::ALL.1 } {
                    let (low, high) = const { Self::ALL.0[$k] };
                    let (a, b) = (words[low], words[high]);
                    (words[low], words[high]) = (a.min(b), a.max(b));
                }
            )* };
        }
        unrolled! {
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
            49 50 51 52 53 54 55 56 57 58 59 60 61 62
        }
    }
}

/// Sorts the first `len` words. Precondition: if `len` is odd, no word of the first `len` exceeds the word after them.
///
/// ```
/// use array_kernels::network::{WIDEST, sort};
/// // Five words, an odd number: the word after them is not less than any of them.
/// let mut words = [0; WIDEST];
/// words[..6].copy_from_slice(&[9, 2, 7, 2, 4, u64::MAX]);
/// sort(&mut words, 5);
/// assert_eq!(words[..5], [2, 2, 4, 7, 9]);
/// ```
#[inline(always)]
pub fn sort(words: &mut [u64; WIDEST], len: usize) {
    match len.div_ceil(2) {
        0 => (),
        1 => Network::<2>::sort(words),
        2 => Network::<4>::sort(words),
        3 => Network::<6>::sort(words),
        4 => Network::<8>::sort(words),
        5 => Network::<10>::sort(words),
        6 => Network::<12>::sort(words),
        7 => Network::<14>::sort(words),
        _ => Network::<16>::sort(words),
    }
}

#[cfg(test)]
mod tests;
