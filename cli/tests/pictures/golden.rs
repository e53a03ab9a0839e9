//! A few pictures, byte for byte. `CRD2IDX_BLESS=1 cargo test --test book golden` writes them anew.

use super::cases::{cases, drawn, lists, matrix};
use serde_json::Value;
use std::path::Path;

fn same(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("cli/tests/pictures/golden").join(name);
    if std::env::var_os("CRD2IDX_BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file is written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(text, golden, "{name}");
}

fn files() -> Vec<(&'static str, Vec<&'static str>, Option<Value>)> {
    vec![
        ("layout", vec!["layout", "((2,2),(3,2)):((3,6),(1,12))", "--by", "mode"], None),
        ("compose", vec!["compose", "(6,2):(8,2)", "(4,3):(3,1)"], None),
        ("tile", vec!["tile", "(5,6):(6,1)", "(3,4)"], None),
        ("transpose", vec!["transpose", "(3,4):(4,1)"], None),
        ("graph", vec!["graph", "examples/graphs/gemm.json"], None),
        ("sparse", vec!["sparse", "-", "--format", "CSR"], Some(matrix())),
        ("ragged", vec!["ragged", "-"], Some(lists())),
    ]
}

#[test]
fn the_same_bytes_as_ever() {
    for (name, args, input) in files() {
        let case = (args, input);
        same(&format!("{name}.svg"), &drawn("svg", &case, &[]));
        same(&format!("{name}.txt"), &drawn("show", &case, &["--width", "80"]));
    }
}

#[test]
fn the_same_bytes_twice() {
    for case in cases() {
        assert_eq!(drawn("svg", &case, &[]), drawn("svg", &case, &[]), "{:?}", case.0);
        assert_eq!(drawn("show", &case, &["--width", "90"]), drawn("show", &case, &["--width", "90"]), "{:?}", case.0);
    }
}
