//! Widths of texts, and their line breaks.

use super::em;
use resvg::usvg::{Node, Options, Tree};

/// Returns the width of a text in em, in the font of PNG files.
fn measured(text: &str) -> f64 {
    let mut options = Options::default();
    options.fontdb_mut().load_font_data(dejavu::sans::regular().to_vec());
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='99'><text y='50' font-size='10' font-family='DejaVu Sans'>{text}</text></svg>"
    );
    let tree = Tree::from_str(&svg, &options).expect("an SVG");
    match &tree.root().children()[0] {
        Node::Text(text) => f64::from(text.bounding_box().width()) / 10.0,
        other => panic!("{other:?} is not a text"),
    }
}

#[test]
fn texts_are_at_most_as_wide_as_counted() {
    for c in ('!'..='~').chain(['…', '→', '×', 'é', 'Ж', '∘']) {
        let text: String = std::iter::repeat_n(c, 20).collect();
        let (counted, measured) = (em(&text), measured(&text));
        assert!(counted >= measured - 1e-3 && counted < 2.0 * measured + 2.0, "{c}: counted {counted}, measured {measured}");
    }
}

#[test]
fn breaks_are_at_spaces_first() {
    let lines = |most| super::wrap("product(A, B) = (2,3):(1,2)", most, super::columns);
    assert_eq!(lines(40), ["product(A, B) = (2,3):(1,2)"]);
    assert_eq!(lines(16), ["product(A, B) =", "(2,3):(1,2)"]);
    assert_eq!(lines(7), ["product", "(A, B)", "=", "(2,3):", "(1,2)"]);
}

#[test]
fn tuples_break_between_their_elements() {
    let lines = |most| super::wrap("A o B = ((4,6),(2,2)):((12,1),(48,6))", most, super::columns);
    assert_eq!(lines(24), ["A o B = ((4,6),(2,2)):", "((12,1),(48,6))"]);
    assert_eq!(lines(12), ["A o B =", "((4,6),", "(2,2)):", "((12,1),", "(48,6))"]);
    assert_eq!(lines(6), ["A o B", "=", "((4,", "6),", "(2,", "2)):", "((12,", "1),", "(48,", "6))"]);
    // The outer call breaks before its arguments do.
    let text = "product((2,2):(1,2), (3,4):(4,1)) = R";
    assert_eq!(super::wrap(text, 22, super::columns), ["product((2,2):(1,2),", "(3,4):(4,1)) = R"]);
}
