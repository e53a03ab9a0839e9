//! Reads JSON from files, and from standard input as `-`.

use serde_json::Value;
use std::cell::RefCell;
use std::io::Read;
use std::path::Path;

/// Returns the name of the file for messages.
pub fn name(file: &Path) -> String {
    if is_stdin(file) { "standard input".into() } else { file.display().to_string() }
}

pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

thread_local! {
    /// The bytes that a caller gives as standard input.
    static GIVEN: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// Calls `run` with these bytes as standard input, also if it panics.
pub fn given<T>(input: Vec<u8>, run: impl FnOnce() -> T) -> T {
    struct Restored(Option<Vec<u8>>);
    impl Drop for Restored {
        fn drop(&mut self) {
            GIVEN.replace(self.0.take());
        }
    }
    let _restored = Restored(GIVEN.replace(Some(input)));
    run()
}

/// Reads standard input to its end.
pub fn stdin() -> std::io::Result<Vec<u8>> {
    if let Some(given) = GIVEN.with_borrow_mut(|given| given.as_mut().map(std::mem::take)) {
        return Ok(given);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
}

/// Returns what `read` makes of the bytes of a file. The message of a failure begins with the name of the file.
fn read<T>(file: &Path, read: impl FnOnce(Vec<u8>) -> Result<T, String>) -> Result<T, String> {
    let bytes = if is_stdin(file) { stdin() } else { std::fs::read(file) };
    bytes.map_err(|error| error.to_string()).and_then(read).map_err(|message| format!("{}: {message}", name(file)))
}

/// Reads the JSON value in a file. Fails, with the name of the file, if the file cannot be read or is no JSON.
pub fn json(file: &Path) -> Result<Value, String> {
    read(file, |bytes| parse(&bytes))
}

/// Reads the text in a file. Fails, with the name of the file, if the file cannot be read or is not UTF-8.
pub fn text(file: &Path) -> Result<String, String> {
    read(file, |bytes| String::from_utf8(bytes).map_err(|error| error.to_string()))
}

/// Parses a JSON text. Fails if the text is no JSON in UTF-8, or if an object has a key twice.
pub fn parse(text: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("the text is not UTF-8: {error}"))?;
    crd2idx::json::parse(text).map_err(|error| error.to_string())
}
