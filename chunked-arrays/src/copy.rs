//! Copies boxes between two arrays in C order.

use crate::grid::{Region, product};

/// Iterates over the runs of consecutive elements of `region` within an array of this shape: the position of the first element in the
/// region, its position in the array, and the number of elements.
pub(crate) fn runs(region: &Region, shape: &[u64]) -> impl Iterator<Item = (u64, u64, u64)> {
    // The trailing axes that the region covers whole, and the axis before them, are one run.
    let mut axis = shape.len();
    let mut run = 1;
    while axis > 0 {
        axis -= 1;
        run *= region.shape[axis];
        if region.shape[axis] != shape[axis] {
            break;
        }
    }
    let strides: Vec<u64> = strides(shape);
    let first: u64 = region.start.iter().zip(&strides).map(|(start, stride)| start * stride).sum();
    let counts: Vec<_> = region.shape[..axis].iter().map(|length| 0..*length).collect();
    product(counts).filter(move |_| run > 0).enumerate().map(move |(number, at)| {
        let offset: u64 = at.iter().zip(&strides).map(|(at, stride)| at * stride).sum();
        (number as u64 * run, first + offset, run)
    })
}

/// Returns the number of elements between neighbours along each axis of an array in C order.
fn strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// An array in C order in memory, at a position of a larger array.
pub(crate) struct Block<'a> {
    /// The position of the first element in the larger array.
    pub start: &'a [u64],
    /// The extents of the array in memory.
    pub shape: &'a [u64],
}

impl Block<'_> {
    /// Returns a region of the larger array, relative to this block.
    fn relative(&self, region: &Region) -> Region {
        let start = region.start.iter().zip(self.start).map(|(at, start)| at - start).collect();
        Region { start, shape: region.shape.clone() }
    }
}

/// Copies the elements of `region` from one block to another. Elements have `size` bytes.
pub(crate) fn copy(region: &Region, size: usize, from: &Block<'_>, source: &[u8], to: &Block<'_>, target: &mut [u8]) {
    if region.elements() == 0 {
        return;
    }
    let (a, b) = (from.relative(region), to.relative(region));
    let (strides_a, strides_b) = (strides(from.shape), strides(to.shape));
    let at = |region: &Region, strides: &[u64]| region.start.iter().zip(strides).map(|(at, stride)| at * stride).sum::<u64>() as usize;
    let (first_a, first_b) = (at(&a, &strides_a), at(&b, &strides_b));
    // A run ends at the first axis, from the last one on, that either block has beyond the region.
    let mut axis = region.shape.len();
    let mut run = 1usize;
    while axis > 0 {
        axis -= 1;
        run *= region.shape[axis] as usize;
        if region.shape[axis] != from.shape[axis] || region.shape[axis] != to.shape[axis] {
            break;
        }
    }
    // The innermost loop has no divisions and no allocation.
    let (loops, inner) = match axis.checked_sub(1) {
        Some(inner) => (inner, (region.shape[inner] as usize, strides_a[inner] as usize * size, strides_b[inner] as usize * size)),
        None => (0, (1, 0, 0)),
    };
    let bytes = run * size;
    for outer in product(region.shape[..loops].iter().map(|length| 0..*length).collect()) {
        let offset = |strides: &[u64]| outer.iter().zip(strides).map(|(at, stride)| at * stride).sum::<u64>() as usize;
        let (mut a, mut b) = ((first_a + offset(&strides_a)) * size, (first_b + offset(&strides_b)) * size);
        let (count, step_a, step_b) = inner;
        for _ in 0..count {
            match bytes {
                // A copy of a known length is one instruction, and a call otherwise.
                4 => target[b..b + 4].copy_from_slice(&source[a..a + 4]),
                8 => target[b..b + 8].copy_from_slice(&source[a..a + 8]),
                _ => target[b..b + bytes].copy_from_slice(&source[a..a + bytes]),
            }
            a += step_a;
            b += step_b;
        }
    }
}
