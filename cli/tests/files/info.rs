//! The descriptions of files, and the messages for invalid ones.

use crate::command::run;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn a_matrix() {
    let output = run(&["info", "tests/data/sparse/files/csr_f64.h5", "--spy", "--width", "80"], "");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for line in
        ["shape:    [6, 5]", "format:   C-S-R", "alias:    CSR", "stored:   10", "values:   float64, 80 bytes", "density:  3.333e-1"]
    {
        assert!(said.lines().any(|found| found == line), "{line}\n{said}");
    }
    assert!(said.contains("10 of 6 × 5 stored"), "{said}");
    let symmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n% of a friend\n2 2 1\n2 1\n";
    let said = text(&run(&["info", "-"], symmetric).stdout);
    assert!(said.contains("structure:symmetric, lower triangle") && said.contains("comment =  of a friend"), "{said}");
}

#[test]
fn several_files_one_of_which_is_refused() {
    let output = run(&["check", "tests/data/sparse/files/scipy_*.npz", "tests/data/sparse/invalid.json"], "");
    let (said, refused) = (text(&output.stdout), text(&output.stderr));
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 7), "{said}{refused}");
    assert!(said.contains("scipy_csr_unsorted.npz: scipy, 3 stored elements, not sorted"), "{said}");
    assert!(refused.contains("is not of a known kind") && refused.contains("(file/kind)"), "{refused}");
    let output = run(&["check", "-", "--from", "mtx"], "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n");
    assert!(
        text(&output.stderr)
            .contains("standard input: line 3, column 3: coordinate 3 of axis 1 is out of range; expected 1 to 2 (text/range)")
    );
    for (arguments, message) in [
        (&["check", "no/such/*.h5"][..], "no/such"),
        (&["check", "tests/*.nothing"], "no file has such a name"),
        (&["check", "nothing.h5"], "nothing.h5: "),
        (&["check", "README.md", "--from", "elf"], "`elf` is not one of mtx"),
        (&["info", "README.md", "README.md", "--svg", "a.svg"], "--svg draws one file"),
    ] {
        let output = run(arguments, "");
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn tensors_in_groups() {
    for (file, group, line) in [
        ("anndata.h5", None, "AnnData in HDF5, X"),
        ("anndata_dense.h5", None, "array in HDF5, X"),
        ("anndata_v2.zarr.zip", Some("layers/counts"), "AnnData in Zarr, layers/counts"),
        ("tenx_v3.h5", None, "10x Genomics in HDF5, matrix"),
        ("binsparse_compound.h5", None, "Binsparse in HDF5, outer/inner"),
        ("binsparse_bools.h5", None, "Binsparse in HDF5"),
    ] {
        let path = format!("sparse-files/tests/data/{file}");
        let arguments: Vec<&str> = ["info", &path].into_iter().chain(group.iter().flat_map(|group| ["--group", group])).collect();
        let output = run(&arguments, "");
        let (said, wrong) = (text(&output.stdout), text(&output.stderr));
        assert!(said.lines().any(|found| found == format!("file:     {path}, {line}")), "{said}{wrong}");
    }
    let output = run(&["check", "sparse-files/tests/data/tenx_v2_two.h5"], "");
    assert!(text(&output.stderr).contains("there is no tensor in the root; name one of these groups: hg19, mm10 (array/missing)"));
}

#[test]
fn a_picture_as_svg() {
    let file = std::env::temp_dir().join(format!("crd2idx-info-{}.svg", std::process::id()));
    let name = file.to_string_lossy().into_owned();
    let output = run(&["info", "tests/data/sparse/files/custom3_csf_t120.h5", "--svg", &name], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let svg = std::fs::read_to_string(&file).expect("a picture");
    std::fs::remove_file(&file).expect("the picture");
    assert!(svg.starts_with("<svg ") && svg.contains("6 of 3 × 4 × 2 stored"));
}
