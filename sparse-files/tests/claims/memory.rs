//! The system's memory, the largest piece that was asked for, and how large that may be; fuzzing has it, too.

use sparse_files::Kind;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use zip::ZipArchive;

struct Watched;

#[global_allocator]
static WATCHED: Watched = Watched;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What `run` gives, and the largest piece of memory that it has asked for.
pub fn largest<T>(run: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.store(0, Ordering::Relaxed);
    let done = run();
    (done, LARGEST.load(Ordering::Relaxed))
}

/// The most that a reader may take at once: ten times the file, or what the files of an archive inflate to.
pub fn most(kind: Kind, bytes: &[u8]) -> usize {
    let compressed = compressed(bytes);
    let inflated = compressed.unwrap_or_else(|| inflated(kind, bytes));
    (10 * inflated.max(bytes.len())).max(if compressed.is_some() { DECODER } else { floor(kind) })
}

/// The bytes that come out of a reader, as far as time permits. What comes before an error has been inflated, too.
fn length(from: impl Read) -> usize {
    let mut from = from.take(1 << 26);
    let (mut sum, mut piece) = (0, [0; 1 << 12]);
    while let Ok(length @ 1..) = from.read(&mut piece) {
        sum += length;
    }
    sum
}

/// The bytes of a compressed file, inflated; nothing of others.
fn compressed(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0x1f, 0x8b, ..] => Some(length(flate2::read::MultiGzDecoder::new(bytes))),
        [b'B', b'Z', b'h', ..] => Some(length(bzip2::read::MultiBzDecoder::new(bytes))),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(zstd::Decoder::new(bytes).map_or(0, length)),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some(length(lzma_rust2::XzReader::new(bytes, true))),
        _ => None,
    }
}

/// The bytes of the files of an archive, inflated, if the kind is one of archives.
fn inflated(kind: Kind, bytes: &[u8]) -> usize {
    if kind == Kind::Hdf5 {
        // Chunks may be deflated, to a thousandth of an array; damaged shapes may need it.
        return bytes.len() * 104;
    }
    if !matches!(kind, Kind::Npz | Kind::Scipy | Kind::Pydata | Kind::Zarr) {
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

/// What a decoder may take at once for its state: bzip2 has blocks of 900,000 words.
const DECODER: usize = 1 << 23;

/// What a reader may take at once of any file: the state of a decoder, the blocks of LZ4, and, of HDF5, a list of members of a type, 80 bytes each, of which the parser reserves
/// as many as a number of 16 bits says, and touches none that is not there.
const fn floor(kind: Kind) -> usize {
    match kind {
        Kind::Hdf5 => 80 * u16::MAX as usize,
        Kind::Arrow => DECODER,
        // Brotli has windows of 16 MiB.
        Kind::Parquet => 1 << 25,
        _ => 1 << 16,
    }
}
