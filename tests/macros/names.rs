//! Names in capitals: constants, variables that say so, layouts.

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
    assert_eq!(refused(1 << 40, 1 << 40), "make_layout: 1099511627776 and 1099511627776 overflow 64 bits in the layout");
    assert!(try_layout!(append((m, 4) : (4, 1), (n : m << 55))).is_err());
    // An operand that leaves the function leaves it.
    let none: Option<usize> = None;
    let leaves = || Some(try_layout!(coalesce((none?, 4) : (4, 1))));
    assert!(leaves().is_none());
    Ok(())
}
