//! Tests of products and reductions in every format against sums over all elements.

use super::composite::schemes;
use crate::common::threads::on_threads;
use crate::common::{Cells, Elements, Rng, build};
use layout_core::{DynLayout, Layout, make_layout};
use sparse_formats::{
    Attributes, Builder, Cells as Over, Composite, Dense, Duplicates, Elementwise, Format, Indices, Major, OperationError, Reduction,
    Scheme, Sddmm, SparseOperand, SparseTensor, Symmetry, Triangle, count, elementwise, mttkrp, reduce, spgemm, spgemm_unsorted,
    spgemm_values, spmm, spmv, ttm, ttv, visit_columns,
};
use std::collections::BTreeMap;

/// Returns small numbers, whose sums are exact.
pub(super) fn numbers(rng: &mut Rng, len: u64) -> Vec<i64> {
    (0..len).map(|_| rng.between(-9, 9)).collect()
}

/// Returns a random tensor in every kind of storage, and its elements.
fn operands(rng: &mut Rng, rank: usize) -> (Vec<u64>, Elements, Vec<Composite<'static, i64>>) {
    let shape: Vec<u64> = (0..rank).map(|_| *rng.pick(&[0, 1, 2, 5, 5, 9, 13])).collect();
    let len = *rng.pick(&[0, 1, 9, 80, 300]);
    let cells = Cells::random(rng, &shape, len, false);
    let tensor = build(&cells, &Format::coo(rank));
    let mut all: Vec<Composite<i64>> = schemes(rng, rank).iter().map(|scheme| Composite::new(&tensor, scheme).unwrap()).collect();
    let any = |name: &str| Format::parse_with_rank(name, rank).unwrap();
    all.extend(["COO", "CSF"].map(|name| Composite::from(tensor.to_format(&any(name)).unwrap())));
    all.push(tensor.to_format(&Format::coo(rank).with_multigraph(true).unwrap()).unwrap().into());
    if rank > 1 {
        let blocks = Format::new(Format::coo(rank - 1).kinds(), &(0..rank).collect::<Vec<_>>()).unwrap();
        all.push(tensor.to_format(&blocks).unwrap().into());
        all.push(tensor.to_format(&any("COO").with_unsorted(&vec![true; rank]).unwrap()).unwrap().into());
    }
    (shape, cells.elements(), all)
}

/// Returns the stored elements of a tensor that are not zero.
fn nonzero(tensor: &SparseTensor<i64>) -> Elements {
    let mut out = Elements::new();
    tensor.for_each(|coordinate, value| *out.entry(coordinate.to_vec()).or_default() += value.unwrap());
    out.retain(|_, value| *value != 0);
    out
}

fn without_zeros(mut elements: Elements) -> Elements {
    elements.retain(|_, value| *value != 0);
    elements
}

