//! Tests that use every reserved word, macro and function of each language as a name at each position. The texts
//! must compile.
//!
//! The words come from all tables, and also from compilers and headers, so that a table does not only test itself.

use super::run_rust::FAST_DIV;
use super::std::collections::BTreeSet;
use super::std::process::{Command, Stdio};
use super::{Emit, Folder, Language, has, run};
use crate::program::emit::names::{Names, camel};
use crate::program::emit::reserved::{ALL, SUFFIXES, Words, is_reserved};
use crate::program::{LookupTable, Program, ProgramOutput, Time};
use alloc::{format, vec};
// Other packages return the types of the built library, which differ from the types of this test build.
use crd2idx::program as owned;
use crd2idx::program::{CopyKernel, Expr, OffsetWord, PagedIndex, RaggedLevel, RaggedLevels};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, SymInt};

/// The number of words that one program uses as names of each kind. It is small so that compilers are quick.
const MANY: usize = 96;

/// Headers of C that code may include, and the headers that CUDA and HIP include.
const HOSTED: &str = "#include <ctype.h>\n#include <errno.h>\n#include <limits.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
                      #include <string.h>\n#include <time.h>\n#include <wchar.h>\n#include <pthread.h>\n#include <float.h>\n#include <stddef.h>\n";

/// Definitions that replace the keywords of device compilers, in addition to the headers that these include.
const DEVICE: &str = "
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
struct uint3 { unsigned x, y, z; };
struct uint4 { unsigned x, y, z, w; };
static const uint3 threadIdx = {}, blockIdx = {}, blockDim = {}, gridDim = {};
#define __shared__
static inline void __syncthreads() {}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
using std::max;
using std::min;
";

/// Returns the output of a compiler for this text; empty if it fails or is missing.
fn printed(program: &str, arguments: &[&str], text: &str) -> String {
    use super::std::io::Write;
    let mut command = Command::new(program);
    let Ok(mut child) = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
        return String::new();
    };
    // A compiler that ends before it reads has already refused.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the names of the macros that a compiler knows after it has read `text`.
fn macros(program: &str, arguments: &[&str], text: &str) -> Vec<String> {
    let lines = printed(program, &[arguments, &["-dM", "-E", "-"]].concat(), text);
    let name = |line: &str| line.strip_prefix("#define ")?.split([' ', '(']).next().map(ToString::to_string);
    lines.lines().filter_map(name).collect()
}

/// Returns the functions that headers declare: words before an opening parenthesis.
fn functions(program: &str, arguments: &[&str], text: &str) -> Vec<String> {
    let text = printed(program, &[arguments, &["-P", "-E", "-"]].concat(), text);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = |(end, _): (usize, &str)| text[..end].trim_end().rsplit(|c| !is_word(c)).next().map(ToString::to_string);
    text.match_indices('(').filter_map(before).collect()
}

/// Returns the words of a table, with some words for each beginning and each root.
fn listed(words: &Words) -> Vec<String> {
    let root = |line: &str| match line.strip_suffix('~') {
        Some(root) => SUFFIXES.map(|suffix| format!("{root}{suffix}")).into(),
        None => vec![line.to_string()],
    };
    let begun =
        words.beginnings.iter().chain(words.functions_beginnings).flat_map(|begun| ["X", "Malloc"].map(|rest| format!("{begun}{rest}")));
    words.everywhere.lines().chain(words.functions.lines()).flat_map(root).chain(begun).collect()
}

/// Returns the words to test in a language: the words of its tables, of all short tables, and of its compilers.
fn words(language: Language) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for table in ALL {
        all.extend(listed(table).into_iter().filter(|word| table.everywhere.len() < 4000 || is_reserved(language, word, true)));
    }
    match language {
        Language::C => {
            all.extend(macros("cc", &["-x", "c"], "#include <stdbool.h>\n#include <stdint.h>\n"));
            all.extend(macros("cc", &["-x", "c"], HOSTED));
            all.extend(functions("cc", &["-x", "c"], HOSTED));
        }
        Language::Cuda | Language::Hip => {
            let hosted = format!("#include <cstdint>\n{HOSTED}");
            all.extend(macros("g++", &["-x", "c++"], &hosted));
            all.extend(functions("g++", &["-x", "c++"], HOSTED));
        }
        Language::OpenCl => {
            let options = ["-x", "cl", "-cl-std=CL3.0", "-target", "spir64"];
            all.extend(macros("clang", &[&options[..], &["-Xclang", "-finclude-default-header"]].concat(), ""));
            all.extend(functions("clang", &options, "#include <opencl-c.h>\n"));
        }
        _ => {}
    }
    // Identifiers never begin or end with an underscore or have two in a row, so drop such words.
    all.retain(|word| !word.starts_with('_') && !word.ends_with('_') && !word.contains("__") && !word.is_empty());
    all.into_iter().collect()
}

fn number(program: &mut Program, name: &str, time: Time) -> SymInt {
    program.input(name, time, Facts { lo: 1, hi: 1000, div: 1 }, None).unwrap()
}

