//! Copies against naive ones: random shapes, grids, codecs, shards and bounds; damaged arrays; interop.
#![cfg(feature = "zarr")]

mod random;

use chunked_arrays::{ArrayCodec, Chunks, Grid, RechunkError, RechunkOptions, SourceArray, plan, rechunk};
use random::Random;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

impl Random {
    /// Returns chunks of an array: regular ones, perhaps in shards, or listed ones.
    fn chunks(&mut self, shape: &[u64]) -> Chunks {
        if self.below(3) == 0 {
            let grid = Grid::new(shape.iter().map(|extent| self.listed(*extent)).collect()).expect("a grid");
            return Chunks { grid, inner: None };
        }
        let chunk: Vec<u64> = shape.iter().map(|extent| 1 + self.below(extent + 2)).collect();
        let shard: Vec<u64> = chunk.iter().map(|chunk| chunk * (1 + self.below(3))).collect();
        let sharded = self.below(2) == 0 && !shape.is_empty();
        Chunks::new(shape, &chunk, sharded.then_some(&shard[..])).expect("chunks")
    }
}

fn quiet(_: u64, _: u64) {}

/// Returns a memory bound: too small, just enough, or ample.
fn memory(random: &mut Random, source: &SourceArray, to: &Path, chunks: &Chunks) -> u64 {
    match plan(source, to, chunks, &RechunkOptions { memory_bytes: 0, ..RechunkOptions::default() }) {
        Err(RechunkError::Memory { needed, .. }) => needed * (3 + random.below(8)) / 4,
        _ => 1 << 20,
    }
}

/// Copies a source, and checks the plan, the counts and the elements.
fn checked(source: &SourceArray, to: &Path, chunks: &Chunks, options: &RechunkOptions) -> bool {
    let planned = match plan(source, to, chunks, options) {
        Ok(planned) => planned,
        Err(RechunkError::Memory { .. }) => return false,
        Err(error) => panic!("{error}"),
    };
    let told = Mutex::new((0, 0));
    let tell = |done: u64, all: u64| {
        let mut told = told.lock().expect("no panic");
        *told = (told.0.max(done), all);
    };
    let report = rechunk(source, to, chunks, options, &tell).unwrap_or_else(|error| panic!("{error}\n{planned}"));
    let read: u64 = planned.stages().iter().map(|stage| stage.bytes_read).sum();
    assert_eq!((report.bytes_read, report.bytes_read + report.bytes_written), (read, planned.bytes()), "{planned}");
    if planned.bytes() > 0 {
        assert_eq!(*told.lock().expect("no panic"), (planned.bytes(), planned.bytes()));
    }
    let copy = SourceArray::open(to).unwrap_or_else(|error| panic!("{error}\n{chunks:?}"));
    assert_eq!(copy.data_type(), source.data_type());
    assert!(copy.to_vec().expect("the copy") == source.to_vec().expect("the source"), "{planned}");
    true
}

#[test]
fn random_arrays_are_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(3);
    let mut copied = 0;
    for case in 0..60 {
        let rank = random.below(6) as usize;
        let shape: Vec<u64> = (0..rank).map(|_| random.below(if rank < 3 { 60 } else { 9 })).collect();
        let (name, size) = [("uint8", 1), ("int16", 2), ("float32", 4), ("float64", 8), ("complex128", 16)][random.below(5) as usize];
        let bytes = (0..shape.iter().product::<u64>() * size).map(|_| random.below(256) as u8).collect();
        let array = SourceArray::memory(&shape, name, bytes).expect("an array");
        let codec =
            |random: &mut Random| [ArrayCodec::Keep, ArrayCodec::None, ArrayCodec::Zstd(1), ArrayCodec::Gzip(1)][random.below(4) as usize];
        let first = folder.path().join(format!("{case}.zarr"));
        let options = RechunkOptions { threads: 1 + random.below(3) as usize, codec: codec(&mut random), ..RechunkOptions::default() };
        assert!(checked(&array, &first, &random.chunks(&shape), &options));
        let source = SourceArray::open(&first).expect("an array");
        let second = folder.path().join(if random.below(4) == 0 { format!("{case}.npy") } else { format!("{case}-2.zarr") });
        let chunks = random.chunks(&shape);
        let options = RechunkOptions {
            memory_bytes: memory(&mut random, &source, &second, &chunks),
            request_bytes: random.below(2) * 10,
            codec: codec(&mut random),
            ..options
        };
        copied += u32::from(checked(&source, &second, &chunks, &options));
    }
    assert!(copied > 30, "{copied}");
    // Temporary folders and files are gone.
    let left = fs::read_dir(&folder)
        .expect("the folder")
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().contains("tmp")));
    assert_eq!(left.count(), 0);
}