#[test]
fn of_any_rank() {
    let mut rng = Rng::new(21);
    for round in 0..48 {
        let rank = 1 + round % 4;
        let (shape, elements, operands) = operands(&mut rng, rank);
        let width = *rng.pick(&[0u64, 1, 5, 8, 16, 30, 32, 71]);
        let factors: Vec<Vec<i64>> = shape.iter().map(|extent| numbers(&mut rng, extent * width)).collect();
        let factors: Vec<&[i64]> = factors.iter().map(Vec::as_slice).collect();
        let vectors: Vec<Vec<i64>> = shape.iter().map(|extent| numbers(&mut rng, *extent)).collect();
        let modes: Vec<usize> = (0..rank).filter(|_| rng.one_in(2)).collect();
        let kept = |row: &[u64]| (0..rank).filter(|axis| !modes.contains(axis)).map(|axis| row[axis]).collect::<Vec<u64>>();
        let mut products = Elements::new();
        let mut sums: BTreeMap<Vec<u64>, Vec<i64>> = BTreeMap::new();
        for (row, value) in &elements {
            let factor: i64 = modes.iter().map(|mode| vectors[*mode][row[*mode] as usize]).product();
            *products.entry(kept(row)).or_default() += value * factor;
            sums.entry(kept(row)).or_default().push(*value);
        }
        let of: Vec<&[i64]> = modes.iter().map(|mode| vectors[*mode].as_slice()).collect();
        let cells: u64 = modes.iter().map(|mode| shape[*mode]).product();
        for a in &operands {
            for mode in 0..rank {
                let mut expected = vec![0; (shape[mode] * width) as usize];
                let mut slices = Elements::new();
                for (row, value) in &elements {
                    for r in 0..width as usize {
                        let others = (0..rank).filter(|axis| *axis != mode);
                        let factor: i64 = others.map(|axis| factors[axis][row[axis] as usize * width as usize + r]).product();
                        expected[row[mode] as usize * width as usize + r] += value * factor;
                        let mut at = row.clone();
                        at[mode] = r as u64;
                        *slices.entry(at).or_default() += value * factors[mode][row[mode] as usize * width as usize + r];
                    }
                }
                assert_eq!(mttkrp(a, mode, &factors, width as usize).unwrap(), expected, "{a} of {shape:?}, mode {mode}");
                let product = ttm(a, mode, factors[mode], width as usize).unwrap();
                assert_eq!(nonzero(&product), without_zeros(slices), "{a} of {shape:?}, mode {mode}");
            }
            assert_eq!(nonzero(&ttv(a, &modes, &of).unwrap()), without_zeros(products.clone()), "{a} of {shape:?} along {modes:?}");
            // Blocks over dense axes store zeros too.
            let exact = a.stored() == elements.len() || a.parts()[0].map.extents() != shape;
            type Best = for<'v> fn(&mut dyn Iterator<Item = &'v i64>) -> Option<&'v i64>;
            for (reduction, best) in [(Reduction::Max, (|values| values.max()) as Best), (Reduction::Min, |values| values.min())] {
                let stored = reduce(a, &modes, reduction, Over::Stored).unwrap();
                let all = reduce(a, &modes, reduction, Over::All).unwrap();
                for (row, values) in &sums {
                    let zero = ((values.len() as u64) < cells).then_some(&0);
                    assert!(!exact || stored.at(row) == best(&mut values.iter()), "{a} of {shape:?}");
                    assert_eq!(all.at(row), best(&mut values.iter().chain(zero)), "{a} of {shape:?}");
                }
            }
            let expected: Elements = sums.iter().map(|(row, values)| (row.clone(), values.iter().sum())).collect();
            assert_eq!(nonzero(&reduce(a, &modes, Reduction::Sum, Over::All).unwrap()), without_zeros(expected));
            let counts = count(a, &modes).unwrap();
            assert!(!exact || sums.iter().all(|(row, values)| counts.at(row) == Some(&(values.len() as u64))));
        }
    }
}

