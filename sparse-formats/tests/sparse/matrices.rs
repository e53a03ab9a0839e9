//! Tests of conversions from and to matrices of sprs.

use crate::common::{Cells, Rng, structures};
use sparse_formats::kernels::Value;
use sparse_formats::{
    Attributes, Builder, Duplicates, Format, Indices, InterchangeError, SparseTensor, SprsIndex, Symmetry, Triangle, Values, Width, Widths,
};
use sprs::{CsMatI, CsMatViewI, TriMatI};

fn tensor(cells: &Cells, format: Format, width: Width) -> SparseTensor<'static, i64> {
    Builder::new(format, 0).widths(Widths::all(width)).build(&cells.shape, &cells.columns(), cells.values.clone()).unwrap()
}

/// Converts CSR and CSC with both index types, borrowed and moved, both ways.
fn both_ways<I: SprsIndex, P: SprsIndex>(rng: &mut Rng, width: Width) {
    for shape in [[1, 1], [5, 7], [7, 5], [0, 4], [4, 0], [1, 300]] {
        for format in [Format::csr(), Format::csc()] {
            let cells = Cells::random(rng, &shape, 20, false);
            let a = tensor(&cells, format.clone(), width);
            let view: CsMatViewI<i64, I, P> = a.as_sprs().unwrap();
            assert_eq!(
                (view.is_csc(), view.shape(), view.nnz()),
                (format == Format::csc(), (shape[0] as usize, shape[1] as usize), a.stored())
            );
            for (row, value) in cells.rows.iter().zip(&cells.values) {
                assert_eq!(view.get(row[0] as usize, row[1] as usize), Some(value));
            }
            assert!(core::ptr::eq(
                view.data(),
                &**match a.values() {
                    Values::Each(values) => values,
                    _ => panic!("values are stored"),
                }
            ));
            let back = SparseTensor::from_sprs_view(view).unwrap();
            assert_eq!(back, a);
            assert_eq!(back.pattern().indices(1).unwrap().width(), width);
            let place = |tensor: &SparseTensor<i64>| match tensor.pattern().indices(1).unwrap() {
                Indices::U16(array) => array.as_ptr().addr(),
                Indices::U32(array) => array.as_ptr().addr(),
                Indices::U64(array) => array.as_ptr().addr(),
                Indices::U8(_) => panic!("sprs has no such indices"),
            };
            let at = place(&a);
            assert_eq!(place(&back), at);
            // Moved, not copied.
            let moved: CsMatI<i64, I, P> = a.clone().into_sprs().unwrap();
            assert_eq!(moved.view(), a.as_sprs().unwrap());
            let b = SparseTensor::from_sprs(moved).unwrap();
            let kept = place(&b);
            let again = SparseTensor::from_sprs(b.into_sprs::<I, P>().unwrap()).unwrap();
            assert_eq!((&again, place(&again)), (&a, kept));
            // Other widths are converted.
            let narrow = a.to_format(&format).unwrap();
            assert_eq!(SparseTensor::from_sprs(narrow.clone().into_sprs::<I, P>().unwrap()).unwrap(), a);
            if narrow.pattern().pointers(0).unwrap().width() != width {
                assert!(matches!(narrow.as_sprs::<I, P>(), Err(InterchangeError::Width { found: 8, .. })));
            }
        }
    }
}

#[test]
fn every_index_type() {
    let mut rng = Rng(1);
    both_ways::<u16, u16>(&mut rng, Width::U16);
    both_ways::<i16, u16>(&mut rng, Width::U16);
    both_ways::<u32, u32>(&mut rng, Width::U32);
    both_ways::<i32, i32>(&mut rng, Width::U32);
    both_ways::<u64, u64>(&mut rng, Width::U64);
    both_ways::<i64, u64>(&mut rng, Width::U64);
    both_ways::<u64, i64>(&mut rng, Width::U64);
    let word = if usize::BITS == 32 { Width::U32 } else { Width::U64 };
    both_ways::<usize, usize>(&mut rng, word);
    both_ways::<isize, usize>(&mut rng, word);
    both_ways::<usize, isize>(&mut rng, word);
    // Pointers and indices may have different widths.
    let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    let widths = Widths::all(Width::U64).with(sparse_formats::ArrayName::Indices(1), Width::U16);
    let a = Builder::new(Format::csr(), 0.0).widths(widths).build(&[2, 3], &columns, vec![5.0, 6.0]).unwrap();
    assert_eq!(a.as_sprs::<u16, u64>().unwrap().get(1, 0), Some(&5.0));
    assert!(matches!(a.as_sprs::<u16, u32>(), Err(InterchangeError::Width { found: 64, expected: 32, .. })));
}

#[test]
fn every_type_of_values() {
    fn check<V: Value + PartialEq + core::fmt::Debug + 'static>(one: V) {
        let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
        let a = Builder::new(Format::csc(), V::default()).build(&[2, 3], &columns, vec![one.clone(), one]).unwrap();
        assert_eq!(SparseTensor::from_sprs(a.clone().into_sprs::<u32, u32>().unwrap()).unwrap(), a);
    }
    check(1.5f64);
    check(1.5f32);
    check(-1i8);
    check(-1i16);
    check(-1i32);
    check(-1i64);
    check(1u8);
    check(1u16);
    check(1u32);
    check(u64::MAX);
    check(true);
}

