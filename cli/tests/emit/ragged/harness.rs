//! Programs in C and C++ that run every function and kernel of a case, and count the results that they compare.

use super::cases::{Case, Numbers, Texts};
use crd2idx::program::{Language, OffsetWord, Source};
use std::fmt::Write;

/// Returns the parameter names of a function, in the order of the text.
pub fn parameters(text: &str, function: &str) -> Vec<String> {
    let head = text.find(&format!(" {function}(")).unwrap_or_else(|| panic!("no {function} in\n{text}")) + function.len() + 2;
    let list = &text[head..head + text[head..].find(')').expect("a closing parenthesis")];
    let name = |parameter: &str| {
        let parameter = parameter.split(':').next().unwrap_or_default();
        parameter.rsplit([' ', '*']).next().unwrap_or_default().to_string()
    };
    list.split(',').map(str::trim).filter(|parameter| !parameter.is_empty()).map(name).collect()
}

pub fn has(text: &str, function: &str) -> bool {
    text.contains(&format!(" {function}("))
}

/// Returns a call by the names of the parameters.
fn call(text: &str, function: &str) -> String {
    format!("{function}({})", parameters(text, function).join(", "))
}

fn word(word: OffsetWord) -> &'static str {
    match word {
        OffsetWord::U32 => "uint32_t",
        OffsetWord::U64 => "uint64_t",
        OffsetWord::I32 => "int32_t",
        OffsetWord::I64 => "int64_t",
    }
}

/// Returns the arrays of a case as constants of the file, and as names in a function.
fn arrays(k: usize, case: &Case) -> (String, String) {
    let (mut file, mut local) = (String::new(), String::new());
    let mut array = |ty: &str, name: String, entries: &[usize]| {
        let entries = if entries.is_empty() { "0".to_string() } else { entries.iter().map(usize::to_string).collect::<Vec<_>>().join(",") };
        writeln!(file, "static const {ty} k{k}_{name}[] = {{{entries}}};").unwrap();
        writeln!(local, "    const {ty} *{name} = k{k}_{name}; (void){name}; KNOWN({name}, sizeof k{k}_{name});").unwrap();
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
        writeln!(local, "    const unsigned rows{q} = {}; (void)rows{q};", case.counts[q]).unwrap();
        if let Numbers::Dense(n) = level {
            writeln!(local, "    const unsigned n{q} = {n}; (void)n{q};").unwrap();
        }
    }
    (file, local)
}

/// Returns the code that computes the quantities of a launch, for the text of `stem`.
fn launches(text: &str, host: Option<&str>, stem: &str, language: Language) -> String {
    let mut out = String::new();
    for q in 0..8 {
        let name = format!("{stem}_split{q}");
        let (Some(host), true) = (host, text.contains(&format!("{name}_launch"))) else { continue };
        let prepared = call(host, &format!("{name}_prepare"));
        if language == Language::OpenCl {
            writeln!(out, "    const {name}_host_launch host{q} = {prepared};\n    {name}_launch launch{q};").unwrap();
            writeln!(out, "    memcpy(&launch{q}, &host{q}, sizeof launch{q});").unwrap();
        } else {
            writeln!(out, "    const {name}_launch launch{q} = {prepared};").unwrap();
        }
    }
    out
}

/// Returns a function of the host in the file of the device. In OpenCL it has other names.
fn host(text: &str, host: Option<&str>, stem: &str, language: Language) -> String {
    let Some(host) = host else { return String::new() };
    if language != Language::OpenCl {
        return host.to_string();
    }
    let names: Vec<String> = (0..8).map(|q| format!("{stem}_split{q}_launch")).filter(|name| text.contains(name)).collect();
    let define = |name: &String| format!("#define {name} {}\n", name.replace("_launch", "_host_launch"));
    let undef = |name: &String| format!("#undef {name}\n");
    names.iter().map(define).collect::<String>() + host + &names.iter().map(undef).collect::<String>()
}

fn table(name: &str, width: usize, rows: impl Iterator<Item = Vec<i64>>) -> String {
    let rows: Vec<String> = rows.map(|row| format!("{{{}}}", row.iter().map(i64::to_string).collect::<Vec<_>>().join(","))).collect();
    let rows = if rows.is_empty() { "{0}".to_string() } else { rows.join(",") };
    format!("    static const long long {name}[][{width}] = {{{rows}}};\n")
}