#[test]
fn of_matrices() {
    let mut rng = Rng::new(22);
    for _ in 0..25 {
        let (shape, elements, operands) = operands(&mut rng, 2);
        let (rows, columns) = (shape[0] as usize, shape[1] as usize);
        let width = *rng.pick(&[0usize, 1, 3, 8, 16, 32, 40]);
        let len = *rng.pick(&[0, 40]);
        let other = build(&Cells::random(&mut rng, &[columns as u64, 7], len, false), &Format::csr());
        let mut expected = Elements::new();
        for (at, value) in &elements {
            other.for_each(|b, x| {
                if b[0] == at[1] {
                    *expected.entry(vec![at[0], b[1]]).or_default() += value * x.unwrap();
                }
            });
        }
        let same = Cells::random(&mut rng, &shape, 30, false);
        let second = build(&same, &Format::csc());
        for a in &operands {
            for transpose in [false, true] {
                let (out, inner) = if transpose { (columns, rows) } else { (rows, columns) };
                let x = numbers(&mut rng, inner as u64);
                let dense = numbers(&mut rng, (inner * width) as u64);
                let mut y = vec![0; out];
                let mut product = [vec![0; out * width], vec![0; out * width]];
                for (at, value) in &elements {
                    let (i, j) = if transpose { (at[1] as usize, at[0] as usize) } else { (at[0] as usize, at[1] as usize) };
                    y[i] += value * x[j];
                    for r in 0..width {
                        product[0][i * width + r] += value * dense[j * width + r];
                        product[1][r * out + i] += value * dense[r * inner + j];
                    }
                }
                assert_eq!(spmv(a, transpose, &x).unwrap(), y, "{a} of {shape:?}");
                for (major, product) in [Major::Rows, Major::Columns].into_iter().zip(&product) {
                    let b = Dense::packed(&dense, [inner, width], major).unwrap();
                    assert_eq!(&spmm(a, transpose, b, major).unwrap(), product, "{a} of {shape:?}");
                }
            }
            let (left, right) = (numbers(&mut rng, (rows * width) as u64), numbers(&mut rng, (columns * width) as u64));
            let [l, r] = [(&left, rows), (&right, columns)].map(|(data, rows)| Dense::packed(data, [rows, width], Major::Rows).unwrap());
            let dot = |row: &[u64]| (0..width).map(|k| left[row[0] as usize * width + k] * right[row[1] as usize * width + k]).sum::<i64>();
            let sampled: Elements = elements.iter().map(|(row, value)| (row.clone(), value * dot(row))).collect();
            assert_eq!(nonzero(&a.sddmm(l, r).unwrap().gathered(&Format::coo(2)).unwrap()), without_zeros(sampled), "{a} of {shape:?}");
            let product = spgemm(a, &other).unwrap();
            assert_eq!(nonzero(&product), without_zeros(expected.clone()), "{a} of {shape:?}");
            assert_eq!(spgemm_values(&product, a, &other).unwrap(), product, "{a} of {shape:?}");
            let unsorted = spgemm_unsorted(a, &other).unwrap();
            let rows = if a.to_string() == "DC-S-R" { Format::dcsr() } else { Format::csr() };
            assert_eq!(unsorted.format(), &rows.with_unsorted(&[false, true]).unwrap());
            assert_eq!(unsorted.to_format(product.format()).unwrap(), product, "{a} of {shape:?}");
            let op = *rng.pick(&[Elementwise::Add, Elementwise::Sub, Elementwise::Mul, Elementwise::Max, Elementwise::Min]);
            let merged = elementwise(a, &second, op, &Format::csr()).unwrap();
            let mut all = Elements::new();
            for row in elements.keys().chain(same.elements().keys()) {
                let (x, y) = (elements.get(row).copied().unwrap_or(0), same.elements().get(row).copied().unwrap_or(0));
                let value = match op {
                    Elementwise::Add => x + y,
                    Elementwise::Sub => x - y,
                    Elementwise::Mul => x * y,
                    Elementwise::Max => x.max(y),
                    Elementwise::Min => x.min(y),
                };
                all.insert(row.clone(), value);
            }
            assert_eq!(nonzero(&merged), without_zeros(all), "{a} {op:?}");
        }
    }
}

/// Products are over stored elements in every kind of storage, whatever the fill value.
#[test]
fn fill_values_do_not_count() {
    let mut rng = Rng::new(31);
    for _ in 0..25 {
        let shape = [*rng.pick(&[1u64, 5, 9, 16]), *rng.pick(&[1u64, 4, 8, 13])];
        let cells = Cells::random(&mut rng, &shape, 40, false);
        let elements: Elements = cells.elements();
        let tensor = Builder::new(Format::coo(2), -1).build(&shape, &cells.columns(), cells.values.clone()).unwrap();
        let mut names: Vec<Scheme> = schemes(&mut rng, 2);
        names.extend((1..=8).map(|edge| format!("blocks({edge},{edge}):C-S-R").parse::<Scheme>().unwrap()));
        for a in names.iter().map(|scheme| Composite::new(&tensor, scheme).unwrap()) {
            for transpose in [false, true] {
                let [out, inner] = if transpose { [1, 0] } else { [0, 1] };
                let x = numbers(&mut rng, shape[inner]);
                let mut y = vec![0; shape[out] as usize];
                elements.iter().for_each(|(at, value)| y[at[out] as usize] += value * x[at[inner] as usize]);
                assert_eq!(spmv(&a, transpose, &x).unwrap(), y, "{a} of {shape:?}, transposed: {transpose}");
                let b = Dense::packed(&x, [x.len(), 1], Major::Rows).unwrap();
                assert_eq!(spmm(&a, transpose, b, Major::Rows).unwrap(), y, "{a} of {shape:?}, transposed: {transpose}");
                let factors: [&[i64]; 2] = if transpose { [&x, &[]] } else { [&[], &x] };
                assert_eq!(mttkrp(&a, out, &factors, 1).unwrap(), y, "{a} of {shape:?}, transposed: {transpose}");
            }
        }
    }
}

