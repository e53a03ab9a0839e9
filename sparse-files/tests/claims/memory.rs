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
    (10 * inflated(kind, bytes).max(bytes.len())).max(floor(kind))
}

/// The bytes of the files of an archive, inflated, if the kind is one of archives.
fn inflated(kind: Kind, bytes: &[u8]) -> usize {
    if !matches!(kind, Kind::Npz | Kind::Scipy | Kind::Pydata | Kind::Zarr) {
        return 0;
    }
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return 0 };
    let mut sum = 0;
    for index in 0..zip.len() {
        let Ok(mut file) = zip.by_index(index) else { continue };
        // What comes before an error has been inflated, too.
        let mut piece = [0; 1 << 12];
        while let Ok(length @ 1..) = file.read(&mut piece) {
            sum += length;
        }
    }
    sum
}

/// What a reader may take at once of any file: the state of a decoder, the blocks of LZ4, and, of HDF5, a list of members of a type, 80 bytes each, of which the parser reserves
/// as many as a number of 16 bits says, and touches none that is not there.
const fn floor(kind: Kind) -> usize {
    match kind {
        Kind::Hdf5 => 80 * u16::MAX as usize,
        Kind::Arrow | Kind::Parquet => 1 << 23,
        _ => 1 << 16,
    }
}
