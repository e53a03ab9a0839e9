//! `crd2idx sparse`.

use serde_json::{Value, json};
use std::process::Output;

fn run(args: &[&str], input: &Value) -> Output {
    crate::command::run(&[&["sparse"], args].concat(), &input.to_string())
}

fn printed(args: &[&str], input: &Value) -> String {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(args: &[&str], input: &Value) -> String {
    let output = run(args, input);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true), "{args:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn sample() -> Value {
    json!({"shape": [3, 400], "structure": "CSR", "coords": [[2, 0], [0, 300], [0, 1]], "values": [3, 2, 1]})
}

#[test]
fn build_prints_the_arrays() {
    let built: Value = serde_json::from_str(&printed(&["build", "-"], &sample())).expect("JSON");
    assert_eq!((&built["name"], &built["values"]), (&json!("C-S-R"), &json!([1, 2, 3])));
    assert_eq!((&built["pointers"], &built["indices"]), (&json!({"0": [0, 2, 2, 3]}), &json!({"1": [1, 300, 0]})));
    // The command reads its own output, and converts it.
    let again: Value = serde_json::from_str(&printed(&["build", "-"], &built)).expect("JSON");
    assert_eq!(again, built);
    let columns: Value = serde_json::from_str(&printed(&["build", "-", "--format", "DCSC"], &built)).expect("JSON");
    assert_eq!((&columns["indices"], &columns["values"]), (&json!({"0": [0, 1, 300], "1": [2, 0, 0]}), &json!([3, 1, 2])));
    assert_eq!(serde_json::from_str::<Value>(&printed(&["build", "-", "--format", "CSR"], &columns)).expect("JSON"), built);
}

/// Returns the output as JSON.
fn json_of(args: &[&str], input: &Value) -> Value {
    serde_json::from_str(&printed(args, input)).expect("JSON")
}

#[test]
fn what_is_printed_is_read() {
    let coords = json!({"shape": [3, 4, 2], "coords": [[2, 0, 1], [0, 3, 0], [2, 0, 1], [0, 3, 1]], "values": [1, 2, 3, 4], "fill": -1});
    for name in
        ["S-S-S-R+multigraph", "C-DC-C-X[2,0,1]", "DC-S-S-C+multigraph+unsorted(0)", "DC-DC-S-R+multigraph+balanced(1,1)", "C-S-S-R"]
    {
        let built = json_of(&["build", "-", "--format", name], &coords);
        assert_eq!(json_of(&["build", "-"], &built), built, "{name}");
        assert_eq!(built["fill"], -1);
        assert_eq!(printed(&["check", "-"], &built), "4 stored elements\n");
    }
    // A single value for all elements stays so; so do tensors without values.
    let iso = json!({"shape": [3], "structure": "C-R", "pointers": {"0": [0, 2, 2, 3]}, "iso": 7});
    let built = json_of(&["build", "-", "--format", "S-R"], &iso);
    assert_eq!((&built["name"], &built["iso"], &built["indices"]), (&json!("S-R+multigraph"), &json!(7), &json!({"0": [0, 0, 2]})));
    assert_eq!(json_of(&["build", "-", "--format", "VEC", "--duplicates", "sum"], &iso)["values"], json!([14, 7]));
    assert_eq!(json_of(&["build", "-", "--format", "CSR"], &json!({"shape": [2, 2], "coords": [[1, 0]]})).get("values"), None);
    // Coordinates without a format are COO.
    assert_eq!(json_of(&["build", "-"], &json!({"shape": [2, 2], "coords": [[1, 0]], "values": [5]}))["name"], "S-S-R");
    assert!(printed(&["info", "-"], &json!({"shape": [2, 2], "coords": [[1, 0]]})).contains("alias:    SSR\n"));
}

