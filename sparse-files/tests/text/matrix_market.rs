//! Reads and writes matrices with every qualifier.

use sparse_files::{AnyTensor, AnyValues, Dedupe, Element, ElementType, matrix_market};
use sparse_formats::{Attributes, Format, Symmetry, Triangle};

fn read(text: &str) -> AnyTensor<'static> {
    matrix_market::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn written(tensor: &AnyTensor) -> String {
    let mut out = Vec::new();
    matrix_market::write(&mut out, tensor).expect("a matrix");
    String::from_utf8(out).expect("text")
}

/// Returns all elements of the expanded matrix, row by row.
fn dense<T: Element>(tensor: &AnyTensor) -> Vec<T> {
    let whole = tensor.expand().expect("a matrix");
    let mut out = vec![T::default(); tensor.shape().iter().product::<u64>() as usize];
    let columns = tensor.shape()[1];
    assert!(whole.for_each::<T>(|c, value| out[(c[0] * columns + c[1]) as usize] = value.expect("a value")));
    out
}

#[test]
fn coordinates_of_every_field() {
    let real = read("%%MatrixMarket matrix coordinate real general\n2 3 3\n2 3 -1.5e-3\n1 1 7\n2 1 +.25\n");
    assert_eq!(dense::<f64>(&real), [7.0, 0.0, 0.0, 0.25, 0.0, -1.5e-3]);
    assert_eq!(real.format().to_string(), "S-S-R+multigraph+unsorted(0)");
    let integer = read("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 -9223372036854775808\n2 2 5\n");
    assert_eq!(dense::<i64>(&integer), [i64::MIN, 0, 0, 5]);
    let unsigned = read("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 18446744073709551615\n");
    assert_eq!(dense::<u64>(&unsigned), [u64::MAX]);
    let complex = read("%%matrixmarket MATRIX Coordinate Complex General\n1 2 1\n1 2 1.5 -2D+1\n");
    assert_eq!(dense::<num_complex::Complex<f64>>(&complex)[1], num_complex::Complex::new(1.5, -20.0));
    let pattern = read("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 3\n");
    assert_eq!((pattern.values(), pattern.stored()), (AnyValues::PatternOnly, 2));
    let vector = read("%%MatrixMarket vector coordinate real general\n5 2\n2 1.5\n5 2.5\n");
    assert_eq!((vector.shape(), vector.format().to_string()), (&[5][..], "S-R".into()));
}

#[test]
fn symmetries_keep_one_triangle() {
    let lower = read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n");
    assert_eq!((lower.attributes().symmetry, lower.attributes().triangle), (Some(Symmetry::Symmetric), Some(Triangle::Lower)));
    assert_eq!(dense::<f64>(&lower), [3.0, 4.0, 4.0, 0.0]);
    let upper = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 2 4\n");
    assert_eq!(upper.attributes().triangle, Some(Triangle::Upper));
    assert_eq!(dense::<f64>(&upper), [0.0, 4.0, -4.0, 0.0]);
    // Files should have the lower triangle, so the mirror images are written.
    assert_eq!(written(&upper), "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -4.0\n");
    let hermitian = read("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 2\n");
    let c = num_complex::Complex::new;
    assert_eq!(dense::<num_complex::Complex<f64>>(&hermitian), [c(0.0, 0.0), c(1.0, -2.0), c(1.0, 2.0), c(0.0, 0.0)]);
}

