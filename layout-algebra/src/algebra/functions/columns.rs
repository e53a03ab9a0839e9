//! Functions of bits and multiples of a block, and their comparison.
//!
//! Below a block `2^v`, which contains the bits of all XOR strides and swizzles, a function without carries is linear over F2. Each bit of
//! the coordinate has a column, and the index is the exclusive-or of a start and the columns. The other modes add multiples of `2^v`.
//! Two such functions that agree below `p` agree further on if the next bit has the same column, or the next mode the same stride, in
//! both. Otherwise they differ at `p`: a column has a bit below the block, and a multiple of the block has none.

use super::known::{After, KnownFunction};
use crate::algebra::xor::bits_reached;

/// The maximum number of parts of a function: 63 bits of the coordinate, and a mode of another extent for each leaf.
pub(super) const PARTS: usize = 128;

/// A bit of the coordinate, with its column, or a mode, with its stride.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub extent: i64,
    /// The column of a bit, or the stride of a mode.
    pub step: i64,
    pub is_bit: bool,
    /// The linear coordinate of one step.
    pub weight: i64,
}

/// A function of bits and multiples of a block: `(start ^ columns) + strides`.
pub(super) struct Columns {
    pub start: i64,
    pub len: usize,
    pub part: [Part; PARTS],
}

/// Returns the number of low bits that the XOR strides and the swizzle of `f` read or change; `None` for two layouts.
pub(super) const fn block<const N: usize>(f: &KnownFunction<N>) -> Option<u32> {
    let mut width = match &f.after {
        After::Nothing => 0,
        After::Swizzle(swizzle) => swizzle.width(),
        After::Layout(_) => return None,
    };
    each!(k, 0..f.modes.len, {
        if f.modes.xor[k] {
            let reached = 64 - bits_reached(f.modes.extent[k], f.modes.stride[k]).leading_zeros();
            width = if reached > width { reached } else { width };
        }
    });
    if width < 62 { Some(width) } else { None }
}

impl Columns {
    const fn push(&mut self, extent: i64, step: i64, is_bit: bool, weight: i64) -> Option<()> {
        if self.len > 0 && !is_bit {
            let last = &mut self.part[self.len - 1];
            if !last.is_bit && last.extent as i128 * last.step as i128 == step as i128 {
                last.extent *= extent;
                return Some(());
            }
        }
        if self.len == PARTS {
            return None;
        }
        self.part[self.len] = Part { extent, step, is_bit, weight };
        self.len += 1;
        Some(())
    }

    /// Returns the bits and the modes of `f` for the block `2^width`. Returns `None` if sums carry inside the block, or if a mode inside
    /// it has another extent than a power of two.
    pub const fn of<const N: usize>(f: &KnownFunction<N>, width: u32) -> Option<Self> {
        let mut out = Columns { start: 0, len: 0, part: [Part { extent: 1, step: 0, is_bit: false, weight: 1 }; PARTS] };
        // The least sum of all modes, and of those inside the block.
        let (mut least, mut start) = (f.offset as i128, f.offset);
        // The columns that sums have, those of XOR strides, and those of negative strides together.
        let (mut sums, mut mixed, mut down) = (0i64, 0i64, 0i64);
        let (block, mut weight) = (1i64 << width, 1i64);
        each!(k, 0..f.modes.len, {
            let (mut extent, mut stride, xor) = (f.modes.extent[k], f.modes.stride[k], f.modes.xor[k]);
            if stride < 0 {
                least += stride as i128 * (extent - 1) as i128;
            }
            while extent & 1 == 0 && extent > 1 && (xor || stride & (block - 1) != 0) {
                let column = stride.abs();
                if column >= 1 << 61 {
                    return None;
                }
                if xor {
                    mixed |= column;
                } else {
                    if sums & column != 0 {
                        return None;
                    }
                    sums |= column;
                }
                if stride < 0 {
                    start += stride;
                    down ^= column;
                }
                if out.push(2, column, true, weight).is_none() {
                    return None;
                }
                extent /= 2;
                stride *= 2;
                weight *= 2;
            }
            if extent > 1 && (xor || stride & (block - 1) != 0 || out.push(extent, stride, false, weight).is_none()) {
                return None;
            }
            weight = weight.saturating_mul(extent);
        });
        if sums & mixed != 0 || start & (sums | mixed) != 0 {
            return None;
        }
        out.start = start ^ down;
        if let After::Swizzle(swizzle) = &f.after {
            if least < 0 {
                return None;
            }
            out.start = swizzle.apply(out.start);
            each!(k, 0..out.len, {
                if out.part[k].is_bit {
                    out.part[k].step = swizzle.apply(out.part[k].step);
                }
            });
        }
        Some(out)
    }
}

/// Returns the least coordinate at which the functions differ, or at which one ends, as `Some`; `Some(None)` if there is none. Returns
/// `None` if one of them is not a function of bits and multiples of a block.
pub(super) const fn compare<const N: usize>(a: &KnownFunction<N>, b: &KnownFunction<N>) -> Option<Option<i64>> {
    let (Some(width), Some(other)) = (block(a), block(b)) else { return None };
    let width = if width > other { width } else { other };
    let (Some(a), Some(b)) = (Columns::of(a, width), Columns::of(b, width)) else { return None };
    if a.start != b.start {
        return Some(Some(0));
    }
    let (mut i, mut j, mut at) = (0, 0, 1i64);
    // The steps of the current parts that have been compared.
    let (mut before, mut other_before) = (1, 1);
    while i < a.len && j < b.len {
        let (left, right) = (&a.part[i], &b.part[j]);
        // A multiple may be out of the range of one of them only.
        if left.is_bit != right.is_bit || left.step as i128 * before as i128 != right.step as i128 * other_before as i128 {
            return Some(Some(at));
        }
        let (n, m) = (left.extent / before, right.extent / other_before);
        if n == m {
            (i, before) = (i + 1, 1);
            (j, other_before) = (j + 1, 1);
            at *= n;
        } else if n < m {
            // The next part of `a` does not continue this one: the functions differ there unless `n` divides `m`.
            (i, before) = (i + 1, 1);
            at *= n;
            if m % n != 0 {
                return Some(Some(at));
            }
            other_before *= n;
        } else {
            (j, other_before) = (j + 1, 1);
            at *= m;
            if n % m != 0 {
                return Some(Some(at));
            }
            before *= m;
        }
    }
    Some(if i == a.len && j == b.len { None } else { Some(at) })
}
