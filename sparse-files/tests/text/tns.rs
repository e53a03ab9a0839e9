//! Tensors of any rank in FROSTT's text.

use sparse_files::{AnyArray, ElementType, FileError, tns};

#[test]
fn shapes_are_found_or_given() {
    let text = b"# a comment\n1 1 1 0.5\n\n2 3 4 -1\n2 1 4 2\n";
    let found = tns::read(text, None).expect("a tensor");
    assert_eq!((found.shape(), found.stored()), (&[2, 3, 4][..], 3));
    let given = tns::read(text, Some(&[9, 9, 9])).expect("a tensor");
    assert_eq!(given.shape(), [9, 9, 9]);
    let mut out = Vec::new();
    tns::write(&mut out, &found).expect("written");
    assert_eq!(String::from_utf8_lossy(&out), "1 1 1 0.5\n2 3 4 -1.0\n2 1 4 2.0\n");
    assert_eq!(tns::read(&out, None).expect("a tensor"), found);
    assert!(matches!(tns::read(text, Some(&[2, 3])), Err(FileError::ArrayShape { .. })));
    assert!(matches!(tns::read(text, Some(&[2, 3, 3])), Err(FileError::TextRange { line: 4, column: 5, axis: 2, .. })));
}

#[test]
fn one_number_is_a_scalar_and_none_is_nothing() {
    assert_eq!(tns::read(b"4.5\n", None).expect("a scalar").shape(), [0u64; 0]);
    assert!(tns::read(b"", None).is_err() && tns::read(b"# nothing\n", None).is_err());
    assert_eq!(tns::read(b"", Some(&[3, 4])).expect("an empty matrix").stored(), 0);
}

#[test]
fn whole_numbers_stay_whole() {
    let read = |text: &str| tns::read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"));
    for (text, element) in [
        ("1 9007199254740993\n2 -1\n", ElementType::I64),
        ("# 1.5\n1 -9223372036854775808\n", ElementType::I64),
        ("1 18446744073709551615\n2 0\n", ElementType::U64),
        ("4294967297 9223372036854775808\n1 1\n", ElementType::U64),
        ("1 4\n2 0.5\n", ElementType::F64),
        ("1 4.0\n", ElementType::F64),
        ("1 4\n2 1e3\n", ElementType::F64),
        ("1 4\n2 NaN\n", ElementType::F64),
        // No integer type of 64 bits holds these values.
        ("1 -1\n2 18446744073709551615\n", ElementType::F64),
        ("1 18446744073709551616\n", ElementType::F64),
    ] {
        let tensor = read(text);
        assert_eq!(tensor.element(), element, "{text}");
        let mut out = Vec::new();
        tns::write(&mut out, &tensor).expect("written");
        if element != ElementType::F64 {
            assert!(text.ends_with(std::str::from_utf8(&out).expect("text")), "{text}");
        }
        assert_eq!(read(std::str::from_utf8(&out).expect("text")).element(), element, "{text}");
    }
    assert_eq!(read("+7\n").each_value(), AnyArray::from_values(vec![7i64]));
    // The errors are the same as for real numbers.
    let error = tns::read(b"1 1 5\n1 1 x\n", None).expect_err("no number");
    assert_eq!(error.to_string(), "line 2, column 5: `x` is not a number");
    let error = tns::read(b"1 1 5\n1 3 7\n", Some(&[2, 2])).expect_err("out of range");
    assert!(matches!(error, FileError::TextRange { line: 2, column: 3, axis: 1, found: 3, extent: 2, base: 1 }), "{error}");
}

#[test]
fn coordinates_beyond_32_bits() {
    let tensor = tns::read(b"18446744073709551615 1 2.5\n4294967297 3 1\n", None).expect("a tensor");
    assert_eq!(tensor.shape(), [u64::MAX, 3]);
    assert_eq!(tns::read(b"18446744073709551616 1 2.5\n", None).unwrap_err().class(), "text/syntax");
}
