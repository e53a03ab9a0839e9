//! What the README and the book show of the command.
//!
//! In a block `console`, a line that begins with `$` is a command, and the lines up to the next one are what it prints; of whole functions and pictures
//! nothing need be shown, but they must be printed. In a block `sh` every line is a command that must succeed, unless its comment says `refused`; a comment that is a number is its answer.

use super::pages::{self, Page, overwrites, root};
use super::shell;
use std::path::Path;

/// The part of a line that runs here, if any: not what installs, tests and draws.
fn runnable(line: &str) -> Option<String> {
    let line = line.replace("cargo run -- ", "crd2idx ").replace("cargo run --quiet -- ", "crd2idx ");
    // What goes to a file goes to standard output here.
    let line = [" | dot ", " -o ", " > "].iter().fold(line.as_str(), |line, to| line.split(to).next().unwrap_or(line));
    let words: Vec<&str> = line.split_whitespace().collect();
    words.iter().position(|word| *word == "crd2idx")?;
    let of_files = words.windows(2).any(|pair| pair[0] == "crd2idx" && matches!(pair[1], "info" | "convert" | "check"));
    if matches!(words[0], "cargo" | "rustup" | "mdbook") || of_files && !cfg!(feature = "files") {
        return None;
    }
    Some(line.to_string())
}

fn shown(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// Commands of a `console` block that do not print what is shown, and the block as it should be.
fn console(page: &Page, from: usize, to: usize, failures: &mut Vec<String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at = from;
    while at < to {
        let line = &page.lines[at];
        let next = (at + 1..to).find(|k| page.lines[*k].starts_with("$ ")).unwrap_or(to);
        let want = &page.lines[at + 1..next];
        let place = format!("{}:{}", page.path, at + 1);
        lines.push(line.clone());
        at = next;
        let Some(command) = line.strip_prefix("$ ").and_then(runnable) else {
            lines.extend_from_slice(want);
            continue;
        };
        let (text, code) = shell::run(&command, Path::new(""));
        let printed = shown(&text);
        let refused = printed.first().is_some_and(|first| first.starts_with("crd2idx: "));
        if code != if refused { 2 } else { 0 } {
            failures.push(format!("{place}: exit code {code}: {command}\n{text}"));
        }
        let long = [" emit ", " svg ", " dot "].iter().any(|name| command.contains(name)) && !command.contains(" --expression");
        if want.is_empty() && long && !refused {
            continue;
        }
        if want != printed {
            failures.push(format!("{place}: {command}\nprints\n{text}"));
        }
        lines.extend(printed);
    }
    lines
}

fn script(page: &Page, from: usize, to: usize, failures: &mut Vec<String>) {
    for at in from..to {
        let line = &page.lines[at];
        let Some(command) = runnable(line) else { continue };
        let (text, code) = shell::run(&command, Path::new(""));
        let comment = line.rsplit_once(" # ").map_or("", |(_, comment)| comment.trim());
        let place = format!("{}:{}", page.path, at + 1);
        if code != if comment.starts_with("refused") { 2 } else { 0 } {
            failures.push(format!("{place}: exit code {code}: {command}\n{text}"));
        }
        if comment.parse::<i64>().is_ok() && text.trim() != comment {
            failures.push(format!("{place}: {command} prints {text}"));
        }
    }
}

#[test]
#[cfg_attr(not(unix), ignore = "needs a shell")]
fn commands_print_what_is_shown() {
    let mut failures = Vec::new();
    let mut count = 0;
    for mut page in pages::all() {
        let before = failures.len();
        for block in page.blocks().iter().rev() {
            match block.language.as_str() {
                "console" => {
                    let lines = console(&page, block.from, block.to, &mut failures);
                    page.lines.splice(block.from..block.to, lines);
                }
                "sh" => script(&page, block.from, block.to, &mut failures),
                _ => continue,
            }
            count += 1;
        }
        if overwrites() && failures.len() > before {
            std::fs::write(root().join(&page.path), page.lines.join("\n") + "\n").expect("the page is written");
        }
    }
    assert!(count > 30, "{count} blocks");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
