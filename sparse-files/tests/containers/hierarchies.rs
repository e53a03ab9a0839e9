//! Containers of groups written by other packages (AnnData, 10x Genomics, arrays), and numbers of half precision.

use crate::recorded::{dense, numbers};
use crate::sample;
use hdf5_pure::{AttrValue, FileBuilder, GroupBuilder, H5Element};
use serde_json::Value;
use sparse_files::{AnyTensor, AnyValues, Convention, ElementType, FileError, FileKind, Opened, ReadOptions, Result, open, open_bytes};
use sparse_formats::Format;

/// Returns the tensors that `python/hierarchies.py` has recorded.
fn records() -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(sample("hierarchies.json")).expect("records")).expect("JSON")
}

fn of_group(group: Option<&str>) -> ReadOptions {
    ReadOptions { group: group.map(str::to_owned), ..ReadOptions::default() }
}

#[test]
fn files_have_the_elements_that_scipy_and_numpy_have() {
    let records = records();
    assert_eq!(records.len(), 72);
    for record in &records {
        let (name, group) = (record["file"].as_str().expect("a name"), record["group"].as_str());
        let what = format!("{name}, {group:?}");
        let Opened { tensor, location, .. } = open(&sample(name), &of_group(group)).unwrap_or_else(|error| panic!("{what}: {error}"));
        let convention = location.as_ref().map(|location| location.convention.to_string());
        assert_eq!(convention.as_deref(), record["convention"].as_str(), "{what}");
        if let (Some(location), Some(group)) = (location, group) {
            assert_eq!(location.path, group);
        }
        match record["format"].as_str() {
            Some(format) => assert_eq!(tensor.format().to_string(), format, "{what}"),
            None => assert_eq!(tensor.format().levels(), 0, "{what}"),
        }
        let shape: Vec<u64> = record["shape"].as_array().expect("a shape").iter().filter_map(Value::as_u64).collect();
        assert_eq!(
            (tensor.shape(), tensor.element()),
            (&shape[..], ElementType::from_name(record["dtype"].as_str().expect("a type")).expect("a type")),
            "{what}"
        );
        let (elements, pattern) = dense(&tensor);
        let want: Vec<(f64, f64)> = if tensor.element().is_complex() {
            numbers(&record["dense"][0]).into_iter().zip(numbers(&record["dense"][1])).collect()
        } else {
            numbers(&record["dense"]).into_iter().map(|re| (re, 0.0)).collect()
        };
        assert_eq!(elements, want, "{what}");
        assert_eq!(pattern, numbers(&record["pattern"]).iter().map(|x| *x != 0.0).collect::<Vec<_>>(), "{what}");
    }
}

#[test]
fn names_of_files_do_not_matter() {
    let bytes = std::fs::read(sample("anndata.h5")).expect("a file");
    let Opened { kind, location, .. } = open_bytes(bytes.into(), "a.h5ad", &ReadOptions::default()).expect("a matrix");
    let location = location.expect("a location");
    assert_eq!((kind, location.convention, &location.path[..]), (FileKind::Hdf5, Convention::AnnData, "X"));
    // AnnData is not written, so no file name selects it.
    assert_eq!((FileKind::of_name("a.h5ad"), FileKind::of_name("a.h5")), (None, Some(FileKind::Hdf5)));
}

#[test]
fn folders_are_read_as_archives_are() {
    let folder = std::env::temp_dir().join(format!("sparse-files-hierarchies-{}", std::process::id()));
    for name in ["anndata_v2.zarr.zip", "anndata_v3.zarr.zip", "v2_axes.zarr.zip", "v3_shards.zarr.zip"] {
        let mut zip = zip::ZipArchive::new(std::fs::File::open(sample(name)).expect("a file")).expect("an archive");
        zip.extract(&folder).expect("a folder");
        for record in records().iter().filter(|record| record["file"] == name) {
            let options = of_group(record["group"].as_str());
            let [a, b] = [&folder, &sample(name)].map(|path| open(path, &options).expect("a tensor"));
            assert_eq!((a.tensor, a.location), (b.tensor, b.location), "{name}");
        }
        let error = open(&folder, &of_group(Some("obs"))).map(|opened| opened.location);
        assert_eq!(error.expect_err("no tensor").class(), "array/missing");
        std::fs::remove_dir_all(&folder).expect("a folder");
    }
}