#[test]
fn build_says_what_is_wrong() {
    let of = |more: Value| {
        let mut out = json!({"shape": [2, 3], "coords": [[0, 1], [0, 1]], "values": [1, 2]});
        out.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        out
    };
    let huge = 1_u64 << 60;
    for (args, input, message) in [
        (
            &["--format", "csr"][..],
            of(json!({})),
            "`csr` is not a level: the levels are S, C and DC, with D for a dense axis after them; the named formats are CSR, CSC, ",
        ),
        (
            &["--format", "C-S"],
            of(json!({})),
            "`C-S` lacks an orientation: end it with R, C, or X and the axes, as in X[1,2,0] (levels/name)",
        ),
        (&["--format", "CSF"], of(json!({"shape": [2], "coords": [[0, 1]]})), "coords[0] has 2 coordinates for 1 axis (levels/shape)"),
        (&["--format", "CSR"], of(json!({"shape": [2, 3, 4]})), "`CSR` is not a format of rank 3 (levels/name)"),
        (&["--duplicates", "mean"], of(json!({})), "duplicates: \"mean\" is not one of sum, first, last, error (levels/type)"),
        (&["--duplicates", "error"], of(json!({})), "elements 0 and 1 are both at [0, 1] (levels/duplicate)"),
        (&["--duplicates", "sum"], of(json!({"values": ["a", 2]})), "\"a\" and 2 have no sum that is a number of JSON (levels/type)"),
        (&["--duplicates", "sum"], of(json!({"values": [1e308, 1e308]})), "have no sum that is a number of JSON (levels/type)"),
        (&["--format", "CSR"], of(json!({"shape": [huge, 3]})), "level 0: 1 times [1152921504606846976] entries exceed memory"),
        (
            &[],
            json!({"shape": [2, 3]}),
            "the value describes no tensor: give `coords`, `structure` with `indices` and `pointers`, `parts` with `name`, or `header` and `arrays`",
        ),
        (&[], of(json!({"structure": "CSR", "axis_order": [1, 0]})), "axis_order is not the order [0, 1] that the structure `CSR` says"),
        (&["--format", "COO"], json!({"shape": [huge, 8], "structure": "D-D-R", "iso": 1}), "are too many to list (levels/overflow)"),
        (
            &["--format", "S-R"],
            json!({"shape": [1], "structure": "C-R", "pointers": {"0": [0, huge]}}),
            "are too many to list (levels/overflow)",
        ),
    ] {
        let args = [&["build", "-"], args].concat();
        let error = refused(&args, &input);
        assert!(error.starts_with("crd2idx: standard input: ") && error.contains(message), "{args:?} {input}: {error}");
    }
    // Integers are summed exactly.
    let large = of(json!({"values": [u64::MAX, u64::MAX]}));
    assert!(printed(&["build", "-", "--duplicates", "sum"], &large).contains("\"values\":[36893488147419103230]"));
}

#[test]
fn info_reports_levels() {
    let expected = "shape:    [3, 400]\nformat:   C-S-R\nalias:    CSR\nstored:   3\ndensity:  2.500e-3\n\
        level 0:  C, axis 0, 3 entries, pointers of 8 bits\nlevel 1:  S, axis 1, 3 entries, indices of 16 bits\n\
        bytes:    10 of indices and pointers\n";
    assert_eq!(printed(&["info", "-"], &sample()), expected);
}

#[test]
fn check_names_what_is_wrong() {
    assert_eq!(printed(&["check", "-"], &sample()), "3 stored elements\n");
    let arrays =
        json!({"shape": [2, 3], "structure": ["C", "S"], "pointers": {"0": [0, 2, 3]}, "indices": {"1": [2, 1, 0]}, "values": [1, 2, 3]});
    assert_eq!(
        refused(&["check", "-"], &arrays),
        "crd2idx: standard input: indices_1[1] is 1, less than the 2 before it (levels/unsorted)\n"
    );
    let header = json!({"version": "0.1", "format": "CVEC", "shape": [9], "number_of_stored_values": 2,
        "data_types": {"indices_0": "uint64", "values": "iso[int8]"}});
    let file = json!({"header": {"binsparse": header}, "arrays": {"indices_0": [1, 8], "values": [5]}});
    assert_eq!(printed(&["check", "-"], &file), "2 stored elements\n");
    let file = json!({"header": {"binsparse": header}, "arrays": {"indices_0": [1], "values": [5]}});
    assert_eq!(
        refused(&["check", "-"], &file),
        "crd2idx: standard input: 1 values are stored, but number_of_stored_values is 2 (array/length)\n"
    );
    assert!(refused(&["check", "-"], &json!([])).contains("not a JSON object"));
    assert!(refused(&["check", "/no/such/file"], &json!({})).starts_with("crd2idx: /no/such/file: "));
}

