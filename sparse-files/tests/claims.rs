//! Damaged files cause no panic, and no allocation beyond what their bytes can hold.

#[path = "claims/memory.rs"]
mod memory;

use hdf5_pure::FileBuilder;
use sparse_files::npz::ArchiveWriter;
use sparse_files::zarr::{GroupWriter, ZipStoreWriter};
use sparse_files::{AnyArray, FileKind, ReadOptions};
use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

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

/// Returns the file with bytes, words or ranges changed, cut or doubled.
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

/// Returns the archive with one of its files damaged, and its checksums recomputed.
fn damaged_inside(archive: &[u8], random: &mut Random) -> Vec<u8> {
    let mut zip = ZipArchive::new(Cursor::new(archive)).expect("an archive");
    let (chosen, mut out) = (random.below(zip.len()), ZipWriter::new(Cursor::new(Vec::new())));
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).expect("a file");
        let (name, mut content) = (file.name().expect("a name").into_owned(), Vec::new());
        file.read_to_end(&mut content).expect("a file");
        let content = if index == chosen { damaged(&content, random) } else { content };
        out.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored)).expect("written");
        out.write_all(&content).expect("written");
    }
    out.finish().expect("written").into_inner()
}

fn files() -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "tests", "data", "sparse", "files"].iter().collect();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).expect("the files").map(|entry| entry.expect("a file").path()).collect();
    let is_file = |name: &PathBuf| name.extension().is_none_or(|ending| ending != "json");
    names.retain(is_file);
    names.sort();
    let mut files: Vec<(String, Vec<u8>)> = names
        .iter()
        .map(|name| (name.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(name).expect("a file")))
        .collect();
    assert_eq!(files.len(), 26);
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data"].iter().collect();
    let mut names: Vec<PathBuf> = std::fs::read_dir(folder).expect("the files").map(|entry| entry.expect("a file").path()).collect();
    names.retain(is_file);
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
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(400);
    let (mut refused, mut read) = (0, 0);
    for (name, file) in files() {
        // Each file has its own seed, so that its damage does not depend on other files.
        let mut random =
            Random(name.bytes().fold(0x9e37_79b9_7f4a_7c15, |seed: u64, byte| (seed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)));
        let archive = name.ends_with(".npz") || name.ends_with(".zip");
        for round in 0..rounds {
            let inside = archive && round % 8 == 0;
            let bytes = if inside { damaged_inside(&file, &mut random) } else { damaged(&file, &mut random) };
            let length = bytes.len();
            let kind = if name.ends_with(".tns") { Some(FileKind::Tns) } else { None };
            // Only the content identifies Arrow streams.
            let named = FileKind::of(&bytes, &name).ok().or_else(|| FileKind::of_name(&name)).unwrap_or(FileKind::Arrow);
            let most = memory::most(named, &bytes);
            // These files need a path, because they have no single tensor.
            let places = [("types", "c64"), ("tenx_v2_two", "mm10"), ("v2_axes", "half"), ("v3_axes", "half"), ("v3_shards", "half")];
            let group = places.iter().find(|(start, _)| name.starts_with(start)).map(|(_, group)| (*group).into());
            let options = ReadOptions { kind, group, ..ReadOptions::default() };
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
    // The allocator counts for all threads, so everything runs in one test.
    archives_with_fewer_files_than_they_say();
    arrays_that_no_tensor_of_the_shape_needs();
}

/// Arrays of a million zeros, for a matrix of 3 by 3, take a few kilobytes in a file. They are refused before they
/// are inflated, and the error has both numbers.
fn arrays_that_no_tensor_of_the_shape_needs() {
    const MANY: usize = 1 << 20;
    let zeros = || AnyArray::from_values(vec![0i64; MANY]);
    let few = |numbers: &[i64]| AnyArray::from_values(numbers.to_vec());
    let npz = |texts: &[(&str, &str)], arrays: &[(&str, &[u64], AnyArray)]| {
        let mut out = ArchiveWriter::new(Cursor::new(Vec::new()), true);
        texts.iter().for_each(|(name, text)| out.put_text(name, text).expect("written"));
        arrays.iter().for_each(|(name, shape, array)| out.put(name, shape, array).expect("written"));
        out.finish().expect("written").into_inner()
    };
    let types = r#""indices_0": "int64", "indices_1": "int64", "pointers_to_1": "int64", "values": "int64""#;
    let about = |format: &str, stored: usize| {
        format!(
            r#"{{"binsparse": {{"version": "0.1.0", "format": "{format}", "shape": [3, 3], "number_of_stored_values": {stored}, "data_types": {{{types}}}}}}}"#
        )
    };
    let many = MANY as u64;
    let mut files = Vec::new();
    for (text, arrays, name) in [
        ("csr", &[("indptr", &[4][..], few(&[0, 0, 0, MANY as i64])), ("indices", &[many], zeros())][..], "indices"),
        ("csr", &[("indptr", &[many], zeros())], "indptr"),
        ("csr", &[("indptr", &[4], few(&[0, 1, 1, 1])), ("indices", &[1], few(&[0])), ("data", &[many], zeros())], "data"),
        ("coo", &[("row", &[many], zeros())], "row"),
        ("coo", &[("coords", &[2, many / 2], zeros())], "coords"),
        ("dia", &[("offsets", &[many], zeros())], "offsets"),
        ("dia", &[("offsets", &[1], few(&[0])), ("data", &[1, many], zeros())], "data"),
        ("bsr", &[("data", &[many, 1, 1], zeros())], "data"),
    ] {
        let arrays = [&[("shape", &[2][..], few(&[3, 3]))], arrays].concat();
        files.push((format!("{text} {name}"), FileKind::Scipy, npz(&[("format", text)], &arrays), name));
    }
    let fill = ("fill_value", &[][..], few(&[0]));
    for (arrays, name) in [
        (&[("coords", &[2, many / 2][..], zeros()), ("data", &[1], few(&[1]))][..], "coords"),
        (&[("coords", &[2, 1], few(&[0, 0])), ("data", &[many], zeros())], "data"),
        (&[("compressed_axes", &[many], zeros()), ("indptr", &[1], few(&[0])), ("data", &[1], few(&[0]))], "compressed_axes"),
    ] {
        let arrays = [&[("shape", &[2][..], few(&[3, 3])), fill.clone()], arrays].concat();
        files.push((format!("pydata {name}"), FileKind::Pydata, npz(&[], &arrays), name));
    }
    for (format, stored, arrays, name) in [
        ("COO", MANY, &[("indices_0", &[many][..], zeros())][..], "indices_0"),
        ("CSR", 1, &[("pointers_to_1", &[many], zeros())], "pointers_to_1"),
        ("DMAT", 9, &[("values", &[many], zeros())], "values"),
    ] {
        let text = about(format, stored);
        files.push((format!("npz {name}"), FileKind::Npz, npz(&[("binsparse", &text)], arrays), name));
        let mut zarr = ZipStoreWriter::new(Cursor::new(Vec::new()));
        let mut group = GroupWriter::new(&mut zarr, None, serde_json::from_str(&text).expect("JSON"), true).expect("a group");
        group.put(name, &zeros()).expect("written");
        files.push((format!("zarr {name}"), FileKind::Zarr, zarr.finish().expect("written").into_inner(), name));
    }
    for (name, pointers, data) in
        [("indptr", zeros(), few(&[])), ("indices", few(&[0, 0, 0, MANY as i64]), few(&[])), ("data", few(&[0, 1, 1, 1]), zeros())]
    {
        let indices = if name == "data" { few(&[0]) } else { zeros() };
        let arrays = [("indptr", pointers), ("indices", indices), ("data", data)];
        let mut zarr = ZipStoreWriter::new(Cursor::new(Vec::new()));
        let attributes = serde_json::json!({ "encoding-type": "csr_matrix", "shape": [3, 3] });
        let mut group = GroupWriter::new(&mut zarr, Some("X"), attributes, true).expect("a group");
        arrays.iter().for_each(|(name, array)| group.put(name, array).expect("written"));
        files.push((format!("AnnData {name}"), FileKind::Zarr, zarr.finish().expect("written").into_inner(), name));
        let mut hdf5 = FileBuilder::new();
        let mut group = hdf5.create_group("matrix");
        let shape = [("shape", few(&[3, 3])), ("barcodes", few(&[0]))];
        for (name, array) in arrays.iter().chain(&shape) {
            let values = array.values::<i64>().expect("int64");
            let dataset = group.create_dataset(name).with_data(&values);
            if values.len() == MANY {
                dataset.with_chunks(&[many]).with_deflate(9);
            }
        }
        let group = group.finish();
        hdf5.add_group(group);
        let mut out = Vec::new();
        hdf5.finish_to(&mut out).expect("written");
        files.push((format!("10x {name}"), FileKind::Hdf5, out, name));
    }
    for name in ["zeros.h5", "zeros.parquet"] {
        let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", name].iter().collect();
        let kind = FileKind::of_name(name).expect("a kind of file");
        files.push((name.into(), kind, std::fs::read(folder).expect("a file"), "indices_0"));
    }
    for (what, kind, bytes, name) in files {
        let length = bytes.len();
        assert!(length < MANY / 16, "{what}: {length} bytes");
        let options = ReadOptions { kind: Some(kind), ..ReadOptions::default() };
        let (made, largest) = memory::largest(|| sparse_files::read_bytes(bytes.into(), "a", &options));
        let error = made.err().unwrap_or_else(|| panic!("{what} is read"));
        assert_eq!(error.class(), "file/claim", "{what}: {error}");
        assert!(error.to_string().starts_with(&format!("{name} has {MANY} values ({} bytes when inflated", 8 * MANY)), "{what}: {error}");
        assert!(largest < 4 * MANY, "{what}: {largest} bytes at once for a file of {length}");
    }
    // The same number of zeros is read if the shape has room for them: one per row, or duplicates in a file of
    // similar length.
    let shape = || ("shape", &[2][..], few(&[MANY as i64 - 1, 3]));
    let rows = npz(&[("format", "csr")], &[shape(), ("indptr", &[many], zeros()), ("indices", &[0], few(&[])), ("data", &[0], few(&[]))]);
    let (rows, _) = sparse_files::read_bytes(rows.into(), "a.npz", &ReadOptions::default()).expect("a matrix without elements");
    assert_eq!((rows.shape(), rows.stored()), (&[many - 1, 3][..], 0));
    let column = || few(&[1; 100]);
    let arrays = [("shape", &[2][..], few(&[3, 3])), ("row", &[100], column()), ("col", &[100], column()), ("data", &[100], column())];
    let (twice, _) =
        sparse_files::read_bytes(npz(&[("format", "coo")], &arrays).into(), "a.npz", &ReadOptions::default()).expect("a matrix");
    assert_eq!(twice.stored(), 100);
}

/// The end of an archive is its last 22 bytes. It has the number of files at 8 and 10, the length of their list at
/// 12, and the position of the list at 16. One file per byte before the end is more than the archive has.
fn archives_with_fewer_files_than_they_say() {
    for (name, file) in files().iter().filter(|(name, _)| name.ends_with(".npz") || name.ends_with(".zip")) {
        let mut bytes = file.clone();
        let end = bytes.len() - 22;
        let files = [bytes[end + 16], bytes[end + 17]];
        bytes[end + 8..end + 10].copy_from_slice(&files);
        bytes[end + 10..end + 12].copy_from_slice(&files);
        bytes[end + 12..end + 16].copy_from_slice(&(1u32 << 20).to_le_bytes());
        let kind = FileKind::of_name(name).expect("a kind of file");
        let most = memory::most(kind, &bytes);
        let (made, largest) = memory::largest(|| sparse_files::read_bytes(bytes.into(), name, &ReadOptions::default()));
        assert!(made.is_err() && largest <= most, "{name}: {largest} bytes at once for a file of {}", file.len());
    }
}
