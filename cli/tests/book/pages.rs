//! The pages as text: their lines, and their code blocks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Tests whether to write outputs and pictures instead of comparing them.
pub fn overwrites() -> bool {
    std::env::var_os("BOOK").is_some_and(|value| value == "overwrite")
}

/// A page: its path from the root, with `/`, and its lines.
pub struct Page {
    pub path: String,
    pub lines: Vec<String>,
}

/// A fenced block: the language, and its lines `from..to` in the page.
pub struct Block {
    pub language: String,
    pub from: usize,
    pub to: usize,
}

impl Page {
    pub fn read(path: &str) -> Page {
        let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Page { path: path.to_string(), lines: text.lines().map(str::to_string).collect() }
    }

    /// Returns the directory of the page, to which its links are relative.
    pub fn directory(&self) -> &Path {
        Path::new(&self.path).parent().unwrap_or(Path::new(""))
    }

    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (at, line) in self.lines.iter().enumerate() {
            let Some(language) = line.trim_start().strip_prefix("```") else { continue };
            match open.take() {
                Some(block) => blocks.push(Block { to: at, ..block }),
                None => open = Some(Block { language: language.trim().to_string(), from: at + 1, to: at + 1 }),
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", self.path);
        blocks
    }

    /// Returns the lines outside of code blocks, with their numbers. Code within a line is blanked.
    pub fn prose(&self) -> Vec<(usize, String)> {
        let code: BTreeSet<usize> = self.blocks().iter().flat_map(|block| block.from - 1..=block.to).collect();
        let outside = self.lines.iter().enumerate().filter(|(at, _)| !code.contains(at));
        outside.map(|(at, line)| (at, line.split('`').enumerate().map(|(k, part)| if k % 2 == 0 { part } else { "" }).collect())).collect()
    }
}

/// Returns the pages of the book without its summary, sorted by path.
pub fn book() -> Vec<Page> {
    let mut paths = Vec::new();
    collect(Path::new("docs"), "md", &mut paths);
    paths.retain(|path| path != "docs/SUMMARY.md");
    paths.iter().map(|path| Page::read(path)).collect()
}

/// Returns the README, the summary and the pages of the book.
pub fn all() -> Vec<Page> {
    let mut pages = vec![Page::read("README.md"), Page::read("docs/SUMMARY.md")];
    pages.extend(book());
    pages
}

/// Appends the files below `directory` whose names end in `extension`, except build outputs.
pub fn collect(directory: &Path, extension: &str, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(root().join(directory)).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut names: Vec<PathBuf> = entries.map(|entry| directory.join(entry.expect("an entry").file_name())).collect();
    names.sort();
    for name in names {
        if root().join(&name).is_dir() {
            if name.file_name().is_some_and(|last| last != "target" && !last.to_string_lossy().starts_with('.')) {
                collect(&name, extension, found);
            }
        } else if name.extension().is_some_and(|end| end == extension) {
            found.push(name.to_string_lossy().replace('\\', "/"));
        }
    }
}

#[test]
fn every_page_with_rust_is_a_test() {
    let library = ["src/lib.rs", "sparse-files/src/lib.rs"].map(|path| std::fs::read_to_string(root().join(path)).expect(path)).concat();
    let untested: Vec<_> = book()
        .into_iter()
        .filter(|page| page.blocks().iter().any(|block| block.language.starts_with("rust")))
        .map(|page| page.path)
        .filter(|path| !library.contains(&format!("../{path}\"")))
        .collect();
    assert!(untested.is_empty(), "not in the list of a library: {untested:?}");
}
