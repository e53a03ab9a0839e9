//! Reads lines of coordinates and a value into one array per axis and one of values.

use super::{Field, blank, number};
use crate::error::{FileError, Result};
use crate::progress::Progress;
use layout_levels::Index;

/// The layout of the lines of a text: what each line of an entry contains, and what is known before reading.
pub(crate) struct Layout<'l> {
    /// The number of coordinates in a line.
    pub rank: usize,
    /// The extents, if they are known before reading.
    pub extents: Option<&'l [u64]>,
    /// The number that the text writes for the first coordinate of each axis: 0 or 1.
    pub base: u64,
    /// The number of entries, if the text announces it.
    pub entries: Option<u64>,
    /// The first byte of a comment line.
    pub comment: u8,
    /// The number of the first line of the text in its file, from 1.
    pub line: u64,
    /// The callback for progress reports.
    pub progress: &'l Progress,
}

/// The bounds that the first lines of a text announce for the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    /// The largest number of entries that can be needed.
    pub entries: u64,
    /// The number of coordinates and values in the line of an entry.
    pub numbers: usize,
    /// The number of bytes before the first entry.
    pub before: usize,
}

impl Claim {
    /// The maximum number of bytes for a number with the blanks, comments and empty lines around it. Programs write
    /// far fewer.
    const NUMBER: u64 = 64;

    /// Returns the maximum number of bytes of a text with these bounds, including the bytes before the first entry.
    pub fn most(self) -> u64 {
        self.entries.saturating_mul(self.numbers as u64 * Claim::NUMBER).saturating_add(self.before as u64)
    }
}

/// The coordinates of the entries, counted from 0, one column per axis, and the values.
pub(crate) struct Entries<I, V> {
    pub columns: Vec<Vec<I>>,
    pub values: Vec<V>,
}

/// The description of a missing coordinate in error messages.
const COORDINATE: &str = "a coordinate (digits only)";

/// The smallest number of bytes that a thread parses at a time, except at the end of a text.
const CHUNK: usize = 1 << 20;

/// An error at byte `at` of a range of a text.
struct Fault {
    at: usize,
    what: What,
}

enum What {
    /// The expected text is missing: something else follows, or the line ends.
    Missing(&'static str),
    /// The line has too many numbers.
    Behind,
    Range {
        axis: usize,
        found: u64,
    },
    TooMany,
}

/// A range of whole lines of a text, and the slices that its entries are written to.
struct Part<'t, I, V> {
    text: &'t [u8],
    columns: Vec<&'t mut [I]>,
    values: &'t mut [V],
}

/// Parses the entries of a text. Allocates memory for at most the number of entries that the lines can hold, whatever the text
/// announces.
///
/// Fails at the first invalid line, with its position and the expected text. Also fails if the number of entries
/// differs from the announced one.
pub(crate) fn read<I: Index, V: Field>(text: &[u8], layout: &Layout) -> Result<Entries<I, V>> {
    let parts = split(text);
    // A coordinate takes at least a digit and a separator.
    let least = (2 * layout.rank + V::LEAST).max(1);
    let room = |part: &[u8]| (memchr::memchr_iter(b'\n', part).count() + 1).min(part.len() / least + 1);
    let lines = each(parts.clone(), room);
    let room: usize = lines.iter().sum();
    let mut columns: Vec<Vec<I>> = (0..layout.rank).map(|_| vec![I::default(); room]).collect();
    let mut values = vec![V::default(); room];
    let mut rest: Vec<&mut [I]> = columns.iter_mut().map(Vec::as_mut_slice).collect();
    let mut rest_values = &mut values[..];
    let mut jobs = Vec::with_capacity(parts.len());
    for (text, lines) in parts.iter().zip(&lines) {
        let columns = rest.iter_mut().map(|rest| rest.split_off_mut(..*lines).unwrap_or_default()).collect();
        jobs.push(Part { text, columns, values: rest_values.split_off_mut(..*lines).unwrap_or_default() });
    }
    layout.progress.expect(text.len());
    let read = each(jobs, |part| {
        // Report before parsing: the callback may unwind to end the work, and then the rest need not be parsed.
        layout.progress.add(part.text.len());
        entries(part, layout)
    });
    let mut found = Vec::with_capacity(read.len());
    for (part, read) in parts.iter().zip(read) {
        found.push(read.map_err(|fault| located::<V>(text, part, fault, layout))?);
    }
    // Lines without an entry leave gaps between the entries of two ranges; close the gaps.
    let total: usize = found.iter().sum();
    if total < room {
        let (mut from, mut to) = (0, 0);
        for (found, lines) in found.iter().zip(&lines) {
            columns.iter_mut().for_each(|column| column.copy_within(from..from + found, to));
            values.copy_within(from..from + found, to);
            (from, to) = (from + lines, to + found);
        }
        columns.iter_mut().for_each(|column| column.truncate(total));
        values.truncate(total);
    }
    match layout.entries {
        Some(said) if said != total as u64 => Err(FileError::Entries { said, found: total as u64 }),
        _ => Ok(Entries { columns, values }),
    }
}

