//! Tensors of every type and format, written and read again.

use crate::recorded::dense;
use sparse_files::npz::{Pydata, Scipy};
use sparse_files::{AnyArray, AnyTensor, AnyValues, Dedupe, ElementType, FileKind, ReadOptions, WriteOptions};
use sparse_formats::{Attributes, Format, Indices, Symmetry, Triangle, Widths};
use std::io::Cursor;

const KINDS: [FileKind; 3] = [FileKind::Npz, FileKind::Hdf5, FileKind::Zarr];
const TABLES: [FileKind; 2] = [FileKind::Arrow, FileKind::Parquet];

pub fn again(tensor: &AnyTensor, kind: FileKind, options: &WriteOptions) -> AnyTensor<'static> {
    let mut out = Cursor::new(Vec::new());
    sparse_files::write_to(&mut out, tensor, kind, options).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
    let read = ReadOptions { group: options.group.clone(), ..ReadOptions::default() };
    let (tensor, found) = sparse_files::read_bytes(out.into_inner().into(), "a", &read).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
    assert_eq!(found, kind);
    tensor
}

/// Returns a tensor with these extents that stores about a third of its elements.
pub fn tensor(shape: &[u64], element: ElementType, format: &Format) -> AnyTensor<'static> {
    let size: u64 = shape.iter().product();
    let stored: Vec<u64> = (0..size).filter(|k| k * 7 % 11 < 4).collect();
    let mut below = size;
    let mut columns: Vec<Indices> = Vec::new();
    for extent in shape {
        below /= extent;
        columns.push(Indices::narrowest(&stored.iter().map(|k| k / below % extent).collect::<Vec<_>>()));
    }
    let bytes: Vec<u8> = (0..stored.len() * element.size())
        .map(|k| if element == ElementType::Bool { (k % 2) as u8 } else { (k * 31 % 120) as u8 })
        .collect();
    let values = AnyValues::Each(AnyArray::from_bytes("values", element, bytes.into(), false).unwrap());
    AnyTensor::build(shape, &columns, &values, format, Dedupe::Refuse, &Widths::narrowest()).unwrap()
}

#[test]
fn every_type_and_format() {
    let formats: [(&[u64], &[&str]); 4] = [
        (&[9], &["S-R", "D-R"]),
        (&[4, 6], &["C-S-R", "C-S-C", "DC-S-R", "DC-S-C", "S-S-R", "S-S-C", "D-D-R", "D-D-C", "S-D-R", "C-S-R"]),
        (&[3, 4, 5], &["DC-DC-S-R", "S-S-S-R", "C-C-S-X[2,0,1]", "C-DC-S-X[1,2,0]", "S-DC-S-R", "S-C-S-R", "DC-S-D-X[1,0,2]", "D-D-D-R"]),
        (&[2, 3, 2, 4], &["S-S-DC-S-R", "C-S-S-S-C", "DC-C-S-S-X[3,1,0,2]", "S-S-D-D-R"]),
    ];
    for kind in KINDS {
        for (shape, names) in formats {
            for (k, name) in names.iter().enumerate() {
                let format: Format = name.parse().unwrap();
                // Test every type with some format, and every format with some type.
                for element in ElementType::ALL.iter().skip(k % 3).step_by(3) {
                    let a = tensor(shape, *element, &format);
                    let b = again(&a, kind, &WriteOptions::default());
                    assert_eq!((b.element(), dense(&b)), (a.element(), dense(&a)), "{kind:?} {name} {element}");
                    // Indices that repeat before a compressed level are stored once.
                    if !name.contains("S-C") || name.contains("DC") || name.starts_with("C-S") {
                        assert_eq!(b, a, "{kind:?} {name} {element}");
                    }
                }
            }
        }
    }
}

