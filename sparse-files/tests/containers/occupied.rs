//! Containers with more than a tensor: a write keeps their contents unless the caller permits the loss.

use crate::round_trip::tensor;
use hdf5_pure::{AttrValue, File, FileBuilder};
use sparse_files::{AnyTensor, ElementType, FileError, FileKind, ReadOptions, Result, WriteOptions, npy};
use sparse_formats::Format;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A temporary folder, removed when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sparse-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn sample() -> AnyTensor<'static> {
    tensor(&[4, 6], ElementType::F64, &Format::csr())
}

pub fn write(path: &Path, kind: FileKind, group: Option<&str>, force: bool) -> Result<()> {
    write_with(path, kind, &WriteOptions { group: group.map(Into::into), force, ..WriteOptions::default() })
}

pub fn write_with(path: &Path, kind: FileKind, options: &WriteOptions) -> Result<()> {
    sparse_files::write(path, &sample(), kind, options)
}

/// Makes an archive with arrays of these texts, and then arrays of one number. A name with a dot is a file of that
/// name.
pub fn archive(path: &Path, texts: &[(&str, Option<&str>)], names: &[&str]) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).expect("a file"));
    let all = texts.iter().copied().chain(names.iter().map(|name| (*name, None)));
    for (name, text) in all {
        let file = if name.contains('.') { name.to_owned() } else { format!("{name}.npy") };
        zip.start_file(file, zip::write::SimpleFileOptions::default()).expect("a file");
        match text {
            Some(text) => {
                let header = format!("{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}\n", text.len());
                let start = [&b"\x93NUMPY\x01\0"[..], &(header.len() as u16).to_le_bytes()].concat();
                zip.write_all(&[&start[..], header.as_bytes(), text.as_bytes()].concat()).expect("a text");
            }
            None => npy::write(&mut zip, &[1], &sparse_files::AnyArray::from_values(vec![1u8])).expect("an array"),
        }
    }
    zip.finish().expect("an archive");
}

/// Checks that a write fails because `lost` would be lost, and changes nothing.
pub fn occupied(path: &Path, kind: FileKind, group: Option<&str>, lost: &str) {
    let before = content(path);
    let error = write(path, kind, group, false).expect_err("occupied");
    assert!(error.class() == "file/occupied" && error.to_string().contains(lost), "{error}");
    assert_eq!(content(path), before);
}

/// Checks that the sample is stored in a group.
pub fn stored(path: &Path, kind: FileKind, group: Option<&str>) {
    let options = ReadOptions { group: group.map(Into::into), ..ReadOptions::default() };
    assert_eq!(sparse_files::read(path, &options).expect("a tensor"), (sample(), kind), "{}", path.display());
}

/// Returns the bytes of all files below a path.
fn content(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if path.is_file() {
        return BTreeMap::from([(PathBuf::new(), fs::read(path).expect("a file"))]);
    }
    let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
    let inside = entries.flat_map(|entry| {
        let (name, path) = (entry.file_name(), entry.path());
        content(&path).into_iter().map(move |(rest, bytes)| (Path::new(&name).join(rest), bytes)).collect::<Vec<_>>()
    });
    inside.collect()
}