/// Returns the error message for a group of a sample that is not a tensor.
fn refused(name: &str, group: Option<&str>) -> String {
    let error = open(&sample(name), &of_group(group)).map(|opened| opened.location).expect_err("no tensor");
    assert_eq!(error.class(), "array/missing", "{error}");
    error.to_string()
}

#[test]
fn groups_without_a_tensor_are_refused_with_those_that_have_one() {
    let all = "; name one of these groups: X, layers/counts, obsp/distances, raw/X";
    for name in ["anndata.h5", "anndata_v2.zarr.zip", "anndata_v3.zarr.zip"] {
        assert_eq!(refused(name, Some("obs")), format!("there is no tensor in the group `obs`{all}"), "{name}");
        assert_eq!(refused(name, Some("layers")), format!("there is no tensor in the group `layers`{all}"), "{name}");
        for missing in ["layers/count", "x", "X/data/0", "obs/batch/categories/x"] {
            assert_eq!(
                refused(name, Some(missing)),
                format!("there is no tensor at `{missing}`, which is neither a group nor an array{all}")
            );
        }
    }
    assert_eq!(refused("tenx_v2_two.h5", None), "there is no tensor in the root; name one of these groups: hg19, mm10");
    assert_eq!(
        refused("tenx_v3.h5", Some("matrix/features")),
        "there is no tensor in the group `matrix/features`; there is one in the group matrix"
    );
    let hint = "there is no tensor in the root; to read a dense array, name its path";
    assert_eq!(refused("v3_axes.zarr.zip", None), hint);
    // Texts are refused as numbers.
    let error = open(&sample("anndata.h5"), &of_group(Some("obs/_index"))).map(|opened| opened.location).expect_err("texts");
    assert!(error.class() == "array/header" && error.to_string().contains("float32, float64"), "{error}");
}

/// Writes an HDF5 file. `groups` adds groups to its root.
fn file(groups: impl FnOnce(&mut FileBuilder)) -> Vec<u8> {
    let mut file = FileBuilder::new();
    groups(&mut file);
    let mut out = Vec::new();
    file.finish_to(&mut out).expect("a file");
    out
}

fn read(bytes: Vec<u8>, group: Option<&str>) -> Result<AnyTensor<'static>> {
    open_bytes(bytes.into(), "a", &of_group(group)).map(|opened| opened.tensor)
}

fn with_text(group: &mut GroupBuilder, name: &str, text: &str) {
    group.set_attr(name, AttrValue::String(text.into()));
}

/// Adds an AnnData matrix to a group.
fn matrix(group: &mut GroupBuilder, shape: AttrValue, pointers: &[i64], indices: &[i32], data: &[f64]) {
    with_text(group, "encoding-type", "csr_matrix");
    group.set_attr("shape", shape);
    arrays(group, pointers, indices, data);
}

fn arrays<P: H5Element, I: H5Element, V: H5Element>(group: &mut GroupBuilder, pointers: &[P], indices: &[I], data: &[V]) {
    group.create_dataset("indptr").with_data(pointers);
    group.create_dataset("indices").with_data(indices);
    group.create_dataset("data").with_data(data);
}

