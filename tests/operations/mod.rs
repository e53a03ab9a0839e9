//! The cost of the programs of the examples: no division that is a shift, a mask, or decided by ranges, and the operations listed here.

mod peers;
mod queries;
mod text;

use crd2idx::graph::{Bound, Expr};
use crd2idx::program::{Emit, Language, Program, WordWidth};
use queries::{Asked, LAYOUTS, asked};
use std::collections::BTreeMap;
use text::{Body, Run, functions};

/// The counts of simplified and unsimplified programs.
const GRAPHS: &[(&str, &str, &str)] = &[
    ("gemm: A, lds", "6 add, 2 mul, 5 shift, 1 mask, 2 other", "8 add, 2 mul, 7 shift, 1 mask, 7 other"),
    ("gemm: A", "5 add, 1 mul, 5 shift, 1 mask, 2 other", "7 add, 1 mul, 7 shift, 1 mask, 7 other"),
    ("gemm: lds", "2 add, 2 mul, 2 shift", "3 add, 1 mul, 3 shift, 1 mask"),
    ("stream-K: streamed", "1 add, 1 mul, 1 shift, 1 mask, 1 div, 1 rem", "1 add, 1 mul, 1 shift, 1 mask, 1 div, 1 rem"),
    ("stream-K: parallel", "2 add, 2 shift, 1 mask, 1 div, 1 rem", "2 add, 2 shift, 1 mask, 1 div, 1 rem"),
    (
        "stream-K: by a switch",
        "3 add, 1 mul, 2 shift, 1 mask, 1 div, 1 rem, 1 other",
        "3 add, 1 mul, 2 shift, 1 mask, 1 div, 1 rem, 2 other",
    ),
    ("stream-K: tile", "2 add, 1 mul, 1 shift", "2 add, 1 mul, 1 shift"),
    ("im2col: x", "6 add, 2 mul, 4 shift, 2 div, 3 rem, 2 other", "7 add, 2 mul, 4 shift, 1 mask, 3 div, 3 rem, 3 other"),
    ("im2col: hp, wp", "2 add, 3 shift, 2 div, 3 rem", "2 add, 3 shift, 2 div, 3 rem"),
    ("workgroups: row, col", "3 add, 4 mul, 4 div, 4 rem, 14 other", "4 add, 5 mul, 4 div, 4 rem, 29 other"),
];

const OF_LAYOUTS: &[(&str, &str)] = &[
    ("2 add, 2 mul, 1 shift, 1 mask, 1 div", "3 add, 3 mul, 2 shift, 2 mask, 1 div, 1 rem"),
    ("2 add, 2 mul, 1 div", "3 add, 3 mul, 1 shift, 1 mask, 1 div, 1 rem"),
    ("1 add, 1 mul", "1 add, 1 mul"),
    ("none", "3 add, 6 shift, 3 mask"),
    ("1 add, 2 shift, 1 mask, 1 other", "1 add, 3 shift, 1 mask, 1 other"),
    ("3 add, 1 mul, 4 shift, 1 mask, 1 div, 1 rem", "3 add, 2 mul, 4 shift, 1 mask, 1 div, 1 rem"),
    ("1 add, 1 mul", "3 add, 2 mul, 3 shift, 2 mask"),
    ("3 add, 2 mul, 2 shift, 1 mask, 2 div, 2 rem", "3 add, 2 mul, 2 shift, 1 mask, 2 div, 2 rem"),
];

#[test]
fn operations_are_as_counted() {
    let counted: Vec<_> = asked()
        .iter()
        .map(|asked| [asked.name.into(), asked.program().operations().to_string(), asked.unsimplified().operations().to_string()])
        .collect();
    let want: Vec<[String; 3]> =
        GRAPHS.iter().map(|(name, simplified, unsimplified)| [*name, *simplified, *unsimplified].map(String::from)).collect();
    assert_eq!(counted, want);
    let counted: Vec<_> = LAYOUTS
        .iter()
        .map(|(layout, coordinates)| {
            let count = |program: Result<Program, crd2idx::LayoutError>| program.expect("a layout").operations().to_string();
            [count(Program::parse_layout(layout, *coordinates)), count(Program::parse_layout_unsimplified(layout, *coordinates))]
        })
        .collect();
    let want: Vec<[String; 2]> =
        OF_LAYOUTS.iter().map(|(simplified, unsimplified)| [*simplified, *unsimplified].map(String::from)).collect();
    assert_eq!(counted, want);
}

/// Returns lists of values for the parameters of the graph of a question, which `name` begins with.
fn parameters(name: &str) -> Vec<Vec<(&'static str, i64)>> {
    match name.split(':').next() {
        Some("gemm") => [(200, 100, 104), (4096, 64, 64)].map(|(m, k, lda)| vec![("M", m), ("K", k), ("lda", lda)]).into(),
        Some("workgroups") => {
            let all = [(7, 5, 3), (12, 4, 4), (3, 6, 8), (64, 64, 5)];
            all.map(|(rows, cols, group)| vec![("rows", rows), ("cols", cols), ("group", group)]).into()
        }
        _ => vec![vec![]],
    }
}

