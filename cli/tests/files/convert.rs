//! From any kind of file to any other.

use crate::command::run;
use std::path::PathBuf;

/// A folder of its own, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("crd2idx-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn convert(arguments: &[&str]) -> String {
    let output = run(&[&["convert"], arguments].concat(), "");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {message}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n4 6 5\n4 1 2.0\n1 2 0.5\n1 6 1.5\n3 3 -1.0\n4 5 8.0\n";

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
        // Blocks store what is 0, too.
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
fn elements_of_one_coordinate_and_triangles() {
    let twice = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n3 1 2\n1 1 7\n3 1 5\n";
    for (treatment, value) in [("sum", "7"), ("first", "2"), ("last", "5")] {
        let output = run(&["convert", "-", "-", "--to", "mtx", "--dedupe", treatment], twice);
        let want = format!("%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 7\n3 1 {value}\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), want);
    }
    let output = run(&["convert", "-", "-", "--to", "npz"], twice);
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("levels/duplicate"));
    let symmetric = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 2.0\n";
    assert_eq!(String::from_utf8_lossy(&run(&["convert", "-", "-", "--to", "mtx"], symmetric).stdout), symmetric);
    let expanded = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 3 -2.0\n3 1 2.0\n";
    let output = run(&["convert", "-", "-", "--to", "mtx", "--expand", "--format", "COO"], symmetric);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expanded);
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
        (&[&h5[..], "a.csv"][..], "--to says what kind of file it is"),
        (&[&h5[..], "-"][..], "standard output: --to says"),
        (&[&h5[..], "a.npz", "--format", "bcsr"][..], "has blocks, keys or several parts, and files have levels"),
        (&[&h5[..], "a.npz", "--format", "hicoo(2,2)"][..], "has blocks, keys or several parts, and files have levels"),
        (&[&h5[..], "a.npz", "--format", "CRS"][..], "--format: `CRS` is no level"),
        (&[&h5, &h5, "a.mtx"], "written to a folder"),
        (&[&h5, &folder.file("")], "--to says the kind"),
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
