//! Copies dense arrays into chunks of another shape.

use super::convert::Folder;
use crate::command::run;

fn source() -> String {
    format!("{}/../chunked-arrays/tests/data/python.zarr", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the exit code and both outputs.
fn rechunk(arguments: &[&str]) -> (i32, String) {
    let output = run(&[&["rechunk"], arguments].concat(), "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn an_array_keeps_its_elements_in_other_chunks() {
    let folder = Folder::new("rechunk");
    let [a, b, c, first, last] = ["a.zarr", "b.zarr", "c.zarr", "first.npy", "last.npy"].map(|name| folder.file(name));
    assert_eq!(rechunk(&[&source(), &first]), (0, String::new()));
    assert_eq!(rechunk(&[&source(), &a, "--chunks", "full,2", "--threads", "2", "--memory", "1KiB"]), (0, String::new()));
    assert_eq!(rechunk(&[&a, &b, "--chunks", "2,2", "--shards", "4,-1", "--codec", "gzip:1"]).0, 2);
    assert_eq!(rechunk(&[&a, &b, "--chunks", "2,1", "--shards", "4,7", "--codec", "gzip:1"]), (0, String::new()));
    assert_eq!(rechunk(&[&b, &c, "--chunks", "3,3", "--codec", "none"]), (0, String::new()));
    assert_eq!(rechunk(&[&c, &last]), (0, String::new()));
    let read = |path: &str| std::fs::read(path).expect("a file");
    assert_eq!(read(&first), read(&last));
    assert_eq!(read(&first).len(), 128 + 35 * 4);
    let (code, text) = rechunk(&[&c, &a, "--chunks", "1,1"]);
    assert!(code == 2 && text.contains("exists; --force replaces an array"), "{text}");
    assert_eq!(rechunk(&[&c, &a, "--chunks", "1,1", "--force"]), (0, String::new()));
    let notes = std::path::Path::new(&a).join("c/notes.txt");
    std::fs::write(&notes, "by hand").expect("a file");
    let (code, text) = rechunk(&[&c, &a, "--chunks", "1,2", "--force"]);
    assert!(
        code == 2 && text.contains("has c/notes.txt, which is not part of the array, so it is not replaced") && notes.exists(),
        "{text}"
    );
    std::fs::write(std::path::Path::new(&b).join("zarr.json"), r#"{"zarr_format": 3, "node_type": "group"}"#).expect("a file");
    let (code, text) = rechunk(&[&c, &b, "--chunks", "1,1", "--force"]);
    assert!(code == 2 && text.contains("is a folder that is not a Zarr array, so it is not replaced"), "{text}");
    let (code, text) = rechunk(&[&c, &c, "--chunks", "1,1", "--force"]);
    assert!(code == 2 && text.contains("choose another target"), "{text}");
}

#[test]
fn datasets_of_hdf5_are_read() {
    let folder = Folder::new("rechunk-hdf5");
    let [a, b, c, d] = ["a.zarr", "b.npy", "c.npy", "d.h5"].map(|name| folder.file(name));
    let hdf5 = format!("{}/../chunked-arrays/tests/data/hdf5/old.h5", env!("CARGO_MANIFEST_DIR"));
    let (code, text) = rechunk(&[&hdf5, &a, "--chunks", "3,3"]);
    assert!(code == 2 && text.contains("the file has several datasets; name one of these: a/group/dataset"), "{text}");
    let (code, text) = rechunk(&[&hdf5, &a, "--group", "soft", "--chunks", "3,3"]);
    assert!(code == 2 && text.contains("there is no dataset `soft`"), "{text}");
    assert_eq!(rechunk(&[&hdf5, &a, "--group", "checked", "--chunks", "3,3", "--codec", "zstd:1"]), (0, String::new()));
    assert_eq!(rechunk(&[&folder.file(""), &b, "--group", "a.zarr"]), (0, String::new()));
    assert_eq!(rechunk(&[&hdf5, &c, "--group", "/checked"]), (0, String::new()));
    let read = |path: &str| std::fs::read(path).expect("a file");
    assert_eq!(read(&b), read(&c));
    assert_eq!(read(&b)[128..136], [3, 0, 0, 0, 10, 0, 0, 0]);
    let (code, text) = rechunk(&[&c, &d, "--chunks", "3,3"]);
    assert!(code == 2 && text.contains("write a .npy file or a Zarr folder") && !text.contains("--memory"), "{text}");
}

#[test]
fn plans_and_refusals_name_the_numbers() {
    let folder = Folder::new("rechunk-plans");
    let target = folder.file("a.zarr");
    let told = |arguments: &[&str], code: i32, words: &[&str]| {
        let (found, text) = rechunk(&[&[source().as_str(), &target], arguments].concat());
        assert!(found == code && words.iter().all(|word| text.contains(word)), "{arguments:?} {found} {text}");
        assert!(std::fs::read_dir(&folder.0).expect("the folder").next().is_none(), "{arguments:?}");
    };
    told(&["--chunks", "5,2", "--dry-run", "--threads", "1"], 0, &["stage 1", "lower bound of 280 bytes", "peak"]);
    told(&["--chunks", "5,2", "--dry-run", "--json"], 0, &["\"lower_bound\":280", "\"stages\":[{"]);
    told(&["--chunks", "5"], 2, &["1 extents are given, but the array of shape [5, 7] has 2 axes"]);
    told(&["--chunks", "5,0"], 2, &["axis 1: the chunk length is 0"]);
    told(&["--chunks", "5,x"], 2, &["`x` is not a number, full or -1"]);
    told(&["--chunks", "5,2", "--memory", "10"], 2, &["the memory bound of 10 bytes is too small", "bytes are needed"]);
    told(&["--chunks", "5,2", "--memory", "much"], 2, &["`much` is not a size like 512MiB or 5GB"]);
    told(&["--chunks", "5,2", "--codec", "lz4"], 2, &["`lz4` is not one of zstd:LEVEL, gzip:LEVEL, none"]);
    told(&["--chunks", "5,2", "--threads", "0"], 2, &["at least 1 thread"]);
    told(&[], 2, &["name the extents of a chunk"]);
}

#[cfg(unix)]
#[test]
fn a_kill_leaves_no_target() {
    let folder = Folder::new("rechunk-kill");
    let (array, target) = (folder.file("a.npy"), folder.file("b.zarr"));
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (4000, 4000), }";
    let header = format!("{text}{}\n", " ".repeat(118 - text.len() - 1));
    let bytes = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &vec![7; 16_000_000]].concat();
    std::fs::write(&array, bytes).expect("a file");
    for signal in ["-KILL", "-TERM"] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_crd2idx"))
            .args(["rechunk", &array, &target, "--chunks", "10,10", "--threads", "1"])
            .spawn()
            .expect("the command starts");
        let temporary = || std::fs::read_dir(&folder.0).expect("the folder").count() > 1;
        while !temporary() {
            assert!(child.try_wait().expect("a process").is_none());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert!(std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill").success());
        assert!(!child.wait().expect("a process").success());
        assert!(!std::path::Path::new(&target).exists(), "{signal}");
        // SIGKILL leaves the temporary folder, SIGTERM does not.
        let left = std::fs::read_dir(&folder.0).expect("the folder").flatten().filter(|entry| entry.path().is_dir());
        let left: Vec<_> = left.collect();
        assert_eq!(left.len(), usize::from(signal == "-KILL"), "{signal}");
        left.iter().for_each(|entry| std::fs::remove_dir_all(entry.path()).expect("a folder"));
    }
}
