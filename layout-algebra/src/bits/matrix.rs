//! Matrices over F2, the linear maps of bits.
//!
//! Column `i` is the value at `2^i`; the value at `x` is the exclusive-or of the columns of the set bits of `x`.

use super::MAX_BITS;
use super::span::Span;

/// A linear map of bits, `L(x ^ y) = L(x) ^ L(y)`, given by its columns `L(1)`, `L(2)`, `L(4)`, ...
///
/// It has the operations of linear layouts (Zhou et al., Linear Layouts, arXiv 2505.23819).
///
/// ```
/// use layout_algebra::bits::BitMatrix;
/// let swizzle = BitMatrix::from_columns(&[0b0001, 0b0010, 0b0101, 0b1010], 4).unwrap();
/// assert_eq!(swizzle.apply(0b1101), 0b1010 ^ 0b0101 ^ 0b0001);
/// assert_eq!(swizzle.inverse(), Some(swizzle));
/// ```
#[derive(Clone, Copy)]
pub struct BitMatrix {
    inputs: u8,
    outputs: u8,
    column: [u64; MAX_BITS],
}

/// Returns the number whose `bits` lowest bits are set.
const fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// The columns, values and inverses.
///
/// ```
/// use layout_algebra::bits::BitMatrix;
/// // Three input bits, two output bits: bit 2 of the input flips both outputs.
/// let map = BitMatrix::from_columns(&[0b01, 0b10, 0b11], 2).unwrap();
/// assert_eq!((map.inputs(), map.outputs(), map.width()), (3, 2, 3));
/// assert_eq!((map.columns(), map.column(2)), (&[0b01, 0b10, 0b11][..], 0b11));
/// // Two bits of the input suffice for every output; column 2 is the sum of the others.
/// assert_eq!((map.rank(), map.free(), map.span().dim()), (2, 0b100, 2));
/// assert!(map.is_surjective() && !map.is_injective() && !map.is_invertible());
/// assert_eq!((map.solve(0b11), BitMatrix::zero(3, 2).unwrap().solve(0b11)), (Some(0b011), None));
/// // The inverses are one-sided.
/// let (right, two) = (map.right_inverse().unwrap(), BitMatrix::identity(2).unwrap());
/// assert_eq!((map.after(&right), map.left_inverse()), (Some(two), None));
/// assert_eq!(right.left_inverse().unwrap().after(&right), Some(two));
/// // `solve_all` gives the map `C` with `swapped(x) = map(C(x))`.
/// let swapped = BitMatrix::from_columns(&[0b10, 0b01], 2).unwrap();
/// assert_eq!(map.solve_all(&swapped).unwrap().columns(), [0b010, 0b001]);
/// ```
impl BitMatrix {
    /// Returns the map that takes every input to 0; `None` with more than [`MAX_BITS`] inputs or outputs.
    pub const fn zero(inputs: u32, outputs: u32) -> Option<Self> {
        if inputs as usize > MAX_BITS || outputs as usize > MAX_BITS {
            return None;
        }
        Some(BitMatrix { inputs: inputs as u8, outputs: outputs as u8, column: [0; MAX_BITS] })
    }

    /// Returns the map that takes every input to itself; `None` with more than [`MAX_BITS`] bits.
    pub const fn identity(bits: u32) -> Option<Self> {
        let Some(mut out) = Self::zero(bits, bits) else { return None };
        each!(k, 0..bits as usize, {
            out.column[k] = 1 << k;
        });
        Some(out)
    }

    /// Returns the map with these columns; `None` if there are more than [`MAX_BITS`], or one does not fit the outputs.
    pub const fn from_columns(columns: &[u64], outputs: u32) -> Option<Self> {
        if columns.len() > MAX_BITS {
            return None;
        }
        let Some(mut out) = Self::zero(columns.len() as u32, outputs) else { return None };
        each!(k, 0..columns.len(), {
            if columns[k] & !ones(outputs) != 0 {
                return None;
            }
            out.column[k] = columns[k];
        });
        Some(out)
    }

    /// Returns the swizzle of indices below `2^bits`; `None` if it reads or changes a bit above, or `bits` exceeds `MAX_BITS`.
    pub const fn swizzle(swizzle: crate::Swizzle, bits: u32) -> Option<Self> {
        let Some(mut out) = Self::identity(bits) else { return None };
        if swizzle.width() > bits {
            return None;
        }
        each!(k, 0..(if bits < 63 { bits } else { 63 }) as usize, {
            out.column[k] = swizzle.apply(1 << k) as u64;
        });
        Some(out)
    }

    /// Returns the number of input bits.
    pub const fn inputs(&self) -> u32 {
        self.inputs as u32
    }

    /// Returns the number of output bits.
    pub const fn outputs(&self) -> u32 {
        self.outputs as u32
    }

    /// Returns the larger of the numbers of input and output bits.
    pub const fn width(&self) -> u32 {
        if self.inputs > self.outputs { self.inputs as u32 } else { self.outputs as u32 }
    }

    /// Returns the value at `2^k`, or 0 past the last input.
    pub const fn column(&self, k: usize) -> u64 {
        if k < self.inputs as usize { self.column[k] } else { 0 }
    }

    /// Returns the columns, one for each input bit.
    pub const fn columns(&self) -> &[u64] {
        self.column.split_at(self.inputs as usize).0
    }

    /// Returns the bits that are set in some column.
    pub(crate) const fn columns_together(&self) -> u64 {
        let mut all = 0;
        each!(k, 0..self.inputs() as usize, {
            all |= self.column(k);
        });
        all
    }

