//! Spans of bit vectors, with the sums that make their elements.

use super::MAX_BITS;

/// The span of some of the vectors given so far: those that are no sum of others before them, reduced so that each has a highest bit of its own.
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
    /// By highest bit; 0 where there is none.
    vector: [u64; MAX_BITS],
    /// The vectors given, as bits, that each is the sum of.
    sum: [u64; MAX_BITS],
}

impl Span {
    /// The span of nothing: 0.
    pub const EMPTY: Span = Span { dim: 0, given: 0, vector: [0; MAX_BITS], sum: [0; MAX_BITS] };

    /// The span of vectors.
    pub const fn of(vectors: &[u64]) -> Span {
        let mut span = Span::EMPTY;
        each!(k, 0..vectors.len(), {
            span.insert(vectors[k]);
        });
        span
    }

    /// What is left of `x` without its part in the span, and the vectors given, as bits, that the part is the sum of.
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

    /// Adds a vector; returns false where it is a sum of those before, and then changes nothing but their number. Sums tell the first
    /// [`MAX_BITS`] vectors apart.
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

    /// Whether `x` is a sum of the vectors.
    pub const fn contains(&self, x: u64) -> bool {
        self.reduce(x).0 == 0
    }

    /// The basis vector with that highest bit; 0 where there is none.
    pub const fn vector(&self, top: usize) -> u64 {
        if top < MAX_BITS { self.vector[top] } else { 0 }
    }

    /// The dimension: the span has `2^dim` elements.
    pub const fn dim(&self) -> u32 {
        self.dim as u32
    }

    /// The greatest element.
    pub const fn greatest(&self) -> u64 {
        self.greatest_with(0)
    }

    /// The greatest exclusive-or of `x` and an element.
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

    /// The bits that are highest in an element of the basis: what the unit vectors of the others add to the span is everything.
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