/// A list of values for each tensor of an operand, no more and no fewer.
#[test]
fn lists_of_values() {
    let cells = Cells { shape: vec![2, 3], rows: vec![vec![1, 2], vec![0, 0], vec![0, 1]], values: vec![5, 6, 7] };
    let a = build(&cells, &Format::csr());
    let parts = Composite::new(&a, &"hbcsf[0,1]".parse().unwrap()).unwrap();
    for count in [0, 1, 2, 3] {
        let lists = |lens: &[usize]| (0..count).map(|k| vec![1; lens.get(k).copied().unwrap_or(0)]).collect::<Vec<_>>();
        let lens: Vec<usize> = parts.parts().iter().map(|part| part.tensor.pattern().stored()).collect();
        assert_eq!(a.of_values(lists(&[3])).is_ok(), count == 1);
        assert_eq!(parts.of_values(lists(&lens)).is_ok(), count == lens.len(), "{lens:?}");
    }
    let error = a.of_values(vec![vec![1; 3]; 2]).unwrap_err();
    assert_eq!((error.class(), error.to_string()), ("kernel/shape", "lists of values: the extents are [2] instead of [1]".to_string()));
}

/// Kernels would miss the elements of the other triangle, so they refuse the tensor until it is expanded.
#[test]
fn one_triangle_is_refused() {
    let columns: [Indices; 2] = [vec![0u8, 1, 2].into(), vec![0u8, 0, 1].into()];
    let whole = Builder::new(Format::csr(), 0).build(&[3, 3], &columns, vec![1i64, 2, 3]).unwrap();
    let attributes = Attributes { symmetry: Some(Symmetry::Symmetric), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let half = whole.clone().with_attributes(attributes).unwrap();
    let both = half.expand(|value, _| *value).unwrap();
    let (x, factors): (&[i64], [&[i64]; 2]) = (&[1, 10, 100], [&[1, 1, 1], &[1, 10, 100]]);
    let dense = Dense::packed(x, [3, 1], Major::Rows).unwrap();
    let check = |a: &SparseTensor<'static, i64>| {
        [
            spmv(a, false, x).map(|_| ()),
            spmm(a, true, dense, Major::Rows).map(|_| ()),
            mttkrp(a, 0, &factors, 1).map(|_| ()),
            ttm(a, 1, x, 1).map(|_| ()),
            ttv(a, &[1], &[x]).map(|_| ()),
            a.sddmm(dense, dense).map(|_| ()),
            spgemm(a, &whole).map(|_| ()),
            spgemm(&whole, a).map(|_| ()),
            reduce(a, &[0], Reduction::Sum, Over::Stored).map(|_| ()),
            count(a, &[0]).map(|_| ()),
            elementwise(a, &whole, Elementwise::Add, &Format::csr()).map(|_| ()),
            Composite::new(a, &"blocks(2,2):C-S-R".parse().unwrap()).map(|_| ()),
        ]
    };
    for (k, result) in check(&half).into_iter().enumerate() {
        assert_eq!(result.map_err(|error| error.class()), Err("levels/structure"), "kernel {k}");
    }
    assert!(check(&both).iter().all(Result::is_ok));
    assert_eq!(spmv(&both, false, x).unwrap(), [21, 302, 30]);
}

/// Products store every element that has a term, even if the terms cancel.
#[test]
fn products_that_cancel() {
    let of = |rows: Vec<Vec<u64>>, values: Vec<i64>| build(&Cells { shape: vec![2, 2], rows, values }, &Format::csr());
    let a = of(vec![vec![0, 0], vec![0, 1]], vec![1, 1]);
    let b = of(vec![vec![0, 1], vec![1, 1]], vec![3, -3]);
    let product = spgemm(&a, &b).unwrap();
    assert_eq!((product.stored(), product.values()), (1, &vec![0].into()));
    let difference = elementwise(&a, &a, Elementwise::Sub, &Format::csc()).unwrap();
    assert_eq!((difference.stored(), difference.values()), (2, &vec![0, 0].into()));
}

