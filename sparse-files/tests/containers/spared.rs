//! A write never loses contents that belong to no tensor: around a container, inside arrays, in metadata, or added
//! while the write runs.

use crate::data;
use crate::occupied::{Folder, archive, occupied, sample, stored, write, write_with};
use hdf5_pure::{AttrValue, FileBuilder};
use serde_json::{Value, json};
use sparse_files::{FileKind, Progress, ReadOptions, WriteOptions};
use std::fs;
use std::io::Write;
use std::path::Path;

#[test]
fn containers_behind_other_bytes() {
    let folder = Folder::new("spared-behind");
    let path = folder.0.join("a.h5");
    for size in [512u64, 1024, 4096] {
        let mut file = FileBuilder::new();
        file.with_userblock(size).with_userblock_content(b"MATLAB 7.3 MAT-file");
        file.create_dataset("data").with_data(&[1.5f64, 2.5]);
        file.write(&path).expect("a file");
        let block = fs::read(&path).expect("a file")[..size as usize].to_vec();
        occupied(&path, FileKind::Hdf5, None, "`a user block of");
        occupied(&path, FileKind::Tns, None, "`data`");
        write(&path, FileKind::Hdf5, Some("x"), false).expect("added");
        stored(&path, FileKind::Hdf5, Some("x"));
        assert_eq!(fs::read(&path).expect("a file")[..size as usize], block);
    }
    // An archive that follows other bytes, with or without these bytes counted in its positions.
    write(&path, FileKind::Hdf5, None, true).expect("replaced");
    let zip = folder.0.join("a.zarr.zip");
    let place = WriteOptions { group: Some("x".into()), ..WriteOptions::default() };
    let mut bytes = std::io::Cursor::new(Vec::new());
    sparse_files::write_to(&mut bytes, &sample(), FileKind::Zarr, &place).expect("written");
    let before = b"#!/bin/sh\n";
    let mut moved = std::io::Cursor::new(before.to_vec());
    moved.set_position(before.len() as u64);
    sparse_files::write_to(&mut moved, &sample(), FileKind::Zarr, &place).expect("written");
    for bytes in [[&before[..], bytes.get_ref()].concat(), moved.into_inner()] {
        fs::write(&zip, bytes).expect("a file");
        occupied(&zip, FileKind::Zarr, None, "`10 bytes before the archive`");
        occupied(&zip, FileKind::Zarr, Some("y"), "`10 bytes before the archive`");
        occupied(&zip, FileKind::Tns, None, "`10 bytes before the archive`");
    }
    // A file that takes no groups is not replaced by a group.
    for name in ["a.h5", "a.zarr.zip"] {
        let (path, kind) = (folder.0.join(name), if name == "a.h5" { FileKind::Hdf5 } else { FileKind::Zarr });
        for kind_before in [FileKind::Tns, FileKind::Npz] {
            fs::remove_file(&path).expect("a file");
            write(&path, kind_before, None, false).expect("written");
            occupied(&path, kind, Some("x"), "the existing file, which cannot take a group");
            write(&path, kind, Some("x"), true).expect("replaced");
            stored(&path, kind, Some("x"));
        }
        fs::write(&path, "").expect("a file");
        write(&path, kind, Some("x"), false).expect("nothing is lost");
    }
}

#[test]
fn paths_of_too_many_names() {
    let folder = Folder::new("spared-names");
    for (name, kind) in [("a.h5", FileKind::Hdf5), ("a.zarr.zip", FileKind::Zarr), ("a.zarr", FileKind::Zarr)] {
        let path = folder.0.join(name);
        for (names, right) in [(65, false), (20_000, false), (64, true)] {
            let group = vec!["a"; names].join("/");
            for force in [false, true] {
                match write(&path, kind, Some(&group), force) {
                    Ok(()) => assert!(right, "{name}"),
                    Err(error) => {
                        assert!(!right && error.to_string().contains(&format!("has {names} names; the maximum is 64")), "{error}")
                    }
                }
            }
            assert_eq!(path.exists(), right);
        }
        stored(&path, kind, Some(&vec!["a"; 64].join("/")));
        // A path with too many names fails even if its first names exist.
        let error = write(&path, kind, Some(&vec!["a"; 65].join("/")), false).expect_err("refused");
        assert_eq!(error.class(), "file/counterpart");
    }
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 3);
}

