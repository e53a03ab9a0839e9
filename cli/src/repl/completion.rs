//! Completion of a line: subcommands, options, operations, names, and files.

use super::lines::{Word, words};
use super::session::OWN;
use crate::eval::EXPRESSION;
use clap::builder::PossibleValue;
use clap::{Arg, Command, ValueHint};
use crd2idx::error::Op;
use std::path::MAIN_SEPARATOR;

/// The words that can stand at a place of a line.
struct Place<'c> {
    /// The innermost command of the words before.
    command: &'c Command,
    /// True if a subcommand can stand there.
    is_first: bool,
    hint: ValueHint,
    /// The values that an argument can have.
    values: Vec<PossibleValue>,
}

/// Returns the byte at which the completed text starts, and the texts that can stand there, sorted. `before` is the line up to the cursor,
/// `cli` has the subcommands after `build`, and `names` are the names of the session.
pub fn complete(before: &str, cli: &Command, names: &[String]) -> (usize, Vec<String>) {
    let split = words(before);
    let mut words = split.words;
    let is_inside = split.open || before.ends_with(|last: char| !last.is_whitespace());
    let current = if is_inside { words.pop() } else { None }.unwrap_or(Word { start: before.len(), text: String::new() });
    let identifier = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1).max(current.start);
    let Place { command, is_first, hint, values } = match words.first().map(|first| cli.find_subcommand(&first.text)) {
        Some(Some(command)) => place(command, &words[1..]),
        // A line that begins with no subcommand is an expression.
        first => Place { command: cli, is_first: first.is_none(), hint: EXPRESSION, values: Vec::new() },
    };
    let mut start = current.start;
    let mut found: Vec<String> = if current.text.starts_with('-') {
        command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long).map(|long| format!("--{long}")).collect()
    } else if hint == EXPRESSION {
        start = identifier;
        let operations = Op::ALL.iter().flat_map(|op| op.aliases().iter().copied().chain([op.name()]));
        operations.map(|name| format!("{name}(")).chain(names.iter().cloned()).collect()
    } else if matches!(hint, ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath) {
        return (start, files(&current.text, before[start..].starts_with('"')));
    } else {
        values.iter().map(|value| value.get_name().to_owned()).collect()
    };
    if is_first && start == current.start {
        found.extend(command.get_subcommands().filter(|inner| !inner.is_hide_set()).map(|inner| inner.get_name().to_owned()));
        found.extend(OWN.iter().filter(|_| words.is_empty()).map(|name| (*name).to_owned()));
    }
    found.retain(|text| text.starts_with(&before[start..]));
    found.sort();
    found.dedup();
    (start, found)
}

/// Returns the words that can stand behind `words` of a command.
fn place<'c>(mut command: &'c Command, words: &[Word]) -> Place<'c> {
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
    let positionals: Vec<&Arg> = command.get_positionals().collect();
    let last = positionals.last().copied().filter(|arg| arg.get_num_args().is_some_and(|count| count.max_values() > 1));
    let arg = option.or_else(|| positionals.get(position).copied()).or(last);
    Place {
        command,
        is_first: option.is_none() && position == 0,
        hint: arg.map_or(ValueHint::Unknown, Arg::get_value_hint),
        values: arg.map(Arg::get_possible_values).unwrap_or_default(),
    }
}

/// Returns the paths of files that begin with a text, sorted. A path is in quotes if `is_quoted`, or if one of its letters divides words.
fn files(text: &str, is_quoted: bool) -> Vec<String> {
    let (folder, name) = text.split_at(text.rfind(['/', MAIN_SEPARATOR]).map_or(0, |at| at + 1));
    let entries = std::fs::read_dir(if folder.is_empty() { "." } else { folder }).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        let Ok(file) = entry.file_name().into_string() else { continue };
        if !file.starts_with(name) || file.starts_with('.') && name.is_empty() {
            continue;
        }
        let path = format!("{folder}{file}");
        let quote = if is_quoted || path.contains(|c: char| c.is_whitespace() || "()[]{}'\"".contains(c)) { "\"" } else { "" };
        // The quotes of a folder stay open for the files in it.
        found.push(if entry.path().is_dir() { format!("{quote}{path}/") } else { format!("{quote}{path}{quote}") });
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::complete;
    use clap::{Args, Command};

    /// Returns the line up to the cursor with each completion in place.
    fn completed(before: &str) -> Vec<String> {
        let svg = crate::view::svg::Svg::augment_args(Command::new("picture"));
        let info = Command::new("info").arg(clap::arg!(<FILE>...).value_parser(clap::value_parser!(std::path::PathBuf)));
        let hidden = Command::new("batch").hide(true);
        let eval = Command::new("eval").arg(clap::arg!(<EXPRESSION>).value_hint(crate::eval::EXPRESSION));
        let mut cli = Command::new("crd2idx").subcommands([svg, info, hidden, eval]);
        cli.build();
        let (start, found) = complete(before, &cli, &["tile".into(), "tiles".into()]);
        found.iter().map(|text| format!("{}{text}", &before[..start])).collect()
    }

    #[test]
    fn subcommands_operations_and_names() {
        assert_eq!(completed("inj"), ["injective("]);
        assert_eq!(completed("inf"), ["info"]);
        assert_eq!(completed("ti"), ["tile", "tile_to_shape(", "tiled_divide(", "tiled_product(", "tiles"]);
        assert_eq!(completed("qui"), ["quit"]);
        assert_eq!(completed("bat"), [""; 0], "hidden");
        // Inside an expression there are no subcommands.
        assert_eq!(completed("size(inf"), [""; 0]);
        assert_eq!(
            completed("a = zipped_divide(tiles, til"),
            [
                "a = zipped_divide(tiles, tile",
                "a = zipped_divide(tiles, tile_to_shape(",
                "a = zipped_divide(tiles, tiled_divide(",
                "a = zipped_divide(tiles, tiled_product(",
                "a = zipped_divide(tiles, tiles"
            ]
        );
        assert_eq!(completed("eval tiles"), ["eval tiles"]);
        assert_eq!(completed("eval qui"), [""; 0]);
    }

    #[test]
    fn arguments() {
        assert_eq!(completed("picture lay"), ["picture layout"]);
        assert_eq!(completed("picture layout zipped_d"), ["picture layout zipped_divide("]);
        assert_eq!(completed("picture layout (4,8):(8,1) --th"), ["picture layout (4,8):(8,1) --theme"]);
        assert_eq!(completed("picture --theme d"), ["picture --theme dark"]);
        assert_eq!(completed("picture --theme dark la"), ["picture --theme dark layout"]);
    }

    #[test]
    fn files() {
        let folder = std::env::temp_dir().join(format!("crd2idx-completion-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("a folder");
        for file in ["a.mtx", "a b.mtx"] {
            std::fs::write(folder.join(file), "").expect("a file");
        }
        let path = folder.to_str().expect("a name");
        let before = format!("info b.mtx {path}/");
        assert_eq!(completed(&format!("{before}i")), [format!("{before}inner/")]);
        assert_eq!(completed(&format!("{before}a")), [format!("info b.mtx \"{path}/a b.mtx\""), format!("{before}a.mtx")]);
        assert_eq!(completed(&format!("info \"{path}/a.")), [format!("info \"{path}/a.mtx\"")]);
        std::fs::remove_dir_all(folder).expect("the folder");
    }
}
