//! `crd2idx show`: widths, bands, colours.

use super::cases::{cases, drawn, printed};

/// Counts the columns of a line. The wide characters of the cases count twice.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2e80}'..'\u{a4d0}').contains(&c) { 2 } else { 1 }).sum()
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for case in cases() {
        for width in [24, 40, 66, 80, 132] {
            let text = drawn("show", &case, &["--width", &width.to_string()]);
            for line in text.lines() {
                assert!(columns(line) <= width, "{:?} at {width}: {} columns\n{text}", case.0, columns(line));
            }
        }
    }
}

#[test]
fn narrow_terminals_lose_nothing() {
    // Every index appears once, in any number of bands.
    for width in ["20", "31", "50", "100"] {
        let text = printed(&["show", "layout", "(4,40):(40,1)", "--width", width], None);
        let body = text
            .lines()
            .filter(|line| line.contains('│'))
            .flat_map(|line| line.split('│').nth(1).into_iter().flat_map(str::split_whitespace));
        let mut seen: Vec<usize> = body.map(|word| word.parse().expect("an index")).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..160).collect::<Vec<_>>(), "{width}\n{text}");
    }
    let text = printed(&["show", "layout", "(2,40):(40,1)", "--width", "60"], None);
    assert!(text.contains("\n… from column 16\n"), "{text}");
}

#[test]
fn grids_are_ruled_between_groups() {
    let text = printed(&["show", "layout", "((2,2),(2,2)):((1,4),(2,8))", "--width", "40"], None);
    let expected = "((2,2),(2,2)):((1,4),(2,8))\n        0       1\n       0  1    0  1\n    ┌───────┬───────┐\n0 0 │  0  2 │  8 10 │\n  1 │  1  3 │  9 11 │\n    \
                    ├───────┼───────┤\n1 0 │  4  6 │ 12 14 │\n  1 │  5  7 │ 13 15 │\n    └───────┴───────┘\n";
    assert_eq!(text, expected);
}

#[test]
fn colours_are_escapes_around_the_same_text() {
    for case in cases() {
        let plain = drawn("show", &case, &["--width", "80", "--color", "never"]);
        let coloured = drawn("show", &case, &["--width", "80", "--color", "always"]);
        assert!(!plain.contains('\x1b') && coloured.contains("\x1b["), "{:?}", case.0);
        let mut stripped = String::new();
        let mut parts = coloured.split('\x1b');
        stripped.push_str(parts.next().expect("a first part"));
        parts.for_each(|part| stripped.push_str(part.split_once('m').expect("an escape ends").1));
        assert_eq!(stripped.lines().map(str::trim_end).collect::<Vec<_>>(), plain.lines().collect::<Vec<_>>(), "{:?}", case.0);
    }
    // A pipe has no colours.
    assert!(!printed(&["show", "layout", "4:1"], None).contains('\x1b'));
}

#[test]
fn colours_say_what_is_asked() {
    let backgrounds = |by: &str| -> Vec<Vec<String>> {
        let text = printed(&["show", "layout", "((2,2),4):((1,8),2)", "--by", by, "--color", "always"], None);
        let of = |line: &str| line.split("48;5;").skip(1).map(|part| part.split('m').next().expect("a number").to_owned()).collect();
        text.lines().map(of).filter(|line: &Vec<String>| !line.is_empty()).collect()
    };
    let index = backgrounds("index");
    // Equal indices modulo 8 have equal colours, and others have other colours. Rows 0 and 2 are 8 apart.
    assert_eq!(index[0], index[2]);
    assert_eq!(index[0].iter().chain(&index[1]).collect::<std::collections::BTreeSet<_>>().len(), 8);
    // Each block has one colour.
    let mode = backgrounds("mode");
    assert_eq!((mode[0].len(), &mode[0], &mode[2]), (1, &mode[1], &mode[3]));
    assert_ne!(mode[0], mode[2]);
}
