//! Tests of the texts that users read. `EMIT_BLESS=1` writes the files of `texts/` again.

use super::generate::all_nodes;
use super::std::{env, fs, path::Path};
use crate::program::emit::names::Names;
use crate::program::{Emit, EmitError, Language, LookupTable, Program, ProgramOutput, Time, WordWidth};
use alloc::{format, vec};
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, SymInt};

fn within(lo: i64, hi: i64) -> Facts {
    Facts { lo, hi, div: 1 }
}

fn output(program: &mut Program, name: &str, value: SymInt) {
    program.outputs.push(ProgramOutput { name: name.into(), value });
}

/// The index of the element `(i, j)` of a 64 x 32 matrix in row-major tiles of 8 x 4.
fn tiles() -> Program {
    let mut program = Program::new();
    let i = program.input("i", Time::Thread, within(0, 63), None).unwrap();
    let j = program.input("j", Time::Thread, within(0, 31), None).unwrap();
    let s = &mut program.scope;
    let (eight, four) = (SymInt::small(8), SymInt::small(4));
    let mut sum = s.div(i, eight).unwrap();
    for (digit, extent) in [(s.div(j, four), 8), (s.rem(i, eight), 8), (s.rem(j, four), 4)] {
        sum = s.mul(sum, SymInt::small(extent)).unwrap();
        sum = s.add(sum, digit.unwrap()).unwrap();
    }
    output(&mut program, "offset", sum);
    program
}

/// The coordinates of the tile of a group, for as many tiles as cover `m x n`.
fn groups() -> Program {
    let mut program = Program::new();
    let m = program.input("m", Time::Launch, within(1, 1 << 20), None).unwrap();
    let n = program.input("n", Time::Launch, within(1, 1 << 20), None).unwrap();
    let group = program.input("group", Time::Thread, within(0, (1 << 24) - 1), None).unwrap();
    let s = &mut program.scope;
    let tiles = s.ceil_div(n, SymInt::small(128)).unwrap();
    let row = s.div(group, tiles).unwrap();
    let column = s.rem(group, tiles).unwrap();
    let (y, x) = (s.mul(row, SymInt::small(128)).unwrap(), s.mul(column, SymInt::small(128)).unwrap());
    let inside = s.is_less(y, m).unwrap();
    output(&mut program, "y", y);
    output(&mut program, "x", x);
    program.conditions.push(inside);
    program
}

/// An offset that is affine in the coordinates and the leading dimension.
fn affine() -> Program {
    let mut program = Program::new();
    let n = program.input("n", Time::Launch, Facts::POSITIVE, None).unwrap();
    let ld = program.input("ld", Time::Launch, Facts::POSITIVE, None).unwrap();
    let i = program.input("i", Time::Thread, Facts::NATURAL, Some(n)).unwrap();
    let j = program.input("j", Time::Thread, within(0, 31), None).unwrap();
    let s = &mut program.scope;
    let (high, low) = (s.div(j, SymInt::small(8)).unwrap(), s.rem(j, SymInt::small(8)).unwrap());
    let row = s.mul(i, ld).unwrap();
    let sum = s.add(row, high).unwrap();
    let up = s.ceil_div(i, SymInt::small(8)).unwrap();
    let inside = s.is_less(i, n).unwrap();
    let low_enough = s.is_less(low, SymInt::small(5)).unwrap();
    let both = s.min(inside, low_enough).unwrap();
    output(&mut program, "offset", sum);
    output(&mut program, "lane", low);
    output(&mut program, "chunk", up);
    program.conditions.push(both);
    program
}

fn text(program: &Program, language: Language, name: &str) -> String {
    match program.emit(&Emit::new(language, name)) {
        Ok(source) => source.device + &source.host.map_or(String::new(), |host| format!("\n// ---- host ----\n\n{host}")),
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn texts_are_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/program/emit/tests/texts");
    for (name, program) in [("tiles", tiles()), ("groups", groups()), ("affine", affine()), ("all_nodes", all_nodes())] {
        for language in Language::ALL {
            let file = folder.join(format!("{name}.{language}.txt"));
            let text = text(&program, language, name);
            if env::var_os("EMIT_BLESS").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&file, &text).unwrap();
            }
            let expected = fs::read_to_string(&file).unwrap_or_default();
            assert_eq!(text, expected, "{}", file.display());
            assert_eq!(text, self::text(&program, language, name), "it is the same every time");
        }
    }
}

