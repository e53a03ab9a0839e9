//! Bounds checks of storage indices.

use crd2idx::prelude::*;

layout! { type Square = (4, 4) : (4, 1); }

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(f).expect_err("a panic").downcast::<String>().expect("a message")
}

#[test]
fn a_coordinate_outside_the_shape_panics() {
    let square = Owned::<u8, Square, 16>::filled(Square, 0);
    assert_eq!(message(|| assert_eq!(square[(0, 5)], 0)), "the coordinate (0,5) is outside of (4,4):(4,1)");
    assert_eq!(message(|| assert_eq!(square[16], 0)), "the coordinate 16 is outside of (4,4):(4,1)");
    assert_eq!(message(|| { square }[(Int::<4>, 0)] = 1), "the coordinate (4,0) is outside of (4,4):(4,1)");
    let stored = Stored::filled(Square, 0u8);
    assert_eq!(message(move || assert_eq!(stored[(0, 4)], 0)), "the coordinate (0,4) is outside of (4,4):(4,1)");
}

#[test]
fn at_goes_by_the_index_alone() {
    let mut square = Owned::<u8, Square, 16>::filled(Square, 0);
    *square.at_mut((0, 5)) = 7;
    assert_eq!((square[(1, 1)], *square.at((1, 1)), square.get((0, 5))), (7, 7, None));
}
