//! A session: a line in, an answer out.

use super::lines::{is_comment, words};
use super::names::{Names, assignment};
use super::picture::Pictures;
use super::{HELP, OUTSIDE, is_command};
use crate::Command;
use crate::eval::{LEAVES, SYMBOLS};
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;

/// The answer to a line.
pub enum Answer {
    /// The text to print, which may be empty.
    Text(String),
    /// The line ends the session.
    End,
}

/// The state between two lines.
pub struct Session {
    names: Names,
    pictures: Pictures,
}

impl Session {
    /// Starts a session without names.
    pub fn new(pictures: Pictures) -> Session {
        Session { names: Names::default(), pictures }
    }

    /// Returns the names that the session keeps.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name)
    }

    /// Answers a line. Fails with the message of the refusal; the session goes on.
    pub fn answer(&mut self, line: &str) -> Result<Answer, String> {
        let line = line.trim();
        if line.is_empty() || is_comment(line) {
            return Ok(Answer::Text(String::new()));
        }
        let split = words(line);
        if split.open {
            return Err("the line ends inside brackets or quotes".into());
        }
        if let Some((name, expression)) = assignment(line) {
            return self.keep(name, expression).map(Answer::Text);
        }
        let words: Vec<String> = split.words.into_iter().map(|word| word.text).collect();
        let text = match (words[0].as_str(), &words[1..]) {
            ("quit" | "exit", []) => return Ok(Answer::End),
            ("help" | "?", []) => Ok(HELP.trim_end().to_owned()),
            ("names", []) => Ok(self.names.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("\n")),
            ("picture", of) => self.picture(of),
            (name, _) if OUTSIDE.contains(&name) => Err(format!("`{name}` runs outside of the prompt: crd2idx {name}")),
            (first, _) if is_command(first) || first.starts_with("-h") || first.starts_with("-V") || first.starts_with("--") => {
                self.command(words)
            }
            _ => self.expression(&words),
        };
        text.map(Answer::Text)
    }

    /// Runs a subcommand.
    fn command(&self, words: Vec<String>) -> Result<String, String> {
        self.run(words, Command::answer)
    }

    fn run(&self, words: Vec<String>, run: impl FnOnce(Command) -> Result<Option<String>, String>) -> Result<String, String> {
        if words.iter().any(|word| word == "-") {
            return Err("`-` is no file here: standard input gives the lines of the session".into());
        }
        crate::answered(self.names.command(), words, run)
    }

    /// Evaluates an expression, or the index of a coordinate that follows it.
    fn expression(&self, words: &[String]) -> Result<String, String> {
        let arguments = |at: usize| [&words[..at], &words[at..]].map(|words| words.join(" "));
        // Two operands side by side are never one expression, so at most one place divides the line.
        let at = match self.reads(&words.join(" ")) {
            true => None,
            false => (1..words.len()).map(arguments).find(|[expression, coordinate]| self.reads(expression) && self.is_tuple(coordinate)),
        };
        let arguments = at.map_or_else(|| vec![words.join(" ")], Vec::from);
        self.command(["eval".to_owned()].into_iter().chain(arguments).collect())
    }

    /// Tests whether a text is an expression. Its operations may refuse their operands.
    fn reads(&self, text: &str) -> bool {
        let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
        evaluate::<LEAVES, SYMBOLS>(&self.names.bound(text), &mut scope).map_or_else(|error| error.op != Op::Parse, |_| true)
    }

    /// Tests whether a text is an integer or a tuple.
    fn is_tuple(&self, text: &str) -> bool {
        let mut scope = ExprGraph::<SYMBOLS>::new(Op::Parse);
        matches!(Parser::whole::<LEAVES, SYMBOLS>(&self.names.bound(text), &mut scope), Ok(Operand::Tuple(_)))
    }

    /// Gives the value of an expression a name, and returns the value.
    fn keep(&mut self, name: &str, expression: &str) -> Result<String, String> {
        Names::check(name)?;
        let words: Vec<_> = words(expression).words.into_iter().map(|word| word.text).collect();
        if words.is_empty() {
            return Err(format!("`{name} =` has no expression"));
        }
        let value = self.expression(&words)?;
        self.names.keep(name, value.clone());
        Ok(value)
    }

    /// Shows a picture, with the arguments of `svg`.
    fn picture(&mut self, words: &[String]) -> Result<String, String> {
        let words = ["svg".to_owned()].into_iter().chain(words.iter().cloned()).collect();
        let pictures = self.pictures;
        self.run(words, |command| match command {
            Command::Svg(svg) => pictures.shown(&svg).map(Some),
            other => other.answer(),
        })
    }
}
