//! Completion of a line: subcommands, options, operations, names, and files.

use super::lines::{Word, words};
use super::session::OWN;
use crate::eval::EXPRESSION;
use clap::{Arg, Command, ValueHint};
use crd2idx::error::Op;
use std::path::{MAIN_SEPARATOR, Path};

/// The place of a word in a command line.
enum Place<'c> {
    /// The value of an option or of a positional argument.
    Value(&'c Arg),
    /// A subcommand, or a positional argument if the command has one.
    First(&'c Command),
    /// Behind all arguments.
    Behind,
}

/// Returns the byte at which the completed text starts, and the texts that can stand there, sorted. `before` is the line up to the cursor,
/// `cli` has the subcommands after `build`, and `names` are the names of the session.
pub fn complete(before: &str, cli: &Command, names: &[String]) -> (usize, Vec<String>) {
    let split = words(before);
    let mut words = split.words;
    let is_inside = split.open || before.ends_with(|last: char| !last.is_whitespace());
    let current = if is_inside { words.pop() } else { None }.unwrap_or(Word { start: before.len(), text: String::new() });
    let identifier = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
    let operations = Op::ALL.iter().flat_map(|op| op.aliases().iter().copied().chain([op.name()])).map(|name| format!("{name}("));
    let in_expression = || operations.chain(names.iter().cloned()).collect::<Vec<_>>();

    let at_start = subcommands(cli).into_iter().chain(OWN.iter().map(|name| (*name).to_owned()));
    let (start, found) = match words.first().map(|first| cli.find_subcommand(&first.text)) {
        // The first word is a subcommand or an expression.
        None if identifier <= current.start => (current.start, in_expression().into_iter().chain(at_start).collect()),
        None | Some(None) => (identifier, in_expression()),
        Some(Some(command)) => {
            let (command, place) = place(command, &words[1..]);
            if current.text.starts_with('-') {
                let options = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
                (current.start, options.map(|option| format!("--{option}")).collect())
            } else {
                let value = match &place {
                    Place::First(command) => command.get_positionals().next(),
                    Place::Value(arg) => Some(*arg),
                    Place::Behind => None,
                };
                let inner = match place {
                    Place::First(command) => subcommands(command),
                    _ => Vec::new(),
                };
                match value.map(Arg::get_value_hint) {
                    Some(EXPRESSION) if identifier > current.start => (identifier, in_expression()),
                    Some(EXPRESSION) => (current.start, in_expression().into_iter().chain(inner).collect()),
                    Some(ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) => (current.start, files(&current.text)),
                    _ => {
                        let values = value.map(Arg::get_possible_values).unwrap_or_default();
                        (current.start, values.iter().map(|value| value.get_name().to_owned()).chain(inner).collect())
                    }
                }
            }
        }
    };
    // Files in quotes begin with the quote, not with the text.
    let written = &before[start..];
    let mut found: Vec<String> = found.into_iter().filter(|text| text.starts_with(written) || text.starts_with('"')).collect();
    found.sort();
    found.dedup();
    (start, found)
}

fn subcommands(command: &Command) -> Vec<String> {
    command.get_subcommands().filter(|inner| !inner.is_hide_set()).map(|inner| inner.get_name().to_owned()).collect()
}

/// Returns the innermost command of the words, and the place of the word after them.
fn place<'c>(mut command: &'c Command, words: &[Word]) -> (&'c Command, Place<'c>) {
    let (mut position, mut option) = (0, None);
    for Word { text, .. } in words {
        if option.take().is_some() {
            continue;
        }
        if let Some(name) = text.strip_prefix('-').filter(|name| name.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic())) {
            let is_named = |arg: &&Arg| match name.strip_prefix('-') {
                Some(long) => arg.get_long() == Some(long),
                None => arg.get_short().is_some_and(|short| name == short.to_string()),
            };
            option = command.get_arguments().find(is_named).filter(|arg| arg.get_action().takes_values());
        } else if let Some(inner) = command.find_subcommand(text).filter(|_| position == 0) {
            command = inner;
        } else {
            position += 1;
        }
    }
    let place = match (option, position) {
        (Some(option), _) => Place::Value(option),
        (None, 0) => Place::First(command),
        (None, position) => {
            let last = command.get_positionals().last().filter(|arg| arg.get_num_args().is_some_and(|count| count.max_values() > 1));
            command.get_positionals().nth(position).or(last).map_or(Place::Behind, Place::Value)
        }
    };
    (command, place)
}

/// Returns the files whose path begins with a text. A path with a character that divides words is in quotes.
fn files(text: &str) -> Vec<String> {
    let (folder, name) = match text.rfind(['/', MAIN_SEPARATOR]) {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let read = std::fs::read_dir(if folder.is_empty() { Path::new(".") } else { Path::new(folder) });
    let mut found = Vec::new();
    for entry in read.into_iter().flatten().flatten() {
        let Ok(file) = entry.file_name().into_string() else { continue };
        if !file.starts_with(name) || file.starts_with('.') && name.is_empty() {
            continue;
        }
        let is_folder = entry.path().is_dir();
        let path = format!("{folder}{file}{}", if is_folder { "/" } else { "" });
        let divides = |c: char| c.is_whitespace() || "()[]{}'\"".contains(c);
        found.push(match path.contains(divides) {
            true if is_folder => format!("\"{path}"),
            true => format!("\"{path}\""),
            false => path,
        });
    }
    found
}
