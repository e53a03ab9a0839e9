//! Tests of conversions between dense arrays and tensors.

use crate::common::{Cells, Rng, format, structures};
use core::fmt::Debug;
use ndarray::{Array1, Array2, ArrayD, Axis, IxDyn, ShapeBuilder, array};
use sparse_formats::kernels::Value;
use sparse_formats::{
    Attributes, Builder, Duplicates, Format, Indices, LevelKind, OperationError, SparseTensor, Symmetry, Triangle, Values,
};

/// Returns the elements as a dense array.
fn dense<V: Clone>(cells: &Cells, fill: V, value: impl Fn(i64) -> V) -> ArrayD<V> {
    let extents: Vec<usize> = cells.shape.iter().map(|extent| *extent as usize).collect();
    let mut out = ArrayD::from_elem(IxDyn(&extents), fill);
    for (row, k) in cells.rows.iter().zip(&cells.values) {
        out[&*row.iter().map(|c| *c as usize).collect::<Vec<_>>()] = value(*k);
    }
    out
}

/// Converts every structure of ranks up to 4 both ways, in any axis order, with axes of extent 0 and 1.
fn both_ways<V: Value + PartialEq + Debug + 'static>(seed: u64, fills: [V; 2], value: impl Fn(i64) -> V) {
    let mut rng = Rng(seed);
    for rank in 0..=4 {
        for kinds in structures(rank, false) {
            for fill in &fills {
                let format = format(&kinds, &rng.permutation(rank), false);
                let shape: Vec<u64> = (0..rank).map(|_| rng.below(8).min(3)).collect();
                let cells = Cells::random(&mut rng, &shape, 6, false);
                let array = dense(&cells, fill.clone(), &value);
                let builder = Builder::new(format.clone(), fill.clone());
                let tensor = builder.build_ndarray(&array).unwrap();
                assert_eq!(tensor.stored(), if rank == 0 { 1 } else { cells.rows.len() }, "{format} {cells:?}");
                assert_eq!(tensor.to_ndarray().unwrap(), array, "{format} {cells:?}");
                // Views give the elements in their logical order, not in the order of memory.
                let turned = array.view().permuted_axes(IxDyn(&rng.permutation(rank)));
                assert_eq!(builder.build_ndarray(&turned).unwrap().to_ndarray().unwrap(), turned);
            }
        }
    }
}

#[test]
fn every_type() {
    both_ways(1, [0.0, -1.5], |k| k as f64 + 0.5);
    both_ways(2, [0.0, 7.25], |k| k as f32 + 0.125);
    both_ways(3, [0, -9], |k| k as i8);
    both_ways(4, [0, -9], |k| k as i16);
    both_ways(5, [0, -9], |k| k as i32);
    both_ways(6, [0, i64::MIN], |k| i64::MAX - k);
    both_ways(7, [0, 99], |k| k as u8);
    both_ways(8, [0, 99], |k| k as u16);
    both_ways(9, [0, 99], |k| k as u32);
    both_ways(10, [0, 99], |k| u64::MAX - k as u64);
    both_ways(11, [false, false], |_| true);
    both_ways(12, [true, true], |_| false);
    both_ways(13, [(0.0, 0.0), (1.0, 0.0)], |k| (k as f64, -1.0));
    both_ways(14, [String::new(), "fill".into()], |k| k.to_string());
}

#[test]
fn not_a_number() {
    let array = array![[f64::NAN, 0.0, -0.0], [1.0, f64::NAN, 0.0]];
    // A NaN is stored if the fill value is a number, and only then.
    let zeros = Builder::new(Format::csr(), 0.0).build_ndarray(&array).unwrap();
    assert_eq!(zeros.pattern().coordinates().unwrap(), [vec![0u8, 1, 1].into(), vec![0u8, 0, 1].into()]);
    assert!(zeros.at(&[0, 0]).unwrap().is_nan() && zeros.at(&[0, 2]).unwrap().is_sign_positive());
    let nans = Builder::new(Format::csr(), f64::NAN).build_ndarray(&array).unwrap();
    assert_eq!(nans.pattern().coordinates().unwrap(), [vec![0u8, 0, 1, 1].into(), vec![1u8, 2, 0, 2].into()]);
    let back = nans.to_ndarray().unwrap();
    assert!(back.iter().zip(&array).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())));
    // A custom rule can distinguish values by their bits.
    let bits = Builder::new(Format::csr(), 0.0f64).build_ndarray_where(&array, |x| x.to_bits() != 0).unwrap();
    assert_eq!((bits.stored(), bits.at(&[0, 2]).unwrap().is_sign_negative()), (4, true));
}

