//! Files that a command leaves behind when a signal ends it.

use super::convert::Folder;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Returns a matrix that takes a while to write.
fn matrix(folder: &Folder) -> String {
    let entries = 400_000_u64;
    let mut text = format!("%%MatrixMarket matrix coordinate real general\n{entries} {entries} {entries}\n");
    (1..=entries).for_each(|k| writeln!(text, "{k} {} {}.5", k * 7 % entries + 1, k * k % 1_000_003).expect("text"));
    let path = folder.file("large.mtx");
    std::fs::write(&path, text).expect("a file");
    path
}

fn names(folder: &Path) -> Vec<String> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Waits until a command writes, and sends it a signal.
fn interrupted(mut child: Child, folder: &Path, signal: &str) -> std::process::ExitStatus {
    let start = Instant::now();
    while !names(folder).iter().any(|name| name.ends_with(".tmp")) {
        assert!(start.elapsed() < Duration::from_secs(120) && child.try_wait().expect("a process").is_none(), "{:?}", names(folder));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill").success());
    child.wait().expect("a process")
}

/// Returns a command that runs a program without ignored signals: a test runner in the background may ignore SIGINT.
fn not_ignoring(program: &str) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", program]);
    command
}

#[test]
fn signals_leave_nothing_behind() {
    let folder = Folder::new("signals");
    let matrix = matrix(&folder);
    let inner = folder.0.join("inner");
    for (signal, number, name) in [("-INT", 2, "a.npz"), ("-TERM", 15, "a.npz"), ("-HUP", 1, "a.zarr"), ("-TERM", 15, "a.zarr")] {
        std::fs::create_dir(&inner).expect("a folder");
        let child = not_ignoring(env!("CARGO_BIN_EXE_crd2idx"))
            .args(["convert", &matrix, &inner.join(name).to_string_lossy(), "--compress"])
            .spawn()
            .expect("the command starts");
        // The status gives the signal.
        assert_eq!(interrupted(child, &inner, signal).signal(), Some(number), "{signal}");
        assert_eq!(names(&inner), [""; 0], "{signal} {name}");
        std::fs::remove_dir_all(&inner).expect("the folder");
    }
}

#[test]
fn a_signal_that_is_ignored_ends_nothing() {
    let folder = Folder::new("nohup");
    let matrix = matrix(&folder);
    let inner = folder.0.join("inner");
    std::fs::create_dir(&inner).expect("a folder");
    let script =
        format!("trap '' HUP; exec '{}' convert '{matrix}' '{}' --compress", env!("CARGO_BIN_EXE_crd2idx"), inner.join("a.npz").display());
    let child = Command::new("sh").args(["-c", &script]).spawn().expect("a shell");
    assert!(interrupted(child, &inner, "-HUP").success());
    assert_eq!(names(&inner), ["a.npz"]);
}
