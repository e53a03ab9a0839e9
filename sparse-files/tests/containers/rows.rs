//! Ranges of rows: every file gives the rows that a slice of the whole tensor has.

use crate::sample;
use sparse_files::{
    AnyArray, AnyTensor, AnyValues, Dedupe, FileKind, KINDS, ReadOptions, RowSlice, WriteOptions, open, read, read_bytes, tns, write,
    write_to,
};
use sparse_formats::{Format, Indices, Widths};

fn of_rows(rows: RowSlice) -> ReadOptions {
    ReadOptions { rows: Some(rows), ..ReadOptions::default() }
}

/// Compares slices of rows of a file with slices of the tensor. The path of a group may be needed.
fn compare(path: &std::path::Path, group: Option<&str>) {
    let options = |rows| ReadOptions { rows, group: group.map(str::to_owned), ..ReadOptions::default() };
    let Ok(opened) = open(path, &options(None)) else { return };
    let whole = if opened.tensor.attributes().is_one_triangle() { opened.tensor.expand().expect("both triangles") } else { opened.tensor };
    for (start, end) in
        [(None, None), (Some(0), Some(2)), (Some(1), Some(3)), (Some(-1), None), (None, Some(-1)), (Some(2), Some(1)), (Some(9), None)]
    {
        let rows = RowSlice { start, end };
        let what = format!("{}, {group:?}, {rows:?}", path.display());
        match (open(path, &options(Some(rows))), whole.rows(rows)) {
            (Ok(got), Ok(want)) => {
                let got = got.tensor;
                assert_eq!((got.shape(), got.element(), got.format()), (want.shape(), want.element(), want.format()), "{what}");
                let of = |tensor: &AnyTensor<'_>| tensor.convert(&Format::coo(tensor.shape().len()), Dedupe::Sum).ok();
                assert_eq!(of(&got), of(&want), "{what}");
            }
            (Err(got), Err(want)) => assert_eq!(got.class(), want.class(), "{what}"),
            (got, want) => panic!("{what}: {got:?}, but the slice is {want:?}"),
        }
    }
}

#[test]
fn recorded_files() {
    let records: serde_json::Value = serde_json::from_slice(&std::fs::read(sample("hierarchies.json")).expect("records")).expect("JSON");
    for record in records.as_array().expect("a list") {
        compare(&sample(record["file"].as_str().expect("a name")), record["group"].as_str());
    }
    for file in std::fs::read_dir(sample("")).expect("a folder") {
        compare(&file.expect("an entry").path(), None);
    }
}

#[test]
fn written_files() {
    let folder = std::env::temp_dir().join(format!("sparse-files-rows-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text: String = (0u64..400).map(|k| format!("{} {} {}\n", k * 37 % 101 + 1, k * 61 % 53 + 1, k + 1)).collect();
    let coo = tns::read(text.as_bytes(), Some(&[103, 53])).expect("a tensor");
    for format in ["CSR", "CSC", "COO", "DCSR"] {
        let tensor = coo.convert(&format.parse().expect("a format"), Dedupe::Sum).expect("a tensor");
        for (kind, name, endings, _) in KINDS {
            for compressed in [false, true] {
                let path = folder.join(format!("{format}-{name}-{compressed}{}", endings[0]));
                let options = WriteOptions { compressed, ..WriteOptions::default() };
                if write(&path, &tensor, *kind, &options).is_ok() {
                    compare(&path, None);
                    let (rows, _) = read(&path, &of_rows((100..).into())).expect("rows");
                    assert_eq!(rows.shape()[1..], [53], "{}", path.display());
                }
            }
        }
    }
    let Ok(()) = std::fs::remove_dir_all(&folder) else { panic!("the folder is in use") };
}

/// A damaged pointer is an error, also if it belongs to rows that are read.
#[test]
fn pointers_are_checked() {
    let path = std::env::temp_dir().join(format!("sparse-files-pointers-{}.h5", std::process::id()));
    let mut file = hdf5_pure::FileBuilder::new();
    let mut group = file.create_group("X");
    group.set_attr("encoding-type", hdf5_pure::AttrValue::VarLenString("csr_matrix".into()));
    group.set_attr("shape", hdf5_pure::AttrValue::I64Array(vec![4, 3]));
    group.create_dataset("indptr").with_data(&[0i64, 2, 1, 3, 9]);
    group.create_dataset("indices").with_data(&[0i64, 1, 2]);
    group.create_dataset("data").with_data(&[1.0f64, 2.0, 3.0]);
    let group = group.finish();
    file.add_group(group);
    file.finish_to(&mut std::fs::File::create(&path).expect("a file")).expect("a file");
    let options = |rows| ReadOptions { group: Some("X".into()), rows: Some(rows), kind: Some(FileKind::Hdf5), ..ReadOptions::default() };
    assert!(read(&path, &options((2..3).into())).is_ok());
    assert!(read(&path, &options((0..2).into())).is_err(), "a pointer decreases");
    assert_eq!(read(&path, &options((3..4).into())).map_err(|error| error.class()).err(), Some("array/shape"));
    std::fs::remove_file(&path).expect("the file");
}

/// Tables leave out the groups and batches without the rows: damage there is not seen.
#[test]
fn groups_of_tables_without_the_rows_are_not_read() {
    let rows = (1u32 << 20) + 100;
    let columns = [Indices::from((0..rows).collect::<Vec<_>>())];
    let values = AnyArray::from_values((0..rows).map(|row| (row.wrapping_mul(2_654_435_761) >> 26) as u16).collect());
    let format = "S-R".parse().expect("a format");
    let tensor =
        AnyTensor::build(&[u64::from(rows) + 5], &columns, &AnyValues::Each(values), &format, Dedupe::Refuse, &Widths::narrowest());
    let tensor = tensor.expect("a tensor");
    for (kind, name) in [(FileKind::Parquet, "a.parquet"), (FileKind::Arrow, "a.arrow")] {
        let mut file = std::io::Cursor::new(Vec::new());
        write_to(&mut file, &tensor, kind, &WriteOptions { compressed: true, ..WriteOptions::default() }).expect("a file");
        let mut file = file.into_inner();
        let slice = |file: &[u8], range: std::ops::Range<u64>| read_bytes(file.to_vec().into(), name, &of_rows(range.into()));
        for range in [0..7, (1 << 20) - 3..(1 << 20) + 3, (1 << 20) + 1..(1 << 20) + 90, 1 << 20..1 << 20, (1 << 20) + 101..1 << 21] {
            let (found, _) = slice(&file, range.clone()).expect("rows");
            assert_eq!(found, tensor.rows(range.into()).expect("rows"), "{name}");
        }
        // The second frames of Zstandard hold the last 100 values; their magic numbers become others.
        let magic = [0x28, 0xb5, 0x2f, 0xfd];
        let last = file.windows(4).rposition(|bytes| bytes == magic).expect("a frame");
        file[last] ^= 1;
        assert!(slice(&file, (1 << 20) + 1..(1 << 20) + 2).is_err(), "{name}");
        let (found, _) = slice(&file, 5..9).expect("rows of the first group");
        assert_eq!(found, tensor.rows((5..9).into()).expect("rows"), "{name}");
    }
}
