//! `crd2idx repl`: a prompt that answers lines. A [`session`] answers a line without a terminal; [`editor`] reads lines from a terminal.

mod completion;
mod editor;
mod history;
mod lines;
mod names;
mod picture;
mod session;

use history::History;
use lines::Entries;
use picture::{Choice, Pictures};
use session::{Answer, Run, Session};
use std::io::{BufRead, IsTerminal, Result, Write, stdin, stdout};

/// The arguments of `crd2idx repl`.
#[derive(clap::Args)]
pub struct Repl {
    /// Neither read nor write the history of lines.
    #[arg(long)]
    no_history: bool,
    /// The way in which `picture` shows pictures. `auto` asks the environment which terminal this is.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pictures: Choice,
}

/// Whether a line was refused.
pub struct Refused(pub bool);

/// Answers lines until their end, from a terminal or from standard input. Lines are subcommands of `cli`, which `run` runs, or expressions.
/// Fails if reading or writing fails.
pub fn run(ask: &Repl, cli: clap::Command, run: Run) -> Result<Refused> {
    let pictures = Pictures::new(ask.pictures, stdout().is_terminal(), |name| std::env::var(name).ok());
    let mut session = Session::new(cli, run, pictures);
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

/// The outcome of a line.
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
        Ok(Answer::Text(text)) => writeln!(stdout(), "{text}")?,
        Err(message) => {
            eprintln!("crd2idx: {}", message.strip_prefix("error: ").unwrap_or(&message).trim_end());
            return Ok(After::Refused);
        }
    }
    Ok(After::Answered)
}
