//! Indices through a block table, in every language: existing elements have their index, others have none, and nothing reads past an array.

use super::c::{GRID, OPENCL, compared};
use super::rust;
use super::wgsl::{PRELUDE, translate};
use crate::common::Rng;
use crate::emit::tool::{Folder, has, run};
use crd2idx::DynLayout;
use crd2idx::layouts::DynCoord;
use crd2idx::program::{Emit, Language, OffsetWord, PagedIndex, Source};
use std::fmt::Write;
use std::process::Command;

/// A block table, and the coordinates to look up.
struct Case {
    layout: DynLayout<16>,
    /// The extents of a page: its slots, then the modes of a token.
    modes: Vec<i64>,
    word: OffsetWord,
    offsets: Option<OffsetWord>,
    table: Vec<i64>,
    starts: Vec<i64>,
    lengths: Vec<i64>,
    width: usize,
    pages: i64,
    /// The coordinates, each with its index if the element exists.
    asked: Vec<(Vec<i64>, Option<i64>)>,
}

impl Case {
    fn random(rng: &mut Rng, narrow: bool) -> Case {
        let layouts: [(&str, &[i64]); 4] = [
            ("(16,2,4):(8,4,1)", &[16, 2, 4]),
            ("(16,2,4):(4,64,1)", &[16, 2, 4]),
            ("(3,5):(1,4)", &[3, 5]),
            ("(4,(2,2)):(2,(1,8))", &[4, 4]),
        ];
        let (text, modes) = *rng.pick(&layouts);
        let layout: DynLayout<16> = text.parse().expect("a layout");
        let words: &[OffsetWord] = if narrow { &[OffsetWord::U32, OffsetWord::I32] } else { &OffsetWord::ALL };
        let (word, offsets) = (*rng.pick(words), rng.one_in(2).then(|| *rng.pick(words)));
        let (width, pages) = (1 + rng.below(4), 1 + rng.below(9) as i64);
        let sequences = 1 + rng.below(4);
        let rows: Vec<usize> = (0..sequences).map(|_| if offsets.is_some() { rng.below(4) } else { width }).collect();
        let starts: Vec<i64> = (0..=sequences).map(|s| rows[..s].iter().sum::<usize>() as i64).collect();
        // Some entries name no page, and some lengths need more entries than the table has.
        let signed = matches!(word, OffsetWord::I32 | OffsetWord::I64);
        let broken: &[i64] = if signed { &[-1, pages] } else { &[pages] };
        let mut page = || if rng.one_in(6) { *rng.pick(broken) } else { rng.below(pages as usize) as i64 };
        let table: Vec<i64> = (0..rows.iter().sum::<usize>()).map(|_| page()).collect();
        let lengths: Vec<i64> = rows.iter().map(|row| rng.below((row + 1) * modes[0] as usize + 1) as i64).collect();
        let mut case = Case { layout, modes: modes.to_vec(), word, offsets, table, starts, lengths, width, pages, asked: Vec::new() };
        for sequence in 0..=sequences {
            for token in 0..=(width.max(4) + 1) as i64 * modes[0] {
                let mut at = vec![sequence as i64, token];
                at.extend(modes[1..].iter().map(|extent| rng.below(*extent as usize + 1) as i64));
                let index = case.index(&at);
                case.asked.push((at, index));
            }
        }
        case
    }

    /// Returns the index of an element, if it exists.
    fn index(&self, at: &[i64]) -> Option<i64> {
        let (sequence, token) = (at[0] as usize, at[1]);
        if token >= *self.lengths.get(sequence)? || at[2..].iter().zip(&self.modes[1..]).any(|(c, extent)| c >= extent) {
            return None;
        }
        let entry = (token / self.modes[0]) as usize;
        let row = match self.offsets {
            Some(_) => self.starts[sequence] as usize..self.starts[sequence + 1] as usize,
            None => sequence * self.width..(sequence + 1) * self.width,
        };
        let page = *self.table[row].get(entry)?;
        let modes: Vec<String> = std::iter::once(token % self.modes[0]).chain(at[2..].iter().copied()).map(|c| c.to_string()).collect();
        let coordinate: DynCoord = format!("({})", modes.join(",")).parse().expect("a coordinate");
        let inside = self.layout.crd2idx(&coordinate).expect("inside") as i64;
        (0..self.pages).contains(&page).then(|| page * self.layout.cosize() + inside)
    }