/// In matrices with many more rows than elements, products visit only rows that occur. The result stores only these
/// if the first operand does.
#[test]
fn rows_that_occur() {
    let mut rng = Rng::new(33);
    for (rows, inner, columns) in [(1u64 << 40, 1 << 35, u64::MAX), (9, 1 << 50, 5), (u64::MAX, 7, 3)] {
        let extent = |extent: u64, rng: &mut Rng| rng.below(6) * (extent / 6).max(1) % extent;
        let mut cells = |shape: [u64; 2]| {
            let mut all: Vec<Vec<u64>> = (0..25).map(|_| shape.iter().map(|e| extent(*e, &mut rng)).collect()).collect();
            all.sort();
            all.dedup();
            let values = numbers(&mut rng, all.len() as u64);
            Cells { shape: shape.to_vec(), rows: all, values }
        };
        let (a, b) = (cells([rows, inner]), cells([inner, columns]));
        let mut expected = Elements::new();
        for ((at, x), (other, y)) in
            a.elements().iter().flat_map(|a| b.elements().into_iter().map(move |b| ((a.0.clone(), *a.1), b))).collect::<Vec<_>>()
        {
            if at[1] == other[0] {
                *expected.entry(vec![at[0], other[1]]).or_default() += x * y;
            }
        }
        let left = build(&a, &Format::dcsr());
        for format in [Format::dcsr(), Format::coo(2), Format::dcsc()] {
            let product = spgemm(&left, &build(&b, &format)).unwrap();
            assert_eq!((product.format(), product.stored()), (&Format::dcsr(), expected.len()), "{rows} {inner} {columns}");
            assert_eq!(nonzero(&product), without_zeros(expected.clone()), "{rows} {inner} {columns}");
            let unsorted = spgemm_unsorted(&left, &build(&b, &format)).unwrap();
            assert_eq!(unsorted.to_format(&Format::dcsr()).unwrap(), product, "{rows} {inner} {columns}");
            let again = spgemm_values(&product, &build(&a, &Format::coo(2)), &build(&b, &format)).unwrap();
            assert_eq!(again, product, "{rows} {inner} {columns}");
            let mut less = expected.clone();
            let gone = less.pop_first().expect("products").0;
            let (rows, values) = less.into_iter().unzip();
            let less = build(&Cells { shape: product.shape().to_vec(), rows, values }, &Format::dcsr());
            assert_eq!(spgemm_values(&less, &left, &build(&b, &format)).unwrap_err(), OperationError::NoPlace { found: gone });
        }
        if rows < 10 {
            let left = build(&a, &Format::csr());
            let product = spgemm(&left, &build(&b, &Format::dcsr())).unwrap();
            assert_eq!(product.format(), &Format::csr());
            assert_eq!(nonzero(&product), without_zeros(expected));
            assert_eq!(spgemm_values(&product, &left, &build(&b, &Format::dcsr())).unwrap(), product);
        }
    }
}

/// Rows with many terms use a hash table.
#[test]
fn long_rows() {
    let mut rng = Rng::new(23);
    let mut matrix = |rows: u64, columns: u64, len| {
        let cells = Cells::random(&mut rng, &[rows, columns], len, false);
        build(&cells, &Format::csr())
    };
    for columns in [5_000, 1 << 20, 1 << 33] {
        let (a, b) = (matrix(40, 300, 2_000), matrix(300, columns, 6_000));
        let mut expected = Elements::new();
        a.for_each(|at, x| {
            b.for_each(|with, y| {
                if with[0] == at[1] {
                    *expected.entry(vec![at[0], with[1]]).or_default() += x.unwrap() * y.unwrap();
                }
            });
        });
        let product = spgemm(&a, &b).unwrap();
        assert_eq!(product.stored(), expected.len());
        assert_eq!(crate::common::elements(&product), expected);
        assert_eq!(spgemm_values(&product, &a, &b).unwrap(), product);
        assert_eq!(spgemm_unsorted(&a, &b).unwrap().to_format(&Format::csr()).unwrap(), product);
        let twice = b.map(|x| 2 * x).unwrap();
        assert_eq!(spgemm_values(&product, &a, &twice).unwrap(), product.map(|x| 2 * x).unwrap());
        // The pattern lacks one element of the product.
        let mut all: Vec<(Vec<u64>, i64)> = expected.iter().map(|(at, value)| (at.clone(), *value)).collect();
        let (gone, _) = all.remove(all.len() / 2);
        let (rows, values) = all.into_iter().unzip();
        let less = build(&Cells { shape: product.shape().to_vec(), rows, values }, &Format::csr());
        assert_eq!(spgemm_values(&less, &a, &b).unwrap_err(), OperationError::NoPlace { found: gone });
    }
}

