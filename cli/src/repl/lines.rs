//! Lines of a session: their words, and whether a line goes on.

/// A word of a line.
#[derive(Debug, PartialEq)]
pub struct Word {
    /// The byte of the line at which the word starts.
    pub start: usize,
    /// The text of the word without its quotes.
    pub text: String,
}

/// The words of a line.
pub struct Words {
    pub words: Vec<Word>,
    /// True if a bracket or a quote at the end of the line has no partner.
    pub open: bool,
}

/// Splits a line at white space outside of quotes and brackets. Quotes around a word are not part of it; quotes inside brackets are.
/// A backslash before `"` or `\` is left out in double quotes. An apostrophe after a letter is no quote.
pub fn words(line: &str) -> Words {
    let mut words: Vec<Word> = Vec::new();
    let (mut depth, mut quote, mut inside, mut last) = (0_usize, None, false, ' ');
    let mut letters = line.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if depth == 0 && quote.is_none() && letter.is_whitespace() {
            (inside, last) = (false, letter);
            continue;
        }
        if !inside {
            words.push(Word { start, text: String::new() });
            inside = true;
        }
        let Some(Word { text, .. }) = words.last_mut() else { continue };
        let kept = match (quote, letter) {
            (Some(open), letter) if letter == open => {
                quote = None;
                depth > 0
            }
            (Some('"'), '\\') => {
                let escaped = letters.next_if(|(_, next)| matches!(next, '"' | '\\'));
                if depth > 0 || escaped.is_none() {
                    text.push('\\');
                }
                text.extend(escaped.map(|(_, next)| next));
                false
            }
            (None, '"' | '\'') if !last.is_alphanumeric() => {
                quote = Some(letter);
                depth > 0
            }
            (None, '(' | '[' | '{') => {
                depth += 1;
                true
            }
            (None, ')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                true
            }
            _ => true,
        };
        if kept {
            text.push(letter);
        }
        last = letter;
    }
    Words { words, open: depth > 0 || quote.is_some() }
}

/// Joins the words of each composition, such as `S<3,3,3> o 0 o (64,64):(64,1)`, into one.
pub fn compositions(words: Vec<String>) -> Vec<String> {
    let (mut joined, mut is_open): (Vec<String>, bool) = (Vec::new(), false);
    for word in words {
        let is_operator = word == "o";
        match joined.last_mut() {
            Some(last) if is_open || is_operator => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => joined.push(word),
        }
        is_open = is_operator;
    }
    joined
}

/// Tests whether a line is a comment.
pub fn is_comment(text: &str) -> bool {
    text.trim_start().starts_with('#')
}

/// Tests whether an entry of one or more lines is complete: no bracket or quote is open, or its last line is empty.
pub fn is_complete(entry: &str) -> bool {
    is_comment(entry) || !words(entry).open || entry.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty())
}

/// Collects lines into entries.
#[derive(Default)]
pub struct Entries(String);

impl Entries {
    /// Appends a line. Returns the entry if the line completes one.
    pub fn push(&mut self, line: &str) -> Option<String> {
        self.0.push_str(line);
        if is_complete(&self.0) {
            return Some(std::mem::take(&mut self.0));
        }
        self.0.push('\n');
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Entries, words};

    #[test]
    fn words_end_outside_of_quotes_and_brackets() {
        let of = |line: &str| words(line).words.into_iter().map(|word| (word.start, word.text)).collect::<Vec<_>>();
        assert_eq!(of(" a  (b, c) 'd e'"), [(1, "a".into()), (4, "(b, c)".into()), (11, "d e".into())]);
        assert_eq!(
            of(r#"plan {"layout": "a]b", "c\"": 1} """#),
            [(0, "plan".into()), (5, r#"{"layout": "a]b", "c\"": 1}"#.into()), (33, String::new())]
        );
        assert_eq!(of(r#""a\"b\\c\d""#), [(0, r#"a"b\c\d"#.into())]);
        assert_eq!(of("it doesn't"), [(0, "it".into()), (3, "doesn't".into())]);
        for (line, open) in [("(a", true), ("a)", false), ("'a", true), ("\"(\"", false), ("{'}", true), ("", false)] {
            assert_eq!(words(line).open, open, "{line}");
        }
    }

    #[test]
    fn entries_end_with_their_brackets_or_an_empty_line() {
        let mut entries = Entries::default();
        let read = ["4:1", "(4,", "8)", "# (", "(4,", " ", "5"].map(|line| entries.push(line));
        assert_eq!(read.map(Option::unwrap_or_default), ["4:1", "", "(4,\n8)", "# (", "", "(4,\n ", "5"]);
    }
}
