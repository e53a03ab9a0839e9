//! The divisions and searches of the text, and its names.

use crd2idx::program::{Emit, Language, OffsetWord, RaggedLevel, RaggedLevels};

fn levels(levels: &[RaggedLevel]) -> RaggedLevels {
    RaggedLevels::new(levels).expect("levels")
}

#[test]
fn fixed_levels_divide_once() {
    let rows = RaggedLevel::Offsets(OffsetWord::U32);
    let fixed = |sizes: &[u64]| sizes.iter().map(|n| RaggedLevel::Fixed(*n)).collect::<Vec<_>>();
    for language in [Language::C, Language::Cuda, Language::OpenCl, Language::Wgsl, Language::Rust] {
        let text = |sizes: &[u64]| {
            let all = levels(&[&[rows.clone()][..], &fixed(sizes), &[rows.clone()][..], &fixed(sizes)].concat());
            all.emit_coordinates(&Emit::new(language, "place")).expect("a text").device
        };
        let count = |text: &str, sign: &str| {
            text.lines().filter(|line| !line.starts_with('/')).map(|line| line.matches(sign).count()).sum::<usize>()
        };
        // Except for the middle of each search, powers of two become shifts and masks.
        let shifts = text(&[4, 8, 2]);
        assert_eq!((count(&shifts, " / "), count(&shifts, " % ")), (2, 0), "{shifts}");
        assert!(shifts.contains("position >> 6"), "{shifts}");
        // Each size divides once.
        let divisions = text(&[3, 5, 7]);
        assert_eq!((count(&divisions, " / "), count(&divisions, " % ")), (2 + 2 * 3, 2 * 3), "{divisions}");
    }
}

#[test]
fn the_coordinates_are_straight_line_code() {
    let all = levels(&[RaggedLevel::Offsets(OffsetWord::I64), RaggedLevel::Dense("n".into()), RaggedLevel::Offsets(OffsetWord::U64)]);
    let text = all.emit_coordinates(&Emit::new(Language::C, "place")).expect("a text").device;
    let body = text.split_once("place_result place(").expect("the function").1;
    assert!(!["while", "for", "if", "offsets"].iter().any(|word| body.contains(word)), "{body}");
    // Each level is searched once, in one function.
    assert_eq!(text.matches("/ 2").count(), 2, "{text}");
    assert!(!text.split_once("place_next(").expect("the walk").1.contains("/ 2"), "{text}");
}

#[test]
fn names_do_not_meet() {
    let all = levels(&[RaggedLevel::Offsets(OffsetWord::U32), RaggedLevel::Dense("leaf".into()), RaggedLevel::Dense("at_2".into())]);
    let text = all.emit_coordinates(&Emit::new(Language::C, "at").fast_division(false)).expect("a text").device;
    assert!(text.contains("at_2_result at_2(uint32_t leaf, at_2_cursor at, uint32_t leaf_2, uint32_t at_2_2) {"), "{text}");
    let text = levels(&[RaggedLevel::Dense("for".into())]).emit_parents(&Emit::new(Language::Cuda, "while")).expect("a text").device;
    assert!(text.contains("while_2_fill0(\n    uint32_t for_2,\n    uint32_t rows0,"), "{text}");
}