/// Makes a sum or, if `staged`, a quotient by a launch input, which needs its own structures and functions.
fn short(staged: bool) -> Program {
    let mut program = Program::new();
    let time = if staged { Time::Launch } else { Time::Thread };
    let (i, n) = (number(&mut program, "i", Time::Thread), number(&mut program, "n", time));
    let value = if staged { program.scope.div(i, n) } else { program.scope.add(i, n) }.unwrap();
    program.outputs.push(ProgramOutput { name: "value".into(), value });
    program
}

/// Makes a function whose coordinates, parameters, results and tables have these names.
fn of_parts(words: &[String], language: Language) -> Program {
    let mut program = Program::new();
    for (k, word) in words.iter().enumerate() {
        let i = number(&mut program, word, Time::Thread);
        // Use the same word for an input of the threads and one of the launch, each once.
        let n = number(&mut program, &words[words.len() - 1 - k], Time::Launch);
        let scope = &mut program.scope;
        let value = match language {
            Language::Mlir => scope.mul(i, n).unwrap(),
            _ => {
                let digit = scope.div(i, n).unwrap();
                let square = scope.mul(n, n).unwrap();
                scope.add(digit, square).unwrap()
            }
        };
        program.outputs.push(ProgramOutput { name: word.clone(), value });
    }
    if language != Language::Mlir {
        for (k, word) in words.iter().enumerate() {
            program.tables.push(LookupTable { name: word.clone(), entries: vec![1, 2, 3] });
            let i = number(&mut program, "i", Time::Thread);
            let at = program.scope.rem(i, SymInt::small(3)).unwrap();
            let value = program.scope.lookup(at, k, Facts { lo: 1, hi: 3, div: 1 }).unwrap();
            program.outputs.push(ProgramOutput { name: word.clone(), value });
        }
    }
    program
}

/// Returns texts with every word as a name, as `(kind of text, text)`. Each is compiled alone.
fn texts(language: Language) -> Vec<(&'static str, String)> {
    let words = words(language);
    assert!(words.len() > 200, "{language}: {} words", words.len());
    let [mut functions, mut parts, mut copies, mut rows, mut pages] = [(); 5].map(|()| String::new());
    let mut structures = BTreeSet::new();
    let emit = |name: &str| Emit::new(language, name).crate_path("crate::fast_div");
    let owned = |name: &str| owned::Emit::new(language.name().parse().unwrap(), name).crate_path("crate::fast_div");
    let put = |out: &mut String, device: String, host: Option<String>| {
        *out += &device;
        // Host code in another language is compiled with the texts of that language.
        *out += host.filter(|_| !matches!(language, Language::OpenCl | Language::Wgsl)).as_deref().unwrap_or_default();
    };
    let program = |out: &mut String, source: crate::program::Source| put(out, source.device, source.host);
    let kernel = |out: &mut String, source: owned::Source| put(out, source.device, source.host);
    for (k, word) in words.iter().enumerate() {
        // In some languages `self` and `Self` give structures of the same name, so only one of them gets structures.
        let has_structures = structures.insert(camel(&Names::new(language).fresh_in_file(word)));
        // A few words suffice to test names that are derived from the name of the function.
        let staged = k % 8 == 0 && language != Language::Mlir && has_structures;
        program(&mut functions, short(staged).emit(&emit(word)).unwrap());
        if language == Language::Mlir || !has_structures {
            continue;
        }
        // All kernels get their names in the same way; copy kernels are the shortest.
        match k % 16 {
            0 => {
                let levels = [RaggedLevel::Dense(words[(k + 1) % words.len()].clone()), RaggedLevel::Offsets(OffsetWord::U32)];
                kernel(&mut rows, RaggedLevels::new(levels).unwrap().emit_visit(&owned(word), &Expr::param("c0")).unwrap());
            }
            1 => kernel(&mut pages, PagedIndex::new("(16,8):(8,1)".parse().unwrap()).unwrap().emit(&owned(word)).unwrap()),
            _ => kernel(&mut copies, CopyKernel::new(4).unwrap().copy(0, 0, &[[4, 1, 2]]).emit(&owned(word)).unwrap()),
        }
    }
    for (k, some) in words.chunks(MANY).enumerate() {
        program(&mut parts, of_parts(some, language).emit(&emit(&format!("p{k}"))).unwrap());
    }
    vec![("functions", functions), ("parts", parts), ("copies", copies), ("rows", rows), ("pages", pages)]
}

/// Compiles each text, with `head` before it, if the compiler exists. Panics if a text does not compile.
fn compile(texts: &[(&str, String)], compiler: &str, file: &str, arguments: &[&str], head: &str) {
    if !has(compiler) {
        return;
    }
    let folder = Folder::new(&format!("reserved-{file}"));
    for (what, text) in texts {
        let source = folder.write(&format!("{what}_{file}"), &format!("{head}{text}"));
        run(Command::new(compiler).args(arguments).arg(&source).current_dir(&folder.0), &source);
    }
}

const STRICT: [&str; 5] = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"];

#[test]
fn words_of_c() {
    let texts = texts(Language::C);
    let options = [&["-std=gnu11"], &STRICT[..]].concat();
    compile(&texts, "cc", "text.c", &options, "");
    // Users may compile the code with other headers and as C++.
    compile(&texts, "g++", "text.cpp", &STRICT, HOSTED);
}

