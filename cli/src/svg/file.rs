//! Files replaced as a whole: who reads one meanwhile reads the old one or the new.

use std::fs;
use std::io::Write;
use std::path::Path;

/// Writes `bytes` to a file beside `path`, then gives it that name.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let written = fs::File::create_new(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    written.map_err(|error| {
        // What was not finished is of no use; the first error is the one that counts.
        let _ = fs::remove_file(&beside);
        format!("{}: {error}", path.display())
    })
}
