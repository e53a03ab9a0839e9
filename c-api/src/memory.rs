//! All that C hands over by pointers: arrays, texts, results, and texts that C owns. Every `unsafe` block of the crate that touches
//! memory is here.

use crate::status::{Failure, Outcome, Status, guarded};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::slice;

/// A text that the library allocated. The caller frees it by `crd2idx_text_free`, also if the text is empty.
#[repr(C)]
pub struct OwnedText {
    /// The bytes, in UTF-8, then a 0 byte. It is null if the text has been freed.
    data: *mut c_char,
    /// The number of bytes without the 0 byte.
    length: usize,
}

impl From<String> for OwnedText {
    fn from(text: String) -> OwnedText {
        let length = text.len();
        let mut bytes = text.into_bytes();
        bytes.push(0);
        OwnedText { data: Box::into_raw(bytes.into_boxed_slice()).cast(), length }
    }
}

impl Default for OwnedText {
    fn default() -> Self {
        OwnedText { data: std::ptr::null_mut(), length: 0 }
    }
}

impl Drop for OwnedText {
    fn drop(&mut self) {
        if !self.data.is_null() {
            let bytes = std::ptr::slice_from_raw_parts_mut(self.data.cast::<u8>(), self.length + 1);
            // SAFETY: the fields are private, and C leaves them as they are: `from` made them of a box of `length + 1` bytes.
            drop(unsafe { Box::from_raw(bytes) });
        }
    }
}

/// Frees a text, and sets its pointer to null and its length to 0. Does nothing for a text that has been freed, and for null.
///
/// The struct must come from the library, or be all 0. A copy of it must not be freed, too.
#[unsafe(no_mangle)]
pub extern "C" fn crd2idx_text_free(text: Option<&mut OwnedText>) {
    guarded(None, || {
        text.map(std::mem::take);
        Ok(())
    });
}

/// Fails if a pointer to `length` elements is null or misaligned, or if so many elements do not fit in memory.
fn check<T>(first: *const T, length: usize, name: &str) -> Outcome<()> {
    if first.is_null() {
        return Err(null(name));
    }
    if !first.is_aligned() {
        let message = format!("`{name}` is not aligned to {} bytes", align_of::<T>());
        return Err(Failure::call(Status::Misaligned, "misaligned", message));
    }
    if length > isize::MAX.unsigned_abs() / size_of::<T>() {
        let message = format!("`{name}` has {length} elements of {} bytes, more than there is memory", size_of::<T>());
        return Err(Failure::call(Status::Length, "length", message));
    }
    Ok(())
}

/// Returns the failure of a call with this pointer null.
pub fn null(name: &str) -> Failure {
    Failure::call(Status::NullPointer, "null_pointer", format!("`{name}` is null"))
}

/// Borrows the elements of an array of C. Null is an array without elements if `length` is 0. Fails as [`check`] does.
///
/// # Safety
///
/// If the pointer is neither null nor misaligned, `length` elements lie there, and nobody changes them during `'a`.
pub unsafe fn elements<'a, T: Copy>(first: *const T, length: usize, name: &str) -> Outcome<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(first, length, name)?;
    // SAFETY: the caller promises the elements, and the pointer is neither null nor misaligned.
    Ok(unsafe { slice::from_raw_parts(first, length) })
}

/// Borrows an array of C that a call fills. Fails as [`check`] does.
///
/// # Safety
///
/// If the pointer is neither null nor misaligned, there is room for `length` elements, and only the call uses it during `'a`.
pub unsafe fn room<'a, T: Copy>(first: *mut T, length: usize, name: &str) -> Outcome<&'a mut [MaybeUninit<T>]> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(first, length, name)?;
    // SAFETY: the caller promises the room, which may be uninitialized, and the pointer is neither null nor misaligned.
    Ok(unsafe { slice::from_raw_parts_mut(first.cast(), length) })
}

/// Borrows a text of C. Fails as [`check`] does, and if the bytes are not UTF-8.
///
/// # Safety
///
/// As for [`elements`].
pub unsafe fn text<'a>(first: *const c_char, length: usize, name: &str) -> Outcome<&'a str> {
    // SAFETY: the caller promises what `elements` needs.
    let bytes = unsafe { elements(first.cast::<u8>(), length, name) }?;
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = format!("`{name}` is not UTF-8 from byte {at} on");
        Failure::call(Status::Encoding, "encoding", message).with(|parts| parts.position = Some(at))
    })
}

/// Returns the place of a result. Fails if it is null.
pub fn result<'a, T>(place: Option<&'a mut MaybeUninit<T>>, name: &str) -> Outcome<&'a mut MaybeUninit<T>> {
    place.ok_or_else(|| null(name))
}
