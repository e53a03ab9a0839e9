//! What formats hold, beside their definitions, and what kernels allocate beside their results.

use super::peak::{bytes, peak};
use crate::common::Rng;
use crate::{ALONE, NOW};
use layout_core::make_layout;
use sparse_formats::paged::{PagedShape, PagedView};
use sparse_formats::{
    Builder, Cells, Composite, Dense, Duplicates, Format, Indices, Major, Reduction, Sddmm, SparseTensor, mttkrp, reduce, spgemm,
    spgemm_unsorted, spgemm_values, spmm, spmv, ttm,
};
use std::sync::atomic::Ordering;

/// The result of `run`, and the bytes that it holds.
fn held<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Ordering::SeqCst);
    let result = run();
    (result, NOW.load(Ordering::SeqCst) - before)
}

/// Clustered coordinates, so that blocks have several elements.
fn tensor(shape: &[u64], len: usize, format: &Format) -> SparseTensor<'static, f64> {
    let mut rng = Rng(5);
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); shape.len()];
    for _ in 0..len / 8 {
        let corner: Vec<u64> = shape.iter().map(|extent| rng.below(*extent - 3)).collect();
        for _ in 0..8 {
            columns.iter_mut().zip(&corner).for_each(|(column, c)| column.push((c + rng.below(3u64)) as u32));
        }
    }
    let values: Vec<f64> = (0..columns[0].len()).map(|k| k as f64).collect();
    let columns: Vec<Indices> = columns.into_iter().map(Indices::from).collect();
    Builder::new(format.clone(), 0.0).duplicates(Duplicates::sum()).build(shape, &columns, values).expect("a tensor")
}

/// The bytes of a number up to `most`.
fn word(most: u64) -> usize {
    [1, 2, 4, 8].into_iter().find(|bytes| *bytes == 8 || most < 1 << (8 * bytes)).expect("a width")
}

/// How many different blocks of these edges the elements are in.
fn blocks(tensor: &SparseTensor<f64>, edge: u64) -> usize {
    let mut all = std::collections::BTreeSet::new();
    tensor.for_each(|coordinate, _| {
        all.insert(coordinate.iter().map(|c| c / edge).collect::<Vec<u64>>());
    });
    all.len()
}

/// What any tensor or kernel may take: descriptions, and a tile of elements for each thread.
const FIXED: usize = 1 << 18;

#[test]
fn formats_hold_what_they_are_defined_by() {
    let _alone = ALONE.lock();
    let shape = [3000u64, 200, 70_000];
    let a = tensor(&shape, 400_000, &Format::coo(3));
    let (len, nb) = (a.stored(), blocks(&a, 128));
    let keys: u32 = shape.iter().map(|extent| 64 - (extent - 1).leading_zeros()).sum();
    let block_indices: usize = shape.iter().map(|extent| word((extent - 1) / 128)).sum();
    for (name, defined) in [
        ("hicoo(7,7,7)", nb * block_indices + (nb + 1) * word(len as u64) + len * (3 + 8)),
        ("alto", len * (word((1 << keys) - 1) + 8)),
        ("COO", len * (shape.iter().map(|extent| word(extent - 1)).sum::<usize>() + 8)),
    ] {
        let scheme = if name == "COO" { Format::coo(3).to_string().parse() } else { name.parse() }.expect("a name");
        let (composite, used) = held(|| Composite::new(&a, &scheme).expect("parts"));
        assert!(used * 100 <= defined * 105 + FIXED, "{name}: {used} bytes for {defined}");
        assert_eq!(composite.stored(), len);
    }
    let matrix = tensor(&[40_000, 30_000], 300_000, &Format::csr());
    let nb = blocks(&matrix, 4);
    let defined = nb * (16 * 8 + word(30_000 / 4)) + 10_001 * word(nb as u64);
    let (_, used) = held(|| Composite::new(&matrix, &"blocks(4,4):C-S-R".parse().expect("a name")).expect("blocks"));
    assert!(used * 100 <= defined * 105 + FIXED, "blocks: {used} bytes for {defined}");
}

