//! Peak memory of conversions.

use crate::common::Rng;
use crate::{NOW, PEAK, alone};
use sparse_formats::kernels::{CompressedRows, compress, linear, transpose};
use sparse_formats::{Builder, Duplicates, Format, Indices, SparseTensor, Values, Width, Widths};
use std::sync::atomic::Ordering;

/// Returns the result of `run`, and the rise of the bytes in use above their number before.
pub fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    let result = run();
    (result, PEAK.load(Ordering::SeqCst) - before)
}

fn random(extent: u64, len: usize, power: i32, seed: u64) -> Vec<u32> {
    let mut random = Rng(seed);
    (0..len).map(|_| ((random.word() as f64 / 2f64.powi(64)).powi(power) * extent as f64) as u32).collect()
}

/// The bytes that any conversion may take.
const FIXED: usize = 8192;

/// Checks that compression of a list takes less than 5/4 of input and output.
fn compressed(name: &str, rows: &[u32], columns: &[u32], extents: (usize, usize)) -> CompressedRows<u32, u32, f64> {
    let len = rows.len();
    let values: Vec<f64> = (0..len).map(|k| k as f64).collect();
    let (matrix, used) = peak(|| compress::<_, _, u32, _>(rows, columns, &values, extents, Duplicates::sum()).expect("a matrix"));
    // The number of duplicates is unknown in advance, so the bound counts the output before they are combined.
    let (input, output) = (16 * len, 4 * (extents.0 + 1) + 12 * len);
    assert!(input + used <= (input + output) * 5 / 4 + FIXED, "{name}: {used} bytes for {output} of {input}");
    matrix
}

/// Checks the same for the transposition of the result.
fn matrices(name: &str, rows: &[u32], columns: &[u32], extents: (usize, usize)) {
    let matrix = compressed(name, rows, columns, extents);
    let len = matrix.indices.len();
    let (_, used) =
        peak(|| transpose::<_, _, u32, u32, _>(&matrix.pointers, &matrix.indices, &matrix.values, extents.1).expect("a matrix"));
    let (input, output) = (4 * (extents.0 + 1) + 12 * len, 4 * (extents.1 + 1) + 12 * len);
    assert!(input + used <= (input + output) * 5 / 4 + FIXED, "{name} transposed: {used} bytes for {output} of {input}");
}

/// Returns the number of bytes of the arrays of a tensor.
pub fn bytes(tensor: &SparseTensor<f64>) -> usize {
    let arrays = tensor.pattern().arrays();
    let all = arrays.indices.iter().chain(&arrays.pointers).flatten();
    all.map(|array| array.len() * array.width().bits() as usize / 8).sum::<usize>() + 8 * tensor.values().len().unwrap_or(0)
}

fn indices(columns: &[Vec<u32>]) -> Vec<Indices<'_>> {
    columns.iter().map(|column| Indices::from(&column[..])).collect()
}

fn build(format: &Format, shape: &[u64], columns: &[Vec<u32>], values: &[f64]) -> (SparseTensor<'static, f64>, usize) {
    let builder = Builder::new(format.clone(), 0.0).widths(Widths::all(Width::U32)).duplicates(Duplicates::sum());
    let columns = indices(columns);
    peak(|| builder.build(shape, &columns, Values::from(values)).expect("a tensor"))
}

/// Checks that building a matrix as a list, by rows or by columns, and converting each of these to the others,
/// takes less than 5/4 of input and output.
fn public(rows: u64, len: usize, power: i32) {
    let columns = [random(rows, len, power, 1), random(rows, len, power, 2)];
    let values: Vec<f64> = (0..len).map(|k| k as f64).collect();
    let formats = [Format::coo(2), Format::csr(), Format::csc(), Format::coo(2).with_axis_order(&[1, 0]).expect("a format")];
    let mut tensors = Vec::new();
    for format in &formats {
        let (tensor, used) = build(format, &[rows, rows], &columns, &values);
        // The number of duplicates is unknown in advance, so the bound counts the output before they are combined.
        let input = 16 * len;
        let output = (bytes(&tensor) - 12 * tensor.stored()) + 12 * len;
        assert!(input + used <= (input + output) * 5 / 4 + FIXED, "{format} of {len}: {used} bytes for {output} of {input}");
        tensors.push(tensor);
    }
    for tensor in &tensors {
        for format in &formats {
            let builder = Builder::new(format.clone(), 0.0).widths(Widths::all(Width::U32));
            let (converted, used) = peak(|| tensor.convert(&builder).expect("a tensor"));
            let (input, output) = (bytes(tensor), bytes(&converted));
            let most = (input + output) * 5 / 4 + FIXED;
            assert!(input + used <= most, "{} to {format}, {len}: {used} bytes for {output} of {input}", tensor.format());
        }
    }
}

