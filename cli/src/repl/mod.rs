//! `crd2idx repl`: a prompt that answers lines. A [`session`] answers a line without a terminal; [`editor`] reads lines from a terminal.

mod completion;
mod editor;
mod history;
mod lines;
mod names;
mod picture;
mod session;

use clap::CommandFactory;
use history::History;
use lines::Entries;
use picture::{Choice, Pictures};
use session::{Answer, Session};
use std::io::{BufRead, IsTerminal, Result, stdin, stdout};

/// The arguments of `crd2idx repl`.
#[derive(clap::Args)]
pub struct Repl {
    /// Neither read nor write the history of lines.
    #[arg(long)]
    no_history: bool,
    /// How `picture` shows pictures. `auto` asks the environment which terminal this is.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pictures: Choice,
}

/// Commands of the prompt itself.
const OWN: &[&str] = &["exit", "help", "names", "picture", "quit"];
/// Subcommands that read standard input or print files for a shell.
const OUTSIDE: &[&str] = &["batch", "completions", "man", "repl"];

const HELP: &str = "\
(4,8):(8,1)               evaluate an expression
(4,8):(8,1) (2,5)         the index of a coordinate
a = (4,8):(8,1)           keep a value under a name; expressions can use the name
names                     list the names
picture layout a          show a picture in the terminal: `picture --help` lists the kinds
explain a, show layout a  any subcommand: `help` lists them, `help explain` describes one
ops                       list the operations of expressions
quit, or Ctrl-D           leave

A line with an open bracket or quote goes on on the next line; an empty line ends it. Quotes around expressions are optional.
";

/// Whether a line was refused.
pub struct Refused(pub bool);

/// Answers lines until their end, from a terminal or from standard input. Fails if reading or writing fails.
pub fn run(ask: &Repl) -> Result<Refused> {
    let pictures = Pictures::new(ask.pictures, stdout().is_terminal(), |name| std::env::var(name).ok());
    let mut session = Session::new(pictures);
    if stdin().is_terminal() && stdout().is_terminal() {
        let history = if ask.no_history { None } else { History::of_user() };
        return editor::run(&mut session, history).map(|()| Refused(false));
    }
    piped(&mut session, stdin().lock()).map(Refused)
}

/// Answers the lines of a text. Returns true if a line was refused.
fn piped(session: &mut Session, mut input: impl BufRead) -> Result<bool> {
    let (mut entries, mut refused) = (Entries::default(), false);
    loop {
        let mut line = Vec::new();
        let is_last = input.read_until(b'\n', &mut line)? == 0;
        let line = String::from_utf8_lossy(&line);
        // The empty line after the last one ends an entry that is open.
        if let Some(entry) = entries.push(line.trim_end_matches(['\r', '\n'])) {
            match answered(session, &entry)? {
                After::Refused => refused = true,
                After::Answered => {}
                After::Ended => return Ok(refused),
            }
        }
        if is_last {
            return Ok(refused);
        }
    }
}

/// What happened to a line.
#[derive(PartialEq)]
enum After {
    Answered,
    Refused,
    Ended,
}

/// Answers a line on standard output, or refuses it on standard error. Fails if writing fails.
fn answered(session: &mut Session, line: &str) -> Result<After> {
    match session.answer(line) {
        Ok(Answer::End) => return Ok(After::Ended),
        Ok(Answer::Text(text)) if text.is_empty() => {}
        Ok(Answer::Text(text)) => crate::print(&text)?,
        Err(message) => {
            eprintln!("crd2idx: {}", message.strip_prefix("error: ").unwrap_or(&message).trim_end());
            return Ok(After::Refused);
        }
    }
    Ok(After::Answered)
}

/// Tests whether a word is a subcommand of `crd2idx` or a command of the prompt.
fn is_command(word: &str) -> bool {
    OWN.contains(&word) || crate::Cli::command().find_subcommand(word).is_some()
}
