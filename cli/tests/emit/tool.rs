//! Compilers, and the files to compile.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};

/// A folder for the files of one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("emit-{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Tests whether there is a program of this name to run; says so if there is none.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no `{program}`");
    }
    found
}

/// Returns the output of a command. If the command fails, fails with its output and keeps the source.
pub fn run(command: &mut Command, source: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(6000).collect::<String>();
    if !output.status.success() {
        let kept = env::temp_dir().join(format!("emitted-{}", process::id()));
        fs::write(&kept, source).expect("a file");
        panic!("{command:?} failed, its source is {kept:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    }
    text(&output.stdout)
}
