//! Expressions of literals, which are evaluated while the macro expands.

use crd2idx::prelude::*;
use static_assertions::const_assert_eq;

fn notation<L: TypedLayout>(_: L) -> &'static str {
    L::NOTATION
}

#[test]
fn the_result_is_a_plain_static_layout() {
    let l: Strided<shape!(2, 2, 3), stride!(4, 2, 8)> = layout!((((2, 2, 3):(4, 2, 8))));
    assert_eq!(notation(l), "(2,2,3):(4,2,8)");
    type Tiled = Strided<shape!((2, 2), (2, 3)), stride!((4, 1), (2, 8))>;
    let l: Tiled = layout!(logical_divide(((4,2,3):(2,1,8)), 4:2));
    assert_eq!(size_of_val(&l), 0);
    assert_eq!(notation(layout!(logical_divide(((4,2,3):(2,1,8)), 4:2))), "((2,2),(2,3)):((4,1),(2,8))");
    assert_eq!(notation(layout!(coalesce((2,(1,6)):(1,(6,2))))), "12:1");
    assert_eq!(
        notation(layout!(logical_divide((9,(4,8)):(59,(13,1)), [3:3;(2,4):(1,8)]))),
        "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"
    );
    assert_eq!(notation(layout!(zipped_divide((32,16):(1,32), [4:1;_]))), "((4,16),(8,1)):((1,32),(4,0))");
    assert_eq!(notation(layout!(complement(4:1, 24))), "6:4");
    assert_eq!(notation(layout!(row_major((2, (3, 4))))), "(2,(3,4)):(12,(4,1))");
    assert_eq!(notation(layout!(select((2,3,4):(1,2,6), (2,0)))), "(4,2):(6,1)");
}

#[test]
fn every_layout_of_the_notation_round_trips() {
    macro_rules! round_trip {
        ($($layout:tt)*) => {
            assert_eq!(layout!($($layout)*).to_dyn::<64>().unwrap(), stringify!($($layout)*).parse().unwrap());
        };
    }
    round_trip!(4:1);
    round_trip!(():());
    round_trip!((4):(1));
    round_trip!((_4,_8):(_8,_1));
    round_trip!(((2,4),(3,5)):((3,6),(1,24)));
    round_trip!((8,4):(-1,-8));
    round_trip!((8,0):(0,8));
    round_trip!((2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):(1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768));
}

/// The worked examples of the text that this crate follows.
#[test]
fn worked_examples() {
    const_assert_eq!(size_of::<Strided<shape!(3, 4, 5), stride!(20, 5, 1)>>(), 0);
    assert_eq!(layout!(((2,4),(3,5)):((3,6),(1,24))).crd2idx(coord!(11, 12)), 129);
    assert_eq!(layout!((3,4,5):(20,5,1)).crd2idx(coord!(1, 2, 3)), 33);
    assert_eq!(layout!(((13,0),(14,0)):((14,182),(1,154))).crd2idx(coord!(20, 30)), 590);
}