fn coordinates(k: usize, case: &Case, texts: &Texts, language: Language, local: &str) -> String {
    let (text, name) = (&texts.coordinates.device, format!("q{k}"));
    let axes = case.shape().axes();
    let mut out = format!("static void coordinates{k}(void) {{\n{local}");
    out += &launches(text, texts.coordinates.host.as_deref(), &name, language);
    let rows = case.leaves.iter().map(|(place, crd)| [place].into_iter().chain(crd).map(|number| *number as i64).collect());
    out += &table("wanted", axes + 1, rows);
    let searched = has(text, &format!("{name}_find"));
    // Tiles of several sizes, and a walk that skips leaves.
    writeln!(out, "    static const int tiles[][2] = {{{{1, 1}}, {{3, 1}}, {{100000, 1}}, {{100000, 4}}}};").unwrap();
    writeln!(out, "    for (int w = 0; w < 4; ++w) for (int s = 0; s < {}; s += tiles[w][0]) {{", case.leaves.len()).unwrap();
    writeln!(out, "        {} leaf = wanted[s][0];", texts.coordinates.integer).unwrap();
    if searched {
        writeln!(out, "        {name}_cursor at = {};", call(text, &format!("{name}_find"))).unwrap();
    }
    writeln!(out, "        for (int t = s; t < {} && t < s + tiles[w][0]; t += tiles[w][1]) {{", case.leaves.len()).unwrap();
    writeln!(out, "            leaf = wanted[t][0];").unwrap();
    if searched {
        writeln!(out, "            at = {};", call(text, &format!("{name}_next"))).unwrap();
    }
    if has(text, &format!("{name}_is_valid")) {
        writeln!(out, "            report(\"valid\", {k}, t, {}, 1);", call(text, &format!("{name}_is_valid"))).unwrap();
    }
    if axes == 1 {
        writeln!(out, "            report(\"c0\", {k}, t, {}, wanted[t][1]);", call(text, &name)).unwrap();
    } else {
        writeln!(out, "            const {name}_result c = {};", call(text, &name)).unwrap();
        for axis in 0..axes {
            writeln!(out, "            report(\"c{axis}\", {k}, t, c.c{axis}, wanted[t][{}]);", axis + 1).unwrap();
        }
    }
    out + "        }\n    }\n}\n"
}

fn visit(k: usize, case: &Case, texts: &Texts, language: Language, local: &str) -> String {
    let (text, name) = (&texts.visit.device, format!("v{k}"));
    let (end, ty) = (case.counts[case.levels.len()], texts.visit.integer);
    let mut out = format!("static void visit{k}(void) {{\n{local}");
    out += &launches(text, texts.visit.host.as_deref(), &name, language);
    let mut wanted: Vec<i64> = vec![-77; end];
    case.leaves.iter().for_each(|(place, crd)| wanted[*place] = case.value_of(crd));
    out += &table("wanted", 1, wanted.iter().map(|value| vec![*value]));
    writeln!(out, "    const unsigned begin = {}, end = {end};", case.begin.min(end)).unwrap();
    writeln!(out, "    {ty} *data = ({ty} *)fresh({end} * sizeof({ty}));").unwrap();
    writeln!(out, "    for (unsigned s = 0; s < end; ++s) data[s] = ({ty})-77;").unwrap();
    writeln!(out, "    GRID({}, {});", case.workgroup, call(text, &format!("{name}_visit"))).unwrap();
    writeln!(out, "    for (unsigned s = 0; s < end; ++s) report(\"visit\", {k}, s, (long long)data[s], wanted[s][0]);").unwrap();
    out + "    free(data);\n}\n"
}

/// The results that the row kernels of `source` must write: for each level, positions with their row and the first position of
/// that row.
struct Wanted<'a> {
    stem: &'a str,
    source: &'a Source,
    rows: &'a [Vec<(usize, usize, usize)>],
}

