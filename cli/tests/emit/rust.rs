//! Emitted Rust, compiled with the crate's own division by magic numbers, and run.

use super::cases::{Case, thinned};
use super::tool::{Folder, has, run};
use super::{graphs, layouts};
use crd2idx::program::{Language, Time};
use std::fmt::Write;
use std::process::Command;

fn harness(cases: &[Case]) -> String {
    let fast_div = concat!(env!("CARGO_MANIFEST_DIR"), "/../layout-algebra/src/fast_div.rs");
    let mut out = format!("#![allow(dead_code)]\n#[path = {fast_div:?}]\nmod fast_div;\n");
    let mut calls = String::new();
    for (k, case) in cases.iter().enumerate() {
        let source = case.emit(k, Language::Rust, "crate::fast_div");
        writeln!(out, "mod q{k} {{\n{}{}}}", source.device, source.host.as_deref().unwrap_or_default()).unwrap();
        let (n, m) = (case.program.inputs().len(), case.program.outputs().len());
        let (row, ty) = (["[", "]"], source.integer);
        writeln!(out, "fn check{k}(wrong: &mut bool) {{").unwrap();
        writeln!(out, "    let rows: &[[i64; {n}]] = &{};", case.rows(row, "", |sample| sample.inputs.clone())).unwrap();
        writeln!(out, "    let outputs: &[[i64; {m}]] = &{};", case.rows(row, "", |sample| sample.outputs.clone())).unwrap();
        writeln!(out, "    let valid: &[[i64; 1]] = &{};", case.rows(row, "", |sample| vec![sample.valid.into()])).unwrap();
        writeln!(out, "    for (s, row) in rows.iter().enumerate() {{\n        let _ = row;").unwrap();
        let list = |time| case.arguments("row", time).iter().map(|argument| format!("{argument} as {ty}")).collect::<Vec<_>>();
        let mut arguments = list(source.host.as_ref().map(|_| Time::Thread));
        if source.host.is_some() {
            writeln!(out, "        let launch = q{k}::q{k}_prepare({});", list(Some(Time::Launch)).join(", ")).unwrap();
            arguments.push("&launch".into());
        }
        let arguments = arguments.join(", ");
        let fields = if m == 1 { vec!["got as i64".into()] } else { (0..m).map(|o| format!("got.{o} as i64")).collect() };
        writeln!(out, "        let got = q{k}::q{k}({arguments});").unwrap();
        writeln!(out, "        report({k}, s, &[{}], &outputs[s], wrong);", fields.join(", ")).unwrap();
        let is_valid = if case.program.has_conditions() { format!("q{k}::q{k}_is_valid({arguments})") } else { "true".into() };
        writeln!(out, "        report({k}, s, &[{is_valid} as i64], &valid[s], wrong);\n    }}\n}}").unwrap();
        writeln!(calls, "    check{k}(&mut wrong);").unwrap();
    }
    let report = "fn report(k: usize, s: usize, got: &[i64], want: &[i64], wrong: &mut bool) {
    if got != want {
        println!(\"q{k}, sample {s}: {got:?} instead of {want:?}\");
        *wrong = true;
    }
}
";
    format!("{out}{report}fn main() {{\n    let mut wrong = false;\n{calls}    std::process::exit(wrong as i32);\n}}\n")
}

#[test]
fn rust_is_the_evaluation() {
    if !has("rustc") {
        return;
    }
    let (graphs, layouts) = (graphs::cases(), layouts::cases(2, 40));
    let some = thinned(&(0..graphs.len()).collect::<Vec<_>>(), 60);
    let graphs = graphs.into_iter().enumerate().filter(|(k, _)| some.contains(k)).map(|(_, case)| case);
    let text = harness(&graphs.chain(layouts).collect::<Vec<_>>());
    let folder = Folder::new("rust");
    let (source, program) = (folder.write("emitted.rs", &text), folder.0.join("program"));
    run(Command::new("rustc").args(["--edition=2024", "-Dwarnings", "-Cdebuginfo=0"]).arg(&source).arg("-o").arg(&program), &text);
    run(&mut Command::new(&program), &text);
}
