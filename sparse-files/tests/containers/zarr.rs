//! Groups written by the Python package zarr, and folders written by this package.

use crate::recorded::dense;
use crate::round_trip::tensor;
use crate::sample;
use serde_json::json;
use sparse_files::zarr::{Store, StoreWriter};
use sparse_files::{AnyTensor, ElementType, FileKind, ReadOptions, Result, WriteOptions, binsparse, hierarchy};
use sparse_formats::Format;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[test]
fn of_the_reference_implementation() {
    for name in ["v2_blosc", "v2_zlib_chunks", "v2_zstd", "v3_chunks", "v3_gzip", "v3_zstd"] {
        let (tensor, kind) = sparse_files::read(&sample(&format!("{name}.zarr.zip")), &ReadOptions::default()).expect(name);
        assert_eq!((kind, tensor.shape(), tensor.format()), (FileKind::Zarr, &[4, 6][..], &Format::csr()), "{name}");
        let matrix = tensor.typed::<f64>().expect("float64").expect("a matrix");
        let found = [(0, 1), (0, 5), (2, 2), (3, 0), (3, 4)].map(|(i, j)| matrix.at(&[i, j]).copied());
        assert_eq!(found, [0.5, -1.5, 4.0, 1024.0, -0.25].map(Some), "{name}");
    }
}

/// A store of files in memory.
#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Store for Memory {
    fn get(&self, key: &str, _: u64) -> Result<Option<Cow<'_, [u8]>>> {
        Ok(self.0.get(key).map(|bytes| Cow::Borrowed(&bytes[..])))
    }

    fn stored(&self, prefix: &str) -> Result<u64> {
        Ok(self.0.iter().filter(|(key, _)| key.starts_with(prefix)).map(|(_, bytes)| bytes.len() as u64).sum())
    }

    fn names(&self, prefix: &str) -> Result<Vec<String>> {
        let next = |key: &String| Some(key.strip_prefix(prefix)?.split('/').next()?.to_owned());
        let mut names: Vec<String> = self.0.keys().filter_map(next).collect();
        names.dedup();
        Ok(names)
    }

    fn below(&self, prefix: &str) -> Result<Vec<String>> {
        Ok(self.0.keys().filter_map(|key| key.strip_prefix(prefix).map(str::to_owned)).collect())
    }
}

impl StoreWriter for Memory {
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
        assert!(self.0.insert(key.into(), bytes.into()).is_none(), "{key} twice");
        Ok(())
    }
}

fn written(compressed: bool) -> (AnyTensor<'static>, Memory) {
    let a = tensor(&[4, 6], ElementType::F32, &Format::csr());
    let mut store = Memory::default();
    let encoded = binsparse::encode(&a, "0.1.0").expect("a tensor");
    binsparse::write_zarr(&mut store, &encoded, Some("outer/inner"), compressed).expect("written");
    (a, store)
}

