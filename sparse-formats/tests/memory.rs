//! Allocations, counted: the peak of conversions, and that nothing is allocated for a number before it is checked.

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

/// Far from both ends: what was not counted when it was allocated may be when it is freed.
static NOW: AtomicUsize = AtomicUsize::new(usize::MAX / 2);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread works for the test that counts: what the harness allocates and frees on others is none of it.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
}

static TURN: Mutex<()> = Mutex::new(());

/// The turn of one test to count, until it is dropped.
struct Alone {
    _turn: MutexGuard<'static, ()>,
}

/// Waits for the others, and counts this thread and the pool's.
fn alone() -> Alone {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // The first test makes the pool of all.
    let _ = rayon::ThreadPoolBuilder::new().start_handler(|_| COUNTS.set(true)).build_global();
    COUNTS.set(true);
    Alone { _turn: turn }
}

impl Drop for Alone {
    fn drop(&mut self) {
        COUNTS.set(false);
    }
}

/// What `run` allocates, counted: `bytes`, or nothing where there are not so many.
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

// SAFETY: it is the system's allocator, called with what it is called with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        counted(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        counted(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        let new = counted(size, || unsafe { System.realloc(pointer, layout, size) });
        if !new.is_null() {
            freed(layout.size());
        }
        new
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
