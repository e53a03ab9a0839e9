//! The links and anchors of the README and of the book, and the summary.

use super::pages::{self, Page, collect, root};
use std::collections::BTreeSet;
use std::path::{Component, Path};

/// Returns the targets of links and pictures, each with its line number.
fn targets(page: &Page) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in page.prose() {
        for rest in line.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or("");
            found.push((at + 1, target.to_string()));
        }
    }
    found
}

/// Returns the anchors of the headings of a page.
fn anchors(page: &Page) -> BTreeSet<String> {
    let code: BTreeSet<usize> = page.blocks().iter().flat_map(|block| block.from - 1..=block.to).collect();
    let headings = page.lines.iter().enumerate().filter(|(at, line)| line.starts_with('#') && !code.contains(at));
    let slug = |text: &str| {
        let kept = text.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect::<String>();
        kept.replace(' ', "-")
    };
    headings.map(|(_, line)| slug(line.trim_start_matches('#'))).collect()
}

/// Returns `directory/target` without `..`.
fn joined(directory: &Path, target: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in directory.join(target).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

/// A page of the book links only to pages of the book: the built book contains nothing else.
#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut count = 0;
    let beside = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(Page::read);
    for page in pages::all().into_iter().chain(beside) {
        for (line, target) in targets(&page) {
            if target.starts_with("http") {
                continue;
            }
            count += 1;
            let (file, anchor) = target.split_once('#').map_or((target.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            let path = if file.is_empty() { page.path.clone() } else { joined(page.directory(), file) };
            if page.path.starts_with("docs/") && !path.starts_with("docs/") {
                broken.push(format!("{}:{line}: {path} is not in the book", page.path));
            } else if !root().join(&path).exists() {
                broken.push(format!("{}:{line}: there is no {path}", page.path));
            } else if let Some(anchor) = anchor.filter(|anchor| !path.ends_with(".md") || !anchors(&Page::read(&path)).contains(*anchor)) {
                broken.push(format!("{}:{line}: {path} has no heading `{anchor}`", page.path));
            }
        }
    }
    assert!(count > 100, "{count} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// READMEs and docstrings link to files of this repository by their address there.
#[test]
fn addresses_lead_to_files() {
    let mut paths = Vec::new();
    ["rs", "md", "py", "pyi"].into_iter().for_each(|extension| collect(Path::new(""), extension, &mut paths));
    let mut broken = Vec::new();
    let mut count = 0;
    for path in paths.iter().filter(|path| *path != "cli/tests/book/links.rs") {
        let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        for rest in text.split("github.com/crd2idx/crd2idx/blob/main/").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"/._-#".contains(c)).unwrap_or(rest.len());
            let (file, anchor) = rest[..end].split_once('#').unwrap_or((&rest[..end], ""));
            count += 1;
            if !root().join(file).exists() {
                broken.push(format!("{path}: there is no {file}"));
            } else if !anchor.is_empty() && !anchors(&Page::read(file)).contains(anchor) {
                broken.push(format!("{path}: {file} has no heading `{anchor}`"));
            }
        }
    }
    assert!(count > 10, "{count} addresses");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_summary_lists_every_page_once() {
    let mut listed: Vec<String> = targets(&Page::read("docs/SUMMARY.md"))
        .into_iter()
        .map(|(_, target)| format!("docs/{}", target.trim_start_matches("./")))
        .collect();
    listed.sort();
    let pages: Vec<String> = pages::book().into_iter().map(|page| page.path).collect();
    assert_eq!(listed, pages);
}

/// A `|` within code splits a table cell too, so it is written `\\|` there.
#[test]
fn rows_of_tables_have_the_cells_of_their_heading() {
    let mut ragged = Vec::new();
    let mut rows = 0;
    for page in pages::all() {
        let code: BTreeSet<usize> = page.blocks().iter().flat_map(|block| block.from - 1..=block.to).collect();
        let mut heading = None;
        for (at, line) in page.lines.iter().enumerate().filter(|(at, _)| !code.contains(at)) {
            if !line.starts_with('|') {
                heading = None;
                continue;
            }
            rows += 1;
            let cells = line.replace("\\|", "").matches('|').count() - 1;
            if *heading.get_or_insert(cells) != cells {
                ragged.push(format!("{}:{}: {cells} cells: {line}", page.path, at + 1));
            }
        }
    }
    assert!(rows > 100, "{rows} rows");
    assert!(ragged.is_empty(), "{}", ragged.join("\n"));
}