/// Tests reductions of an operand whose blocks store nothing but padding, before and between elements.
#[test]
fn reductions_of_padding() {
    for values in [vec![0, 0, 0, 0], vec![0, 5, 0, 0], vec![5, 0, 0, 7]] {
        let columns: [Indices; 2] = [vec![0u32, 1, 2, 1500].into(), vec![0u32, 3, 6, 9].into()];
        let a = Builder::new(Format::csr(), 0).build(&[2000, 10], &columns, values.clone()).unwrap();
        let by_diagonals = Composite::new(&a, &"dia".parse().unwrap()).unwrap();
        let stored = values.iter().filter(|value| **value != 0).count();
        for axes in [&[][..], &[0], &[1], &[0, 1]] {
            let sums = reduce(&by_diagonals, axes, Reduction::Sum, Over::Stored).unwrap();
            assert_eq!(sums.stored(), if axes.len() == 2 { 1 } else { stored }, "{values:?} along {axes:?}");
        }
        assert_eq!(count(&by_diagonals, &[0, 1]).unwrap().at(&[]), Some(&(stored as u64)));
        assert_eq!(ttv(&by_diagonals, &[1], &[&[1; 10]]).unwrap().stored(), stored);
        let mut seen = Vec::new();
        visit_columns(&by_diagonals, |_, values| seen.extend_from_slice(values)).unwrap();
        assert_eq!(seen.len(), stored);
    }
}

/// Tests reductions large enough for several pieces: with results in order, with few cells, and with more cells
/// than elements.
#[test]
fn large_reductions() {
    let mut rng = Rng::new(31);
    for (shape, len) in [([50u64, 30, 400], 150_000), ([1 << 40, 7, 1 << 33], 80_000), ([3, 1, u64::MAX], 90_000)] {
        let any = |extent: u64, rng: &mut Rng| rng.below(extent.min(60)) * (extent / 60).max(1);
        let rows: Vec<Vec<u64>> = (0..len).map(|_| shape.iter().map(|extent| any(*extent, &mut rng).min(extent - 1)).collect()).collect();
        let columns: Vec<Indices> = (0..3).map(|axis| rows.iter().map(|row| row[axis]).collect::<Vec<u64>>().into()).collect();
        let values: Vec<i64> = (0..len).map(|_| rng.between(-9, 9)).collect();
        let builder = Builder::new(Format::coo(3).with_multigraph(true).unwrap(), 0);
        let list = builder.build(&shape, &columns, values).unwrap();
        let sums = list.convert(&Builder::new(Format::csf(3), 0).duplicates(Duplicates::sum())).unwrap();
        for axes in [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]] {
            let mut all = BTreeMap::<Vec<u64>, (i64, i64, u64)>::new();
            sums.for_each(|row, value| {
                let row = (0..3).filter(|axis| !axes.contains(axis)).map(|axis| row[axis]).collect();
                let entry = all.entry(row).or_insert((0, i64::MIN, 0));
                *entry = (entry.0 + value.unwrap(), entry.1.max(*value.unwrap()), entry.2 + 1);
            });
            let of = |tensor: &SparseTensor<i64>| {
                let mut out = BTreeMap::new();
                tensor.for_each(|row, value| assert!(out.insert(row.to_vec(), *value.unwrap()).is_none()));
                out
            };
            for name in ["CSF", "X[2,0,1]", "alto", "mmcsf"] {
                let scheme = match name {
                    "CSF" => Scheme::Levels(Format::csf(3)),
                    "X[2,0,1]" => Scheme::Levels(Format::csf(3).with_axis_order(&[2, 0, 1]).unwrap()),
                    name => name.parse().unwrap(),
                };
                let a = Composite::new(&sums, &scheme).unwrap();
                let sum = on_threads(|| reduce(&a, axes, Reduction::Sum, Over::Stored).unwrap());
                assert_eq!(
                    of(&sum),
                    all.iter().map(|(row, (sum, ..))| (row.clone(), *sum)).collect(),
                    "{name} of {shape:?} along {axes:?}"
                );
                let most = on_threads(|| reduce(&a, axes, Reduction::Max, Over::Stored).unwrap());
                assert_eq!(
                    of(&most),
                    all.iter().map(|(row, (_, most, _))| (row.clone(), *most)).collect(),
                    "{name} of {shape:?} along {axes:?}"
                );
                let counts = count(&a, axes).unwrap();
                assert!(all.iter().all(|(row, (_, _, count))| counts.at(row) == Some(count)), "{name} of {shape:?} along {axes:?}");
            }
        }
    }
}

