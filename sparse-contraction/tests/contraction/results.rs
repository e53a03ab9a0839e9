//! Results by example: scalars, ellipses, extents of 0, formats, and one value for all elements.

use sparse_contraction::{Contracted, Contraction, Factor, contract};
use sparse_formats::{Builder, Format, Indices, SparseTensor, Values};

fn dense<'d>(shape: &'d [u64], data: &'d [i64]) -> Factor<'d, i64> {
    Factor::Dense { shape, data }
}

fn shape_and_data(subscripts: &str, factors: &[Factor<i64>]) -> (Vec<u64>, Vec<i64>) {
    match Contraction::new(subscripts).dense().run(factors).unwrap() {
        Contracted::Dense { shape, data } => (shape, data),
        Contracted::Sparse(_) => panic!("a dense result was asked for"),
    }
}

#[test]
fn scalars() {
    let none: [Indices; 0] = [];
    let point = Builder::new(Format::coo(0), 0).build(&[], &none, vec![5i64]).unwrap();
    let nothing = Builder::new(Format::coo(0), 0).build(&[], &none, Vec::<i64>::new()).unwrap();
    assert_eq!(shape_and_data("->", &[Factor::Sparse(&point)]), (vec![], vec![5]));
    assert_eq!(shape_and_data("", &[Factor::Sparse(&nothing)]), (vec![], vec![0]));
    assert_eq!(shape_and_data(",,->", &[Factor::Sparse(&point), Factor::scalar(&3), Factor::scalar(&2)]), (vec![], vec![30]));
    let a = Builder::new(Format::csr(), 0).build(&[2, 2], &[vec![1u8].into(), vec![0u8].into()], vec![7i64]).unwrap();
    assert_eq!(shape_and_data("ab,->ab", &[Factor::Sparse(&a), Factor::scalar(&3)]), (vec![2, 2], vec![0, 0, 21, 0]));
    assert_eq!(contract("ab,->ab", &[Factor::Sparse(&a), Factor::scalar(&3)]).unwrap().sparse().map(SparseTensor::stored), Some(1));
    let asked = Contraction::new("ab->").format(Format::coo(0)).run(&[Factor::Sparse(&a)]).unwrap();
    assert_eq!(asked.sparse().and_then(|tensor| tensor.at(&[])), Some(&7));
}

#[test]
fn ellipses() {
    let a = Builder::new(Format::csf(3), 0)
        .build(&[2, 1, 2], &[vec![0u8, 1].into(), vec![0u8, 0].into(), vec![1u8, 0].into()], vec![2i64, 3])
        .unwrap();
    let a = Factor::Sparse(&a);
    assert_eq!(shape_and_data("...", &[a]), (vec![2, 1, 2], vec![0, 2, 3, 0]));
    assert_eq!(shape_and_data("i...->...i", &[a]), (vec![1, 2, 2], vec![0, 3, 2, 0]));
    assert_eq!(shape_and_data("... i , ->... i", &[a, Factor::scalar(&2)]), (vec![2, 1, 2], vec![0, 4, 6, 0]));
    // The axis of extent 1 is repeated along the axis of extent 3.
    let b = dense(&[3, 2], &[1, 2, 3, 4, 5, 6]);
    assert_eq!(shape_and_data("...j,...j->...", &[a, b]), (vec![2, 3], vec![4, 8, 12, 3, 9, 15]));
    assert_eq!(shape_and_data("...,...", &[dense(&[2, 1], &[1, 10]), dense(&[3], &[1, 2, 3])]), (vec![2, 3], vec![1, 2, 3, 10, 20, 30]));
    // Implicit results have the axes of the ellipsis first, then letters in the order of their codes: capitals first.
    assert_eq!(shape_and_data("b...A", &[dense(&[2, 1, 3], &[1, 2, 3, 4, 5, 6])]), (vec![1, 3, 2], vec![1, 4, 2, 5, 3, 6]));
    assert_eq!(shape_and_data("...ij->j...", &[dense(&[2, 2], &[1, 2, 3, 4])]), (vec![2], vec![4, 6]));
    // NumPy's letters and all others.
    assert_eq!(shape_and_data("äß->ßä", &[dense(&[1, 2], &[1, 2])]), (vec![2, 1], vec![1, 2]));
}