#[test]
fn a_small_memory_makes_several_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = [200, 300];
    let array = SourceArray::memory(&shape, "int32", (0..60_000u32).flat_map(u32::to_le_bytes).collect()).expect("an array");
    let options = RechunkOptions { codec: ArrayCodec::Zstd(1), ..RechunkOptions::default() };
    for (rows, columns, memory) in [(2, 3, 12_000), (3, 7, 26_000), (9, 8, 60_000)] {
        let [a, b, c] = ["a.zarr", "b.zarr", "c.npy"].map(|name| folder.path().join(format!("{rows}-{name}")));
        assert!(checked(&array, &a, &Chunks::new(&shape, &[rows, 300], None).expect("chunks"), &options));
        let source = SourceArray::open(&a).expect("an array");
        let columns = Chunks::new(&shape, &[200, columns], None).expect("chunks");
        // Three buffers and a box have room for the largest chunk.
        let small = RechunkOptions { memory_bytes: memory, threads: 1, request_bytes: 0, ..RechunkOptions::default() };
        let planned = plan(&source, &b, &columns, &small).expect("a plan");
        assert!(planned.stages().len() == 2 && planned.peak_bytes() <= memory, "{planned}");
        assert!(checked(&source, &b, &columns, &small));
        assert!(checked(&SourceArray::open(&b).expect("an array"), &c, &columns, &small));
    }
}

/// Writes a Zarr array of version 3 by hand.
fn written(folder: &Path, metadata: &str, chunks: &[(&str, &[u8])]) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("zarr.json"), metadata).expect("metadata");
    for (key, bytes) in chunks {
        let path = folder.join(key);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a chunk");
    }
}

const METADATA: &str = r#"{"zarr_format": 3, "node_type": "array", "shape": [5], "data_type": "uint8", "fill_value": 7,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "codecs": [{"name": "bytes"}], "attributes": {"units": "m"}, "dimension_names": ["x"]}"#;

#[test]
fn missing_chunks_have_the_fill_value_and_metadata_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    written(&a, METADATA, &[("c/0", &[1, 2]), ("c/2", &[5, 9])]);
    let source = SourceArray::open(&a).expect("an array");
    assert_eq!(source.to_vec().expect("elements"), [1, 2, 7, 7, 5]);
    let chunks = Chunks::new(&[5], &[4], None).expect("chunks");
    assert!(checked(&source, &b, &chunks, &RechunkOptions::default()));
    let metadata = fs::read_to_string(b.join("zarr.json")).expect("metadata");
    assert!(metadata.contains("units") && metadata.contains("dimension_names") && metadata.contains("7"), "{metadata}");
    // Positions beyond the array have the fill value.
    assert_eq!(fs::read(b.join("c/1")).expect("a chunk"), [5, 7, 7, 7]);
}

#[test]
fn damaged_arrays_are_refused_and_leave_no_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let refused = |what: &str| {
        let copied = SourceArray::open(&a)
            .and_then(|source| rechunk(&source, &b, &Chunks::new(&[5], &[4], None)?, &RechunkOptions::default(), &quiet));
        let message = copied.expect_err(what).to_string();
        assert!(message.contains(what), "{message}");
        assert!(!b.exists() && fs::read_dir(&folder).expect("the folder").count() == 1);
    };
    written(&a, METADATA, &[("c/0", &[1])]);
    refused("chunk [0] has 1 bytes; expected: 2");
    written(
        &a,
        &METADATA
            .replace(r#"{"name": "bytes"}"#, r#"{"name": "bytes"}, {"name": "zstd", "configuration": {"level": 1, "checksum": false}}"#),
        &[],
    );
    refused("chunk [0]");
    written(&a, &METADATA.replace("uint8", "string").replace("7", "\"\""), &[]);
    refused("string");
    written(&a, &METADATA.replace("\"bytes\"", "\"wavelet\""), &[]);
    refused("wavelet");
    written(&a, "{", &[]);
    refused("");
    fs::remove_file(a.join("zarr.json")).expect("a file");
    refused("");
}

