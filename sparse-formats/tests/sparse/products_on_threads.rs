//! Tests of products on several threads: the same sums, and the reported progress.

use super::products::numbers;
use crate::common::Rng;
use crate::common::threads::on_threads;
use sparse_formats::{
    ArrayName, Builder, Cells as Over, Composite, Dense, Duplicates, Elementwise, Format, Indices, Major, Reduction, Scalar, Scheme, Sddmm,
    Watched, Width, Widths, count, elementwise, mttkrp, reduce, spgemm, spmm, spmv, ttm, ttv,
};

/// Kernels report every element once, in every kind of storage and on any number of threads. Results do not change.
#[test]
fn watched() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let mut rng = Rng::new(29);
    let columns: [Indices; 2] = [500u32, 400].map(|extent| (0..60_000).map(|_| rng.below(extent)).collect::<Vec<u32>>().into());
    let list = Builder::new(Format::coo(2).with_multigraph(true).unwrap(), 0).build(&[500, 400], &columns, vec![1i64; 60_000]).unwrap();
    let rows = list.convert(&Builder::new(Format::csr(), 0).duplicates(Duplicates::sum())).unwrap();
    let other = list.clone().permute(&[1, 0]).unwrap();
    let (vector, identity) = (numbers(&mut rng, 400), (0..400 * 16).map(|k| i64::from(k % 17 == 0)).collect::<Vec<i64>>());
    let wide = numbers(&mut rng, 500 * 16);
    let (left, right) = (numbers(&mut rng, 500 * 40), numbers(&mut rng, 400 * 40));
    let left = Dense::packed(&left, [500, 40], Major::Rows).unwrap();
    let right = Dense::packed(&right, [400, 40], Major::Columns).unwrap();
    for name in ["COO", "CSR", "CSC", "blocks(4,4):C-S-R", "alto", "hbcsf[0,1]"] {
        let a = Composite::new(&rows, &name.parse().unwrap()).unwrap();
        let done = AtomicUsize::new(0);
        let tell = |elements: usize| {
            done.fetch_add(elements, Ordering::Relaxed);
        };
        let watched = Watched::new(&a, &tell);
        let elements: usize = a.parts().iter().map(|part| part.tensor.pattern().stored()).sum();
        assert_eq!(watched.elements(), elements, "{name}");
        // For operands that are converted first, the progress counts the converted elements, so blocks are split.
        let told = |what: &str, elements: usize, run: &(dyn Fn(bool) -> String + Sync)| {
            let expected = run(false);
            on_threads(|| {
                done.store(0, Ordering::Relaxed);
                assert_eq!(run(true), expected, "{what} of {name}");
                assert_eq!(done.load(Ordering::Relaxed), elements, "{what} of {name}");
            });
        };
        macro_rules! told {
            ($what:literal, $elements:expr, $a:ident => $run:expr) => {
                told($what, $elements, &|watch| {
                    let result = if watch {
                        let $a = &watched;
                        $run.unwrap()
                    } else {
                        let $a = &a;
                        $run.unwrap()
                    };
                    format!("{result:?}")
                })
            };
        }
        told!("spmv", elements, a => spmv(a, false, &vector));
        told!("mttkrp", elements, a => mttkrp(a, 0, &[&[], &identity], 16));
        told!("mttkrp of the other mode", elements, a => mttkrp(a, 1, &[&wide, &[]], 16));
        told!("spmm", elements, a => spmm(a, false, right, Major::Columns));
        told!("sddmm", elements, a => a.sddmm(left, right));
        told!("ttm", rows.stored(), a => ttm(a, 1, &identity, 16));
        told!("ttv", elements, a => ttv(a, &[1], &[&vector]));
        told!("reduce", elements, a => reduce(a, &[0], Reduction::Max, Over::All));
        told!("count", elements, a => count(a, &[0, 1]));
        told!("spgemm", rows.stored(), a => spgemm(a, &other));
        told!("elementwise", rows.stored(), a => elementwise(a, &rows, Elementwise::Mul, &Format::csr()));
    }
}

