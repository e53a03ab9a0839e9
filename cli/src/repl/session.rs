//! A session: a line in, an answer out.

use super::lines::{compositions, is_comment, words};
use super::names::{Names, assignment, is_name, meaning};
use super::picture::Pictures;
use crate::eval::{LEAVES, SYMBOLS};
use crate::view::svg::Svg;
use clap::{Args, Command, FromArgMatches};
use crd2idx::algebra::expression::{Operand, Parser, evaluate};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;
use crd2idx::graph::nearest;

/// Runs a command on its arguments. Returns the text to print, or the message of the refusal.
pub type Run = fn(Command, Vec<String>) -> Result<String, String>;

/// Subcommands that read standard input or print files for a shell.
const OUTSIDE: &[&str] = &["batch", "completions", "man", "repl"];
/// Commands of the prompt without arguments.
pub const OWN: &[&str] = &["exit", "help", "names", "quit"];

const HELP: &str = "\
(4,8):(8,1)               evaluate an expression
(4,8):(8,1) (2,5)         the index of a coordinate
a = (4,8):(8,1)           keep a value under a name, for later expressions
names                     list the names
picture layout a          show a picture in the terminal; `picture --help` lists the kinds
explain a, show layout a  run a subcommand; `--help` lists them, `help explain` describes one
ops                       list the operations of expressions
quit, or Ctrl-D           leave

A line with an open bracket or quote goes on on the next line; an empty line ends it. Expressions need no quotes.";

/// The answer to a line.
pub enum Answer {
    /// The text to print, which may be empty.
    Text(String),
    /// The line ends the session.
    End,
}

/// The state between two lines.
pub struct Session {
    /// The command `crd2idx` with `picture` as a subcommand.
    cli: Command,
    run: Run,
    names: Names,
    pictures: Pictures,
}

impl Session {
    /// Starts a session without names. Lines are subcommands of `cli`, which `run` runs.
    pub fn new(cli: Command, run: Run, pictures: Pictures) -> Session {
        let cli = OUTSIDE.iter().fold(cli, |cli, name| cli.mut_subcommand(name, |outside| outside.hide(true)));
        let picture = Svg::augment_args(Command::new("picture").about("Show a picture in the terminal"));
        Session { cli: cli.subcommand(picture.mut_arg("output", |output| output.hide(true))), run, names: Names::default(), pictures }
    }

    /// Returns the command with the subcommands of the prompt.
    pub fn cli(&self) -> &Command {
        &self.cli
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
        let words = compositions(split.words.into_iter().map(|word| word.text).collect());
        if words.iter().any(|word| word == "-") {
            return Err("`-` is no file here: standard input gives the lines of the session".into());
        }
        let text = match (words[0].as_str(), &words[1..]) {
            ("quit" | "exit", []) => return Ok(Answer::End),
            ("help", []) => Ok(HELP.to_owned()),
            ("names", []) => Ok(self.names.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join("\n")),
            ("picture", _) => self.picture(&words),
            (name, _) if OUTSIDE.contains(&name) => Err(format!("`{name}` runs outside of the prompt: crd2idx {name}")),
            (first, _) if self.is_command(first) || first.starts_with("--") => self.command(words),
            _ => self.expression(&words),
        };
        text.map(Answer::Text)
    }

    /// Tests whether a word is a command of the prompt.
    fn is_command(&self, word: &str) -> bool {
        OWN.contains(&word) || self.cli.find_subcommand(word).is_some()
    }

    /// Runs a subcommand.
    fn command(&self, words: Vec<String>) -> Result<String, String> {
        (self.run)(self.names.bind_in(self.cli.clone()), words)
    }

    /// Shows a picture.
    fn picture(&self, words: &[String]) -> Result<String, String> {
        let picture = self.cli.find_subcommand("picture").cloned().unwrap_or_default();
        match self.names.bind_in(picture).try_get_matches_from(words).and_then(|matches| Svg::from_arg_matches(&matches)) {
            Ok(svg) => self.pictures.shown(&svg),
            Err(error) if error.use_stderr() => Err(error.render().to_string()),
            Err(help) => Ok(help.render().to_string().trim_end().to_owned()),
        }
    }

    /// Evaluates an expression, or the index of a coordinate that follows it.
    fn expression(&self, words: &[String]) -> Result<String, String> {
        let text = words.join(" ");
        if is_name(&words[0]) && meaning(&words[0]).is_none() && !self.names().any(|name| name == words[0]) {
            return Err(self.unknown(&words[0]));
        }
        // Two operands side by side are never one expression, so at most one place divides them. `a(2,5)` is no operation if `a` is a name.
        let called = text.find('(').map(|at| [text[..at].to_owned(), text[at..].to_owned()]);
        let apart = (1..words.len()).map(|at| [words[..at].join(" "), words[at..].join(" ")]);
        let is_index = |[expression, coordinate]: &[String; 2]| self.reads(expression) && self.is_tuple(coordinate);
        let divided = if self.reads(&text) { None } else { apart.chain(called).find(is_index) };
        self.command(["eval".to_owned()].into_iter().chain(divided.map_or_else(|| vec![text], Vec::from)).collect())
    }

    /// Returns the refusal of a word that has no meaning in an expression.
    fn unknown(&self, word: &str) -> String {
        if self.is_command(word) {
            return format!("`{word}` is a command, and no expression");
        }
        let commands = self.cli.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
        let known = commands.chain(OWN.iter().copied()).chain(self.names()).chain(Op::ALL.iter().map(|op| op.name()));
        let hint = nearest(word, known).map_or_else(|| "`help` lists commands".into(), |near| format!("did you mean `{near}`?"));
        format!("`{word}` is no subcommand, operation or name: {hint}")
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

    /// Gives the value of an expression a name, and returns the value. Fails for words that have a meaning already.
    fn keep(&mut self, name: &str, expression: &str) -> Result<String, String> {
        if let Some(meaning) = meaning(name).or_else(|| self.is_command(name).then_some("a command")) {
            return Err(format!("`{name}` is {meaning}: choose another name"));
        }
        let words: Vec<_> = words(expression).words.into_iter().map(|word| word.text).collect();
        if words.is_empty() {
            return Err(format!("`{name} =` has no expression"));
        }
        let value = self.expression(&words)?;
        self.names.keep(name, value.clone());
        Ok(value)
    }
}
