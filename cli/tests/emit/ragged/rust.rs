//! Emitted Rust, compiled and run; and WGSL, which is Rust except for a few words.

use super::cases::{Case, Numbers, Texts, cases};
use super::harness::has;
use super::wgsl::{PRELUDE, translate};
use crate::emit::tool;
use crd2idx::program::{Language, OffsetWord};
use std::fmt::Write;
use std::process::Command;

/// Returns the parameters of a function: names and types.
fn parameters(text: &str, function: &str) -> Vec<(String, String)> {
    let head = text.find(&format!("fn {function}(")).unwrap_or_else(|| panic!("no {function} in\n{text}")) + function.len() + 4;
    // Attributes contain parentheses.
    let mut depth = 1;
    let closes = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    };
    let list = &text[head..head + text[head..].find(closes).expect("an end")];
    let last = |name: &str| name.trim().rsplit(' ').next().unwrap_or_default().to_string();
    let pair = |parameter: &str| parameter.split_once(':').map(|(name, ty)| (last(name), ty.trim().to_string()));
    list.split(',').filter_map(pair).collect()
}

fn word(word: OffsetWord) -> &'static str {
    word.name()
}

/// The calls of the functions of a text.
struct Caller<'a> {
    text: &'a str,
    name: String,
    is_wgsl: bool,
    int: &'a str,
}

impl<'a> Caller<'a> {
    fn call(&self, function: &str) -> String {
        let argument = |(name, ty): &(String, String)| {
            let writes = if ty.starts_with("&mut") { "&mut " } else { "" };
            match ty.starts_with('&') && !name.starts_with("launch") && writes.is_empty() {
                true => format!("&{name}"),
                false => format!("{writes}{name}"),
            }
        };
        let arguments: Vec<String> = parameters(self.text, function).iter().map(argument).collect();
        format!("{}::{function}({})", self.name, arguments.join(", "))
    }

    /// Runs a kernel; in groups if its threads wait for each other.
    fn kernel(&self, how: &str, workgroup: u32, what: &str) -> String {
        let call = self.call(&format!("{}_{what}", self.name));
        if self.is_wgsl {
            format!("{how}({workgroup}, &|id, local_id, group_id, groups| unsafe {{ {call} }});")
        } else {
            format!("{call};")
        }
    }

    /// Declares the arrays and numbers: as variables, or as the bindings of a module.
    fn arrays(&self, case: &Case) -> String {
        let mut out = String::new();
        let mut array = |ty: &str, name: String, entries: &[usize]| {
            if !self.is_wgsl {
                writeln!(out, "    let {name}: &[{ty}] = &{entries:?};\n    let _ = {name};").unwrap();
            } else if self.text.contains(&format!("{}_{name}:", self.name)) {
                writeln!(out, "    {0}::{0}_{name}.0 = vec!{entries:?};", self.name).unwrap();
            }
        };
        for (q, level) in case.levels.iter().enumerate() {
            match level {
                Numbers::Offsets(ty, offsets) => array(word(*ty), format!("offsets{q}"), offsets),
                Numbers::Views(ty, starts, sizes) => {
                    array(word(*ty), format!("starts{q}"), starts);
                    array(word(*ty), format!("sizes{q}"), sizes);
                }
                _ => {}
            }
        }
        for (q, level) in case.levels.iter().enumerate() {
            writeln!(out, "    let rows{q}: {} = {};\n    let _ = rows{q};", self.int, case.counts[q]).unwrap();
            if let Numbers::Dense(n) = level {
                writeln!(out, "    let n{q}: {} = {n};\n    let _ = n{q};", self.int).unwrap();
            }
        }
        out
    }

