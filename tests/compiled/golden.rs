//! Machine code: no function written with layouts costs more than its twin written by hand, at any opt-level.
//!
//! The corpus in `tests/golden/` has pairs `<name>_layout` and `<name>_hand`. It is compiled once for each opt-level. The test compares
//! instructions, calls, panics, divisions and memory accesses in the assembly, including everything reached in the file. The corpus's own
//! tests compare the results of each pair. `cargo test --test compiled golden -- --ignored --nocapture` prints the counts.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[path = "../golden/assembly.rs"]
mod assembly;

/// Pairs and opt-levels where the layout function may cost more, with the reason in `docs/look-up/golden-exceptions.md`.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const EXCEPTIONS: &[(&str, &str)] = &[
    ("graph_in_parallel", "z"),
    ("graph_xcc", "z"),
    ("checked_runtime", "1"),
    ("checked_runtime", "1d"),
    ("element", "1"),
    ("element", "1d"),
    ("partial_element", "1"),
    ("partial_element", "1d"),
    ("row_slices", "1"),
    ("row_slices", "1d"),
    ("ragged_visit", "1"),
    ("ragged_visit", "1d"),
    ("tiles_shifted", "1"),
    ("tiles_shifted", "1d"),
    ("tiles_tail", "1"),
    ("tiles_tail", "1d"),
    ("at_mixed", "z"),
    ("at_runtime", "z"),
    ("fill_mixed", "z"),
    ("sum_mixed", "z"),
    ("tile_partial", "z"),
    ("tiles_tail", "z"),
    ("vectors_mixed", "z"),
    ("vectors_runtime", "z"),
    ("walk_cube", "z"),
    ("walk_mixed", "z"),
    ("window_walk", "z"),
    ("broadcast_rows", "2"),
    ("broadcast_rows", "z"),
    ("fold_rows", "z"),
    ("stencil_line", "1"),
    ("stencil_line", "2"),
    ("stencil_line", "3"),
    ("stencil_line", "s"),
    ("stencil_line", "z"),
    ("stencil_line", "1d"),
    ("stencil_line", "3d"),
    ("stencil_static", "s"),
    ("stencil_static", "z"),
    ("stencil_static", "1d"),
    ("stencil_static", "3d"),
    ("walk_four", "1"),
    ("walk_four", "2"),
    ("walk_four", "3"),
    ("walk_four", "s"),
    ("walk_four", "z"),
    ("walk_four", "1d"),
    ("walk_four", "3d"),
    ("windows_walk", "1"),
    ("windows_walk", "2"),
    ("windows_walk", "3"),
    ("windows_walk", "1d"),
    ("windows_walk", "3d"),
    ("at_static", "3"),
    ("at_static", "3d"),
    ("dot_static", "3"),
    ("dot_static", "3d"),
    ("zip_static", "3"),
    ("zip_static", "3d"),
    ("three_static", "2"),
    ("three_static", "3"),
    ("three_static", "3d"),
    ("zip_mixed", "2"),
    ("zip_mixed", "3"),
    ("zip_mixed", "3d"),
    ("dot_three_runtime", "s"),
    ("dot_three_runtime", "z"),
    ("three_runtime", "2"),
    ("three_runtime", "3"),
    ("three_runtime", "3d"),
    ("three_runtime", "s"),
    ("three_runtime", "z"),
    ("five_static", "1"),
    ("five_static", "3"),
    ("five_static", "1d"),
    ("five_static", "3d"),
];

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
#[test]
fn no_layout_costs_more_than_hand_written_code() {
    println!("skipped: reads the assembly of x86-64 Linux only");
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod check {
    use super::EXCEPTIONS;
    use super::assembly::{Assembly, Cost};
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::process::{Command, Output};

    /// The opt-levels; `d` is with debug assertions, in the hand-written code too. Overflow checks are off: they would prove
    /// facts to a twin that layouts, with modular arithmetic, cannot know.
    const LEVELS: [&str; 7] = ["1", "2", "3", "s", "z", "1d", "3d"];

    /// Runs cargo on the corpus and the library at one opt-level, without the flags of this run. Returns `None` if there is no cargo.
    fn cargo(arguments: &[&str], level: &str) -> Option<Output> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (command, rest) = arguments.split_first()?;
        let output = Command::new(cargo)
            .args([command, "--release", "--lib", "--manifest-path"])
            .arg(root.join("tests/golden/Cargo.toml"))
            .arg("--target-dir")
            .arg(target().join(folder(level)))
            .args(rest)
            .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", level.ends_with('d').to_string())
            .env("CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_DEBUG_ASSERTIONS", "false")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level.trim_end_matches('d'))
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .output();
        match output {
            Ok(output) => Some(output),
            Err(error) => {
                println!("skipped: cargo does not run: {error}");
                None
            }
        }
    }

    /// Returns the folder of the build of one opt-level. The macros and the packages that they need are the same for all
    /// opt-levels, and one folder builds them once. Two folders exist because cargo builds in one folder one after the other.
    fn folder(level: &str) -> &'static str {
        if ["1", "2", "3"].contains(&level) { "numbers" } else { "others" }
    }

    fn target() -> std::path::PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden")
    }

    fn succeeded(output: &Output, what: &str) {
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{what}:\n{text}\n{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Compiles the corpus at one opt-level. Returns `None` if there is no cargo; panics if the corpus does not compile.
    fn compile(level: &str) -> Option<Assembly> {
        let path = target().join(format!("corpus-{level}.s"));
        let emit = format!("asm={}", path.display());
        let output = cargo(&["rustc", "--", "-C", "codegen-units=1", "--emit", &emit], level)?;
        succeeded(&output, "the corpus does not compile");
        Some(Assembly::parse(&std::fs::read_to_string(path).expect("the assembly")))
    }

    /// Returns the names of the pairs, without suffix. Panics for a function without its twin.
    fn pairs(assembly: &Assembly) -> BTreeSet<String> {
        let of = |suffix| assembly.names().filter_map(|name| name.strip_suffix(suffix)).map(str::to_string).collect::<BTreeSet<_>>();
        let (layout, hand) = (of("_layout"), of("_hand"));
        assert_eq!(layout, hand, "every function needs its twin");
        layout
    }

    /// Returns true for a `mov` of a number and `ret`, or the equivalent at opt-level `z`.
    fn is_constant(body: &[String]) -> bool {
        let numbers = ["movl\t$", "movq\t$", "movabsq\t$", "xorl\t%eax, %eax"];
        match body {
            [load, ret] => ret == "retq" && numbers.iter().any(|number| load.starts_with(number)),
            [push, pop, ret] => ret == "retq" && push.starts_with("pushq\t$") && pop == "popq\t%rax",
            _ => false,
        }
    }

    struct Row {
        layout: Cost,
        hand: Cost,
        merged: bool,
    }

    impl Row {
        fn new(assembly: &Assembly, pair: &str) -> Row {
            let (layout, hand) = (format!("{pair}_layout"), format!("{pair}_hand"));
            let merged = assembly.root(&layout) == assembly.root(&hand) || assembly.body(&layout) == assembly.body(&hand);
            Row { layout: assembly.cost(&layout), hand: assembly.cost(&hand), merged }
        }

        /// Returns the numbers of instructions as `layout/hand`, or `=n` if both functions have the same code, of `n` instructions.
        fn cell(&self) -> String {
            if self.merged {
                return format!("={}", self.hand.instructions);
            }
            format!("{}/{}", self.layout.instructions, self.hand.instructions)
        }
    }

    #[test]
    #[ignore = "compiles the corpus at seven opt-levels, for minutes"]
    fn no_layout_costs_more_than_hand_written_code() {
        // A compiler uses one processor for one corpus.
        let of = |some: &str| -> Vec<_> {
            let levels = LEVELS.iter().copied().filter(|level| folder(level) == some);
            levels.map_while(|level| Some((level, compile(level)?))).collect()
        };
        let levels: Vec<(&str, Assembly)> = std::thread::scope(|scope| {
            let others = scope.spawn(|| of("others"));
            let numbers = of("numbers");
            numbers.into_iter().chain(others.join().expect("the corpus compiles")).collect()
        });
        if levels.is_empty() {
            return;
        }
        assert_eq!(levels.len(), LEVELS.len());
        let pairs = pairs(&levels[0].1);
        assert!(pairs.len() >= 60, "{} pairs", pairs.len());
        let mut failures = Vec::new();
        println!("{:<20} {}", "instructions", LEVELS.map(|level| format!("{level:>9}")).concat());
        for pair in &pairs {
            let mut line = format!("{pair:<20} ");
            for (level, assembly) in &levels {
                let row = Row::new(assembly, pair);
                line += &format!("{:>9}", row.cell());
                let above = row.layout.above(&row.hand);
                let listed = EXCEPTIONS.contains(&(pair.as_str(), *level));
                if listed == above.is_empty() {
                    let why = if listed { "is an exception but needs none".into() } else { format!("is above in {}", above.join(", ")) };
                    failures.push(format!("{pair} at opt-level {level} {why}\n{}", listings(assembly, pair)));
                }
                if pair.starts_with("const_") && !is_constant(assembly.body(&format!("{pair}_layout"))) {
                    failures.push(format!("{pair} at opt-level {level} is not a constant\n{}", listings(assembly, pair)));
                }
            }
            println!("{line}");
        }
        println!("{} pairs; layout/hand, or =n for the same code", pairs.len());
        assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), pairs.len() * LEVELS.len(), failures.join("\n"));
    }

    fn listings(assembly: &Assembly, pair: &str) -> String {
        let list = |name: String| {
            let cost = assembly.cost(&name);
            format!("{name}: {cost:?}\n    {}\n", assembly.body(&name).join("\n    ").replace('\t', " "))
        };
        list(format!("{pair}_layout")) + &list(format!("{pair}_hand"))
    }

    /// The corpus has a test of each pair, under the name of the pair, and all pass.
    #[test]
    #[ignore = "compiles the corpus at seven opt-levels, for minutes"]
    fn every_pair_computes_the_same() {
        let Some(assembly) = compile("3") else { return };
        let Some(output) = cargo(&["test"], "3") else { return };
        succeeded(&output, "pairs differ");
        let text = String::from_utf8_lossy(&output.stdout);
        let passed: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("test agree::")?.strip_suffix(" ... ok")?.rsplit("::").next())
            .map(str::to_string)
            .collect();
        assert_eq!(passed, pairs(&assembly), "one test for each pair");
    }

    /// The compiler that made the listings of the book.
    const COMPILER: &str = "rustc 1.95.";

    /// Checks each `<!-- assembly: NAME LEVEL -->` in the book against the block below it; `BOOK=overwrite` writes the block
    /// anew. The book shows no function with branches, because a change of any other function renumbers its labels.
    #[test]
    #[ignore = "compiles the corpus at seven opt-levels, for minutes"]
    fn the_book_shows_this_assembly() {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let version = Command::new(rustc).arg("-V").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        if !version.is_ok_and(|version| version.starts_with(COMPILER)) {
            println!("skipped: the listings are those of {COMPILER}*");
            return;
        }
        let (Some(fast), Some(small)) = (compile("3"), compile("s")) else { return };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/understand/stages.md");
        let shown = std::fs::read_to_string(&path).expect("docs/understand/stages.md");
        let mut lines = shown.lines();
        let (mut right, mut count) = (String::new(), 0);
        while let Some(line) = lines.next() {
            right += line;
            right += "\n";
            let Some(listing) = line.strip_prefix("<!-- assembly: ").and_then(|rest| rest.strip_suffix(" -->")) else { continue };
            assert_eq!(lines.next(), Some("```asm"), "no block below {listing}");
            assert!(lines.any(|line| line == "```"), "the block below {listing} is not closed");
            let (name, level) = listing.split_once(' ').expect("a function and an opt-level");
            let assembly = if level == "s" { &small } else { &fast };
            let body = assembly.body(name).join("\n").replace('\t', " ");
            assert!(!body.contains(".L") && ["3", "s"].contains(&level), "{listing}: {body}");
            right += &format!("```asm\n{body}\n```\n");
            count += 1;
        }
        assert!(count >= 10, "{count} listings");
        if std::env::var_os("BOOK").is_some_and(|value| value == "overwrite") {
            std::fs::write(&path, right).expect("the page is written");
        } else {
            assert_eq!(shown, right, "BOOK=overwrite cargo test --test compiled the_book -- --ignored writes the listings anew");
        }
    }

    #[test]
    fn every_exception_has_its_reason() {
        if EXCEPTIONS.is_empty() {
            return;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/look-up/golden-exceptions.md");
        let reasons = std::fs::read_to_string(path).expect("docs/look-up/golden-exceptions.md");
        for (pair, _) in EXCEPTIONS {
            assert!(reasons.contains(&format!("`{pair}`")), "no reason for {pair}");
        }
    }
}
