//! Numbers in place of names in a text of the notation.

use crate::heap::*;
use core::fmt::Display;

/// Replaces each name in `text` by the text of its value. A name before `(` is an operation and stays, and so do names without a value.
///
/// ```
/// use layout_algebra::text::bind;
/// let values = [("m", 96), ("ld", 100)];
/// assert_eq!(bind("size((m,64):(ld,1))", &values), "size((96,64):(100,1))");
/// // `m` of another name stays, and operations stay.
/// assert_eq!(bind("m(m2, rank((m,n)))", &values), "m(m2, rank((96,n)))");
/// assert_eq!(bind("composition(a, 4:2)", &[("a", "(4,8):(8,1)")]), "composition((4,8):(8,1), 4:2)");
/// ```
pub fn bind(text: &str, values: &[(&str, impl Display)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        out.push_str(before);
        let value = values.iter().find(|(name, _)| *name == word && !after.trim_start().starts_with('('));
        match value {
            Some((_, value)) => out.push_str(&value.to_string()),
            None => out.push_str(word),
        }
        rest = after;
    }
    out + rest
}
