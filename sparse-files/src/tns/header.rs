//! Headers that some programs write before the elements: the rank, the extents, and the number of elements.

use crate::error::{FileError, Result};
use crate::size_limits::coordinates;
use crate::text::{Claim, blank};

/// The header of a text, and the position at which its elements begin.
///
/// FROSTT itself has no header. MLIR writes the rank with the number of elements in one line, and the extents in the
/// next. ParTI and B-CSF write the rank alone, then the extents. Tensor Toolbox writes the word `sptensor`, the rank,
/// the extents and the number of elements in a line each.
pub(super) struct Header {
    /// The extents, if there is a header.
    pub shape: Option<Vec<u64>>,
    /// The number of elements, if the header contains it.
    pub entries: Option<u64>,
    /// The byte at which the lines of elements begin, and the number of this line, from 1.
    pub body: usize,
    pub line: u64,
}

/// The comment that this package writes before elements that could be taken for a header.
pub(super) const PLAIN: &str = "# FROSTT format\n";

/// The format that comments declare before the first line of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Plain,
    Extended,
}

/// A line with numbers.
struct Line<'t> {
    text: &'t [u8],
    at: usize,
    number: u64,
}

impl<'t> Line<'t> {
    fn words(&self) -> impl Iterator<Item = &'t [u8]> + use<'t> {
        self.text.split(|byte| blank(*byte)).filter(|word| !word.is_empty())
    }

    /// Returns the numbers of the line, or `None` unless there are exactly `N`, all whole and without a sign.
    fn numbers<const N: usize>(&self) -> Option<[u64; N]> {
        self.list(N)?.try_into().ok()
    }

    fn list(&self, length: usize) -> Option<Vec<u64>> {
        if length > sparse_formats::MAX_RANK || self.words().count() != length {
            return None;
        }
        self.words()
            .map(|word| if word.iter().all(u8::is_ascii_digit) { std::str::from_utf8(word).ok()?.parse().ok() } else { None })
            .collect()
    }
}

impl Header {
    /// Reads the header of a text, if it has one. The number of words in the first lines decides, because lines of a
    /// header and lines of elements differ in it.
    ///
    /// Fails if the first lines can be read both as a header and as elements, or if a comment announces a header that is
    /// missing.
    pub fn read(text: &[u8]) -> Result<Header> {
        let (mark, lines) = first_lines(text);
        let Some(first) = lines.first() else { return Ok(Header { shape: None, entries: None, body: text.len(), line: 1 }) };
        let wrong = |what: &str| Err(FileError::Text { line: first.number, column: 1, what: what.into() });
        let plain = Header { shape: None, entries: None, body: first.at, line: first.number };
        let Some((shape, entries, length)) = said(&lines) else {
            return match mark {
                Mark::Extended => wrong(
                    "the comment announces a header, but none follows: a line with the rank and, optionally, the number of elements, then a line with the extents",
                ),
                _ => Ok(plain),
            };
        };
        let element = lines.get(length);
        let fits = element.map_or(entries.unwrap_or(0) == 0, |element| element.words().count() == shape.len() + 1);
        let count = first.words().count();
        // A tensor without axes has one element.
        let fits_plain = count > 1 && lines.iter().all(|line| line.words().count() == count);
        match (mark, fits, fits_plain) {
            (Mark::Extended, ..) | (_, _, false) => {}
            (_, false, true) | (Mark::Plain, ..) => return Ok(plain),
            (Mark::None, true, true) => {
                return wrong(
                    "these lines are either the header of a matrix without elements or two elements of a vector: write the comment `# extended FROSTT format` before them for a header, or `# FROSTT format` for elements",
                );
            }
        }
        // A text without elements ends after the last line of the header.
        let last = &lines[length - 1];
        let body = element.map_or((last.at + last.text.len() + 1).min(text.len()), |element| element.at);
        Ok(Header { shape: Some(shape), entries, body, line: element.map_or(last.number + 1, |element| element.number) })
    }

    /// Returns the bounds that the header in the first lines of a text announces, or `None` if they are no valid header.
    pub fn claim(text: &[u8]) -> Option<Claim> {
        let Header { shape, entries, body, .. } = Header::read(text).ok()?;
        let shape = shape?;
        let most = coordinates(&shape);
        Some(Claim { entries: entries.map_or(most, |entries| entries.min(most)), numbers: shape.len() + 1, before: body })
    }
}

/// Returns the first four lines with numbers, and the format that comments before them declare. MLIR has written
/// comments that begin with `;`.
fn first_lines(text: &[u8]) -> (Mark, Vec<Line<'_>>) {
    let (mut mark, mut lines, mut at) = (Mark::None, Vec::new(), 0);
    for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let start = line.iter().position(|byte| !blank(*byte)).unwrap_or(line.len());
        let content = &line[start..];
        let comment = content.starts_with(b"#") || lines.is_empty() && content.starts_with(b";");
        if lines.is_empty() && content.trim_ascii_end().eq_ignore_ascii_case(b"sptensor") {
            mark = Mark::Extended;
        } else if comment && lines.is_empty() {
            let says = |word: &[u8]| content.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
            match (says(b"extended frostt"), says(b"frostt")) {
                (true, _) => mark = Mark::Extended,
                (_, true) if mark == Mark::None => mark = Mark::Plain,
                _ => {}
            }
        } else if !comment && !content.is_empty() {
            lines.push(Line { text: line, at, number });
            if lines.len() == 4 {
                break;
            }
        }
        at += line.len() + 1;
    }
    (mark, lines)
}

/// Returns the extents, the number of elements if the header has it, and the number of lines of a header. Returns `None` if the
/// first lines are no header.
fn said(lines: &[Line<'_>]) -> Option<(Vec<u64>, Option<u64>, usize)> {
    let [first, second, rest @ ..] = lines else { return None };
    let (rank, entries) = match (first.numbers(), first.numbers()) {
        (Some([rank, entries]), _) => (rank, Some(entries)),
        (_, Some([rank])) => (rank, None),
        _ => return None,
    };
    let shape = second.list(usize::try_from(rank).ok().filter(|rank| *rank > 0)?)?;
    // The line of an element with at least one axis has at least two words, so a single number is the number of
    // elements.
    match (entries, rest.first().and_then(Line::numbers)) {
        (None, Some([entries])) => Some((shape, Some(entries), 3)),
        _ => Some((shape, entries, 2)),
    }
}