    fn emit(&self, k: usize, language: Language) -> Source {
        let paged = PagedIndex::new(self.layout).expect("a layout of a page").table(self.word);
        let paged = self.offsets.map_or(paged.clone(), |word| paged.offsets(word));
        paged.emit(&Emit::new(language, &format!("q{k}"))).expect("a text")
    }

    /// Returns the arguments of the function after the coordinates. `array` names the arrays.
    fn arguments(&self, array: impl Fn(&str) -> String) -> String {
        let rows = if self.offsets.is_some() { array("offsets") } else { self.width.to_string() };
        let counts = format!("{}, {}, {}", self.lengths.len(), self.table.len(), self.pages);
        format!("{}, {rows}, {}, {counts}", array("table"), array("lengths"))
    }

    fn arrays(&self) -> [(&'static str, OffsetWord, &[i64]); 3] {
        [
            ("table", self.word, &self.table),
            ("offsets", self.offsets.unwrap_or(OffsetWord::U32), &self.starts),
            ("lengths", self.word, &self.lengths),
        ]
    }
}

fn cases(seed: u64, count: usize, narrow: bool) -> Vec<Case> {
    let mut rng = Rng::new(seed);
    let cases: Vec<Case> = (0..count).map(|_| Case::random(&mut rng, narrow)).collect();
    let found = cases.iter().flat_map(|case| &case.asked).filter(|(_, index)| index.is_some()).count();
    let asked: usize = cases.iter().map(|case| case.asked.len()).sum();
    assert!(found * 20 > asked && found * 20 < asked * 19, "{found} of {asked}");
    cases
}

fn joined<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns a C program that compares each emitted index with the expected one. It begins with the text `before`. Allocations
/// have exactly the length of the arrays, so that a sanitizer finds reads past them.
fn c_program(cases: &[Case], language: Language, before: &str) -> String {
    let mut out = format!("{before}#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    let mut main = String::new();
    for (k, case) in cases.iter().enumerate() {
        let source = case.emit(k, language);
        out += &source.device;
        writeln!(main, "    {{").expect("text");
        for (name, word, numbers) in case.arrays() {
            let ty =
                if word.name().starts_with('u') { format!("uint{}_t", &word.name()[1..]) } else { format!("int{}_t", &word.name()[1..]) };
            writeln!(main, "    static const {ty} {name}_of[] = {{{}}};", joined(numbers.iter().chain(&[0]))).expect("text");
            writeln!(
                main,
                "    {ty} *{name} = ({ty} *)malloc({0} * sizeof({ty})); memcpy({name}, {name}_of, {0} * sizeof({ty}));",
                numbers.len()
            )
            .expect("text");
        }
        for (at, index) in &case.asked {
            let want = index.map_or("-1".to_string(), |index| index.to_string());
            let call = format!("q{k}({}, {})", joined(at), case.arguments(str::to_owned));
            writeln!(main, "    if ({call} != ({}){want}) {{ printf(\"{k} {at:?}\\n\"); return 1; }}", source.integer).expect("text");
        }
        writeln!(main, "    free(table); free(offsets); free(lengths); }}").expect("text");
    }
    format!("{out}int main(void) {{\n{main}    printf(\"{}\");\n    return 0;\n}}\n", cases.len())
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn c_cuda_and_opencl_are_the_table() {
    const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let warnings = ["-O0", "-Wall", "-Wextra", "-Werror", "-Wno-sign-compare", "-Wno-type-limits"];
    let cuda = format!("{GRID}#define __host__\n#define __device__\n#define __forceinline__ inline\n");
    for (seed, language, compiler, standard, before) in [
        (11, Language::C, "cc", "-std=gnu11", "#include <stdint.h>\n".to_string()),
        (12, Language::Cuda, "g++", "-std=c++17", cuda.clone()),
        (13, Language::Hip, "g++", "-std=c++17", cuda),
        (14, Language::OpenCl, "g++", "-std=gnu++17", format!("{GRID}{OPENCL}")),
    ] {
        let cases = cases(seed, 20, false);
        let text = c_program(&cases, language, &before);
        let file = if compiler == "cc" { "emitted.c" } else { "emitted.cpp" };
        let flags = [&warnings[..], &[standard]].concat();
        let count = compared(&format!("paged-{language}"), compiler, file, &text, &flags, &SANITIZERS);
        assert!(count.as_ref().is_none_or(|count| count == "20"), "{count:?}");
    }
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn rust_and_wgsl_are_the_table() {
    for is_wgsl in [false, true] {
        let (language, cases) = if is_wgsl { (Language::Wgsl, cases(16, 20, true)) } else { (Language::Rust, cases(15, 20, false)) };
        let (mut out, mut main, mut valid) = (String::new(), String::new(), String::new());
        for (k, case) in cases.iter().enumerate() {
            let source = case.emit(k, language);
            let text = if is_wgsl { format!("use crate::wgsl::*;\n{}", translate(&source.device)) } else { source.device.clone() };
            writeln!(out, "#[allow(warnings)]\nmod q{k} {{\n{text}}}").expect("text");
            valid += &source.device;
            writeln!(main, "    {{").expect("text");
            for (name, word, numbers) in case.arrays() {
                let numbers = joined(numbers);
                if !is_wgsl {
                    writeln!(main, "    let {name}: Vec<{}> = vec![{numbers}];", word.name()).expect("text");
                } else if name != "offsets" || case.offsets.is_some() {
                    writeln!(main, "    q{k}::q{k}_{name} = wgsl::Buffer(vec![{numbers}]);").expect("text");
                }
            }
            let arguments = if is_wgsl {
                let width = if case.offsets.is_some() { String::new() } else { format!("{}, ", case.width) };
                format!("{width}{}, {}, {}", case.lengths.len(), case.table.len(), case.pages)
            } else {
                case.arguments(|name| format!("&{name}"))
            };
            for (at, index) in &case.asked {
                let want = index.map_or("!0".to_string(), |index| index.to_string());
                writeln!(main, "    assert_eq!(q{k}::q{k}({}, {arguments}), {want}, \"{k} {at:?}\");", joined(at)).expect("text");
            }
            writeln!(main, "    }}").expect("text");
        }
        let prelude = if is_wgsl { PRELUDE } else { "" };
        let text = format!("{prelude}{out}#[allow(warnings)]\nfn main() {{ unsafe {{\n{main}    print!(\"20\");\n}} }}\n");
        let count = rust::compared(&format!("paged-{is_wgsl}"), &text, &["-Awarnings", "-Coverflow-checks=off"]);
        assert!(count.is_none_or(|count| count == 20));
        if is_wgsl && has("naga") {
            // Each text has bindings of its own.
            for case in valid.split_inclusive("    return index;\n}\n").filter(|text| text.contains("fn ")).take(5) {
                let folder = Folder::new("paged-naga");
                let source = folder.write("emitted.wgsl", case);
                run(Command::new("naga").arg(&source), case);
            }
        }
    }
}

#[test]
fn what_has_no_text() {
    let layout: DynLayout<16> = "(16,8):(8,1)".parse().expect("a layout");
    let refused = |paged: &PagedIndex, emit: Emit| paged.emit(&emit).map(|_| ()).unwrap_err().to_string();
    let wide = PagedIndex::new(layout).expect("a page").table(OffsetWord::I64);
    assert_eq!(refused(&wide, Emit::new(Language::Wgsl, "q")), "wgsl has no integers of 64 bits");
    assert!(refused(&wide, Emit::new(Language::Mlir, "q")).contains("arrays of offsets"));
    let narrow = Emit::new(Language::C, "q").width(crd2idx::program::WordWidth::Bits32);
    assert_eq!(refused(&wide, narrow), "level 0: the table or its offsets have 64 bits, which do not fit the chosen 32 bits");
    let reversed: DynLayout<16> = "(4):(-1)".parse().expect("a layout");
    assert!(PagedIndex::new(reversed).err().is_some_and(|error| error.to_string().contains("not a layout of a page")));
}