#[test]
fn what_is_damaged_is_refused() {
    let read = |store: &Memory| hierarchy::read_zarr(store, Some("outer/inner")).map_or_else(|error| error.class(), |_| "read");
    for (compressed, cut) in [(false, "file/claim"), (true, "file/container")] {
        let (_, store) = written(compressed);
        assert_eq!(read(&store), "read");
        assert!(["zarr.json", "outer/zarr.json", "outer/inner/values/c/0"].iter().all(|key| store.0.contains_key(*key)));
        let changed = |key: &str, from: &str, to: &str| {
            let (_, mut store) = written(compressed);
            let file = store.0.get_mut(&format!("outer/inner/{key}")).expect("a file");
            let text = String::from_utf8(file.clone()).expect("text");
            assert!(text.contains(from), "{text}");
            *file = text.replacen(from, to, 1).into_bytes();
            read(&store)
        };
        let about = "values/zarr.json";
        for (key, from, to, class) in [
            ("zarr.json", "\"group\"", "\"array\"", "array/header"),
            ("zarr.json", "{", "{\"zarr_format\": 3,", "header/duplicate"),
            ("zarr.json", "\"binsparse\"", "\"other\"", "array/missing"),
            (about, "float32", "bfloat16", "array/header"),
            (about, "float32", "float64", cut),
            (about, "regular", "rectilinear", "array/header"),
            (about, "\"bytes\"", "\"transpose\"", "array/header"),
            (about, "\"separator\": \"/\"", "\"separator\": \"-\"", "array/header"),
            (about, "\"fill_value\": 0.0", "\"fill_value\": \"zero\"", "array/header"),
        ] {
            assert_eq!(changed(key, from, to), class, "{key} {from} {to}");
        }
        let (_, mut store) = written(compressed);
        store.0.retain(|key, _| !key.contains("indices_1"));
        assert_eq!(read(&store), "array/missing");
        let (_, mut store) = written(compressed);
        let chunk = store.0.get_mut("outer/inner/values/c/0").expect("a chunk");
        chunk.truncate(chunk.len() - 3);
        assert_eq!(read(&store), cut);
    }
    // A shape alone does not make the reader allocate memory.
    for number in ["1000000000", "18446744073709551615"] {
        let (a, mut store) = written(false);
        let about = store.0.get_mut("outer/inner/values/zarr.json").expect("a file");
        let stored = a.stored().to_string();
        *about =
            String::from_utf8(about.clone()).expect("text").replace(&format!("    {stored}\n"), &format!("    {number}\n")).into_bytes();
        assert_eq!(read(&store), "file/claim");
    }
}

#[test]
fn chunks_that_are_left_out_have_the_fill_value() {
    let (a, mut store) = written(false);
    store.0.remove("outer/inner/values/c/0").expect("a chunk");
    let about = store.0.get_mut("outer/inner/values/zarr.json").expect("a file");
    *about = String::from_utf8(about.clone()).expect("text").replace("\"fill_value\": 0.0", "\"fill_value\": -2.5").into_bytes();
    let read = hierarchy::read_zarr(&store, Some("outer/inner")).expect("a tensor").0;
    assert_eq!(read.pattern(), a.pattern());
    assert!(read.each_value().values::<f32>().expect("float32").iter().all(|value| *value == -2.5));
}

#[test]
fn fill_values_are_exact() {
    let fill = "0.000000014232091708727133";
    let about = format!(
        r#"{{ "zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "float64", "fill_value": {fill}, "attributes": {{}},
            "codecs": [{{ "name": "bytes", "configuration": {{ "endian": "little" }} }}], "chunk_key_encoding": {{ "name": "default" }},
            "chunk_grid": {{ "name": "regular", "configuration": {{ "chunk_shape": [1] }} }} }}"#
    );
    let mut store = Memory::default();
    store.put("zarr.json", br#"{ "zarr_format": 3, "node_type": "group", "attributes": {} }"#).expect("a file");
    store.put("a/zarr.json", about.as_bytes()).expect("a file");
    let read = hierarchy::read_zarr(&store, Some("a")).expect("a tensor").0;
    assert_eq!(read.each_value().values::<f64>().expect("float64").to_vec(), [fill.parse::<f64>().expect("a number")]);
}