/// Returns the checks of I and S, of every level or of the leaves, by run fill and by scan.
fn rows(k: usize, case: &Case, wanted: &Wanted<'_>, language: Language, local: &str) -> String {
    let Wanted { stem, source, rows } = wanted;
    let (text, ty, name) = (&source.device, source.integer, format!("{stem}{k}"));
    let mut out = format!("static void rows_{name}(void) {{\n{local}");
    let workgroup = case.workgroup;
    for (q, wanted) in rows.iter().enumerate() {
        let count = if *stem == "p" { case.counts[q + 1] } else { case.counts[case.levels.len()] };
        writeln!(out, "    for (int scan = 0; scan < 2; ++scan) {{").unwrap();
        out += &table("wanted", 3, wanted.iter().map(|(place, row, start)| vec![*place as i64, *row as i64, *start as i64]));
        writeln!(out, "    const unsigned count = {count}; (void)count;").unwrap();
        for array in ["parents", "starts"] {
            writeln!(out, "    {ty} *{array} = ({ty} *)fresh(count * sizeof({ty}));").unwrap();
        }
        let kernel = |grid: &str, what: &str| format!("{grid}({workgroup}, {})", call(text, &format!("{name}_{what}")));
        writeln!(out, "    if (!scan) {{\n    {};\n    }} else {{", kernel("GRID", &format!("fill{q}"))).unwrap();
        writeln!(out, "    {};\n    {};", kernel("GRID", "clear"), kernel("GRID", &format!("mark{q}"))).unwrap();
        if language == Language::C {
            writeln!(out, "    {};", kernel("GRID", "scan")).unwrap();
        } else {
            let tile = 4 * workgroup;
            writeln!(out, "    {ty} *totals = ({ty} *)fresh((count + {tile} - 1) / {tile} * sizeof({ty}));").unwrap();
            writeln!(out, "    {};\n    {};", kernel("GROUPS", "scan"), kernel("ONE_GROUP", "scan_totals")).unwrap();
            writeln!(out, "    {};\n    free(totals);", kernel("GRID", "scan_carry")).unwrap();
        }
        writeln!(out, "    {};\n    }}", kernel("GRID", &format!("begins{q}"))).unwrap();
        writeln!(out, "    for (int s = 0; s < {}; ++s) {{", wanted.len()).unwrap();
        writeln!(out, "        report(\"parents{q}\", {k}, s, (long long)parents[wanted[s][0]], wanted[s][1]);").unwrap();
        writeln!(out, "        report(\"starts{q}\", {k}, s, (long long)starts[wanted[s][0]], wanted[s][2]);").unwrap();
        writeln!(out, "    }}\n    free(parents); free(starts);\n    }}").unwrap();
    }
    out + "}\n"
}

/// Returns the number of results that the program of these cases compares.
pub fn results(cases: &[Case]) -> usize {
    let of = |case: &Case| {
        let leaves = case.leaves.len();
        let walks = 3 * leaves + leaves.div_ceil(4);
        let valid = usize::from(case.leaf_rows.is_none());
        let rows = |rows: &[Vec<(usize, usize, usize)>]| rows.iter().map(|rows| 4 * rows.len()).sum::<usize>();
        walks * (case.shape().axes() + valid)
            + case.counts[case.levels.len()]
            + rows(&case.parents)
            + case.leaf_rows.as_deref().map_or(0, rows)
    };
    cases.iter().map(of).sum()
}

const REPORT: &str = "#ifndef KNOWN
#define KNOWN(array, bytes)
#endif
static int compared = 0, wrong = 0;
static void report(const char *what, int k, int s, long long got, long long want) {
    ++compared;
    if (got != want && ++wrong < 20) {
        printf(\"case %d, %s, %d: %lld instead of %lld\\n\", k, what, s, got, want);
    }
}
// Memory of exactly this many bytes, none of them 0.
static void *fresh(size_t bytes) {
    void *out = malloc(bytes);
    if (bytes) memset(out, 0x55, bytes);
    KNOWN(out, bytes);
    return out;
}
";

/// Returns a program that runs everything, prints differences, and then the number of results. `prelude` defines kernel launches.
pub fn program(language: Language, cases: &[Case], prelude: &str) -> String {
    let mut out = format!("{prelude}#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{REPORT}");
    let mut main = String::new();
    for (k, case) in cases.iter().enumerate() {
        let texts = case.emit(k, language, "");
        for (stem, source) in
            [("q", Some(&texts.coordinates)), ("v", Some(&texts.visit)), ("p", texts.parents.as_ref()), ("l", texts.leaf_rows.as_ref())]
        {
            let Some(source) = source else { continue };
            out += &source.device;
            out += &host(&source.device, source.host.as_deref(), &format!("{stem}{k}"), language);
        }
        let (file, local) = arrays(k, case);
        out += &file;
        out += &coordinates(k, case, &texts, language, &local);
        out += &visit(k, case, &texts, language, &local);
        write!(main, "    coordinates{k}();\n    visit{k}();\n").unwrap();
        let all = [("p", &texts.parents, Some(&case.parents)), ("l", &texts.leaf_rows, case.leaf_rows.as_ref())];
        for (stem, source, wanted) in all {
            if let (Some(source), Some(rows_of)) = (source, wanted) {
                out += &rows(k, case, &Wanted { stem, source, rows: rows_of }, language, &local);
                writeln!(main, "    rows_{stem}{k}();").unwrap();
            }
        }
    }
    format!("{out}int main(void) {{\n{main}    printf(\"%d\", compared);\n    return wrong > 0;\n}}\n")
}
