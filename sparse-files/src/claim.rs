//! What files claim, and how much of it their bytes can hold.

use crate::error::{FileError, Result};

/// The most that deflated bytes can become, and what is believed of other compressions that are not looked into.
pub(crate) const MOST_EXPANSION: u64 = 1032;

/// Tests that an array, of so many values of so many bytes, is not more than there can be; its bytes.
pub(crate) fn within(array: &str, values: u64, size: usize, most: u64) -> Result<usize> {
    let bytes = values.checked_mul(size as u64).unwrap_or(u64::MAX);
    match usize::try_from(bytes) {
        Ok(fits) if bytes <= most => Ok(fits),
        _ => Err(FileError::Claim { array: array.into(), bytes, most }),
    }
}
