//! Maps between axes and groups of axes, at coordinates in range, and also beyond it for functions that check them.

use super::{Inputs, ROUNDS};
use crate::groups::*;

macro_rules! agree {
    ($($name:ident $layout:ident $hand:ident ($($argument:ident $extent:literal),*);)*) => { $(
        #[test]
        fn $name() {
            let mut inputs = Inputs::new();
            for _ in 0..ROUNDS {
                $(let $argument = inputs.below($extent) as u64;)*
                assert_eq!($layout($($argument),*), $hand($($argument),*), "{:?}", [$($argument),*]);
            }
        }
    )* };
}

agree! {
    gcs_reduce gcs_reduce_layout gcs_reduce_hand (a 5, b 5, c 5, d 5, e 5);
    gcs_promote gcs_promote_layout gcs_promote_hand (r 25, s 125);
    gcs_mixed_reduce gcs_mixed_reduce_layout gcs_mixed_reduce_hand (a 2, b 3, c 4, d 5);
    gcs_mixed_promote gcs_mixed_promote_layout gcs_mixed_promote_hand (r 10, s 12);
    gcs_tiles_promote gcs_tiles_promote_layout gcs_tiles_promote_hand (r 32, s 16, t 32);
    gcs_checked_promote gcs_checked_promote_layout gcs_checked_promote_hand (r 12, s 14);
    gcs_checked_reduce gcs_checked_reduce_layout gcs_checked_reduce_hand (a 3, b 4, c 5, d 6);
}

#[test]
fn const_gcs() {
    assert_eq!((const_gcs_layout(), const_gcs_hand()), (2641, 2641));
}