#[test]
fn views() {
    let array = Array2::from_shape_fn((6, 8), |(i, j)| if (i * j) % 3 == 0 { 0 } else { i * 10 + j });
    let builder = Builder::new(Format::csr(), 0);
    let mut part = array.slice(ndarray::s![1..6;2, ..;-3]);
    assert_eq!(builder.build_ndarray(&part).unwrap().to_ndarray().unwrap(), part.into_dyn());
    part.invert_axis(Axis(0));
    assert_eq!(builder.build_ndarray(&part).unwrap().to_ndarray().unwrap(), part.into_dyn());
    let columns = Array2::from_shape_vec((2, 3).f(), vec![1, 0, 0, 4, 5, 0]).unwrap();
    assert_eq!(builder.build_ndarray(&columns).unwrap().to_ndarray().unwrap(), columns.clone().into_dyn());
    // A view that repeats one row.
    let row = Array1::from(vec![0, 7, 0]);
    let many = row.broadcast((300, 3)).unwrap();
    let tensor = builder.build_ndarray(&many).unwrap();
    assert_eq!((tensor.stored(), tensor.at(&[299, 1])), (300, Some(&7)));
    // Blocks over dense axes.
    let blocks = Builder::new("S-D-X[1,0]".parse::<Format>().unwrap(), 0).build_ndarray(&columns).unwrap();
    assert_eq!((blocks.stored(), blocks.to_ndarray().unwrap()), (3, columns.into_dyn()));
}

#[test]
fn several_elements_at_one_coordinate() {
    let columns: [Indices; 2] = [vec![1u8, 0, 1].into(), vec![2u8, 0, 2].into()];
    for kinds in structures(2, true) {
        let format = Format::multigraph(&kinds, &[1, 0]).unwrap();
        let tensor = Builder::new(format, 9).build(&[2, 3], &columns, vec![1, 2, 4]).unwrap();
        let error = tensor.to_ndarray().unwrap_err();
        assert_eq!(error.to_string(), "elements 1 and 2 are both at [1, 2]");
        assert_eq!(tensor.to_ndarray_with(Duplicates::Keep).unwrap_err(), error);
        let sum = array![[2, 9, 9], [9, 9, 5]].into_dyn();
        assert_eq!(tensor.to_ndarray_with(Duplicates::sum()).unwrap(), sum);
        assert_eq!(tensor.to_ndarray_with(Duplicates::First).unwrap()[[1, 2]], 1);
        assert_eq!(tensor.to_ndarray_with(Duplicates::Last).unwrap()[[1, 2]], 4);
    }
    // A multigraph without duplicates converts like any other tensor.
    let once = Builder::new(Format::multigraph(&[LevelKind::IndexedPointers], &[0]).unwrap(), 0);
    let tensor = once.build(&[3], &[Indices::from(vec![2u8])], vec![5]).unwrap();
    assert_eq!(tensor.to_ndarray().unwrap(), array![0, 0, 5].into_dyn());
}

#[test]
fn what_is_refused() {
    let array = Array2::<f64>::zeros((2, 2));
    let error = Builder::new(Format::coo(3), 0.0).build_ndarray(&array).unwrap_err();
    assert_eq!(error.to_string(), "2 extents are given for a format of 3 axes");
    let one = |shape: &[u64], row: &[u64]| {
        let cells = Cells { shape: shape.to_vec(), rows: vec![row.to_vec()], values: vec![5] };
        Builder::new(Format::coo(shape.len()), 0).build(&cells.shape, &cells.columns(), cells.values).unwrap()
    };
    // The elements exceed memory, or their number exceeds 64 bits.
    for shape in [&[1 << 60][..], &[1 << 40, 1 << 40], &[u64::MAX, 2]] {
        assert_eq!(one(shape, &vec![1; shape.len()]).to_ndarray().unwrap_err().class(), "levels/overflow");
    }
    let empty = Builder::new(Format::coo(3), 0).build(
        &[0, u64::MAX, u64::MAX],
        &[const { Indices::U8(std::borrow::Cow::Borrowed(&[])) }; 3],
        vec![],
    );
    assert_eq!(empty.unwrap().to_ndarray().unwrap_err().class(), "levels/overflow");
    let tensor = one(&[3, 3], &[2, 0]);
    let pattern = SparseTensor::new(tensor.shared_pattern(), Values::PatternOnly, 0).unwrap();
    assert_eq!(pattern.to_ndarray().unwrap_err(), OperationError::PatternOnly);
    let iso = SparseTensor::new(tensor.shared_pattern(), Values::Iso(7), 1).unwrap();
    assert_eq!(iso.to_ndarray().unwrap(), array![[1, 1, 1], [1, 1, 1], [7, 1, 1]].into_dyn());
    let lower = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let half = tensor.with_attributes(lower).unwrap();
    assert_eq!(half.to_ndarray().unwrap_err().class(), "levels/structure");
    let both = half.expand(|value, _| *value).unwrap();
    assert_eq!(both.to_ndarray().unwrap(), array![[0, 0, 5], [0, 0, 0], [5, 0, 0]].into_dyn());
}
