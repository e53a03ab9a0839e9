//! Tests of descriptors of binary sparse files, and of the tensors of their arrays.

use serde_json::{Value, json};
use sparse_formats::binsparse::Header;
use sparse_formats::{Custom, CustomArrays, Indices, InterchangeError, InteropParts, SparseTensor, Values};

fn descriptor(more: Value) -> Value {
    let mut out = json!({"version": "0.1", "format": "CSR", "shape": [3, 4], "number_of_stored_values": 3,
        "data_types": {"pointers_to_1": "uint8", "indices_1": "uint8", "values": "int32"}});
    out.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    out
}

fn read(header: &Value, pointers: &[u64], indices: &[u64]) -> Result<SparseTensor<'static, i32>, InterchangeError> {
    let column = |numbers: &[u64]| Some(Indices::narrowest(numbers));
    let arrays = CustomArrays { pointers_to: vec![None, column(pointers)], indices: vec![None, column(indices)] };
    let (given, values) = (arrays.clone(), Values::from(vec![1, 2, 3]));
    Header::read(header).unwrap().tensor(arrays, values.clone(), 0).map_err(|rejected| {
        // Also arrays whose numbers begin with 1 are returned unchanged.
        assert_eq!(*rejected.parts, InteropParts { arrays: given, values, fill: 0 });
        rejected.error
    })
}

#[test]
fn indices_begin_with_0_or_1() {
    let zero = read(&descriptor(json!({"index_base": 0})), &[0, 2, 2, 3], &[1, 3, 0]).unwrap();
    let one = read(&descriptor(json!({"index_base": 1})), &[1, 3, 3, 4], &[2, 4, 1]).unwrap();
    assert_eq!((&zero, zero.at(&[0, 3])), (&one, Some(&2)));
    assert_eq!(read(&descriptor(json!({})), &[0, 2, 2, 3], &[1, 3, 0]).unwrap(), zero);
    let based = |pointers: &[u64], indices: &[u64]| {
        let error = read(&descriptor(json!({"index_base": 1})), pointers, indices).unwrap_err();
        (error.to_string(), error.class().to_owned())
    };
    assert_eq!(based(&[0, 2, 2, 3], &[2, 4, 1]), ("pointers_to_1[0] is 0, but index_base is 1".into(), "array/pointers".into()));
    assert_eq!(based(&[1, 3, 3, 4], &[2, 4, 0]), ("indices_1[2] is 0, but index_base is 1".into(), "array/range".into()));
    assert_eq!(based(&[1, 3, 3, 4], &[2, 5, 1]).1, "levels/range");
    let skew = descriptor(json!({"shape": [3, 3], "index_base": 1, "structure": "symmetric_lower"}));
    assert_eq!(read(&skew, &[1, 2, 3, 4], &[1, 1, 3]).unwrap().at(&[1, 0]), Some(&2));
    assert_eq!(read(&skew, &[1, 2, 3, 4], &[2, 1, 3]).unwrap_err().class(), "levels/structure");
    assert_eq!(read(&descriptor(json!({"index_base": 1})), &[1, 3, 3, 3], &[2, 4, 1]).unwrap_err().class(), "levels/pointers");
    for base in [json!(2), json!(-1), json!("1"), json!(true), json!(null)] {
        let error = Header::read(&descriptor(json!({"index_base": base}))).unwrap_err();
        let message = format!("index_base is {base}, neither 0 nor 1");
        assert_eq!(error, InterchangeError::Header { class: "header/index_base", message });
    }
}

#[test]
fn levels_may_be_unsorted() {
    let levels = |sorted: Value| {
        json!({"level": {"level_desc": "dense", "rank": 1, "level":
        {"level_desc": "sparse", "rank": 1, "sorted": sorted, "level": {"level_desc": "element"}}}})
    };
    let header = |sorted| descriptor(json!({"format": "custom", "custom": levels(sorted)}));
    let unsorted = read(&header(json!(false)), &[0, 2, 2, 3], &[3, 1, 0]).unwrap();
    assert_eq!((unsorted.format().to_string().as_str(), unsorted.at(&[0, 1])), ("C-S-R+unsorted(1)", Some(&2)));
    let error = read(&header(json!(true)), &[0, 2, 2, 3], &[3, 1, 0]).unwrap_err();
    assert_eq!(error.to_string(), "indices_1[1] is 1, less than the 3 before it");
    let error = Custom::from_json(&levels(json!(false)), 2).unwrap_err();
    assert_eq!(error.class(), "header/extension");
    assert_eq!(error.to_string(), "the levels have unsorted indices (`sorted` is false), which this function does not read");
    assert!(Custom::from_json(&levels(json!(true)), 2).is_ok());
    assert_eq!(Header::read(&header(json!(1))).unwrap_err().class(), "header/custom");
}

