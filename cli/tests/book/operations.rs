//! The overview of the algebra and the table of operations list the same names.

use super::pages::Page;
use crd2idx::error::Op;
use std::collections::BTreeSet;

/// Returns the names in the first column of the table of pages, each with the page of its link.
fn listed(page: &Page) -> Vec<(String, String)> {
    let rows = page.lines.iter().skip_while(|line| !line.starts_with("| operation |")).skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let links = cells.flat_map(|cell| cell.split('[').skip(1).filter_map(|link| link.split_once("](")));
    links.map(|(name, target)| (name.to_string(), target.split(')').next().unwrap_or("").to_string())).collect()
}

/// The overview leads to a page for every operation from layouts to layouts, and every name there is an operation.
#[test]
fn the_overview_leads_to_every_operation() {
    let overview = Page::read("docs/look-up/algebra/overview.md");
    let listed = listed(&overview);
    assert!(listed.len() > 25, "{} names", listed.len());
    let topics = ["modes", "slice and dice"];
    let invented: Vec<_> = listed.iter().filter(|(name, _)| !topics.contains(&name.as_str()) && Op::from_name(name).is_none()).collect();
    assert!(invented.is_empty(), "not operations: {invented:?}");
    let targets: BTreeSet<&String> = listed.iter().map(|(_, target)| target).collect();
    let pages: Vec<Page> = targets.iter().map(|target| Page::read(&format!("docs/look-up/algebra/{target}"))).collect();
    let explained = |op: &Op| {
        let names = || op.aliases().iter().copied().chain([op.name()]);
        pages.iter().any(|page| {
            page.lines.iter().any(|line| names().any(|name| line.contains(&format!("{name}(")) || line.contains(&format!("`{name}`"))))
        })
    };
    let of_layouts = Op::ALL.iter().filter(|op| op.forms().iter().any(|form| form.result == "layout" && form.operands[0].1 == "layout"));
    let missing: Vec<_> = of_layouts.filter(|op| !explained(op)).map(|op| op.name()).collect();
    assert!(missing.is_empty(), "on no page: {missing:?}");
}

/// The overview shows the output of `crd2idx ops`, so it lists each form of each operation once.
#[test]
fn the_overview_lists_every_form() {
    let overview = Page::read("docs/look-up/algebra/overview.md");
    let shown: BTreeSet<&str> = overview.lines.iter().filter_map(|line| line.split_once("  # ").map(|(form, _)| form)).collect();
    let forms: BTreeSet<String> = Op::ALL.iter().flat_map(|op| op.forms().iter().map(move |form| format!("{}{form}", op.name()))).collect();
    assert_eq!(shown, forms.iter().map(String::as_str).collect());
}

/// The cheat sheet has the answers of the command.
#[test]
fn the_cheat_sheet_shows_what_expressions_give() {
    let sheet = Page::read("docs/look-up/cheat-sheet.md");
    let rows = sheet.lines.iter().skip_while(|line| !line.starts_with("| expression |")).skip(2).take_while(|line| line.starts_with('|'));
    let mut shown = 0;
    for row in rows {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        assert_eq!(crd2idx_cli::answer(["eval", cells[1]]).as_deref(), Ok(cells[2]), "{}", cells[1]);
        shown += 1;
    }
    assert!(shown > 10, "{shown} rows");
}