#[test]
fn rows_of_a_view() {
    let matrix = CsMatI::<i32, u32>::new((4, 3), vec![0, 2, 2, 3, 5], vec![0, 2, 1, 0, 1], vec![1, 2, 3, 4, 5]);
    for rows in [0..4, 1..4, 2..3, 3..4, 1..2] {
        let part = SparseTensor::from_sprs_view(matrix.slice_outer(rows.clone())).unwrap();
        assert_eq!(part.shape(), [rows.len() as u64, 3]);
        for (i, row) in rows.enumerate() {
            for j in 0..3 {
                assert_eq!(part.at(&[i as u64, j]), Some(matrix.get(row, j as usize).unwrap_or(&0)));
            }
        }
        assert_eq!(part.pattern().pointers(0).unwrap().width(), Width::U32);
    }
}

#[test]
fn triplets() {
    let mut rng = Rng(2);
    let cells = Cells::random(&mut rng, &[5, 6], 30, true);
    let mut matrix = TriMatI::<i64, u32>::new((5, 6));
    cells.rows.iter().zip(&cells.values).for_each(|(row, value)| matrix.add_triplet(row[0] as usize, row[1] as usize, *value));
    let summed: CsMatI<i64, u32> = matrix.to_csr();
    let expected = SparseTensor::from_sprs(summed).unwrap();
    for kinds in structures(2, false) {
        let builder = Builder::new(Format::new(&kinds, &[1, 0]).unwrap(), 0);
        let a = builder.clone().duplicates(Duplicates::sum()).build_sprs_triplets(matrix.view()).unwrap();
        assert_eq!(a.to_format(&Format::csr()).unwrap(), expected);
        assert_eq!(builder.build_sprs_triplets(matrix.view()).unwrap_err().class(), "levels/duplicate");
        let back: TriMatI<i64, u16> = a.to_sprs_triplets().unwrap();
        assert_eq!(builder.build_sprs_triplets(back.view()).unwrap(), a);
    }
    // Elements of a multigraph are separate triplets.
    let all = Builder::new("S-DC-R".parse().unwrap(), 0).build_sprs_triplets(matrix.view()).unwrap();
    assert_eq!(all.stored(), cells.rows.len());
    let again: CsMatI<i64, u32> = all.to_sprs_triplets::<u32>().unwrap().to_csr();
    assert_eq!(SparseTensor::from_sprs(again).unwrap(), expected);
    assert!(all.permute(&[0, 1]).unwrap().slice(&[0.into(), (0..6).into()]).unwrap().to_sprs_triplets::<u32>().is_err());
}

#[test]
fn what_is_refused() {
    let columns: [Indices; 2] = [vec![1u8, 0].into(), vec![0u8, 2].into()];
    let of = |name: &str, fill: i32, values: Values<'static, i32>| {
        Builder::new(name.parse().unwrap(), fill).widths(Widths::all(Width::U32)).build(&[3, 3], &columns, values).unwrap()
    };
    let two = || Values::from(vec![1, 2]);
    for name in ["COO", "DCSR", "C-DC-R", "CSR+multigraph", "CSR+unsorted(1)", "S-D-R"] {
        let a = of(name, 0, two());
        let error = a.as_sprs::<u32, u32>().unwrap_err();
        assert_eq!((error.class(), error.to_string().contains("sprs has no matrix in the format")), ("levels/counterpart", true), "{name}");
        let parts = a.clone().into_parts();
        let rejected = a.into_sprs::<u32, u32>().unwrap_err();
        assert_eq!((rejected.error, *rejected.parts), (error, parts));
    }
    assert_eq!(of("CSR", 1, two()).as_sprs::<u32, u32>().unwrap_err(), InterchangeError::Fill);
    assert_eq!(of("CSR", 0, Values::PatternOnly).as_sprs::<u32, u32>().unwrap_err(), InterchangeError::NoValues);
    assert_eq!(of("CSR", 0, Values::PatternOnly).into_sprs::<u32, u32>().unwrap_err().error, InterchangeError::NoValues);
    assert_eq!(of("CSR", 0, Values::Iso(7)).into_sprs::<u32, u32>().unwrap().data(), [7, 7]);
    let lower = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let half = Builder::new(Format::csr(), 0).build(&[3, 3], &[vec![2u8].into(), vec![0u8].into()], vec![5]).unwrap();
    let half = half.with_attributes(lower).unwrap();
    assert_eq!(half.into_sprs::<u32, u32>().unwrap_err().error, InterchangeError::OneTriangle);
    // The index type does not hold these numbers.
    let wide = Builder::new(Format::csr(), 0).build(&[1, 70_000], &[vec![0u8, 0].into(), vec![3u32, 40_000].into()], vec![1, 2]).unwrap();
    let error = wide.clone().into_sprs::<i16, u32>().unwrap_err().error;
    assert_eq!(error.to_string(), "axis 1: the extent 70000 does not fit an index type of 15 bits");
    assert_eq!(wide.to_sprs_triplets::<i16>().unwrap_err().class(), "levels/overflow");
    assert_eq!(wide.into_sprs::<u32, i16>().unwrap().get(0, 40_000), Some(&2));
    let many = Builder::new(Format::csr(), 0).build(
        &[1, 40_000],
        &[vec![0u8; 40_000].into(), (0..40_000).collect::<Vec<u32>>().into()],
        vec![1; 40_000],
    );
    assert_eq!(many.unwrap().into_sprs::<u16, i16>().unwrap_err().to_string(), "40000 elements are too many for pointers of 15 bits");
    // sprs may accept columns that repeat; a tensor does not.
    let matrix = CsMatI::<i32, u32>::try_new((1, 3), vec![0, 2], vec![1, 1], vec![1, 2]);
    if let Ok(matrix) = matrix {
        assert_eq!(SparseTensor::from_sprs_view(matrix.view()).unwrap_err().class(), "levels/duplicate");
        let rejected = SparseTensor::from_sprs(matrix).unwrap_err();
        assert_eq!(rejected.parts.values, vec![1, 2].into());
    }
}