#[test]
fn kernels_allocate_their_results() {
    let _alone = ALONE.lock();
    // Results of few rows are summed apart: in one more on one thread, in at most eight on several.
    let results = if cfg!(feature = "parallel") { 9 } else { 2 };
    #[cfg(feature = "parallel")]
    rayon::join(|| (), || ());
    let shape = [3000u64, 200, 7000];
    let a = tensor(&shape, 300_000, &Format::csf(3));
    let factors: Vec<Vec<f64>> = shape.iter().map(|extent| vec![1.0; *extent as usize * 16]).collect();
    let factors: Vec<&[f64]> = factors.iter().map(Vec::as_slice).collect();
    for name in ["DC-DC-S-R", "hicoo(7,7,7)", "alto", "hbcsf[0,1,2]", "mmcsf"] {
        let composite = Composite::new(&a, &name.parse().expect("a name")).expect("parts");
        for mode in 0..3 {
            let (out, used) = peak(|| mttkrp(&composite, mode, &factors, 16).expect("a product"));
            assert!(used <= results * 8 * out.len() + FIXED, "{name}, mode {mode}: {used} bytes for {}", 8 * out.len());
        }
    }
    let matrix = tensor(&[40_000, 30_000], 300_000, &Format::csr());
    let x = vec![1.0; 30_000 * 16];
    let b = Dense::packed(&x, [30_000, 16], Major::Rows).expect("a matrix");
    let (out, used) = peak(|| spmv(&matrix, false, &x[..30_000]).expect("a product"));
    assert!(used <= results * 8 * out.len() + FIXED, "spmv: {used} bytes for {}", 8 * out.len());
    let (out, used) = peak(|| spmm(&matrix, false, b, Major::Rows).expect("a product"));
    assert!(used <= results * 8 * out.len() + FIXED, "spmm: {used} bytes for {}", 8 * out.len());
    let left = vec![1.0; 40_000 * 16];
    let left = Dense::packed(&left, [40_000, 16], Major::Rows).expect("a matrix");
    let (out, used) = peak(|| matrix.sddmm(left, b).expect("products"));
    assert!(used <= bytes(&out) + FIXED, "sddmm: {used} bytes for {}", bytes(&out));
    let (out, used) = peak(|| ttm(&a, 2, factors[2], 16).expect("a product"));
    assert!(used <= bytes(&out) + FIXED, "ttm: {used} bytes for {}", bytes(&out));
    // Rows are made in parts, which are put together one after the other: there are two of each but once.
    let square = tensor(&[30_000, 30_000], 300_000, &Format::csr());
    let rows = 3 * 8 * 30_001;
    for product in [spgemm, spgemm_unsorted] {
        let (out, used) = peak(|| product(&square, &square).expect("a product"));
        assert!(used <= 3 * bytes(&out) + rows + 16 * 4 * 30_000 + FIXED, "spgemm: {used} bytes for {}", bytes(&out));
    }
    let out = spgemm(&square, &square).expect("a product");
    let wide = 8 * out.stored();
    let (again, used) = peak(|| spgemm_values(&out, &square, &square).expect("a product"));
    assert!(used <= 8 * again.stored() + wide + rows + 16 * 4 * 30_000 + FIXED, "spgemm_values: {used} bytes for {}", 8 * again.stored());
    // Of one axis left, sums are made of lists of the elements' coordinates in it and values.
    let (out, used) = peak(|| reduce(&square, &[1], Reduction::Sum, Cells::Stored).expect("sums"));
    assert!(used <= bytes(&out) + 5 * (8 + 8) * square.stored() / 2 + FIXED, "reduce: {used} bytes for {}", bytes(&out));
}

/// What the harness may allocate meanwhile, on its own thread, to print the line of another test: far below the table and the pages.
const HARNESS: usize = 4096;

#[test]
fn pages_are_visited_where_they_lie() {
    let _alone = ALONE.lock();
    let (lengths, pool) = ([70_000usize, 100, 30_001], 8192);
    let table: Vec<u32> = (0..pool).rev().collect();
    let counts: Vec<u32> = [0, 4375, 4382, 6258].to_vec();
    let make = || PagedShape::from_offsets(16, pool as usize, &lengths, &counts[..], &table[..]).expect("a table");
    let (shape, used) = held(make);
    assert!(used <= 8 * lengths.len() + HARNESS, "{used} bytes beside the table");
    let elements: Vec<f32> = (0..pool as usize * 16 * 8).map(|k| k as f32).collect();
    let view = PagedView::new(&shape, make_layout((16, 8), (8, 1)), &elements).expect("a pool");
    let (sum, used) =
        peak(|| (0..3).flat_map(|sequence| view.pages(sequence)).map(|(tokens, page)| page[(tokens.len() - 1, 7)]).sum::<f32>());
    assert!(sum > 0.0 && used <= HARNESS, "{used} bytes to visit");
    let (gathered, used) = peak(|| view.gather().expect("memory"));
    assert!(used <= 4 * gathered.len() + 8192, "{used} bytes for {}", 4 * gathered.len());
}
