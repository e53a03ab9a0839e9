//! Changes of values: at mirror images, when duplicates are merged, and when zeros are dropped.

use num_complex::Complex;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, Element, FileError, Result};
use sparse_formats::{Attributes, Format, Symmetry, Triangle};

/// Returns one triangle of a symmetric 4 by 4 matrix, with these values below the diagonal, one in each row.
fn half<T: Element>(values: Vec<T>, symmetry: Symmetry) -> AnyTensor<'static> {
    let rows: Vec<u8> = (1..).take(values.len()).collect();
    let columns = vec![0u8; values.len()];
    let list = AnyTensor::list(&[4, 4], vec![rows.into(), columns.into()], AnyValues::Each(AnyArray::from_values(values)), T::TYPE);
    let attributes = Attributes { symmetry: Some(symmetry), triangle: Some(Triangle::Lower), ..Attributes::default() };
    list.and_then(|list| list.with_attributes(attributes)).expect("a matrix")
}

/// Returns the values above the diagonal of the expanded matrix.
fn images<T: Element>(values: &[T], symmetry: Symmetry) -> Result<Vec<T>> {
    let whole = half(values.to_vec(), symmetry).expand()?;
    let mut out = Vec::new();
    assert!(whole.for_each::<T>(|coordinate, value| if coordinate[0] < coordinate[1] {
        out.extend(value)
    }));
    assert_eq!((whole.element(), whole.stored()), (T::TYPE, 2 * values.len()));
    Ok(out)
}

#[test]
fn mirror_images_are_of_the_type_or_refused() {
    fn refused<T: Element>(value: T) {
        let error = images(&[T::default(), value], Symmetry::Skew).expect_err("no negative");
        assert_eq!((error.class(), &error), ("values/overflow", &FileError::Mirror { value: format!("{value:?}"), element: T::TYPE }));
        assert_eq!(images(&[T::default()], Symmetry::Skew), Ok(vec![T::default()]));
        for symmetry in [Symmetry::Symmetric, Symmetry::Hermitian] {
            assert_eq!(images(&[value], symmetry), Ok(vec![value]));
        }
    }
    macro_rules! unsigned { ($($t:ident)*) => { $( refused(1 as $t); refused($t::MAX); )* } }
    unsigned! { u8 u16 u32 u64 }
    macro_rules! signed { ($($t:ident)*) => { $(
        refused($t::MIN);
        assert_eq!(images(&[$t::MAX, 5, $t::MIN + 1], Symmetry::Skew), Ok(vec![-$t::MAX, -5, $t::MAX]));
    )* } }
    signed! { i8 i16 i32 i64 }
    refused(true);
    assert_eq!(images(&[0.5f32, f32::MAX], Symmetry::Skew), Ok(vec![-0.5, -f32::MAX]));
    assert_eq!(images(&[0.5, f64::NEG_INFINITY], Symmetry::Skew), Ok(vec![-0.5, f64::INFINITY]));
    let z = Complex::new(2.0, -3.0);
    assert_eq!(images(&[z], Symmetry::Skew), Ok(vec![-z]));
    assert_eq!(images(&[z], Symmetry::Hermitian), Ok(vec![z.conj()]));
    assert_eq!(images(&[Complex::new(2f32, -3.0)], Symmetry::Symmetric), Ok(vec![Complex::new(2.0, -3.0)]));
}

#[test]
fn fill_values_have_mirror_images_too() {
    let filled =
        |value: f64, symmetry| half(vec![1.0], symmetry).with_fill(&AnyArray::from_values(vec![value])).expect("a fill value").expand();
    assert!(filled(0.0, Symmetry::Skew).is_ok() && filled(f64::NAN, Symmetry::Skew).is_ok() && filled(9.0, Symmetry::Symmetric).is_ok());
    assert_eq!(filled(9.0, Symmetry::Skew).expect_err("-9 at mirror images").class(), "file/counterpart");
}

#[test]
fn elements_of_one_coordinate_have_mirror_images_each() {
    let text = b"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 4\n3 1 7\n2 1 1\n2 1 2\n3 3 0\n";
    let twice = sparse_files::matrix_market::read(text).expect("a matrix");
    let elements = |tensor: &AnyTensor| {
        let mut out = Vec::new();
        assert!(tensor.for_each::<i64>(|c, value| out.push((c[0], c[1], value.expect("a value")))));
        out.sort();
        out
    };
    let all = [(0, 1, -2), (0, 1, -1), (0, 2, -7), (1, 0, 1), (1, 0, 2), (2, 0, 7), (2, 2, 0)];
    assert_eq!(elements(&twice.expand().expect("both triangles")), all);
    // Merge duplicates and expand, in either order.
    for (dedupe, value) in [(Dedupe::Sum, 3), (Dedupe::First, 1), (Dedupe::Last, 2)] {
        let want = [(0, 1, -value), (0, 2, -7), (1, 0, value), (2, 0, 7), (2, 2, 0)];
        let first = twice.convert(&Format::csr(), dedupe).and_then(|once| once.expand());
        let last = twice.expand().and_then(|whole| whole.convert(&Format::csr(), dedupe));
        assert_eq!((elements(&first.expect("a matrix")), elements(&last.expect("a matrix"))), (want.to_vec(), want.to_vec()), "{dedupe:?}");
    }
}

#[test]
fn zeros_are_dropped_and_nothing_else() {
    fn kept<T: Element>(values: Vec<T>, fill: T) -> Vec<T> {
        let tensor = half(values, Symmetry::Symmetric).with_fill(&AnyArray::from_values(vec![fill])).expect("a fill value");
        let mut user = tensor.attributes().clone();
        user.user.insert("comment".into(), "kept".into());
        let tensor = tensor.with_attributes(user).expect("a comment");
        let dropped = tensor.drop_zeros().expect("fewer elements");
        assert_eq!(dropped.attributes().user, tensor.attributes().user);
        assert!(dropped.attributes().is_one_triangle() && dropped.fill().element() == T::TYPE);
        let mut out = Vec::new();
        assert!(dropped.for_each::<T>(|_, value| out.extend(value)));
        out
    }
    assert_eq!(kept(vec![0u8, 3, 0], 0), [3]);
    assert_eq!(kept(vec![i64::MIN, 0, 1], 0), [i64::MIN, 1]);
    assert_eq!(kept(vec![0.0, -0.0, f64::MIN_POSITIVE], 0.0), [f64::MIN_POSITIVE]);
    assert_eq!(kept(vec![true, false], false), [true]);
    assert_eq!(kept(vec![Complex::new(0.0, 0.0), Complex::new(0.0, 1.0)], Complex::default()), [Complex::new(0.0, 1.0)]);
    // If the fill value is not 0, drop the fill value and keep 0.
    assert_eq!(kept(vec![0i16, 9, 7], 9), [0, 7]);
    assert_eq!(kept(vec![f32::NAN, 0.0], f32::NAN), [0.0]);
    // A pattern and a dense tensor keep all elements.
    let pattern = sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n").expect("a matrix");
    assert_eq!(pattern.drop_zeros(), Ok(pattern.clone()));
    let dense = AnyTensor::dense(&[2], &[0], AnyArray::from_values(vec![0, 0])).expect("a vector");
    assert_eq!(dense.drop_zeros(), Ok(dense.clone()));
    // Duplicates are dropped one by one.
    let text = b"%%MatrixMarket matrix coordinate real general\n2 2 3\n2 1 0\n1 1 4\n2 1 5\n";
    assert_eq!(sparse_files::matrix_market::read(text).and_then(|a| a.drop_zeros()).expect("a matrix").stored(), 2);
}
