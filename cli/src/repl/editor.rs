//! The prompt in a terminal.

use super::After;
use super::completion::complete;
use super::history::History;
use super::lines::{Entries, is_complete};
use super::session::Session;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{Error, Result, Write, stdout};

const PROMPT: &str = "crd2idx> ";

/// Completes lines, and decides whether a line goes on.
struct Assistant {
    cli: clap::Command,
    names: Vec<String>,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&line[..at], &self.cli, &self.names))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_complete(context.input()) { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Assistant {
    type Hint = String;
}
impl Highlighter for Assistant {}
impl Helper for Assistant {}

/// Reads lines and prints the answers until the user ends the session. Fails if the terminal cannot be read or written.
pub fn run(session: &mut Session, mut history: Option<History>) -> Result<()> {
    let config = Config::builder().completion_type(CompletionType::List).build();
    let lines = MemHistory::with_config(&config);
    let mut editor = Editor::<Assistant, MemHistory>::with_history(config, lines).map_err(failed)?;
    let mut cli = session.cli().clone();
    cli.build();
    editor.set_helper(Some(Assistant { cli, names: Vec::new() }));
    match history.as_ref().map(History::read) {
        Some(Ok(lines)) => lines.iter().for_each(|line| {
            let _ = editor.add_history_entry(line);
        }),
        Some(Err(error)) => warn(history.take(), &error),
        None => {}
    }
    writeln!(stdout(), "crd2idx {}: type an expression, a subcommand, or `help`", env!("CARGO_PKG_VERSION"))?;
    loop {
        let text = match editor.readline(PROMPT) {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return writeln!(stdout()),
            Err(error) => return Err(failed(error)),
        };
        // A pasted text may have several entries.
        let mut entries = Entries::default();
        for line in text.split('\n') {
            let Some(entry) = entries.push(line) else { continue };
            if entry.trim().is_empty() {
                continue;
            }
            if editor.add_history_entry(entry.as_str()).map_err(failed)?
                && let Some(Err(error)) = history.as_ref().map(|history| history.append(&entry))
            {
                warn(history.take(), &error);
            }
            if super::answered(session, &entry)? == After::Ended {
                return Ok(());
            }
            if let Some(assistant) = editor.helper_mut() {
                assistant.names = session.names().map(String::from).collect();
            }
        }
    }
}

/// Notes that the session goes on without this history.
fn warn(history: Option<History>, error: &Error) {
    let path = history.map(|history| history.path).unwrap_or_default();
    eprintln!("crd2idx: note: this session keeps no history: {}: {error}", path.display());
}

fn failed(error: ReadlineError) -> Error {
    match error {
        ReadlineError::Io(error) => error,
        other => Error::other(other),
    }
}
