//! HDF5 files as sources: files of h5py and of `hdf5-pure`, every type, damaged files, and refusals.
#![cfg(all(feature = "hdf5", feature = "zarr"))]

#[allow(dead_code, reason = "other tests have lists of lengths")]
mod random;

use chunked_arrays::{ArrayCodec, Chunks, RechunkError, RechunkOptions, SourceArray, plan, rechunk};
use hdf5_pure::FileBuilder;
use random::Random;
use std::fs;
use std::path::{Path, PathBuf};

const TYPES: [&str; 14] = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
];

fn quiet(_: u64, _: u64) {}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hdf5").join(name)
}

fn opened(file: &str, name: &str) -> SourceArray {
    SourceArray::open_group(&data(file), name).unwrap_or_else(|error| panic!("{file} {name}: {error}"))
}

/// Returns the message of the error of opening a dataset.
fn refused(path: &Path, name: &str) -> String {
    SourceArray::open_group(path, name).map(|_| ()).expect_err(name).to_string()
}

/// Returns the bits of a number of half precision. The number is a small integer.
fn half(number: i64) -> u16 {
    match number {
        0 => 0,
        _ => {
            let exponent = number.ilog2() as u16;
            (exponent + 15) << 10 | ((number as u16) << (10 - exponent)) & 0x3ff
        }
    }
}

/// Returns the elements of the files of h5py, as `make.py` defines them.
fn elements(data_type: &str, count: i64) -> Vec<u8> {
    let numbers = (0..count).map(|at| (7 * at + 3) % 101);
    let bytes = |number: i64| match data_type {
        "bool" => vec![(number % 2) as u8],
        "int8" | "uint8" => vec![number as u8],
        "int16" | "uint16" => (number as i16).to_ne_bytes().to_vec(),
        "int32" | "uint32" => (number as i32).to_ne_bytes().to_vec(),
        "int64" | "uint64" => number.to_ne_bytes().to_vec(),
        "float16" => half(number).to_ne_bytes().to_vec(),
        "float32" => (number as f32).to_ne_bytes().to_vec(),
        "float64" => (number as f64).to_ne_bytes().to_vec(),
        "complex64" => [number as f32, -number as f32].map(f32::to_ne_bytes).concat(),
        _ => [number as f64, -number as f64].map(f64::to_ne_bytes).concat(),
    };
    numbers.flat_map(bytes).collect()
}

/// Copies a source to Zarr within the smallest memory, and compares the plan, the counts and the elements.
fn copied(source: &SourceArray, folder: &Path, chunk: &[u64]) {
    let target = folder.join(format!("{}.zarr", fs::read_dir(folder).expect("a folder").count()));
    let chunks = Chunks::new(&source.grid().shape(), chunk, None).expect("chunks");
    let least = RechunkOptions { memory_bytes: 0, threads: 1, ..RechunkOptions::default() };
    let memory_bytes = match plan(source, &target, &chunks, &least) {
        Err(RechunkError::Memory { needed, bound: 0, .. }) => needed,
        Ok(_) => 0,
        Err(error) => panic!("{error}"),
    };
    let options = RechunkOptions { memory_bytes, ..least };
    let planned = plan(source, &target, &chunks, &options).expect("a plan");
    assert!(planned.peak_bytes() <= memory_bytes);
    let report = rechunk(source, &target, &chunks, &options, &quiet).expect("a copy");
    assert_eq!(report.bytes_read + report.bytes_written, planned.bytes());
    let copy = SourceArray::open(&target).expect("an array");
    assert_eq!((copy.data_type(), copy.grid().shape()), (source.data_type(), source.grid().shape()));
    assert_eq!(copy.to_vec().expect("the copy"), source.to_vec().expect("the source"));
}

#[test]
fn every_type_is_read_in_both_orders_of_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    for storage in ["flat", "chunked"] {
        for order in ["little", "big"] {
            for data_type in TYPES {
                let source = opened("new.h5", &format!("{storage}/{order}/{data_type}"));
                assert_eq!((source.data_type(), source.grid().shape()), (data_type, vec![4, 5]));
                assert_eq!(source.grid().chunks(), if storage == "flat" { 1 } else { 6 });
                assert_eq!(source.to_vec().expect("elements"), elements(data_type, 20), "{storage} {order} {data_type}");
                copied(&source, folder.path(), &[2, 5]);
            }
        }
    }
}

