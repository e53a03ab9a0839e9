//! The commands in the README and the book, and their output.
//! In a block `console`, a line that begins with `$` is a command, and the lines up to the next one are its output (optional for long ones).
//! In a block `sh` every line is a command that must succeed, or fail if its comment says `refused`. A comment may be a number, the answer.

use super::pages::{self, Page, overwrites, root};
use super::shell;
use std::path::Path;

/// Returns the command of a line that this test can run, if any: commands that install, test and draw are left out.
fn runnable(line: &str) -> Option<String> {
    let line = line.replace("cargo run -- ", "crd2idx ").replace("cargo run --quiet -- ", "crd2idx ");
    // Print to standard output what the line writes to a file.
    let line = [" | dot ", " -o ", " > "].iter().fold(line.as_str(), |line, to| line.split(to).next().unwrap_or(line));
    let words: Vec<&str> = line.split_whitespace().collect();
    words.iter().position(|word| *word == "crd2idx")?;
    let of_files = words.windows(2).any(|pair| pair[0] == "crd2idx" && matches!(pair[1], "info" | "convert" | "check" | "reshard"));
    if matches!(words[0], "cargo" | "rustup" | "mdbook") || of_files && !cfg!(feature = "files") {
        return None;
    }
    Some(line.to_string())
}

fn shown(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// Runs the commands of a `console` block. Returns the block with their output, and appends a failure for each difference.
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