    /// Declares the quantities of a launch.
    fn launches(&self, host: Option<&str>) -> String {
        let mut out = String::new();
        for q in 0..8 {
            let function = format!("{}_split{q}_prepare", self.name);
            let Some(host) = host.filter(|host| host.contains(&function)) else { continue };
            let arguments: Vec<String> = parameters(host, &function).into_iter().map(|(name, _)| name).collect();
            let call = format!("host_{}::{function}({})", self.name, arguments.join(", "));
            match self.is_wgsl {
                // The structures of both sides have the same layout.
                true => writeln!(out, "    let launch{q} = std::mem::transmute({call});").unwrap(),
                false => writeln!(out, "    let launch{q} = &{}::{function}({});", self.name, arguments.join(", ")).unwrap(),
            }
        }
        out
    }

    /// Fills the structure of the parameters from variables of the same names.
    fn parameters(&self) -> String {
        let head = format!("{}Parameters {{", capital(&self.name));
        let Some(at) = self.text.find(&format!("struct {head}")).filter(|_| self.is_wgsl) else { return String::new() };
        let fields = &self.text[at + head.len() + 8..at + self.text[at..].find('}').expect("an end")];
        let names = fields.lines().filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name);
        names.map(|name| format!("    {0}::{0}_parameters.{name} = {name};\n", self.name)).collect()
    }
}

