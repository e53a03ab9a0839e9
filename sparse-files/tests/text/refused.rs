//! Invalid texts: the line, the column and the class of each error.

use sparse_files::{FileError, matrix_market};

const REAL: &str = "%%MatrixMarket matrix coordinate real general\n";

fn refused(text: &str) -> FileError {
    match matrix_market::read(text.as_bytes()) {
        Err(error) => error,
        Ok(_) => panic!("{text} is read"),
    }
}

#[test]
fn first_lines() {
    for line in [
        "",
        "%%MatrixMarket matrix coordinate real",
        "%MatrixMarket matrix coordinate real general",
        "%%MatrixMarket tensor coordinate real general",
        "%%MatrixMarket matrix sparse real general",
        "%%MatrixMarket matrix coordinate quaternion general",
        "%%MatrixMarket matrix coordinate real triangular",
        "%%MatrixMarket matrix array pattern general",
        "%%MatrixMarket matrix coordinate real hermitian",
        "%%MatrixMarket matrix coordinate pattern skew-symmetric",
        "%%MatrixMarket vector coordinate real symmetric",
    ] {
        let error = refused(&format!("{line}\n1 1 0\n"));
        assert!(matches!(error, FileError::Text { line: 1, .. }), "{line}: {error}");
    }
    assert!(matches!(refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"), FileError::Text { line: 2, .. }));
}

#[test]
fn sizes() {
    for sizes in ["", "% only comments", "2 2", "2 2 2 2", "2 -2 0", "2 x 0", "2 2 1.5", "99999999999999999999 1 0"] {
        assert_eq!(refused(&format!("{REAL}{sizes}\n")).class(), "text/syntax", "{sizes}");
    }
    assert_eq!(refused(&format!("{REAL}2 2 1")), FileError::Entries { said: 1, found: 0 });
    assert_eq!(refused(&format!("{REAL}2 2 18446744073709551615\n1 1 1\n")), FileError::Entries { said: u64::MAX, found: 1 });
    assert_eq!(refused(&format!("{REAL}2 2 1\n1 1 1\n2 2 2\n")), FileError::Entries { said: 1, found: 2 });
    let array = "%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n";
    assert_eq!(refused(array).class(), "text/length");
}

#[test]
fn entries_with_line_and_column() {
    for (entry, line, column) in [
        ("x 1 1", 4, 1),
        ("1 x 1", 4, 3),
        ("1 1 x", 4, 5),
        ("1 1", 4, 4),
        ("1 1 1 1", 4, 7),
        ("1 1 1x", 4, 6),
        ("1,1 1", 4, 2),
        ("1.5 1 1", 4, 2),
        ("-1 1 1", 4, 1),
    ] {
        match refused(&format!("{REAL}3 3 2\n2 2 2\n{entry}\n")) {
            FileError::Text { line: l, column: c, .. } => assert_eq!((l, c), (line, column), "{entry}"),
            error => panic!("{entry}: {error}"),
        }
    }
    for (entry, axis, found) in [("0 1 1", 0, 0), ("4 1 1", 0, 4), ("1 4 1", 1, 4), ("4294967297 1 1", 0, 4_294_967_297)] {
        match refused(&format!("{REAL}3 3 2\n2 2 2\n{entry}\n")) {
            FileError::TextRange { line: 4, axis: a, found: f, extent: 3, .. } => assert_eq!((a, f), (axis, found)),
            error => panic!("{entry}: {error}"),
        }
    }
    let integer = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n";
    assert_eq!(refused(integer).to_string(), "line 3, column 6: `1.5` is not an integer of type i64");
    assert_eq!(refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 18446744073709551616\n").class(), "text/syntax");
}

#[test]
fn messages_show_what_is_there_and_what_is_expected() {
    let entry =
        |header: &str, entry: &str| refused(&format!("%%MatrixMarket matrix coordinate {header} general\n3 3 1\n{entry}\n")).to_string();
    for (header, text, message) in [
        ("integer", "1 1 1.0", "line 3, column 6: `1.0` is not an integer of type i64"),
        ("integer", "1 1 -1e3 ", "line 3, column 7: `-1e3` is not an integer of type i64"),
        ("integer", "1 1 18446744073709551616", "line 3, column 5: `18446744073709551616` is not an integer of type i64"),
        ("real", "1 1", "line 3, column 4: the line ends before a number"),
        ("real", "1", "line 3, column 2: the line ends before a coordinate (digits only)"),
        ("real", "1 1 one", "line 3, column 5: `one` is not a number"),
        ("real", "1.0 1 1", "line 3, column 2: `1.0` is not a coordinate (digits only)"),
        ("real", "-1 1 1", "line 3, column 1: `-1` is not a coordinate (digits only)"),
        ("real", "1 1 1 7", "line 3, column 7: `7` is one number too many: a line has 2 coordinates and a number"),
        ("complex", "1 1 1", "line 3, column 5: `1` is not two numbers"),
        ("complex", "1 1 1 2 3", "line 3, column 9: `3` is one number too many: a line has 2 coordinates and two numbers"),
        ("pattern", "1 1 1", "line 3, column 5: `1` is one number too many: a line has 2 coordinates"),
        ("pattern", "1 1x", "line 3, column 4: `1x` is not a coordinate (digits only)"),
        ("real", "1 4 1", "line 3, column 3: coordinate 4 of axis 1 is out of range; expected 1 to 3"),
    ] {
        assert_eq!(entry(header, text), message, "{text}");
    }
    let of_array = refused("%%MatrixMarket matrix array real general\n1 1\n1 2\n").to_string();
    assert_eq!(of_array, "line 3, column 3: `2` is one number too many: a line has a number");
    let long = "x".repeat(1000);
    assert_eq!(entry("real", &format!("1 1 {long}")), format!("line 3, column 5: `{}..` is not a number", &long[..40]));
    let tns = |text: &str| sparse_files::tns::read(text.as_bytes(), None).expect_err("refused").to_string();
    assert_eq!(
        tns("1 2 3 0.5\n1 0 3 0.5\n"),
        "line 2, column 3: coordinate 0 of axis 1 is out of range; expected 1 or more (to read a text that counts from 0, use `base` 0)"
    );
    assert_eq!(tns("1 2 0.5\n1 2 0.5 7\n"), "line 2, column 9: `7` is one number too many: a line has 2 coordinates and a number");
}

#[test]
fn triangles() {
    let both = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n";
    assert_eq!(refused(both).class(), "levels/structure");
    let both = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n\n% a comment\n2 1 1\n \n1 3 1\n";
    assert!(refused(both).to_string().starts_with("line 7: the entry at [1, 3] is outside the lower triangle"));
    let diagonal = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n";
    assert_eq!(refused(diagonal).class(), "file/counterpart");
}