/// Compiles the text of CUDA or HIP as C++ with definitions of what their compilers know.
fn compile_device(language: Language, file: &str) {
    let head = format!("#include <algorithm>\n#include <cstdint>\n{HOSTED}{DEVICE}");
    compile(&texts(language), "g++", file, &STRICT, &head);
}

#[test]
fn words_of_cuda() {
    compile_device(Language::Cuda, "text_cuda.cpp");
}

#[test]
fn words_of_hip() {
    compile_device(Language::Hip, "text_hip.cpp");
}

#[test]
fn words_of_opencl() {
    let options = ["-x", "cl", "-cl-std=CL3.0", "-target", "spir64", "-Xclang", "-finclude-default-header"];
    compile(&texts(Language::OpenCl), "clang", "text.cl", &[&options[..], &STRICT].concat(), "");
}

#[test]
fn words_of_wgsl() {
    compile(&texts(Language::Wgsl), "naga", "text.wgsl", &[], "");
}

#[test]
fn words_of_rust() {
    let head = format!("#![allow(dead_code)]\n#[path = {FAST_DIV:?}]\nmod fast_div;\n");
    let options = ["--edition=2024", "--crate-type=lib", "--emit=metadata", "-Dwarnings"];
    compile(&texts(Language::Rust), "rustc", "text.rs", &options, &head);
}

#[test]
fn words_of_mlir() {
    compile(&texts(Language::Mlir), "mlir-opt", "text.mlir", &[], "");
}

#[test]
fn tables_are_sorted() {
    for words in ALL {
        for table in [words.everywhere, words.functions] {
            assert!(table.lines().is_sorted_by(|a, b| a < b));
            assert!(table.lines().all(|line| !line.is_empty() && !line.contains(' ')));
        }
    }
}

/// Macros of headers are renamed. All other names, which users choose, stay.
#[test]
fn macros_are_renamed_and_other_names_stay() {
    for (language, renamed, kept) in [
        (
            Language::C,
            "INT32_MIN UINT32_MAX UINT64_MAX SIZE_MAX INT8_C M_PIf linux xor",
            "N ld index length round HW SIZE SIZE_MAXIMUM gen",
        ),
        (Language::Cuda, "UINT32_MAX M_PI float4 warpSize threadIdx cudaFree hipFree CLOCK_TAI", "N ld sinf tex x vec4 dot cuda hips"),
        (Language::Hip, "UINT32_MAX M_PI ulonglong2 HIP_VERSION", "hi hip M_P atomicAdd"),
        (
            Language::OpenCl,
            "UINT_MAX M_PI M_PI_2_F CLK_GLOBAL_MEM_FENCE cl_khr_fp64 double16 uniform and UINT32_MAX",
            "dot length cl M CLK",
        ),
        (Language::Wgsl, "vec3f unless min yield gen", "dot UINT_MAX float4 length"),
        (Language::Rust, "gen None Ok f64 self", "int UINT_MAX"),
        (Language::Mlir, "floordiv symbol", "int UINT_MAX self"),
    ] {
        let parameter = |word: &str| Names::new(language).fresh(word);
        renamed.split_ascii_whitespace().for_each(|word| assert_ne!(parameter(word), word, "{language}"));
        kept.split_ascii_whitespace().for_each(|word| assert_eq!(parameter(word), word, "{language}"));
    }
    // `M_PI_2` is itself a macro. Functions avoid the names of library functions; parameters do not.
    let both = |language, name: &str| [Names::new(language).fresh(name), Names::new(language).fresh_in_file(name)];
    assert_eq!(both(Language::OpenCl, "M_PI"), ["M_PI_3", "M_PI_3"]);
    assert_eq!(both(Language::Cuda, "sinf"), ["sinf", "sinf_2"]);
    assert_eq!(both(Language::Wgsl, "dot"), ["dot", "dot_2"]);
    // The host code of a text may be in another language, whose words are then reserved too.
    assert_eq!(Names::new(Language::Cuda).with_host(true).fresh("fn"), "fn_2");
}

/// Rust writes constants in capitals, so the tables `ends` and `ENDS` must get different names.
#[test]
fn tables_that_differ_in_capitals_are_two() {
    let mut program = Program::new();
    for (k, name) in ["ends", "ENDS"].into_iter().enumerate() {
        program.tables.push(LookupTable { name: name.into(), entries: vec![k as i64, 7, 9] });
        let i = program.input(name, Time::Thread, Facts { lo: 0, hi: 2, div: 1 }, None).unwrap();
        let value = program.scope.lookup(i, k, Facts { lo: 0, hi: 9, div: 1 }).unwrap();
        program.outputs.push(ProgramOutput { name: name.into(), value });
    }
    let text = program.emit(&Emit::new(Language::Rust, "f")).unwrap().device;
    assert!(text.contains("const F_ENDS: [usize; 3] = [0, 7, 9];") && text.contains("const F_ENDS_2: [usize; 3] = [1, 7, 9];"), "{text}");
}
