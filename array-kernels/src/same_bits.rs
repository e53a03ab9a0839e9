//! Arrays of integers read as integers of the same size, signed or unsigned.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem::ManuallyDrop;
use layout_levels::Index;

/// Reads the bits of each number as a number of another type of the same size, in the same memory.
#[inline]
pub(crate) fn same_bits<I: Index, O: Index>(array: Cow<'_, [I]>) -> Cow<'_, [O]> {
    const { assert!(size_of::<I>() == size_of::<O>() && align_of::<I>() == align_of::<O>()) };
    match array {
        // SAFETY: both types are primitive integers (`Index` is sealed) of the same size and alignment, so
        // any bits are valid in either. The slice has as many elements as before and borrows the same memory.
        Cow::Borrowed(array) => Cow::Borrowed(unsafe { core::slice::from_raw_parts(array.as_ptr().cast::<O>(), array.len()) }),
        Cow::Owned(array) => {
            let mut array = ManuallyDrop::new(array);
            // SAFETY: pointer, length and capacity belong to a vector that is never dropped. The element
            // types have the same size and alignment, and any bits are valid in either.
            Cow::Owned(unsafe { Vec::from_raw_parts(array.as_mut_ptr().cast::<O>(), array.len(), array.capacity()) })
        }
    }
}
