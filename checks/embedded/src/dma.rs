//! An emulated DMA controller with one channel. It copies when the program waits, so that a program that reads earlier gets a wrong result.

use core::ptr::{copy_nonoverlapping, null, null_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};

static SOURCE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static TARGET: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// Whether transfers copy. Instructions are counted without copies, which a controller does beside the processor.
pub static COPIES: AtomicBool = AtomicBool::new(true);

/// Starts the transfer of contiguous bytes.
///
/// # Safety
///
/// `bytes` bytes behind both pointers are valid until the next `dma_wait`, and nothing else uses those behind `target`.
#[inline(never)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dma_start(source: *const u8, target: *mut u8, bytes: usize) {
    SOURCE.store(source.cast_mut(), Relaxed);
    TARGET.store(target, Relaxed);
    BYTES.store(bytes, Relaxed);
}

/// Waits for the end of the transfer.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "C" fn dma_wait() {
    let (source, target) = (SOURCE.load(Relaxed), TARGET.load(Relaxed));
    if COPIES.load(Relaxed) && source.cast_const() != null() {
        // SAFETY: the caller of `dma_start` promised it.
        unsafe { copy_nonoverlapping(source, target, BYTES.load(Relaxed)) };
    }
}
