//! Compares the pairs of the corpus in the assembly of other targets. `scripts/golden_targets` compiles this file, and the corpus.
//!
//! Usage: `targets EXCEPTIONS TARGET LEVEL ASSEMBLY...`, the last three for each build. Fails if a function of layouts has more
//! instructions, calls or panics than its twin and is not listed with a reason, or is listed and has not.

#[allow(dead_code)]
mod assembly;

use assembly::{Assembly, Cost};
use std::collections::BTreeSet;

/// Returns the exceptions `build pair`. A line of the file has a pair and its builds, separated by commas. Above it stands the reason, on
/// lines that begin with `=`.
fn listed(path: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut listed, mut has_reason) = (BTreeSet::new(), false);
    for row in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(reason) = row.strip_prefix('=') {
            has_reason = !reason.trim().is_empty();
            continue;
        }
        let (pair, builds) = row.split_once(' ').unwrap_or_else(|| panic!("`{row}` needs a pair and builds"));
        assert!(has_reason, "`{row}` needs a reason above it");
        listed.extend(builds.split(',').map(|build| format!("{build} {pair}")));
    }
    listed
}

/// Returns true if a function may return, or end with another. One that does not returns nothing but a message: a call is its cost, as it
/// is in x86-64, where the compiler calls such functions through a table.
fn returns(body: &[String]) -> bool {
    let ends = |line: &String| {
        let mnemonic = line.split_whitespace().next().unwrap_or("");
        matches!(mnemonic, "ret" | "retq" | "bx" | "b" | "b.w" | "tail" | "j") || line.contains("pc}")
    };
    let by_label = |line: &String| line.contains("\t.L");
    // WebAssembly falls off the end.
    let falls =
        body.last().is_some_and(|last| last == "end_function") && !body.iter().rev().nth(1).is_some_and(|line| line == "unreachable");
    falls || body.iter().any(|line| ends(line) && !by_label(line))
}

/// Returns the counts that all targets have.
fn common(assembly: &Assembly, name: &str) -> Cost {
    Cost { divisions: 0, accesses: 0, ..assembly.cost_through(name, returns) }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, builds) = arguments.split_first().expect("the file of exceptions");
    let (listed, mut used, mut failed) = (listed(path), BTreeSet::new(), 0);
    for build in builds.chunks(3) {
        let [target, level, file] = build else { panic!("a build is a target, an opt-level and a file") };
        // Arm marks its constants with the `#` of other comments.
        let comment = match target.split(['-', 'v']).next() {
            Some("thumb") => "@",
            Some("aarch64") => "//",
            _ => "#",
        };
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let assembly = Assembly::parse_with(&text, comment);
        let names = |suffix| assembly.names().filter_map(|name| name.strip_suffix(suffix)).map(str::to_string).collect::<BTreeSet<_>>();
        let pairs = names("_layout");
        assert!(pairs == names("_hand") && pairs.len() >= 60, "{target}: {} pairs, and each needs a twin", pairs.len());
        let (mut same, mut equal, mut less, mut more) = (0, 0, 0, 0);
        let short = format!("{}-{level}", target.split('-').next().unwrap_or(target));
        for pair in &pairs {
            let (layout, hand) = (format!("{pair}_layout"), format!("{pair}_hand"));
            let merged = assembly.root(&layout) == assembly.root(&hand) || assembly.body(&layout) == assembly.body(&hand);
            let (ours, theirs) = (common(&assembly, &layout), common(&assembly, &hand));
            let above = ours.above(&theirs);
            let key = format!("{short} {pair}");
            let numbers = format!("{pair} of {short}: {} to {} instructions", ours.instructions, theirs.instructions);
            if !above.is_empty() && !listed.contains(&key) {
                println!("{numbers}, above in {}", above.join(", "));
                failed += 1;
            } else if !above.is_empty() {
                more += 1;
                used.insert(key);
            } else if merged {
                same += 1;
            } else if ours.instructions == theirs.instructions {
                equal += 1;
            } else {
                less += 1;
            }
        }
        println!(
            "{target} at {level}: {} pairs, {same} of one code, {equal} of equal length, {less} shorter, {more} exceptions",
            pairs.len()
        );
        let unused = listed.iter().filter(|key| key.starts_with(&format!("{short} ")) && !used.contains(*key));
        for key in unused {
            println!("{key} is an exception but needs none");
            failed += 1;
        }
    }
    if failed > 0 {
        println!("{failed} pairs");
        std::process::exit(1);
    }
}
