//! Tests of the Rust text, with the division by magic numbers of this workspace.

use super::generate::{Case, Sample, Size, cases};
use super::std::process::Command;
use super::{Folder, emits, has, run};
use crate::program::{Emit, Language, Time, WordWidth};
use alloc::{format, vec};
use core::fmt::Write;
use layout_algebra::heap::*;

/// The file of the division by magic numbers, for a `#[path]`.
pub const FAST_DIV: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../layout-algebra/src/fast_div.rs");

/// Writes rows of numbers as an array of arrays.
pub fn rows(case: &Case, row: impl Fn(&Sample) -> Vec<i64>) -> String {
    let rows: Vec<String> = case.samples.iter().map(|sample| format!("{:?}", row(sample))).collect();
    format!("[{}]", rows.join(", "))
}

/// Writes the check of one function on its samples. `prepare` makes the launch, and `ty` is the type of the numbers.
pub fn check(k: usize, case: &Case, ty: &str, prepare: Option<&str>, launch: &str, tuple: bool) -> String {
    let mut main = String::new();
    let inputs = case.program.inputs();
    let list = |time: Option<Time>| {
        let words = (0..inputs.len()).filter(|w| time.is_none_or(|time| inputs[*w].time == time));
        words.map(|w| format!("input[{w}] as {ty}")).collect::<Vec<_>>()
    };
    let m = case.program.outputs().len();
    writeln!(main, "fn check{k}(wrong: &mut bool) {{").unwrap();
    writeln!(main, "    let inputs: &[[i64; {}]] = &{};", inputs.len(), rows(case, |sample| sample.inputs.clone())).unwrap();
    writeln!(main, "    let outputs: &[[i64; {m}]] = &{};", rows(case, |sample| sample.outputs.clone())).unwrap();
    writeln!(main, "    let valid: &[[i64; 1]] = &{};", rows(case, |sample| vec![sample.valid as i64])).unwrap();
    writeln!(main, "    for (s, input) in inputs.iter().enumerate() {{").unwrap();
    let mut arguments = list(prepare.map(|_| Time::Thread));
    if let Some(prepare) = prepare {
        writeln!(main, "        let launch = {prepare}({});", list(Some(Time::Launch)).join(", ")).unwrap();
        arguments.push(launch.into());
    }
    let call = |name: &str| format!("p{k}::{name}({})", arguments.join(", "));
    writeln!(main, "        let got = {};", call(&format!("p{k}"))).unwrap();
    let fields: Vec<String> = match (m, tuple) {
        (1, _) => vec!["got as i64".into()],
        (_, true) => (0..m).map(|o| format!("got.{o} as i64")).collect(),
        _ => ["m", "n", "struct_2"][..m].iter().map(|name| format!("got.{name} as i64")).collect(),
    };
    writeln!(main, "        report({k}, s, &[{}], &outputs[s], wrong);", fields.join(", ")).unwrap();
    let is_valid = if case.program.conditions.is_empty() { "true".into() } else { call(&format!("p{k}_is_valid")) };
    writeln!(main, "        report({k}, s, &[{is_valid} as i64], &valid[s], wrong);\n    }}\n}}").unwrap();
    main
}

/// Writes the end of the program, which runs every check.
pub fn main(count: usize) -> String {
    let calls = (0..count).map(|k| format!("    check{k}(&mut wrong);\n")).collect::<String>();
    format!(
        "fn report(k: usize, s: usize, got: &[i64], want: &[i64], wrong: &mut bool) {{
    if got != want {{
        println!(\"p{{k}}, sample {{s}}: {{got:?}} instead of {{want:?}}\");
        *wrong = true;
    }}
}}
fn main() {{
    let mut wrong = false;
{calls}    std::process::exit(wrong as i32);
}}
"
    )
}

fn harness(cases: &[Case]) -> String {
    let mut out = format!("#[path = {FAST_DIV:?}]\nmod fast_div;\n");
    for (k, case, emit) in emits(Language::Rust, cases) {
        let emit = emit.crate_path("crate::fast_div");
        let (source, ty) = typed(case, emit);
        let prepare = source.host.as_ref().map(|_| format!("p{k}::p{k}_prepare"));
        writeln!(out, "mod p{k} {{\n{}\n{}}}", source.device, source.host.unwrap_or_default()).unwrap();
        out += &check(k, case, &ty, prepare.as_deref(), "&launch", true);
    }
    out + &main(cases.len())
}

/// Emits a case and returns the type of its numbers. Every third case gets 32 bits if that is proven to fit.
fn typed(case: &Case, emit: Emit) -> (crate::program::Source, String) {
    let narrow = case.samples.len().is_multiple_of(3).then(|| case.program.emit(&emit.clone().width(WordWidth::Bits32)).ok()).flatten();
    let source = narrow.unwrap_or_else(|| case.program.emit(&emit).unwrap());
    let name = format!("pub const fn {}(", emit.name);
    let head = source.device.find(&name).map(|at| &source.device[at + name.len()..]).unwrap();
    let head = &head[..head.find('{').unwrap()];
    let ty =
        ["u32", "i32", "u64", "i64", "usize", "isize"].into_iter().find(|ty| head.split(|c: char| !c.is_alphanumeric()).any(|w| w == *ty));
    (source.clone(), ty.unwrap().into())
}

#[test]
fn rust_text_is_the_program() {
    if !has("rustc") {
        return;
    }
    let cases = cases(7, 210, |k| [Size::Natural, Size::Signed, Size::Wide][k % 3]);
    let folder = Folder::new("rust");
    let source = folder.write("emitted.rs", &harness(&cases));
    let program = folder.0.join("program");
    let flags = ["--edition=2021", "-Coverflow-checks=on", "-Dwarnings", "-Adead_code"];
    run(Command::new("rustc").args(flags).arg(&source).arg("-o").arg(&program), &source);
    run(&mut Command::new(&program), &source);
}
