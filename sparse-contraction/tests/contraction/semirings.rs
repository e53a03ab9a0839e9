//! Each arithmetic, against a loop over all coordinates, and its zero.

use crate::drawn::draw;
use sparse_contraction::{Contracted, Contraction, Factor, MaxTimes, MinPlus, OrAnd, Semiring};
use sparse_formats::{Builder, Format, Indices, Scalar};

#[test]
fn drawn() {
    let count = if cfg!(miri) { 3 } else { 400 };
    draw(3, count, |k| MinPlus(k as i64 % 50));
    draw(4, count, |k| MinPlus((k % 50) as f64 / 2.0));
    draw(5, count, |k| MaxTimes((k % 9) as i64));
    draw(6, count, |k| OrAnd((k % 3).min(1) as i64));
}

/// A request for an arithmetic converts values, and computes as with values of its type.
#[test]
fn asked_for() {
    let columns: [Indices; 2] = [vec![0u8, 0, 1, 2].into(), vec![1u8, 2, 2, 0].into()];
    let of = |fill| Builder::new(Format::csr(), fill).build(&[3, 3], &columns, vec![2i64, 9, 3, 4]).unwrap();
    let run = |semiring, fill| {
        let a = of(fill);
        let square = Contraction::new("ij,jk->ik").dense().run_in(semiring, &[Factor::Sparse(&a), Factor::Sparse(&a)]).unwrap();
        square.dense().unwrap().to_vec()
    };
    let far = i64::MAX;
    assert_eq!(run(Semiring::SumProduct, 0), [36, 0, 6, 12, 0, 0, 0, 8, 36]);
    assert_eq!(run(Semiring::MinPlus, far), [13, far, 5, 7, far, far, far, 6, 13]);
    assert_eq!(run(Semiring::MaxTimes, 0), [36, 0, 6, 12, 0, 0, 0, 8, 36]);
    assert_eq!(run(Semiring::OrAnd, 0), [1, 0, 1, 1, 0, 0, 0, 1, 1]);
    let a = of(0);
    let moved = Contraction::new("ij->ji").run_in(Semiring::OrAnd, &[Factor::Sparse(&a)]).unwrap();
    let Contracted::Sparse(moved) = moved else { panic!("sparse") };
    assert_eq!((moved.at(&[2, 0]), moved.at(&[0, 0]), moved.fill()), (Some(&1), Some(&0), &0));
}

#[test]
fn not_a_number() {
    let nan = f64::NAN;
    assert!(MinPlus(1.0).plus(MinPlus(nan)).0.is_nan() && MinPlus(nan).plus(MinPlus(1.0)).0.is_nan());
    assert!(MaxTimes(1.0).plus(MaxTimes(nan)).0.is_nan() && MaxTimes(nan).plus(MaxTimes(1.0)).0.is_nan());
    assert_eq!(MinPlus(f64::NEG_INFINITY).times(MinPlus::ZERO), MinPlus::ZERO);
    assert_eq!(
        ["sum-product", "min-plus", "max-times", "or-and"],
        [Semiring::SumProduct, Semiring::MinPlus, Semiring::MaxTimes, Semiring::OrAnd].map(|s| s.to_string())
    );
}