/// A NaN is the maximum and the minimum, wherever it occurs. Without elements, a reduction to a scalar is 0.
#[test]
fn reductions_of_nan_and_nothing() {
    let len = 200_000u32;
    let columns = |len: u32| [Indices::from(vec![0u8; len as usize]), (0..len).collect::<Vec<u32>>().into()];
    for place in [0, 7, 65_536, 199_999] {
        let values: Vec<f64> = (0..len).map(|k| if k == place { f64::NAN } else { k.into() }).collect();
        let a = Builder::new(Format::csr(), 0.0).build(&[2, len.into()], &columns(len), values).unwrap();
        for reduction in [Reduction::Max, Reduction::Min] {
            assert!(reduce(&a, &[1], reduction, Over::Stored).unwrap().at(&[0]).unwrap().is_nan());
            assert!(reduce(&a, &[0, 1], reduction, Over::All).unwrap().at(&[]).unwrap().is_nan());
        }
    }
    let none = Builder::new(Format::csr(), 0).build(&[2, 3], &columns(0), Vec::<i32>::new()).unwrap();
    assert_eq!(reduce(&none, &[0, 1], Reduction::Max, Over::Stored).unwrap().at(&[]), Some(&0));
    assert_eq!(reduce(&none, &[1], Reduction::Max, Over::Stored).unwrap().stored(), 0);
}

#[test]
fn what_is_refused() {
    let a = build(&Cells { shape: vec![2, 3], rows: vec![vec![1, 2]], values: vec![5] }, &Format::csr());
    let cube = build(&Cells { shape: vec![2, 3, 4], rows: vec![], values: vec![] }, &Format::csf(3));
    let class = |error: sparse_formats::OperationError| (error.class(), error.to_string());
    let shape = |text: &str| ("kernel/shape", text.to_string());
    assert_eq!(class(mttkrp(&a, 2, &[&[], &[]], 1).unwrap_err()), shape("mode 2 is out of range: the tensor has 2 axes"));
    assert_eq!(class(mttkrp(&a, 0, &[&[], &[1, 2]], 1).unwrap_err()), shape("factor: the extents are [2] instead of [3, 1]"));
    assert_eq!(class(mttkrp(&a, 0, &[&[]], 1).unwrap_err()), shape("factors: the extents are [1] instead of [2]"));
    assert_eq!(class(ttm(&a, 1, &[1], 1).unwrap_err()), shape("matrix: the extents are [1] instead of [3, 1]"));
    assert_eq!(
        class(ttv(&a, &[1, 1], &[&[1, 1, 1], &[1, 1, 1]]).unwrap_err()),
        shape("the modes [1, 1] must be in increasing order and less than 2, the number of axes")
    );
    assert_eq!(class(ttv(&a, &[0], &[&[1]]).unwrap_err()), shape("vector: the extents are [1] instead of [2]"));
    assert_eq!(
        class(reduce(&a, &[2], Reduction::Sum, Over::Stored).unwrap_err()),
        shape("the modes [2] must be in increasing order and less than 2, the number of axes")
    );
    assert_eq!(class(spmv(&cube, false, &[1]).unwrap_err()), shape("the tensor has 3 axes, but the kernel takes 2"));
    assert_eq!(class(spmv(&a, true, &[1]).unwrap_err()), shape("vector: the extents are [1] instead of [2]"));
    assert_eq!(class(spgemm(&a, &a).unwrap_err()), shape("other matrix: the extents are [2, 3] instead of [3, 3]"));
    assert_eq!(class(elementwise(&a, &cube, Elementwise::Add, &Format::csr()).unwrap_err()).0, "kernel/shape");
    let dense = Dense::packed(&[1, 2], [2, 1], Major::Rows).unwrap();
    assert_eq!(class(spmm(&a, false, dense, Major::Rows).unwrap_err()), shape("dense matrix: the extents are [2, 1] instead of [3, 1]"));
    assert_eq!(class(a.sddmm(dense, dense).unwrap_err()), shape("right: the extents are [2, 1] instead of [3, 1]"));
    let none = build(&Cells { shape: vec![0, 3], rows: vec![], values: vec![] }, &Format::coo(2));
    assert_eq!(ttm(&none, 0, &[], usize::MAX / 2).unwrap().stored(), 0);
    let wide = build(&Cells { shape: vec![u64::MAX, 3], rows: vec![], values: vec![] }, &Format::coo(2));
    assert_eq!(class(spmv(&wide, false, &[1, 1, 1]).unwrap_err()).0, "kernel/overflow");
}

