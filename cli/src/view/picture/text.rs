//! The widths of texts, and their line breaks.

/// Returns an upper bound of the advance of a character in common sans-serif fonts, in em.
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

/// Returns an upper bound of the width of a text, in em.
pub fn em(text: &str) -> f64 {
    text.chars().map(advance).sum()
}

/// Returns the number of terminal columns of a text: two for each character of the wide scripts, one for all others.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if matches!(c as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff | 0x20000..=0x3fffd) { 2 } else { 1 }).sum()
}

/// The characters after which a text may break. Each is tried only if the ones before do not suffice; then any character.
const BREAKS: [char; 3] = [' ', ':', ','];

/// Breaks a text into lines whose `measure` is at most `most`. A tuple breaks between its elements before one of them breaks.
pub fn wrap<M: PartialOrd>(text: &str, most: M, measure: impl Fn(&str) -> M) -> Vec<String> {
    let fits = |text: &str| measure(text.trim_end()) <= most;
    let mut out = Vec::new();
    for text in text.split('\n') {
        let mut line = String::new();
        for piece in pieces(text, &fits) {
            if !line.is_empty() && (piece.is_empty() || !fits(&format!("{line}{piece}"))) {
                out.push(std::mem::take(&mut line));
            }
            line.push_str(piece);
        }
        if !line.is_empty() || text.is_empty() {
            out.push(line);
        }
    }
    out.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Splits a text into pieces that fit: the text itself, or the pieces of its parts. Parts end after the first of `BREAKS` that it has,
/// where the fewest parentheses are open. Empty pieces before and after a broken element of a tuple end the line there.
fn pieces<'t>(text: &'t str, fits: &impl Fn(&str) -> bool) -> Vec<&'t str> {
    if fits(text) {
        return vec![text];
    }
    let Some((at, ends)) = BREAKS.into_iter().map(|at| (at, shallowest(text, at))).find(|(_, ends)| !ends.is_empty()) else {
        return text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]).collect();
    };
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let parts = starts.zip(ends.iter().copied().chain([text.len()])).map(|(start, end)| &text[start..end]);
    parts
        .flat_map(|part| match pieces(part, fits) {
            broken if at == ',' && broken.len() > 1 => [vec![""], broken, vec![""]].concat(),
            pieces => pieces,
        })
        .collect()
}

/// Returns the bytes behind each character `at` of `text` at which the fewest parentheses are open, except at the end of the
/// text.
fn shallowest(text: &str, at: char) -> Vec<usize> {
    let (mut open, mut least, mut found) = (0i32, i32::MAX, Vec::new());
    let last = text.trim_end().len();
    for (k, c) in text.char_indices().take_while(|(k, c)| k + c.len_utf8() < last) {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open -= 1,
            c if c == at && open <= least => {
                if open < least {
                    (least, found) = (open, Vec::new());
                }
                found.push(k + c.len_utf8());
            }
            _ => {}
        }
    }
    found
}

/// Returns the first `most` characters of a text. If it is longer, `…` replaces the last of them.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(all(test, feature = "png"))]
mod tests;
