//! Headers before the elements of a `.tns` file, and coordinates that count from 0.

use sparse_files::{AnyArray, AnyTensor, AnyValues, Bytes, ElementType, FileError, FileKind, ReadOptions, Result, read_bytes, tns};

fn read(text: &str, base: Option<u8>) -> Result<AnyTensor<'static>> {
    let options = ReadOptions { kind: Some(FileKind::Tns), base, ..ReadOptions::default() };
    read_bytes(Bytes::from(text.as_bytes().to_vec()), "a", &options).map(|(tensor, _)| tensor)
}

/// Returns the shape and the elements of a text, with coordinates that count from 0.
fn elements(text: &str) -> (Vec<u64>, Vec<(Vec<u64>, f64)>) {
    let tensor = read(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut out = Vec::new();
    assert!(tensor.for_each::<f64>(|coordinate, value| out.push((coordinate.to_vec(), value.expect("a value")))), "{text}");
    (tensor.shape().to_vec(), out)
}

fn refused(text: &str) -> FileError {
    read(text, None).err().unwrap_or_else(|| panic!("{text} is read"))
}

#[test]
fn every_dialect_of_every_rank() {
    for rank in 1..=5usize {
        let shape: Vec<u64> = (0..rank as u64).map(|axis| axis + 4).collect();
        let entries: Vec<(Vec<u64>, f64)> =
            (0..3).map(|k| ((0..rank as u64).map(|axis| (k + axis) % 4).collect(), k as f64 + 0.5)).collect();
        let words = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let line = |(coordinate, value): &(Vec<u64>, f64)| {
            format!("{} {value}\n", words(&coordinate.iter().map(|index| index + 1).collect::<Vec<_>>()))
        };
        let body: String = entries.iter().map(line).collect();
        let extents = words(&shape);
        for header in [
            format!("# extended FROSTT format\n{rank} 3\n{extents}\n"),
            format!("; extended FROSTT format\n{rank} 3\n{extents}\n"),
            format!("# Extended FROSTT format:\n# rank number-non-zero-elements\n# dimension-sizes\n{rank} 3\n{extents} \n"),
            format!("# extended\n\n  {rank}\t3 \r\n# between\n{extents}\r\n\n"),
            format!("{rank} 3\n{extents}\n"),
            format!("{rank}\n{extents}\n"),
            format!("{rank}\n{extents}\n3\n"),
            format!("sptensor\n{rank}\n{extents}\n3\n"),
        ] {
            assert_eq!(elements(&format!("{header}{body}")), (shape.clone(), entries.clone()), "{header}");
            // More elements than announced, and fewer.
            if header != format!("{rank}\n{extents}\n") {
                assert_eq!(refused(&format!("{header}{body}{body}")), FileError::Entries { said: 3, found: 6 }, "{header}");
                assert_eq!(refused(&format!("{header}{}", line(&entries[0]))), FileError::Entries { said: 3, found: 1 }, "{header}");
            }
            let mut outside = entries.clone();
            outside[1].0[rank - 1] = shape[rank - 1];
            let outside: String = outside.iter().map(line).collect();
            let error = refused(&format!("{header}{outside}"));
            let extent = shape[rank - 1];
            assert!(
                matches!(error, FileError::TextRange { axis, found, extent: of, base: 1, .. } if (axis, found, of) == (rank - 1, extent + 1, extent)),
                "{error}"
            );
        }
        for header in [format!("# extended FROSTT format\n{rank} 0\n{extents}\n"), format!("sptensor\n{rank}\n{extents}\n0\n")] {
            assert_eq!(elements(&header), (shape.clone(), vec![]), "{header}");
        }
        // Without a header, the extents of the same lines are the greatest coordinates.
        assert_eq!(elements(&body).1, entries);
    }
}

#[test]
fn places_count_from_the_first_line() {
    let header = "# extended FROSTT format\n2 2\n2 3\n";
    assert_eq!(refused(&format!("{header}1 1 1\n\n2 x 2\n")).to_string(), "line 6, column 3: `x` is not a coordinate (digits only)");
    assert_eq!(
        refused(&format!("{header}1 1 1\n2 4 2\n")).to_string(),
        "line 5, column 3: coordinate 4 of axis 1 is out of range; expected 1 to 3"
    );
    assert_eq!(refused(&format!("{header}1 1\n")).to_string(), "line 4, column 4: the line ends before a number");
    assert_eq!(refused(header).to_string(), "the text announces 2 entries, but has 0");
}

#[test]
fn announced_headers_that_are_none() {
    for text in ["1 2 3 0.5\n", "3 2\n4 4\n1 1 1 5\n", "3\n1 1 1 5\n", "0 1\n4.5\n", "3 2\n1 1 x\n", "-3 2\n4 4 4\n"] {
        let error = refused(&format!("# extended FROSTT format\n{text}"));
        assert!(matches!(error, FileError::Text { line: 2, .. }) && error.to_string().contains("announces a header"), "{text}: {error}");
    }
    // More axes than a format can have.
    let many = vec!["7"; 254].join(" ");
    assert_eq!(read(&format!("254 0\n{many}\n"), None).expect("a tensor").shape(), [7; 254]);
    assert!(read(&format!("255 0\n{many} 7\n"), None).is_err());
    // Extents of 64 bits, without elements.
    assert_eq!(elements("# extended FROSTT format\n2 0\n18446744073709551615 0\n").0, [u64::MAX, 0]);
    assert!(refused("1 1\n0\n1 5\n").to_string().contains("expected none, because the extent of the axis is 0"));
}

#[test]
fn what_may_be_either_is_refused_until_a_comment_says_which() {
    for text in ["2 0\n3 4\n", " 2\t0\n# a comment\n\n1 7"] {
        let error = refused(text);
        assert!(matches!(error, FileError::Text { line: 1, .. }) && error.to_string().contains("`# FROSTT format`"), "{text}: {error}");
        let extended = read(&format!("# extended FROSTT format\n{text}"), None).expect("a header");
        assert_eq!((extended.shape().len(), extended.stored()), (2, 0), "{text}");
        let plain = read(&format!("# FROSTT format\n{text}"), None).expect("elements");
        assert_eq!((plain.shape().len(), plain.stored()), (1, 2), "{text}");
        // The written text declares which of the two it is.
        let mut out = Vec::new();
        tns::write(&mut out, &plain).expect("written");
        assert!(out.starts_with(b"# FROSTT format\n2 0\n"), "{}", String::from_utf8_lossy(&out));
        assert_eq!(tns::read(&out, None).expect("elements"), plain);
    }
    // One line more or less, a point, or another number makes the text unambiguous.
    for (text, shape) in [("2 0\n", &[2][..]), ("2 0\n3 4\n5 6\n", &[5]), ("2 0.0\n3 4\n", &[3]), ("2 1\n3 4\n", &[3])] {
        assert_eq!(read(text, None).expect("elements").shape(), shape, "{text}");
    }
    // Lines with a single number cannot be elements.
    for text in ["1\n5\n", "1\n5\n0\n"] {
        let empty = read(text, None).expect("a header");
        assert_eq!((empty.shape(), empty.stored()), (&[5][..], 0), "{text}");
    }
    assert!(read("1\n5\n2\n", None).is_err() && read("4\n5\n", None).is_err());
    let vector = AnyTensor::list(&[4], vec![vec![1u8, 2].into()], AnyValues::Each(AnyArray::from_values(vec![7i64, 4])), ElementType::I64);
    let mut out = Vec::new();
    tns::write(&mut out, &vector.expect("a vector")).expect("written");
    assert_eq!(String::from_utf8_lossy(&out), "2 7\n3 4\n");
}

#[test]
fn coordinates_from_0_are_read_where_it_is_said() {
    let error = refused("1 2 0.5\n1 0 4\n");
    assert_eq!(
        error.to_string(),
        "line 2, column 3: coordinate 0 of axis 1 is out of range; expected 1 or more (to read a text that counts from 0, use `base` 0)"
    );
    assert_eq!((error.clone(), error.class()), (FileError::Base { line: 2, column: 3, axis: 1 }, "text/range"));
    let with_header = "3 2\n2 3 4\n0 0 0 5\n1 2 3 6\n";
    assert_eq!(refused(with_header), FileError::Base { line: 3, column: 1, axis: 0 });
    for (text, shape) in [("0 0 0 5\n1 2 3 6\n", [2, 3, 4]), (with_header, [2, 3, 4]), ("1 2 3 6\n", [2, 3, 4])] {
        assert_eq!(read(text, Some(0)).expect("a tensor").shape(), shape, "{text}");
    }
    let one = read("4294967296 3\n", Some(0)).expect("a vector");
    assert_eq!((one.shape(), one.element()), (&[4294967297u64][..], ElementType::I64));
    let error = read("3 1\n2 3 4\n1 3 0 5\n", Some(0)).expect_err("outside");
    assert_eq!(error.to_string(), "line 3, column 3: coordinate 3 of axis 1 is out of range; expected 0 to 2");
    assert!(matches!(read("18446744073709551615 3\n", Some(0)), Err(FileError::NoPlace { .. })));
    // Base 1 is the default.
    assert_eq!(read("1 2 0.5\n", Some(1)).expect("a matrix"), read("1 2 0.5\n", None).expect("a matrix"));
    assert_eq!(
        read("1 2 0.5\n", Some(2)).expect_err("below").to_string(),
        "line 1, column 1: coordinate 1 of axis 0 is out of range; expected 2 or more"
    );
}

#[test]
fn prefixes_are_no_tensor_of_the_header() {
    let whole = "# extended FROSTT format\n3 3\n9 9 9\n1 2 3 0.5\n4 5 6 1.5\n7 8 9 25\n";
    for cut in 0..whole.len() {
        // A reader cannot know that the last digits of the last value or the final newline are missing.
        let read = read(&whole[..cut], None);
        assert!(read.is_err() || cut + 2 >= whole.len(), "{cut}: {:?}", &whole[..cut]);
    }
}
