//! Tables of pyarrow's, and those that are written and read again.

use crate::recorded::dense;
use crate::round_trip::{again, tensor};
use crate::sample;
use num_complex::Complex;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, Element, ElementType, Kind, ReadOptions, WriteOptions, table};
use sparse_formats::Format;

/// The elements of a sample, in its order, and its shape.
fn elements<T: Element>(name: &str, shape: Option<Vec<u64>>) -> (Vec<u64>, Vec<(Vec<u64>, T)>) {
    let options = ReadOptions { shape, ..ReadOptions::default() };
    let (tensor, kind) = sparse_files::read(&sample(name), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(kind, if name.ends_with("parquet") { Kind::Parquet } else { Kind::Arrow }, "{name}");
    let mut out = Vec::new();
    assert!(
        tensor.for_each::<T>(|coordinate, value| out.push((coordinate.to_vec(), value.expect("a value")))),
        "{name}: {}",
        tensor.element()
    );
    (tensor.shape().to_vec(), out)
}

const PLACES: [[u64; 2]; 5] = [[0, 1], [0, 5], [2, 2], [3, 0], [3, 4]];
const VALUES: [f64; 5] = [0.5, -1.5, 4.0, 1024.0, -0.25];

fn at_places<T: Copy>(values: [T; 5]) -> (Vec<u64>, Vec<(Vec<u64>, T)>) {
    (vec![4, 6], PLACES.iter().zip(values).map(|(place, value)| (place.to_vec(), value)).collect())
}

#[test]
fn of_other_packages() {
    assert_eq!(elements("snappy.parquet", None), at_places(VALUES));
    assert_eq!(elements("lz4.feather", None), at_places(VALUES));
    assert_eq!(elements("zstd_v2_float32.parquet", None), at_places(VALUES.map(|x| x as f32)));
    assert_eq!(elements("delta_gzip_int8.parquet", None), at_places([0i8, 1, 2, 3, 4]));
    assert_eq!(elements("zstd_uint64.feather", None), at_places([0u64, 1, 2, 3, 4].map(|x| x << 60)));
    for name in ["lz4_groups_bool.parquet", "batches_bool.arrow"] {
        assert_eq!(elements(name, None), at_places([true, false, true, true, false]), "{name}");
    }
    let (shape, found) = elements::<f64>("snappy.parquet", Some(vec![7, 9]));
    assert_eq!((&shape[..], found.len()), (&[7, 9][..], 5));
    let (_, found) = elements("unsorted_complex.feather", None);
    let order = [3, 0, 4, 2, 1];
    assert_eq!(found, order.map(|k: usize| (PLACES[k].to_vec(), Complex::new(VALUES[k], -VALUES[k]))));
}

#[test]
fn what_is_refused_has_its_class() {
    let class = |name: &str, shape: Option<Vec<u64>>| {
        let read = sparse_files::read(&sample(name), &ReadOptions { shape, ..ReadOptions::default() });
        read.map_or_else(|error| error.class(), |_| "read")
    };
    assert_eq!(class("null.parquet", None), "array/null");
    assert_eq!(class("null.feather", None), "array/null");
    assert_eq!(class("text.parquet", None), "array/header");
    // Its footer has lists of more elements than it has bytes.
    assert_eq!(class("long_list.parquet", None), "file/container");
    assert_eq!(class("snappy.parquet", Some(vec![4, 5])), "levels/range");
    assert_eq!(class("snappy.parquet", Some(vec![4])), "levels/shape");
    for name in ["snappy.parquet", "lz4.feather", "batches_bool.arrow"] {
        let bytes = std::fs::read(sample(name)).expect("a file");
        for cut in 0..bytes.len() {
            let read = sparse_files::read_bytes(bytes[..cut].to_vec().into(), name, &ReadOptions::default());
            assert!(read.is_err(), "{name}, {cut} bytes");
        }
    }
}

#[test]
fn labels_of_rows_are_no_values() {
    for name in ["pandas_labels.parquet", "pandas_labels_value.parquet"] {
        let (shape, found) = elements::<i64>(name, None);
        assert_eq!(shape, [3, 3], "{name}");
        assert_eq!(found, [(vec![0, 1], 5), (vec![2, 2], 7), (vec![2, 0], 3)], "{name}");
    }
    // An index with names is a coordinate beside the values alone, and refused beside more.
    let read = |index: &str, names: &[&str]| {
        let pandas = format!(r#"{{"index_columns": {index}}}"#);
        let file = arrow_of(names, &[("pandas", &pandas)]);
        table::read_arrow(&file, None).map(|tensor| {
            let mut out = Vec::new();
            assert!(tensor.for_each::<i64>(|coordinate, value| out.push((coordinate.to_vec(), value.expect("a value")))));
            out
        })
    };
    // Column k has k + 1 and 2 * k + 3.
    assert_eq!(read(r#"["row", "col"]"#, &["count", "row", "col"]), Ok(vec![(vec![2, 3], 1), (vec![5, 7], 3)]));
    assert_eq!(read(r#"[{"kind": "range"}]"#, &["row", "col", "count"]), Ok(vec![(vec![1, 2], 3), (vec![3, 5], 7)]));
    assert_eq!(read(r#"["__index_level_0__"]"#, &["row", "count", "__index_level_0__"]), Ok(vec![(vec![1], 2), (vec![3], 5)]));
    let refused = |index: &str, names: &[&str]| read(index, names).expect_err("an index").class();
    assert_eq!(refused(r#"["id"]"#, &["row", "col", "count", "id"]), "array/labels");
    assert_eq!(
        refused(r#"["__index_level_0__", "__index_level_1__"]"#, &["count", "__index_level_0__", "__index_level_1__"]),
        "array/labels"
    );
    // A column of that name without pandas is one like others.
    assert_eq!(table::read_arrow(&arrow_of(&["row", "__index_level_0__"], &[]), None).expect("a table").shape(), [4]);
}

/// A table of two rows of whole numbers: column k has k + 1 and 2 * k + 3.
fn arrow_of(names: &[&str], metadata: &[(&str, &str)]) -> Vec<u8> {
    use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    use arrow_schema::{DataType, Field, Schema};
    use std::sync::Arc;
    let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Int64, false)).collect();
    let columns = (0..names.len() as i64).map(|k| Arc::new(Int64Array::from(vec![k + 1, 2 * k + 3])) as ArrayRef).collect();
    let metadata: std::collections::HashMap<_, _> = metadata.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let mut out = Vec::new();
    let mut file = arrow_ipc::writer::FileWriter::try_new(&mut out, &schema).expect("a file");
    file.write(&RecordBatch::try_new(schema.clone(), columns).expect("a batch")).expect("written");
    file.finish().expect("written");
    drop(file);
    out
}

#[test]
fn panics_of_the_library_are_errors() {
    // Without checks of overflow the library may find another fault in it.
    let error = sparse_files::read(&sample("panic.parquet"), &ReadOptions::default()).expect_err("a damaged file");
    assert!(matches!(error.class(), "file/panic" | "file/container"), "{error}");
    if cfg!(debug_assertions) {
        assert!(error.to_string().contains("shift left with overflow (parquet-"), "{error}");
    }
}

#[test]
fn every_type_and_rank() {
    for kind in [Kind::Arrow, Kind::Parquet] {
        for (shape, name) in [(&[9][..], "S-R"), (&[4, 6], "C-S-C"), (&[3, 4, 5], "D-D-D-R"), (&[2, 3, 2, 4], "S-S-DC-S-R")] {
            let format: Format = name.parse().expect("a format");
            for element in ElementType::ALL {
                let a = tensor(shape, *element, &format);
                for compressed in [false, true] {
                    let b = again(&a, kind, &WriteOptions { compressed, ..WriteOptions::default() });
                    assert_eq!((b.element(), dense(&b)), (a.element(), dense(&a)), "{kind:?} {name} {element}");
                    assert_eq!(b.format(), &Format::coo(shape.len()));
                }
            }
        }
    }
}

#[test]
fn elements_of_one_coordinate_have_no_place() {
    let twice =
        sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate integer general\n3 3 2\n3 1 2\n3 1 5\n").expect("a matrix");
    assert_eq!(table::write_arrow(&mut Vec::new(), &twice, false).expect_err("twice").class(), "levels/duplicate");
    let once = twice.convert(&Format::coo(2), Dedupe::Sum).expect("one element");
    let mut file = Vec::new();
    table::write_parquet(&mut file, &once, false).expect("a table");
    assert_eq!(table::read_parquet(file.clone(), None).expect("a table"), once);
    // Bools of the metadata are 0 or 1.
    let bools = AnyTensor::list(&[3], vec![vec![0u8, 2].into()], AnyValues::Iso(AnyArray::from_values(vec![true])), ElementType::Bool);
    let mut file = Vec::new();
    table::write_arrow(&mut file, &bools.expect("a vector"), false).expect("a table");
    // The key and the value lie where the schema has them, and where the footer repeats it.
    let places: Vec<usize> = (0..file.len() - 8).filter(|at| file[*at..].starts_with(&[1, 0, 0, 0, b'1', 0, 0, 0])).collect();
    assert!(!places.is_empty() && table::read_arrow(&file, None).is_ok());
    places.iter().for_each(|at| file[at + 4] = b'2');
    assert_eq!(table::read_arrow(&file, None).expect_err("a bool of 2").class(), "array/header");
    // The fill value of a table is part of what it says.
    let filled = once.with_fill(&AnyArray::from_values(vec![-7i64])).expect("a value");
    let mut file = Vec::new();
    table::write_arrow(&mut file, &filled, true).expect("a table");
    assert_eq!(table::read_arrow(&file, None).expect("a table").fill(), AnyArray::from_values(vec![-7i64]));
}
