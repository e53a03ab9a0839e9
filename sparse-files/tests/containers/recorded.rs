//! Files written by the Python packages binsparse, h5py, SciPy and sparse, compared with their recorded elements.

use crate::{data, sample};
use serde_json::Value;
use sparse_files::npz::ArchiveWriter;
use sparse_files::{AnyArray, AnyTensor, AnyValues, Element, FileKind, ReadOptions, with_element};

/// Returns all elements of a tensor as pairs of numbers, the last axis fastest, and which of them are stored.
pub fn dense(tensor: &AnyTensor) -> (Vec<(f64, f64)>, Vec<bool>) {
    fn of<T: Element>(tensor: &AnyTensor, fill: (f64, f64)) -> (Vec<(f64, f64)>, Vec<bool>) {
        let size: u64 = tensor.shape().iter().product();
        let (mut dense, mut pattern) = (vec![fill; size as usize], vec![false; size as usize]);
        assert!(tensor.for_each::<T>(|coordinate, value| {
            let at = coordinate.iter().zip(tensor.shape()).fold(0, |at, (c, extent)| at * extent + c) as usize;
            (dense[at], pattern[at]) = (value.map_or((1.0, 0.0), Element::parts), true);
        }));
        (dense, pattern)
    }
    let tensor = tensor.expand().expect("a tensor of two axes");
    with_element!(tensor.element(), T => {
        let fill = tensor.fill().values::<T>().expect("a fill value")[0].parts();
        of::<T>(&tensor, fill)
    })
}

fn flat(value: &Value, out: &mut Vec<f64>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| flat(value, out)),
        Value::Bool(truth) => out.push(f64::from(u8::from(*truth))),
        number => out.push(number.as_f64().expect("a number")),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    let mut out = Vec::new();
    flat(value, &mut out);
    out
}

#[test]
fn files_have_the_recorded_elements() {
    let index: Vec<Value> = serde_json::from_slice(&std::fs::read(data("files/index.json")).expect("an index")).expect("JSON");
    assert_eq!(index.len(), 26);
    for record in &index {
        let name = record["file"].as_str().expect("a name");
        let options = ReadOptions { group: record["group"].as_str().map(str::to_owned), ..ReadOptions::default() };
        let path = data(&format!("files/{name}"));
        let (tensor, _) = sparse_files::read(&path, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let shape: Vec<u64> = record["shape"].as_array().expect("a shape").iter().filter_map(Value::as_u64).collect();
        assert_eq!(tensor.shape(), shape, "{name}");
        let (elements, pattern) = dense(&tensor);
        let (re, im) = match record["dense"].get("re") {
            Some(re) => (numbers(re), numbers(&record["dense"]["im"])),
            None => (numbers(&record["dense"]), vec![0.0; elements.len()]),
        };
        let want: Vec<(f64, f64)> = re.into_iter().zip(im).collect();
        assert_eq!(elements, want, "{name}");
        assert_eq!(pattern, numbers(&record["pattern"]).iter().map(|x| *x != 0.0).collect::<Vec<_>>(), "{name}");
        let dtype = record["dtype"].as_str().expect("a type");
        assert_eq!(tensor.element(), sparse_files::ElementType::from_name(dtype).expect("a type"), "{name}");
        if matches!(tensor.values(), AnyValues::Iso(_)) {
            assert!(name.contains("iso"), "{name}");
        }
    }
}

#[test]
fn archives_of_every_version_of_pydata() {
    let read = |name: &str| sparse_files::read(&sample(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let elements = |tensor: &AnyTensor| {
        let mut out = Vec::new();
        assert!(tensor.for_each::<f64>(|coordinate, value| out.push((coordinate.to_vec(), value.expect("a value")))));
        out
    };
    // Versions 0.15 to 0.19.0 write no array `format`.
    for name in ["pydata_untagged_coo.npz", "pydata_untagged_gcxs.npz"] {
        let (tensor, kind) = read(name);
        assert_eq!((kind, tensor.shape()), (FileKind::Pydata, &[3, 3][..]), "{name}");
        assert_eq!(elements(&tensor), [(vec![0, 1], 1.0), (vec![0, 2], 2.0), (vec![2, 0], 3.0)], "{name}");
    }
    let (tensor, kind) = read("pydata_nan_fill.npz");
    assert_eq!((kind, elements(&tensor)), (FileKind::Pydata, vec![(vec![0, 1], 1.0), (vec![1, 0], 2.0)]));
    let fill = |tensor: &AnyTensor| tensor.fill().values::<f64>().is_some_and(|fill| fill[0].is_nan());
    assert!(fill(&tensor) && !tensor.fill_is_zero());
    // Its array `shape` is empty, and of real numbers.
    let (scalar, _) = read("pydata_rank0.npz");
    assert_eq!((scalar.shape(), elements(&scalar)), (&[0u64; 0][..], vec![(vec![], 5.0)]));
    for tensor in [tensor, scalar] {
        let mut out = std::io::Cursor::new(Vec::new());
        sparse_files::write_to(&mut out, &tensor, FileKind::Pydata, &Default::default()).expect("written");
        let (again, _) = sparse_files::read_bytes(out.into_inner().into(), "a.npz", &ReadOptions::default()).expect("read");
        assert_eq!((elements(&again), fill(&again)), (elements(&tensor), fill(&tensor)));
    }
}

#[test]
fn scalars_of_which_nothing_is_stored_are_the_fill_value() {
    let mut out = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
    for (name, shape, values) in
        [("shape", &[0][..], vec![]), ("coords", &[0, 0], vec![]), ("data", &[0], vec![]), ("fill_value", &[], vec![7.0])]
    {
        out.put(name, shape, &AnyArray::from_values::<f64>(values)).expect("written");
    }
    let bytes = out.finish().expect("written").into_inner();
    let (scalar, _) = sparse_files::read_bytes(bytes.into(), "a.npz", &ReadOptions::default()).expect("a scalar");
    assert_eq!(scalar.each_value(), AnyArray::from_values(vec![7.0]));
}

#[test]
fn fill_values_and_triangles_of_hdf5() {
    let read = |name: &str| sparse_files::read(&sample(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}")).0;
    let filled = read("binsparse_fill9.h5");
    assert_eq!(dense(&filled).0.iter().map(|(re, _)| *re).collect::<Vec<_>>(), [9.0, 1.0, 2.0, 9.0, 9.0, 9.0, 3.0, 9.0, 9.0]);
    let mut out = Vec::new();
    assert_eq!(sparse_files::tns::write(&mut out, &filled).expect_err("a fill value").class(), "file/counterpart");
    assert_eq!(sparse_files::matrix_market::write(&mut out, &filled).expect_err("a fill value").class(), "file/counterpart");
    let symmetric = read("binsparse_symmetric_lower.h5");
    assert_eq!(symmetric.stored(), 3);
    assert_eq!(dense(&symmetric).0.iter().map(|(re, _)| *re).collect::<Vec<_>>(), [1.0, 2.0, 0.0, 2.0, 0.0, 3.0, 0.0, 3.0, 0.0]);
}

#[test]
fn keys_of_users_are_kept() {
    let (tensor, _) = sparse_files::read(&data("files/h5_empty_arrays_missing.h5"), &ReadOptions::default()).expect("a tensor");
    assert_eq!(tensor.attributes().user["attrs"], r#"{"a":1}"#);
    let encoded = sparse_files::binsparse::encode(&tensor, "0.1.0").expect("a tensor");
    assert_eq!(encoded.descriptor["attrs"]["a"], 1);
}
