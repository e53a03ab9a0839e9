//! Any bytes as a file of each kind are refused, or make a tensor that is written and read again: the first byte names the kind.
//! `cargo +nightly fuzz run files -- -max_total_time=60 -malloc_limit_mb=256`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sparse_files::{Dedupe, KINDS, Kind, ReadOptions, WriteOptions, read_bytes, write_to};
use sparse_formats::Format;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let (kind, ..) = KINDS[usize::from(*first) % KINDS.len()];
    let read = |bytes: &[u8], kind| read_bytes(bytes.to_vec().into(), "a", &ReadOptions { kind: Some(kind), ..ReadOptions::default() });
    let Ok((tensor, _)) = read(bytes, kind) else { return };
    let mut out = Cursor::new(Vec::new());
    if write_to(&mut out, &tensor, Kind::Npz, &WriteOptions::default()).is_ok() {
        let (again, _) = read(out.get_ref(), Kind::Npz).expect("what has been written");
        assert_eq!((again.shape(), again.values_len()), (tensor.shape(), tensor.values_len()));
    }
    // Few numbers may say large extents, for which compressed rows take memory.
    if tensor.shape().len() == 2 && tensor.shape().iter().all(|extent| *extent < 1 << 16) {
        let _ = tensor.convert(&Format::csr(), Dedupe::Sum);
    }
});