#[test]
fn every_filter_and_index_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = ["checked", "shuffled", "plain", "sums", "lzf", "hard", "/checked/"].map(|name| ("old.h5", name));
    let new = ["index/fixed", "index/extensible", "index/single", "index/single_plain", "index/plain", "edges/deflated", "edges/checked"];
    for (file, name) in old.into_iter().chain(new.map(|name| ("new.h5", name))) {
        let source = opened(file, name);
        assert_eq!(source.grid().shape(), [7, 3], "{name}");
        assert_eq!(source.to_vec().expect("elements"), elements(source.data_type(), 21), "{name}");
        copied(&source, folder.path(), &[3, 1]);
    }
    assert_eq!(opened("new.h5", "shuffled_whole").to_vec().expect("elements"), elements("int32", 24));
    assert_eq!(
        opened("old.h5", "lzf_runs").to_vec().expect("elements"),
        [[5i32; 300], [-1; 300]].concat().iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<u8>>()
    );
    assert_eq!(opened("latest.h5", "flat").to_vec().expect("elements"), elements("int32", 21));
    assert_eq!(opened("old.h5", "compact").to_vec().expect("elements"), elements("int32", 6));
    assert_eq!(opened("old.h5", "a/group/dataset").to_vec().expect("elements"), elements("float64", 6));
}

#[test]
fn chunks_that_were_never_written_have_the_fill_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = (0..21).flat_map(|at| {
        let (row, column) = (at / 3, at % 3);
        let written = (2..4).contains(&row) && column < 2;
        f32::to_ne_bytes(if written { ((7 * ((row - 2) * 2 + column) + 3) % 101) as f32 } else { -1.5 })
    });
    let holes = opened("old.h5", "holes");
    assert_eq!(holes.to_vec().expect("elements"), expected.collect::<Vec<u8>>());
    copied(&holes, folder.path(), &[7, 1]);
    let unwritten = opened("old.h5", "unwritten");
    assert_eq!(unwritten.to_vec().expect("elements"), [-7i16; 6].map(i16::to_ne_bytes).concat());
    let grown = opened("old.h5", "grown");
    let old = elements("int32", 6);
    let element = |at: usize| if at / 5 < 2 && at % 5 < 3 { old[(at / 5 * 3 + at % 5) * 4..][..4].to_vec() } else { vec![0; 4] };
    assert_eq!(grown.to_vec().expect("elements"), (0..15).flat_map(element).collect::<Vec<u8>>());
    copied(&grown, folder.path(), &[1, 5]);
}

#[test]
fn refusals_say_what_to_do() {
    for (file, name, words) in [
        ("old.h5", "a/group", "`a/group` is a group; name one of its datasets: a/group/dataset"),
        ("old.h5", "a/nothing", "`a/nothing` is a group without datasets"),
        ("old.h5", "missing", "there is no dataset `missing` (soft links and external links are not followed)"),
        ("old.h5", "checked/more", "there is no dataset `checked/more`"),
        ("old.h5", "soft", "there is no dataset `soft` (soft links"),
        ("old.h5", "soft_group/dataset", "there is no dataset `soft_group/dataset` (soft links"),
        ("new.h5", "soft", "there is no dataset `soft` (soft links"),
        ("old.h5", "other_file", "there is no dataset `other_file`"),
        ("old.h5", "scaled", "its filter scaleoffset"),
        ("old.h5", "empty", "its elements are not those of the shape"),
        ("old.h5", "text", "its type is not supported"),
        ("old.h5", "external", "xternal"),
        ("old.h5", "virtual", "it is virtual"),
        ("old.h5", "unwritten_complex", "a fill value of the type c8"),
        ("new.h5", "index/several", "its 84 bytes are in chunks with a B-tree of version 2, which is not read"),
        ("new.h5", "shuffled", "may be shuffled or not"),
        ("latest.h5", "chunked", "data layout version: 5"),
        ("old.h5", "", "the file has several datasets; name one of these: a/group/dataset, checked,"),
    ] {
        let message = refused(&data(file), name);
        assert!(message.contains(words), "{file} {name}: {message}");
    }
    let several = SourceArray::open(&data("old.h5")).map(|_| ()).expect_err("several").to_string();
    assert!(several.contains("several datasets") && several.contains(" and "), "{several}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.h5");
    FileBuilder::new().write(&path).expect("a file");
    assert!(refused(&path, "").contains("the file has no dataset"));
    // Other files and folders have other containers, or none.
    let npy = folder.path().join("a.npy");
    let array = SourceArray::memory(&[2], "uint8", vec![1, 2]).expect("an array");
    let chunks = Chunks::new(&[2], &[1], None).expect("chunks");
    rechunk(&array, &npy, &chunks, &RechunkOptions::default(), &quiet).expect("a copy");
    assert!(refused(&npy, "a").contains("has no groups"));
    let zarr = folder.path().join("b.zarr");
    rechunk(&array, &zarr, &chunks, &RechunkOptions::default(), &quiet).expect("a copy");
    assert!(refused(folder.path(), "../b.zarr").contains("is not a path within it"));
    assert_eq!(SourceArray::open_group(folder.path(), "/b.zarr").expect("an array").to_vec().expect("elements"), [1, 2]);
}

#[test]
fn a_dataset_of_very_many_paths_is_found_by_each() {
    let message = refused(&data("tangled.h5"), "");
    assert!(message.contains("the file has more than 2048 groups; name the dataset"), "{message}");
    assert!(refused(&data("tangled.h5"), "a/c").contains("there is no dataset `a/c`"));
    let path = "a/b".repeat(15).replace("ba", "b/a") + "/array";
    assert_eq!(opened("tangled.h5", &path).to_vec().expect("elements"), elements("int32", 6));
}

