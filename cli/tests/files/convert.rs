//! Converts every kind of file to every other.

use crate::command::{run, run_on};
use std::path::PathBuf;

/// A folder for one test, removed afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("crd2idx-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn convert(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat(), "");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {message}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the message with which a conversion is refused.
pub fn refused(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat(), "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n4 6 5\n4 1 2.0\n1 2 0.5\n1 6 1.5\n3 3 -1.0\n4 5 8.0\n";

#[test]
fn through_every_kind_and_back() {
    let folder = Folder::new("kinds");
    std::fs::write(folder.file("a.mtx"), MATRIX).expect("a file");
    let sorted = convert(&[&folder.file("a.mtx"), "-", "--to", "mtx", "--format", "COO"]);
    for (to, more) in [
        ("b.h5", &["--format", "CSR", "--index", "u32"][..]),
        ("b.npz", &["--format", "DCSC", "--binsparse", "0.1"]),
        ("b.npz", &["--to", "scipy", "--compress"]),
        ("b.npz", &["--to", "scipy", "--scipy", "bsr:2x3"]),
        ("b.npz", &["--to", "scipy", "--scipy", "dia"]),
        ("b.npz", &["--to", "pydata"]),
        ("b.npz", &["--to", "pydata", "--compressed-axes", "1"]),
        ("b.tns", &[]),
        ("b.tns.gz", &["--axis-order", "1,0", "--format", "CSR"]),
        ("b.mtx.gz", &["--format", "C-S-C"]),
        ("b.mtx.bz2", &[]),
        ("b.tns.zst", &["--format", "CSC"]),
        ("b.tns.xz", &[]),
        ("b.hdf5", &["--to-group", "x/y", "--index", "narrow"]),
        ("b.zarr", &["--format", "CSR"]),
        ("b.zarr", &["--to-group", "x/y", "--compress"]),
        ("b.zarr.zip", &["--format", "DCSC"]),
        ("b.arrow", &[]),
        ("b.feather", &["--compress"]),
        ("b.parquet", &["--compress", "--index", "u64"]),
    ] {
        let (a, b) = (folder.file("a.mtx"), folder.file(to));
        convert(&[&[&a[..], &b], more].concat());
        let group: &[&str] = if more.contains(&"--to-group") { &["--group", "x/y"] } else { &[] };
        let shape: &[&str] = if to.contains("tns") { &["--shape", "4,6"] } else { &[] };
        // Blocks store zeros, too.
        let back = convert(&[&[&b[..], "-", "--to", "npy"], group, shape].concat());
        assert_eq!(back, convert(&[&a, "-", "--to", "npy"]), "{to} {more:?}");
        if !more.contains(&"bsr:2x3") {
            assert_eq!(convert(&[&[&b[..], "-", "--to", "mtx", "--format", "COO"], group, shape].concat()), sorted, "{to} {more:?}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).expect("a folder").filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{left:?}");
}

#[test]
fn headers_bases_and_compressions_of_text() {
    let sample = |name: &str| format!("sparse-files/tests/data/{name}");
    let plain = convert(&[&sample("members.mtx.bz2"), "-", "--to", "tns"]);
    assert_eq!(plain, "1 2 0.5\n1 6 -1.5\n3 3 4.0\n4 1 1024.0\n4 5 -0.25\n");
    for (name, kind) in
        [("members.tns.zst", "tns"), ("members.mtx.xz", "mtx"), ("members.tns.bz2", "tns"), ("dictionaries.arrows", "arrow")]
    {
        assert_eq!(convert(&[&sample(name), "-", "--to", "tns"]), plain, "{name}");
        let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../sparse-files/tests/data/").to_owned() + name).expect("a file");
        let output = run_on(&["convert", "-", "-", "--from", kind, "--to", "tns"], &bytes);
        assert_eq!(String::from_utf8_lossy(&output.stdout), plain, "{name}");
    }
    // File names in a folder lose the endings of compressions, too.
    let folder = Folder::new("compressions");
    convert(&[&sample("members.mtx.xz"), &folder.file(""), "--to", "tns"]);
    assert_eq!(std::fs::read_to_string(folder.file("members.tns")).expect("a file"), plain);
    let zero = "3 2\n2 2 2\n0 0 1 5\n1 1 0 7\n";
    let output = run(&["convert", "-", "-", "--from", "tns", "--to", "tns"], zero);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains(
            "line 3, column 1: coordinate 0 of axis 0 is out of range; expected 1 or more (to read a text that counts from 0, use `base` 0) (text/range)"
        ),
        "{message}"
    );
    let output = run(&["convert", "-", "-", "--from", "tns", "--to", "tns", "--base", "0"], zero);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1 1 2 5\n2 2 1 7\n");
}

#[test]
fn elements_of_one_coordinate_and_triangles() {
    let twice = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n3 1 2\n1 1 7\n3 1 5\n";
    for (treatment, value) in [("sum", "7"), ("first", "2"), ("last", "5")] {
        let output = run(&["convert", "-", "-", "--to", "mtx", "--dedupe", treatment], twice);
        let want = format!("%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 7\n3 1 {value}\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), want);
    }
    let output = run(&["convert", "-", "-", "--to", "npz"], twice);
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("levels/duplicate"));
    let triangle = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n3 1 2\n1 1 7\n3 1 -2\n1 1 5\n";
    for (arguments, want) in [
        (&["--dedupe", "sum"][..], "1 1 12\n1 3 0\n3 1 0\n"),
        (&["--dedupe", "first"], "1 1 7\n1 3 2\n3 1 2\n"),
        (&["--dedupe", "last"], "1 1 5\n1 3 -2\n3 1 -2\n"),
        (&["--dedupe", "sum", "--drop-zeros"], "1 1 12\n"),
        (&["--dedupe", "sum", "--drop-zeros", "--index", "u64", "--format", "CSR"], "1 1 12\n"),
        (&["--dedupe", "last", "--format", "CSC"], "1 1 5\n3 1 -2\n1 3 -2\n"),
        (&[], "1 1 7\n1 1 5\n1 3 2\n1 3 -2\n3 1 2\n3 1 -2\n"),
    ] {
        let output = run(&[&["convert", "-", "-", "--to", "tns", "--expand"], arguments].concat(), triangle);
        assert_eq!(String::from_utf8_lossy(&output.stdout), want, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = run(&["convert", "-", "-", "--to", "npz", "--expand"], triangle);
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("levels/duplicate"));
    // The file has all elements; the output stores only nonzero ones.
    let array = "%%MatrixMarket matrix array real general\n2 2\n0\n4\n-0.0\n0.5\n";
    let output = run(&["convert", "-", "-", "--to", "mtx", "--drop-zeros"], array);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 4.0\n2 2 0.5\n");
    let symmetric = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 2.0\n";
    assert_eq!(String::from_utf8_lossy(&run(&["convert", "-", "-", "--to", "mtx"], symmetric).stdout), symmetric);
    let expanded = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 3 -2.0\n3 1 2.0\n";
    let output = run(&["convert", "-", "-", "--to", "mtx", "--expand", "--format", "COO"], symmetric);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expanded);
}

#[test]
fn files_of_one_name_are_refused_before_any_is_written() {
    let folder = Folder::new("one-name");
    for name in ["a", "b", "out"] {
        std::fs::create_dir(folder.file(name)).expect("a folder");
    }
    let (a, b, out) = (folder.file("a/m.mtx"), folder.file("b/m.mtx"), folder.file("out"));
    for path in [&a, &b, &folder.file("a/n.mtx")] {
        std::fs::write(path, MATRIX).expect("a file");
    }
    let said = refused(&[&folder.file("a/n.mtx"), &a, &b, &out, "--to", "npz"]);
    assert!(said.contains(&format!("{a} and {b} would both become {}", folder.file("out/m.npz"))), "{said}");
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 0);
    // Two inputs that differ in the ending only would become one file.
    std::fs::copy(&a, folder.file("a/m.tns")).expect("a file");
    let said = refused(&[&a, &folder.file("a/m.tns"), &out, "--to", "npz"]);
    assert!(said.contains("would both become"), "{said}");
    assert_eq!(std::fs::read_to_string(&a).expect("a file"), MATRIX);
    convert(&[&a, &folder.file("a/n.mtx"), &out, "--to", "npz"]);
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 2);
}