/// Returns a file with one group, `x`.
fn one(fill: impl FnOnce(&mut GroupBuilder)) -> Vec<u8> {
    file(|file| {
        let mut group = file.create_group("x");
        fill(&mut group);
        let group = group.finish();
        file.add_group(group);
    })
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let shape = |rows, columns| AttrValue::I64Array(vec![rows, columns]);
    let class = |shape: AttrValue, pointers: &[i64], indices: &[i32], data: &[f64]| {
        let made = one(|group| matrix(group, shape, pointers, indices, data));
        read(made, None).map_or_else(|error| error.class(), |_| "read")
    };
    assert_eq!(class(shape(2, 3), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0]), "read");
    // Rows need not be sorted, and an element may occur twice, as in SciPy.
    assert_eq!(class(shape(2, 3), &[0, 1, 3], &[2, 1, 0], &[1.0, 2.0, 3.0]), "read");
    assert_eq!(class(shape(2, 3), &[0, 1, 3], &[2, 1, 1], &[1.0, 2.0, 3.0]), "read");
    for (shape, pointers, indices, data, expected) in [
        (shape(3, 3), &[0, 1, 3][..], &[2, 0, 1][..], &[1.0, 2.0, 3.0][..], "levels/length"),
        (shape(2, 2), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "levels/range"),
        (shape(2, 3), &[0, 2, 1], &[2, 0, 1], &[1.0, 2.0, 3.0], "levels/pointers"),
        (shape(2, 3), &[1, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "levels/pointers"),
        (shape(2, 3), &[0, 1, 4], &[2, 0, 1], &[1.0, 2.0, 3.0], "levels/pointers"),
        (shape(2, 3), &[0, 1, -3], &[2, 0, 1], &[1.0, 2.0, 3.0], "array/range"),
        (shape(2, 3), &[0, 1, 3], &[2, -1, 1], &[1.0, 2.0, 3.0], "array/range"),
        (shape(2, 3), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0], "levels/length"),
        (shape(2, i64::MAX), &[0, 1, 3], &[2, 0], &[1.0, 2.0, 3.0], "levels/pointers"),
        (AttrValue::I64Array(vec![2, 3, 4]), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "array/header"),
        (AttrValue::I64Array(vec![2]), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "array/header"),
        (shape(2, -3), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "array/missing"),
        (AttrValue::String("2, 3".into()), &[0, 1, 3], &[2, 0, 1], &[1.0, 2.0, 3.0], "array/missing"),
    ] {
        assert_eq!(class(shape.clone(), pointers, indices, data), expected, "{shape:?} {pointers:?} {indices:?} {data:?}");
    }
    // Has the arrays of a 10x matrix, optionally without one.
    let tenx = |shape: &[i32], barcodes: bool| {
        let made = one(|group| {
            arrays(group, &[0i64, 1, 3], &[2i64, 0, 1], &[1i32, 2, 3]);
            group.create_dataset("shape").with_data(shape);
            if barcodes {
                group.create_dataset("barcodes").with_data(&[0u8; 2]);
            }
        });
        read(made, None)
    };
    let found = tenx(&[3, 2], true).expect("a matrix");
    assert_eq!((found.shape(), found.format()), (&[3, 2][..], &Format::csc()));
    for (shape, barcodes, class) in [
        (&[2, 3][..], true, "levels/length"),
        (&[2, 2], true, "levels/range"),
        (&[3, 3], true, "levels/length"),
        (&[3, 2, 1], true, "array/header"),
        (&[3, -2], true, "array/range"),
        (&[3, 2], false, "array/missing"),
    ] {
        let error = tenx(shape, barcodes).expect_err("refused");
        assert_eq!(error.class(), class, "{shape:?}: {error}");
    }
}

#[test]
fn the_only_tensor_is_found_however_deep() {
    let values = |tensor: AnyTensor<'static>| match tensor.values() {
        AnyValues::Each(values) => values.values::<f64>().expect("float64").into_owned(),
        _ => Vec::new(),
    };
    let nested = |group: &mut GroupBuilder, name: &str, values: [f64; 2]| {
        let mut inner = group.create_group(name);
        matrix(&mut inner, AttrValue::U64Array(vec![2, 2]), &[0, 1, 2], &[1, 0], &values);
        let inner = inner.finish();
        group.add_group(inner);
    };
    assert_eq!(values(read(one(|group| nested(group, "a", [1.0, 2.0])), None).expect("a matrix")), [1.0, 2.0]);
    let two = || {
        one(|group| {
            nested(group, "a", [1.0, 2.0]);
            nested(group, "b", [3.0, 4.0]);
        })
    };
    let error = read(two(), None).expect_err("two");
    assert_eq!(error, FileError::NoTensor { place: "in the root".into(), tensors: vec!["x/a".into(), "x/b".into()] });
    assert_eq!(values(read(two(), Some("/x//b/")).expect("a matrix")), [3.0, 4.0]);
    // The path of one AnnData among several, as in MuData, names its matrix. Without a matrix, none is chosen.
    let modality = |main: &'static str| {
        one(|group| {
            with_text(group, "encoding-type", "anndata");
            nested(group, main, [5.0, 6.0]);
            if main == "X" {
                nested(group, "other", [7.0, 8.0]);
            }
        })
    };
    assert_eq!(values(read(modality("X"), Some("x")).expect("a matrix")), [5.0, 6.0]);
    assert_eq!(
        read(modality("counts"), Some("x")).expect_err("no X").to_string(),
        "there is no tensor in the group `x`; there is one in the group x/counts"
    );
    // Tables of columns are not searched, because they may have many columns but no tensors.
    let table = one(|group| {
        with_text(group, "encoding-type", "dataframe");
        nested(group, "a", [1.0, 2.0]);
    });
    assert_eq!(read(table, None).expect_err("a table"), FileError::NoTensor { place: "in the root".into(), tensors: vec![] });
}