/// Blocks of a multigraph with equal coordinates are summed. The result may not repeat blocks.
#[test]
fn blocks_of_a_multigraph() {
    let format: Format = "S-D-R+multigraph".parse().unwrap();
    let column: [Indices; 1] = [vec![1u8, 1, 2].into()];
    let a = Builder::new(format.clone(), 0).build_blocks(&[3, 2], &column, vec![1i64, 2, 10, 20, 5, 6]).unwrap();
    let b = Builder::new(Format::csr(), 0).build(&[3, 2], &[vec![0u8, 1].into(), vec![1u8, 0].into()], vec![100, 7]).unwrap();
    let of = |op, format: &Format| elementwise(&a, &b, op, format).map(|result| nonzero(&result));
    let sum = BTreeMap::from([(vec![0, 1], 100), (vec![1, 0], 18), (vec![1, 1], 22), (vec![2, 0], 5), (vec![2, 1], 6)]);
    for to in ["C-S-R", "S-D-R", "S-S-R+multigraph", "DC-S-C"] {
        assert_eq!(of(Elementwise::Add, &to.parse().unwrap()), Ok(sum.clone()), "{to}");
    }
    assert_eq!(of(Elementwise::Mul, &Format::csr()), Ok(BTreeMap::from([(vec![1, 0], 77)])));
    let error = of(Elementwise::Add, &format).unwrap_err();
    assert_eq!(error.class(), "levels/multigraph");
    assert!(error.to_string().contains("`S-D-R+multigraph` may store a block twice"), "{error}");
}

/// Dense operands of any layout: with strides, nested, or known at run time.
#[test]
fn dense_layouts() {
    let mut rng = Rng::new(27);
    let cells = Cells::random(&mut rng, &[6, 8], 20, false);
    let a = build(&cells, &Format::csr());
    let data = numbers(&mut rng, 200);
    let check = |layout: &dyn Fn(usize, usize) -> usize, b: Dense<i64>| {
        let mut expected = vec![0; 6 * 4];
        a.for_each(|at, value| {
            (0..4).for_each(|j| expected[at[0] as usize * 4 + j] += value.unwrap() * data[layout(at[1] as usize, j)]);
        });
        assert_eq!(spmm(&a, false, b, Major::Rows).unwrap(), expected);
    };
    let strided = make_layout((8, 4), (5, 41));
    check(&|i, j| strided.crd2idx((i, j)), Dense::of_layout(&data, strided, &mut Vec::new()).unwrap());
    let nested = make_layout(((2, 4), (2, 2)), ((1, 8), (2, 4)));
    check(&|i, j| nested.crd2idx((i, j)), Dense::of_layout(&data, nested, &mut Vec::new()).unwrap());
    let dynamic: DynLayout = "(8,(2,2)):(4,(2,50))".parse().unwrap();
    check(&|i, j| Layout::crd2idx(&dynamic, (i, j)), Dense::of_layout(&data, dynamic, &mut Vec::new()).unwrap());
    let error = |layout: DynLayout| Dense::of_layout(&data, layout, &mut Vec::new()).map(|_| ()).unwrap_err().class();
    assert_eq!(error("(8,4):(60,1)".parse().unwrap()), "kernel/shape");
    assert_eq!(error("(8,4):(-1,8)".parse().unwrap()), "kernel/shape");
    assert_eq!(error("(8,2,2):(4,2,1)".parse().unwrap()), "kernel/shape");
}