#[test]
fn expressions_stand_alone() {
    let expressions = |program: &Program| {
        let texts = Language::ALL.map(|language| program.emit_expression(0, language).map_or_else(|e| e.to_string(), |e| e.text));
        texts.into_iter().collect::<Vec<_>>()
    };
    let tiles = expressions(&tiles());
    assert_eq!(tiles[0], "(((i >> 3) * 8 + (j >> 2)) * 8 + (i & 7)) * 4 + (j & 3)");
    assert_eq!(tiles[0], tiles[5]);
    assert_eq!(tiles[6], "(((d0 floordiv 8) * 8 + d1 floordiv 4) * 8 + d0 mod 8) * 4 + d1 mod 4");
    let groups = expressions(&groups());
    assert_eq!(groups[0], "group / ((n + 127) >> 7) * 128");
    assert_eq!(groups[1..6], vec![groups[0].clone(); 5]);
    assert_eq!(groups[6], "(d0 floordiv (s1 ceildiv 128)) * 128");
    assert_eq!(all_nodes().emit_expression(1, Language::C), Err(EmitError::NoSuchOutput { output: 1, outputs: 1 }));
    assert_eq!(expressions(&all_nodes())[2], "hip cannot express a table inside an expression");
}

#[test]
fn expressions_are_bounded() {
    let mut program = Program::new();
    let mut x = program.input("x", Time::Thread, within(0, 1), None).unwrap();
    for _ in 0..40 {
        x = program.scope.add(x, x).unwrap();
        x = program.scope.rem(x, SymInt::small(1000)).unwrap();
    }
    output(&mut program, "y", x);
    for language in Language::ALL {
        let error = program.emit_expression(0, language).unwrap_err();
        assert_eq!(error.to_string(), "an expression would repeat its subexpressions and exceed 1024 operations");
    }
    assert!(program.emit(&Emit::new(Language::C, "f")).is_ok());
}

#[test]
fn widths_are_proven() {
    let program = |lo, hi, factor| {
        let mut program = Program::new();
        let x = program.input("x", Time::Thread, within(lo, hi), None).unwrap();
        let y = program.scope.mul(x, SymInt::small(factor)).unwrap();
        output(&mut program, "y", y);
        program
    };
    let integer = |program: &Program, language| program.emit_expression(0, language).unwrap().integer;
    let error = |program: &Program, language: Language, width: WordWidth| {
        program.emit(&Emit::new(language, "f").width(width)).map(|source| source.device).unwrap_err().to_string()
    };
    let most = u32::MAX as i64;
    assert_eq!(integer(&program(0, most / 3, 3), Language::C), "uint32_t");
    assert_eq!(integer(&program(0, most / 3 + 1, 3), Language::C), "uint64_t");
    assert_eq!(integer(&program(-1, i32::MAX as i64 / 3, 3), Language::Hip), "int32_t");
    assert_eq!(integer(&program(-1, i32::MAX as i64 / 3 + 1, 3), Language::Cuda), "int64_t");
    assert_eq!(integer(&program(i32::MIN as i64, 0, 1), Language::OpenCl), "int");
    assert_eq!(integer(&program(0, i64::MAX, 3), Language::OpenCl), "ulong");
    assert_eq!(integer(&program(0, 5, 3), Language::Rust), "usize");
    assert_eq!(integer(&program(-5, 5, 3), Language::Rust), "isize");
    let narrow = WordWidth::Bits32;
    assert_eq!(
        error(&program(0, i64::MAX, 3), Language::C, narrow),
        "`x` is in [0, ...], which does not fit 32 bits; give it closer bounds"
    );
    assert_eq!(
        error(&program(0, most, 3), Language::Rust, narrow),
        "`x * 3` is in [0, 12884901885], which does not fit 32 bits; give its inputs closer bounds"
    );
    assert_eq!(
        error(&program(-1, most, 1), Language::Wgsl, narrow),
        "`x` is in [-1, 4294967295], which does not fit 32 bits; give it closer bounds"
    );
    assert_eq!(error(&program(0, 1, 3), Language::Wgsl, WordWidth::Bits64), "wgsl has no integers of 64 bits");
    assert_eq!(Program::new().emit(&Emit::new(Language::C, "f")), Err(EmitError::NoOutput));
}

/// Checks numbers that some languages cannot write directly.
#[test]
fn literals_at_the_ends() {
    let mut program = Program::new();
    let x = program.input("x", Time::Thread, within(0, 7), None).unwrap();
    let entries = vec![i64::MIN, i64::MAX, 0, 1, 2, 3, 4, 5];
    program.tables.push(LookupTable { name: "ends".into(), entries });
    let y = program.scope.lookup(x, 0, Facts::ANY).unwrap();
    output(&mut program, "y", y);
    let text = |language| program.emit(&Emit::new(language, "f")).unwrap().device;
    assert!(text(Language::C).contains("static const int64_t f_ends[8] = {\n    (-9223372036854775807 - 1), 9223372036854775807, 0,"));
    assert!(text(Language::Rust).contains("const F_ENDS: [isize; 8] = [\n    -9223372036854775808, 9223372036854775807, 0,"));
    let mut program = Program::new();
    let x = program.input("x", Time::Thread, within(i32::MIN as i64, 5), None).unwrap();
    let y = program.scope.max(x, SymInt::raw(i32::MIN as i64 + 1)).unwrap();
    let c = program.scope.is_equal(x, SymInt::raw(i32::MIN as i64)).unwrap();
    let z = program.scope.select(c, SymInt::raw(4), y).unwrap();
    output(&mut program, "z", z);
    let text = program.emit_expression(0, Language::C).unwrap().text;
    assert_eq!(text, "x == (-2147483647 - 1) ? 4 : x > -2147483647 ? x : -2147483647");
}

