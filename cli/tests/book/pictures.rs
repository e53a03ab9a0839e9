//! Pictures. Each stands below its command, `<!-- picture: crd2idx svg ... -o pictures/NAME.svg -->`, which runs in `docs`.

use super::pages::{self, overwrites, root};
use super::shell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the command of each picture, by the picture's name.
fn commands() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for page in pages::book() {
        for (at, line) in page.lines.iter().enumerate() {
            let place = format!("{}:{}", page.path, at + 1);
            if let Some(name) = line.strip_prefix("![").and_then(|rest| rest.split("pictures/").nth(1)?.strip_suffix(')')) {
                let above = page.lines[..at].iter().rev().find(|line| !line.is_empty()).map_or("", String::as_str);
                let command = above.strip_prefix("<!-- picture: ").and_then(|rest| rest.strip_suffix(" -->"));
                let Some(command) = command else { panic!("{place}: no command above {name}") };
                assert!(command.ends_with(&format!(" -o pictures/{name}")), "{place}: the command draws another picture than {name}");
                assert!(found.insert(name.to_string(), command.to_string()).is_none(), "{place}: {name} is drawn twice");
            } else if line.starts_with("<!-- picture:") {
                let below = page.lines[at + 1..].iter().find(|line| !line.is_empty()).map_or("", String::as_str);
                assert!(below.starts_with("!["), "{place}: no picture below the command");
            }
        }
    }
    found
}

fn names(extension: &str) -> BTreeSet<String> {
    let mut paths = Vec::new();
    pages::collect(Path::new("docs/pictures"), extension, &mut paths);
    paths.iter().filter_map(|path| path.strip_prefix("docs/pictures/").map(str::to_string)).collect()
}

#[test]
fn every_source_of_pictures_is_used() {
    let commands = commands();
    let unused: Vec<_> =
        names("json").into_iter().filter(|name| !commands.values().any(|command| command.contains(&format!(" pictures/{name}")))).collect();
    assert!(unused.is_empty(), "no picture is drawn from {unused:?}");
    for command in commands.values() {
        for source in command.split_whitespace().filter(|word| word.ends_with(".json")) {
            assert!(root().join("docs").join(source).exists(), "there is no {source}: {command}");
        }
    }
}

#[test]
#[cfg_attr(not(unix), ignore = "needs a shell")]
fn pictures_are_those_of_their_commands() {
    let commands = commands();
    assert!(commands.len() > 40, "{} pictures", commands.len());
    let directory = root().join("docs/pictures");
    let drawn: BTreeSet<String> = commands.keys().cloned().collect();
    let stray: Vec<String> = names("svg").difference(&drawn).cloned().collect();
    let mut failures = Vec::new();
    for (name, command) in &commands {
        let fresh = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        let line = command.replace(&format!("-o pictures/{name}"), &format!("-o '{}'", fresh.display()));
        let (text, code) = shell::run(&line, Path::new("docs"));
        if code != 0 {
            failures.push(format!("{command}: exit code {code}\n{text}"));
            continue;
        }
        let picture = std::fs::read(&fresh).expect("the picture");
        std::fs::remove_file(&fresh).expect("the picture is there");
        if std::fs::read(directory.join(name)).ok().as_ref() != Some(&picture) {
            failures.push(format!("{name} is stale: scripts/pictures draws it anew"));
            if overwrites() {
                std::fs::write(directory.join(name), picture).expect("the picture is written");
            }
        }
    }
    if overwrites() {
        failures.retain(|failure| !failure.contains(" is stale"));
        stray.iter().for_each(|name| std::fs::remove_file(directory.join(name)).expect("the picture is removed"));
    } else if !stray.is_empty() {
        failures.push(format!("no page draws {stray:?}"));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
