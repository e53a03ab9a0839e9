//! Runs the cases of `benches/copy`: layouts of real programs.

use super::naive::{Element, Strides, check, check_swizzled};
use layout_core::layouts::Swizzle;
use serde_json::Value;

fn numbers(text: &str) -> Vec<i64> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '-'));
    words.filter(|word| !word.is_empty()).map(|word| word.parse().expect("a number")).collect()
}

fn strides(layout: &str, base: &Value) -> Strides {
    let (shape, strides) = layout.split_once(':').expect("a layout");
    Strides { digits: numbers(shape).into_iter().zip(numbers(strides)).collect(), base: base.as_i64().expect("a number") }
}

/// Halves the greatest extents of both sides until `most` elements are left. The order of the strides, their signs and
/// the gaps between modes stay.
fn scaled(sides: [Strides; 2], most: i64) -> [Strides; 2] {
    let mut extents: Vec<i64> = sides[0].digits.iter().map(|digit| digit.0).collect();
    while extents.iter().product::<i64>() > most {
        let greatest = extents.iter_mut().max().expect("a digit");
        *greatest = (*greatest + 1) / 2;
    }
    let reach = |side: &Strides| side.digits.iter().map(|(extent, stride)| (extent - 1) * stride.min(&0)).sum::<i64>();
    sides.map(|old| {
        let mut new = Strides { digits: extents.iter().map(|extent| (*extent, 0)).collect(), base: 0 };
        let mut order: Vec<usize> = (0..extents.len()).filter(|k| old.digits[*k].1 != 0).collect();
        order.sort_by_key(|k| old.digits[*k].1.abs());
        let (mut end, mut new_end) = (1, 1);
        for k in order {
            let (extent, stride) = old.digits[k];
            let size = new_end + stride.abs() - end;
            new.digits[k].1 = size * stride.signum();
            (end, new_end) = (extent * stride.abs(), extents[k] * size);
        }
        new.base = old.base + reach(&old) - reach(&new);
        new
    })
}

fn run<T: Element>(case: &Value, most: i64) {
    let side = |name: &str| strides(case[name].as_str().expect("a layout"), &case[format!("{name}_offset")]);
    let [source, target] = scaled([side("source"), side("target")], most);
    match case["target_swizzle"].as_str().map(numbers).as_deref() {
        Some([bits, base, shift]) => check_swizzled::<T>(&source, &target, Swizzle::new(*bits, *base, *shift).expect("a swizzle"), 0),
        _ => [0, 1].iter().for_each(|begin| check::<T>(&source, &target, *begin)),
    }
}

/// Runs the cases that do not fit caches scaled down. `RELAYOUT_CASES=all` runs all as they are, some of them of hundreds of
/// megabytes.
#[test]
fn as_a_loop_over_coordinates() {
    let text = include_str!("../data/copies.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    let every = std::env::var("RELAYOUT_CASES").is_ok_and(|which| which == "all");
    let mut ran = 0;
    for case in all["cases"].as_array().expect("a list") {
        if case["op"].is_string() {
            continue;
        }
        ran += 1;
        let most = if every || case["size"] == "cache" { i64::MAX } else { 1 << 15 };
        match case["elem"].as_str() {
            Some("u8") => run::<u8>(case, most),
            Some("u16") => run::<u16>(case, most),
            Some("f32") => run::<u32>(case, most),
            _ => run::<u64>(case, most),
        }
    }
    assert_eq!(ran, 125);
}

/// Rows of the target begin anywhere within lines, and are longer or shorter than the rows of a block.
#[test]
fn transpositions_off_the_lines() {
    let side = |digits: &[(i64, i64)], base| Strides { digits: digits.to_vec(), base };
    for (rows, columns) in [(67, 1031), (1031, 67), (2, 1500), (130, 257)] {
        let source = side(&[(rows, columns), (columns, 1)], 0);
        let target = side(&[(rows, 1), (columns, rows)], 3);
        let batched = side(&[(3, rows * columns + 1), (rows, columns), (columns, 1)], 0);
        let batches = side(&[(3, rows * columns + 5), (rows, 1), (columns, rows)], 1);
        for (source, target) in [(&source, &target), (&batched, &batches)] {
            check::<u8>(source, target, 1);
            check::<u16>(source, target, 1);
            check::<u32>(source, target, 0);
            check::<u64>(source, target, 1);
            check::<u128>(source, target, 0);
        }
    }
}

/// Columns of the target, and sometimes rows of the source, are whole pages apart and so share sets of a cache.
#[test]
fn columns_of_one_set() {
    fn pages<T: Element>() {
        let page = 4096 / size_of::<T>() as i64;
        let side = |digits: &[(i64, i64)]| Strides { digits: digits.to_vec(), base: 0 };
        // The kernel cuts a single loop at any turn, but several loops only where one of them begins.
        for (rows, columns) in [(300, 70), (67, 64)] {
            let (far, near) = (page * (rows / page + 1), page * (columns / page + 1));
            check::<T>(&side(&[(rows, columns), (columns, 1)]), &side(&[(rows, 1), (columns, far)]), 0);
            check::<T>(&side(&[(rows, near), (columns, 1)]), &side(&[(rows, 1), (columns, far)]), 1);
        }
        for [a, b, c, d] in [[16, 8, 16, 16], [8, 40, 2, 8], [33, 4, 3, 72]] {
            let (source, target) = (page * (b * c * d / page + 1), page * (a * b * c / page + 1));
            let from = side(&[(a, source), (b, c * d), (c, d), (d, 1)]);
            check::<T>(&from, &side(&[(a, 1), (b, a), (c, a * b), (d, target)]), 0);
            check::<T>(&from, &side(&[(a, 1), (b, a * c), (c, a), (d, target)]), 1);
        }
    }
    pages::<u8>();
    pages::<u16>();
    pages::<u32>();
    pages::<u64>();
    pages::<u128>();
}

/// A source of this size is prefetched.
#[test]
#[cfg_attr(miri, ignore = "33 MB")]
fn larger_than_caches() {
    let side = |digits: &[(i64, i64)], base| Strides { digits: digits.to_vec(), base };
    let (rows, columns) = (2049, 2053);
    let source = side(&[(rows, columns), (columns, 1)], 0);
    check::<u64>(&source, &side(&[(rows, 1), (columns, rows)], 0), 0);
    let window = side(&[(rows, columns + 40), (columns, 1)], 7);
    check::<u64>(&window, &side(&[(rows, -columns), (columns, 1)], columns * (rows - 1)), 0);
}
