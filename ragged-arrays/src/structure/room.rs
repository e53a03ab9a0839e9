//! Allocates memory for leaves and numbers, with an error instead of an abort.

use crate::{RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::memory;

/// Returns an empty vector with room for `len` elements. Fails if memory is short.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>> {
    memory::room(len).ok_or(RaggedError::Overflow)
}

/// Sets the length of `out` to `len`. Its numbers are arbitrary, so the caller writes all. Fails if memory is short.
pub(crate) fn resized<V: Clone + Default>(out: &mut Vec<V>, len: usize) -> Result<()> {
    if out.capacity() < len {
        // New memory is already zero. `vec!` would abort if memory is short.
        *out = Vec::new();
        room::<V>(len)?;
        *out = memory::defaults(len);
    }
    out.resize(len, V::default());
    Ok(())
}
