//! Tests permutations of many short modes, which are gathered in blocks.

use super::naive::{Element, Strides, check};
use super::random::Random;

/// Generates short extents of at most `most` elements together.
fn extents(random: &mut Random, most: i64) -> Vec<i64> {
    let set: &[i64] = [&[2][..], &[3], &[2, 3, 5, 7], &[2, 4, 16], &[4, 32]][random.below(5) as usize];
    let (mut out, mut left) = (vec![], most);
    loop {
        let extent = set[random.below(set.len() as u64) as usize];
        if extent > left {
            return out;
        }
        left /= extent;
        out.push(extent);
    }
}

/// Generates the order of `rank` modes in memory: any order, a reversal, a rotation, a shuffle, or any order behind a few
/// modes that keep their places.
fn order(random: &mut Random, rank: usize) -> Vec<usize> {
    let mut out: Vec<usize> = (0..rank).collect();
    match random.below(5) {
        0 => out.reverse(),
        1 => out.rotate_left(random.below(rank as u64) as usize),
        2 => out.sort_by_key(|k| (k % rank.div_ceil(2), *k)),
        kind => {
            let fixed = if kind == 3 { 0 } else { random.below(rank as u64) as usize };
            for k in (fixed + 1..rank).rev() {
                out.swap(k, fixed + random.below((k - fixed) as u64 + 1) as usize);
            }
        }
    }
    out
}

/// Generates the strides of modes in an order, the first the fastest. The mode `gap` of the order has a gap behind it.
fn strides(extents: &[i64], order: &[usize], gap: Option<usize>, base: i64) -> Strides {
    let mut digits: Vec<(i64, i64)> = extents.iter().map(|extent| (*extent, 0)).collect();
    let mut next = 1;
    for (place, k) in order.iter().enumerate() {
        digits[*k].1 = next;
        next = next * extents[*k] + if gap == Some(place) { 3 } else { 0 };
    }
    Strides { digits, base }
}

fn permutation<T: Element>(random: &mut Random, most: i64) {
    let extents = extents(random, most / size_of::<T>() as i64);
    if extents.is_empty() {
        return;
    }
    let rank = extents.len();
    let order = order(random, rank);
    let mut gap = || random.one_in(4).then(|| random.below(rank as u64) as usize);
    let (from, to) = (gap(), gap());
    let mut source = strides(&extents, &(0..rank).collect::<Vec<_>>(), from, 0);
    if random.one_in(6) {
        // One mode of the source runs backwards, or repeats its elements.
        let (extent, stride) = &mut source.digits[random.below(rank as u64) as usize];
        if random.one_in(2) {
            (source.base, *stride) = ((*extent - 1) * *stride, -*stride);
        } else {
            *stride = 0;
        }
    }
    check::<T>(&source, &strides(&extents, &order, to, random.below(3) as i64), random.below(70) as usize);
}

/// `RELAYOUT_PAIRS` and `RELAYOUT_SEED` are as for other random pairs.
#[test]
fn as_a_loop_over_coordinates() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    let first = number("RELAYOUT_SEED", 1);
    for seed in first..first + number("RELAYOUT_PAIRS", if cfg!(miri) { 8 } else { 400 }) {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // The bytes of a tensor. Blocks have at least 512 bytes.
        let most = if cfg!(miri) { 1 << 10 } else { [1 << 12, 1 << 15, 1 << 19][random.below(3) as usize] };
        match random.below(7) {
            0 => permutation::<u8>(random, most.min(1 << 16)),
            1 => permutation::<u16>(random, most.min(1 << 17)),
            2 => permutation::<u32>(random, most),
            3 | 4 => permutation::<u64>(random, most),
            5 => permutation::<u128>(random, most),
            _ => permutation::<[u32; 3]>(random, most),
        }
    }
}