/// Changes the JSON of a file.
fn change(path: &Path, how: impl Fn(&mut Value)) {
    let mut about: Value = serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON");
    how(&mut about);
    fs::write(path, about.to_string()).expect("a file");
}

/// A function that changes a folder.
type Change = Box<dyn Fn(&Path)>;

/// Packs a folder into an archive.
fn packed(folder: &Path, archive: &Path) {
    fn add(zip: &mut zip::ZipWriter<fs::File>, folder: &Path, before: &str) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let key = format!("{before}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                zip.add_directory(key.clone(), zip::write::SimpleFileOptions::default()).expect("a folder");
                add(zip, &entry.path(), &(key + "/"));
            } else {
                zip.start_file(key, zip::write::SimpleFileOptions::default()).expect("a file");
                zip.write_all(&fs::read(entry.path()).expect("a file")).expect("a file");
            }
        }
    }
    let mut zip = zip::ZipWriter::new(fs::File::create(archive).expect("a file"));
    add(&mut zip, folder, "");
    zip.finish().expect("an archive");
}

#[test]
fn inside_arrays_of_zarr() {
    let folder = Folder::new("spared-arrays");
    let (path, zip) = (folder.0.join("a.zarr"), folder.0.join("a.zarr.zip"));
    let text = |name: &'static str| {
        move |path: &Path| {
            fs::create_dir_all(path.join(name).parent().expect("a folder")).expect("a folder");
            fs::write(path.join(name), "text").expect("a file");
        }
    };
    let json_of = |name: &'static str, key: &'static str, value: Value| {
        move |path: &Path| {
            change(&path.join(name), |about| about[key] = value.clone());
        }
    };
    let tensor = |name: &'static str| {
        move |path: &Path| {
            let _ = fs::remove_dir_all(path.join(name));
            sparse_files::write(&path.join(name), &sample(), FileKind::Zarr, &WriteOptions::default()).expect("written");
        }
    };
    let changes: [(Change, &str); 14] = [
        (Box::new(text("values/notes.txt")), "`values/notes.txt` would be lost"),
        (Box::new(text("values/c/notes.txt")), "`values/c/notes.txt` would be lost"),
        (Box::new(text("values/c/00")), "`values/c/00` would be lost"),
        (Box::new(text("values/c/1")), "`values/c/1` would be lost"),
        (Box::new(text("values/.zarray")), "`values/.zarray` would be lost"),
        (Box::new(text(".zattrs")), "`.zattrs` would be lost"),
        // An array, or a tensor, that the descriptor does not list.
        (Box::new(tensor("indices_7")), "`indices_7` would be lost"),
        (Box::new(text("indices_7/notes.txt")), "`indices_7` would be lost"),
        (Box::new(tensor("values")), "cannot be read"),
        (Box::new(json_of("zarr.json", "mine", json!(1))), "`mine of zarr.json` would be lost"),
        (Box::new(json_of("zarr.json", "attributes", json!({ "mine": 1 }))), "would be lost"),
        (Box::new(json_of("values/zarr.json", "attributes", json!({ "units": "mm" }))), "`attribute units of values` would be lost"),
        (Box::new(json_of("values/zarr.json", "mine", json!([[2]]))), "`mine of values` would be lost"),
        (Box::new(json_of("values/zarr.json", "dimension_names", json!(["time"]))), "`dimension_names of values` would be lost"),
    ];
    for (change, lost) in changes {
        write(&path, FileKind::Zarr, None, true).expect("replaced");
        change(&path);
        occupied(&path, FileKind::Zarr, None, lost);
        packed(&path, &zip);
        occupied(&zip, FileKind::Zarr, None, lost);
        occupied(&zip, FileKind::Tns, None, lost);
        // The same holds inside a group.
        let outer = folder.0.join("b.zarr");
        let _ = fs::remove_dir_all(&outer);
        write(&outer, FileKind::Zarr, Some("x"), false).expect("written");
        change(&outer.join("x"));
        occupied(&outer, FileKind::Zarr, Some("x"), lost);
    }
    // Empty metadata does not count as a loss.
    write(&path, FileKind::Zarr, None, true).expect("replaced");
    for (key, value) in [("attributes", json!({})), ("dimension_names", json!([null])), ("storage_transformers", json!([]))] {
        json_of("values/zarr.json", key, value)(&path);
    }
    packed(&path, &zip);
    write(&path, FileKind::Zarr, None, false).expect("replaced");
    write(&zip, FileKind::Zarr, None, false).expect("replaced");
}

