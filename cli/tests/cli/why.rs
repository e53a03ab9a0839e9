//! The page of errors by the text of a message.

use super::{printed, refused};
use crate::command::run;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns what `crd2idx why` prints for these messages on standard input.
fn why(messages: &str) -> String {
    let output = run(&["why", "-"], messages);
    assert_eq!(output.status.code(), Some(0), "{messages}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_message_with_other_numbers_is_found() {
    let advice = printed(&["why", "zipped_divide: tile 7 does not divide the extent 22 of mode 1"]);
    assert!(advice.starts_with("A tile does not divide\n\n    zipped_divide: tile 8 does not divide"), "{advice}");
    assert!(advice.contains("(docs/do/tails.md)"), "{advice}");
    // The list of refusals points to the section.
    let advice = printed(&["why", "complement: stride 5 falls inside the 7 elements already covered, in mode 1"]);
    assert!(advice.contains("call `filter` first"), "{advice}");
    assert!(printed(&["why"]).lines().any(|heading| heading == "A tile does not divide"));
    assert!(printed(&["why", "a tile does not divide"]).contains("pad the extent"));
    for other in ["the quick brown fox jumps over it", "mismatched types", "expected `Tensor<_>`, found `Tile<_>`"] {
        assert!(refused(&["why", other]).contains("no message"), "{other}");
    }
    assert!(printed(&["why", "expected `3`, found `64`"]).contains("one `Vec`"));
}

#[test]
fn each_message_of_a_build_is_explained() {
    let advice = why(
        "zipped_divide: tile 8 does not divide the extent 10 of mode 0\nhoist: the layout has 6 run-time quantities, there is room for 1\n\
         logical_divide: tile 7 does not divide the extent 10 of mode 1",
    );
    let headings: Vec<_> = ["A tile does not divide\n", "Hoisting\n"].map(|heading| advice.matches(heading).count()).into();
    assert_eq!(headings, [1, 1], "{advice}");
}

#[test]
fn messages_of_the_compiler_are_found_in_all_that_it_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checks/messages/tests/ui/fail");
    let mut asked = 0;
    for file in std::fs::read_dir(folder).expect("the folder of messages").map(|file| file.expect("a file").path()) {
        if file.extension().is_none_or(|end| end != "stderr") || file.file_name().unwrap().to_string_lossy().starts_with("adversary_") {
            continue;
        }
        let output = std::fs::read_to_string(&file).expect("a text");
        let advice = why(&output);
        let message = advice.lines().nth(2).expect("a message").trim();
        // Names in quotes and numbers may differ.
        let without_numbers = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
        let pieces: Vec<_> = without_numbers(message).split('`').step_by(2).map(str::to_owned).collect();
        assert!(pieces.iter().all(|piece| without_numbers(&output).contains(piece)), "{}: {message}", file.display());
        asked += 1;
    }
    assert!(asked > 60, "{asked} messages");
}

/// Every refusal of the algebra in the vectors has a page, whatever its numbers are.
#[test]
fn refusals_of_the_algebra_are_found() {
    let mut refusals: BTreeMap<String, String> = BTreeMap::new();
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/cute")).expect("vectors") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
        for case in text.lines().filter(|line| line.contains("\"error\":true")) {
            let case: Value = serde_json::from_str(case.trim_end_matches(',')).expect("JSON");
            let request = json!({"op": case["op"], "args": case["args"]}).to_string();
            let reply: Value = serde_json::from_str(&crd2idx_cli::reply(request.as_bytes())).expect("JSON");
            if let Some(message) = reply["error"].as_str().filter(|message| !message.contains("no operation")) {
                let kind = message.chars().filter(|letter| !letter.is_ascii_digit()).collect();
                refusals.insert(kind, message.to_string());
            }
        }
    }
    assert!(refusals.len() >= 9, "{} kinds of refusals", refusals.len());
    let without: Vec<_> = refusals.values().filter(|message| crd2idx_cli::answer(["why", message.as_str()]).is_err()).collect();
    assert!(without.is_empty(), "{without:#?}");
}
