//! Constant tables filled by loops over their layouts.

use crd2idx::layouts::{const_coordinate, const_index};
use crd2idx::prelude::*;

layout! {
    type Taps = (3, 3) : (4, 1);
    type Nested = ((2, 4), (3, 5)) : ((3, 6), (1, 24));
}

const PADDED: [u8; 12] = {
    let (mut table, mut k) = ([0; 12], 0);
    while k < 9 {
        table[const_index::<Taps, 2>([k / 3, k % 3])] = k as u8 + 1;
        k += 1;
    }
    table
};

/// The index of every integer in the nested layout.
const ORDER: [usize; 120] = {
    let (mut table, mut k) = ([0; 120], 0);
    while k < 120 {
        table[k] = const_index::<Nested, 1>([k]);
        k += 1;
    }
    table
};

#[test]
fn tables_hold_what_the_layout_says() {
    assert_eq!(PADDED, [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
    for (k, index) in ORDER.iter().enumerate() {
        assert_eq!(*index, Nested.crd2idx(k));
    }
    assert_eq!(const_index::<Nested, 2>([11, 12]), 129);
}

table! {
    /// A Gaussian of five by five, padded.
    static GAUSS: u16, Wide = |y, x| [1, 4, 6, 4, 1][y] * [1, 4, 6, 4, 1][x];
}
table! { const PLACES: u8, Nested = |i, j| (i + 8 * j) as u8; }

layout! { type Wide = (5, 5) : (8, 1); }

#[test]
fn tables_are_filled_at_every_coordinate() {
    for (y, x) in (0..5).flat_map(|x| (0..5).map(move |y| (y, x))) {
        assert_eq!(GAUSS[(y, x)], [1, 4, 6, 4, 1][y] * [1, 4, 6, 4, 1][x]);
    }
    assert_eq!((GAUSS.as_slice().len(), GAUSS.as_slice()[5], GAUSS.iter().sum::<u16>()), (37, 1, 256));
    PLACES.for_each_at(|k: usize, x| assert_eq!(k, usize::from(*x)));
    for k in 0..120 {
        let at: (usize, usize) = Nested.idx2crd(k);
        assert_eq!(const_coordinate::<Nested, 2>(k), [at.0, at.1]);
    }
}
