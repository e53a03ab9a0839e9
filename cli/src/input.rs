//! Files of JSON, and standard input as `-`.

use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// The file as messages name it.
pub fn name(file: &Path) -> String {
    if is_stdin(file) { "standard input".into() } else { file.display().to_string() }
}

pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The value in a file; fails with its name.
pub fn json(file: &Path) -> Result<Value, String> {
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let value =
        bytes.map_err(|error| error.to_string()).and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    value.map_err(|message| format!("{}: {message}", name(file)))
}