#[test]
fn existing_targets_stay_unless_they_may_be_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, home) = (folder.path().join("a"), folder.path().join("home"));
    let array = SourceArray::memory(&[3], "uint8", vec![1, 2, 3]).expect("an array");
    let (chunks, options) = (Chunks::new(&[3], &[2], None).expect("chunks"), RechunkOptions::default());
    rechunk(&array, &a, &chunks, &options, &quiet).expect("a copy");
    assert!(matches!(rechunk(&array, &a, &chunks, &options, &quiet), Err(RechunkError::Exists(_))));
    let force = RechunkOptions { overwrite: true, ..options };
    let other = SourceArray::memory(&[3], "uint8", vec![4, 5, 6]).expect("an array");
    rechunk(&other, &a, &chunks, &force, &quiet).expect("a copy");
    assert_eq!(SourceArray::open(&a).expect("an array").to_vec().expect("elements"), [4, 5, 6]);
    // Nothing that has, is, or is in the source is written.
    let source = SourceArray::open(&a).expect("an array");
    for target in [a.clone(), a.join("b"), folder.path().to_owned(), home.join("../a")] {
        fs::create_dir_all(&home).expect("a folder");
        fs::write(folder.path().join(".zarray"), "").expect("a file");
        let error = rechunk(&source, &target, &chunks, &force, &quiet).expect_err("the source");
        assert!(matches!(&error, RechunkError::Target(message) if message.contains("has, is, or is in the source")), "{error}");
    }
    assert_eq!(source.to_vec().expect("elements"), [4, 5, 6]);
    // A folder without an array is never replaced.
    fs::write(home.join("letter"), "dear").expect("a file");
    assert!(rechunk(&array, &home, &chunks, &force, &quiet).is_err());
    assert_eq!(fs::read_to_string(home.join("letter")).expect("a file"), "dear");
}

#[test]
fn types_without_an_equivalent_in_npy_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let a = folder.path().join("a");
    written(&a, &METADATA.replace("uint8", "bfloat16").replace("\"bytes\"", r#""bytes", "configuration": {"endian": "little"}"#), &[]);
    let source = SourceArray::open(&a).expect("an array");
    let error =
        rechunk(&source, &folder.path().join("a.npy"), &Chunks::new(&[5], &[5], None).expect("chunks"), &RechunkOptions::default(), &quiet);
    assert_eq!(error.expect_err("no type").to_string(), "the type bfloat16 has no equivalent in .npy files");
    assert!(checked(&source, &folder.path().join("b"), &Chunks::new(&[5], &[3], None).expect("chunks"), &RechunkOptions::default()));
}

/// Arrays that zarr 3.1.6 of Python wrote. Its `create_array` made `python.zarr` with chunks (2, 3), `sharded.zarr` with chunks (2, 2) in
/// shards (4, 4), and `version_2.zarr` with chunks (2, 4).
#[test]
fn arrays_of_python_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str| SourceArray::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).expect("an array");
    let options = RechunkOptions::default();
    // One chunk of fill values is missing.
    let expected = (0..35).map(|at| if (2..4).contains(&(at / 7)) && (3..6).contains(&(at % 7)) { -1.0 } else { at as f32 });
    let python = open("python.zarr");
    assert_eq!(python.to_vec().expect("elements"), expected.flat_map(f32::to_le_bytes).collect::<Vec<u8>>());
    assert!(checked(&python, &folder.path().join("a"), &Chunks::new(&[5, 7], &[5, 2], None).expect("chunks"), &options));
    let metadata = fs::read_to_string(folder.path().join("a/zarr.json")).expect("metadata");
    assert!(["zstd", "units", "\"y\""].iter().all(|word| metadata.contains(word)), "{metadata}");
    let sharded = open("sharded.zarr");
    assert_eq!(sharded.grid().chunks(), 12);
    assert_eq!(sharded.to_vec().expect("elements"), (0..48i16).flat_map(i16::to_le_bytes).collect::<Vec<u8>>());
    assert!(checked(&sharded, &folder.path().join("b"), &Chunks::new(&[6, 8], &[3, 1], Some(&[6, 2])).expect("chunks"), &options));
    let second = open("version_2.zarr");
    assert_eq!(
        (second.data_type(), second.to_vec().expect("elements")),
        ("float64", (0..24).flat_map(|at| f64::from(at).to_le_bytes()).collect())
    );
    assert!(checked(&second, &folder.path().join("c"), &Chunks::new(&[4, 6], &[4, 1], None).expect("chunks"), &options));
}

