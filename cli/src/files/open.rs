//! Opens files by name or pattern, and shows progress if reading takes long.

use super::args::From;
use crate::input;
use indicatif::{ProgressBar, ProgressStyle};
use sparse_files::{Bytes, FileKind, Opened, Progress, ReadOptions, RowSlice};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Returns the named files, and the matches of each pattern, sorted by name. An existing name is no pattern. Fails if a pattern
/// matches nothing, or if its folder cannot be listed.
pub fn paths(names: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    for name in names {
        let pattern = name.to_string_lossy();
        if !pattern.contains(['*', '?']) || name.exists() {
            out.push(name.clone());
            continue;
        }
        let mut found = matching(name)?;
        if found.is_empty() {
            return Err(format!("{pattern}: no file has such a name"));
        }
        found.sort();
        out.append(&mut found);
    }
    Ok(out)
}

/// Returns the files of a folder that match the last component of a pattern. Fails if the folder cannot be listed.
fn matching(pattern: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let last = pattern.file_name().unwrap_or_default().to_string_lossy();
    let failed = |error| format!("{}: {error}", folder.display());
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        if matches(last.as_bytes(), name.to_string_lossy().as_bytes()) {
            out.push(pattern.with_file_name(name));
        }
    }
    Ok(out)
}

/// Tests whether a name matches a pattern, in which `*` stands for any bytes and `?` for one.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // `star` is where to continue if the bytes after the last star do not match.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    (p, n) = (at + 1, from + 1);
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// Returns the kind that `name` means. Fails for unknown names; the message names the option `flag`.
pub fn kind(flag: &str, name: &str) -> Result<FileKind, String> {
    let names: Vec<&str> = sparse_files::KINDS.iter().map(|(_, name, ..)| *name).collect();
    FileKind::from_name(name).ok_or_else(|| format!("{flag}: `{name}` is not one of {}", names.join(", ")))
}

/// Returns the rows of a text like `1000:2000`, in which either number may be absent. Fails for other texts.
fn rows(text: &str) -> Result<RowSlice, String> {
    let number = |text: &str| match text.trim() {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    let ends = text.split_once(':').and_then(|(start, end)| Some((number(start)?, number(end)?)));
    let (start, end) = ends.ok_or_else(|| format!("--rows: `{text}` is not START:END"))?;
    Ok(RowSlice { start, end })
}

/// Returns the tensor of a file, its kind, and its location in a container. Fails with the name of the file and the first
/// fault.
pub fn read(path: &Path, from: &From) -> Result<Opened, String> {
    let rows = from.rows.as_deref().map(rows).transpose()?;
    let (kind, name) = (from.from.as_deref().map(|name| kind("--from", name)).transpose()?, input::name(path));
    let read = working(format!("reading {name}"), |progress| {
        let options = ReadOptions { kind, group: from.group.clone(), shape: from.shape.clone(), base: from.base, rows, progress };
        if !input::is_stdin(path) {
            return sparse_files::open(path, &options);
        }
        sparse_files::open_bytes(Bytes::from(input::stdin()?), "standard input", &options)
    });
    read.map_err(|error| format!("{name}: {error} ({})", error.class()))
}

/// A function that receives the bytes done, and the bytes in all.
pub type Report = Box<dyn Fn(u64, u64) + Send + Sync>;

/// Runs `work`. After a third of a second, a terminal shows the elapsed time, and progress if `work` reports it.
pub fn working<T>(message: String, work: impl FnOnce(Progress) -> T) -> T {
    showing(message, |report| work(Progress::new(report)))
}

/// Runs `work` with a function that reports the bytes done and the bytes in all, or 0 if their number is unknown.
pub fn showing<T>(message: String, work: impl FnOnce(Report) -> T) -> T {
    // The bar is drawn to standard error, and only to a terminal.
    let bar = ProgressBar::no_length();
    style(&bar, "{spinner} {msg} {elapsed}");
    bar.set_message(message);
    bar.enable_steady_tick(Duration::from_millis(330));
    let (told, known) = (bar.clone(), AtomicU64::new(u64::MAX));
    let done = work(Box::new(move |done, all| {
        if known.swap(all, Ordering::Relaxed) != all {
            match all {
                0 => style(&told, "{spinner} {msg} {bytes} {bytes_per_sec} {elapsed}"),
                _ => style(&told, "{spinner} {msg} {bar:24} {bytes}/{total_bytes} {bytes_per_sec} {eta}"),
            }
            told.set_length(all);
        }
        told.set_position(done);
    }));
    bar.finish_and_clear();
    done
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        let of = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(of("*.mtx", "a.mtx") && of("*", "") && of("a*b*c", "a-b-b-c") && of("??.h5", "ab.h5") && of("a", "a"));
        assert!(!of("*.mtx", "a.mtx.gz") && !of("a?", "a") && !of("a*b", "a-c") && !of("", "a"));
    }
}
