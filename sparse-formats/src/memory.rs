//! Memory for large arrays.
//!
//! Conversions write all over arrays of many megabytes. With pages of 4 KB that costs a fault for each, and a look-up in page tables for most entries;
//! where the system has huge pages for those who ask, we ask.

use alloc::borrow::Cow;
use alloc::vec::Vec;

/// An empty vector with room for `length` elements, unless memory has none.
pub(crate) fn room<T>(length: usize) -> Option<Vec<T>> {
    let mut out = Vec::new();
    out.try_reserve_exact(length).ok()?;
    advise(out.spare_capacity_mut());
    Some(out)
}

/// Makes room for `further` elements, and for as many as there are, unless memory has none.
pub(crate) fn grow<T>(array: &mut Vec<T>, further: usize) -> Option<()> {
    if array.capacity() - array.len() < further {
        array.try_reserve_exact(further.max(array.len())).ok()?;
        advise(array.spare_capacity_mut());
    }
    Some(())
}

/// `length` times `value`, unless memory has no room.
pub(crate) fn filled<T: Clone>(length: usize, value: T) -> Option<Vec<T>> {
    let mut out = room(length)?;
    out.resize(length, value);
    Some(out)
}

/// `length` times the default; of numbers this is memory that nothing has touched yet.
pub(crate) fn defaults<T: Clone + Default>(length: usize) -> Vec<T> {
    repeated(T::default(), length)
}

/// `length` times `value`; of zeros this is memory that nothing has touched yet.
pub(crate) fn repeated<T: Clone>(value: T, length: usize) -> Vec<T> {
    let mut out = alloc::vec![value; length];
    advise(&mut out);
    out
}

/// [`repeated`], unless memory has no room.
pub(crate) fn try_repeated<T: Clone>(value: T, length: usize) -> Option<Vec<T>> {
    // Zeros that nothing has touched cannot be asked for in a way that fails: whether there is room is asked for first, and not optimised away.
    core::hint::black_box(room::<T>(length)?);
    Some(repeated(value, length))
}

/// The elements, copied where they are borrowed.
pub(crate) fn owned<T: Clone>(array: Cow<'_, [T]>) -> Vec<T> {
    match array {
        Cow::Owned(array) => array,
        Cow::Borrowed(array) => {
            let mut out = Vec::with_capacity(array.len());
            advise(out.spare_capacity_mut());
            out.extend_from_slice(array);
            out
        }
    }
}

/// Asks for huge pages behind memory of many pages.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
fn advise<T>(memory: &mut [T]) {
    const LARGE: usize = 1 << 22;
    const PAGE: usize = 1 << 12;
    let bytes = size_of_val(memory);
    if bytes >= LARGE {
        let start = memory.as_mut_ptr().cast::<u8>();
        let skip = start.align_offset(PAGE).min(bytes);
        // SAFETY: the pages lie within memory that is borrowed here for nobody else, and the advice changes neither what they hold nor who may access
        // them: the kernel only chooses how large pages behind them are. A kernel that knows no such advice answers with an error, which is no matter.
        unsafe { libc::madvise(start.add(skip).cast(), (bytes - skip) & !(PAGE - 1), libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "huge-pages", target_os = "linux", not(miri))))]
fn advise<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests;
