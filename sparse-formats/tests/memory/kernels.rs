//! Memory of formats, compared with their definitions, and memory that kernels allocate besides their results.

use super::peak::{bytes, peak};
use crate::common::Rng;
use crate::{NOW, alone};
use layout_core::make_layout;
use ragged_arrays::paged::{PagedShape, PagedView};
use sparse_formats::{
    Builder, Cells, Composite, Dense, Duplicates, Elementwise, Format, Indices, Major, Reduction, Sddmm, SparseTensor, elementwise, mttkrp,
    reduce, spgemm, spgemm_unsorted, spgemm_values, spmm, spmv, ttm, ttv,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// Returns the result of `run`, and the bytes that it holds.
fn held<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Ordering::SeqCst);
    let result = run();
    (result, NOW.load(Ordering::SeqCst) - before)
}

/// Builds a tensor with clustered coordinates, so that blocks have several elements.
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

/// Returns the number of bytes of an integer up to `most`.
fn word(most: u64) -> usize {
    [1, 2, 4, 8].into_iter().find(|bytes| *bytes == 8 || most < 1 << (8 * bytes)).expect("a width")
}

/// Counts the blocks with these edges that contain elements.
fn blocks(tensor: &SparseTensor<f64>, edge: u64) -> usize {
    let mut all = std::collections::BTreeSet::new();
    tensor.for_each(|coordinate, _| {
        all.insert(coordinate.iter().map(|c| c / edge).collect::<Vec<u64>>());
    });
    all.len()
}

/// The bytes that any tensor or kernel may take: descriptions, and a tile of elements for each thread.
const FIXED: usize = 1 << 18;

/// The bytes of the description of a tensor: shape, format, map.
const DESCRIBED: usize = 1 << 12;

/// Computes the bytes of the arrays of levels over these coordinates, from the definition of each kind.
///
/// `S` has an index for each entry of the level below, `DC` an index and a pointer for each prefix, and `C` a
/// pointer for each coordinate. No level before the last is `C` below another level.
fn levels(kinds: &[&str], shape: &[u64], order: &[usize], rows: &[Vec<u64>]) -> usize {
    let prefixes = |levels: usize| {
        let of = |row: &Vec<u64>| order[..levels].iter().map(|axis| row[*axis]).collect::<Vec<u64>>();
        rows.iter().map(of).collect::<BTreeSet<_>>().len()
    };
    let rank = kinds.len();
    let entries: Vec<usize> = (0..rank)
        .map(|level| match kinds[level] {
            "C" => shape[order[level]] as usize,
            "DC" => prefixes(level + 1),
            _ => (level..rank).find(|below| kinds[*below] != "S").map_or(rows.len(), |below| prefixes(below + 1)),
        })
        .collect();
    let bytes = |level: usize| {
        let below = entries.get(level + 1).copied().unwrap_or(rows.len());
        let indices = if kinds[level] == "C" { 0 } else { entries[level] * word(shape[order[level]] - 1) };
        let pointers = if kinds[level] == "S" { 0 } else { (entries[level] + 1) * word(below as u64) };
        indices + pointers
    };
    (0..rank).map(bytes).sum()
}

