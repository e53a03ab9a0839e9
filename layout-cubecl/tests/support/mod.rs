//! The adapter of the tests, and copies to and from it.
#![allow(dead_code)]

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::server::Handle;

/// Returns the client of the first adapter, or `None` with a line on standard error if there is none. CI expects one where it
/// requests these tests.
pub fn client() -> Option<Client> {
    let client = std::panic::catch_unwind(|| cubecl::Device::default().client()).ok();
    if client.is_none() {
        assert!(std::env::var_os("CI_CUBECL").is_none(), "CI_CUBECL is set, but there is no adapter");
        eprintln!("no adapter: skipped");
    }
    client
}

/// Returns a buffer with these elements.
pub fn buffer<E: CubeElement>(client: &Client, elements: &[E]) -> Handle {
    client.create_from_slice(E::as_bytes(elements))
}

/// Returns the argument of a kernel for a buffer of `len` elements.
#[allow(unsafe_code)]
pub fn argument(handle: &Handle, len: usize) -> BufferArg {
    // SAFETY: `buffer` made the handle from `len` elements.
    unsafe { BufferArg::from_raw_parts(handle.clone(), len) }
}

/// Reads a buffer.
pub fn read<E: CubeElement>(client: &Client, handle: Handle) -> Vec<E> {
    E::from_bytes(&client.read_one_unchecked(handle)).to_vec()
}