#[test]
fn groups_are_added_and_other_things_stay() {
    let folder = Folder::new("groups");
    let (a, b) = (folder.file("a.mtx"), folder.file("b.mtx"));
    std::fs::write(&a, MATRIX).expect("a file");
    std::fs::write(&b, MATRIX.replace("0.5", "0.25")).expect("a file");
    let [of_a, of_b] = [&a, &b].map(|path| convert(&[path, "-", "--to", "mtx", "--format", "COO"]));
    for name in ["c.h5", "c.zarr", "c.zarr.zip"] {
        let c = folder.file(name);
        let group = |path: &str| convert(&[&c, "-", "--group", path, "--to", "mtx"]);
        convert(&[&a, &c, "--to-group", "x"]);
        convert(&[&b, &c, "--to-group", "y/z"]);
        assert_eq!((group("x"), group("y/z")), (of_a.clone(), of_b.clone()), "{name}");
        // `--to-group` replaces a tensor in a group, but nothing inside a group or beside it.
        convert(&[&b, &c, "--to-group", "x"]);
        assert_eq!(group("x"), group("y/z"), "{name}");
        for (arguments, lost) in [(&["--to-group", "y"][..], "`z` would be lost"), (&[], "`x`, `y` would be lost")] {
            let said = refused(&[&[&a[..], &c], arguments].concat());
            assert!(said.contains(lost) && said.contains("(file/occupied)"), "{name}: {said}");
        }
        let said = refused(&[&a, &c, "--to-group", "x/values/inner"]);
        assert!(said.contains("array") && said.contains("x"), "{name}: {said}");
        // Without `--group`, the message names the groups.
        let output = run(&["check", &c], "");
        assert!(String::from_utf8_lossy(&output.stderr).contains("name one of these groups: x, y"), "{name}");
        convert(&[&a, &c, "--to-group", "y", "--force"]);
        assert_eq!((group("x"), group("y")), (of_b.clone(), of_a.clone()), "{name}");
        convert(&[&a, &c, "--force"]);
        assert_eq!(convert(&[&c, "-", "--to", "mtx"]), of_a);
        let said = String::from_utf8_lossy(&run(&["check", &c, "--group", "x"], "").stderr).into_owned();
        assert!(said.contains("x"), "{said}");
    }
}

