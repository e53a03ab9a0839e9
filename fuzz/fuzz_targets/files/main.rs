//! Any bytes as a file of a kind are refused, or make a tensor that is written and read again. Memory stays in
//! proportion to the bytes. A panic in a library that a reader uses counts as a refusal. A panic in a reader, too
//! much memory or time, and an abort are faults. `scripts/fuzz-files KIND` fuzzes one kind, starting from the
//! files of the tests. Without `FILES_KIND`, the first byte selects the kind.
#![no_main]

mod archive;
#[path = "../../../sparse-files/tests/claims/memory.rs"]
mod memory;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use sparse_files::{AnyTensor, Dedupe, FileKind, KINDS, ReadOptions, WriteOptions, read_bytes, write_to};
use sparse_formats::Format;
use std::io::Cursor;
use std::sync::LazyLock;

static KIND: LazyLock<Option<FileKind>> = LazyLock::new(|| {
    let name = std::env::var("FILES_KIND").ok()?;
    Some(FileKind::from_name(&name).unwrap_or_else(|| panic!("`{name}` is no kind of file")))
});

fn read(bytes: &[u8], kind: FileKind) -> Option<AnyTensor<'static>> {
    let options = ReadOptions { kind: Some(kind), ..ReadOptions::default() };
    read_bytes(bytes.to_vec().into(), "a", &options).ok().map(|(tensor, _)| tensor)
}

fuzz_target!(|data: &[u8]| {
    let (kind, bytes) = match (*KIND, data.split_first()) {
        (Some(kind), _) => (kind, data),
        (None, Some((first, bytes))) => (KINDS[usize::from(*first) % KINDS.len()].0, bytes),
        (None, None) => return,
    };
    let most = memory::most(kind, bytes);
    let (tensor, largest) = memory::largest(|| read(bytes, kind));
    assert!(largest <= most, "{largest} bytes at once for a file of {}", bytes.len());
    let Some(tensor) = tensor else { return };
    let mut out = Cursor::new(Vec::new());
    if write_to(&mut out, &tensor, FileKind::Npz, &WriteOptions::default()).is_ok() {
        let again = read(out.get_ref(), FileKind::Npz).expect("what has been written");
        assert_eq!((again.shape(), again.values_len()), (tensor.shape(), tensor.values_len()));
    }
    let _ = (tensor.expand(), tensor.drop_zeros());
    // A few bytes may declare large extents, for which compressed rows take memory.
    if tensor.shape().len() == 2 && tensor.shape().iter().all(|extent| *extent < 1 << 16) {
        let _ = tensor.convert(&Format::csr(), Dedupe::Sum);
    }
});

// The files of an archive have checksums, so change a file inside the archive and compute its checksum again.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let changed = if seed % 8 == 0 { None } else { archive::changed(&data[..size], seed, max_size) };
    match changed {
        Some(bytes) => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
});
