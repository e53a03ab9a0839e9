//! Tests transfers between random pairs of layouts.

use super::naive::{Element, Strides, check, check_swizzled};
use layout_core::layouts::Swizzle;

/// A multiplicative random generator with its state.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 11) * u128::from(n)) >> 53) as u64
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Generates strides for extents, in some order in memory. Only a source may have strides of 0 or repeat elements.
pub fn strides(random: &mut Random, extents: &[i64], source: bool) -> Strides {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, random.below(k as u64 + 1) as usize);
    }
    let mut digits: Vec<(i64, i64)> = extents.iter().map(|extent| (*extent, 0)).collect();
    let (mut next, mut base) = (if random.one_in(6) { 1 + random.below(4) as i64 } else { 1 }, 0);
    for k in order {
        let extent = extents[k];
        let stride = match random.below(12) {
            0 | 1 => -next,
            2 if source => 0,
            3 if source => 1,
            _ => next,
        };
        digits[k].1 = stride;
        base += if stride < 0 { -stride * (extent - 1).max(0) } else { 0 };
        next *= extent;
        if random.one_in(5) {
            next += random.below(9) as i64;
        }
        if random.one_in(8) {
            next = (next + 63) / 64 * 64;
        }
    }
    Strides { digits, base: base + random.below(3) as i64 }
}

/// Generates extents of at most `most` elements together.
pub fn extents(random: &mut Random, most: i64) -> Vec<i64> {
    let rank = 1 + random.below(5) as usize;
    let mut left = most;
    let mut out: Vec<i64> = (0..rank)
        .map(|_| {
            let usual = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 129, 300][random.below(20) as usize];
            let extent = usual.min(left);
            left /= extent;
            extent
        })
        .collect();
    if random.one_in(50) {
        out[0] = 0;
    }
    out
}

fn pair<T: Element>(random: &mut Random, most: i64) {
    let extents = extents(random, most);
    let (source, target) = (strides(random, &extents, true), strides(random, &extents, false));
    check::<T>(&source, &target, random.below(70) as usize);
}

/// `RELAYOUT_PAIRS` sets the number of pairs. The default is 1500, or 14 small ones under Miri.
#[test]
fn as_a_loop_over_coordinates() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    let first = number("RELAYOUT_SEED", 1);
    for seed in first..first + number("RELAYOUT_PAIRS", if cfg!(miri) { 14 } else { 1500 }) {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let most = if cfg!(miri) { 60 } else { [3000, 60000][usize::from(random.one_in(10))] };
        match random.below(7) {
            0 => pair::<u8>(random, most),
            1 => pair::<u16>(random, most),
            2 => pair::<u32>(random, most),
            3 => pair::<u64>(random, most),
            4 => pair::<u128>(random, most),
            5 => pair::<[u8; 3]>(random, most),
            _ => pair::<[u32; 3]>(random, most),
        }
    }
}

fn tile<T: Element>(random: &mut Random) {
    let (bits, base) = (1 + random.below(3) as i64, random.below(5) as i64);
    let swizzle = Swizzle::new(bits, base, bits + random.below(2) as i64).expect("a swizzle");
    let (rows, columns) = (1 << random.below(6), 4 << random.below(6));
    let rowwise = Strides { digits: vec![(3, rows * columns), (rows, columns), (columns, 1)], base: 0 };
    let source = match random.below(3) {
        0 => rowwise.clone(),
        1 => Strides { digits: vec![(3, 1), (rows, 3 * columns + 5), (columns, 3)], base: 2 },
        _ => Strides { digits: vec![(3, rows * columns + 1), (rows, 1), (columns, rows)], base: 0 },
    };
    check_swizzled::<T>(&source, &rowwise, swizzle, random.below(70) as usize);
}

#[test]
fn swizzled_tiles_as_a_loop_over_coordinates() {
    for seed in 1..if cfg!(miri) { 4 } else { 400_u64 } {
        let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match random.below(6) {
            0 => tile::<u8>(random),
            1 => tile::<u16>(random),
            2 => tile::<u32>(random),
            3 => tile::<u64>(random),
            4 => tile::<u128>(random),
            _ => tile::<[u8; 3]>(random),
        }
    }
}