#[test]
fn attributes_and_values_that_are_not_each() {
    let a = tensor(&[4, 6], ElementType::F64, &Format::csr());
    let user =
        [("units", "m"), ("number", "5"), ("text", "\"5\""), ("list", "[1,2]")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let a = a.with_attributes(Attributes { user: user.into(), ..Attributes::default() }).unwrap();
    let filled = a.clone().with_fill(&AnyArray::from_values(vec![f64::INFINITY])).unwrap();
    let iso = AnyTensor::of_pattern(a.pattern().clone(), AnyValues::Iso(AnyArray::from_values(vec![2i8])), None, ElementType::I8).unwrap();
    let lower =
        sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n1 1 1 0\n3 1 2 3\n").unwrap();
    assert_eq!(lower.attributes().symmetry.zip(lower.attributes().triangle), Some((Symmetry::Hermitian, Triangle::Lower)));
    let options = WriteOptions { group: Some("outer/inner".into()), compressed: true, ..WriteOptions::default() };
    for kind in KINDS {
        for tensor in [&a, &filled, &iso, &lower] {
            assert_eq!(&again(tensor, kind, &WriteOptions::default()), tensor);
            assert_eq!(&again(tensor, kind, &options), tensor);
        }
    }
    // Tables store the coordinates of all axes.
    for kind in TABLES {
        for tensor in [&a, &filled, &iso, &lower] {
            let listed = tensor.convert(&Format::coo(2), Dedupe::Refuse).unwrap();
            assert_eq!(again(tensor, kind, &WriteOptions::default()), listed);
            assert_eq!(again(tensor, kind, &options), listed);
        }
    }
    for kind in [KINDS.as_slice(), &TABLES].concat() {
        // A pattern is read as one bool for all elements.
        let pattern = AnyTensor::of_pattern(a.pattern().clone(), AnyValues::PatternOnly, None, ElementType::Bool).unwrap();
        let read = again(&pattern, kind, &WriteOptions { version: "0.1".into(), ..WriteOptions::default() });
        assert_eq!((dense(&read), read.values()), (dense(&pattern), AnyValues::Iso(AnyArray::from_values(vec![true]))));
    }
}

#[test]
fn nothing_stored_and_no_axes() {
    for name in ["C-S-R", "DC-S-C", "S-S-R"] {
        let empty = AnyTensor::build(
            &[3, 0],
            &[Indices::narrowest(&[]), Indices::narrowest(&[])],
            &AnyValues::Each(AnyArray::from_values(Vec::<f32>::new())),
            &name.parse().unwrap(),
            Dedupe::Refuse,
            &Widths::narrowest(),
        )
        .unwrap();
        for kind in [KINDS.as_slice(), &TABLES, &[FileKind::Scipy, FileKind::Pydata]].concat() {
            let read = again(&empty, kind, &WriteOptions::default());
            assert_eq!((read.shape(), read.stored(), read.element()), (&[3, 0][..], 0, ElementType::F32), "{kind:?} {name}");
        }
    }
    let scalar = AnyTensor::dense(&[], &[], AnyArray::from_values(vec![4.5])).unwrap();
    for kind in [KINDS.as_slice(), &TABLES, &[FileKind::Npy]].concat() {
        assert_eq!(again(&scalar, kind, &WriteOptions::default()), scalar);
    }
}

#[test]
fn formats_of_scipy_and_pydata() {
    for element in [ElementType::F64, ElementType::I8, ElementType::Bool, ElementType::C64] {
        let a = tensor(&[4, 6], element, &Format::dcsc());
        for scipy in [Scipy::Csr, Scipy::Csc, Scipy::Coo, Scipy::Bsr(2, 3), Scipy::Dia] {
            let options = WriteOptions { scipy: Some(scipy), compressed: scipy == Scipy::Csc, ..WriteOptions::default() };
            assert_eq!(dense(&again(&a, FileKind::Scipy, &options)).0, dense(&a).0, "{scipy:?} {element}");
        }
        let a = tensor(&[3, 4, 5], element, &Format::csf(3));
        let a = a.with_fill(&AnyArray::from_bytes("fill", element, vec![1; element.size()].into(), false).unwrap()).unwrap();
        for pydata in [Pydata::Coo, Pydata::Gcxs(vec![1]), Pydata::Gcxs(vec![0, 2])] {
            let options = WriteOptions { pydata: pydata.clone(), ..WriteOptions::default() };
            assert_eq!(dense(&again(&a, FileKind::Pydata, &options)), dense(&a), "{pydata:?} {element}");
        }
        assert_eq!(dense(&again(&a, FileKind::Npy, &WriteOptions::default())).0, dense(&a).0);
    }
    // A triangle that represents both is expanded if the kind of file has no symmetry.
    let lower = sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 2\n").unwrap();
    for kind in [FileKind::Scipy, FileKind::Pydata, FileKind::Npy, FileKind::Tns] {
        if kind != FileKind::Tns {
            assert_eq!(dense(&again(&lower, kind, &WriteOptions::default())).0, dense(&lower).0, "{kind:?}");
        }
    }
}

#[test]
fn elements_of_one_coordinate_are_refused_unless_they_are_combined() {
    let twice =
        sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate integer general\n3 3 3\n3 1 2\n1 1 7\n3 1 5\n").unwrap();
    let error = sparse_files::binsparse::encode(&twice, "0.1.0").unwrap_err();
    assert_eq!(error.class(), "levels/duplicate");
    for (dedupe, value) in [(Dedupe::Sum, 7), (Dedupe::First, 2), (Dedupe::Last, 5)] {
        let one = twice.convert(&Format::csr(), dedupe).unwrap();
        assert_eq!(one.typed::<i64>().unwrap().unwrap().at(&[2, 0]), Some(&value));
    }
    let full = AnyValues::Each(AnyArray::from_values(vec![200u8, 100]));
    let build = |dedupe| AnyTensor::build(&[1], &[Indices::narrowest(&[0, 0])], &full, &Format::vector(), dedupe, &Widths::narrowest());
    assert_eq!(build(Dedupe::Sum).unwrap_err().class(), "values/overflow");
    assert_eq!(build(Dedupe::Last).unwrap().typed::<u8>().unwrap().unwrap().at(&[0]), Some(&100));
}

#[test]
fn descriptors_say_it_as_another_does() {
    let a = sparse_files::matrix_market::read(b"%%MatrixMarket matrix coordinate real general\n3 300 2\n1 1 0.5\n3 300 0.5\n").unwrap();
    let like = |other: serde_json::Value| sparse_files::binsparse::encode(&a, "0.1.0").unwrap().like(&other);
    let types = |name: &str, of: &str| serde_json::json!({ "data_types": { name: of } });
    let own = like(serde_json::json!({ "format": "CSR", "version": "2.0" })).unwrap();
    assert_eq!((&own.descriptor["binsparse"]["format"], &own.descriptor["binsparse"]["version"]), (&"COOR".into(), &"0.1.0".into()));
    for of in ["int16", "int32", "int64", "uint16", "uint32", "uint64"] {
        let made = like(types("indices_1", of)).unwrap();
        let array = &made.arrays.iter().find(|(name, _)| name == "indices_1").unwrap().1;
        assert_eq!((array.element(), array.clone().into_indices("a").unwrap().get(1)), (ElementType::from_name(of).unwrap(), Some(299)));
        assert_eq!(made.descriptor["binsparse"]["data_types"]["indices_1"], of);
        let mut arrays = made.arrays.into_iter().collect::<std::collections::HashMap<_, _>>();
        let b = sparse_files::binsparse::decode(&made.descriptor.to_string(), &mut |name| Ok(arrays.remove(name))).unwrap();
        assert_eq!(dense(&b), dense(&a));
    }
    for (name, of, class) in [
        ("indices_1", "int8", "array/header"),
        ("indices_1", "uint8", "array/header"),
        ("indices_1", "float64", "array/type"),
        ("indices_1", "iso[int64]", "array/type"),
        ("values", "float32", "array/type"),
    ] {
        assert_eq!(like(types(name, of)).unwrap_err().class(), class, "{name} as {of}");
    }
    let one = like(types("values", "iso[float64]")).unwrap();
    assert_eq!(one.arrays.iter().find(|(name, _)| name == "values").unwrap().1.len(), 1);
    let again = like(types("values", "float64")).unwrap();
    assert_eq!(again.arrays.iter().find(|(name, _)| name == "values").unwrap().1.len(), 2);
}

#[test]
fn large_files_are_replaced_as_a_whole() {
    let folder = std::env::temp_dir().join(format!("sparse-files-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let count = 150_000u32;
    let columns: Vec<Indices> =
        vec![(0..count).collect::<Vec<u32>>().into(), (0..count).map(|k| k * 7 % count).collect::<Vec<u32>>().into()];
    let values = AnyValues::Each(AnyArray::from_values((0..count).map(|k| f64::from(k) / 3.0).collect::<Vec<f64>>()));
    let a = AnyTensor::list(&[count.into(), count.into()], columns, values, ElementType::F64).unwrap();
    for (name, kind) in [
        ("a.mtx", FileKind::MatrixMarket),
        ("a.tns", FileKind::Tns),
        ("a.h5", FileKind::Hdf5),
        ("a.npz", FileKind::Npz),
        ("a.zarr", FileKind::Zarr),
        ("a.arrow", FileKind::Arrow),
        ("a.parquet", FileKind::Parquet),
    ] {
        let path = folder.join(name);
        sparse_files::write(&path, &a, kind, &WriteOptions::default()).unwrap();
        assert!(path.is_dir() || std::fs::metadata(&path).unwrap().len() > 1 << 20);
        let options = ReadOptions { shape: Some(a.shape().to_vec()), ..ReadOptions::default() };
        let (b, found) = sparse_files::read(&path, &options).unwrap();
        assert_eq!((found, b.pattern(), b.values()), (kind, a.pattern(), a.values()), "{name}");
        #[cfg(feature = "map")]
        if path.is_file() {
            // SAFETY: nobody else knows of the file, which is written to after the map is gone.
            let bytes = unsafe { sparse_files::Bytes::map(&path).unwrap() };
            let (b, found) = sparse_files::read_bytes(bytes, name, &options).unwrap();
            assert_eq!((found, b.pattern(), b.values()), (kind, a.pattern(), a.values()), "{name}");
        }
        // A failed write leaves the file as it was.
        let refused = sparse_files::write(
            &path,
            &AnyTensor::dense(&[1, 1, 1], &[0, 1, 2], AnyArray::from_values(vec![1u8])).unwrap(),
            FileKind::MatrixMarket,
            &WriteOptions::default(),
        );
        assert_eq!(refused.unwrap_err().class(), "file/counterpart");
        assert_eq!(sparse_files::read(&path, &options).unwrap().0.stored(), count as usize);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 7);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Files are read, not mapped, at every size: a file that is truncated or written to meanwhile does not change the
/// bytes.
#[test]
fn files_that_change_while_they_are_read() {
    let path = std::env::temp_dir().join(format!("sparse-files-cut-{}", std::process::id()));
    let length = if cfg!(miri) { 1 << 12 } else { 5 << 20 };
    std::fs::write(&path, vec![7u8; length]).unwrap();
    let bytes = sparse_files::Bytes::open(&path).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(0).unwrap();
    file.set_len(length as u64 / 2).unwrap();
    assert!(bytes.len() == length && bytes.iter().all(|byte| *byte == 7));
    std::fs::remove_file(&path).unwrap();
}
