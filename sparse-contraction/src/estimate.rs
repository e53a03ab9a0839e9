//! Estimates of stored elements and of work, from stored counts and extents, as if coordinates were independent.

use crate::subscripts::Letter;
use alloc::vec::Vec;

/// A set of letters: bit `k` is letter `k`.
pub(crate) type Letters = u128;

/// Returns the set of a list of letters.
pub(crate) fn set(letters: &[Letter]) -> Letters {
    letters.iter().fold(0, |set, letter| set | 1 << letter)
}

/// Returns the letters of a set, in increasing order.
pub(crate) fn members(set: Letters) -> impl Iterator<Item = Letter> {
    (0..crate::subscripts::MOST_LETTERS).filter(move |letter| set >> letter & 1 == 1)
}

/// A tensor of a plan: an operand, or the result of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    /// The letter of each axis.
    pub letters: Vec<Letter>,
    /// The number of stored elements, estimated for results. All elements of a dense array are stored.
    pub stored: f64,
    /// True for a dense array.
    pub dense: bool,
}

/// Returns the number of coordinates in these letters.
pub(crate) fn size(extents: &[u64], letters: Letters) -> f64 {
    members(letters).fold(1.0, |size, letter| size * extents[letter] as f64)
}

/// Returns the expected number of products of two tensors: pairs of stored elements that agree in their common letters.
pub(crate) fn products(extents: &[u64], a: (Letters, f64), b: (Letters, f64)) -> f64 {
    let common = size(extents, a.0 & b.0);
    if a.1 == 0.0 || b.1 == 0.0 || common == 0.0 { 0.0 } else { a.1 / common * b.1 }
}