#[test]
fn groups_and_other_files_are_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let array = SourceArray::memory(&[3], "uint8", vec![1, 2, 3]).expect("an array");
    let (chunks, force) = (Chunks::new(&[3], &[2], None).expect("chunks"), RechunkOptions { overwrite: true, ..RechunkOptions::default() });
    let group = folder.path().join("group");
    rechunk(&array, &folder.path().join("a"), &chunks, &force, &quiet).expect("a copy");
    written(&group, r#"{"zarr_format": 3, "node_type": "group"}"#, &[("a/zarr.json", METADATA.as_bytes())]);
    let second = folder.path().join("second");
    fs::create_dir(&second).expect("a folder");
    fs::write(second.join(".zgroup"), r#"{"zarr_format": 2}"#).expect("a file");
    let text = folder.path().join("text.npy");
    fs::write(&text, "no array").expect("a file");
    for target in [&group, &second, &text] {
        let error = rechunk(&array, target, &chunks, &force, &quiet).expect_err("no array");
        assert!(matches!(&error, RechunkError::Target(message) if message.ends_with("so it is not replaced")), "{error}");
    }
    assert!(group.join("a/zarr.json").exists() && fs::read(&text).expect("a file") == b"no array");
    // A group that appears during the copy stays.
    let a = folder.path().join("a");
    let swap = |done: u64, all: u64| {
        if done == all {
            fs::write(a.join("zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#).expect("a file");
        }
    };
    assert!(matches!(rechunk(&array, &a, &chunks, &force, &swap), Err(RechunkError::Target(_))));
    assert!(fs::read_to_string(a.join("zarr.json")).expect("a file").contains("group") && a.join("c/0").exists());
    // A version of NumPy is replaced.
    let npy = folder.path().join("a.npy");
    rechunk(&array, &npy, &chunks, &force, &quiet).expect("a copy");
    rechunk(&array, &npy, &chunks, &force, &quiet).expect("a copy");
}

#[test]
fn a_target_that_appears_during_the_copy_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let array = SourceArray::memory(&[3], "uint8", vec![1, 2, 3]).expect("an array");
    let chunks = Chunks::new(&[3], &[2], None).expect("chunks");
    for (name, is_folder) in [("a", true), ("b", false), ("c.npy", false)] {
        let target = folder.path().join(name);
        let appear = |done: u64, all: u64| match done == all {
            true if is_folder => fs::create_dir_all(&target).expect("a folder"),
            true => fs::write(&target, "of others").expect("a file"),
            false => {}
        };
        let error = rechunk(&array, &target, &chunks, &RechunkOptions::default(), &appear).expect_err("it exists");
        assert!(matches!(error, RechunkError::Exists(_)), "{name}: {error}");
        match is_folder {
            true => assert_eq!(fs::read_dir(&target).expect("a folder").count(), 0),
            false => assert_eq!(fs::read(&target).expect("a file"), b"of others"),
        }
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3);
}

#[test]
fn short_metadata_of_very_many_chunks_costs_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let a = folder.path().join("a");
    written(&a, &METADATA.replace("[5]", "[1152921504606846976]").replace("[2]", "[1]"), &[]);
    let source = SourceArray::open(&a).expect("an array");
    assert_eq!(source.grid().chunks(), 1 << 60);
    let chunks = Chunks::new(&[1 << 60], &[1 << 60], None).expect("chunks");
    let error = rechunk(&source, &folder.path().join("b"), &chunks, &RechunkOptions::default(), &quiet).expect_err("too many");
    assert!(error.to_string().contains("1152921504606846976 chunks; at most 1048576"), "{error}");
    let listed = r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[[1, 1152921504606846976]]]}}"#;
    let regular = r#"{"name": "regular", "configuration": {"chunk_shape": [1]}}"#;
    let metadata = METADATA.replace("[5]", "[1152921504606846976]").replace("[2]", "[1]").replace(regular, listed);
    written(&a, &metadata, &[]);
    let error = SourceArray::open(&a).map(|_| ()).expect_err("too many");
    assert_eq!(error.to_string(), "Zarr: axis 0 lists 1152921504606846976 chunks; at most 1048576 are supported");
}
