//! The lines of an explanation, and how they are printed.

use super::statement::{Names, Value};
pub use crate::words::many;
use serde_json::{Value as Json, json};

/// The number of columns of a line.
const WIDTH: usize = 100;

/// The maximum number of coordinates at which a law is evaluated.
pub const POINTS: i64 = 4096;

/// A line of an account, with the depth of its indentation and the statements in its text.
struct Step {
    depth: usize,
    /// The text, without the backticks around statements.
    text: String,
    statements: Vec<String>,
}

/// The account of one operation: its names, and its steps.
#[derive(Default)]
pub struct Account {
    pub names: Names,
    steps: Vec<Step>,
}

impl Account {
    /// Adds a line at an indentation of `depth`. Text between backticks is a [statement](super::statement).
    ///
    /// Fails if a statement does not hold; the command then prints nothing.
    pub fn say(&mut self, depth: usize, text: impl AsRef<str>) -> Result<(), String> {
        let mut step = Step { depth, text: String::new(), statements: Vec::new() };
        for (k, part) in text.as_ref().split('`').enumerate() {
            step.text.push_str(part);
            if k % 2 == 1 {
                if !self.names.holds(part) {
                    return Err(format!("explain: `{part}` does not hold"));
                }
                step.statements.push(part.into());
            }
        }
        self.steps.push(step);
        Ok(())
    }

    /// Names a value, and adds a line that says so.
    pub fn name(&mut self, name: &str, value: &Value) -> Result<(), String> {
        self.names.bind(name, *value);
        self.say(0, format!("`{name} = {value}`"))
    }

    /// Returns the account as text, in lines of at most [`WIDTH`] columns.
    pub fn text(&self) -> String {
        self.steps.iter().map(|step| wrapped(&step.text, 2 * step.depth + 2)).collect::<Vec<_>>().join("\n")
    }

    /// Returns the account as JSON: `{"names": {..}, "steps": [{"depth", "text", "statements"}]}`.
    pub fn json(&self) -> Json {
        let names: serde_json::Map<_, _> = self.names.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let steps = self.steps.iter().map(|step| json!({"depth": step.depth, "text": step.text, "statements": step.statements}));
        json!({"names": names, "steps": steps.collect::<Vec<_>>()})
    }
}

/// Breaks a text into lines of at most [`WIDTH`] columns, the first after `indent` spaces: at spaces, or behind a comma if a
/// word alone is too long.
pub fn wrapped(text: &str, indent: usize) -> String {
    let mut out = " ".repeat(indent);
    let (mut column, mut empty) = (indent, true);
    for word in text.split(' ') {
        for (k, piece) in pieces(word, WIDTH - indent - 4).into_iter().enumerate() {
            let gap = usize::from(!empty && k == 0);
            if column + gap + piece.chars().count() > WIDTH && !empty {
                out.push('\n');
                out.push_str(&" ".repeat(indent + 4));
                column = indent + 4;
            } else if gap == 1 {
                out.push(' ');
                column += 1;
            }
            out.push_str(piece);
            column += piece.chars().count();
            empty = false;
        }
    }
    out
}

/// Splits a word into pieces of at most `most` columns, behind a comma or a colon if possible.
fn pieces(word: &str, most: usize) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = word;
    while rest.chars().count() > most {
        let end = rest.char_indices().nth(most).map_or(rest.len(), |(k, _)| k);
        let cut = rest[..end].rfind([',', ':', ';']).map_or(end, |k| k + 1);
        let (piece, after) = rest.split_at(cut);
        out.push(piece);
        rest = after;
    }
    out.push(rest);
    out
}