/// Tests operands large enough for several pieces, private results, shares of rows, and shares of the rows of two
/// results. Floating-point sums are the same on any number of threads.
#[test]
fn threads() {
    let (mut rng, shape, len) = (Rng::new(24), [40u64, 2_000, 20_000], 70_000);
    let columns: Vec<Indices> =
        shape.iter().map(|extent| (0..len).map(|_| rng.below(*extent) as u32).collect::<Vec<u32>>().into()).collect();
    let values: Vec<f64> = (0..len).map(|_| rng.unit()).collect();
    let factors: Vec<Vec<f64>> = shape.iter().map(|extent| (0..extent * 3).map(|_| rng.unit()).collect()).collect();
    let factors: Vec<&[f64]> = factors.iter().map(Vec::as_slice).collect();
    let tensor = Builder::new(Format::coo(3), 0.0).duplicates(Duplicates::sum()).build(&shape, &columns, values).unwrap();
    for mode in 0..3 {
        let mut expected = vec![0.0; shape[mode] as usize * 3];
        tensor.for_each(|row, value| {
            for r in 0..3 {
                let others = (0..3).filter(|axis| *axis != mode);
                let factor: f64 = others.map(|axis| factors[axis][row[axis] as usize * 3 + r]).product();
                expected[row[mode] as usize * 3 + r] += value.unwrap() * factor;
            }
        });
        for name in ["CSF[0,1,2]", "alto", "hbcsf[2,0,1](16)"] {
            let a = Composite::new(&tensor, &name.parse::<Scheme>().unwrap()).unwrap();
            let found = on_threads(|| mttkrp(&a, mode, &factors, 3).unwrap());
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs()), "{name}, mode {mode}");
        }
        on_threads(|| ttm(&tensor, mode, factors[mode], 3).unwrap());
    }
}

/// A vector times a matrix is one row, whose elements come from several pieces.
#[test]
fn a_vector_on_threads() {
    let (mut rng, extent) = (Rng::new(28), 300_000u64);
    let places: Vec<u32> = (0..extent as u32).filter(|place| place % 3 != 1).collect();
    let (values, matrix) = (numbers(&mut rng, places.len() as u64), numbers(&mut rng, extent * 3));
    let sum = |r: usize| places.iter().zip(&values).fold(0i64, |sum, (x, value)| sum.wrapping_add(value * matrix[*x as usize * 3 + r]));
    let expected: Vec<i64> = (0..3).map(sum).collect();
    let vector = Builder::new(Format::coo(1), 0).build(&[extent], &[Indices::from(places.clone())], values.clone()).unwrap();
    assert_eq!(on_threads(|| ttm(&vector, 0, &matrix, 3).unwrap()).values(), &expected.into());
}

