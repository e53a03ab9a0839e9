//! Names for values: `a = (4,8):(8,1)`.

use crate::eval::EXPRESSION;
use clap::builder::ValueParser;
use crd2idx::algebra::expression::bind;
use crd2idx::error::Op;
use crd2idx::relayout::json::SideText;
use std::any::TypeId;
use std::convert::Infallible;

/// Words of the notation, such as `div` in `?{div=8}`.
const NOTATION: &[&str] = &["o", "S", "Sw", "div", "min", "max"];

/// The names of a session and the texts of their values, in the order in which they were first given.
#[derive(Clone, Default)]
pub struct Names(Vec<(String, String)>);

/// Returns the name and the expression of a line `name = expression`.
pub fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, expression) = line.split_once('=')?;
    Some((name.trim(), expression.trim())).filter(|(name, _)| is_name(name))
}

/// Tests whether a text has the form of a name: a letter, then letters, digits and `_`.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns what a word means in expressions, or `None` if it can be a name.
pub fn meaning(word: &str) -> Option<&'static str> {
    if Op::from_name(word).is_some() {
        return Some("an operation");
    }
    NOTATION.contains(&word).then_some("a word of the notation")
}

impl Names {
    /// Gives a value a name. An earlier value of this name is forgotten.
    pub fn keep(&mut self, name: &str, value: String) {
        match self.0.iter_mut().find(|(other, _)| other == name) {
            Some((_, kept)) => *kept = value,
            None => self.0.push((name.into(), value)),
        }
    }

    /// Returns the names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns an expression with the values in place of the names. JSON and names of files, which have `"`, `.` or `/`, stay as they are.
    pub fn bound(&self, text: &str) -> String {
        if text.contains(['"', '.', '/']) { text.into() } else { bind(text, &self.iter().collect::<Vec<_>>()) }
    }

    /// Returns a command that puts the values in place of the names in all arguments that are expressions.
    pub fn bind_in(&self, command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| {
            if arg.get_value_hint() != EXPRESSION {
                return arg;
            }
            let names = self.clone();
            if arg.get_value_parser().type_id() == TypeId::of::<SideText>() {
                return arg.value_parser(ValueParser::from(move |text: &str| names.bound(text).parse::<SideText>()));
            }
            arg.value_parser(ValueParser::from(move |text: &str| Ok::<_, Infallible>(names.bound(text))))
        });
        command.mut_subcommands(|subcommand| self.bind_in(subcommand))
    }
}
