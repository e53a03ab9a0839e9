//! Run-time layouts compared with loops over arrays: `cargo bench --bench index`.

use crd2idx::DynLayout;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Returns the index that a person would compute by a loop. `leaves` has the number of leaves of each mode, and `shape` and
/// `stride` have the extents and strides of all leaves.
#[inline(never)]
fn by_hand(coordinates: &[usize], leaves: &[usize], shape: &[usize], stride: &[usize]) -> usize {
    let (mut index, mut k) = (0, 0);
    for (mode, count) in leaves.iter().enumerate() {
        let mut rest = coordinates[mode];
        for _ in 1..*count {
            index += (rest % shape[k]) * stride[k];
            rest /= shape[k];
            k += 1;
        }
        index += rest * stride[k];
        k += 1;
    }
    index
}

#[inline(never)]
fn by_layout(layout: &DynLayout, coordinates: &[usize]) -> usize {
    layout.index(coordinates).unwrap_or(0)
}

/// Measures the indices of 120 coordinates of a layout of rank 2 and depth 2.
fn index(c: &mut Criterion) {
    let layout: DynLayout = "((2,4),(3,5)):((3,6),(1,24))".parse().expect("a layout");
    let (leaves, shape, stride) = (vec![2, 2], vec![2, 4, 3, 5], vec![3, 6, 1, 24]);
    let mut group = c.benchmark_group("rank 2, depth 2");
    group.bench_function("DynLayout::index", |b| {
        b.iter(|| {
            let layout = black_box(&layout);
            (0..120).map(|i| by_layout(layout, &[i % 8, i / 8])).sum::<usize>()
        })
    });
    group.bench_function("loop over arrays", |b| {
        b.iter(|| {
            let (leaves, shape, stride) = black_box((&leaves, &shape, &stride));
            (0..120).map(|i| by_hand(&[i % 8, i / 8], leaves, shape, stride)).sum::<usize>()
        })
    });
    group.finish();
}

criterion_group!(benches, index);
criterion_main!(benches);
