//! Emitted WGSL: read by a validator, and run as Rust, where system threads act as the threads of a workgroup.

use super::cases::cases;
use super::{harness, rust};
use crate::emit::tool::{Folder, has, run};
use crd2idx::program::Language;
use std::fmt::Write;
use std::process::Command;

/// Defines the words of WGSL in Rust, and how kernels launch.
pub const PRELUDE: &str = concat!(
    "
#[allow(warnings)]
mod wgsl {
    use std::sync::{Barrier, RwLock};
    pub struct Buffer<T>(pub Vec<T>);
    impl<T> core::ops::Index<u32> for Buffer<T> { type Output = T; fn index(&self, k: u32) -> &T { &self.0[k as usize] } }
    impl<T> core::ops::IndexMut<u32> for Buffer<T> { fn index_mut(&mut self, k: u32) -> &mut T { &mut self.0[k as usize] } }
    #[derive(Clone, Copy)]
    pub struct Vec3 { pub x: u32 }
",
    include_str!("../../../../coordinate-graph/src/program/emit/tests/wgsl_words.rs"),
    "
    pub fn each(from: u32, on: impl Fn(u32) -> bool, next: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(from), move |k| Some(next(*k))).take_while(move |k| on(*k))
    }
    static ALL: RwLock<Option<Barrier>> = RwLock::new(None);
    pub fn workgroupBarrier() { ALL.read().unwrap().as_ref().unwrap().wait(); }
    type Kernel<'a> = &'a (dyn Fn(Vec3, Vec3, Vec3, Vec3) + Sync);
    pub fn grid(threads: u32, kernel: Kernel) {
        for g in (0..3).rev() {
            for t in (0..threads).rev() { kernel(Vec3 { x: g * threads + t }, Vec3 { x: t }, Vec3 { x: g }, Vec3 { x: 3 }); }
        }
    }
    fn team(threads: u32, groups: u32, kernel: Kernel) {
        *ALL.write().unwrap() = Some(Barrier::new(threads as usize));
        std::thread::scope(|scope| {
            for t in 0..threads {
                scope.spawn(move || for g in 0..groups {
                    kernel(Vec3 { x: g * threads + t }, Vec3 { x: t }, Vec3 { x: g }, Vec3 { x: groups });
                    workgroupBarrier();
                });
            }
        });
    }
    pub fn teams(threads: u32, kernel: Kernel) { team(threads, 3, kernel) }
    pub fn one_team(threads: u32, kernel: Kernel) { team(threads, 1, kernel) }
}
use wgsl::{grid, one_team, teams};
"
);

/// Returns `text` in Rust.
pub fn translate(text: &str) -> String {
    let mut out = String::new();
    let mut in_struct: Option<(String, Vec<String>)> = None;
    for line in text.lines() {
        if let Some((name, fields)) = &mut in_struct {
            if line == "}" {
                let names: Vec<&str> = fields.iter().map(|field| field.split(':').next().unwrap()).collect();
                writeln!(out, "}}\npub fn {name}({}) -> {name} {{ {name} {{ {} }} }}", fields.join(", "), names.join(", ")).unwrap();
                in_struct = None;
            } else {
                fields.push(line.trim().split(',').next().unwrap().to_string());
                writeln!(out, "pub {line}").unwrap();
            }
        } else if let Some(name) = line.strip_prefix("struct ") {
            writeln!(out, "#[derive(Clone, Copy)]\n#[repr(C)]\npub {line}").unwrap();
            in_struct = Some((name.trim_end_matches(" {").to_string(), Vec::new()));
        } else if let Some((_, rest)) = line.split_once("> ").filter(|_| line.starts_with("@group")) {
            let (name, ty) = rest.trim_end_matches(';').split_once(": ").unwrap();
            match ty.strip_prefix("array<") {
                Some(word) => writeln!(out, "pub static mut {name}: Buffer<{word} = Buffer(Vec::new());").unwrap(),
                None => writeln!(out, "pub static mut {name}: {ty} = unsafe {{ std::mem::zeroed() }};").unwrap(),
            }
        } else if let Some(rest) = line.strip_prefix("var<workgroup> ") {
            let (name, ty) = rest.trim_end_matches(">;").split_once(": array<u32, ").unwrap();
            writeln!(out, "static mut {name}: [u32; {ty}] = [0; {ty}];").unwrap();
        } else if !line.starts_with("@compute") {
            writeln!(out, "{}", statement(line)).unwrap();
        }
    }
    out
}

/// Translates a line of a function.
fn statement(line: &str) -> String {
    let indent = &line[..line.len() - line.trim_start().len()];
    if let Some(head) = line.trim().strip_prefix("for (var ") {
        let parts: Vec<&str> = head.trim_end_matches(") {").split("; ").collect();
        let (index, from) = parts[0].split_once(": u32 = ").unwrap();
        let (condition, step) = (parts[1], parts[2].split_once(" += ").unwrap().1);
        return format!("{indent}for {index} in each({from}, |{index}| {condition}, |{index}| {index} + {step}) {{");
    }
    let line = line.replace("@builtin(global_invocation_id) ", "").replace("@builtin(local_invocation_id) ", "");
    let line = line.replace("@builtin(workgroup_id) ", "").replace("@builtin(num_workgroups) ", "").replace("vec3<u32>", "Vec3");
    let line = line.replace("0xffffffffu", "u32::MAX").replace("    var ", "    let mut ");
    // Shared arrays take indices of 32 bits.
    let shared = line
        .replace("_running[lane - step]", "_running[(lane - step) as usize]")
        .replace("_running[lane - 1]", "_running[(lane - 1) as usize]");
    let line = shared.replace("_running[lane]", "_running[lane as usize]");
    if line.starts_with("fn ") { format!("pub unsafe {line}") } else { line }
}

#[test]
fn wgsl_is_valid() {
    let mut text = String::new();
    for (k, case) in cases(6, 60, true).iter().enumerate() {
        let texts = case.emit(k, Language::Wgsl, "");
        let sources = [Some(texts.coordinates), Some(texts.visit), texts.parents, texts.leaf_rows];
        for (part, source) in sources.into_iter().flatten().enumerate() {
            text += &format!("// {k} {part}\n{}", source.device);
        }
    }
    assert!(text.matches("workgroupBarrier").count() > 500 && text.matches("_is_valid(").count() > 10);
    if !has("naga") {
        return;
    }
    let folder = Folder::new("ragged-naga");
    let source = folder.write("emitted.wgsl", &text);
    run(Command::new("naga").arg(&source), &text);
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn wgsl_is_the_array() {
    let cases = cases(7, 40, true);
    let compared = rust::compared("ragged-wgsl", &rust::program(&cases, true), &["-Coverflow-checks=off", "-Awarnings"]);
    assert!(compared.is_none_or(|compared| compared == harness::results(&cases)), "{compared:?}");
}
