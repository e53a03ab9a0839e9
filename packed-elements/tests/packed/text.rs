//! Text that loads and stores elements, compiled by the C compiler of the system, and run on random elements.

use crate::random::{Random, pattern, set_pattern};
use coordinate_graph::program::kernel::Names;
use coordinate_graph::program::{Coordinates, Emit, EmitError, Language, Program, Time, WordWidth};
use layout_core::algebra::value::{Facts, SymInt};
use packed_elements::{F4E2M1, F6E3M2, I2, I4, I6, PackedElement, PackedText, U1, U6};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};

/// The number of coordinates that each case tries.
const SAMPLES: usize = 12;

/// An index function with the ranges of its inputs.
struct Index {
    program: Program,
    extents: Vec<i64>,
}

fn layout(text: &str, coordinates: Coordinates, extents: &[i64]) -> Index {
    Index { program: Program::parse_layout(text, coordinates).unwrap_or_else(|error| panic!("{text}: {error}")), extents: extents.to_vec() }
}

/// Returns the index functions: static, nested, swizzled, known per launch with and without a structure, and with negative numbers.
fn indices() -> Vec<Index> {
    let backwards = Program::build([("x", Time::Thread, Facts { lo: 0, hi: 99, div: 1 })], |scope, inputs| {
        let [minus, last] = [-1, 99].map(|number| SymInt::known(number).expect("a small number"));
        let negative = scope.mul(inputs[0], minus)?;
        Ok(vec![("index".into(), scope.add(negative, last)?)])
    });
    vec![
        layout("(16,24):(24,1)", Coordinates::Modes, &[16, 24]),
        layout("((2,4),24):((4,1),8)", Coordinates::Modes, &[8, 24]),
        layout("S<3,0,3> o 0 o (8,64):(64,1)", Coordinates::Modes, &[8, 64]),
        layout("(8,?{max=64}):(?{max=64},1)", Coordinates::Modes, &[8, 64]),
        layout("logical_divide((?{min=8,max=64,div=8},64):(64,1), (8,8))", Coordinates::Linear, &[4096]),
        Index { program: backwards.expect("a program"), extents: vec![100] },
        layout("300:1", Coordinates::Linear, &[300]),
    ]
}

/// A translation unit in C: functions, checks, and the number of results that they compare.
#[derive(Default)]
struct Harness {
    functions: String,
    checks: String,
    calls: String,
    results: usize,
    /// The number of cases whose functions take the structure of a launch.
    structures: usize,
}