#[test]
fn formats_hold_what_they_are_defined_by() {
    let _alone = alone();
    let shape = [3000u64, 200, 70_000];
    let a = tensor(&shape, 400_000, &Format::coo(3));
    let mut rows = Vec::new();
    a.for_each(|row, _| rows.push(row.to_vec()));
    let (len, nb, supers) = (a.stored(), blocks(&a, 128), blocks(&a, 1024));
    let keys: u32 = shape.iter().map(|extent| 64 - (extent - 1).leading_zeros()).sum();
    let per_block = |edge: u64| shape.iter().map(|extent| word((extent - 1) / edge)).sum::<usize>();
    let hicoo = nb * per_block(128) + (nb + 1) * word(len as u64) + len * (3 + 8);
    let plain = |kinds: &[&str], order: &[usize]| levels(kinds, &shape, order, &rows) + 8 * len;
    let csf = ["DC", "DC", "S"];
    // HB-CSF has three parts: slices of one element, slices whose fibers have one element each, and the others.
    let count = |of: &dyn Fn(&Vec<u64>) -> Vec<u64>| {
        let mut counts = BTreeMap::<Vec<u64>, usize>::new();
        rows.iter().for_each(|row| *counts.entry(of(row)).or_default() += 1);
        counts
    };
    let (slices, fibers) = (count(&|row| row[..1].to_vec()), count(&|row| row[..2].to_vec()));
    let mut fibers_of = BTreeMap::<u64, usize>::new();
    fibers.keys().for_each(|fiber| *fibers_of.entry(fiber[0]).or_default() += 1);
    let group = |row: &[u64]| match (slices[&row[..1]], fibers_of[&row[0]]) {
        (1, _) => 0,
        (elements, fibers) if elements == fibers => 1,
        _ => 2,
    };
    let part = |number: usize| rows.iter().filter(|row| group(row) == number).cloned().collect::<Vec<_>>();
    let parts = [["S", "S", "S"], ["DC", "S", "S"], csf];
    let hbcsf: usize = parts.iter().enumerate().map(|(number, kinds)| levels(kinds, &shape, &[0, 1, 2], &part(number))).sum();
    // MM-CSF stores an element in the order with the longest fiber through it. At a tie, it takes the first order.
    let orders = [[1, 2, 0], [0, 2, 1], [1, 0, 2]];
    let longest = orders.map(|order| count(&|row| vec![row[order[0]], row[order[1]]]));
    let order = |row: &Vec<u64>| {
        let of = |k: usize| longest[k][&vec![row[orders[k][0]], row[orders[k][1]]]];
        (0..3).rev().max_by_key(|k| of(*k)).expect("an order")
    };
    let of_order = |k: usize| rows.iter().filter(|row| order(row) == k).cloned().collect::<Vec<_>>();
    let mmcsf: usize = (0..3).map(|k| levels(&csf, &shape, &orders[k], &of_order(k))).sum();
    for (name, defined) in [
        ("hicoo(7,7,7)", hicoo),
        ("hicoo(7,7,7;lex)", hicoo),
        (
            "hicoo(7,7,7;super=10,10,10)",
            supers * per_block(1024) + (supers + 1) * word(nb as u64) + nb * 3 + (nb + 1) * word(len as u64) + len * (3 + 8),
        ),
        ("alto", len * (word((1 << keys) - 1) + 8)),
        ("S-S-S-R", plain(&["S", "S", "S"], &[0, 1, 2])),
        ("DC-DC-S-R", plain(&csf, &[0, 1, 2])),
        ("DC-DC-S-X[2,0,1]", plain(&csf, &[2, 0, 1])),
        ("C-DC-S-R", plain(&["C", "DC", "S"], &[0, 1, 2])),
        ("DC-S-S-X[1,2,0]", plain(&["DC", "S", "S"], &[1, 2, 0])),
        ("hbcsf[0,1,2]", hbcsf + 8 * len),
        ("mmcsf[1,2,0][0,2,1][1,0,2]", mmcsf + 8 * len),
    ] {
        let scheme = name.parse().expect("a name");
        let (composite, used) = held(|| Composite::new(&a, &scheme).expect("parts"));
        assert!(used * 100 <= defined * 105 + DESCRIBED, "{name}: {used} bytes for {defined}");
        assert_eq!(composite.stored(), len);
    }
    let matrix = tensor(&[40_000, 30_000], 300_000, &Format::csr());
    let nb = blocks(&matrix, 4);
    let defined = nb * (16 * 8 + word(30_000 / 4)) + 10_001 * word(nb as u64);
    let (_, used) = held(|| Composite::new(&matrix, &"blocks(4,4):C-S-R".parse().expect("a name")).expect("blocks"));
    assert!(used * 100 <= defined * 105 + DESCRIBED, "blocks: {used} bytes for {defined}");
    let mut rows = Vec::new();
    matrix.for_each(|row, _| rows.push(row.to_vec()));
    for (name, kinds, order) in
        [("C-S-R", ["C", "S"], [0, 1]), ("C-S-C", ["C", "S"], [1, 0]), ("DC-S-R", ["DC", "S"], [0, 1]), ("S-S-C", ["S", "S"], [1, 0])]
    {
        let defined = levels(&kinds, &[40_000, 30_000], &order, &rows) + 8 * rows.len();
        let (_, used) = held(|| matrix.to_format(&name.parse().expect("a name")).expect("a matrix"));
        assert!(used * 100 <= defined * 105 + DESCRIBED, "{name}: {used} bytes for {defined}");
    }
}

#[test]
fn kernels_allocate_their_results() {
    let _alone = alone();
    // A result of few rows exists in private copies too: one on one thread, at most eight on several threads.
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
    // Besides the result, the product needs numbers for each row of the operands and of the result.
    let square = tensor(&[30_000, 30_000], 300_000, &Format::csr());
    let rows = 5 * 8 * 30_001;
    for product in [spgemm, spgemm_unsorted] {
        let (out, used) = peak(|| product(&square, &square).expect("a product"));
        assert!(used <= bytes(&out) + rows + 16 * 4 * 30_000 + FIXED, "spgemm: {used} bytes for {}", bytes(&out));
    }
    let out = spgemm(&square, &square).expect("a product");
    let wide = 8 * out.stored();
    let (again, used) = peak(|| spgemm_values(&out, &square, &square).expect("a product"));
    assert!(used <= 8 * again.stored() + wide + rows + 16 * 4 * 30_000 + FIXED, "spgemm_values: {used} bytes for {}", 8 * again.stored());
    // The products are sampled at the elements of blocks and keys, and stored like them.
    for name in ["alto", "blocks(4,4):C-S-R", "hbcsf[0,1]"] {
        let composite = Composite::new(&matrix, &name.parse().expect("a name")).expect("parts");
        let (out, used) = peak(|| composite.sddmm(left, b).expect("products"));
        let size = 8 * out.stored() + out.index_bytes();
        assert!(used <= size + FIXED, "sddmm of {name}: {used} bytes for {size}");
    }
}