#[test]
fn in_archives() {
    let folder = Folder::new("spared-archives");
    let path = folder.0.join("a.zarr.zip");
    let place = WriteOptions { group: Some("x".into()), ..WriteOptions::default() };
    let mut zip = std::io::Cursor::new(Vec::new());
    sparse_files::write_to(&mut zip, &sample(), FileKind::Zarr, &place).expect("written");
    let changed = |names: &[&str], comment: &str| {
        let mut zip = zip::ZipWriter::new_append(std::io::Cursor::new(zip.get_ref().clone())).expect("an archive");
        names.iter().for_each(|name| zip.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file"));
        zip.set_comment(comment).expect("a comment");
        fs::write(&path, zip.finish().expect("an archive").into_inner()).expect("a file");
    };
    for name in ["/secret.bin", "//y", "x//y"] {
        changed(&[name], "");
        occupied(&path, FileKind::Zarr, None, "would be lost");
        let (group, lost) = if name == "x//y" { (Some("x"), "`/y` would be lost") } else { (None, name) };
        occupied(&path, FileKind::Zarr, group, lost);
        write(&path, FileKind::Zarr, Some("y"), false).expect("added");
        let kept = zip::ZipArchive::new(fs::File::open(&path).expect("a file")).expect("an archive");
        assert!(kept.index_for_name(name).is_some(), "{name}");
    }
    changed(&[], "mine");
    occupied(&path, FileKind::Zarr, None, "`the comment of the archive`");
    write(&path, FileKind::Zarr, Some("y"), false).expect("added");
    assert_eq!(zip::ZipArchive::new(fs::File::open(&path).expect("a file")).expect("an archive").comment(), b"mine");
    // The array `format` decides whether an archive is of SciPy or of PyData, and which arrays belong to it.
    let path = folder.0.join("a.npz");
    for (format, names, lost) in [
        ("mine", &["shape", "data", "row", "col", "offsets"][..], "`format.npy`, `shape.npy`, `data.npy` and 3 more would be lost"),
        ("csr", &["shape", "data", "indptr", "indices", "offsets"], "`offsets.npy` would be lost"),
        ("csc", &["shape", "data", "indptr", "indices", "row"], "`row.npy` would be lost"),
        ("coo", &["shape", "data", "row", "col", "indptr"], "`indptr.npy` would be lost"),
        ("coo", &["shape", "data", "coords", "row"], "`row.npy` would be lost"),
        ("coo", &["shape", "data", "coords", "fill_value", "compressed_axes"], "`compressed_axes.npy` would be lost"),
        ("gcxs", &["shape", "data", "indptr", "indices", "compressed_axes", "fill_value", "coords"], "`coords.npy` would be lost"),
        ("gcxs", &["shape", "data", "coords"], "`format.npy`, `shape.npy`, `data.npy` and 1 more would be lost"),
        ("dia", &["shape", "data", "offsets", "row"], "`row.npy` would be lost"),
    ] {
        archive(&path, &[("format", Some(format))], names);
        occupied(&path, FileKind::Scipy, None, lost);
        occupied(&path, FileKind::Tns, None, lost);
    }
    // A Binsparse tensor owns exactly the arrays that its descriptor lists.
    let descriptor = sparse_files::binsparse::encode(&sample(), "0.1.0").expect("encoded").descriptor.to_string();
    archive(&path, &[("binsparse", Some(&descriptor))], &["values", "indices_1", "indices_7"]);
    occupied(&path, FileKind::Npz, None, "`indices_7.npy` would be lost");
    archive(&path, &[("binsparse", Some(&descriptor))], &["values", "indices_1"]);
    write(&path, FileKind::Npz, None, false).expect("replaced");
}

#[test]
fn beside_arrays_of_hdf5() {
    let folder = Folder::new("spared-hdf5");
    let path = folder.0.join("a.h5");
    let descriptor = sparse_files::binsparse::encode(&sample(), "0.1.0").expect("encoded").descriptor.to_string();
    for (units, other, lost) in [(true, false, "`attribute units of values`"), (false, true, "`indices_7`"), (false, false, "")] {
        let mut file = FileBuilder::new();
        file.set_attr("binsparse", AttrValue::VarLenString(descriptor.clone()));
        let values = file.create_dataset("values").with_data(&[1.5f64, 2.5]);
        if units {
            values.set_attr("units", AttrValue::String("mm".into()));
        }
        if other {
            file.create_dataset("indices_7").with_data(&[1u8]);
        }
        file.write(&path).expect("a file");
        match lost {
            "" => write(&path, FileKind::Hdf5, None, false).expect("replaced"),
            lost => occupied(&path, FileKind::Hdf5, None, lost),
        }
    }
}

#[test]
fn what_is_put_into_a_folder_meanwhile() {
    let folder = Folder::new("spared-meanwhile");
    let path = folder.0.join("a.zarr");
    for (group, inner) in [(None, ""), (Some("x"), "x")] {
        let _ = fs::remove_dir_all(&path);
        write(&path, FileKind::Zarr, group, false).expect("written");
        let notes = path.join(inner).join("notes.txt");
        let put = notes.clone();
        let progress = Progress::new(move |_, _| fs::write(&put, "text").expect("a file"));
        let options = WriteOptions { group: group.map(Into::into), progress, ..WriteOptions::default() };
        let error = write_with(&path, FileKind::Zarr, &options).expect_err("occupied");
        assert!(error.class() == "file/occupied" && error.to_string().contains("`notes.txt` would be lost"), "{error}");
        assert_eq!(fs::read_to_string(&notes).expect("text"), "text");
        stored(&path, FileKind::Zarr, group);
        assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 1);
        write_with(&path, FileKind::Zarr, &WriteOptions { force: true, ..options }).expect("replaced");
        assert!(!notes.exists());
    }
}