impl Harness {
    /// Adds a case, unless its host function is in another language than its text. Samples are loaded, then stored, and the words compared.
    fn add<E: PackedElement>(&mut self, index: &Index, access: PackedText, value: impl Fn(u16) -> i64, emit: &Emit) {
        let random = &mut Random::new(self.results as u64 + 1);
        let source = access.emit(&index.program, emit).expect("a text");
        if emit.language == Language::OpenCl && source.host.is_some() {
            return;
        }
        let name = &emit.name;
        self.functions += &source.device;
        self.functions += source.host.as_deref().unwrap_or_default();
        let samples: Vec<Vec<i64>> =
            (0..SAMPLES).map(|_| index.extents.iter().map(|extent| random.below(*extent as usize) as i64).collect()).collect();
        // The number of a launch, if there is one, is the first input.
        let launch = index.program.inputs().len() - index.extents.len();
        let of = |sample: &[i64]| -> (Vec<i64>, usize) {
            let inputs = [&[64][..launch], sample].concat();
            let at = index.program.run(&inputs).expect("inside")[0] as usize;
            (inputs, at)
        };
        let last = samples.iter().map(|sample| of(sample).1).max().expect("samples");
        let bytes = random.bytes(((last + 1) * E::BITS as usize).div_ceil(32) * 4);
        let mut stored = bytes.clone();
        let words = |bytes: &[u8]| {
            let words = bytes.chunks(4).map(|word| format!("{}u", u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
            words.collect::<Vec<_>>().join(", ")
        };
        let mut body = String::new();
        let takes_structure = source.host.is_some();
        let call = |inputs: &[i64]| {
            let from = if takes_structure { launch } else { 0 };
            let mut arguments: Vec<String> = inputs[from..].iter().map(ToString::to_string).collect();
            arguments.extend(takes_structure.then(|| "launch".to_string()));
            arguments.join(", ")
        };
        if takes_structure {
            writeln!(body, "    const {name}_index_launch launch = {name}_index_prepare(64);").unwrap();
            self.structures += 1;
        }
        for sample in &samples {
            let (inputs, at) = of(sample);
            let expected = value(pattern::<E>(&bytes, at));
            writeln!(body, "    report((long long){name}_load(words, {}), {expected});", call(&inputs)).unwrap();
        }
        for sample in &samples {
            let (inputs, at) = of(sample);
            let pattern = random.next() as u16;
            set_pattern::<E>(&mut stored, at, pattern);
            // Bits above those of the element are ignored.
            writeln!(body, "    {name}_store(words, {}, {});", call(&inputs), value(pattern) ^ 0x10000).unwrap();
        }
        writeln!(body, "    for (int k = 0; k < {}; ++k) report(words[k], stored[k]);", bytes.len() / 4).unwrap();
        self.results += SAMPLES + bytes.len() / 4;
        let arrays = format!("    uint32_t words[] = {{{}}};\n    const uint32_t stored[] = {{{}}};\n", words(&bytes), words(&stored));
        writeln!(self.checks, "static void check_{name}(void) {{\n{arrays}{body}}}").unwrap();
        writeln!(self.calls, "    check_{name}();").unwrap();
    }

    /// Adds cases of every number of bits for every index function.
    fn add_all(&mut self, language: Language, wide: bool) {
        fn patterns<E: PackedElement>(pattern: u16) -> i64 {
            i64::from(pattern) % (1 << E::BITS)
        }
        fn signed<E: PackedElement>(pattern: u16) -> i64 {
            let (pattern, span) = (patterns::<E>(pattern), 1_i64 << E::BITS);
            if pattern >= span / 2 { pattern - span } else { pattern }
        }
        for (k, index) in indices().iter().enumerate() {
            macro_rules! each {
                ($($access:ident $($type:ident)*;)*) => { $($({
                    let emit = Emit::new(language, &format!("{}_{k}", stringify!($type).to_lowercase()));
                    let emit = if wide { emit.width(WordWidth::Bits64) } else { emit };
                    self.add::<$type>(index, PackedText::$access::<$type>(), $access::<$type>, &emit);
                })*)* };
            }
            each! {
                patterns U1 F4E2M1 U6 F6E3M2 u8 u16;
                signed I2 I4 I6 i8 i16;
            }
        }
    }

    fn text(&self, before: &str) -> String {
        let report = "static int compared = 0, wrong = 0;
static void report(long long got, long long expected) {
    ++compared;
    if (got != expected && ++wrong < 20) {
        printf(\"result %d: %lld instead of %lld\\n\", compared, got, expected);
    }
}
";
        let main = format!("int main(void) {{\n{}    printf(\"%d\", compared);\n    return wrong > 0;\n}}\n", self.calls);
        format!("#include <stdint.h>\n#include <stdio.h>\n{before}{}{report}{}{main}", self.functions, self.checks)
    }
}

/// Compiles and runs a text. Returns its output, or `None` if there is no such compiler.
fn run(compiler: &str, flags: &[&str], name: &str, text: &str) -> Option<String> {
    if !Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no `{compiler}`");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("packed-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (source, program) = (folder.join(name), folder.join(format!("{name}.out")));
    fs::write(&source, text).expect("a file");
    let run = |command: &mut Command| {
        let output = command.output().expect("a command");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(4000).collect::<String>();
        assert!(output.status.success(), "{command:?} failed\n{}\n{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    };
    run(Command::new(compiler).args(flags).arg(&source).arg("-o").arg(&program));
    let printed = run(&mut Command::new(&program));
    fs::remove_file(source).and_then(|()| fs::remove_file(program)).expect("files");
    let _ = fs::remove_dir(&folder);
    Some(printed)
}

const STRICT: [&str; 4] = ["-O0", "-Wall", "-Wextra", "-Werror"];

#[test]
fn c_loads_and_stores_elements() {
    for wide in [false, true] {
        let mut harness = Harness::default();
        harness.add_all(Language::C, wide);
        assert!(harness.results > 4000 && harness.structures == 11, "{} results, {}", harness.results, harness.structures);
        let flags = [&["-std=gnu11", "-fsanitize=undefined", "-fno-sanitize-recover=all"], &STRICT[..]].concat();
        let printed = run("cc", &flags, if wide { "wide.c" } else { "narrow.c" }, &harness.text(""));
        assert!(printed.is_none_or(|printed| printed == harness.results.to_string()));
    }
}

/// CUDA and HIP as C++, without their qualifiers.
#[test]
fn cuda_and_hip_are_the_same_functions() {
    for (language, name) in [(Language::Cuda, "cuda.cpp"), (Language::Hip, "hip.cpp")] {
        let mut harness = Harness::default();
        harness.add_all(language, false);
        let before = "#define __host__\n#define __device__\n#define __forceinline__ static inline\n";
        let flags = [&["-std=c++17", "-Wno-unused-function"], &STRICT[..]].concat();
        let printed = run("c++", &flags, name, &harness.text(before));
        assert!(printed.is_none_or(|printed| printed == harness.results.to_string()));
    }
}

/// OpenCL as C, with its types and its address space defined.
#[test]
fn opencl_is_the_same_functions() {
    let mut harness = Harness::default();
    harness.add_all(Language::OpenCl, false);
    let before = "#include <stdbool.h>\n#include <stddef.h>\n#define __global\n#define uint uint32_t\n#define ulong uint64_t\n";
    let flags = [&["-std=gnu11", "-Wno-unused-function"], &STRICT[..]].concat();
    let printed = run("cc", &flags, "opencl.c", &harness.text(before));
    assert!(printed.is_none_or(|printed| printed == harness.results.to_string()));
}

#[test]
fn wgsl_is_read_by_naga() {
    let mut text = String::new();
    for (k, index) in indices().iter().enumerate() {
        for (what, access) in [("a", PackedText::signed::<I4>()), ("b", PackedText::patterns::<U6>()), ("c", PackedText::signed::<i16>())] {
            text += &access.emit(&index.program, &Emit::new(Language::Wgsl, &format!("{what}{k}"))).expect("a text").device;
        }
    }
    // Binary operators of different kinds need parentheses in WGSL.
    assert!(!text.contains(">> shift &") && text.contains("fn a0_store(i0: u32, i1: u32, value: i32) {"), "{text}");
    if Command::new("naga").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("packed-{}.wgsl", process::id()));
        fs::write(&file, &text).expect("a file");
        let output = Command::new("naga").arg(&file).output().expect("a command");
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        fs::remove_file(file).expect("a file");
    }
}

#[test]
fn names_of_the_text_are_free_in_every_language() {
    for language in [Language::C, Language::Cuda, Language::Hip, Language::OpenCl, Language::Wgsl] {
        for name in ["words", "index", "word", "shift", "pattern", "value", "launch"] {
            assert_eq!(Names::reserving(language, "").fresh(name), name, "{language}");
        }
        // A parameter with a name of the text gets another name.
        let program =
            Program::build([("word", Time::Thread, Facts { lo: 0, hi: 9, div: 1 })], |_, inputs| Ok(vec![("k".into(), inputs[0])]));
        let text = PackedText::patterns::<U1>().emit(&program.expect("a program"), &Emit::new(language, "bit")).expect("a text").device;
        assert!(text.contains("bit_index(word_2)"), "{text}");
    }
}

#[test]
fn texts_that_cannot_be_are_refused() {
    let refused = |layout: &str, language: Language| {
        let program = Program::parse_layout(layout, Coordinates::Modes).expect("a layout");
        PackedText::signed::<I4>().emit(&program, &Emit::new(language, "t")).expect_err("a refusal")
    };
    for language in [Language::Rust, Language::Mlir] {
        assert_eq!(refused("(4,8):(8,1)", language).class(), "emit/construct");
    }
    let error = EmitError::Construct { language: Language::C, construct: "negative indices into an array" };
    assert_eq!(refused("(4,8):(-1,4)", Language::C), error);
    assert_eq!(refused("(4,?):(?,1)", Language::Wgsl).class(), "emit/width");
}
