//! Changes files inside archives.

use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Returns the archive with one of its files changed. Returns `None` if the bytes are not an archive, or if the
/// result exceeds `most` bytes.
pub fn changed(bytes: &[u8], seed: u32, most: usize) -> Option<Vec<u8>> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let chosen = seed as usize / 8 % zip.len().max(1);
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).ok()?;
        let (name, mut content) = (file.name().ok()?.into_owned(), Vec::new());
        file.by_ref().take(1 << 20).read_to_end(&mut content).ok()?;
        if index == chosen {
            let size = content.len();
            content.resize(size + 64, 0);
            let room = content.len();
            let size = libfuzzer_sys::fuzzer_mutate(&mut content, size, room);
            content.truncate(size);
        }
        out.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored)).ok()?;
        out.write_all(&content).ok()?;
    }
    let out = out.finish().ok()?.into_inner();
    (out.len() <= most).then_some(out)
}
