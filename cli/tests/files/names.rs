//! Writing through links, file modes and FIFOs.

use super::convert::{Folder, MATRIX, convert, refused};
use crate::command::run;
use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::process::Command;

/// Returns the commands that write a file, with the name to write to.
fn writers(folder: &Folder) -> Vec<(&'static str, Vec<String>)> {
    let matrix = folder.file("a.mtx");
    fs::write(&matrix, MATRIX).expect("a file");
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    vec![
        ("b.npz", words(&["convert", &matrix])),
        ("b.mtx.gz", words(&["convert", &matrix])),
        ("b.svg", words(&["info", &matrix, "--svg"])),
        ("b.svg", words(&["svg", "layout", "(4,8):(8,1)", "-o"])),
    ]
}

fn written(command: &[String], file: &str) {
    let command: Vec<&str> = command.iter().map(String::as_str).chain([file]).collect();
    let output = run(&command, "");
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn links_and_modes_stay() {
    let folder = Folder::new("links");
    for (name, command) in writers(&folder) {
        let (real, link) = (folder.file("real"), folder.file(name));
        fs::write(&real, "old").expect("a file");
        fs::set_permissions(&real, Permissions::from_mode(0o640)).expect("a mode");
        symlink("real", &link).expect("a link");
        written(&command, &link);
        let about = fs::metadata(&real).expect("a file");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink() && about.len() > 3, "{command:?}");
        assert_eq!(about.mode() & 0o777, 0o640, "{command:?}");
        fs::remove_file(&link).expect("a link");
    }
    // The command also writes to a Zarr folder through a link.
    convert(&[&folder.file("a.mtx"), &folder.file("real.zarr")]);
    fs::set_permissions(folder.file("real.zarr"), Permissions::from_mode(0o750)).expect("a mode");
    symlink("real.zarr", folder.file("b.zarr")).expect("a link");
    convert(&[&folder.file("a.mtx"), &folder.file("b.zarr")]);
    assert!(fs::symlink_metadata(folder.file("b.zarr")).expect("a link").is_symlink());
    assert_eq!(fs::metadata(folder.file("real.zarr")).expect("a folder").mode() & 0o777, 0o750);
    let names = fs::read_dir(&folder.0).expect("a folder").count();
    assert_eq!(names, ["a.mtx", "b.zarr", "real", "real.zarr"].len());
}

#[test]
fn long_names_are_written() {
    let folder = Folder::new("long");
    for (name, command) in writers(&folder) {
        let name = format!("{}{}", "n".repeat(255 - name.len() + 1), &name[1..]);
        (0..2).for_each(|_| written(&command, &folder.file(&name)));
    }
}

#[test]
fn fifos_and_descriptors_are_written_through() {
    let folder = Folder::new("fifo");
    for (name, command) in writers(&folder) {
        let fifo = folder.file(name);
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).expect("bytes")
        });
        written(&command, &fifo);
        assert!(!reader.join().expect("the reader").is_empty() && fs::symlink_metadata(&fifo).expect("a FIFO").file_type().is_fifo());
        fs::remove_file(&fifo).expect("the FIFO");
    }
    let to = |file: &str| convert(&[&folder.file("a.mtx"), file, "--to", "mtx"]);
    assert_eq!([to("-"), to("/dev/stdout"), to("/dev/fd/1"), to("/proc/self/fd/1")], [MATRIX; 4]);
    // A shell writes to the same file before and after the command. That output stays.
    let (command, out) = (env!("CARGO_BIN_EXE_crd2idx"), folder.file("out"));
    let script = format!("{{ echo before; '{command}' convert '{}' /dev/stdout --to mtx; echo after; }} > '{out}'", folder.file("a.mtx"));
    assert!(Command::new("sh").args(["-c", &script]).status().expect("a shell").success());
    assert_eq!(fs::read_to_string(out).expect("text"), format!("before\n{MATRIX}after\n"));
    let picture = |file: &str| String::from_utf8(run(&["svg", "layout", "4:1", "-o", file], "").stdout).expect("text");
    assert_eq!(picture("-"), picture("/dev/stdout").replace("</svg>", "</svg>\n").trim_end().to_owned() + "\n");
}

#[test]
fn a_file_is_not_replaced_before_another_one_reads_it() {
    let folder = Folder::new("readers");
    let [first, second] = ["a.mtx", "b.mtx"].map(|name| folder.file(name));
    for path in [&first, &second] {
        fs::write(path, MATRIX).expect("a file");
    }
    symlink("b.mtx", folder.file("a.tns")).expect("a link");
    let said = refused(&[&first, &second, &folder.file(""), "--to", "tns"]);
    assert!(said.contains(&format!("{second} would be replaced by what {first} becomes")), "{said}");
    assert!(fs::read_to_string(&second).expect("text") == MATRIX && !std::path::Path::new(&folder.file("b.tns")).exists());
    // Input and output may be one file, which one of them names by a link. The command replaces the link's target.
    symlink("a.mtx", folder.file("link.mtx")).expect("a link");
    convert(&[&folder.file("link.mtx"), &first, "--format", "COO"]);
    convert(&[&first, &folder.file("link.mtx")]);
    assert!(fs::read_to_string(&first).expect("text").contains("\n1 2 0.5\n1 6 1.5\n"));
}

#[test]
fn what_was_not_asked_for_stays() {
    let folder = Folder::new("stays");
    let matrix = folder.file("a.mtx");
    fs::write(&matrix, MATRIX).expect("a file");
    convert(&[&matrix, &folder.file("b.h5")]);
    convert(&[&matrix, &folder.file("b.zarr.zip")]);
    for (name, before) in [("b.h5", 512), ("b.h5", 2048), ("b.zarr.zip", 10)] {
        let path = folder.file(&format!("{before}.{name}"));
        let bytes = [vec![b' '; before], fs::read(folder.file(name)).expect("a file")].concat();
        fs::write(&path, &bytes).expect("a file");
        for group in [&[][..], &["--to-group", "g"]] {
            let message = refused(&[&[&matrix[..], &path], group].concat());
            assert!(message.contains("file/occupied") && message.contains("would be lost"), "{message}");
            assert_eq!(fs::read(&path).expect("a file"), bytes);
        }
    }
    // A file that is no container takes no group.
    fs::write(folder.file("c.h5"), "text").expect("a file");
    assert!(refused(&[&matrix, &folder.file("c.h5"), "--to-group", "g"]).contains("cannot take a group of hdf5"));
    // A group has at most 64 names.
    for name in ["d.h5", "d.zarr", "d.zarr.zip"] {
        let message = refused(&[&matrix, &folder.file(name), "--to-group", &vec!["a"; 20_000].join("/")]);
        assert!(message.contains("has 20000 names; the maximum is 64"), "{message}");
    }
    assert!(
        fs::read_dir(&folder.0).expect("a folder").all(|entry| !entry.expect("an entry").file_name().to_string_lossy().ends_with(".tmp"))
    );
    // `+1` names no descriptor, because the number of a descriptor has no sign.
    refused(&[&matrix, "/dev/fd/+1", "--to", "mtx"]);
}