fn capital(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// Returns rows of numbers.
fn rows(list: impl Iterator<Item = Vec<i64>>) -> String {
    format!("vec![{}]", list.map(|row| format!("vec!{row:?}")).collect::<Vec<_>>().join(", "))
}

fn coordinates(k: usize, case: &Case, texts: &Texts, is_wgsl: bool) -> String {
    let caller = Caller { text: &texts.coordinates.device, name: format!("q{k}"), is_wgsl, int: texts.coordinates.integer };
    let (text, name) = (caller.text, &caller.name);
    let mut out = format!("#[allow(warnings)]\nunsafe fn coordinates{k}() {{\n{}", caller.arrays(case));
    out += &caller.launches(texts.coordinates.host.as_deref());
    let list = case.leaves.iter().map(|(place, crd)| [place].into_iter().chain(crd).map(|number| *number as i64).collect());
    writeln!(out, "    let wanted: Vec<Vec<i64>> = {};", rows(list)).unwrap();
    writeln!(out, "    for (tile, step) in [(1, 1), (3, 1), (100000, 1), (100000, 4)] {{ for s in (0..wanted.len()).step_by(tile) {{")
        .unwrap();
    writeln!(out, "        let leaf = wanted[s][0] as {};", caller.int).unwrap();
    let searched = has(text, &format!("{name}_find"));
    if searched {
        writeln!(out, "        let mut at = {};", caller.call(&format!("{name}_find"))).unwrap();
    }
    writeln!(out, "        for t in (s..wanted.len().min(s + tile)).step_by(step) {{").unwrap();
    writeln!(out, "            let leaf = wanted[t][0] as {};", caller.int).unwrap();
    if searched {
        writeln!(out, "            at = {};", caller.call(&format!("{name}_next"))).unwrap();
    }
    if has(text, &format!("{name}_is_valid")) {
        writeln!(out, "            report(\"valid\", {k}, t, {} as i64, 1);", caller.call(&format!("{name}_is_valid"))).unwrap();
    }
    writeln!(out, "            let c = {};", caller.call(name)).unwrap();
    let axes = case.shape().axes();
    for axis in 0..axes {
        let field = match (axes, is_wgsl) {
            (1, _) => "c".to_string(),
            (_, true) => format!("c.c{axis}"),
            _ => format!("c.{axis}"),
        };
        writeln!(out, "            report(\"c{axis}\", {k}, t, {field} as i64, wanted[t][{}]);", axis + 1).unwrap();
    }
    out + "        }\n    } }\n}\n"
}

fn visit(k: usize, case: &Case, texts: &Texts, is_wgsl: bool) -> String {
    let index = texts.coordinates.integer;
    let caller = Caller { text: &texts.visit.device, name: format!("v{k}"), is_wgsl, int: index };
    let (name, end, ty) = (&caller.name, case.counts[case.levels.len()], texts.visit.integer);
    let mut wanted: Vec<i64> = vec![-77; end];
    case.leaves.iter().for_each(|(place, crd)| wanted[*place] = case.value_of(crd));
    let mut out = format!("#[allow(warnings)]\nunsafe fn visit{k}() {{\n{}", caller.arrays(case));
    out += &caller.launches(texts.visit.host.as_deref());
    writeln!(out, "    let (begin, end): ({index}, {index}) = ({}, {end});", case.begin.min(end)).unwrap();
    writeln!(out, "    let wanted: Vec<i64> = vec!{wanted:?};\n    let mut data = vec![-77_i64 as {ty}; {end}];").unwrap();
    out += &caller.parameters();
    if is_wgsl {
        writeln!(out, "    {name}::{name}_data.0 = data;").unwrap();
    }
    writeln!(out, "    {}", caller.kernel("grid", case.workgroup, "visit")).unwrap();
    if is_wgsl {
        writeln!(out, "    let data = std::mem::take(&mut {name}::{name}_data.0);").unwrap();
    }
    // With fewer than 64 bits, -77 may have become a natural number.
    out + &format!("    for s in 0..{end} {{ report(\"visit\", {k}, s, data[s] as i64, wanted[s] as {ty} as i64); }}\n}}\n")
}

fn arrays(k: usize, case: &Case, stem: &str, texts: (&str, &str), wanted: &[Vec<(usize, usize, usize)>], is_wgsl: bool) -> String {
    let (text, int) = texts;
    let caller = Caller { text, name: format!("{stem}{k}"), is_wgsl, int };
    let name = &caller.name;
    let mut out = format!("#[allow(warnings)]\nunsafe fn rows_{name}() {{\n{}", caller.arrays(case));
    let w = case.workgroup;
    for (q, wanted) in wanted.iter().enumerate() {
        let count = if stem == "p" { case.counts[q + 1] } else { case.counts[case.levels.len()] };
        let list = wanted.iter().map(|(place, row, start)| vec![*place as i64, *row as i64, *start as i64]);
        writeln!(out, "    let wanted: Vec<Vec<i64>> = {};\n    let count: {int} = {count};", rows(list)).unwrap();
        out += &caller.parameters();
        writeln!(out, "    for scan in [false, true] {{").unwrap();
        let tiles = count.div_ceil(4 * w as usize);
        for (array, len) in [("parents", count), ("starts", count), ("totals", tiles)] {
            match is_wgsl {
                true => writeln!(out, "    {name}::{name}_{array}.0 = vec![0x55555555; {len}];").unwrap(),
                false => writeln!(out, "    let mut {array}: Vec<{int}> = vec![0x55555555; {len}];").unwrap(),
            }
        }
        writeln!(out, "    if !scan {{ {} }} else {{", caller.kernel("grid", w, &format!("fill{q}"))).unwrap();
        writeln!(out, "    {}\n    {}", caller.kernel("grid", w, "clear"), caller.kernel("grid", w, &format!("mark{q}"))).unwrap();
        if is_wgsl {
            writeln!(out, "    {}\n    {}", caller.kernel("teams", w, "scan"), caller.kernel("one_team", w, "scan_totals")).unwrap();
            writeln!(out, "    {}", caller.kernel("grid", w, "scan_carry")).unwrap();
        } else {
            writeln!(out, "    {}", caller.kernel("grid", w, "scan")).unwrap();
        }
        writeln!(out, "    {} }}", caller.kernel("grid", w, &format!("begins{q}"))).unwrap();
        let of = |array: &str| if is_wgsl { format!("{name}::{name}_{array}.0") } else { array.to_string() };
        writeln!(out, "    for s in 0..wanted.len() {{\n        let place = wanted[s][0] as usize;").unwrap();
        writeln!(out, "        report(\"parents{q}\", {k}, s, {}[place] as i64, wanted[s][1]);", of("parents")).unwrap();
        writeln!(out, "        report(\"starts{q}\", {k}, s, {}[place] as i64, wanted[s][2]);\n    }}\n    }}", of("starts")).unwrap();
    }
    out + "}\n"
}

const REPORT: &str = "
static mut COMPARED: usize = 0;
static mut WRONG: usize = 0;
unsafe fn report(what: &str, k: usize, s: usize, got: i64, want: i64) {
    COMPARED += 1;
    if got != want {
        WRONG += 1;
        if WRONG < 20 { println!(\"case {k}, {what}, {s}: {got} instead of {want}\"); }
    }
}
";

/// Returns a program that runs everything and prints the number of compared results.
pub fn program(cases: &[Case], is_wgsl: bool) -> String {
    let fast_div = concat!(env!("CARGO_MANIFEST_DIR"), "/../layout-algebra/src/fast_div.rs");
    let mut out = format!("{}#[path = {fast_div:?}]\n#[allow(warnings)]\nmod fast_div;\n{REPORT}", if is_wgsl { PRELUDE } else { "" });
    let mut main = String::new();
    let language = if is_wgsl { Language::Wgsl } else { Language::Rust };
    for (k, case) in cases.iter().enumerate() {
        let texts = case.emit(k, language, "crate::fast_div");
        let all =
            [("q", Some(&texts.coordinates)), ("v", Some(&texts.visit)), ("p", texts.parents.as_ref()), ("l", texts.leaf_rows.as_ref())];
        for (stem, source) in all {
            let Some(source) = source else { continue };
            let host = source.host.as_deref().unwrap_or_default();
            if is_wgsl {
                writeln!(out, "mod {stem}{k} {{\nuse crate::wgsl::*;\n{}}}", translate(&source.device)).unwrap();
                writeln!(out, "#[allow(warnings)]\nmod host_{stem}{k} {{\n{host}}}").unwrap();
            } else {
                writeln!(out, "#[allow(dead_code)]\nmod {stem}{k} {{\n{}{host}}}", source.device).unwrap();
            }
        }
        out += &coordinates(k, case, &texts, is_wgsl);
        out += &visit(k, case, &texts, is_wgsl);
        write!(main, "    coordinates{k}();\n    visit{k}();\n").unwrap();
        for (stem, source, wanted) in [("p", &texts.parents, Some(&case.parents)), ("l", &texts.leaf_rows, case.leaf_rows.as_ref())] {
            if let (Some(source), Some(wanted)) = (source, wanted) {
                out += &arrays(k, case, stem, (&source.device, source.integer), wanted, is_wgsl);
                writeln!(main, "    rows_{stem}{k}();").unwrap();
            }
        }
    }
    format!(
        "{out}#[allow(static_mut_refs)]\nfn main() {{ unsafe {{\n{main}    print!(\"{{COMPARED}}\");\n    std::process::exit((WRONG > 0) as i32);\n}} }}\n"
    )
}

/// Compiles and runs. Returns the number of compared results.
pub fn compared(name: &str, text: &str, flags: &[&str]) -> Option<usize> {
    if !tool::has("rustc") {
        return None;
    }
    let folder = tool::Folder::new(name);
    let (source, binary) = (folder.write("emitted.rs", text), folder.0.join("program"));
    let mut command = Command::new("rustc");
    tool::run(command.args(["--edition=2021", "-Cdebuginfo=0"]).args(flags).arg(&source).arg("-o").arg(&binary), text);
    Some(tool::run(&mut Command::new(&binary), text).parse().expect("a number"))
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn rust_is_the_array() {
    let cases = cases(5, 40, false);
    let flags = ["-Dwarnings", "-Astatic_mut_refs", "-Coverflow-checks=on"];
    let compared = compared("ragged-rust", &program(&cases, false), &flags);
    assert!(compared.is_none_or(|compared| compared == super::harness::results(&cases)), "{compared:?}");
}
