//! Tests that count allocations: the peak memory of conversions, and no allocation for a number before it is checked.

mod common;

mod memory {
    mod claims;
    mod kernels;
    mod peak;
}

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Counting;

/// The bytes in use, far from both ends: memory that was allocated uncounted may be freed counted.
static NOW: AtomicUsize = AtomicUsize::new(usize::MAX / 2);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// True if this thread works for the test that counts. Threads of the harness do not count.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
}

static TURN: Mutex<()> = Mutex::new(());

/// The turn of one test to count. Dropping it ends the turn.
struct Alone {
    _turn: MutexGuard<'static, ()>,
}

/// Waits until no other test counts, then counts this thread and the threads of the pool.
fn alone() -> Alone {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // The first test builds the pool for all tests.
    let _ = rayon::ThreadPoolBuilder::new().start_handler(|_| COUNTS.set(true)).build_global();
    COUNTS.set(true);
    Alone { _turn: turn }
}

impl Drop for Alone {
    fn drop(&mut self) {
        COUNTS.set(false);
    }
}

/// Counts the `bytes` that `run` allocates, unless the allocation fails.
fn counted(bytes: usize, run: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !COUNTS.get() {
        return run();
    }
    PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::SeqCst).saturating_add(bytes), Ordering::SeqCst);
    LARGEST.fetch_max(bytes, Ordering::SeqCst);
    let pointer = run();
    if pointer.is_null() {
        freed(bytes);
    }
    pointer
}

fn freed(bytes: usize) {
    if COUNTS.get() {
        NOW.fetch_sub(bytes, Ordering::SeqCst);
    }
}

// SAFETY: every method calls the same method of the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, and the system's allocator has the same contract.
        counted(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, and the system's allocator has the same contract.
        counted(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, and the system's allocator has the same contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, and the system's allocator has the same contract.
        let new = counted(size, || unsafe { System.realloc(pointer, layout, size) });
        if !new.is_null() {
            freed(layout.size());
        }
        new
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