/// Splits a text into ranges of whole lines, each of at least `CHUNK` bytes except the last.
fn split(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::with_capacity(text.len() / CHUNK + 1);
    let mut rest = text;
    while rest.len() > CHUNK {
        let Some(end) = memchr::memchr(b'\n', &rest[CHUNK..]) else { break };
        let (part, after) = rest.split_at(CHUNK + end + 1);
        parts.push(part);
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Applies `f` to each of the `parts` on all threads of the pool, and returns the results in order.
#[cfg(feature = "parallel")]
pub(super) fn each<T: Send, U: Send>(parts: Vec<T>, f: impl Fn(T) -> U + Sync + Send) -> Vec<U> {
    use rayon::prelude::*;
    if parts.len() < 2 || rayon::current_num_threads() == 1 {
        return parts.into_iter().map(f).collect();
    }
    parts.into_par_iter().map(f).collect()
}

/// Applies `f` to each of the `parts`, and returns the results in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn each<T, U>(parts: Vec<T>, f: impl Fn(T) -> U) -> Vec<U> {
    parts.into_iter().map(f).collect()
}

/// Parses the entries of a range of lines into its slices, and returns their number. Fails at the first invalid line.
fn entries<I: Index, V: Field>(part: Part<I, V>, layout: &Layout) -> std::result::Result<usize, Fault> {
    let Part { text, mut columns, values } = part;
    let fault = |at, what| Err(Fault { at, what });
    let most = layout.extents;
    let (mut at, mut entry) = (0, 0);
    loop {
        while text.get(at).is_some_and(|byte| blank(*byte) || *byte == b'\n') {
            at += 1;
        }
        match text.get(at) {
            None => return Ok(entry),
            Some(byte) if *byte == layout.comment => {
                at += memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at);
                continue;
            }
            Some(_) => {}
        }
        let Some(value) = values.get_mut(entry) else { return fault(at, What::TooMany) };
        for (axis, column) in columns.iter_mut().enumerate() {
            let start = at;
            let Some(number) = number(text, &mut at) else { return fault(start, What::Missing(COORDINATE)) };
            let coordinate = number.wrapping_sub(layout.base);
            let beyond = most.is_some_and(|extents| coordinate >= extents[axis]);
            match I::from_u64(coordinate).filter(|_| !beyond && number >= layout.base) {
                Some(index) => column[entry] = index,
                None => return fault(start, What::Range { axis, found: number }),
            }
            let end = at;
            while text.get(at).is_some_and(|byte| blank(*byte)) {
                at += 1;
            }
            // A number is followed by a space or by the end of the line.
            if at == end && text.get(at).is_some_and(|byte| *byte != b'\n') {
                return fault(at, What::Missing(COORDINATE));
            }
        }
        let start = at;
        match V::read(text, &mut at) {
            Some(read) => *value = read,
            None => return fault(start, What::Missing(V::WHAT)),
        }
        while text.get(at).is_some_and(|byte| blank(*byte)) {
            at += 1;
        }
        match text.get(at) {
            None | Some(b'\n') => at += 1,
            Some(_) if blank(text[at - 1]) => return fault(at, What::Behind),
            Some(_) => return fault(at, What::Missing(V::WHAT)),
        }
        entry += 1;
    }
}

/// Returns the line and the column of byte `at` of a text, whose first line has the number `first`. Columns count from 1.
pub(crate) fn place(text: &[u8], at: usize, first: u64) -> (u64, u64) {
    let before = &text[..at.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count() as u64;
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    (first + line, (before.len() - start) as u64 + 1)
}

/// Returns the number of the line with this entry of a text; entries count from 0, and lines from `layout.line`.
pub(crate) fn line_of(text: &[u8], layout: &Layout, entry: usize) -> u64 {
    let lines = (layout.line..).zip(text.split(|byte| *byte == b'\n'));
    let mut entries = lines.filter(|(_, line)| line.iter().find(|byte| !blank(**byte)).is_some_and(|first| *first != layout.comment));
    entries.nth(entry).map_or(layout.line, |(line, _)| line)
}

/// Returns the number or the word around byte `at` of a text, shortened to 40 characters. It is empty at the end of a line.
pub(crate) fn word(text: &[u8], at: usize) -> String {
    const MOST: usize = 40;
    let outside = |byte: &u8| blank(*byte) || *byte == b'\n';
    let start = text[..at].iter().rposition(outside).map_or(0, |before| before + 1);
    let end = text[at..].iter().position(outside).map_or(text.len(), |length| at + length);
    if at == end {
        return String::new();
    }
    let word = String::from_utf8_lossy(&text[start..end]);
    if word.chars().count() > MOST { format!("{}..", word.chars().take(MOST).collect::<String>()) } else { word.into_owned() }
}

/// Converts a fault in the range `part` of a text to an error with the line and the column in the file.
fn located<V: Field>(text: &[u8], part: &[u8], fault: Fault, layout: &Layout) -> FileError {
    let offset = part.as_ptr().addr() - text.as_ptr().addr();
    let (line, column) = place(text, offset + fault.at, layout.line);
    let word = word(part, fault.at);
    match fault.what {
        What::Missing(expected) if word.is_empty() => FileError::Text { line, column, what: format!("the line ends before {expected}") },
        What::Missing(expected) => FileError::Text { line, column, what: format!("`{word}` is not {expected}") },
        What::Behind => {
            let coordinates = match layout.rank {
                0 => String::new(),
                1 => "1 coordinate".into(),
                rank => format!("{rank} coordinates"),
            };
            let parts = [&coordinates, V::WHAT].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" and ");
            FileError::Text { line, column, what: format!("`{word}` is one number too many: a line has {parts}") }
        }
        What::TooMany => FileError::Text { line, column, what: "the text has more entries than its lines can hold".into() },
        What::Range { axis, found } => {
            let extent = layout.extents.map_or(u64::MAX, |extents| extents[axis]);
            FileError::TextRange { line, column, axis, found, extent, base: layout.base }
        }
    }
}

/// Parses a text with one value per line and no coordinates, and fails as [`read`] does.
pub(crate) fn column<V: Field>(text: &[u8], layout: &Layout) -> Result<Vec<V>> {
    Ok(read::<u8, V>(text, &Layout { rank: 0, extents: None, ..*layout })?.values)
}