/// Tests all modes of a tensor with enough elements for several threads, in fibers of `fiber` elements, in three
/// kinds of storage.
fn rows_of_threads<T: Scalar + From<i8> + PartialEq + std::fmt::Debug>(rng: &mut Rng, rank: usize, width: usize, fiber: usize) {
    let len = 16_800;
    // Results of 40 rows have eight private copies and results of 600 rows two. In larger results each thread owns
    // some rows.
    let mut shape: Vec<u64> = [1_700, 40, 1_500, 600][..rank - 1].to_vec();
    shape.push(if fiber > 100 { 2 * fiber as u64 } else { 900 });
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); rank];
    for _ in 0..len / fiber {
        let above: Vec<u32> = shape[..rank - 1].iter().map(|extent| rng.below(*extent) as u32).collect();
        for _ in 0..fiber {
            columns.iter_mut().zip(&above).for_each(|(column, x)| column.push(*x));
            columns[rank - 1].push(rng.below(shape[rank - 1]) as u32);
        }
    }
    let mut few = |len: u64| (0..len).map(|_| rng.between(-3, 3) as i8).collect::<Vec<i8>>();
    let (values, factors) = (few(columns[0].len() as u64), shape.iter().map(|extent| few(extent * width as u64)).collect::<Vec<_>>());
    let indices: Vec<Indices> = columns.into_iter().map(Indices::from).collect();
    let builder = Builder::new(Format::csf(rank), 0i8).duplicates(Duplicates::First);
    let counted = builder.build(&shape, &indices, values).unwrap();
    let tensor = counted.map(|x| T::from(*x)).unwrap();
    let dense: Vec<Vec<T>> = factors.iter().map(|factor| factor.iter().map(|x| T::from(*x)).collect()).collect();
    let dense: Vec<&[T]> = dense.iter().map(Vec::as_slice).collect();
    let row = |axis: usize, at: u64| &factors[axis][at as usize * width..][..width];
    for mode in 0..rank {
        // Every type holds these sums.
        let mut expected = vec![0i32; shape[mode] as usize * width];
        counted.for_each(|at, value| {
            for r in 0..width {
                let factor: i32 = (0..rank).filter(|axis| *axis != mode).map(|axis| i32::from(row(axis, at[axis])[r])).product();
                expected[at[mode] as usize * width + r] += i32::from(*value.unwrap()) * factor;
            }
        });
        // Build numbers from hundreds and a rest, because only small numbers surely convert to `T`.
        let number =
            |x: &i32| (0..x.abs() / 100).fold(T::from((x % 100) as i8), |sum, _| sum.plus(T::from(if *x < 0 { -100 } else { 100 })));
        let expected: Vec<T> = expected.iter().map(number).collect();
        // With the axis of extent 40 first, its fibers form groups.
        let grouped = Format::csf(rank).with_axis_order(&[1, 0, 2, 3, 4][..rank]).unwrap();
        let list = if mode % 2 == 0 { Scheme::Levels(Format::coo(rank)) } else { "alto".parse().unwrap() };
        for scheme in [Scheme::Levels(Format::csf(rank)), Scheme::Levels(grouped), list] {
            let a = Composite::new(&tensor, &scheme).unwrap();
            assert!(
                on_threads(|| mttkrp(&a, mode, &dense, width).unwrap()) == expected,
                "{scheme} of {shape:?}, mode {mode}, {width} columns"
            );
        }
    }
}

#[test]
fn rows_of_threads_of_any_type() {
    let mut rng = Rng::new(26);
    for rank in 2..=5 {
        for (k, width) in [1, 3, 8, 16, 17].into_iter().enumerate() {
            let run = [rows_of_threads::<f64>, rows_of_threads::<f32>, rows_of_threads::<i32>, rows_of_threads::<i64>][(k + rank) % 4];
            run(&mut rng, rank, width, [4, 1, 16_800][(2 * k + rank) % 3]);
        }
    }
}

/// Coordinates of the last level are read in place, in every width, over several tiles.
#[test]
fn leaves_of_any_width() {
    let (mut rng, shape, len) = (Rng::new(27), [30u64, 40, 250], 20_000);
    let columns: Vec<Indices> =
        shape.iter().map(|extent| (0..len).map(|_| rng.below(*extent) as u32).collect::<Vec<u32>>().into()).collect();
    let list = Builder::new(Format::coo(3), 0).duplicates(Duplicates::First).build(&shape, &columns, numbers(&mut rng, len)).unwrap();
    for columns in [7, 8, 16, 32] {
        let factors: Vec<Vec<i64>> = shape.iter().map(|extent| numbers(&mut rng, extent * columns)).collect();
        let factors: Vec<&[i64]> = factors.iter().map(Vec::as_slice).collect();
        for mode in 0..3 {
            let expected = mttkrp(&list, mode, &factors, columns as usize).unwrap();
            for width in [Width::U8, Width::U16, Width::U32, Width::U64] {
                let leaves = Widths::narrowest().with(ArrayName::Indices(2), width);
                let fibers = list.convert(&Builder::new(Format::csf(3), 0).widths(leaves)).unwrap();
                assert_eq!(fibers.pattern().indices(2).map(|indices| indices.width()), Some(width));
                let found = on_threads(|| mttkrp(&fibers, mode, &factors, columns as usize).unwrap());
                assert!(found == expected, "mode {mode}, {columns} columns, leaves of {width:?}");
            }
        }
    }
}
