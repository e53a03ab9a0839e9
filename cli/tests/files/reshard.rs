//! `crd2idx reshard`.

use super::convert::Folder;
use crate::command::run;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Writes a file of one tensor `w` of bytes.
fn write(path: &str, shape: [usize; 2], byte: impl Fn(usize) -> u8) {
    let count = shape[0] * shape[1];
    let mut header = format!(r#"{{"w":{{"dtype":"U8","shape":[{},{}],"data_offsets":[0,{count}]}}}}"#, shape[0], shape[1]).into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.extend((0..count).map(byte));
    std::fs::write(path, bytes).expect("a file");
}

fn spec(folder: &Folder, ranks: usize, dim: usize) -> String {
    let path = folder.file(&format!("{ranks}.toml"));
    let text =
        format!("mesh = [[\"tp\", {ranks}]]\nfiles = \"r{{rank}}.safetensors\"\n[[tensors]]\nname = \"*\"\ndtensor = \"[Shard({dim})]\"\n");
    std::fs::write(&path, text).expect("a file");
    path
}

fn checkpoint(folder: &Folder, rows: usize, columns: usize) -> String {
    let path = folder.file("a");
    std::fs::create_dir_all(&path).expect("a folder");
    for rank in 0..2 {
        write(&format!("{path}/r{rank}.safetensors"), [rows, columns], |at| ((rank * rows * columns + at) % 251) as u8);
    }
    path
}

#[test]
fn moves_and_verifies() {
    let folder = Folder::new("reshard");
    let (source, target) = (checkpoint(&folder, 3, 9), folder.file("b"));
    let (from, to) = (spec(&folder, 2, 0), spec(&folder, 3, 1));
    let arguments = ["reshard", &source, &target, "--from", &from, "--to", &to];
    let dry = run(&[&arguments[..], &["--dry-run"]].concat(), "");
    let text = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert!(text.starts_with("tensors:   1\nfiles:     3\nto read:   54 bytes in 2 reads, 27 bytes on average\n"), "{text}");
    assert!(text.contains("to move:   36 bytes in 4 messages between ranks"), "{text}");
    assert!(!Path::new(&target).exists());
    let done = run(&[&arguments[..], &["--verify"]].concat(), "");
    assert_eq!(String::from_utf8_lossy(&done.stdout), format!("{target}: 1 tensors, equal to those of {source}\n"));
    let again = run(&arguments, "");
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"));
    for (option, value, message) in
        [("--cast", "int4", "`int4` is not one of"), ("--memory", "much", "`much` is not a size"), ("--from", "a.yaml", "a.yaml")]
    {
        let output = run(&["reshard", &source, &folder.file("c"), option, value], "");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}

/// SIGKILL at any moment: the same command finishes the work.
#[test]
fn a_killed_run_continues() {
    let folder = Folder::new("reshard-kill");
    let (source, target) = (checkpoint(&folder, 3000, 4000), folder.file("b"));
    let (from, to) = (spec(&folder, 2, 0), spec(&folder, 3, 1));
    let arguments = ["reshard", &source, &target, "--from", &from, "--to", &to, "--memory", "40kB", "--threads", "1"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd2idx")).args(arguments).stdout(Stdio::null()).spawn().expect("the command starts");
    let start = Instant::now();
    while !Path::new(&target).join(".r2.safetensors.partial").exists() && !Path::new(&target).join("r0.safetensors").exists() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a running command");
    child.wait().expect("the command ends");
    if Path::new(&target).join(".reshard.journal").exists() {
        assert!(run(&[&arguments[..], &["--verify"]].concat(), "").status.success());
    }
    assert_eq!(std::fs::read_dir(&target).expect("a folder").count(), 3);
}

/// A limit of the size of files stands for a full disk.
#[test]
fn a_full_disk_leaves_no_target() {
    let folder = Folder::new("reshard-full");
    let (source, target) = (checkpoint(&folder, 100, 300), folder.file("b"));
    let (from, to) = (spec(&folder, 2, 0), spec(&folder, 3, 1));
    let command = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' reshard '{source}' '{target}' --from '{from}' --to '{to}'",
        env!("CARGO_BIN_EXE_crd2idx")
    );
    let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("the target needs 60") && message.contains("bytes in all; the same run continues"), "{message}");
    assert!(!Path::new(&target).join("r0.safetensors").exists());
    assert!(run(&["reshard", &source, &target, "--from", &from, "--to", &to, "--verify"], "").status.success());
}
