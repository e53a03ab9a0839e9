//! Files of the Python packages binsparse, h5py, SciPy and sparse, with what their elements are.

use crate::data;
use serde_json::Value;
use sparse_files::{AnyTensor, AnyValues, Element, ReadOptions, with_element};

/// All elements of a tensor, the last axis fastest, as pairs of numbers, and which of them are stored.
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

fn numbers(value: &Value) -> Vec<f64> {
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
fn keys_of_users_are_kept() {
    let (tensor, _) = sparse_files::read(&data("files/h5_empty_arrays_missing.h5"), &ReadOptions::default()).expect("a tensor");
    assert_eq!(tensor.attributes().user["attrs"], r#"{"a":1}"#);
    let encoded = sparse_files::binsparse::encode(&tensor, "0.1.0").expect("a tensor");
    assert_eq!(encoded.descriptor["attrs"]["a"], 1);
}
