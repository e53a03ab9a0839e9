//! Tables written by pyarrow, and tables written and read by this package.

use crate::recorded::dense;
use crate::round_trip::{again, tensor};
use crate::sample;
use num_complex::Complex;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, Element, ElementType, FileKind, ReadOptions, WriteOptions, table};
use sparse_formats::Format;

/// Returns the shape of a sample, and its elements in their order.
fn elements<T: Element>(name: &str, shape: Option<Vec<u64>>) -> (Vec<u64>, Vec<(Vec<u64>, T)>) {
    let options = ReadOptions { shape, ..ReadOptions::default() };
    let (tensor, kind) = sparse_files::read(&sample(name), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(kind, if name.ends_with("parquet") { FileKind::Parquet } else { FileKind::Arrow }, "{name}");
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
fn dictionaries_and_streams() {
    let chosen = at_places([0.5, 0.5, -1.5, -1.5, -1.5]);
    for name in ["dictionaries.arrow", "dictionaries_brotli.parquet"] {
        assert_eq!(elements(name, None), chosen, "{name}");
    }
    assert_eq!(elements("dictionary_bool.feather", None), at_places([true, false, true, true, false]));
    assert_eq!(elements("brotli_plain.parquet", None), at_places(VALUES.map(|x| x as f32)));
    // The last one has a dictionary in several parts, and another one that is replaced.
    for name in ["batches.arrows", "zstd.arrows", "dictionaries.arrows"] {
        assert_eq!(elements(name, None), at_places(VALUES), "{name}");
    }
}

/// Returns the results for a table with a dictionary column beside values, read as a file and as a stream, after
/// `change` has changed its bytes.
fn of_dictionary(index: Vec<i8>, values: Vec<Option<i64>>, change: impl Fn(&mut Vec<u8>)) -> [Result<Vec<u64>, &'static str>; 2] {
    use arrow_array::{ArrayRef, DictionaryArray, Float64Array, Int8Array, Int64Array, RecordBatch};
    use arrow_ipc::writer::{FileWriter, StreamWriter};
    use std::sync::Arc;
    let weights = Float64Array::from(vec![1.0; index.len()]);
    let column = DictionaryArray::new(Int8Array::from(index), Arc::new(Int64Array::from(values)));
    let batch = RecordBatch::try_from_iter([("row", Arc::new(column) as ArrayRef), ("value", Arc::new(weights))]).expect("a batch");
    let (mut file, mut stream) = (Vec::new(), Vec::new());
    let mut out = FileWriter::try_new(&mut file, &batch.schema()).expect("a file");
    out.write(&batch).and_then(|()| out.finish()).expect("written");
    let mut out = StreamWriter::try_new(&mut stream, &batch.schema()).expect("a stream");
    out.write(&batch).and_then(|()| out.finish()).expect("written");
    drop(out);
    [file, stream].map(|mut bytes| {
        change(&mut bytes);
        let read = table::read_arrow(&bytes, None);
        read.map(|tensor| tensor.shape().to_vec()).map_err(|error| error.class())
    })
}

/// A page of 64 numbers, in either version, is replaced by a few bytes that expand to 16 MiB.
#[test]
fn pages_of_brotli_become_what_they_say() {
    use parquet::basic::{BrotliLevel, Compression};
    use parquet::data_type::Int64Type;
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use std::sync::Arc;
    // `brotli.compress(b"\0" * (1 << 24))`
    const ZEROS: &[u8] = b"\xcb\xff\xff\x3f\xf8\x27\x00\xe2\xb1\x40\x20\xf7\xfe\x8f\xff\xff\x7f\xf0\x4f\x00\xc4\x61\x11\x80\xee\xfd\xdf";
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        let schema =
            parquet::schema::parser::parse_message_type("message schema { REQUIRED INT64 row; REQUIRED INT64 value; }").expect("a schema");
        let of = WriterProperties::builder().set_compression(Compression::BROTLI(BrotliLevel::default())).set_dictionary_enabled(false);
        let of = of.set_writer_version(version).set_encoding(parquet::basic::Encoding::PLAIN).build();
        let mut file = Vec::new();
        let mut out = SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(of)).expect("a file");
        let mut group = out.next_row_group().expect("a group");
        while let Some(mut column) = group.next_column().expect("a column") {
            let values: Vec<i64> = (0..64).map(|k: i64| k * k * 2_654_435_761 % 1_000_003).collect();
            column.typed::<Int64Type>().write_batch(&values, None, None).expect("written");
            column.close().expect("written");
        }
        group.close().expect("written");
        out.close().expect("written");
        assert_eq!(table::read_parquet(file.clone(), None).expect("a table").stored(), 64);
        // The page ends with its chunk. Its head contains the number of inflated bytes, 512, and then the number of
        // compressed bytes.
        let about = SerializedFileReader::new(bytes::Bytes::from(file.clone())).expect("a file");
        let chunk = about.metadata().row_group(0).column(1).clone();
        let (start, length) = (chunk.data_page_offset() as usize, chunk.compressed_size() as usize);
        let says = (start..start + length).find(|at| file[*at..].starts_with(&[0x15, 0x80, 0x08, 0x15])).expect("a head") + 4;
        let packed = (usize::from(file[says] & 127) | usize::from(file[says + 1]) << 7) / 2;
        assert!(file[says] > 127 && packed > ZEROS.len() && packed < length, "{packed} of {length}");
        file[start + length - packed..][..ZEROS.len()].copy_from_slice(ZEROS);
        let error = table::read_parquet(file, None).expect_err("a page that becomes too long");
        assert!(error.to_string().contains("value has pages that are larger than the file, or than 64 rows can need"), "{error}");
    }
}

