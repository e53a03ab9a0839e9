//! Tests of the inputs that `layout_text!` refuses, and of the tokens that its errors point at.

use super::layout_text;

#[track_caller]
fn points(marked: &str, message: &str) {
    crate::diag::tests::points("layout_text", layout_text, marked, message);
}

#[test]
fn what_is_wrong_is_pointed_at() {
    points("pub «4»", "expected the name of the function, found `4`");
    points("a «as» c;", "expected `= \"layout\"`, found `as`");
    points("a = «(8,4)»;", "expected a layout in quotation marks");
    points("a = «r\"8:1\"» as c;", "expected a layout in quotation marks, found `r\"8:1\"`");
    points("a = \"8:1\"«;»", "expected `as` and languages, such as `as cuda, wgsl`, found `;`");
    points("a = \"8:1\" as «ada»;", "`ada` is not a language; the languages are c, cuda, hip, opencl, wgsl, rust, mlir");
    points("a = \"8:1\" as c «b»", "expected `;`, found `b`");
    points("a(i, «i») = \"8:1\" as c;", "`i` is listed twice");
    points("a(i, j) = «\"8:1\"» as c;", "2 names for the 1 parameters i");
    points("a = «\"logical_divide((30,16):(1,30),(8,4))\"» as c;", "logical_divide: tile 8 does not divide the extent 30 of mode 0");
    points("«a» = \"(8,?):(?,1)\" as wgsl;", "`d0` is in [0, ...], which does not fit 32 bits; give it closer bounds");
    let wide = "(?{max=4096},?):(1,?)";
    assert!(layout_text(format!("a = \"{wide}\" as c, cuda;").parse().expect("tokens")).is_ok());
}