#[test]
fn a_file_is_converted_to_itself() {
    let folder = Folder::new("itself");
    for name in ["a.mtx", "a.h5", "a.npz", "a.zarr", "a.zarr.zip", "a.parquet"] {
        let path = folder.file(name);
        std::fs::write(folder.file("b.mtx"), MATRIX).expect("a file");
        convert(&[&folder.file("b.mtx"), &path]);
        convert(&[&path, &path, "--format", "CSR"]);
        assert_eq!(convert(&[&path, "-", "--to", "tns"]), "1 2 0.5\n1 6 1.5\n3 3 -1.0\n4 1 2.0\n4 5 8.0\n", "{name}");
    }
}

#[test]
fn damaged_files_are_refused_and_the_others_read() {
    // A library panics on the first file; the command continues.
    let folder = "sparse-files/tests/data";
    let files = ["panic.parquet", "nested_types.h5", "snappy.parquet"].map(|name| format!("{folder}/{name}"));
    let output = run(&["check", &files[0], &files[1], &files[2]], "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && !said.contains("panicked"), "{said}");
    assert!(files[..2].iter().all(|file| said.contains(file.as_str())) && !said.contains("snappy"), "{said}");
}

#[test]
fn several_files_to_a_folder() {
    let folder = Folder::new("several");
    convert(&["tests/data/sparse/files/scipy_c*.npz", &folder.file(""), "--to", "hdf5"]);
    let mut names: Vec<String> = std::fs::read_dir(&folder.0)
        .expect("a folder")
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["scipy_coo.h5", "scipy_csc.h5", "scipy_csr.h5", "scipy_csr_unsorted.h5", "scipy_csr_vector.h5"]);
    let h5 = folder.file("scipy_csr.h5");
    for (arguments, message) in [
        (&[&h5[..], "a.csv"][..], "a.csv: choose the kind of file by --to"),
        (&[&h5[..], "-"][..], "standard output: choose the kind of file by --to"),
        (&[&h5[..], "a.npz", "--format", "bcsr"][..], "has blocks, keys or several parts, and files have levels"),
        (&[&h5[..], "a.npz", "--format", "hicoo(2,2)"][..], "has blocks, keys or several parts, and files have levels"),
        (&[&h5[..], "a.npz", "--format", "CRS"][..], "--format: `CRS` is not a level"),
        (&[&h5, &h5, "a.mtx"], "2 files need an existing folder as their target"),
        (&[&h5, &folder.file("")], "choose the kind of the files in this folder by --to"),
        (&[&h5, "-", "--to", "mtx", "--format", "C-D-X"], "C-D-X"),
        (&[&h5, "-", "--to", "mtx", "--axis-order", "0,0"], "axes"),
        (&[&h5, "-", "--to", "mtx", "--index", "u7"], "--index"),
        (&[&h5, "-", "--to", "mtx", "--dedupe", "mean"], "--dedupe"),
        (&[&h5, "-", "--to", "scipy", "--scipy", "bsr:2"], "--scipy"),
        (&[&h5, "-", "--to", "scipy", "--scipy", "bsr:5x1"], "file/counterpart"),
        (&[&h5, "-", "--to", "npz", "--binsparse", "2"], "--binsparse"),
        (&[&h5, "/no/such/folder/a.mtx"], "/no/such/folder/a.mtx: "),
    ] {
        let output = run(&[&["convert"], arguments].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(message), "{arguments:?}: {said}");
    }
}
