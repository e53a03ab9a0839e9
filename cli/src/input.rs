//! Reads JSON from files, and from standard input as `-`.

use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// Returns the name of the file for messages.
pub fn name(file: &Path) -> String {
    if is_stdin(file) { "standard input".into() } else { file.display().to_string() }
}

pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Reads the JSON value in a file. Fails if the file cannot be read or is no JSON; the message begins with the name of the
/// file.
pub fn json(file: &Path) -> Result<Value, String> {
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let value = bytes.map_err(|error| error.to_string()).and_then(|bytes| parse(&bytes));
    value.map_err(|message| format!("{}: {message}", name(file)))
}

/// Parses a JSON text. Fails if the text is no JSON in UTF-8, or if an object has a key twice.
pub fn parse(text: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("the text is not UTF-8: {error}"))?;
    crd2idx::json::parse(text).map_err(|error| error.to_string())
}
