//! Memory for large arrays.
//!
//! Conversions write all over arrays of many megabytes. With pages of 4 KB that costs a fault for each, and a look-up in page tables for most entries;
//! where the system has huge pages for those who ask, we ask.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// An empty vector with room for `length` elements, unless memory has none.
pub fn room<T>(length: usize) -> Option<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(length).ok()?;
    advise(&mut out);
    Some(out)
}

/// Makes room for `further` elements, and for as many as there are, unless memory has none.
pub fn grow<T>(array: &mut Vec<T>, further: usize) -> Option<()> {
    if array.capacity() - array.len() < further {
        array.try_reserve_exact(further.max(array.len())).ok()?;
        advise(array);
    }
    Some(())
}

/// `length` times `value`, unless memory has no room.
pub fn filled<T: Clone>(length: usize, value: T) -> Option<Vec<T>> {
    let mut out = room(length)?;
    out.resize(length, value);
    Some(out)
}

/// `length` times the default; of numbers this is memory that nothing has touched yet.
pub fn defaults<T: Clone + Default>(length: usize) -> Vec<T> {
    repeated(T::default(), length)
}

/// `length` times `value`; of zeros this is memory that nothing has touched yet.
pub fn repeated<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut out = alloc::vec![value; length];
    advise(&mut out);
    out
}

/// [`repeated`], unless memory has no room.
pub fn try_repeated<T: Clone>(value: T, length: usize) -> Option<Vec<T>> {
    // Zeros that nothing has touched cannot be asked for in a way that fails: whether there is room is asked for first, and not optimised away.
    core::hint::black_box(room::<T>(length)?);
    Some(repeated(value, length))
}

/// The elements, copied where they are borrowed.
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

/// Asks for huge pages behind an array of many pages.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
fn advise<T>(array: &mut Vec<T>) {
    const LARGE: usize = 1 << 22;
    const PAGE: usize = 1 << 12;
    let bytes = array.capacity() * size_of::<T>();
    if bytes >= LARGE {
        // Whole pages, those at the ends too: memory whose pages are of two kinds is not moved but copied when it grows.
        let start = array.as_mut_ptr().cast::<u8>();
        let before = start.addr() % PAGE;
        // SAFETY: each of these pages has bytes of the array, so it is there, and the advice changes neither what pages hold nor
        // who may access them: the kernel only chooses how large those behind them are. A kernel that knows no such advice answers with an error, which is
        // no matter.
        unsafe { libc::madvise(start.wrapping_sub(before).cast(), (before + bytes).next_multiple_of(PAGE), libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux", not(miri))))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests;
