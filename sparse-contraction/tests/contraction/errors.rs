//! Refusals: each names the letter, the operand and the numbers.

use sparse_contraction::{Contraction, ContractionError, Factor, Semiring, contract};
use sparse_formats::{Attributes, Builder, Format, Indices, SparseTensor, Symmetry, Triangle, Values};

fn dense<'d>(shape: &'d [u64], data: &'d [i64]) -> Factor<'d, i64> {
    Factor::Dense { shape, data }
}

fn refused(subscripts: &str, factors: &[Factor<i64>]) -> (&'static str, String) {
    let error: ContractionError = contract(subscripts, factors).expect_err(subscripts);
    (error.class(), error.to_string())
}

#[test]
fn subscripts() {
    let a = dense(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let cases = [
        ("i1->i", "`i1->i`: `1` is not a letter"),
        ("ij->i->j", "`ij->i->j`: `->` occurs more than once"),
        ("i.j->i", "`i.j->i`: dots form one ellipsis of three, `...`, in each list of letters"),
        ("...i...->i", "`...i...->i`: dots form one ellipsis of three, `...`, in each list of letters"),
        ("ij->ik", "`ij->ik`: the letter k of the result is in no operand"),
        ("ij->ii", "`ij->ii`: the letter i occurs twice in the result"),
        ("...j->j", "`...j->j`: `...` stands for 1 axes of the operands, but the result has no `...`"),
    ];
    for (subscripts, text) in cases {
        assert_eq!(refused(subscripts, &[a]), ("contraction/subscripts", text.to_string()));
    }
}

#[test]
fn shapes() {
    let a = dense(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    let cases: [(&str, &[Factor<i64>], &str); 8] = [
        ("", &[], "``: the subscripts name 1 operands, but 0 are given"),
        ("ij,jk->ik", &[a], "`ij,jk->ik`: the subscripts name 2 operands, but 1 are given"),
        ("ijk->i", &[a], "`ijk->i`: operand 0 has 3 letters, but 2 axes"),
        ("ij,i->", &[a, a], "`ij,i->`: operand 1 has 1 letters, but 2 axes"),
        ("...ijk->i", &[a], "`...ijk->i`: operand 0 has 3 letters, but 2 axes"),
        ("ii->i", &[a], "`ii->i`: the letter i is 2 in operand 0 and 3 in operand 0"),
        ("ij,jk->ik", &[a, a], "`ij,jk->ik`: the letter j is 3 in operand 0 and 2 in operand 1"),
        ("i...,j...->ij...", &[a, dense(&[1, 2], &[1, 2])], "`i...,j...->ij...`: an axis of `...` is 3 in operand 0 and 2 in operand 1"),
    ];
    for (subscripts, factors, text) in cases {
        assert_eq!(refused(subscripts, factors), ("contraction/shape", text.to_string()));
    }
    assert_eq!(refused("ij->", &[dense(&[2, 2], &[1])]).1, "operand 0 has 1 elements, but the extents [2, 2]");
    let format = Contraction::new("ij->i").format(Format::csr()).run(&[a]).unwrap_err();
    assert_eq!((format.class(), format.to_string()), ("contraction/format", "the format `C-S-R` has 2 axes, but the result has 1".into()));
}

#[test]
fn operands() {
    let columns: [Indices; 2] = [vec![0u8, 1, 1].into(), vec![0u8, 0, 1].into()];
    let of = |fill| Builder::new(Format::csr(), fill).build(&[2, 2], &columns, vec![1i64, 2, -3]).unwrap();
    let (a, b) = (of(0), of(7));
    let [x, y] = [&a, &b].map(|tensor| Factor::Sparse(tensor));
    let filled = "operand 1 has the fill value 7, but elements that are not stored must be 0, the zero of the arithmetic";
    assert_eq!(refused("ij,jk->ik", &[x, y]), ("contraction/fill", filled.into()));
    let least = Contraction::new("ij->i").run_in(Semiring::MinPlus, &[x]).unwrap_err();
    assert_eq!(
        least.to_string(),
        "operand 0 has the fill value 0, but elements that are not stored must be 9223372036854775807, the zero of the arithmetic"
    );
    let negative = Contraction::new("ij->i").run_in(Semiring::MaxTimes, &[x]).unwrap_err();
    assert_eq!(negative.to_string(), "operand 0 has the element -3, but max-times takes no negative numbers");
    let attributes = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let half = of(0).with_attributes(attributes).unwrap();
    let pattern = SparseTensor::new(a.shared_pattern(), Values::PatternOnly, 0).unwrap();
    let (ones, square) = (dense(&[2], &[1, 1]), dense(&[2, 2], &[1, 1, 1, 1]));
    let expressions: [(&str, &[Factor<i64>]); 13] = [
        ("ij->ji", &[]),
        ("ij->", &[]),
        ("ii->i", &[]),
        ("ij,j->i", &[ones]),
        ("ij,jk->ik", &[square]),
        ("ij,jkl->ikl", &[dense(&[2, 0, 2], &[])]),
        ("ij,i->ij", &[ones]),
        ("ij,ir,jr->ij", &[square, square]),
        ("ij,jk->ik", &[x]),
        ("ij,ij->ij", &[x]),
        ("ij,kl->ijkl", &[x]),
        ("ij,ik->ijk", &[x]),
        ("ij,jk,ki->", &[x, x]),
    ];
    for (subscripts, others) in expressions {
        let one = refused(subscripts, &[&[Factor::Sparse(&half)], others].concat());
        assert_eq!(one.0, "levels/structure", "{subscripts}: {}", one.1);
        let no_values = refused(subscripts, &[&[Factor::Sparse(&pattern)], others].concat());
        assert_eq!(no_values.0, "levels/missing", "{subscripts}: {}", no_values.1);
    }
}

/// Sizes are computed without overflow, and memory that is not there is an error.
#[test]
fn too_large() {
    let far: Indices = vec![0u64, 1 << 40, u64::MAX - 1].into();
    let a = Builder::new(Format::coo(2), 0).build(&[u64::MAX, u64::MAX], &[far.view(), far.view()], vec![1i64, 2, 3]).unwrap();
    let x = Factor::Sparse(&a);
    let large = |subscripts: &str, factors: &[Factor<i64>]| {
        let error = Contraction::new(subscripts).dense().run(factors).unwrap_err();
        (error.class(), error.to_string())
    };
    let numbers = "a result of extents [18446744073709551615, 18446744073709551615] does not fit memory";
    assert_eq!(large("ij->ji", &[x]), ("kernel/overflow", numbers.into()));
    let most = format!("a result of extents [{0}, {0}, {0}, {0}] does not fit memory", u64::MAX);
    assert_eq!(large("ij,kl->ijkl", &[x, x]), ("kernel/overflow", most));
    // Sparse results have coordinates of any extents.
    let found = contract("ij,kl->lijk", &[x, x]).unwrap();
    let tensor = found.sparse().unwrap();
    assert_eq!((tensor.stored(), tensor.at(&[1 << 40, 0, 0, 1 << 40])), (9, Some(&2)));
    let found = contract("ij,jk->ki", &[x, x]).unwrap();
    assert_eq!(found.sparse().unwrap().at(&[u64::MAX - 1, u64::MAX - 1]), Some(&9));
    assert_eq!(contract("ij,ij->", &[x, x]).unwrap().dense(), Some(&[14][..]));
    assert_eq!(contract("ij,jk,ki->", &[x; 3]).unwrap().dense(), Some(&[36][..]));
    assert_eq!(contract("ij->i", &[x]).unwrap().sparse().unwrap().at(&[1 << 40]), Some(&2));
    assert_eq!(contract("ii->i", &[x]).unwrap().sparse().unwrap().stored(), 3);
    let ones = dense(&[2], &[1, 1]);
    assert_eq!(contract("ij,k->ikj", &[x, ones]).unwrap().sparse().unwrap().at(&[0, 1, 0]), Some(&1));
}
