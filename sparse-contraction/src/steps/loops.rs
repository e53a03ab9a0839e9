//! Products of two dense arrays: one loop for each letter, the innermost over adjacent elements.

use super::OfDense;
use crate::ContractionError;
use crate::estimate::{members, set};
use crate::subscripts::Letter;
use crate::value::{strides, zeros};
use alloc::vec::Vec;
use sparse_formats::Scalar;

/// A loop: its number of iterations, and its strides in both operands and in the result.
#[derive(Clone, Copy)]
struct Loop {
    extent: usize,
    a: usize,
    b: usize,
    out: usize,
}

/// Multiplies two dense arrays, and sums over the letters that the result lacks. Fails if memory has no room for the result.
pub(super) fn multiply<T: Scalar>(
    extents: &[u64],
    (of_a, a): OfDense<T>,
    (of_b, b): OfDense<T>,
    out: &[Letter],
) -> Result<Vec<T>, ContractionError> {
    let shape: Vec<u64> = out.iter().map(|letter| extents[*letter]).collect();
    let mut data = zeros(&shape)?;
    let all = set(of_a) | set(of_b);
    if a.is_empty() || b.is_empty() || members(all).any(|letter| extents[letter] == 0) {
        return Ok(data);
    }
    let [of_a, of_b, of_out] = [of_a, of_b, out].map(|letters| strides(extents, letters));
    let of = |letter: Letter| Loop { extent: extents[letter] as usize, a: of_a[letter], b: of_b[letter], out: of_out[letter] };
    // The letters of the result are outside, in their order, and sums inside.
    let mut loops: Vec<Loop> = out.iter().copied().chain(members(all & !set(out))).map(of).filter(|of| of.extent > 1).collect();
    let adjacent = |of: &Loop| [of.a, of.b, of.out].iter().filter(|stride| **stride <= 1).count() * 2 + usize::from(of.out == 1);
    if let Some(inner) = (0..loops.len()).max_by_key(|k| (adjacent(&loops[*k]), *k)) {
        let inner = loops.remove(inner);
        loops.push(inner);
    }
    nest(&loops, [0; 3], a, b, &mut data);
    Ok(data)
}

/// Runs nested loops from these positions in the operands and in the result.
fn nest<T: Scalar>(loops: &[Loop], [i, j, k]: [usize; 3], a: &[T], b: &[T], out: &mut [T]) {
    match loops {
        [] => out[k] = out[k].plus(a[i].times(b[j])),
        [last] => innermost(*last, [i, j, k], a, b, out),
        [outer, inner @ ..] => {
            for x in 0..outer.extent {
                nest(inner, [i + x * outer.a, j + x * outer.b, k + x * outer.out], a, b, out);
            }
        }
    }
}

/// Runs one loop. Loops over adjacent elements are over slices.
#[inline]
fn innermost<T: Scalar>(Loop { extent, a: da, b: db, out: dk }: Loop, [i, j, k]: [usize; 3], a: &[T], b: &[T], out: &mut [T]) {
    match [da, db, dk] {
        [1, 0, 1] => out[k..][..extent].iter_mut().zip(&a[i..][..extent]).for_each(|(out, a)| *out = out.plus(a.times(b[j]))),
        [0, 1, 1] => out[k..][..extent].iter_mut().zip(&b[j..][..extent]).for_each(|(out, b)| *out = out.plus(a[i].times(*b))),
        [1, 1, 1] => {
            let pairs = a[i..][..extent].iter().zip(&b[j..][..extent]);
            out[k..][..extent].iter_mut().zip(pairs).for_each(|(out, (a, b))| *out = out.plus(a.times(*b)));
        }
        [1, 1, 0] => {
            let pairs = a[i..][..extent].iter().zip(&b[j..][..extent]);
            out[k] = pairs.fold(out[k], |sum, (a, b)| sum.plus(a.times(*b)));
        }
        [da, db, 0] => out[k] = (0..extent).fold(out[k], |sum, x| sum.plus(a[i + x * da].times(b[j + x * db]))),
        [da, db, dk] => {
            for x in 0..extent {
                let out = &mut out[k + x * dk];
                *out = out.plus(a[i + x * da].times(b[j + x * db]));
            }
        }
    }
}