fn number(expr: &Expr, parameters: &[(&str, i64)]) -> i64 {
    match expr {
        Expr::Int(value) => *value,
        Expr::Param(name) => parameters.iter().find(|(known, _)| known == name).expect("a parameter").1,
        Expr::Op(op, operands) => {
            let of = |k: usize| number(&operands[k], parameters);
            match op.name() {
                "mul" => of(0) * of(1),
                "ceil_div" => (of(0) + of(1) - 1) / of(1),
                other => panic!("`{other}` is in no size of a coordinate"),
            }
        }
        Expr::Arg(_) => panic!("a size has no arguments"),
    }
}

/// Returns, for each function, which divisions change their dividend at one of up to 4096 coordinates spread over the domain.
fn changed(asked: &Asked, program: &Program, bodies: &BTreeMap<String, Body>) -> BTreeMap<String, Vec<bool>> {
    let mut out: BTreeMap<String, Vec<bool>> = bodies.iter().map(|(name, body)| (name.clone(), vec![false; body.divisions])).collect();
    let threads: Vec<&str> =
        asked.sources.iter().filter_map(|source| if let Bound::Thread(name) = source { Some(*name) } else { None }).collect();
    for parameters in parameters(asked.name) {
        let size = |name: &&str| {
            let dim = asked.graph.dimension(asked.graph.find(name).expect("a name")).expect("a dimension");
            number(dim.size.as_ref().expect("a size"), &parameters)
        };
        let sizes: Vec<i64> = threads.iter().map(size).collect();
        let total: i64 = sizes.iter().product();
        for step in 0..total.min(4096) {
            // Steps of 1,000,003, which has no common divisor with the total, spread the coordinates over the domain.
            let mut rest = if total <= 4096 { step } else { (step as i128 * 1_000_003 % total as i128) as i64 };
            let mut names: BTreeMap<&str, i64> = parameters.iter().copied().collect();
            for (name, size) in threads.iter().zip(&sizes).rev() {
                names.insert(name, rest % size);
                rest /= size;
            }
            let inputs: Vec<i64> = program.inputs().iter().map(|input| names[input.name.as_str()]).collect();
            let want = (program.run(&inputs).expect("numbers"), i64::from(program.is_valid(&inputs).expect("numbers")));
            for (function, body) in bodies {
                let mut run = Run { names: names.clone(), changed: std::mem::take(out.get_mut(function).expect("a function")) };
                run.body(body);
                if function.ends_with("_is_valid") {
                    assert_eq!(run.names["return"], want.1, "{} at {inputs:?}", asked.name);
                } else if let Some(value) = run.names.get("return") {
                    assert_eq!(vec![*value], want.0, "{} at {inputs:?}", asked.name);
                } else {
                    let fields = program.outputs().iter().map(|output| format!("result.{}", output.name));
                    assert_eq!(fields.map(|field| run.names[field.as_str()]).collect::<Vec<_>>(), want.0, "{} at {inputs:?}", asked.name);
                }
                let changed = run.changed;
                *out.get_mut(function).expect("a function") = changed;
            }
        }
    }
    out
}

#[test]
fn no_division_is_idle() {
    let mut divisions = 0;
    for asked in asked() {
        let program = asked.program().in_thread();
        let emit = Emit::new(Language::C, "f").fast_division(false).width(WordWidth::Bits64);
        let text = program.emit(&emit).expect("a text").device;
        // The reader refuses `/` and `%` by powers of two.
        let bodies = functions(&text, "f");
        assert_eq!(bodies.len(), 1 + usize::from(program.has_conditions()), "{}", asked.name);
        for (function, changed) in changed(&asked, &program, &bodies) {
            divisions += changed.len();
            let idle = changed.iter().position(|changed| !changed);
            assert_eq!(idle, None, "{}: a division of {function} changes nothing\n{text}", asked.name);
        }
    }
    assert!(divisions > 30, "{divisions} divisions");
}

/// Tests every language, with magic numbers and without, on the device and on the host.
#[test]
fn powers_of_two_are_shifts_and_masks() {
    for asked in asked() {
        let program = asked.program();
        for language in Language::ALL.into_iter().filter(|language| *language != Language::Mlir) {
            for fast in [false, true] {
                let Ok(source) = program.emit(&Emit::new(language, "f").fast_division(fast)) else {
                    // The numbers of workgroups need 64 bits.
                    assert!(language == Language::Wgsl && asked.name.starts_with("workgroups"), "{} in {language}", asked.name);
                    continue;
                };
                let text = format!("{}\n{}", source.device, source.host.unwrap_or_default());
                for line in text.lines().map(|line| line.split("//").next().unwrap_or("")) {
                    for (at, sign) in line.match_indices(['/', '%']) {
                        let after = line[at + 1..].trim_start();
                        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                        let power = digits.parse::<i64>().is_ok_and(|by| by & (by - 1) == 0);
                        assert!(!power, "{} in {language}: `{sign} {digits}` in `{line}`", asked.name);
                    }
                }
            }
        }
    }
}