#[test]
fn keys_that_are_not_known() {
    // Unknown keys beside the arrays are kept. In levels they are errors, because they might change what the arrays
    // mean.
    let header = Header::read(&descriptor(json!({"attrs": {"unit": "m"}, "number_of_diagonal_elements": 2}))).unwrap();
    assert_eq!(header.other.keys().collect::<Vec<_>>(), ["attrs", "number_of_diagonal_elements"]);
    let element = json!({"level_desc": "element"});
    for custom in [
        json!({"level": {"level_desc": "sparse", "rank": 2, "block": [2, 2], "level": element}}),
        json!({"level": {"level_desc": "sparse", "rank": 2, "level": element}, "offset": 1}),
    ] {
        let error = Header::read(&descriptor(json!({"format": "custom", "custom": custom}))).unwrap_err();
        assert_eq!(error.class(), "header/extension");
    }
}

#[test]
fn versions() {
    for (version, known) in
        [("0.1", true), ("0.1.0", true), ("0.1.17", true), ("0.1.", false), ("0.1.x", false), ("0.10", false), ("1.0", false)]
    {
        assert_eq!(Header::read(&descriptor(json!({"version": version}))).is_ok(), known, "{version}");
    }
}

#[test]
fn descriptors_are_written_as_they_are_read() {
    let types = json!({"pointers_to_1": "uint8", "indices_1": "uint8", "values": "complex[float64]"});
    for (inside, name) in [
        (json!({"data_types": types, "fill": true}), "CSR"),
        (json!({"format": "CSC", "data_types": types, "index_base": 1}), "CSC"),
        (json!({"format": "DMATR"}), "DMATR"),
        (json!({"format": "COOC"}), "COOC"),
        (json!({"format": "CVEC", "shape": [3]}), "CVEC"),
        (json!({"shape": [3, 3], "structure": "hermitian_upper", "data_types": types}), "CSR"),
    ] {
        let mut whole = json!({"binsparse": descriptor(inside)});
        whole["binsparse"]["version"] = "0.1.0".into();
        let header = Header::read(&whole).unwrap();
        assert_eq!((header.name(), header.to_json("0.1.0")), (Some(name), whole));
    }
    let level = json!({"level_desc": "dense", "rank": 2, "level": {"level_desc": "sparse", "rank": 1, "sorted": false, "level": {"level_desc": "element"}}});
    let custom = json!({"format": "custom", "shape": [2, 3, 4], "custom": {"level": level, "transpose": [2, 0, 1]}});
    let whole = json!({"binsparse": descriptor(custom), "units": {"length": "m"}});
    let header = Header::read(&whole).unwrap();
    assert_eq!(header.other["units"], json!({"length": "m"}));
    assert_eq!(header.to_json("0.1"), whole);
    // An unknown key of the descriptor moves beside it.
    let inside = json!({"binsparse": descriptor(json!({"units": 5}))});
    let out = Header::read(&inside).unwrap().to_json("0.1");
    assert_eq!((&out["units"], out["binsparse"].get("units")), (&json!(5), None));
}

#[test]
fn a_key_that_is_there_twice() {
    let text = descriptor(json!({})).to_string();
    let twice = text.replacen("\"format\"", "\"version\":\"0.1\",\"format\"", 1);
    let error = Header::parse(&format!("{{\"binsparse\": {twice}}}")).unwrap_err();
    assert_eq!(error.class(), "header/duplicate");
    assert!(error.to_string().starts_with("the key `version` occurs twice"), "{error}");
    let inside = text.replacen("\"values\":", "\"values\":\"int8\",\"values\":", 1);
    assert_eq!(Header::parse(&inside).unwrap_err().class(), "header/duplicate");
    assert!(Header::parse(&text).is_ok());
}
