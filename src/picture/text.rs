//! Texts: how wide they are, and where they may break.

/// The advance of a character in em, at least that of common sans-serif fonts.
fn advance(c: char) -> f64 {
    match c {
        '0'..='9' | '{' | '}' | '$' => 0.64,
        'i' | 'j' | 'l' | '\'' => 0.3,
        ',' | '.' | ' ' | ':' | ';' | '/' | '\\' | '|' | 'I' | 'J' => 0.34,
        '(' | ')' | '[' | ']' | '-' | 'f' | 't' | 'r' | '!' => 0.43,
        '_' | '*' | '`' | '"' | '?' | 'k' | 's' | 'c' | 'z' => 0.6,
        'm' | 'W' | '@' | '%' => 1.0,
        'w' | 'M' | '+' | '<' | '=' | '>' | '#' | '~' | '^' => 0.87,
        'a'..='z' => 0.64,
        'A'..='Z' | '&' => 0.8,
        _ => 1.1,
    }
}

/// How wide a text is in em, at least.
pub fn em(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

/// How many columns of a terminal a text takes: two for each character of the wide scripts.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff | 0x20000..=0x3fffd) { 2 } else { 1 }).sum()
}

/// Where a text breaks beside the ends of its lines: after spaces; what does not fit then, after colons, then after commas, then anywhere.
const BREAKS: [char; 3] = [' ', ':', ','];

/// The text in lines of at most `most`, as `measure` counts.
pub fn wrap<M: PartialOrd>(text: &str, most: M, measure: impl Fn(&str) -> M) -> Vec<String> {
    let fits = |text: &str| measure(text.trim_end()) <= most;
    let mut out = Vec::new();
    for text in text.split('\n') {
        let mut line = String::new();
        for piece in pieces(text, &BREAKS, &fits) {
            if !line.is_empty() && !fits(&format!("{line}{piece}")) {
                out.push(std::mem::take(&mut line));
            }
            line.push_str(&piece);
        }
        out.push(line);
    }
    out.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn pieces(text: &str, breaks: &[char], fits: &impl Fn(&str) -> bool) -> Vec<String> {
    let [first, rest @ ..] = breaks else { return text.chars().map(String::from).collect() };
    let piece = |piece: &str| if fits(piece) { vec![piece.to_owned()] } else { pieces(piece, rest, fits) };
    text.split_inclusive(*first).flat_map(piece).collect()
}

/// The first `most` characters, with a mark where some are left out.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(all(test, feature = "png"))]
mod tests {
    use super::em;
    use resvg::usvg::{Node, Options, Tree};

    /// The width of a text in em, in the font of PNG files.
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
}
