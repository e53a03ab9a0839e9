//! Every small layout.

use super::layout::{flat, leaf};
use super::{Layout, Rng, Tree};

const EXTENTS: [i64; 4] = [1, 2, 3, 4];
const STRIDES: [i64; 7] = [0, 1, 2, 3, 4, 6, -1];

/// Returns every flat layout of `leaves` modes with these extents and strides.
pub fn grid(leaves: usize, extents: &[i64], strides: &[i64]) -> Vec<Layout> {
    let mut rows: Vec<Vec<(i64, i64)>> = vec![Vec::new()];
    for _ in 0..leaves {
        let longer = rows
            .iter()
            .flat_map(|row| extents.iter().flat_map(move |n| strides.iter().map(move |d| [row.as_slice(), &[(*n, *d)]].concat())));
        rows = longer.collect();
    }
    rows.iter().map(|row| flat(row)).collect()
}

/// Returns the flat layout in nesting number `way`, modulo 4.
fn nest(layout: &Layout, way: usize) -> Layout {
    let modes = layout.modes();
    match (modes.len(), way % 4) {
        (1, 0) => modes[0].clone(),
        (1, 1) => Tree::Node(vec![layout.clone()]),
        (3, 0) => Tree::Node(vec![Tree::Node(modes[..2].to_vec()), modes[2].clone()]),
        (3, 1) => Tree::Node(vec![modes[0].clone(), Tree::Node(modes[1..].to_vec())]),
        (2, 0) => Tree::Node(vec![layout.clone()]),
        _ => layout.clone(),
    }
}

fn nested(layouts: Vec<Layout>) -> Vec<Layout> {
    layouts.iter().enumerate().map(|(k, layout)| nest(layout, k)).collect()
}

/// Returns every layout of one or two modes, nested or not.
pub fn tiny() -> Vec<Layout> {
    let mut all: Vec<Layout> = EXTENTS.iter().chain(&[6]).flat_map(|n| STRIDES.iter().map(move |d| leaf(*n, *d))).collect();
    all.extend(nested(grid(1, &EXTENTS, &STRIDES)));
    all.extend(grid(2, &EXTENTS, &STRIDES));
    all
}

/// Returns every layout of up to three modes, each in one nesting.
pub fn small() -> Vec<Layout> {
    let mut all = tiny();
    all.extend(nested(grid(3, &EXTENTS, &STRIDES)));
    all
}

/// Returns `count` random pairs of a layout of `small` and a layout of `tiny`.
pub fn pairs(seed: u64, count: usize) -> Vec<(Layout, Layout)> {
    let (left, right) = (small(), tiny());
    let mut rng = Rng::new(seed);
    (0..count).map(|_| (rng.pick(&left).clone(), rng.pick(&right).clone())).collect()
}
