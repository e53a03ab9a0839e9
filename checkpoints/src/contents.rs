//! The contents of files: the place of each tensor, whatever the format of the file is.

use safetensors::Dtype;
use std::collections::BTreeMap;

/// The position and type of one tensor in a file.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub dtype: Dtype,
    pub shape: Vec<i64>,
    /// The position of the first byte, from the begin of the file.
    pub offset: u64,
}

/// The contents of one file.
pub(crate) struct Contents {
    pub tensors: BTreeMap<String, Stored>,
    pub metadata: BTreeMap<String, String>,
    pub len: u64,
}

/// Returns the number of bytes of an element, or `None` for types of less than a byte.
pub(crate) fn element_bytes(dtype: Dtype) -> Option<u64> {
    let bits = dtype.bitsize() as u64;
    bits.is_multiple_of(8).then_some(bits / 8)
}
