//! Tests of the C text, and of the CUDA, HIP and OpenCL texts with small replacement headers.

use super::generate::{Case, Size, cases};
use super::std::process::Command;
use super::{Folder, emits, has, run};
use crate::program::{Language, Time};
use alloc::{format, vec};
use core::fmt::Write;
use layout_algebra::heap::*;

/// Writes a program that calls every function on every sample and reports differences.
fn harness(language: Language, cases: &[Case]) -> String {
    let (mut out, mut main) = (String::new(), String::new());
    // A formula that is written in full may compare a truth value with a number that it never equals.
    let quiet = "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wbool-compare\"";
    for (k, case, emit) in emits(language, cases) {
        let source = case.program.emit(&emit).unwrap_or_else(|error| panic!("p{k}: {error}"));
        out += &source.device;
        let staged = source.host.is_some();
        if let Some(host) = source.host {
            if language == Language::OpenCl {
                // The host code is another file, so its names are made distinct.
                let names = ["launch", "floor_div", "floor_mod", "total_div", "total_mod"];
                names.iter().for_each(|name| writeln!(out, "#define p{k}_{name} p{k}_host_{name}").unwrap());
                out += &host;
                names.iter().for_each(|name| writeln!(out, "#undef p{k}_{name}").unwrap());
            } else {
                out += &host;
            }
        }
        let inputs = case.program.inputs();
        let expression = if language == Language::C { case.program.emit_expression(0, language).ok() } else { None };
        let names = ["i", "n", "row", "int_2", "x_y"];
        if let Some(expression) = &expression {
            let ty = expression.integer;
            let parameters: Vec<String> = (0..inputs.len()).map(|w| format!("{ty} {}", names[w])).collect();
            writeln!(out, "{quiet}").unwrap();
            writeln!(out, "static inline {ty} expression{k}({}) {{", parameters.join(", ")).unwrap();
            (0..inputs.len()).for_each(|w| writeln!(out, "    (void){};", names[w]).unwrap());
            writeln!(out, "    return {};\n}}\n#pragma GCC diagnostic pop", expression.text).unwrap();
        }
        let words: Vec<usize> = (0..inputs.len()).collect();
        let list = |time: Option<Time>| {
            let words = words.iter().filter(|w| time.is_none_or(|time| inputs[**w].time == time));
            words.map(|w| format!("in[s][{w}]")).collect::<Vec<_>>()
        };
        let mut arguments = list(if staged { Some(Time::Thread) } else { None });
        let rows = |row: &dyn Fn(&super::generate::Sample) -> Vec<i64>| {
            let rows = case.samples.iter().map(|sample| {
                let row: Vec<String> = row(sample).iter().map(|value| format!("{value}ll")).collect();
                format!("{{{}}}", row.join(","))
            });
            rows.collect::<Vec<_>>().join(",")
        };
        let (n, m) = (inputs.len(), case.program.outputs().len());
        writeln!(main, "static void check{k}(void) {{").unwrap();
        writeln!(main, "    static const long long in[][{n}] = {{{}}};", rows(&|sample| sample.inputs.clone())).unwrap();
        writeln!(main, "    static const long long out[][{m}] = {{{}}};", rows(&|sample| sample.outputs.clone())).unwrap();
        writeln!(main, "    static const long long valid[][1] = {{{}}};", rows(&|sample| vec![sample.valid as i64])).unwrap();
        writeln!(main, "    for (int s = 0; s < {}; ++s) {{", case.samples.len()).unwrap();
        if staged {
            let prepare = format!("p{k}_prepare({})", list(Some(Time::Launch)).join(", "));
            if language == Language::OpenCl {
                writeln!(main, "        const p{k}_host_launch host = {prepare};\n        p{k}_launch launch;").unwrap();
                writeln!(main, "        memcpy(&launch, &host, sizeof launch);").unwrap();
            } else {
                writeln!(main, "        const p{k}_launch launch = {prepare};").unwrap();
            }
            let launches = case.samples.iter().map(|sample| {
                let inputs = inputs.iter().zip(&sample.inputs).filter(|(input, _)| input.time == Time::Launch).map(|(_, value)| *value);
                case.program.launch(&emit, &inputs.collect::<Vec<_>>()).unwrap().unwrap()
            });
            let rows: Vec<String> =
                launches.map(|bytes| format!("{{{}}}", bytes.iter().map(|byte| format!("{byte},")).collect::<String>())).collect();
            writeln!(main, "        static const unsigned char bytes[][sizeof launch] = {{{}}};", rows.join(",")).unwrap();
            writeln!(main, "        report({k}, s, memcmp(&launch, bytes[s], sizeof launch), 0);").unwrap();
            arguments.push("launch".into());
        }
        let arguments = arguments.join(", ");
        if m == 1 {
            writeln!(main, "        const long long got[1] = {{(long long)p{k}({arguments})}};").unwrap();
        } else {
            let fields = ["m", "n", "struct_2"][..m].iter().map(|name| format!("(long long)r.{name}")).collect::<Vec<_>>();
            writeln!(main, "        const p{k}_result r = p{k}({arguments});").unwrap();
            writeln!(main, "        const long long got[{m}] = {{{}}};", fields.join(", ")).unwrap();
        }
        writeln!(main, "        for (int o = 0; o < {m}; ++o) report({k}, s, got[o], out[s][o]);").unwrap();
        if expression.is_some() {
            writeln!(main, "        report({k}, s, (long long)expression{k}({}), out[s][0]);", list(None).join(", ")).unwrap();
        }
        let valid = if case.program.conditions.is_empty() { "1".into() } else { format!("p{k}_is_valid({arguments})") };
        writeln!(main, "        report({k}, s, {valid}, valid[s][0]);\n    }}\n}}").unwrap();
    }
    let calls = (0..cases.len()).map(|k| format!("    check{k}();\n")).collect::<String>();
    let report = "#include <stdio.h>\n#include <string.h>\nstatic int wrong = 0;
static void report(int k, int s, long long got, long long want) {
    if (got != want) {
        printf(\"p%d, sample %d: %lld instead of %lld\\n\", k, s, got, want);
        wrong = 1;
    }
}
";
    format!("{out}\n{report}{main}int main(void) {{\n{calls}    return wrong;\n}}\n")
}

fn compile_and_run(test: &str, compiler: &str, file: &str, text: &str, flags: &[&str]) {
    let folder = Folder::new(test);
    let source = folder.write(file, text);
    let program = folder.0.join("program");
    run(Command::new(compiler).args(flags).arg(&source).arg("-o").arg(&program), &source);
    run(&mut Command::new(&program), &source);
}

/// A guarded division by a constant 0 is correct. The sanitizer checks the divisions that are executed.
const WARNINGS: [&str; 5] = ["-O1", "-Wall", "-Wextra", "-Werror", "-Wno-div-by-zero"];

fn sizes(k: usize) -> Size {
    [Size::Natural, Size::Signed, Size::Wide][k % 3]
}

#[test]
fn c_text_is_the_program() {
    if !has("cc") {
        return;
    }
    let text = harness(Language::C, &cases(1, 240, sizes));
    let mut flags = WARNINGS.to_vec();
    let folder = Folder::new("sanitizer");
    let probe = folder.write("probe.c", "int main(void) { return 0; }");
    let sanitizer = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
    let mut command = Command::new("cc");
    if command.args(sanitizer).arg(&probe).arg("-o").arg(folder.0.join("probe")).output().is_ok_and(|output| output.status.success()) {
        flags.extend(sanitizer);
    }
    compile_and_run("c", "cc", "emitted.c", &text, &flags);
}

#[test]
fn opencl_text_is_the_program() {
    if !has("cc") {
        return;
    }
    let header = "#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#define __constant static const
#define OF(T, N) static inline T min_##N(T a, T b) { return a < b ? a : b; } static inline T max_##N(T a, T b) { return a > b ? a : b; }
OF(uint, uint) OF(int, int) OF(ulong, ulong) OF(long, long)
#define same(f, a, b) _Generic((a), \\
    uint: _Generic((b), uint: f##_uint, default: 0), int: _Generic((b), int: f##_int, default: 0), \\
    ulong: _Generic((b), ulong: f##_ulong, default: 0), long: _Generic((b), long: f##_long, default: 0))(a, b)
#define min(a, b) same(min, a, b)
#define max(a, b) same(max, a, b)
static inline ulong mul_hi(ulong a, ulong b) { return (ulong)((unsigned __int128)a * b >> 64); }
";
    let text = format!("{header}{}", harness(Language::OpenCl, &cases(2, 120, sizes)));
    compile_and_run("opencl", "cc", "emitted_cl.c", &text, &WARNINGS);
}

/// Definitions that replace the keywords of device compilers.
const DEVICE: &str = "#include <cstdint>
#define __host__
#define __device__
#define __forceinline__ inline
static inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
";

#[test]
fn cuda_and_hip_text_is_the_program() {
    if !has("g++") {
        return;
    }
    for (language, seed, define) in [(Language::Cuda, 3, "-D__CUDA_ARCH__=900"), (Language::Hip, 4, "-D__NOTHING__")] {
        let text = format!("{DEVICE}{}", harness(language, &cases(seed, 90, sizes)));
        compile_and_run(language.name(), "g++", &format!("emitted_{language}.cpp"), &text, &[&WARNINGS[..], &[define]].concat());
    }
}

#[test]
fn device_compilers_take_the_text() {
    let cases = cases(5, 20, sizes);
    let text = |language| emits(language, &cases).iter().map(|(_, case, emit)| case.program.emit(emit).unwrap().device).collect::<String>();
    if has("clang") {
        let folder = Folder::new("clang");
        let source = folder.write("emitted.cl", &text(Language::OpenCl));
        run(Command::new("clang").args(["-x", "cl", "-cl-std=CL2.0", "-fsyntax-only", "-Werror"]).arg(&source), &source);
    }
    if has("nvcc") {
        let folder = Folder::new("nvcc");
        let source = folder.write("emitted.cu", &text(Language::Cuda));
        run(Command::new("nvcc").args(["-c", "-o"]).arg(folder.0.join("emitted.o")).arg(&source), &source);
    }
}
