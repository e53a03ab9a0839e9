//! Constant tables filled by loops over their layouts.

use crd2idx::const_index;
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

/// Every index of the nested layout, from an integer.
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