#[test]
fn entries_of_dictionaries_are_checked() {
    let index = || vec![1i8, 0, 3, 1, 0, 3, 1];
    let values = || vec![Some(4i64), Some(7), Some(5), Some(2)];
    assert_eq!(of_dictionary(index(), values(), |_| ()), [Ok(vec![8]), Ok(vec![8])]);
    let with = |new: u8| {
        move |bytes: &mut Vec<u8>| {
            let at = (0..bytes.len()).find(|at| bytes[*at..].starts_with(&[1, 0, 3, 1, 0, 3, 1])).expect("the indices");
            bytes[at + 2] = new;
        }
    };
    for new in [4, 127, 128, 255] {
        assert_eq!(of_dictionary(index(), values(), with(new)), [Err("array/range"), Err("array/range")], "{new}");
    }
    assert_eq!(of_dictionary(index(), vec![Some(4), None, Some(5), Some(2)], |_| ()), [Err("array/null"), Err("array/null")]);
    assert_eq!(of_dictionary(index(), vec![Some(4), Some(-7), Some(5), Some(2)], |_| ()), [Err("array/range"), Err("array/range")]);
}

#[test]
fn streams_end_where_they_say() {
    let whole = std::fs::read(sample("batches.arrows")).expect("a file");
    let class = |bytes: &[u8]| {
        sparse_files::read_bytes(bytes.to_vec().into(), "a", &ReadOptions::default()).map_or_else(|error| error.class(), |_| "read")
    };
    assert_eq!(class(&whole), "read");
    assert_eq!(class(&[&whole[..], b"x"].concat()), "file/container");
    assert_eq!(class(&[&whole[..], &whole].concat()), "file/container");
    // Rows come before the schema, or there is a second schema.
    let schema = 8 + u32::from_le_bytes(*whole[4..].first_chunk().expect("a length")) as usize;
    assert_eq!(class(&whole[schema..]), "file/container");
    assert_eq!(class(&[&whole[..schema], &whole].concat()), "file/container");
}