#[test]
fn arrays_are_by_columns() {
    let whole = read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
    assert_eq!(dense::<f64>(&whole), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    assert_eq!(written(&whole), "%%MatrixMarket matrix array real general\n2 3\n1.0\n2.0\n3.0\n4.0\n5.0\n6.0\n");
    let rows = whole.convert(&Format::new(&[], &[0, 1]).expect("a format"), Dedupe::Refuse).expect("a matrix");
    assert_eq!(written(&rows), written(&whole));
    let symmetric = read("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
    assert_eq!(dense::<i64>(&symmetric), [1, 2, 3, 2, 4, 5, 3, 5, 6]);
    let skew = read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
    assert_eq!(dense::<f64>(&skew), [0.0, -1.0, -2.0, 1.0, 0.0, -3.0, 2.0, 3.0, 0.0]);
}

#[test]
fn what_is_written_is_read_again() {
    for text in [
        "%%MatrixMarket matrix coordinate real general\n% a\n%b\n2 3 3\n2 3 -0.0015\n1 1 1e+300\n2 1 0.1\n",
        "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 -9223372036854775808\n2 2 5\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n3 2\n",
        "%%MatrixMarket vector coordinate real general\n5 2\n2 1.5\n5 2.5\n",
        "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1.0 2.0\n",
        "%%MatrixMarket matrix array complex general\n1 2\n1.0 2.0\n-3.5 0.0\n",
        "%%MatrixMarket matrix coordinate real general\n0 3 0\n",
        "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 18446744073709551615\n",
    ] {
        let tensor = read(text);
        assert_eq!(written(&tensor), text);
        assert_eq!(read(&written(&tensor)), tensor);
    }
    // Infinities and NaN are written as words.
    let text = "%%MatrixMarket matrix coordinate real general\n1 3 3\n1 1 inf\n1 2 -inf\n1 3 NaN\n";
    assert_eq!(written(&read(text)), text);
}

#[test]
fn spaces_ends_of_lines_and_comments_between_entries() {
    let text = "%%MatrixMarket  matrix\tcoordinate real general \r\n%\r\n\r\n 2 2  2 \r\n\r\n  1\t1   5\r\n% between\r\n2 2 6";
    assert_eq!(dense::<f64>(&read(text)), [5.0, 0.0, 0.0, 6.0]);
}

#[test]
fn white_space_is_that_of_c() {
    for space in [" ", "\t", "\x0b", "\x0c", "\r", " \x0b\t"] {
        let text = format!(
            "{space}%%MatrixMarket{space}matrix{space}coordinate{space}real{space}general{space}\n{space}\n{space}2{space}2{space}1{space}\n{space}2{space}1{space}5{space}\n"
        );
        assert_eq!(dense::<f64>(&read(&text)), [0.0, 0.0, 5.0, 0.0], "{space:?}");
        assert_eq!(sparse_files::FileKind::of(text.as_bytes(), "standard input"), Ok(sparse_files::FileKind::MatrixMarket), "{space:?}");
    }
    // White space outside ASCII, control bytes and commas do not separate words.
    for space in ["\u{a0}", "\u{2003}", "\u{85}", "\0", "\x1c", ","] {
        for text in [
            format!("%%MatrixMarket{space}matrix coordinate real general\n1 1 1\n1 1 5\n"),
            format!("%%MatrixMarket matrix coordinate real general\n1{space}1 1\n1 1 5\n"),
            format!("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1{space}5\n"),
            format!("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 5{space}\n"),
        ] {
            assert!(matrix_market::read(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}

#[test]
fn skew_symmetric_matrices_have_signs() {
    for (field, shape) in [("unsigned-integer", "coordinate"), ("integer", "coordinate"), ("unsigned-integer", "array")] {
        let body = if shape == "array" { "2 2\n5\n" } else { "2 2 1\n2 1 5\n" };
        let skew = read(&format!("%%MatrixMarket matrix {shape} {field} skew-symmetric\n{body}"));
        assert_eq!((skew.element(), dense::<i64>(&skew)), (ElementType::I64, vec![0, -5, 5, 0]), "{field} {shape}");
        assert_eq!(written(&skew), "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n");
    }
    let refused = |text: &str| matrix_market::read(text.as_bytes()).and_then(|a| a.expand()).expect_err("no negative");
    let beyond = "integer skew-symmetric\n3 3 2\n2 1 5\n3 1 9223372036854775808\n";
    assert_eq!(
        refused(&format!("%%MatrixMarket matrix coordinate {beyond}")).to_string(),
        "line 4, column 5: `9223372036854775808` is not an integer of type i64"
    );
    assert_eq!(refused(&format!("%%MatrixMarket matrix coordinate unsigned-{beyond}")).class(), "values/overflow");
    let least = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n";
    assert_eq!(refused(least).class(), "values/overflow");
    // Matrices without skew symmetry need no sign.
    let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 9223372036854775808\n";
    assert_eq!(dense::<u64>(&read(symmetric)), [0, 1 << 63, 1 << 63, 0]);
}

#[test]
fn diagonals_of_skew_symmetric_matrices_are_zero() {
    let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n1 1 0.0\n2 1 5.0\n";
    let stored = read(text);
    assert_eq!((stored.stored(), dense::<f64>(&stored)), (2, vec![0.0, -5.0, 5.0, 0.0]));
    assert_eq!(written(&stored), text);
    let other = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n\n% here\n2 1 5\n\n2 2 3\n";
    let error = matrix_market::read(other.as_bytes()).expect_err("3 is not -3");
    assert_eq!(error.to_string(), "a skew-symmetric matrix cannot hold a nonzero element on the diagonal, at (2, 2) in line 7");
    // Such a matrix is not written either, nor one with qualifiers that a reader refuses.
    let skew = |text: &str| {
        let attributes = Attributes { symmetry: Some(Symmetry::Skew), triangle: Some(Triangle::Lower), ..Attributes::default() };
        read(text).with_attributes(attributes).and_then(|a| matrix_market::write(&mut Vec::new(), &a)).expect_err("no matrix").class()
    };
    assert_eq!(skew("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 2 3\n"), "file/counterpart");
    assert_eq!(skew("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n"), "file/counterpart");
    let hermitian = Attributes { symmetry: Some(Symmetry::Hermitian), triangle: Some(Triangle::Lower), ..Attributes::default() };
    let real = read("%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 3\n").with_attributes(hermitian).expect("a matrix");
    assert_eq!(written(&real), "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3.0\n");
}

#[test]
fn many_lines_in_parts() {
    // The text spans several parts of a megabyte, each with lines without an entry.
    let mut text = String::from("%%MatrixMarket matrix coordinate integer general\n400000 3 200000\n");
    for k in 0..200_000u64 {
        text.push_str(&format!("{} {} {}\n", k * 2 + 1, k % 3 + 1, k as i64 - 7));
        if k % 1000 == 0 {
            text.push_str("\n% here\n");
        }
    }
    let tensor = read(&text);
    assert_eq!((tensor.stored(), tensor.format().to_string()), (200_000, "S-S-R".into()));
    let mut k = 0;
    tensor.for_each::<i64>(|c, value| {
        assert_eq!((c, value), (&[k * 2, k % 3][..], Some(k as i64 - 7)));
        k += 1;
    });
    assert_eq!((k, tensor.element()), (200_000, ElementType::I64));
}

#[test]
fn rows_beyond_32_bits() {
    let text = "%%MatrixMarket matrix coordinate pattern general\n18446744073709551615 4294967297 1\n18446744073709551615 4294967297\n";
    let tensor = read(text);
    assert_eq!(tensor.pattern().find(&[u64::MAX - 1, 1 << 32]), Some(0));
    assert_eq!(written(&tensor), text);
}