/// Every command reads the parts that `build` prints: it describes, checks, converts and prints them again.
#[test]
fn parts_are_read() {
    let coords = json!({"shape": [5, 7, 4], "coords": [[4, 6, 3], [0, 3, 0], [2, 0, 1], [0, 3, 1], [2, 5, 1]], "values": [1, 2, 3, 4, 5], "fill": -1});
    let list = json_of(&["build", "-", "--format", "COO"], &coords);
    let names = [
        ("blocks(2,3,4):C-S-S-R", 1),
        ("hicoo(1,2,1)", 1),
        ("hicoo(1,1,1;lex;super=2,2,2)", 1),
        ("hbcsf[2,0,1](1)", 3),
        ("mmcsf", 3),
        ("mmcsf[1,2,0][0,2,1]", 2),
        ("alto", 1),
    ];
    for (name, parts) in names {
        let built = json_of(&["build", "-", "--format", name], &coords);
        assert_eq!(json_of(&["build", "-"], &built), built, "{name}");
        assert_eq!(json_of(&["build", "-", "--format", "COO"], &built), list, "{name}");
        assert_eq!(
            printed(&["check", "-"], &built),
            format!("5 stored elements in {parts} part{}\n", if parts == 1 { "" } else { "s" }),
            "{name}"
        );
        let info = printed(&["info", "-"], &built);
        assert!(info.contains(&format!("format:   {name}\n")) && info.contains("of indices and pointers"), "{info}");
        assert_eq!(info.matches("\npart ").count(), parts, "{info}");
        for (other, _) in names {
            assert_eq!(
                json_of(&["build", "-", "--format", other], &built),
                json_of(&["build", "-", "--format", other], &coords),
                "{name} to {other}"
            );
        }
        let drawn = |args: &[&str], input: &Value| String::from_utf8(crate::command::run(args, &input.to_string()).stdout).expect("UTF-8");
        // Names may be written as papers write them.
        let capitals = name.to_ascii_uppercase().replace("LEX", "lex").replace("SUPER", "super").replace("HBCSF", "HB-CSF");
        assert_eq!(json_of(&["build", "-", "--format", &capitals], &coords), built, "{capitals}");
        let picture = drawn(&["svg", "sparse", "-"], &built);
        assert!(picture.starts_with("<svg"), "{name}");
        assert_eq!(picture, drawn(&["svg", "sparse", "-", "--format", name], &coords), "{name}");
    }
}

#[test]
fn parts_that_are_wrong() {
    let coords = json!({"shape": [5, 7], "coords": [[4, 6], [0, 3], [2, 0], [0, 1]], "values": [1, 2, 3, 4]});
    let build = |name: &str| json_of(&["build", "-", "--format", name], &coords);
    let wrong = |name: &str, change: &dyn Fn(&mut Value), message: &str| {
        let mut built = build(name);
        change(&mut built);
        let text = refused(&["check", "-"], &built);
        assert!(text.contains(message), "{name}: {text}");
        assert!(refused(&["info", "-"], &built).contains(message), "{name}: {text}");
    };
    wrong(
        "hbcsf[0,1]",
        &|parts| drop(parts["parts"].as_array_mut().expect("a list").pop()),
        "2 parts are given instead of 3 (blocked/parts)",
    );
    wrong("hbcsf[0,1]", &|parts| parts["parts"][0]["indices"]["0"] = json!([0, 4]), "(blocked/slice)");
    wrong("mmcsf", &|parts| parts["name"] = "mmcsf[0,1]".into(), "(blocked/parts)");
    wrong("mmcsf", &|parts| parts["name"] = "mmcsg".into(), "`mmcsg`");
    wrong("mmcsf", &|parts| drop(parts.as_object_mut().expect("an object").remove("name")), "the key `name` is missing (blocked/missing)");
    wrong(
        "hicoo(1,1)",
        &|parts| parts["name"] = "hicoo(2,2)".into(),
        "part 0 has extents [3, 4, 2, 2] instead of [2, 2, 4, 4] (blocked/parts)",
    );
    wrong("alto", &|parts| parts["parts"][0]["indices"]["0"] = json!([0, 9, 9, 30]), "(levels/");
    wrong("alto", &|parts| parts["parts"][0]["indices"]["0"] = json!([0, 1, 9, 63]), "(blocked/range)");
    let valueless = |parts: &mut Value| drop(parts["parts"][0].as_object_mut().expect("an object").remove("values"));
    wrong(
        "blocks(2,2):C-S-R",
        &valueless,
        "part 0 has blocks, but no `values`: give one value for each element of each block (blocked/parts)",
    );
    wrong("blocks(2,2):C-S-R", &|parts| parts["parts"] = json!(3), "parts: 3 is not a list (blocked/type)");
}