#[test]
fn extents_of_0() {
    let nothing: [Indices; 2] = [Vec::<u8>::new().into(), Vec::<u8>::new().into()];
    let a = Builder::new(Format::csr(), 0).build(&[2, 0], &nothing, Vec::<i64>::new()).unwrap();
    let a = Factor::Sparse(&a);
    let b = dense(&[0, 3], &[]);
    assert_eq!(shape_and_data("ij,jk->ik", &[a, b]), (vec![2, 3], vec![0; 6]));
    assert_eq!(shape_and_data("ij,kj->ik", &[a, a]), (vec![2, 2], vec![0; 4]));
    assert_eq!(shape_and_data("ij,jk,lk->il", &[a, b, dense(&[1, 3], &[1, 2, 3])]), (vec![2, 1], vec![0; 2]));
    assert_eq!(shape_and_data("ij->", &[a]), (vec![], vec![0]));
    assert_eq!(shape_and_data("ij,jk->jk", &[a, b]), (vec![0, 3], vec![]));
    assert_eq!(shape_and_data("ij,kl->ijkl", &[dense(&[2, 0], &[]), a]), (vec![2, 0, 2, 0], vec![]));
}

#[test]
fn formats() {
    let columns: [Indices; 2] = [vec![0u8, 1, 2, 2].into(), vec![1u8, 2, 0, 2].into()];
    let a = Builder::new(Format::coo(2), 0).build(&[3, 3], &columns, vec![1i64, 2, 3, 4]).unwrap();
    let factors = [Factor::Sparse(&a); 2];
    let expected = shape_and_data("ij,jk->ki", &factors);
    for name in ["CSR", "CSC", "DCSR", "COO", "S-D-R", "C-S-C"] {
        let format = Format::parse_with_rank(name, 2).unwrap();
        let found = Contraction::new("ij,jk->ki").format(format.clone()).run(&factors).unwrap();
        let tensor = found.sparse().unwrap();
        assert_eq!(*tensor.format(), format);
        let of = |i, k| *tensor.at(&[i, k]).unwrap();
        assert_eq!((0..9).map(|at| of(at / 3, at % 3)).collect::<Vec<_>>(), expected.1, "{name}");
    }
    // One value for all elements.
    let iso = SparseTensor::new(a.shared_pattern(), Values::Iso(5i64), 0).unwrap();
    assert_eq!(shape_and_data("ij,jk->ik", &[Factor::Sparse(&iso); 2]).1.iter().sum::<i64>(), 6 * 25);
    assert_eq!(shape_and_data("ij,j->ij", &[Factor::Sparse(&iso), dense(&[3], &[1, 2, 3])]).1, [0, 10, 0, 0, 0, 15, 5, 0, 15]);
}

/// Integers wrap around, as in the kernels.
#[test]
fn overflow() {
    let a = dense(&[2], &[i64::MAX, 1]);
    assert_eq!(shape_and_data("i->", &[a]).1, [i64::MIN]);
    assert_eq!(shape_and_data("i,i->i", &[a, dense(&[2], &[2, 1])]).1, [-2, 1]);
}

/// Products that cancel are stored, and a sparse sum has one element for each coordinate.
#[test]
fn cancellation() {
    let a = Builder::new(Format::csr(), 0).build(&[1, 2], &[vec![0u8, 0].into(), vec![0u8, 1].into()], vec![1i64, 1]).unwrap();
    let b = Builder::new(Format::csr(), 0).build(&[2, 2], &[vec![0u8, 1].into(), vec![1u8, 1].into()], vec![3i64, -3]).unwrap();
    let product = contract("ij,jk->ik", &[Factor::Sparse(&a), Factor::Sparse(&b)]).unwrap();
    assert_eq!(product.sparse().map(|tensor| (tensor.stored(), tensor.values().clone())), Some((1, vec![0].into())));
}
