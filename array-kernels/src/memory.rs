//! Allocation of large arrays. Take the memory of a large result from here, not from `Vec::with_capacity`.
//!
//! Conversions write to scattered addresses in arrays of many megabytes. With pages of 4 KB that costs a
//! fault for each page, and a look-up in page tables for most entries. Where the system offers huge pages on
//! request, these functions request them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Returns an empty vector with room for `length` elements, or `None` if memory has no room.
///
/// ```
/// use array_kernels::memory::room;
/// let mut squares = room(1000).ok_or("no memory")?;
/// squares.extend((0..1000_u64).map(|k| k * k));
/// assert_eq!(squares[999], 998_001);
/// assert_eq!(room::<u64>(usize::MAX), None);
/// # Ok::<(), &str>(())
/// ```
pub fn room<T>(length: usize) -> Option<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(length).ok()?;
    advise(&mut out);
    Some(out)
}

/// Makes room for `further` more elements, or returns `None` if memory has no room. An array that must grow gets room for
/// at least twice its length.
///
/// ```
/// use array_kernels::memory::grow;
/// let mut words = vec![1_u64; 100];
/// assert_eq!(grow(&mut words, 1), Some(()));
/// assert!(words.capacity() >= 200);
/// assert_eq!(grow(&mut words, usize::MAX), None); // and the words are still there
/// assert_eq!(words, [1; 100]);
/// ```
pub fn grow<T>(array: &mut Vec<T>, further: usize) -> Option<()> {
    if array.capacity() - array.len() < further {
        array.try_reserve_exact(further.max(array.len())).ok()?;
        advise(array);
    }
    Some(())
}

/// Returns `length` copies of `value`, or `None` if memory has no room.
///
/// ```
/// use array_kernels::memory::filled;
/// assert_eq!(filled(3, f32::NAN).map(|values| values.iter().all(|x| x.is_nan())), Some(true));
/// assert_eq!(filled(usize::MAX, 1_u64), None);
/// ```
pub fn filled<T: Clone>(length: usize, value: T) -> Option<Vec<T>> {
    let mut out = room(length)?;
    out.resize(length, value);
    Some(out)
}

/// Returns `length` default values. Large arrays of zeros come from the system with no page touched yet.
///
/// ```
/// use array_kernels::memory::defaults;
/// let mut counts: Vec<u32> = defaults(4);
/// [2, 0, 2].into_iter().for_each(|bucket: usize| counts[bucket] += 1);
/// assert_eq!(counts, [1, 0, 2, 0]);
/// ```
pub fn defaults<T: Clone + Default>(length: usize) -> Vec<T> {
    repeated(T::default(), length)
}

/// Returns `length` copies of `value`. Large arrays of zeros come from the system with no page touched yet.
///
/// ```
/// use array_kernels::memory::repeated;
/// assert_eq!(repeated(-1_i32, 3), [-1, -1, -1]);
/// ```
pub fn repeated<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut out = alloc::vec![value; length];
    advise(&mut out);
    out
}

/// Returns `length` copies of `value` as [`repeated`] does, or `None` if memory has no room.
///
/// ```
/// use array_kernels::memory::try_repeated;
/// assert_eq!(try_repeated(0_u8, 3), Some(vec![0, 0, 0]));
/// assert_eq!(try_repeated(0_u64, usize::MAX), None);
/// ```
pub fn try_repeated<T: Clone>(value: T, length: usize) -> Option<Vec<T>> {
    // `vec![0; n]` gets zeroed memory from the system, but aborts if there is none: test for room first.
    // `black_box` keeps the compiler from removing the test.
    core::hint::black_box(room::<T>(length)?);
    Some(repeated(value, length))
}

/// Returns the elements as a vector, and copies them only if `array` is borrowed.
///
/// ```
/// use array_kernels::memory::owned;
/// use std::borrow::Cow;
/// let array = vec![3, 5];
/// let (address, copy) = (array.as_ptr(), owned(Cow::Borrowed(&array[..])));
/// assert_ne!(copy.as_ptr(), address);
/// let same = owned(Cow::Owned(array));
/// assert_eq!((same.as_ptr(), same), (address, copy));
/// ```
pub fn owned<T: Clone>(array: Cow<'_, [T]>) -> Vec<T> {
    match array {
        Cow::Owned(array) => array,
        Cow::Borrowed(array) => {
            let mut out = Vec::with_capacity(array.len());
            advise(&mut out);
            out.extend_from_slice(array);
            out
        }
    }
}

/// Requests huge pages for an array of many pages.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
fn advise<T>(array: &mut Vec<T>) {
    const LARGE: usize = 1 << 22;
    const PAGE: usize = 1 << 12;
    let bytes = array.capacity() * size_of::<T>();
    if bytes >= LARGE {
        // Advise whole pages, also at the ends: the system copies growing memory with mixed pages instead of moving it.
        let start = array.as_mut_ptr().cast::<u8>();
        let before = start.addr() % PAGE;
        // SAFETY: each of these pages contains bytes of the array, so it is mapped. The advice changes
        // neither the contents of pages nor who may access them; the kernel only chooses their size. A kernel
        // that does not know the advice returns an error, which is harmless.
        unsafe { libc::madvise(start.wrapping_sub(before).cast(), (before + bytes).next_multiple_of(PAGE), libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux", not(miri))))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests;
