//! Prefetches: hints to the processor that memory will be read soon.
//!
//! A prefetch is one instruction per cache line on x86-64. It does nothing on other machines and under Miri. Results
//! never depend on prefetches.

/// The number of bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// The distance in bytes between the reads and the prefetches of a long array. The prefetcher of a processor stops at
/// the end of the page that is being read.
const PAGE: usize = 4096;

/// Prefetches the cache line of an address, which need not be valid.
#[inline(always)]
fn hint<T>(address: *const T) {
    // SAFETY: a prefetch is a hint that reads nothing for the program, and faults nowhere, whatever the address.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Prefetches the memory of `count` elements.
#[inline(always)]
pub(crate) fn prefetch<T>(elements: *const T, count: usize) {
    let (start, bytes, mut at) = (elements.cast::<u8>(), count * size_of::<T>(), 0);
    while at < bytes {
        hint(start.wrapping_add(at));
        at += LINE;
    }
    // An array that begins within a line may touch one line more.
    if bytes > 0 && start.addr() % LINE + bytes > at {
        hint(start.wrapping_add(bytes - 1));
    }
}

/// Tests whether a row may touch one cache line more than its bytes alone suggest, so that [`prefetch_row`] must
/// prefetch its last line too. Rows have `count` elements and begin `stride` elements apart.
pub(crate) fn splits_lines<T>(rows: *const T, stride: usize, count: usize) -> bool {
    let (apart, bytes) = (stride * size_of::<T>(), count * size_of::<T>());
    !rows.addr().is_multiple_of(LINE) && bytes > 1 || !apart.is_multiple_of(LINE) && (bytes > LINE || !LINE.is_multiple_of(apart))
}

/// Prefetches a row of `C` elements. With `splits` ([`splits_lines`]), it prefetches the line of the last byte too.
#[inline(always)]
pub(crate) fn prefetch_row<T, const C: usize>(row: *const T, splits: bool) {
    let (start, bytes, mut at) = (row.cast::<u8>(), C * size_of::<T>(), 0);
    while at < bytes {
        hint(start.wrapping_add(at));
        at += LINE;
    }
    if splits {
        hint(start.wrapping_add(bytes - 1));
    }
}

/// Prefetches the memory one page after a slice, with the same number of bytes: for an array that is read from end to
/// end.
#[inline(always)]
pub(crate) fn prefetch_stream<T>(slice: &[T]) {
    let mut at = 0;
    while at < size_of_val(slice) {
        hint(slice.as_ptr().cast::<u8>().wrapping_add(PAGE + at));
        at += LINE;
    }
}

/// Tests whether [`prefetch_stream`] pays in a loop with random loads. It does not pay on processors with SSE4a (made
/// by AMD), where it only takes slots from these loads.
pub(crate) fn are_hints_worth_it() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    return !std::is_x86_feature_detected!("sse4a");
    #[cfg(not(all(target_arch = "x86_64", feature = "parallel", not(miri))))]
    true
}

/// Prefetches the line one page after an element, if the element is the first to begin in its line:
/// [`prefetch_stream`] for an array that is read element by element.
#[inline(always)]
pub(crate) fn prefetch_stream_at<T>(element: &T) {
    let address: *const T = element;
    if address.addr() % LINE < size_of::<T>() {
        hint(address.cast::<u8>().wrapping_add(PAGE));
    }
}

/// Prefetches the cache line of an address, given as any number.
#[inline(always)]
pub(crate) fn prefetch_address(address: usize) {
    hint(core::ptr::without_provenance::<u8>(address));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_may_end_in_another_line() {
        // An empty slice prefetches nothing, wherever it begins in a line.
        (0..65).for_each(|at| prefetch([0u8; 65][at..].as_ptr(), 0));
        prefetch_row::<u8, 1000>([0u8; 1000].as_ptr(), true);
        prefetch([0u8; 1000].as_ptr(), 1000);
        prefetch_stream(&[0u8; 1000]);
        prefetch_stream_at(&0u128);
        prefetch_address(1);
        let line = 64 as *const f64;
        let splits = |at, stride, count| splits_lines(line.wrapping_add(at), stride, count);
        assert!(!splits(0, 16, 16) && !splits(0, 8, 4) && !splits(0, 4, 4) && splits(1, 16, 16) && splits(0, 12, 12) && splits(0, 3, 3));
    }
}
