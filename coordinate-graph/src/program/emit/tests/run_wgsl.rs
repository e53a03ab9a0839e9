//! Tests of the WGSL text. It is validated if there is a validator, and run as Rust after a few words are replaced.

use super::generate::{Case, Size, cases};
use super::run_rust::{FAST_DIV, check, main};
use super::std::process::Command;
use super::{Folder, emits, has, run};
use crate::program::Language;
use core::fmt::Write;
use layout_algebra::heap::*;

fn narrow_cases(seed: u64, count: usize) -> Vec<Case> {
    cases(seed, count, |k| if k % 2 == 0 { Size::Natural } else { Size::Signed })
}

/// Rust definitions of the words of WGSL.
const PRELUDE: &str = concat!(
    "#![allow(warnings)]
mod wgsl {
    pub struct Array<T, const N: usize>(pub [T; N]);
    impl<T, const N: usize> core::ops::Index<u32> for Array<T, N> { type Output = T; fn index(&self, k: u32) -> &T { &self.0[k as usize] } }
    impl<T, const N: usize> core::ops::Index<i32> for Array<T, N> { type Output = T; fn index(&self, k: i32) -> &T { &self.0[k as usize] } }
",
    include_str!("wgsl_words.rs"),
    "}\n"
);

/// Returns the WGSL text `text` as Rust, by replacing words.
fn translate(text: &str) -> String {
    let mut out = String::new();
    let mut constructors = String::new();
    let mut in_struct = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("var<private> ") {
            let (name, array) = rest.split_once(": array<").unwrap();
            let (ty, rest) = array.split_once(", ").unwrap();
            let (length, _) = rest.split_once('>').unwrap();
            let (_, entries) = rest.split_once(">(").unwrap();
            let end = if entries.is_empty() { "" } else { "]);" };
            writeln!(out, "static {name}: Array<{ty}, {length}> = Array([{}{end}", entries.trim_end_matches(");")).unwrap();
            continue;
        }
        if let Some(name) = line.strip_prefix("struct ") {
            let name = name.trim_end_matches(" {");
            let fields = text.split_once(&format!("struct {name} {{\n")).unwrap().1.split_once("\n}").unwrap().0;
            let fields: Vec<&str> = fields.lines().map(|field| field.trim().split(',').next().unwrap()).collect();
            let names: Vec<&str> = fields.iter().map(|field| field.split(':').next().unwrap()).collect();
            writeln!(constructors, "fn {name}({}) -> {name} {{ {name} {{ {} }} }}", fields.join(", "), names.join(", ")).unwrap();
            writeln!(out, "#[derive(Clone, Copy)]\n#[repr(C)]\npub {line}").unwrap();
            in_struct = true;
            continue;
        }
        in_struct &= line != "}";
        if in_struct {
            writeln!(out, "pub {line}").unwrap();
            continue;
        }
        if line == ");" {
            out += "]);\n";
            continue;
        }
        writeln!(out, "{line}").unwrap();
    }
    // A suffix of one letter gives the type of a literal.
    let mut typed = String::new();
    let mut in_number = false;
    let mut before = ' ';
    for c in out.chars() {
        let digits = in_number;
        in_number = c.is_ascii_digit() && (in_number || !(before.is_alphanumeric() || before == '_'));
        match c {
            'u' | 'i' if digits => typed += &format!("{c}32"),
            _ => typed.push(c),
        }
        before = c;
    }
    (typed + &constructors).replace("fn ", "pub fn ")
}

fn harness(cases: &[Case]) -> String {
    let mut out = format!("{PRELUDE}#[path = {FAST_DIV:?}]\nmod fast_div;\n");
    for (k, case, emit) in emits(Language::Wgsl, cases) {
        let emit = emit.crate_path("crate::fast_div");
        let source = case.program.emit(&emit).unwrap();
        let ty = if source.device.contains("i32") { "i32" } else { "u32" };
        writeln!(out, "mod p{k} {{\nuse crate::wgsl::*;\n{}}}", translate(&source.device)).unwrap();
        let prepare = source.host.as_ref().map(|host| {
            writeln!(out, "mod host{k} {{\n{host}}}").unwrap();
            format!("host{k}::p{k}_prepare")
        });
        // The structures of device and host have the same words in the same order, so one can be read as the other.
        out += &check(k, case, ty, prepare.as_deref(), "unsafe { std::mem::transmute(launch) }", false);
    }
    out + &main(cases.len())
}

#[test]
fn wgsl_text_is_the_program() {
    if !has("rustc") {
        return;
    }
    let cases = narrow_cases(11, 160);
    let folder = Folder::new("wgsl");
    let text = harness(&cases);
    let source = folder.write("emitted_wgsl.rs", &text);
    let program = folder.0.join("program");
    run(Command::new("rustc").args(["--edition=2021", "-Coverflow-checks=off"]).arg(&source).arg("-o").arg(&program), &source);
    run(&mut Command::new(&program), &source);
}

#[test]
fn wgsl_text_is_valid() {
    if !has("naga") {
        return;
    }
    let folder = Folder::new("naga");
    let cases = narrow_cases(11, 160);
    let text: String = emits(Language::Wgsl, &cases).iter().map(|(_, case, emit)| case.program.emit(emit).unwrap().device).collect();
    let source = folder.write("emitted.wgsl", &text);
    run(Command::new("naga").arg(&source), &source);
}
