//! Tests the messages that users read when a layout is wrong.
//!
//! Each file in `tests/ui/fail` has one mistake, and the compiler's output is beside it. Files in `tests/ui/pass`
//! must build. The outputs belong to one version of the compiler; `TRYBUILD=overwrite cargo test -p messages`
//! writes them again.

use std::process::Command;

/// The version of the compiler that wrote the `.stderr` files.
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
    // With a case that passes, trybuild builds instead of checking. A wrong layout in generic code is refused only
    // by a build.
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
