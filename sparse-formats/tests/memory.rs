//! Allocations, counted: the peak of conversions, and that nothing is allocated for a number before it is checked.

mod common;

mod memory {
    mod claims;
    mod kernels;
    mod peak;
}

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LARGEST: AtomicUsize = AtomicUsize::new(0);

/// Held by a test while it counts: allocations of others would count.
static ALONE: Mutex<()> = Mutex::new(());

/// What `run` allocates, counted: `bytes`, or nothing where there are not so many.
fn counted(bytes: usize, run: impl FnOnce() -> *mut u8) -> *mut u8 {
    PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::SeqCst).saturating_add(bytes), Ordering::SeqCst);
    LARGEST.fetch_max(bytes, Ordering::SeqCst);
    let pointer = run();
    if pointer.is_null() {
        NOW.fetch_sub(bytes, Ordering::SeqCst);
    }
    pointer
}

// SAFETY: it is the system's allocator, called with what it is called with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        counted(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        counted(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::SeqCst);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        let new = counted(size, || unsafe { System.realloc(pointer, layout, size) });
        if !new.is_null() {
            NOW.fetch_sub(layout.size(), Ordering::SeqCst);
        }
        new
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