#[test]
fn names_are_identifiers() {
    let names = |language, wanted: &[&str]| {
        let mut names = Names::new(language);
        wanted.iter().map(|name| names.fresh(name)).collect::<Vec<_>>()
    };
    assert_eq!(
        names(Language::C, &["int", "int", "a b", "a_b", "3d", "größe", "", "__x__", "i\nj"]),
        ["int_2", "int_3", "a_b", "a_b_2", "x3d", "gr_e", "x", "x_2", "i_j"]
    );
    assert_eq!(names(Language::Rust, &["fn", "type", "int"]), ["fn_2", "type_2", "int"]);
    assert_eq!(names(Language::Wgsl, &["u32", "let", "in"]), ["u32_2", "let_2", "in_2"]);
    // If the text adds fields or functions of the same name, one of them gets another name.
    let mut program = Program::new();
    let n = program.input("n", Time::Launch, within(1, 9), None).unwrap();
    let magic = program.input("n_magic", Time::Launch, within(1, 9), None).unwrap();
    let launch = program.input("launch", Time::Thread, within(0, 9), None).unwrap();
    let t = program.input("t0", Time::Thread, within(0, 9), None).unwrap();
    let s = &mut program.scope;
    let (a, b) = (s.div(launch, n).unwrap(), s.mul(t, magic).unwrap());
    let sum = s.add(a, b).unwrap();
    output(&mut program, "sum", sum);
    let text = program.emit(&Emit::new(Language::C, "f")).unwrap();
    assert!(text.device.contains("uint32_t f(uint32_t launch_2, uint32_t t0, const f_launch launch)"), "{}", text.device);
    assert!(
        text.device.contains("f_div(launch_2, launch.n_2_magic, launch.n_2_bias, launch.n_2_shift) + launch.n_magic * t0"),
        "{}",
        text.device
    );
}

#[test]
fn mlir_names_what_it_lacks() {
    let error = |make: &dyn Fn(&mut Program, SymInt, SymInt, SymInt) -> SymInt| {
        let mut program = Program::new();
        let n = program.input("n", Time::Launch, Facts::NATURAL, None).unwrap();
        let i = program.input("i", Time::Thread, Facts::NATURAL, None).unwrap();
        let j = program.input("j", Time::Thread, Facts::POSITIVE, None).unwrap();
        let value = make(&mut program, n, i, j);
        output(&mut program, "out", value);
        program.emit(&Emit::new(Language::Mlir, "f")).unwrap_err().to_string()
    };
    let lacks = |construct: &str| format!("mlir cannot express {construct}");
    assert_eq!(error(&|p, _, i, j| p.scope.min(i, j).unwrap()), lacks("a minimum"));
    assert_eq!(error(&|p, _, i, j| p.scope.mul(i, j).unwrap()), lacks("a product of two dimensions"));
    assert_eq!(error(&|p, _, i, j| p.scope.div(i, j).unwrap()), lacks("a division by a dimension"));
    assert_eq!(error(&|p, n, i, _| p.scope.div(i, n).unwrap()), lacks("a division by a number that is not proven to be positive"));
    assert_eq!(error(&|p, n, i, j| p.scope.select(n, i, j).unwrap()), lacks("a selection"));
    assert_eq!(error(&|p, _, i, j| p.scope.xor(i, j).unwrap()), lacks("an exclusive or"));
}

#[test]
fn large_programs_are_split() {
    let mut chain = Program::new();
    let x = chain.input("x", Time::Thread, within(0, 9), None).unwrap();
    let y = chain.input("y", Time::Thread, within(0, 9), None).unwrap();
    let mut nested = chain.clone();
    let mut sum = x;
    for k in 0..900 {
        sum = chain.scope.mul(sum, SymInt::small(3)).unwrap();
        sum = chain.scope.rem(sum, SymInt::small(1000 + k)).unwrap();
    }
    output(&mut chain, "sum", sum);
    let mut choice = y;
    for k in 0..450 {
        let c = nested.scope.is_less(x, SymInt::small(1 + k % 9)).unwrap();
        let twice = nested.scope.mul(choice, choice).unwrap();
        let twice = nested.scope.rem(twice, SymInt::small(1000 + k)).unwrap();
        choice = nested.scope.select(c, twice, SymInt::small(k)).unwrap();
    }
    output(&mut nested, "choice", choice);
    for language in [Language::C, Language::OpenCl, Language::Wgsl, Language::Rust] {
        for program in [&chain, &nested] {
            let text = program.emit(&Emit::new(language, "f")).unwrap().device;
            let longest = text.lines().map(str::len).max().unwrap();
            assert!(text.lines().count() > 100 && longest < 200, "{language}: {longest} columns\n{text}");
        }
    }
}
