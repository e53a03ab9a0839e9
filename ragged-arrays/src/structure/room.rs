//! Memory for leaves and numbers.

use crate::{RaggedError, Result};
use alloc::vec::Vec;
use array_kernels::memory;

/// An empty vector with room for `len` elements, if there is.
pub(crate) fn room<T>(len: usize) -> Result<Vec<T>> {
    memory::room(len).ok_or(RaggedError::Overflow)
}

/// Makes room for `len` numbers, whose values do not matter; an error where there is none.
pub(crate) fn resized<V: Clone + Default>(out: &mut Vec<V>, len: usize) -> Result<()> {
    if out.capacity() < len {
        // New memory is zero already; `vec!` would not return where there is none.
        *out = Vec::new();
        room::<V>(len)?;
        *out = memory::defaults(len);
    }
    out.resize(len, V::default());
    Ok(())
}
