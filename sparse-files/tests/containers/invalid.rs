//! Invalid descriptors and arrays: each is refused with an error of its class.

use crate::{data, sample};
use serde_json::Value;
use sparse_files::binsparse::decode;
use sparse_files::{AnyArray, ElementType, FileError, Result, with_element};
use sparse_formats::binsparse::DataType;

/// Returns the numbers of a list as an array of the type that the descriptor declares, or of another type that holds
/// them.
fn array(numbers: &Value, of: Option<&str>) -> AnyArray<'static> {
    let numbers: Vec<f64> = numbers.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect();
    let data_type = of.and_then(|of| of.parse::<DataType>().ok());
    let plain = data_type.and_then(|of| ElementType::of(DataType { complex: false, ..of }));
    match plain.unwrap_or(ElementType::F64) {
        ElementType::F64 => AnyArray::from_values(numbers),
        ElementType::U64 => AnyArray::from_values(numbers.iter().map(|x| *x as u64).collect::<Vec<u64>>()),
        other => panic!("{other}"),
    }
}

#[test]
fn every_recorded_one() {
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(data("invalid.json")).expect("cases")).expect("JSON");
    let mut asked = 0;
    for case in cases.iter().filter(|case| case["kind"] == "binsparse") {
        let name = case["name"].as_str().expect("a name");
        let header = match case["header_text"].as_str() {
            Some(text) => text.to_owned(),
            None => case["header"].to_string(),
        };
        let arrays = case["arrays"].as_object().expect("arrays");
        let types = &case["header"]["binsparse"]["data_types"];
        let answer = decode(&header, &mut |name| Ok(arrays.get(name).map(|numbers| array(numbers, types[name].as_str()))));
        assert_eq!(answer.expect_err(name).class(), case["expect"], "{name}");
        asked += 1;
    }
    assert!(asked >= 26, "{asked}");
}

fn one(array: &'static str, bytes: Vec<u8>) -> impl FnMut(&str) -> Result<Option<AnyArray<'static>>> {
    move |name| {
        let all = [
            ("indices_0", AnyArray::from_values(vec![0i32, 2])),
            ("values", AnyArray::from_values(vec![1u8, 0])),
            ("fill_value", AnyArray::from_values(vec![0u8])),
        ];
        if name == array {
            return AnyArray::from_bytes(name, ElementType::U8, bytes.clone().into(), false).map(Some);
        }
        Ok(all.into_iter().find(|(known, _)| *known == name).map(|(_, array)| array))
    }
}

#[test]
fn arrays_of_other_types() {
    let header = |types: &str| {
        format!(
            r#"{{"binsparse": {{"version": "0.1", "format": "CVEC", "shape": [3], "number_of_stored_values": 2, "fill": true, "data_types": {types}}}}}"#
        )
    };
    let class = |types: &str, array: &'static str, bytes: Vec<u8>| {
        decode(&header(types), &mut one(array, bytes)).map_or_else(|error| error.class(), |_| "read")
    };
    let bools = r#"{"indices_0": "int32", "values": "bint8", "fill_value": "bint8"}"#;
    assert_eq!(class(bools, "", vec![]), "read");
    assert_eq!(class(bools, "values", vec![1, 2]), "array/value");
    assert_eq!(class(bools, "values", vec![1]), "array/length");
    assert_eq!(class(bools, "fill_value", vec![0, 0]), "array/type");
    assert_eq!(class(r#"{"indices_0": "int32", "values": "int16", "fill_value": "int16"}"#, "", vec![]), "array/type");
    assert_eq!(class(r#"{"indices_0": "float32", "values": "bint8", "fill_value": "bint8"}"#, "", vec![]), "array/type");
    assert_eq!(class(r#"{"values": "bint8", "fill_value": "bint8"}"#, "", vec![]), "header/dtype");
    let negative =
        |name: &str| Ok((name != "indices_0").then(|| AnyArray::from_values(vec![1u8, 0])).or(Some(AnyArray::from_values(vec![0i32, -1]))));
    assert_eq!(decode(&header(bools), &mut { negative }).expect_err("negative").class(), "array/range");
    // Use every type as the type of an array of indices.
    for element in ElementType::ALL {
        let whole = with_element!(*element, T => AnyArray::from_values(vec![T::default(); 2])).into_indices("indices_0");
        let name = element.to_string();
        assert_eq!(whole.is_ok(), name.contains("int") && name != "bint8", "{name}");
        if let Err(error) = whole {
            assert!(matches!(error, FileError::IndexType { .. }));
        }
    }
}

#[test]
fn types_nested_deeply_do_not_end_the_process() {
    // This runs on a test thread, which has a stack of 2 MiB.
    let error = sparse_files::read(&sample("nested_types.h5"), &Default::default()).expect_err("no numbers");
    assert!(matches!(error.class(), "array/header" | "file/container"), "{error}");
}

#[test]
fn files_cut_short_or_changed() {
    for name in ["csr_f64.h5", "csc_f64.npz", "scipy_csr.npz", "h5_deflated_big_endian.h5"] {
        let bytes = std::fs::read(data(&format!("files/{name}"))).expect("a file");
        let read = |bytes: Vec<u8>| sparse_files::read_bytes(bytes.into(), name, &Default::default()).map(|(tensor, _)| tensor);
        for cut in (0..bytes.len()).step_by(97) {
            // Bytes after the end of the data may be missing.
            let _ = read(bytes[..cut].to_vec());
        }
        assert!(read(bytes[..bytes.len() / 2].to_vec()).is_err(), "{name}");
        for at in (0..bytes.len()).step_by(31) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            let _ = read(changed);
        }
    }
}
