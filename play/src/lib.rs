//! The command `crd2idx` as WebAssembly, without imports: a buffer takes a request and then holds its answer.
//!
//! The caller asks for room, writes a request there, calls [`answer`] or [`reply`], and reads the bytes of the result. `npm/index.js` does so.

#![deny(missing_docs)]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The request, then its answer.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the buffer `length` bytes long, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut buffer = buffer();
    buffer.clear();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn address() -> *const u8 {
    buffer().as_ptr()
}

/// Replaces `{"arguments": [..], "input": ".."}` in the buffer by what the command prints: `{"ok": ".."}`, or `{"error": ".."}` if it
/// refuses. Returns the number of its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    replaced(crd2idx_cli::answer_to)
}

/// Replaces the request in the buffer by the answer of `crd2idx batch`. Returns the number of its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reply() -> usize {
    replaced(crd2idx_cli::reply)
}

fn replaced(of: fn(&[u8]) -> String) -> usize {
    let mut buffer = buffer();
    *buffer = of(&buffer).into_bytes();
    buffer.len()
}
