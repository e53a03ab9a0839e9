//! Tests of the verdicts and the texts that `prove_kernel!` refuses, of the tokens that its errors point at, and of its expansion.

use super::{Text, prove_kernel};
use proc_macro2::TokenStream;

#[track_caller]
fn points(marked: &str, message: &str) {
    crate::diag::tests::points("prove_kernel", prove_kernel, marked, message);
}

#[track_caller]
fn expands(source: &str, expected: &str) {
    let tokens = prove_kernel(source.parse().expect("tokens")).unwrap_or_else(|error| panic!("{}", error.message));
    let expected: TokenStream = expected.parse().expect("tokens");
    assert_eq!(tokens.to_string(), expected.to_string(), "{source}");
}

/// A kernel without a barrier, which also leaves elements out if `n` is at least 2.
const ROTATE: &str = "kernel rotate
param n >= 1
block t < 64
shared s (64)
global y (n, 64) written
store s[t]
load s[(t + 1) % 64]
store y[0, t]";

const RACE: &str = "false: `s` has no races where n = 1, at [0]
  line 6: `store s[t]` where t = 0
  line 7: `load s[(t + 1) % 64]` where t = 63";

const NOT_STORED: &str = "false: line 7 reads what was stored where n = 1, at [0]
  line 7: `load s[(t + 1) % 64]` where t = 63";

const LEFT_OUT: &str = "false: `y` is written as a whole where n = 2, at [1, 0]";

/// A table has few fills, so a fault that only others show is not found.
const OPEN: &str = "kernel scatter\nparam n >= 1\ntable at (n) < n\nglobal x (n) given\nblock t < 32\nif at[0] == 12345 { load x[n] }";

#[test]
fn a_false_claim_comes_with_its_threads() {
    let report = format!("rotate: 4 of 7 claims are proven for all n >= 1\n{RACE}\n{NOT_STORED}\n{LEFT_OUT}");
    points(&format!("«\"{ROTATE}\"»"), &report);
    points(&format!("«r#\"{ROTATE}\"#»"), &report);
    points(&format!("pub const ROTATE = «\"{}\"»;", ROTATE.replace('\n', "\\n")), &report);
}

#[test]
fn an_open_claim_is_refused() {
    points(
        &format!("«\"{OPEN}\"»"),
        "scatter: 2 of 3 claims are proven for all n >= 1\nopen: line 6 is in bounds; no fault at 7 tuples of sizes",
    );
    expands(&format!("race_free: \"{OPEN}\""), "");
}

#[test]
fn only_required_claims_must_be_proven() {
    points(&format!("race_free: «\"{ROTATE}\"»"), &format!("rotate: 1 of 2 claims are proven for all n >= 1\n{RACE}"));
    let two = format!("rotate: 0 of 2 claims are proven for all n >= 1\n{NOT_STORED}\n{LEFT_OUT}");
    points(&format!("const ROTATE = written, stored: «\"{ROTATE}\"»"), &two);
    expands(&format!("in_bounds: \"{ROTATE}\""), "");
}

#[test]
fn a_required_claim_is_one_of_the_kernel() {
    points("«written»: \"kernel k\\nglobal y (8)\\nblock t < 8\\nstore y[t]\"", "`k` makes no claim `written`");
    points("race_free, «stored»: \"kernel k\\nglobal y (8)\\nblock t < 8\\nstore y[t]\"", "`k` makes no claim `stored`");
}

#[test]
fn a_text_that_is_no_kernel_has_a_line() {
    points("«\"\"»", "line 1: expected `kernel`, found the end of the line");
    points("«\"kernel k\nblock t < 32\nstore y[t]\"»", "line 3: `y` is no memory");
    points("const K = «\"kernel k\\n\\\n  block t\"»;", "line 2: expected `<`, found the end of the line");
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let text = "expected the text of a kernel in quotation marks, or `file \"path\"`";
    points("«4»", text);
    points("«b\"kernel k\"»", text);
    points("«include_str»!(\"k.kernel\")", text);
    points("«race_free» \"kernel k\"", text);
    points("race_free: «file»", "expected the path of a file in quotation marks");
    points("pub «K» = \"kernel k\"", "expected `const NAME = ..`, found `K`");
    points("pub const «=» \"kernel k\"", "expected the name of the constant, found `=`");
    points("pub const K«:» &str = \"kernel k\"", "expected `= \"text\"`, found `:`");
    points("\"kernel k\" «\"kernel l\"»", "expected nothing more, found `\"kernel l\"`");
    points("«race_fre»: \"kernel k\"", "there is no claim `race_fre`; is it `race_free`?");
    points("«safe», race_free: \"kernel k\"", "there is no claim `safe`; the claims are race_free, in_bounds, stored, written");
    points("written, «written»: \"kernel k\"", "`written` is listed twice");
    points("written, stored «\"kernel k\"»", "expected `,`, or `:` and the text of the kernel, found `\"kernel k\"`");
}

#[test]
fn a_file_is_named() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let at = |path: &str| format!("{folder}/{path}");
    let missing = std::fs::read_to_string(at("src/none.kernel")).expect_err("no file");
    points("file «\"src/none.kernel\"»", &format!("cannot read `{}`: {missing}", at("src/none.kernel")));
    points("file «\"Cargo.toml\"»", "Cargo.toml: line 2: `\"` has no meaning here");
    let path = "../kernel-verdicts/kernels/transpose.kernel";
    let text = format!("::core::include_str!({:?})", at(path));
    expands(&format!("file {path:?}"), &format!("const _: & 'static ::core::primitive::str = {text};"));
    expands(
        &format!("/// A kernel.\npub(crate) const K = race_free, written: file {path:?};"),
        &format!("/// A kernel.\npub(crate) const K: & 'static ::core::primitive::str = {text};"),
    );
}

#[test]
fn literals_are_read_as_rust_reads_them() {
    for (literal, value) in [
        (r##""a\n\t\r\0\\\'\"\x41\u{1_F600}é""##, "a\n\t\r\0\\'\"A\u{1F600}é"),
        ("\"a \\\n   \n\t b\\n\"", "a b\n"),
        (r###"r##"a\n"#b"##"###, "a\\n\"#b"),
        ("r\"a\nb\"", "a\nb"),
        ("\"\"", ""),
    ] {
        let token = literal.parse::<TokenStream>().expect("tokens").into_iter().next().expect("a literal");
        assert_eq!(Text::of(&token).map(|text| text.text).as_deref(), Some(value), "{literal}");
    }
    for other in ["b\"a\"", "c\"a\"", "'a'", "4", "r", "\"a\"u8"] {
        let token = other.parse::<TokenStream>().expect("tokens").into_iter().next().expect("a token");
        assert!(Text::of(&token).is_none(), "{other}");
    }
}

#[test]
fn all_kernels_of_the_folder_are_proven() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel-verdicts/kernels");
    let paths = std::fs::read_dir(folder).expect("kernels").map(|entry| entry.expect("a file").path());
    let mut count = 0;
    for path in paths {
        let source = format!("file {:?}", path.to_str().expect("a path"));
        let expanded = prove_kernel(source.parse().expect("tokens"));
        assert!(expanded.is_ok(), "{source}: {:?}", expanded.err().map(|error| error.message));
        count += 1;
    }
    assert!(count >= 20, "{count} kernels");
}