/// Sums that come in the order of the result are appended to growing arrays, of which two exist while one grows. A
/// result with few cells is summed in an array of all cells, at most two for each element.
#[test]
fn folds_allocate_their_results() {
    let _alone = alone();
    #[cfg(feature = "parallel")]
    rayon::join(|| (), || ());
    let shape = [3000u64, 200, 7000];
    let a = tensor(&shape, 300_000, &Format::csf(3));
    let vectors = shape.map(|extent| vec![1.0; extent as usize]);
    // At most this number of pieces of the list exist at once.
    let pieces = if cfg!(feature = "parallel") { 4 * std::thread::available_parallelism().map_or(1, usize::from) } else { 4 };
    let piece = |axes: usize| (1usize << 16) * (8 * 2 + 4 * axes) * pieces;
    let check = |what: &str, out: &SparseTensor<f64>, used: usize, scratch: usize| {
        assert!(used <= 3 * bytes(out) + scratch + FIXED, "{what}: {used} bytes for {} and {scratch}", bytes(out));
    };
    for (gone, scratch) in [
        // If the elements are in order, the working memory has the joined pieces.
        (&[2][..], piece(2).min(3 * 12 * a.stored())),
        (&[1, 2], piece(1).min(3 * 12 * 3000)),
        // If each sum has a cell, a cell takes 8 bytes and a bit.
        (&[0, 1], 7000 * 9),
        (&[0, 2], 200 * 9),
        (&[0], 0),
        (&[0, 1, 2], 0),
    ] {
        let axes: Vec<&[f64]> = gone.iter().map(|axis| &vectors[*axis][..]).collect();
        // If there are more than two cells for each element, a list of all elements is sorted.
        let scratch = if gone == [0] { 5 * (8 + 6) * a.stored() } else { scratch };
        let (out, used) = peak(|| reduce(&a, gone, Reduction::Sum, Cells::Stored).expect("sums"));
        check("reduce", &out, used, scratch);
        let (out, used) = peak(|| ttv(&a, gone, &axes).expect("sums"));
        check("ttv", &out, used, scratch);
    }
    // A merge of matrices by rows reserves memory for the elements of both, and shrinks it to the result at the end.
    let one = tensor(&[40_000, 30_000], 300_000, &Format::csr());
    let other = one.map(|x| 2.0 * x).expect("a matrix");
    for op in [Elementwise::Add, Elementwise::Mul] {
        let (out, used) = peak(|| elementwise(&one, &other, op, &Format::csr()).expect("sums"));
        let room = (8 + 2) * (one.stored() + other.stored()) + 2 * 8 * 40_001;
        assert!(used <= room + bytes(&out) + FIXED, "{op:?}: {used} bytes for {}", bytes(&out));
    }
}

#[test]
fn pages_are_visited_where_they_lie() {
    let _alone = alone();
    let (lengths, pool) = ([70_000usize, 100, 30_001], 8192);
    let table: Vec<u32> = (0..pool).rev().collect();
    let counts: Vec<u32> = [0, 4375, 4382, 6258].to_vec();
    let make = || PagedShape::from_offsets(16, pool as usize, &lengths, &counts[..], &table[..]).expect("a table");
    let (shape, used) = held(make);
    assert!(used <= 8 * (lengths.len() + 1), "{used} bytes beside the table");
    let elements: Vec<f32> = (0..pool as usize * 16 * 8).map(|k| k as f32).collect();
    let view = PagedView::new(&shape, make_layout((16, 8), (8, 1)), &elements).expect("a pool");
    let (sum, used) =
        peak(|| (0..3).flat_map(|sequence| view.pages(sequence)).map(|(tokens, page)| page[(tokens.len() - 1, 7)]).sum::<f32>());
    assert!(sum > 0.0 && used == 0, "{used} bytes to visit");
    let (gathered, used) = peak(|| view.gather().expect("memory"));
    assert!(used <= 4 * gathered.len() + 8192, "{used} bytes for {}", 4 * gathered.len());
}
