//! The commands in `docs/do/explain.md` print the output below them.

use super::statements::printed;

#[test]
fn commands_of_the_page() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("docs/do/explain.md");
    let page = std::fs::read_to_string(path).expect("docs/do/explain.md");
    let mut asked = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block");
        for command in block.split("$ crd2idx ").skip(1) {
            let (line, expected) = command.split_once('\n').expect("a line");
            let args = words(line);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            assert_eq!(printed(&args).trim_end(), expected.trim_end(), "{line}");
            asked += 1;
        }
    }
    assert!(asked >= 5, "{asked} commands");
}

/// Splits a command line with double quotes into words.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (k, part) in line.split('"').enumerate() {
        if k % 2 == 1 {
            out.push(part.to_owned());
        } else {
            out.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    out
}
