//! Tests of networks on zeros and ones.

use super::{WIDEST, sort};

/// By the 0-1 principle, a network that sorts all sequences of zeros and ones sorts all sequences.
#[test]
fn networks_sort() {
    for len in 0..=WIDEST {
        for bits in 0..1_u32 << len {
            let mut words = [u64::MAX; WIDEST];
            (0..len).for_each(|k| words[k] = u64::from(bits >> k & 1));
            sort(&mut words, len);
            let zeros = len - bits.count_ones() as usize;
            assert!((0..len).all(|k| words[k] == u64::from(k >= zeros)), "{bits:b} of {len}");
        }
    }
}