const ROOT: &str = r#"{ "zarr_format": 3, "node_type": "group",
  "attributes": { "encoding-type": "anndata", "tiny": 1e-400, "exact": 0.1000000000000000055511151231257827"#;
const GROUP: &str = r#"{ "zarr_format": 3, "node_type": "group", "attributes": {} }"#;

/// Makes a folder with the layout of AnnData.
fn anndata(path: &Path, consolidated: &str) {
    for name in ["X", "obs", "var", "uns"] {
        fs::create_dir_all(path.join(name)).expect("a folder");
        fs::write(path.join(name).join("zarr.json"), GROUP).expect("a file");
    }
    fs::write(path.join("zarr.json"), format!("{ROOT} }}{consolidated} }}")).expect("a file");
}

#[test]
fn folders_of_zarr() {
    let folder = Folder::new("occupied-zarr");
    let path = folder.0.join("a.zarr");
    anndata(&path, r#", "consolidated_metadata": { "kind": "inline", "metadata": {} }"#);
    occupied(&path, FileKind::Zarr, None, "`X`, `obs`, `uns` and 4 more would be lost");
    let before = content(&path);
    for group in ["added", "obs/inner/most"] {
        write(&path, FileKind::Zarr, Some(group), false).expect("added");
        stored(&path, FileKind::Zarr, Some(group));
    }
    let after = content(&path);
    assert!(before.iter().filter(|(name, _)| *name != Path::new("zarr.json")).all(|(name, bytes)| after.get(name) == Some(bytes)));
    // The consolidated metadata lacks the new group, so it is removed. The rest is unchanged, including every digit
    // of numbers.
    let root = fs::read_to_string(path.join("zarr.json")).expect("text");
    assert!(!root.contains("consolidated") && root.contains("0.1000000000000000055511151231257827") && root.contains("1e-400"), "{root}");
    occupied(&path, FileKind::Zarr, Some("obs"), "`inner` would be lost");
    occupied(&path, FileKind::Zarr, Some("obs/inner"), "`most` would be lost");
    // Files outside of groups are kept, too.
    fs::create_dir(path.join("notes")).expect("a folder");
    fs::write(path.join("notes/README"), "text").expect("a file");
    occupied(&path, FileKind::Zarr, Some("notes"), "`README` would be lost");
    occupied(&path, FileKind::Zarr, Some("notes/inner"), "`README` would be lost");
    fs::write(path.join("added/README"), "text").expect("a file");
    occupied(&path, FileKind::Zarr, Some("added"), "`README` would be lost");
    write(&path, FileKind::Zarr, Some("added"), true).expect("replaced");
    assert!(!path.join("added/README").exists() && path.join("obs/inner/most").exists());
    // Paths cannot leave the folder.
    for (group, force) in [("../b", false), ("..", true), ("obs/../../b", true), (".", true)] {
        assert_eq!(write(&path, FileKind::Zarr, Some(group), force).expect_err("dots").class(), "file/counterpart");
        let options = ReadOptions { group: Some(group.into()), ..ReadOptions::default() };
        assert_eq!(sparse_files::read(&path, &options).expect_err("dots").class(), "file/counterpart");
    }
    // A group cannot be inside an array.
    assert_eq!(write(&path, FileKind::Zarr, Some("added/values/x"), false).expect_err("an array").class(), "file/counterpart");
    write(&path, FileKind::Zarr, None, true).expect("replaced");
    stored(&path, FileKind::Zarr, None);
    assert!(!path.join("obs").exists());
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 1);
}

#[test]
fn folders_that_are_not_zarr_are_never_replaced() {
    let folder = Folder::new("occupied-other");
    let path = folder.0.join("a.zarr");
    write(&path, FileKind::Zarr, None, false).expect("written");
    stored(&path, FileKind::Zarr, None);
    fs::remove_file(path.join("zarr.json")).expect("a file");
    for force in [false, true] {
        assert!(write(&path, FileKind::Zarr, None, force).is_err() && write(&path, FileKind::Zarr, Some("x"), force).is_err());
        assert!(path.join("values").exists());
    }
    // A group of version 3 cannot be inside a group of version 2.
    fs::write(path.join(".zgroup"), r#"{ "zarr_format": 2 }"#).expect("a file");
    for force in [false, true] {
        assert_eq!(write(&path, FileKind::Zarr, Some("x"), force).expect_err("version 2").class(), "file/counterpart");
    }
}

#[test]
fn files_of_hdf5() {
    let folder = Folder::new("occupied-hdf5");
    let path = folder.0.join("a.h5");
    let mut file = FileBuilder::new();
    file.set_attr("title", AttrValue::String("measured".into()));
    file.create_dataset("data").with_data(&[1.5f64, 2.5]);
    let mut group = file.create_group("obs");
    group.create_dataset("names").with_data(&[1u8, 2]);
    let group = group.finish();
    file.add_group(group);
    file.write(&path).expect("a file");
    occupied(&path, FileKind::Hdf5, None, "`attribute title`, `data`, `obs` would be lost");
    occupied(&path, FileKind::Hdf5, Some("obs"), "`names` would be lost");
    // Replacing the file by another kind of file would lose the contents, too.
    occupied(&path, FileKind::MatrixMarket, None, "`data`");
    occupied(&path, FileKind::Npz, Some("x"), "`data`");
    for group in ["x", "y/z", "obs/inner", "x"] {
        write(&path, FileKind::Hdf5, Some(group), false).expect("added");
    }
    for group in ["x", "y/z", "obs/inner"] {
        stored(&path, FileKind::Hdf5, Some(group));
    }
    let file = File::open(&path).expect("a file");
    assert_eq!(file.dataset("data").expect("data").read_f64().expect("numbers"), [1.5, 2.5]);
    assert_eq!(file.dataset("obs/names").expect("data").read_u8().expect("numbers"), [1, 2]);
    assert_eq!(file.root().attrs().expect("attributes")["title"], AttrValue::String("measured".into()));
    drop(file);
    assert_eq!(write(&path, FileKind::Hdf5, Some("data/x"), false).expect_err("an array").class(), "file/counterpart");
    write(&path, FileKind::Hdf5, Some("obs"), true).expect("replaced");
    stored(&path, FileKind::Hdf5, Some("obs"));
    // A file that cannot be read may contain anything, so it is kept.
    let whole = fs::read(&path).expect("a file");
    fs::write(&path, &whole[..whole.len() / 2]).expect("a file");
    occupied(&path, FileKind::Hdf5, None, "the existing content, which cannot be read (HDF5: the file is cut off");
    write(&path, FileKind::Hdf5, None, true).expect("replaced");
    stored(&path, FileKind::Hdf5, None);
    write(&path, FileKind::Hdf5, None, false).expect("replaced");
    assert_eq!(fs::read_dir(&folder.0).expect("a folder").count(), 1);
}

#[test]
fn archives() {
    let folder = Folder::new("occupied-zip");
    let path = folder.0.join("a.npz");
    let descriptor = sparse_files::binsparse::encode(&sample(), "0.1.0").expect("encoded").descriptor.to_string();
    for (texts, names, lost) in [
        (&[][..], &["weights", "values"][..], "`weights.npy`, `values.npy` would be lost"),
        (&[("binsparse", Some(&descriptor[..]))], &["values", "weights"], "`weights.npy` would be lost"),
        (&[("binsparse", None)], &["values"], "the existing content, which cannot be read"),
        (&[("format", Some("csr"))], &["data", "notes.txt"], "`notes.txt` would be lost"),
        (&[], &["a.", "b.", "c.", "d."], "`a.`, `b.`, `c.` and 1 more would be lost"),
    ] {
        archive(&path, texts, names);
        occupied(&path, FileKind::Npz, None, lost);
        occupied(&path, FileKind::Tns, None, lost);
    }
    write(&path, FileKind::Npz, None, true).expect("replaced");
    // A tensor of any kind may replace a tensor of any kind.
    for kind in [FileKind::Scipy, FileKind::Pydata, FileKind::Npz, FileKind::Npz] {
        write(&path, kind, None, false).expect("replaced");
        stored_somehow(&path, kind);
    }
    // Zarr groups in an archive.
    let path = folder.0.join("a.zarr.zip");
    write(&path, FileKind::Zarr, Some("x"), false).expect("written");
    write(&path, FileKind::Zarr, Some("y/z"), false).expect("added");
    ["x", "y/z"].iter().for_each(|group| stored(&path, FileKind::Zarr, Some(group)));
    occupied(&path, FileKind::Zarr, None, "`x`, `y` would be lost");
    occupied(&path, FileKind::Zarr, Some("y"), "`z` would be lost");
    occupied(&path, FileKind::Npz, None, "`x`, `y` would be lost");
    write(&path, FileKind::Zarr, Some("x"), false).expect("replaced");
    ["x", "y/z"].iter().for_each(|group| stored(&path, FileKind::Zarr, Some(group)));
}

fn stored_somehow(path: &Path, kind: FileKind) {
    let (read, found) = sparse_files::read(path, &ReadOptions::default()).expect("a tensor");
    assert_eq!((read.stored(), found), (sample().stored(), kind));
}

#[test]
fn messages_say_what_is_cut_off_or_left_over() {
    let bytes = |kind: FileKind| {
        let mut out = std::io::Cursor::new(Vec::new());
        sparse_files::write_to(&mut out, &sample(), kind, &WriteOptions::default()).expect("written");
        out.into_inner()
    };
    let read = |bytes: Vec<u8>, kind: FileKind| {
        let options = ReadOptions { kind: Some(kind), ..ReadOptions::default() };
        sparse_files::read_bytes(bytes.into(), "a", &options).expect_err("refused")
    };
    for (kind, message) in
        [(FileKind::Hdf5, "cut off"), (FileKind::Arrow, "cut off"), (FileKind::Parquet, "cut off"), (FileKind::Npz, "cut off")]
    {
        let whole = bytes(kind);
        for length in [whole.len() / 2, whole.len() - 1] {
            let error = read(whole[..length].to_vec(), kind);
            assert!(error.class() == "file/container" && error.to_string().contains(message), "{kind:?} of {length} bytes: {error}");
        }
    }
    let array = bytes(FileKind::Npy);
    let longer = read([&array[..], b"xx"].concat(), FileKind::Npy);
    assert_eq!(longer, FileError::LeftOver { array: "the array".into(), bytes: 192, left: 2 });
    assert_eq!(longer.to_string(), "the array takes 192 bytes, but 2 more bytes follow it");
    let shorter = read(array[..array.len() - 2].to_vec(), FileKind::Npy);
    assert_eq!(shorter.to_string(), "the array claims 192 bytes, but the file can hold at most 190 for it");
    for (kind, start, message) in [
        (FileKind::Arrow, &b"\xff\xff\xff\xff\x10\0\0\0"[..], "the stream does not begin with a schema"),
        (FileKind::Arrow, b"PAR1", "it begins neither as a file (`ARROW1`) nor as a stream"),
        (FileKind::Parquet, b"ARROW1", "does not begin with `PAR1`"),
    ] {
        let error = read([start, &[0; 64]].concat(), kind);
        assert!(error.to_string().contains(message), "{error}");
    }
    // The error names the unsupported type and the supported ones.
    let mut other = array.clone();
    let at = other.windows(3).position(|word| word == b"<f8").expect("a type");
    other[at..at + 3].copy_from_slice(b"<V8");
    let error = read(other, FileKind::Npy).to_string();
    assert!(
        error.contains("`<V8` is not supported; the supported types, in any byte order, are: u1, u2") && error.contains("c16, f2, S, U"),
        "{error}"
    );
}
