//! Emitted C, compiled and run.

use super::cases::Case;
use super::tool::{Folder, has, run};
use super::{graphs, layouts};
use crd2idx::program::{Language, Time};
use std::fmt::Write;
use std::process::Command;

/// Returns a program that calls every function on every sample, prints the differences, and then the number of results that it compared.
fn harness(cases: &[Case]) -> String {
    let (mut out, mut main) = (String::new(), String::new());
    for (k, case) in cases.iter().enumerate() {
        let source = case.emit(k, Language::C, "");
        out += &source.device;
        out += source.host.as_deref().unwrap_or_default();
        let (n, m) = (case.program.inputs().len(), case.program.outputs().len());
        let row = ["{", "}"];
        writeln!(main, "static void check{k}(void) {{").unwrap();
        // A C array has at least one element.
        let inputs = case.rows(row, "ll", |sample| [&sample.inputs[..], &[0]].concat());
        writeln!(main, "    static const long long in[][{}] = {inputs};", n + 1).unwrap();
        writeln!(main, "    static const long long out[][{m}] = {};", case.rows(row, "ll", |sample| sample.outputs.clone())).unwrap();
        writeln!(main, "    static const char valid[][1] = {};", case.rows(row, "", |sample| vec![sample.valid.into()])).unwrap();
        writeln!(main, "    for (int s = 0; s < {}; ++s) {{\n        (void)in;", case.samples.len()).unwrap();
        let mut arguments = case.arguments("in[s]", source.host.as_ref().map(|_| Time::Thread));
        if source.host.is_some() {
            let prepared = case.arguments("in[s]", Some(Time::Launch)).join(", ");
            writeln!(main, "        const q{k}_launch launch = q{k}_prepare({prepared});").unwrap();
            arguments.push("launch".into());
        }
        let (arguments, result) = (arguments.join(", "), if m == 1 { source.integer.into() } else { format!("q{k}_result") });
        writeln!(main, "        const {result} got = q{k}({arguments});\n        {} results[{m}];", source.integer).unwrap();
        writeln!(main, "        memcpy(results, &got, sizeof results);").unwrap();
        writeln!(main, "        for (int o = 0; o < {m}; ++o) report({k}, s, (long long)results[o], out[s][o]);").unwrap();
        let valid = if case.program.has_conditions() { format!("q{k}_is_valid({arguments})") } else { "1".into() };
        writeln!(main, "        report({k}, s, {valid}, valid[s][0]);\n    }}\n}}").unwrap();
    }
    let calls = (0..cases.len()).map(|k| format!("    check{k}();\n")).collect::<String>();
    let report = "#include <stdio.h>\n#include <string.h>\nstatic int compared = 0, wrong = 0;
static void report(int k, int s, long long got, long long want) {
    ++compared;
    if (got != want && ++wrong < 20) {
        printf(\"q%d, sample %d: %lld instead of %lld\\n\", k, s, got, want);
    }
}
";
    format!("{report}{out}{main}int main(void) {{\n{calls}    printf(\"%d\", compared);\n    return wrong > 0;\n}}\n")
}

/// Returns the number of results that agree, or `None` without a compiler.
fn compared(name: &str, cases: &[Case]) -> Option<usize> {
    if !has("cc") {
        return None;
    }
    let text = harness(cases);
    let folder = Folder::new(name);
    let (source, program) = (folder.write("emitted.c", &text), folder.0.join("program"));
    let flags = ["-std=gnu11", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-div-by-zero"];
    run(Command::new("cc").args(flags).arg(&source).arg("-o").arg(&program), &text);
    let printed = run(&mut Command::new(&program), &text);
    Some(printed.parse().expect("a number"))
}

#[test]
fn c_of_the_recorded_graphs_is_their_evaluation() {
    let cases = graphs::cases();
    assert!(cases.len() > 300, "{} programs", cases.len());
    let results = cases.iter().map(|case| case.samples.len() * (1 + case.program.outputs().len())).sum::<usize>();
    assert!(results > 9000, "{results} results");
    assert!(compared("graphs", &cases).is_none_or(|compared| compared == results));
}

#[test]
fn c_of_random_layouts_is_their_index() {
    let cases = layouts::cases(1, 200);
    let results = cases.iter().map(|case| 2 * case.samples.len()).sum::<usize>();
    assert!(compared("layouts", &cases).is_none_or(|compared| compared == results));
    // The cases include layouts of every kind.
    let with = |mark: &str| cases.iter().filter(|case| case.what.contains(mark)).count();
    assert!(with("?") > 60 && with("S<") >= 40 && with("divide") >= 40 && with("-") > 20, "{} {} {}", with("?"), with("divide"), with("-"));
}
