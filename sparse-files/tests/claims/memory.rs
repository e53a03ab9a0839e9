//! An allocator that records the largest allocation, and the limits for it. Fuzz targets use it, too.

use sparse_files::FileKind;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use zip::ZipArchive;

struct Watched;

#[global_allocator]
static WATCHED: Watched = Watched;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed to the system allocator unchanged.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which the system allocator requires.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which the system allocator requires.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which the system allocator requires.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which the system allocator requires.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Runs `run`. Returns its result and the size of its largest allocation.
pub fn largest<T>(run: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.store(0, Ordering::Relaxed);
    let done = run();
    (done, LARGEST.load(Ordering::Relaxed))
}

/// Returns the largest allocation that a reader may make: ten times the bytes of the file, or of the inflated files
/// of an archive.
pub fn most(kind: FileKind, bytes: &[u8]) -> usize {
    let compressed = compressed(bytes);
    let inflated = compressed.unwrap_or_else(|| inflated(kind, bytes));
    (10 * inflated.max(bytes.len())).max(if compressed.is_some() { DECODER } else { floor(kind) })
}

/// Counts the bytes from a reader, up to 64 MiB. The bytes before an error count, too.
fn length(from: impl Read) -> usize {
    let mut from = from.take(1 << 26);
    let (mut sum, mut piece) = (0, [0; 1 << 12]);
    while let Ok(length @ 1..) = from.read(&mut piece) {
        sum += length;
    }
    sum
}

/// Counts the inflated bytes of a compressed file. Returns `None` for other files.
fn compressed(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0x1f, 0x8b, ..] => Some(length(flate2::read::MultiGzDecoder::new(bytes))),
        [b'B', b'Z', b'h', ..] => Some(length(bzip2::read::MultiBzDecoder::new(bytes))),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(zstd::Decoder::new(bytes).map_or(0, length)),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some(length(lzma_rust2::XzReader::new(bytes, true))),
        _ => None,
    }
}

/// Counts the inflated bytes of the files of an archive. Returns an upper bound for HDF5, and 0 for other kinds.
fn inflated(kind: FileKind, bytes: &[u8]) -> usize {
    if kind == FileKind::Hdf5 {
        // Chunks may be deflated to a thousandth of an array, and damaged shapes may need all of it.
        return bytes.len() * 104;
    }
    if !matches!(kind, FileKind::Npz | FileKind::Scipy | FileKind::Pydata | FileKind::Zarr) {
        return 0;
    }
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return 0 };
    let mut sum = 0;
    for index in 0..zip.len() {
        let Ok(file) = zip.by_index(index) else { continue };
        sum += length(file);
    }
    sum
}

/// The largest allocation of a decoder for its state: bzip2 has blocks of 900,000 words.
const DECODER: usize = 1 << 23;

/// Returns the largest allocation of a reader for a file of any size: the state of a decoder, or the blocks of LZ4.
/// For HDF5 it is a list of the members of a type, 80 bytes each: the parser reserves the number that 16 bits
/// declare, and touches only existing ones.
const fn floor(kind: FileKind) -> usize {
    match kind {
        FileKind::Hdf5 => 80 * u16::MAX as usize,
        FileKind::Arrow => DECODER,
        // Brotli uses windows of up to 16 MiB.
        FileKind::Parquet => 1 << 25,
        _ => 1 << 16,
    }
}
