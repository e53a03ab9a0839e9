//! Any digits are refused, or make a map in which every coordinate comes back.
//! `cargo +nightly fuzz run axis_map -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sparse_formats::{AxisDigit, AxisMap, Indices};
use std::collections::BTreeSet;

fuzz_target!(|data: &[u8]| {
    let [rank, targets, rest @ ..] = data else { return };
    let (rank, targets) = (1 + usize::from(rank % 3), usize::from(targets % 5));
    // Mostly small numbers. Some byte values stand for extreme numbers.
    let number = |byte: u8| match byte {
        250 => u64::MAX,
        251 => 1 << 63,
        252 => 1 << 32,
        other => u64::from(other & 15),
    };
    let Some((extents, digits)) = rest.split_at_checked(rank) else { return };
    let shape: Vec<u64> = extents.iter().map(|byte| number(*byte)).collect();
    let digits = digits.as_chunks::<5>().0.iter().map(|[axis, step, count, target, weight]| AxisDigit {
        axis: usize::from(*axis % 5),
        step: number(*step),
        count: number(*count),
        target: usize::from(*target % 6),
        weight: number(*weight),
    });
    let Ok(map) = AxisMap::new(&shape, targets, digits.collect()) else { return };
    let size = shape.iter().fold(1_u64, |size, extent| size.saturating_mul(*extent));
    let mut seen = BTreeSet::new();
    for k in 0..size.min(500) {
        let mut rest = k;
        let coordinate: Vec<u64> = shape.iter().map(|extent| std::mem::replace(&mut rest, k / extent) % extent).collect();
        let stored = map.forward(&coordinate);
        assert!(stored.iter().zip(map.extents()).all(|(c, extent)| c < extent), "{map:?} {coordinate:?}");
        assert_eq!(map.backward(&stored), coordinate, "{map:?}");
        let columns: Vec<Indices> = coordinate.iter().map(|c| Indices::narrowest(&[*c])).collect();
        let there = map.forward_columns(&columns).expect("one element");
        assert!(there.iter().zip(&stored).all(|(column, c)| column.get(0) == Some(*c)), "{map:?} {coordinate:?}");
        seen.insert(stored);
    }
    assert!(seen.len() as u64 <= size);
});
