//! Binsparse in archives of NumPy arrays. One of the arrays is the descriptor.

use super::{Encoded, decode_within};
use crate::error::{FileError, Result};
use crate::npz::{Archive, ArchiveWriter};
use crate::value::AnyTensor;
use std::io::{Seek, Write};

/// Reads the descriptor of an archive. Fails if there is none.
pub fn descriptor(archive: &mut Archive<'_>) -> Result<String> {
    archive.need("binsparse", 1)?.text("binsparse").map(str::to_owned)
}

/// Reads the tensor of an archive. Fails if there is no descriptor, or as `binsparse::decode` does.
pub fn read(archive: &mut Archive<'_>) -> Result<AnyTensor<'static>> {
    let descriptor = descriptor(archive)?;
    decode_within(&descriptor, &mut |name, most| archive.get(name, most)?.map(|array| array.list(name)).transpose())
}

/// Writes a tensor to an archive. Fails if the output fails.
pub fn write<W: Write + Seek>(out: &mut ArchiveWriter<W>, encoded: &Encoded<'_>) -> Result<()> {
    let text = serde_json::to_string_pretty(&encoded.descriptor).map_err(|error| FileError::System { message: error.to_string() })?;
    out.put_text("binsparse", &text)?;
    encoded.arrays.iter().try_for_each(|(name, array)| out.put_list(name, array))
}
