//! Peak memory of conversions, by a counting allocator. One test: allocations of others would count.

mod sorting;

use sorting::Random;
use sparse_formats::Indices;
use sparse_formats::kernels::{compress, linear, pointers_of, transpose};
use sparse_formats::sort::{Sum, order};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::SeqCst) + bytes, Ordering::SeqCst);
}

// SAFETY: it is the system's allocator, called with what it is called with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::SeqCst);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        add(size);
        NOW.fetch_sub(layout.size(), Ordering::SeqCst);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result of `run`, and how far the bytes in use rose above what they were before.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    let result = run();
    (result, PEAK.load(Ordering::SeqCst) - before)
}

fn random(extent: u64, len: usize, power: i32, seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    (0..len).map(|_| ((random.next() as f64 / 2f64.powi(64)).powi(power) * extent as f64) as u32).collect()
}

/// What a conversion of anything may take.
const FIXED: usize = 8192;

/// Compression of a list and its transposition stay below input and output and a quarter of these.
fn matrices(name: &str, rows: &[u32], columns: &[u32], extents: (usize, usize)) {
    let len = rows.len();
    let values: Vec<f64> = (0..len).map(|k| k as f64).collect();
    let (matrix, used) = peak(|| compress::<_, _, u32, _, _>(rows, columns, &values, extents, Sum).expect("a matrix"));
    // Before duplicates become one entry, which nothing foretells.
    let (input, output) = (16 * len, 4 * (extents.0 + 1) + 12 * len);
    assert!(input + used <= (input + output) * 5 / 4 + FIXED, "{name}: {used} bytes for {output} of {input}");
    let len = matrix.indices.len();
    let (_, used) =
        peak(|| transpose::<_, _, u32, u32, _>(&matrix.pointers, &matrix.indices, &matrix.values, extents.1).expect("a matrix"));
    let (input, output) = (4 * (extents.0 + 1) + 12 * len, 4 * (extents.1 + 1) + 12 * len);
    assert!(input + used <= (input + output) * 5 / 4 + FIXED, "{name} transposed: {used} bytes for {output} of {input}");
}

/// Compression to pointers, indices and values by two groups of axes stays below input and output, and a buffer of keys and one of numbers of entries.
fn tensor(power: i32) {
    let (len, extents) = (300_000, [1000u64, 800, 600, 400]);
    let columns: Vec<Vec<u32>> = (0..4).map(|k| random(extents[k], len, power, k as u64)).collect();
    let values: Vec<f64> = (0..len).map(|k| k as f64).collect();
    let (output, used) = peak(|| {
        let columns: Vec<Indices<'_>> = columns.iter().map(|column| Indices::from(&column[..])).collect();
        let order = order(&columns).expect("an order");
        let values = order.gather(&values).expect("values");
        let indices: Vec<u32> = order.linear(&columns, 2, &extents[2..]).expect("indices");
        let rows: Vec<u32> = order.linear(&columns, 0, &extents[..2]).expect("rows");
        drop(order);
        let pointers: Vec<u32> = pointers_of(&rows, 800_000).expect("pointers");
        8 * values.len() + 4 * (indices.len() + pointers.len())
    });
    assert!(used <= output + (8 + 4) * len, "rank 4: {used} bytes for {output}");
    let columns: Vec<Indices<'_>> = columns.iter().map(|column| Indices::from(&column[..])).collect();
    let (indices, used) = peak(|| linear::<u64>(&columns, &extents).expect("indices"));
    assert!(used <= 8 * indices.len() + 1024);
}

#[test]
fn peak_memory() {
    #[cfg(feature = "parallel")]
    rayon::join(|| (), || ());
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
    tensor(1);
    tensor(3);
}