/// Checks that building and converting tensors of rank 4 takes less than 5/4 of input and output, plus a buffer of
/// keys and one of numbers of entries.
fn tensor(power: i32) {
    let (len, shape) = (50_000, [40u64, 30, 600, 400]);
    let columns: Vec<Vec<u32>> = (0..4).map(|k| random(shape[k], len, power, k as u64)).collect();
    let values: Vec<f64> = (0..len).map(|k| k as f64).collect();
    let named = ["DC-DC-DC-S-R", "C-C-DC-S-X[3,0,2,1]", "C-C-S-S-C", "S-S-S-S-R", "S-DC-C-S-X[1,0,2,3]"];
    let formats: Vec<Format> = named.iter().map(|name| name.parse().expect("a format")).collect();
    let mut tensors = Vec::new();
    for format in &formats {
        let (tensor, used) = build(format, &shape, &columns, &values);
        let (input, output) = (24 * len, bytes(&tensor) + 24 * (len - tensor.stored()));
        assert!(input + used <= (input + output) * 5 / 4 + 16 * len + FIXED, "{format}: {used} bytes for {output} of {input}");
        tensors.push(tensor);
    }
    for tensor in &tensors {
        for format in &formats {
            let builder = Builder::new(format.clone(), 0.0).widths(Widths::all(Width::U32));
            let (converted, used) = peak(|| tensor.convert(&builder).expect("a tensor"));
            let (input, output, len) = (bytes(tensor), bytes(&converted), tensor.stored());
            let most = (input + output) * 5 / 4 + 16 * len + FIXED;
            assert!(input + used <= most, "{} to {format}: {used} bytes for {output} of {input}", tensor.format());
        }
    }
    let columns = indices(&columns);
    let (indices, used) = peak(|| linear::<u64>(&columns, &shape).expect("indices"));
    assert!(used <= 8 * indices.len() + 1024);
}

#[test]
fn peak_memory() {
    let _alone = alone();
    #[cfg(feature = "parallel")]
    rayon::join(|| (), || ());
    // Columns this wide leave few bits for rows.
    for (rows, columns, len) in [(1 << 12, 1 << 31, 5000), (1 << 16, 1 << 27, 20_000), (1 << 16, 1 << 27, 400_000)] {
        compressed("wide columns", &random(rows, len, 1, 1), &random(columns, len, 1, 2), (rows as usize, columns as usize));
    }
    for len in [20_000, 400_000] {
        let rows = len as u64 / 10;
        for power in [1, 3] {
            matrices(&format!("power {power}"), &random(rows, len, power, 1), &random(rows, len, power, 2), (rows as usize, rows as usize));
        }
        matrices("rows that do not fit above columns", &random(1 << 20, len, 1, 1), &random(1 << 24, len, 1, 2), (1 << 20, 1 << 24));
        matrices("one row", &vec![0; len], &random(1 << 20, len, 1, 2), (1, 1 << 20));
        let mostly = random(rows, len, 1, 3).into_iter().enumerate().map(|(k, row)| if k % 8 > 0 { 5 } else { row }).collect::<Vec<_>>();
        matrices("one heavy row", &mostly, &random(1 << 20, len, 1, 2), (rows as usize, 1 << 20));
        matrices("duplicates", &vec![3; len], &vec![7; len], (10, 10));
    }
    for (rows, power) in [(10_000, 1), (10_000, 3), (25_000, 2)] {
        public(rows, 100_000, power);
    }
    tensor(1);
    tensor(3);
}
