//! The page of errors has exactly the messages of `checks/messages/tests/ui`, except for programs that try to break memory
//! (`adversary_*`): these get messages of the compiler itself.

use super::pages::{Page, collect, root};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the first line of each compiler message, without its code.
fn messages() -> BTreeSet<String> {
    let mut paths = Vec::new();
    collect(Path::new("checks/messages/tests/ui/fail"), "stderr", &mut paths);
    paths.retain(|path| !path.contains("adversary_"));
    let texts = paths.iter().map(|path| std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}")));
    let mut found = BTreeSet::new();
    for text in texts {
        for line in text.lines().filter(|line| line.starts_with("error")) {
            let message = line.split_once(": ").map_or(line, |(_, message)| message);
            let message = message.strip_prefix("evaluation panicked: ").unwrap_or(message);
            found.insert(message.to_string());
        }
    }
    found
}

#[test]
fn errors_are_those_of_the_compiler() {
    let page = Page::read("docs/look-up/errors.md");
    let shown: BTreeSet<String> = page
        .blocks()
        .iter()
        .filter(|block| block.language == "text")
        .flat_map(|block| page.lines[block.from..block.to].iter().filter(|line| !line.is_empty()).cloned())
        .collect();
    let messages = messages();
    let missing: Vec<_> = messages.difference(&shown).collect();
    let invented: Vec<_> = shown.difference(&messages).collect();
    assert!(missing.is_empty() && invented.is_empty(), "not in the page: {missing:#?}\nnot of the compiler: {invented:#?}");
}

/// Returns the text on the page for a piece of a message after `{`: `..`, or the plural of a choice.
fn shown(piece: &str) -> String {
    let Some((place, rest)) = piece.split_once('}') else { return piece.to_owned() };
    format!("{}{rest}", place.split_once('|').map_or("..", |(_, many)| many))
}

/// The list of causes has the texts of `layout-algebra/src/error/cause.rs`, with `..` for the numbers and positions.
#[test]
fn every_cause_is_explained() {
    let source = Page::read("layout-algebra/src/error/cause.rs");
    let list = source.lines.iter().skip_while(|line| *line != "causes! {").take_while(|line| *line != "}");
    let causes: BTreeSet<String> =
        list.filter_map(|line| line.split_once(" = \"")?.1.strip_suffix("\",")).map(|text| text.split('{').map(shown).collect()).collect();
    assert!(causes.len() > 40, "{} causes", causes.len());
    let page = Page::read("docs/look-up/errors.md");
    let list = page.lines.iter().skip_while(|line| *line != "## Every refusal of the algebra").skip(1);
    let texts = list.take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix("* `")?.split("`:").next());
    let explained: BTreeSet<String> = texts.map(|text| text.trim_matches('`').trim().to_string()).collect();
    assert_eq!(explained, causes);
}
