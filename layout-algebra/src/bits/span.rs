//! Spans of bit vectors. A span records which inserted vectors sum to each element.

use super::MAX_BITS;

/// The span of inserted bit vectors: a basis, reduced so that each basis vector has its own highest bit.
///
/// ```
/// use layout_algebra::bits::Span;
/// let mut span = Span::EMPTY;
/// assert!(span.insert(0b011) && span.insert(0b110));
/// assert!(!span.insert(0b101));
/// assert_eq!((span.dim(), span.contains(0b101), span.contains(1)), (2, true, false));
/// ```
#[derive(Clone, Copy)]
pub struct Span {
    dim: u8,
    given: u8,
    /// The basis vector with each highest bit; 0 if there is none.
    vector: [u64; MAX_BITS],
    /// The inserted vectors, as a mask, that sum to each basis vector.
    sum: [u64; MAX_BITS],
}

/// The elements of the span, and its basis.
///
/// ```
/// use layout_algebra::bits::Span;
/// let span = Span::of(&[0b011, 0b110]);
/// // 0b101 is the sum of both vectors. 0b111 is not in the span: the second vector leaves the rest 0b001.
/// assert_eq!((span.reduce(0b101), span.reduce(0b111)), ((0, 0b11), (0b001, 0b10)));
/// // The span is 0, 3, 5, 6.
/// assert_eq!((span.greatest(), span.greatest_with(0b001)), (6, 7));
/// assert_eq!((span.leading(), span.vector(2), span.vector(0)), (0b110, 0b101, 0));
/// ```
impl Span {
    /// The span of no vectors, which contains only 0.
    pub const EMPTY: Span = Span { dim: 0, given: 0, vector: [0; MAX_BITS], sum: [0; MAX_BITS] };

    /// Returns the span of `vectors`.
    pub const fn of(vectors: &[u64]) -> Span {
        let mut span = Span::EMPTY;
        each!(k, 0..vectors.len(), {
            span.insert(vectors[k]);
        });
        span
    }

    /// Returns `(rest, sum)`: `x` reduced by the basis, 0 if `x` is in the span; and the mask of the vectors that sum to `x ^ rest`.
    pub const fn reduce(&self, x: u64) -> (u64, u64) {
        let (mut rest, mut left, mut sum) = (x, x, 0);
        while left != 0 {
            let top = 63 - left.leading_zeros() as usize;
            if self.vector[top] != 0 {
                rest ^= self.vector[top];
                left ^= self.vector[top];
                sum ^= self.sum[top];
            }
            left &= !(1 << top);
        }
        (rest, sum)
    }

    /// Inserts a vector. Returns false if it is a sum of earlier vectors; then only the count of inserted vectors changes. Sums
    /// record only the first [`MAX_BITS`] vectors.
    pub const fn insert(&mut self, x: u64) -> bool {
        let (rest, sum) = self.reduce(x);
        let own = if (self.given as usize) < MAX_BITS { 1 << self.given } else { 0 };
        self.given = self.given.saturating_add(1);
        if rest == 0 {
            return false;
        }
        let top = 63 - rest.leading_zeros() as usize;
        self.vector[top] = rest;
        self.sum[top] = sum ^ own;
        self.dim += 1;
        true
    }

    /// Returns true if `x` is the exclusive-or of some inserted vectors.
    pub const fn contains(&self, x: u64) -> bool {
        self.reduce(x).0 == 0
    }

    /// Returns the basis vector with highest bit `top`; 0 if there is none.
    pub const fn vector(&self, top: usize) -> u64 {
        if top < MAX_BITS { self.vector[top] } else { 0 }
    }

    /// Returns the dimension: the span has `2^dim` elements.
    pub const fn dim(&self) -> u32 {
        self.dim as u32
    }

    /// Returns the greatest number in the span.
    pub const fn greatest(&self) -> u64 {
        self.greatest_with(0)
    }

    /// Returns the greatest exclusive-or of `x` and a number in the span.
    pub const fn greatest_with(&self, x: u64) -> u64 {
        let mut most = x;
        let mut top = MAX_BITS;
        while top > 0 {
            top -= 1;
            if self.vector[top] != 0 && most >> top & 1 == 0 {
                most ^= self.vector[top];
            }
        }
        most
    }

    /// Returns the mask of the highest bits of the basis vectors. The unit vectors of all other bits complete the basis.
    pub const fn leading(&self) -> u64 {
        let mut bits = 0;
        each!(k, 0..MAX_BITS, {
            if self.vector[k] != 0 {
                bits |= 1 << k;
            }
        });
        bits
    }
}
