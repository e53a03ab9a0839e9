//! Damaged files: no panic, and no allocation that the bytes of the file do not warrant.

#[path = "claims/memory.rs"]
mod memory;

use sparse_files::{Kind, ReadOptions};
use std::path::PathBuf;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

/// The file with a byte, a word or a range of it changed, cut or doubled.
fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = file.to_vec();
    for _ in 0..1 + random.below(3) {
        if out.is_empty() {
            break;
        }
        let at = random.below(out.len());
        match random.below(6) {
            0 => out[at] ^= 1 << random.below(8),
            1 => out[at] = random.next() as u8,
            2 => {
                let word = [u64::MAX, 1 << 62, 1 << 32, u64::from(u32::MAX), 0][random.below(5)].to_le_bytes();
                let width = [1, 2, 4, 8][random.below(4)].min(out.len() - at);
                out[at..at + width].copy_from_slice(&word[..width]);
            }
            3 => out.truncate(at),
            4 => {
                let end = (at + random.below(64)).min(out.len());
                let piece = out[at..end].to_vec();
                out.splice(at..at, piece);
            }
            _ => {
                let digits: &[u8] = [&b"9"[..], b"18446744073709551615", b"-1", b"\n\n\n", b" ", b"e999"][random.below(6)];
                out.splice(at..at, digits.iter().copied());
            }
        }
    }
    out
}

fn files() -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "tests", "data", "sparse", "files"].iter().collect();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).expect("the files").map(|entry| entry.expect("a file").path()).collect();
    names.retain(|name| name.extension().is_none_or(|ending| ending != "json"));
    names.sort();
    let mut files: Vec<(String, Vec<u8>)> = names
        .iter()
        .map(|name| (name.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(name).expect("a file")))
        .collect();
    assert_eq!(files.len(), 26);
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data"].iter().collect();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).expect("the files").map(|entry| entry.expect("a file").path()).collect();
    names.sort();
    files.extend(
        names
            .iter()
            .map(|name| (name.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(name).expect("a file"))),
    );
    for (name, text) in [
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n% comment\n5 6 4\n1 1 0.5\n5 6 -1e9\n2 3 4\n1 6 7\n"),
        ("b.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n3 1 0.5 1\n2 1 1 -1\n"),
        ("c.mtx", "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
        ("d.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 1\n4 4\n2 2\n"),
        ("a.tns", "# comment\n1 2 3 0.5\n2 2 1 -4\n1 1 1 1e-3\n"),
    ] {
        files.push((name.into(), text.into()));
    }
    files
}

#[test]
fn damaged_files_are_refused_or_read_within_their_size() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(400);
    let (mut refused, mut read) = (0, 0);
    for (name, file) in files() {
        for _ in 0..rounds {
            let bytes = damaged(&file, &mut random);
            let length = bytes.len();
            let kind = if name.ends_with(".tns") { Some(Kind::Tns) } else { None };
            let most = memory::most(Kind::of(&bytes, &name).unwrap_or(Kind::of_name(&name).expect("a kind of file")), &bytes);
            let options = ReadOptions { kind, ..ReadOptions::default() };
            let (made, largest) = memory::largest(|| sparse_files::read_bytes(bytes.into(), &name, &options));
            if made.is_ok() {
                read += 1
            } else {
                refused += 1
            }
            assert!(largest <= most, "{name}: {largest} bytes at once for a file of {length}");
        }
    }
    assert!(refused > 0 && read > 0);
    // Memory is watched for all threads, so there is one test.
    archives_with_fewer_files_than_they_say();
}

/// The end of an archive is its last 22 bytes, and says at 8 and 10 how many files there are, at 12 how long their list is, and at 16 where that begins: as many
/// files as there are bytes before it are more than it has.
fn archives_with_fewer_files_than_they_say() {
    for (name, file) in files().iter().filter(|(name, _)| name.ends_with(".npz") || name.ends_with(".zip")) {
        let mut bytes = file.clone();
        let end = bytes.len() - 22;
        let files = [bytes[end + 16], bytes[end + 17]];
        bytes[end + 8..end + 10].copy_from_slice(&files);
        bytes[end + 10..end + 12].copy_from_slice(&files);
        bytes[end + 12..end + 16].copy_from_slice(&(1u32 << 20).to_le_bytes());
        let kind = Kind::of_name(name).expect("a kind of file");
        let most = memory::most(kind, &bytes);
        let (made, largest) = memory::largest(|| sparse_files::read_bytes(bytes.into(), name, &ReadOptions::default()));
        assert!(made.is_err() && largest <= most, "{name}: {largest} bytes at once for a file of {}", file.len());
    }
}