#[test]
fn compounds_and_enumerations_that_are_no_numbers_are_refused() {
    use hdf5_pure::{CompoundTypeBuilder, EnumTypeBuilder, make_f32_type, make_f64_type, make_i64_type};
    let compound = |names: [&str; 2], types: [hdf5_pure::Datatype; 2]| {
        let [first, second] = types;
        let made = CompoundTypeBuilder::new().field(names[0], first).field(names[1], second).build().expect("a type");
        let bytes = vec![0; made.type_size() as usize];
        let made = file(|file| {
            file.create_dataset("x").with_compound_data(made, bytes, 1).with_shape(&[1]);
        });
        read(made, Some("x")).map_or_else(|error| error.class(), |tensor| if tensor.element().is_complex() { "complex" } else { "other" })
    };
    for names in [["r", "i"], ["re", "im"], ["real", "imag"]] {
        assert_eq!(compound(names, [make_f64_type(), make_f64_type()]), "complex");
    }
    assert_eq!(compound(["i", "r"], [make_f64_type(), make_f64_type()]), "array/header");
    assert_eq!(compound(["r", "i"], [make_f64_type(), make_f32_type()]), "array/header");
    assert_eq!(compound(["r", "i"], [make_i64_type(), make_i64_type()]), "array/header");
    assert_eq!(compound(["x", "y"], [make_f32_type(), make_f32_type()]), "array/header");
    let enumeration = |names: [&str; 2], stored: &[u8]| {
        let made = EnumTypeBuilder::u8_based().u8_value(names[0], 0).u8_value(names[1], 1).build();
        let made = file(|file| {
            file.create_dataset("x").with_enum_u8_data(made.expect("a type"), stored).with_shape(&[stored.len() as u64]);
        });
        read(made, Some("x")).map_or_else(|error| error.class().to_string(), |tensor| tensor.element().to_string())
    };
    assert_eq!(enumeration(["FALSE", "TRUE"], &[1, 0]), "bint8");
    assert_eq!(enumeration(["FALSE", "TRUE"], &[1, 2]), "array/value");
    assert_eq!(enumeration(["no", "yes"], &[1, 0]), "uint8");
}

#[test]
fn damaged_ones_are_refused_or_read() {
    // Change every byte of small files, and read every prefix. For larger files, do as many as take a moment.
    let names = ["tenx_v2.h5", "binsparse_compound.h5", "anndata_v3.zarr.zip", "v2_axes.zarr.zip", "half.npy", "scipy_half.npz"];
    for name in names.into_iter().chain(["half.feather", "half.parquet", "half_plain.parquet"]) {
        let bytes = std::fs::read(sample(name)).expect("a file");
        let options = of_group(name.starts_with("v2_axes").then_some("box"));
        let read = |bytes: Vec<u8>| open_bytes(bytes.into(), name, &options).is_ok();
        let mut refused = 0;
        for at in (0..bytes.len()).step_by((bytes.len() / 1000).max(1)) {
            let mut changed = bytes.clone();
            changed[at] ^= [1, 0x80, 0xff][at % 3];
            refused += usize::from(!read(changed));
            assert!(!read(bytes[..at].to_vec()), "{name} of {at} bytes");
        }
        assert!(refused > 0 && read(bytes), "{name}");
    }
}
