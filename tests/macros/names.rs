//! Names in capitals: constants, variables marked as such, and layouts.

use crd2idx::prelude::*;

const BM: usize = 8;

#[test]
#[allow(non_snake_case)]
fn a_variable_in_capitals_says_dyn() {
    fn index(M: usize, N: usize) -> usize {
        let a = layout!((dyn M, dyn N) : (dyn N, 1));
        assert_eq!(size_of_val(&a), 3 * size_of::<usize>());
        a.crd2idx((1, 2))
    }
    assert_eq!(index(3, 5), 7);
}

layout! {
    type A = (4, 8) : (8, 1);
    type B = coalesce(A);
    type C = composition(A, B);
}
const CONSTANT: Strided<shape!((4, 8)), stride!((8, 1))> = layout!((4, 8) : (8, 1));

#[test]
#[allow(non_snake_case)]
fn a_layout_in_capitals_is_an_operand() {
    assert_eq!(layout!(composition(A, 4:2)).crd2idx(1), 16);
    assert_eq!(C::NOTATION, "(4,(4,2)):(2,(8,1))");
    assert_eq!(size_of_val(&layout!(zipped_divide(CONSTANT, (2, BM)))), 0);
    let L = layout!((BM, 4) : (4, 1));
    assert_eq!(layout!(logical_product(L, A)).crd2idx(((1, 2), (1, 1))), 4 + 2 + 32 + 8 * 32);
}

#[test]
fn try_layout_checks_all_that_run_time_numbers_decide() -> Result<(), LayoutError> {
    let (m, n) = (96, 128);
    let a = try_layout!((m, n) : (n, 1))?;
    assert_eq!(a.crd2idx((2, 3)), 259);
    let tiles = try_layout!(coalesce(zipped_divide((m, n) : (n, 1), (BM, 4))))?;
    assert_eq!(tiles.crd2idx(9), a.crd2idx((1, 1)));
    let fixed = try_layout!((BM, type Int<4>) : (4, 1))?;
    assert_eq!(size_of_val(&fixed), 0);

    let refused = |m: usize, n: usize| try_layout!(coalesce(zipped_divide((m, n) : (n, 1), (BM, 4)))).map(|_| ()).unwrap_err().to_string();
    assert_eq!(refused(96, 30), "zipped_divide: tile 4 does not divide the extent 30 of mode 1");
    #[cfg(target_pointer_width = "64")]
    {
        assert_eq!(refused(1 << 40, 1 << 40), "make_layout: 1099511627776 and 1099511627776 overflow 64 bits in the layout");
        assert!(try_layout!(append((m, 4) : (4, 1), (n : m << 55))).is_err());
    }
    // An operand may leave the enclosing function.
    let none: Option<usize> = None;
    let leaves = || Some(try_layout!(coalesce((none?, 4) : (4, 1))));
    assert!(leaves().is_none());
    Ok(())
}

#[test]
fn swizzles_are_written_as_in_the_notation() -> Result<(), LayoutError> {
    const BITS: u8 = 3;
    let plain = |i: usize, j: usize| 8 * i + (j ^ i);
    let tile = layout!(S<3, 0, 3> o 0 o (8, 8) : (8, 1));
    assert_eq!((size_of_val(&tile), tile.to_string().as_str()), (0, "S<3,0,3> o 0 o (8,8):(8,1)"));
    assert_eq!(tile.crd2idx((3, 5)), plain(3, 5));
    layout! { type S8 = (8, 8) : (8, 1); }
    assert_eq!(layout!(S<BITS, 0, 3> o 0 o S8).crd2idx((3, 5)), plain(3, 5));

    let (m, offset) = (8, 64);
    let a = layout!((m, 8) : (8, 1));
    assert_eq!(layout!(S<3, 0, 3> o offset o a).crd2idx((3, 5)), 64 + plain(3, 5));
    let tiles = try_layout!(S<3, 0, 3> o 0 o zipped_divide((m, 8) : (8, 1), (4, 4)))?;
    assert_eq!(tiles.crd2idx(((1, 2), (1, 0))), plain(5, 2));
    assert_eq!(layout!(S<3, 0, -3> o 0 o zipped_divide((8, 8) : (8, 1), (4, 4))).crd2idx(((1, 2), (1, 0))), 42 ^ (2 << 3));
    assert!(try_layout!(S<3, 0, 3> o 0 o zipped_divide((m, 8) : (8, 1), (3, 4))).is_err());
    Ok(())
}