#[test]
fn hdf5_targets_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let array = SourceArray::memory(&[2], "uint8", vec![1, 2]).expect("an array");
    let chunks = Chunks::new(&[2], &[1], None).expect("chunks");
    for name in ["a.h5", "a.HDF5"] {
        let error = rechunk(&array, &folder.path().join(name), &chunks, &RechunkOptions::default(), &quiet).expect_err("HDF5");
        assert!(matches!(&error, RechunkError::Target(message) if message.contains("write a .npy file or a Zarr folder")), "{error}");
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
}

#[test]
fn random_datasets_are_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(5);
    for case in 0..60 {
        let rank = case % 5;
        let shape: Vec<u64> = (0..rank).map(|_| random.below(if rank < 3 { 40 } else { 8 })).collect();
        let count = shape.iter().product::<u64>();
        let values: Vec<i32> = (0..count).map(|_| random.below(50) as i32).collect();
        let path = folder.path().join(format!("{case}.h5"));
        let mut builder = FileBuilder::new();
        let dataset = builder.create_dataset("values").with_i32_data(&values).with_shape(&shape);
        if rank > 0 && count > 0 && random.below(4) > 0 {
            let chunk: Vec<u64> = shape.iter().map(|extent| 1 + random.below(*extent)).collect();
            dataset.with_chunks(&chunk);
            let (deflated, shuffled) = (random.below(2) > 0, random.below(2) > 0);
            if deflated {
                dataset.with_deflate(1);
            }
            if deflated && shuffled {
                dataset.with_shuffle();
            }
            if random.below(3) == 0 {
                dataset.with_fletcher32();
            }
        }
        builder.write(&path).expect("a file");
        let source = SourceArray::open(&path).expect("the only dataset");
        assert_eq!(source.to_vec().expect("elements"), values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<u8>>());
        let chunk: Vec<u64> = shape.iter().map(|extent| 1 + random.below(extent + 1)).collect();
        copied(&source, folder.path(), &chunk);
    }
}

/// Returns a file with one dataset of 64 x 64 numbers, deflated or not, and the position of its longest run of bytes.
fn one(path: &Path, deflated: bool) {
    let mut builder = FileBuilder::new();
    let values: Vec<i32> = (0..4096).map(|at| at * at).collect();
    let dataset = builder.create_dataset("values").with_i32_data(&values).with_shape(&[64, 64]).with_chunks(&[16, 16]);
    if deflated {
        dataset.with_deflate(6);
    }
    builder.write(path).expect("a file");
}

#[test]
fn damaged_files_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.h5");
    for deflated in [false, true] {
        one(&path, deflated);
        let whole = fs::read(&path).expect("a file");
        for length in (0..whole.len()).step_by(509).chain([whole.len() - 1]) {
            fs::write(&path, &whole[..length]).expect("a file");
            let error = SourceArray::open(&path).and_then(|source| source.to_vec()).expect_err("a cut file");
            if length > 4096 {
                assert!(error.to_string().contains("cut off"), "{length}: {error}");
            }
        }
        // Wrong bytes are an error or other elements, and never a panic.
        let mut errors = 0;
        for at in (0..whole.len()).step_by(if deflated { 31 } else { 97 }) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x5a;
            fs::write(&path, &bytes).expect("a file");
            errors += u32::from(SourceArray::open(&path).and_then(|source| source.to_vec()).is_err());
        }
        assert!(errors > 0, "{errors}");
        if deflated {
            let mut bytes = whole.clone();
            let middle = whole.len() / 2;
            bytes[middle..middle + 8].fill(0xff);
            fs::write(&path, &bytes).expect("a file");
            let error = SourceArray::open(&path).and_then(|source| source.to_vec()).expect_err("a damaged chunk").to_string();
            assert!(error.contains("values: the chunk at byte"), "{error}");
        }
    }
}

#[test]
fn the_memory_bound_includes_the_list_of_chunks() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, target) = (folder.path().join("a.h5"), folder.path().join("b.zarr"));
    one(&path, true);
    let source = SourceArray::open(&path).expect("an array");
    let chunks = Chunks::new(&[64, 64], &[64, 4], None).expect("chunks");
    let options = RechunkOptions { memory_bytes: 1, threads: 1, codec: ArrayCodec::None, ..RechunkOptions::default() };
    let Err(RechunkError::Memory { bound: 1, needed, source_chunk: 1024, target_chunk: 1024 }) = plan(&source, &target, &chunks, &options)
    else {
        panic!("one byte is too little")
    };
    let list = 16 * 32;
    let enough = |memory_bytes: u64| plan(&source, &target, &chunks, &RechunkOptions { memory_bytes, ..options.clone() });
    assert!(enough(needed - 1).is_err() && enough(needed).expect("a plan").peak_bytes() + list <= needed);
    assert!(needed == list + 4 * 1024, "{needed}");
}