#[test]
fn bytes_of_batches_are_used_once() {
    let file = std::fs::read(sample("batches_bool.arrow")).expect("a file");
    let length = u32::from_le_bytes(*file[file.len() - 10..].first_chunk().expect("a length")) as usize;
    let start = file.len() - 10 - length;
    let footer = arrow_ipc::root_as_footer(&file[start..start + length]).expect("a footer");
    let batches: Vec<_> = footer.recordBatches().expect("batches").iter().collect();
    // Each entry of the footer has a position, and the lengths of the message and of its body.
    let place = |block: &arrow_ipc::Block| (start..file.len() - 24).find(|at| file[*at..].starts_with(&block.0)).expect("a block");
    let blocks: Vec<usize> = batches.iter().map(|block| place(block)).collect();
    let mut twice = file.clone();
    twice.copy_within(blocks[0]..blocks[0] + 24, blocks[1]);
    // Two entries with the same body are read, because the file has room for two bodies of this length. It has none
    // for two bodies of more than half its length each.
    assert!(table::read_arrow(&twice, None).is_ok_and(|tensor| tensor.stored() == 4));
    for at in &blocks {
        twice[at + 16..at + 24].copy_from_slice(&(file.len() as u64 / 2 + 1).to_le_bytes());
    }
    assert_eq!(table::read_arrow(&twice, None).expect_err("batches that overlap").to_string(), "Arrow: batches overlap");
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
    // The footer of the first has lists with more elements than bytes.
    assert_eq!(class("long_list.parquet", None), "file/container");
    assert_eq!(class("snappy.parquet", Some(vec![4, 5])), "levels/range");
    assert_eq!(class("snappy.parquet", Some(vec![4])), "levels/shape");
    for name in [
        "snappy.parquet",
        "lz4.feather",
        "batches_bool.arrow",
        "batches.arrows",
        "dictionaries.arrows",
        "dictionaries.arrow",
        "dictionaries_brotli.parquet",
    ] {
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
    // A named index is a coordinate beside a single column of values, and refused beside more columns.
    let read = |index: &str, names: &[&str]| {
        let pandas = format!(r#"{{"index_columns": {index}}}"#);
        let file = arrow_of(names, &[("pandas", &pandas)]);
        table::read_arrow(&file, None).map(|tensor| {
            let mut out = Vec::new();
            assert!(tensor.for_each::<i64>(|coordinate, value| out.push((coordinate.to_vec(), value.expect("a value")))));
            out
        })
    };
    // Column `k` has the values `k + 1` and `2 * k + 3`.
    assert_eq!(read(r#"["row", "col"]"#, &["count", "row", "col"]), Ok(vec![(vec![2, 3], 1), (vec![5, 7], 3)]));
    assert_eq!(read(r#"[{"kind": "range"}]"#, &["row", "col", "count"]), Ok(vec![(vec![1, 2], 3), (vec![3, 5], 7)]));
    assert_eq!(read(r#"["__index_level_0__"]"#, &["row", "count", "__index_level_0__"]), Ok(vec![(vec![1], 2), (vec![3], 5)]));
    let refused = |index: &str, names: &[&str]| read(index, names).expect_err("an index").class();
    assert_eq!(refused(r#"["id"]"#, &["row", "col", "count", "id"]), "array/labels");
    assert_eq!(
        refused(r#"["__index_level_0__", "__index_level_1__"]"#, &["count", "__index_level_0__", "__index_level_1__"]),
        "array/labels"
    );
    // Without pandas metadata, a column of that name is an ordinary one.
    assert_eq!(table::read_arrow(&arrow_of(&["row", "__index_level_0__"], &[]), None).expect("a table").shape(), [4]);
}

/// Returns an Arrow table of two rows of whole numbers: column `k` has the values `k + 1` and `2 * k + 3`.
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
    // Without overflow checks, the library may find another fault in it.
    let error = sparse_files::read(&sample("panic.parquet"), &ReadOptions::default()).expect_err("a damaged file");
    assert!(matches!(error.class(), "file/panic" | "file/container"), "{error}");
    if cfg!(debug_assertions) {
        assert!(error.to_string().contains("shift left with overflow (parquet-"), "{error}");
    }
}

#[test]
fn every_type_and_rank() {
    for kind in [FileKind::Arrow, FileKind::Parquet] {
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
    // Bools in the metadata must be 0 or 1.
    let bools = AnyTensor::list(&[3], vec![vec![0u8, 2].into()], AnyValues::Iso(AnyArray::from_values(vec![true])), ElementType::Bool);
    let mut file = Vec::new();
    table::write_arrow(&mut file, &bools.expect("a vector"), false).expect("a table");
    // The schema contains the key and the value, and the footer repeats them.
    let places: Vec<usize> = (0..file.len() - 8).filter(|at| file[*at..].starts_with(&[1, 0, 0, 0, b'1', 0, 0, 0])).collect();
    assert!(!places.is_empty() && table::read_arrow(&file, None).is_ok());
    places.iter().for_each(|at| file[at + 4] = b'2');
    assert_eq!(table::read_arrow(&file, None).expect_err("a bool of 2").class(), "array/header");
    // A table keeps its fill value.
    let filled = once.with_fill(&AnyArray::from_values(vec![-7i64])).expect("a value");
    let mut file = Vec::new();
    table::write_arrow(&mut file, &filled, true).expect("a table");
    assert_eq!(table::read_arrow(&file, None).expect("a table").fill(), AnyArray::from_values(vec![-7i64]));
}