/// Reads the array `a` of a store that has metadata of a version, and one chunk of `zeros` zero bytes.
fn array(version: u64, about: serde_json::Value, key: &str, zeros: usize) -> (String, Vec<u64>) {
    let mut store = Memory::default();
    let (root, metadata) = if version == 3 {
        (("zarr.json", r#"{ "zarr_format": 3, "node_type": "group", "attributes": {} }"#), "a/zarr.json")
    } else {
        ((".zgroup", r#"{ "zarr_format": 2 }"#), "a/.zarray")
    };
    for (key, bytes) in [(root.0, root.1.into()), (metadata, about.to_string().into_bytes()), (key, vec![0; zeros])] {
        store.put(key, &bytes).expect("a file");
    }
    match hierarchy::read_zarr(&store, Some("a")) {
        Ok((tensor, _)) => (tensor.element().to_string(), tensor.shape().to_vec()),
        Err(error) => (error.class().into(), Vec::new()),
    }
}

#[test]
fn arrays_of_several_axes_claim_no_more_than_there_is() {
    let v2 = |shape: &[u64], chunks: &[u64], zeros| {
        let about = json!({ "zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": "<f2", "compressor": null, "fill_value": 0, "order": "F", "filters": null });
        array(2, about, "a/0.0", zeros)
    };
    let v3 = |shape: &[u64], chunks: &[u64], zeros| {
        let about = json!({
            "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "float16", "fill_value": "NaN", "codecs": [{ "name": "bytes" }],
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": chunks } },
            "chunk_key_encoding": { "name": "default" },
        });
        array(3, about, "a/c/0/0", zeros)
    };
    let (most, far) = (u64::MAX, 1 << 40);
    for read in [&v2 as &dyn Fn(&[u64], &[u64], usize) -> (String, Vec<u64>), &v3] {
        assert_eq!(read(&[3, 4], &[2, 3], 12), ("float32".into(), vec![3, 4]));
        assert_eq!(read(&[3, 4], &[5, 9], 90), ("float32".into(), vec![3, 4]));
        for (shape, chunks, zeros, class) in [
            (&[3, 4][..], &[2, 3][..], 11, "file/claim"),
            (&[3, 4], &[2, 3], 13, "file/container"),
            (&[3, 4], &[5, 9], 89, "file/claim"),
            (&[3, 4], &[far, far], 12, "file/claim"),
            (&[3, 4], &[most, most], 12, "file/claim"),
            (&[far, far], &[2, 3], 12, "file/claim"),
            (&[most, most], &[most, most], 12, "file/claim"),
            (&[far, 1], &[1, 1], 2, "file/claim"),
            (&[3, 4], &[2], 12, "array/header"),
            (&[3, 4], &[2, 0], 12, "array/header"),
            (&[3], &[2, 3], 12, "array/header"),
        ] {
            assert_eq!(read(shape, chunks, zeros).0, class, "{shape:?} {chunks:?} {zeros}");
        }
        assert_eq!(read(&[0, most], &[2, 3], 12), ("float32".into(), vec![0, most]));
    }
    let about = json!({ "shape": [1], "chunks": [1], "dtype": "|u1", "compressor": null, "fill_value": 0, "order": "C", "dimension_separator": "." });
    let with = |key: &str, value: &str| {
        let mut changed = about.clone();
        changed[key] = value.into();
        array(2, changed, "a/0", 1).0
    };
    assert_eq!(
        [with("order", "F"), with("order", "A"), with("dimension_separator", "/"), with("dimension_separator", "-")],
        ["uint8", "array/header", "uint8", "array/header"]
    );
}

#[test]
fn shards_have_no_chunks_beyond_their_bytes() {
    // The file has two chunks of two bytes each, the second of them missing, and the list: the position and length of
    // each chunk, and a checksum.
    let entries = |list: [u64; 4]| list.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let read = |change: &dyn Fn(&mut serde_json::Value), file: Vec<u8>| {
        let mut about = json!({
            "zarr_format": 3, "node_type": "array", "shape": [3], "data_type": "uint8", "fill_value": 9,
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4] } },
            "chunk_key_encoding": { "name": "default" },
            "codecs": [{ "name": "sharding_indexed", "configuration": {
                "chunk_shape": [2], "codecs": [{ "name": "bytes" }], "index_codecs": [{ "name": "bytes" }], "index_location": "end",
            } }],
        });
        change(&mut about);
        let mut store = Memory::default();
        store.put("zarr.json", br#"{ "zarr_format": 3, "node_type": "group", "attributes": {} }"#).expect("a group");
        store.put("a/zarr.json", about.to_string().as_bytes()).expect("an array");
        store.put("a/c/0", &file).expect("a shard");
        hierarchy::read_zarr(&store, Some("a")).map(|(tensor, _)| tensor.each_value().values::<u8>().expect("numbers").into_owned())
    };
    let class = |change: &dyn Fn(&mut serde_json::Value), file: Vec<u8>| read(change, file).map_or_else(|error| error.class(), |_| "read");
    const NONE: u64 = u64::MAX;
    let end = |list: [u64; 4]| [&[5, 6, 7, 8][..], &entries(list)].concat();
    let same = |_: &mut serde_json::Value| {};
    assert_eq!(read(&same, end([0, 2, NONE, NONE])), Ok(vec![5, 6, 9]));
    assert_eq!(read(&same, end([2, 2, 0, 2])), Ok(vec![7, 8, 5]));
    let inside = |key: &'static str, value: serde_json::Value| {
        move |about: &mut serde_json::Value| about["codecs"][0]["configuration"][key] = value.clone()
    };
    let start = [&entries([32, 2, NONE, NONE])[..], &[5, 6]].concat();
    assert_eq!(read(&inside("index_location", "start".into()), start), Ok(vec![5, 6, 9]));
    for (list, expected) in [
        ([0, 1, NONE, NONE], "file/claim"),
        ([0, 3, NONE, NONE], "file/container"),
        ([35, 2, NONE, NONE], "file/container"),
        ([NONE, 2, NONE, NONE], "file/container"),
        ([2, NONE, NONE, NONE], "file/container"),
        ([NONE - 1, 1, 0, 2], "file/container"),
    ] {
        assert_eq!(class(&same, end(list)), expected, "{list:?}");
    }
    for length in [0, 31] {
        assert_eq!(class(&same, vec![0; length]), "file/container");
    }
    let summed = inside("index_codecs", json!([{ "name": "bytes" }, { "name": "crc32c" }]));
    assert_eq!(class(&summed, [end([0, 2, NONE, NONE]), vec![0; 4]].concat()), "file/container");
    for (key, value) in [
        ("chunk_shape", json!([3])),
        ("chunk_shape", json!([0])),
        ("chunk_shape", json!([2, 1])),
        ("chunk_shape", json!("2")),
        ("index_location", json!("middle")),
        ("index_codecs", json!([{ "name": "zstd" }])),
        ("index_codecs", json!([])),
        ("codecs", json!([])),
    ] {
        assert_eq!(class(&inside(key, value.clone()), end([0, 2, NONE, NONE])), "array/header", "{key} {value}");
    }
    let many = |about: &mut serde_json::Value| {
        about["chunk_grid"]["configuration"]["chunk_shape"] = json!([u64::MAX - 1]);
    };
    assert_eq!(class(&many, end([0, 2, NONE, NONE])), "file/container");
    let behind = |about: &mut serde_json::Value| about["codecs"] = json!([about["codecs"][0], { "name": "zstd" }]);
    assert_eq!(class(&behind, end([0, 2, NONE, NONE])), "array/header");
}

#[test]
fn folders_are_replaced_as_a_whole() {
    let folder = std::env::temp_dir().join(format!("sparse-files-zarr-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("a.zarr");
    for (format, compressed) in [("C-S-R", true), ("DC-S-C", false)] {
        let a = tensor(&[4, 6], ElementType::I16, &format.parse().expect("a format"));
        sparse_files::write(&path, &a, FileKind::Zarr, &WriteOptions { compressed, ..WriteOptions::default() }).expect("written");
        let (b, kind) = sparse_files::read(&path, &ReadOptions::default()).expect("a tensor");
        assert_eq!((kind, &b, dense(&b)), (FileKind::Zarr, &a, dense(&a)));
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
    }
    // A folder that is not a Zarr group is not replaced.
    let other = folder.join("other");
    std::fs::create_dir(&other).expect("a folder");
    let a = tensor(&[4, 6], ElementType::I16, &Format::csr());
    for path in [&other, &std::env::temp_dir()] {
        let refused = sparse_files::write(path, &a, FileKind::Zarr, &WriteOptions::default());
        assert_eq!(refused.expect_err("a folder").class(), "file/counterpart");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 2);
    std::fs::remove_dir_all(&folder).expect("a folder");
}
