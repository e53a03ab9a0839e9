//! Parses the header: the first line, the comments, and the line of sizes.

use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::text::{blank, number, place, word};
use sparse_formats::Symmetry;

/// The words for symmetries in the first line, each with its symmetry.
pub(super) const SYMMETRIES: &[(&str, Option<Symmetry>)] = &[
    ("general", None),
    ("symmetric", Some(Symmetry::Symmetric)),
    ("hermitian", Some(Symmetry::Hermitian)),
    ("skew-symmetric", Some(Symmetry::Skew)),
];

/// The word of the first line that says what the values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Values {
    Real,
    Integer,
    Unsigned,
    Complex,
    Pattern,
}

pub(super) const VALUES: &[(&str, Values)] = &[
    ("real", Values::Real),
    ("double", Values::Real),
    ("integer", Values::Integer),
    ("unsigned-integer", Values::Unsigned),
    ("complex", Values::Complex),
    ("pattern", Values::Pattern),
];

/// The header of a file.
pub(super) struct Header<'p> {
    pub coordinates: bool,
    pub values: Values,
    pub symmetry: Option<Symmetry>,
    pub shape: Vec<u64>,
    /// The number of entries, or `None` if the file has the values of all elements.
    pub entries: Option<u64>,
    /// The comments, without the `%` that begins them.
    pub comments: Vec<String>,
    /// The byte after the line of sizes, and the number of the line that begins there, from 1.
    pub body: usize,
    pub line: u64,
    /// The callback for progress reports.
    pub progress: &'p Progress,
}

/// The first word of every file, in lower case.
const BANNER: &str = "%%matrixmarket";

/// Tests whether a text begins with the first word, in letters of either case. Spaces may precede it, as readers in C skip
/// them.
pub(crate) fn is_first_line(text: &[u8]) -> bool {
    let start = text.iter().position(|byte| !blank(*byte)).unwrap_or(0);
    text[start..].get(..BANNER.len()).is_some_and(|word| word.eq_ignore_ascii_case(BANNER.as_bytes()))
}

/// Returns the line that begins at byte `at`, without the newline, and the byte at which the next line begins.
fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end);
    (&text[at..end], (end + 1).min(text.len()))
}

impl<'p> Header<'p> {
    pub fn read(text: &[u8], progress: &'p Progress) -> Result<Header<'p>> {
        let wrong = |at: usize, what: String| {
            let (line, column) = place(text, at, 1);
            Err(FileError::Text { line, column, what })
        };
        let (first, mut at) = line(text, 0);
        // The same bytes as between numbers separate words.
        let words = first.split(|byte| blank(*byte)).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(|word| String::from_utf8_lossy(word).to_ascii_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let [BANNER, object, layout, values, symmetry] = words[..] else {
            return wrong(0, "the first line must be `%%MatrixMarket OBJECT FORMAT FIELD SYMMETRY`".into());
        };
        let rank = match object {
            "matrix" => 2,
            "vector" => 1,
            _ => return wrong(0, format!("`{object}` is neither `matrix` nor `vector`")),
        };
        let coordinates = match layout {
            "coordinate" => true,
            "array" => false,
            _ => return wrong(0, format!("`{layout}` is neither `coordinate` nor `array`")),
        };
        let known = |word: &str| VALUES.iter().find(|(name, _)| *name == word);
        let Some((_, values)) = known(values) else {
            return wrong(0, format!("`{values}` is not one of real, integer, unsigned-integer, complex, pattern"));
        };
        let Some((_, symmetry)) = SYMMETRIES.iter().find(|(name, _)| *name == symmetry) else {
            return wrong(0, format!("`{symmetry}` is not one of general, symmetric, skew-symmetric, hermitian"));
        };
        let (values, symmetry) = (*values, *symmetry);
        match (values, symmetry) {
            (Values::Pattern, _) if !coordinates => {
                return wrong(0, "a pattern has no values, so its format must be `coordinate`, not `array`".into());
            }
            (Values::Pattern, Some(Symmetry::Skew)) => return wrong(0, "a pattern has no values, so it cannot be skew-symmetric".into()),
            (_, Some(Symmetry::Hermitian)) if values != Values::Complex => {
                return wrong(0, "a hermitian matrix must have complex values".into());
            }
            (_, Some(_)) if rank != 2 => return wrong(0, "a vector cannot have a symmetry: write `general`".into()),
            _ => {}
        }
        let mut comments = Vec::new();
        let sizes = loop {
            if at >= text.len() {
                return wrong(at, "the line of sizes is missing".into());
            }
            let (content, next) = line(text, at);
            match content.iter().position(|byte| !blank(*byte)) {
                None => {}
                Some(start) if content[start] == b'%' => {
                    comments.push(String::from_utf8_lossy(&content[start + 1..]).trim_end().to_owned())
                }
                Some(start) => {
                    let start = at + start;
                    at = next;
                    break start;
                }
            }
            at = next;
        };
        let mut numbers = Vec::new();
        let mut place = sizes;
        while text.get(place).is_some_and(|byte| *byte != b'\n') {
            match number(text, &mut place) {
                Some(number) if text.get(place).is_none_or(|byte| blank(*byte) || *byte == b'\n') => numbers.push(number),
                _ => return wrong(place, format!("`{}` is not a size: an unsigned integer of 64 bits is needed", word(text, place))),
            }
            while text.get(place).is_some_and(|byte| blank(*byte)) {
                place += 1;
            }
        }
        let expected = rank + usize::from(coordinates);
        if numbers.len() != expected {
            return wrong(sizes, format!("the line of sizes needs {expected} numbers, but has {}", numbers.len()));
        }
        let entries = if coordinates { numbers.pop() } else { None };
        if symmetry.is_some() && numbers[0] != numbers[1] {
            return wrong(sizes, format!("a matrix with a symmetry must be square, but this one is {} by {}", numbers[0], numbers[1]));
        }
        let (body_line, _) = crate::text::place(text, at, 1);
        // A text that ends with its line of sizes has no line after it.
        Ok(Header { coordinates, values, symmetry, shape: numbers, entries, comments, body: at, line: body_line, progress })
    }
}
