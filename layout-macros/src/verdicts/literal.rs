//! String literals as texts.

use proc_macro2::TokenTree;

/// The text of a string literal.
pub struct Text {
    /// The text, with escapes replaced.
    pub text: String,
    /// The number of lines of the Rust file above the literal. It is 0 if the literal has escapes: its lines then differ from the
    /// lines of the file.
    pub lines_before: usize,
}

impl Text {
    /// Returns the text of a string literal, plain or raw; `None` for other tokens.
    pub fn of(token: &TokenTree) -> Option<Text> {
        let TokenTree::Literal(literal) = token else { return None };
        let source = literal.to_string();
        let (inside, raw) = match source.strip_prefix('r') {
            None => (source.strip_prefix('"')?.strip_suffix('"')?, false),
            Some(rest) => {
                let from = rest.find('"')?;
                (rest[from..].strip_suffix(&rest[..from])?.strip_prefix('"')?.strip_suffix('"')?, true)
            }
        };
        if raw || !inside.contains('\\') {
            // Only the compiler has files, and tests run without it.
            let line = if proc_macro::is_available() { literal.span().unwrap().line() } else { 1 };
            return Some(Text { text: inside.into(), lines_before: line.saturating_sub(1) });
        }
        Some(Text { text: without_escapes(inside)?, lines_before: 0 })
    }
}

/// Replaces the escapes of a string by their characters. Returns `None` for an escape that Rust does not have.
fn without_escapes(inside: &str) -> Option<String> {
    let (mut out, mut rest) = (String::new(), inside);
    while let Some(at) = rest.find('\\') {
        out += &rest[..at];
        let mut after = rest[at + 1..].chars();
        match after.next()? {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            '0' => out.push('\0'),
            same @ ('\\' | '\'' | '"') => out.push(same),
            'x' => {
                let (digits, end) = after.as_str().split_at_checked(2)?;
                out.push(char::from(u8::from_str_radix(digits, 16).ok()?));
                after = end.chars();
            }
            'u' => {
                let (digits, end) = after.as_str().strip_prefix('{')?.split_once('}')?;
                out.push(char::from_u32(u32::from_str_radix(&digits.replace('_', ""), 16).ok()?)?);
                after = end.chars();
            }
            // A line that ends in `\` goes on at the next character that is not blank.
            '\n' => after = after.as_str().trim_start_matches([' ', '\t', '\n', '\r']).chars(),
            _ => return None,
        }
        rest = after.as_str();
    }
    Some(out + rest)
}
