//! Sessions in a terminal, by `script` of util-linux.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("repl-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Returns what a session in a terminal shows for these keys, with its history below `state`; or `None` without `script`.
fn shown(options: &str, keys: &str, state: &Path) -> Option<String> {
    let version = Command::new("script").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("util-linux")) {
        println!("skipped: there is no `script` of util-linux");
        return None;
    }
    let mut child = Command::new("script")
        .args(["-qec", &format!("'{}' repl {options}", env!("CARGO_BIN_EXE_crd2idx")), "/dev/null"])
        .env("XDG_STATE_HOME", state)
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` starts");
    child.stdin.take().expect("keys").write_all(keys.as_bytes()).expect("keys");
    let output = child.wait_with_output().expect("`script` ends");
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn keys_complete_and_the_history_stays() {
    let state = folder("history");
    let history = || std::fs::read_to_string(state.join("crd2idx").join("history"));
    let Some(text) = shown("", "a = (4,8):(8,1)\nzipped_d\ta,\n(2,2))\nquit\n", &state) else { return };
    assert!(text.contains("crd2idx> ") && text.contains("((2,2),(2,4)):((8,1),(16,2))"), "{text}");
    let lines = "a = (4,8):(8,1)\nzipped_divide(a, (2,2))\nquit\n";
    assert_eq!(history().expect("a history"), lines);
    // The key Up brings the line before back, from the earlier session.
    let text = shown("", "\x1b[A\x1b[A\x1b[A\nquit\n", &state).expect("`script`");
    assert!(text.contains("(4,8):(8,1)"), "{text}");
    assert_eq!(history().expect("a history"), format!("{lines}a = (4,8):(8,1)\nquit\n"));
    shown("--no-history", "4:1\nquit\n", &state).expect("`script`");
    assert_eq!(history().expect("a history"), format!("{lines}a = (4,8):(8,1)\nquit\n"));
}

#[test]
fn a_history_that_cannot_be_used_is_a_note() {
    let state = folder("refused");
    let file = state.join("crd2idx").join("history");
    std::fs::create_dir_all(state.join("crd2idx")).expect("a folder");
    std::fs::write(&file, b"\xff\n").expect("a file");
    let Some(text) = shown("", "size(4:1)\n8:1\nquit\n", &state) else { return };
    assert_eq!(text.matches("crd2idx: note: this session keeps no history: ").count(), 1, "{text}");
    assert!(text.contains("8:1"), "{text}");
    assert_eq!(std::fs::read(&file).expect("a file"), b"\xff\n");
    // A file where the folder should be.
    let text = shown("", "4:1\n8:1\nquit\n", &file).expect("`script`");
    assert_eq!(text.matches("crd2idx: note: this session keeps no history: ").count(), 1, "{text}");
}
