//! Recorded cases from independent sources, through `batch`: the worked examples of the source documents, the unit tests of other
//! implementations, and random cases on which two or more of them agree.
//!
//! Results are compared as functions: the same size, the same index of every coordinate, and the same sizes of the modes if the
//! operation promises a structure. `data/exceptions.json` lists the records with another intended answer, each with its reason.

mod case;
mod compare;
mod equality;

use crate::batch;
use case::{Case, Judgement};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("tests/data")
}

fn read(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the cases of a file.
fn cases(path: &Path) -> Vec<Case> {
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a file has a name").to_owned();
    let records = read(path);
    records.into_iter().filter_map(|record| Case::new(&name, record)).collect()
}

fn files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(data().join("cute")).expect("the records are beside the test");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    files.insert(0, data().join("seed.json"));
    files
}

/// Returns the key of an exception: a record's operation and arguments.
fn key(op: &Value, args: &Value) -> String {
    format!("{op} {args}")
}

#[test]
fn agree_with_the_records() {
    let exceptions = read(&data().join("exceptions.json"));
    let mut excused: Vec<(String, bool)> = Vec::new();
    for exception in &exceptions {
        let reason = exception["reason"].as_str().unwrap_or_default();
        assert!(!reason.is_empty(), "{exception} has no reason");
        excused.push((key(&exception["op"], &exception["args"]), false));
    }
    let (mut passed, mut skipped, mut failures) = (0, 0, Vec::new());
    for path in files() {
        let cases = cases(&path);
        let requests: Vec<Value> = cases.iter().map(Case::request).collect();
        for (case, answer) in cases.iter().zip(batch::answers(&requests)) {
            let request = case.request();
            let failed = match case.judge(&answer) {
                Judgement::Pass => {
                    passed += 1;
                    continue;
                }
                Judgement::Skip => {
                    skipped += 1;
                    continue;
                }
                Judgement::Fail(message) => message,
            };
            match excused.iter_mut().find(|(excused, _)| *excused == key(&request["op"], &request["args"])) {
                Some((_, used)) => *used = true,
                None => failures.push(format!("{} {request}: {failed}", path.file_name().unwrap_or_default().display())),
            }
        }
    }
    let unused: Vec<_> = excused.iter().filter(|(_, used)| !used).map(|(key, _)| key).collect();
    assert!(failures.is_empty(), "{} records are answered differently:\n{}", failures.len(), failures.join("\n"));
    assert!(unused.is_empty(), "exceptions that are not needed:\n{unused:#?}");
    assert!(passed > 3000 && skipped < 50, "{passed} records passed, {skipped} skipped");
}