#[cfg(unix)]
#[test]
fn files_of_folders_are_regular_ones() {
    let folder = Folder::new("spared-regular");
    let path = folder.0.join("a.zarr");
    let read = || sparse_files::read(&path, &ReadOptions::default()).expect_err("refused");
    for name in ["values/c/0", "values/zarr.json", "zarr.json"] {
        for device in [true, false] {
            let _ = fs::remove_dir_all(&path);
            write(&path, FileKind::Zarr, None, false).expect("written");
            fs::remove_file(path.join(name)).expect("a file");
            if device {
                std::os::unix::fs::symlink("/dev/zero", path.join(name)).expect("a link");
            } else {
                let made = std::process::Command::new("mkfifo").arg(path.join(name)).status().expect("a command");
                assert!(made.success());
            }
            assert!(read().to_string().contains(&format!("{name} is not a regular file")), "{}", read());
        }
    }
    // Only the bytes of a file that can be needed are read.
    let _ = fs::remove_dir_all(&path);
    write(&path, FileKind::Zarr, None, false).expect("written");
    fs::File::create(path.join("zarr.json")).and_then(|file| file.set_len(1 << 40)).expect("a file");
    assert!(read().to_string().contains("is longer than 16777216 bytes"), "{}", read());
}

#[test]
fn tensors_of_other_packages_are_no_more_than_that() {
    let folder = Folder::new("spared-others");
    let files =
        ["csc_c128.h5", "csr_f64.h5", "h5_fixed_string.h5", "h5_rank4_iso.h5", "csc_f64.npz", "pydata_coo.npz", "pydata_gcxs_vector.npz"];
    let files = files.iter().chain(&["scipy_bsr.npz", "scipy_coo.npz", "scipy_csr.npz", "scipy_csr_vector.npz", "scipy_dia.npz"]);
    let samples = ["v2_blosc.zarr.zip", "v2_zlib_chunks.zarr.zip", "v2_zstd.zarr.zip", "v3_chunks.zarr.zip", "v3_gzip.zarr.zip"];
    let samples = samples.iter().chain(&["pydata_untagged_coo.npz", "pydata_untagged_gcxs.npz", "binsparse_bools.h5"]);
    let all = files.map(|name| data(&format!("files/{name}"))).chain(samples.map(|name| crate::sample(name)));
    for path in all {
        let copy = folder.0.join(path.file_name().expect("a name"));
        fs::copy(&path, &copy).expect("a file");
        let (_, kind) = sparse_files::read(&copy, &ReadOptions::default()).expect("a tensor");
        write(&copy, kind, None, false).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    // A dangling soft link is not an array of a tensor.
    let path = folder.0.join("links.h5");
    fs::copy(crate::sample("links.h5"), &path).expect("a file");
    occupied(&path, FileKind::Hdf5, Some("soft"), "would be lost");
    occupied(&path, FileKind::Hdf5, None, "would be lost");
}
