//! Boxes of coordinates, with intersection and difference.

use alloc::vec;
use alloc::vec::Vec;

/// A box: the coordinates with `lo[k] <= c[k] < hi[k]`.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub lo: Vec<i64>,
    pub hi: Vec<i64>,
}

impl Region {
    /// Returns the number of coordinates in the box; 0 if it is empty.
    pub fn size(&self) -> i128 {
        self.lo.iter().zip(&self.hi).map(|(lo, hi)| i128::from((hi - lo).max(0))).product()
    }

    /// Returns the intersection of two boxes, or `None` if it is empty.
    pub fn common(&self, other: &Region) -> Option<Region> {
        let lo: Vec<i64> = self.lo.iter().zip(&other.lo).map(|(a, b)| *a.max(b)).collect();
        let hi: Vec<i64> = self.hi.iter().zip(&other.hi).map(|(a, b)| *a.min(b)).collect();
        if lo.iter().zip(&hi).all(|(lo, hi)| lo < hi) { Some(Region { lo, hi }) } else { None }
    }

    /// Returns disjoint boxes with the coordinates of `self` that are not in `other`.
    pub fn without(&self, other: &Region) -> Vec<Region> {
        let Some(common) = self.common(other) else { return vec![self.clone()] };
        let mut rest = self.clone();
        let mut out = vec![];
        for k in 0..self.lo.len() {
            if rest.lo[k] < common.lo[k] {
                let mut below = rest.clone();
                below.hi[k] = common.lo[k];
                out.push(below);
            }
            if common.hi[k] < rest.hi[k] {
                let mut above = rest.clone();
                above.lo[k] = common.hi[k];
                out.push(above);
            }
            (rest.lo[k], rest.hi[k]) = (common.lo[k], common.hi[k]);
        }
        out
    }

    /// Returns the lexicographically first coordinate of `self` that is in none of `others`, or `None` if there is none.
    pub fn first_outside<'a>(&self, others: impl Iterator<Item = &'a Region>) -> Option<Vec<i64>> {
        let mut left = vec![self.clone()];
        for other in others {
            left = left.iter().flat_map(|region| region.without(other)).collect();
        }
        left.into_iter().map(|region| region.lo).min()
    }
}