    /// Returns the value at `x`; bits of `x` past the inputs are ignored.
    pub const fn apply(&self, x: u64) -> u64 {
        let mut value = 0;
        let mut left = x & ones(self.inputs as u32);
        while left != 0 {
            value ^= self.column[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        value
    }

    /// Returns `x -> self(inner(x))`; `None` if `inner` has more outputs than `self` has inputs.
    pub const fn after(&self, inner: &BitMatrix) -> Option<BitMatrix> {
        if inner.outputs > self.inputs {
            return None;
        }
        let mut out = *inner;
        out.outputs = self.outputs;
        each!(k, 0..inner.inputs as usize, {
            out.column[k] = self.apply(inner.column[k]);
        });
        Some(out)
    }

    /// Returns the span of the columns. In the masks of its sums, bit `k` is column `k`.
    pub const fn span(&self) -> Span {
        Span::of(self.columns())
    }

    /// Returns the dimension of the image: the map has `2^rank` values.
    pub const fn rank(&self) -> u32 {
        self.span().dim()
    }

    /// Returns the inputs, as a mask, whose columns are sums of earlier columns and add nothing to the image.
    pub const fn free(&self) -> u64 {
        let (mut span, mut free) = (Span::EMPTY, 0);
        each!(k, 0..self.inputs as usize, {
            if !span.insert(self.column[k]) {
                free |= 1 << k;
            }
        });
        free
    }

    /// Returns true if no two inputs have the same value.
    pub const fn is_injective(&self) -> bool {
        self.rank() == self.inputs as u32
    }

    /// Returns true if every output is the value of an input.
    pub const fn is_surjective(&self) -> bool {
        self.rank() == self.outputs as u32
    }

    /// Returns true if the map is injective and surjective.
    pub const fn is_invertible(&self) -> bool {
        self.inputs == self.outputs && self.is_injective()
    }

    /// Returns the least `x` with `self(x) = y`: its free bits are 0. `None` if there is no such `x`.
    pub const fn solve(&self, y: u64) -> Option<u64> {
        match self.span().reduce(y) {
            (0, x) => Some(x),
            _ => None,
        }
    }

    /// Returns the map `C` with `a(x) = self(C(x))` and the least columns; `None` if some value of `a` is no value of `self`.
    pub const fn solve_all(&self, a: &BitMatrix) -> Option<BitMatrix> {
        let Some(mut out) = Self::zero(a.inputs as u32, self.inputs as u32) else { return None };
        let span = self.span();
        each!(k, 0..a.inputs as usize, {
            match span.reduce(a.column[k]) {
                (0, x) => out.column[k] = x,
                _ => return None,
            }
        });
        Some(out)
    }

    /// Returns the map `P` with `self(P(y)) = y` and the least columns; `None` if `self` is not surjective.
    pub const fn right_inverse(&self) -> Option<BitMatrix> {
        match Self::identity(self.outputs as u32) {
            Some(all) => self.solve_all(&all),
            None => None,
        }
    }

    /// Returns a map `P` with `P(self(x)) = x` that takes a complement of the image to 0; `None` if `self` is not injective.
    pub const fn left_inverse(&self) -> Option<BitMatrix> {
        let mut span = self.span();
        if span.dim() < self.inputs as u32 {
            return None;
        }
        let Some(mut out) = Self::zero(self.outputs as u32, self.inputs as u32) else { return None };
        // Complete the span with unit vectors; the mask below drops them from the sums.
        let taken = span.leading();
        each!(k, 0..self.outputs as usize, {
            if taken >> k & 1 == 0 {
                span.insert(1 << k);
            }
        });
        each!(k, 0..self.outputs as usize, {
            out.column[k] = span.reduce(1 << k).1 & ones(self.inputs as u32);
        });
        Some(out)
    }

    /// Returns the inverse; `None` if `self` is not invertible.
    pub const fn inverse(&self) -> Option<BitMatrix> {
        if self.inputs == self.outputs { self.right_inverse() } else { None }
    }

    /// Returns the block-diagonal map: `self` on the low bits, `high` on the bits above. `None` if there are too many bits.
    ///
    /// ```
    /// use layout_algebra::bits::BitMatrix;
    /// let swapped = BitMatrix::from_columns(&[2, 1], 2).unwrap();
    /// let both = swapped.direct_sum(&BitMatrix::identity(1).unwrap()).unwrap();
    /// assert_eq!((both.apply(0b001), both.apply(0b110)), (0b010, 0b101));
    /// ```
    pub const fn direct_sum(&self, high: &BitMatrix) -> Option<BitMatrix> {
        let Some(mut out) = Self::zero(self.inputs() + high.inputs(), self.outputs() + high.outputs()) else { return None };
        each!(k, 0..self.inputs as usize, {
            out.column[k] = self.column[k];
        });
        each!(k, 0..high.inputs as usize, {
            // A shift by all 64 bits would overflow; `high` has no outputs then.
            out.column[self.inputs as usize + k] = if self.outputs as usize == MAX_BITS { 0 } else { high.column[k] << self.outputs };
        });
        Some(out)
    }
}

impl PartialEq for BitMatrix {
    fn eq(&self, other: &Self) -> bool {
        self.outputs == other.outputs && self.columns() == other.columns()
    }
}

impl Eq for BitMatrix {}

impl core::fmt::Debug for BitMatrix {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} in {} bits", self.columns(), self.outputs)
    }
}
