//! What the compiler does not use unasked: memory fetched ahead, wide vectors, and bits gathered in one instruction.
//!
//! All of it is x86-64; elsewhere, and under Miri, the same functions are plain loops. Results do not depend on it: no multiplication is fused with an
//! addition, and every number has the same operations in the same order.

/// Work that is compiled for vectors of every width.
pub(crate) trait Task {
    /// Does it. It has to be inlined, and so has what it calls, for its instructions to be those of the caller.
    fn run(self);
}

/// Bytes that are fetched together.
pub(crate) const LINE: usize = 64;

/// How far ahead of where it is read a long array is fetched. What processors fetch by themselves ends with the page that is read.
const PAGE: usize = 4096;

/// Asks for the line that an address is in, if there is one.
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

/// Asks for the memory of so many elements: it is on its way when they are read.
#[inline(always)]
pub(crate) fn fetch<T>(elements: *const T, count: usize) {
    let (start, bytes, mut at) = (elements.cast::<u8>(), count * size_of::<T>(), 0);
    while at < bytes {
        hint(start.wrapping_add(at));
        at += LINE;
    }
    // What begins within a line may end in one more than it is long.
    if bytes > 0 && start.addr() % LINE + bytes > at {
        hint(start.wrapping_add(bytes - 1));
    }
}

/// Tests whether rows so many elements apart end in lines that are not a whole number of lines after their begins.
pub(crate) fn splits_lines<T>(rows: *const T, stride: usize, count: usize) -> bool {
    let (apart, bytes) = (stride * size_of::<T>(), count * size_of::<T>());
    !rows.addr().is_multiple_of(LINE) && bytes > 1 || !apart.is_multiple_of(LINE) && (bytes > LINE || !LINE.is_multiple_of(apart))
}

/// [`fetch`] of a row of `C` elements, of which is known whether it ends in one more line ([`splits_lines`]).
#[inline(always)]
pub(crate) fn fetch_row<T, const C: usize>(row: *const T, splits: bool) {
    let (start, bytes, mut at) = (row.cast::<u8>(), C * size_of::<T>(), 0);
    while at < bytes {
        hint(start.wrapping_add(at));
        at += LINE;
    }
    if splits {
        hint(start.wrapping_add(bytes - 1));
    }
}

/// Asks for what comes a page after a slice, a line for each that it is long: the next parts of an array that is read from end to end.
#[inline(always)]
pub(crate) fn fetch_ahead<T>(slice: &[T]) {
    let mut at = 0;
    while at < size_of_val(slice) {
        hint(slice.as_ptr().cast::<u8>().wrapping_add(PAGE + at));
        at += LINE;
    }
}

/// Whether [`fetch_ahead`] pays in a loop whose own loads go anywhere: on processors with SSE4a, which are AMD's, it only takes places of these.
pub(crate) fn are_hints_worth_it() -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    return !std::is_x86_feature_detected!("sse4a");
    #[cfg(not(all(target_arch = "x86_64", feature = "parallel", not(miri))))]
    true
}

/// [`fetch_ahead`] of the elements of an array that are looked at one by one: asks once a line.
#[inline(always)]
pub(crate) fn fetch_after<T>(element: &T) {
    let address: *const T = element;
    if address.addr() % LINE < size_of::<T>() {
        hint(address.cast::<u8>().wrapping_add(PAGE));
    }
}

/// Asks for the line of an address, which may be that of anything.
#[inline(always)]
pub(crate) fn fetch_address(address: usize) {
    hint(core::ptr::without_provenance::<u8>(address));
}

/// How many elements from here on the first is that begins a line.
pub(crate) fn to_line<T>(elements: *const T) -> usize {
    let beyond = elements.addr() % LINE;
    if size_of::<T>() > 0 && beyond.is_multiple_of(size_of::<T>()) { (LINE - beyond) % LINE / size_of::<T>() } else { 0 }
}

/// How many elements are a line.
pub(crate) const fn per_line<T>() -> usize {
    let count = LINE / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
    if count == 0 { 1 } else { count }
}

/// Runs a task with the widest vectors that the machine has; without the standard library, which knows them, with those that the build asks for.
#[inline]
pub(crate) fn widest(task: impl Task) {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2")]
        fn wider(task: impl Task) {
            task.run();
        }
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn wide(task: impl Task) {
            task.run();
        }
        macro_rules! has {
            ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
        }
        if has!("avx2" "bmi1" "bmi2") {
            if has!("avx512f" "avx512bw" "avx512dq" "avx512vl") {
                // SAFETY: the machine has the instructions that the function is compiled for.
                return unsafe { wider(task) };
            }
            // SAFETY: as above.
            return unsafe { wide(task) };
        }
    }
    task.run();
}

/// Adds the bits of each word under a mask, moved together and then left, to the slots.
pub(crate) fn add_bits(words: &[u64], mask: u64, shift: u32, out: &mut [u64]) {
    #[cfg(all(target_arch = "x86_64", feature = "parallel", not(miri)))]
    {
        #[target_feature(enable = "bmi2")]
        fn gather(words: &[u64], mask: u64, shift: u32, out: &mut [u64]) {
            out.iter_mut().zip(words).for_each(|(slot, word)| *slot += core::arch::x86_64::_pext_u64(*word, mask) << shift);
        }
        if std::is_x86_feature_detected!("bmi2") {
            // SAFETY: the machine has the instruction that the function is compiled for.
            return unsafe { gather(words, mask, shift, out) };
        }
    }
    // One run of ones after the other.
    let (mut rest, mut to) = (mask, shift);
    while rest != 0 {
        let from = rest.trailing_zeros();
        let width = (rest >> from).trailing_ones();
        let ones = u64::MAX >> (64 - width);
        out.iter_mut().zip(words).for_each(|(slot, word)| *slot += ((word >> from) & ones) << to);
        (rest, to) = (rest & !(ones << from), to + width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_together() {
        let mut out = [1; 3];
        add_bits(&[0b1101_0110, u64::MAX, 0], 0b1001_0110, 1, &mut out);
        assert_eq!(out, [1 + 0b11110, 1 + 0b11110, 1]);
        out[2] = 0;
        add_bits(&[u64::MAX], u64::MAX, 0, &mut out[2..]);
        assert_eq!(out[2], u64::MAX);
        // Nothing, wherever in a line.
        (0..65).for_each(|at| fetch([0u8; 65][at..].as_ptr(), 0));
        fetch_row::<u8, 1000>([0u8; 1000].as_ptr(), true);
        fetch([0u8; 1000].as_ptr(), 1000);
        fetch_ahead(&[0u8; 1000]);
        fetch_after(&0u128);
        fetch_address(1);
        let line = 64 as *const f64;
        let splits = |at, stride, count| splits_lines(line.wrapping_add(at), stride, count);
        assert!(!splits(0, 16, 16) && !splits(0, 8, 4) && !splits(0, 4, 4) && splits(1, 16, 16) && splits(0, 12, 12) && splits(0, 3, 3));
        assert_eq!([0, 1, 7].map(|at| to_line(line.wrapping_add(at))), [0, 7, 1]);
        assert_eq!((per_line::<f64>(), per_line::<[u64; 100]>(), per_line::<()>()), (8, 1, 64));
    }
}
