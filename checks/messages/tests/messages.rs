//! The messages that users read when a layout is wrong.
//!
//! `tests/ui/fail` holds one mistake a file with the compiler's answer beside it, `tests/ui/pass` what must build. The answers belong to one
//! compiler; `TRYBUILD=overwrite cargo test -p messages` writes them anew.

use std::process::Command;

/// The compiler that the `.stderr` files were written by.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn messages() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version =
        Command::new(rustc).arg("-V").output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !version.starts_with(COMPILER) {
        println!("skipped: the messages are those of {COMPILER}*, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    // A case that passes makes trybuild build, not check: a layout in generic code is refused when it is built.
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
