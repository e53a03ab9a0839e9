//! Stores for the files of groups: a folder or an archive.

use crate::error::{FileError, Result};
use crate::progress::Progress;
use crate::zipped::{archive, member, stored};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

pub(super) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Container { what: "Zarr", message: error.to_string() }
}

/// A source of files by key. A key is a list of names with `/` between them. Methods fail if the source cannot be read.
///
/// ```
/// use sparse_files::zarr::{FolderStore, Store, StoreWriter};
/// # let folder = std::env::temp_dir().join(format!("sparse-files-store-{}", std::process::id()));
/// let mut store = FolderStore::new(&folder);
/// store.put("a/c/0", b"four")?;
/// store.put("a/c/1", b"five!")?;
/// store.put("b", b"6")?;
/// assert_eq!(store.get("b", 100)?.as_deref(), Some(&b"6"[..]));
/// assert_eq!(store.get("a/c/2", 100)?, None);
/// assert_eq!((store.stored("a/")?, store.stored("")?), (9, 10));
/// assert_eq!(store.names("")?, ["a", "b"]);
/// assert_eq!(store.names("a/c/")?, ["0", "1"]);
/// assert_eq!(store.below("a/")?, ["c/0", "c/1"]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Store {
    /// Returns the bytes of the file with this key, or `None` if there is none. A file of more than `most` bytes may be
    /// truncated, but only after `most + 1` bytes.
    fn get(&self, key: &str, most: u64) -> Result<Option<Cow<'_, [u8]>>>;

    /// Returns the number of stored bytes of all files whose keys begin with `prefix`.
    fn stored(&self, prefix: &str) -> Result<u64>;

    /// Lists the name that follows this prefix in each key that begins with it, once each. The prefix is empty, or a path that
    /// ends with a slash.
    fn names(&self, prefix: &str) -> Result<Vec<String>>;

    /// Lists the rest of each key that begins with this prefix, including keys that no group can have. The key of an empty
    /// folder ends with a slash.
    fn below(&self, prefix: &str) -> Result<Vec<String>>;
}

/// A destination for files by key, such as a folder or a zip archive.
///
/// ```
/// use sparse_files::zarr::StoreWriter;
/// use sparse_files::{Result, binsparse, tns};
/// use std::collections::BTreeMap;
/// // Files in memory, as for an object store.
/// struct Memory(BTreeMap<String, Vec<u8>>);
/// impl StoreWriter for Memory {
///     fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
///         self.0.insert(key.into(), bytes.into());
///         Ok(())
///     }
/// }
/// let (a, mut store) = (tns::read(b"1 2 0.5\n", None)?, Memory(BTreeMap::new()));
/// binsparse::write_zarr(&mut store, &binsparse::encode(&a, binsparse::VERSION)?, None, false)?;
/// assert_eq!(store.0["values/c/0"], 0.5f64.to_le_bytes());
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub trait StoreWriter {
    /// Adds a file with this key and these bytes. Fails if the destination fails.
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()>;
}

/// The store of the files in a folder, for reading and writing.
///
/// ```
/// use sparse_files::Progress;
/// use sparse_files::zarr::{FolderStore, Store, StoreWriter};
/// # let folder = std::env::temp_dir().join(format!("sparse-files-folder-{}", std::process::id()));
/// FolderStore::new(&folder).put("a/zarr.json", b"{}")?;
/// assert_eq!(std::fs::read(folder.join("a/zarr.json"))?, b"{}");
/// // A key that exists is not overwritten.
/// assert!(FolderStore::new(&folder).put("a/zarr.json", b"[]").is_err());
/// let store = FolderStore::watched(&folder, &Progress::new(|done, all| assert_eq!((done, all), (2, 2))))?;
/// assert_eq!(store.get("a/zarr.json", 100)?.as_deref(), Some(&b"{}"[..]));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FolderStore {
    path: PathBuf,
    progress: Progress,
}

impl FolderStore {
    /// Returns the store of the files in a folder, without reports of progress.
    pub fn new(path: &Path) -> FolderStore {
        FolderStore { path: path.to_owned(), progress: Progress::default() }
    }

    /// Returns the store of the files in a folder, which reports its progress. Fails if the folder cannot be listed.
    pub fn watched(path: &Path, progress: &Progress) -> Result<FolderStore> {
        let store = FolderStore { progress: progress.clone(), ..FolderStore::new(path) };
        progress.expect(usize::try_from(store.stored("")?).unwrap_or(usize::MAX));
        Ok(store)
    }

    fn path(&self, key: &str) -> PathBuf {
        key.split('/').filter(|name| !name.is_empty()).fold(self.path.clone(), |path, name| path.join(name))
    }
}

impl Store for FolderStore {
    fn get(&self, key: &str, most: u64) -> Result<Option<Cow<'_, [u8]>>> {
        let path = self.path(key);
        // Opening a FIFO waits for a writer, and a device has no end.
        match fs::metadata(&path) {
            Ok(about) if about.is_file() => {}
            Ok(_) => return Err(damaged(format_args!("{key} is not a regular file"))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        self.progress.add(bytes.len());
        Ok(Some(Cow::Owned(bytes)))
    }

    fn stored(&self, prefix: &str) -> Result<u64> {
        fn of(path: &Path) -> Result<u64> {
            let mut sum = 0u64;
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                // The target of a link does not belong to the folder.
                let about = entry.metadata()?;
                let bytes = if about.is_dir() { of(&entry.path())? } else { about.len() };
                sum = sum.saturating_add(bytes);
            }
            Ok(sum)
        }
        let path = self.path(prefix);
        if path.is_dir() { of(&path) } else { Ok(0) }
    }

    fn names(&self, prefix: &str) -> Result<Vec<String>> {
        let entries = match fs::read_dir(self.path(prefix)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect::<Result<Vec<String>>>()?;
        names.sort();
        Ok(names)
    }

    fn below(&self, prefix: &str) -> Result<Vec<String>> {
        let mut keys = Vec::new();
        let mut folders = vec![(self.path(prefix), String::new())];
        while let Some((path, before)) = folders.pop() {
            let entries = match fs::read_dir(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && before.is_empty() => return Ok(keys),
                entries => entries?,
            };
            let mut empty = true;
            for entry in entries {
                let entry = entry?;
                let key = format!("{before}{}", entry.file_name().to_string_lossy());
                empty = false;
                // A link is a file of its own, wherever it leads.
                if entry.file_type()?.is_dir() { folders.push((entry.path(), key + "/")) } else { keys.push(key) }
            }
            if empty && !before.is_empty() {
                keys.push(before);
            }
        }
        keys.sort();
        Ok(keys)
    }
}

impl StoreWriter for FolderStore {
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(key);
        file_output::undisturbed(|| {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = fs::File::create_new(path)?;
            file.write_all(bytes)?;
            file.sync_all()
        })?;
        self.progress.add(bytes.len());
        Ok(())
    }
}

/// The store of the files in a zip archive, for reading.
///
/// ```
/// use sparse_files::zarr::{Store, StoreWriter, ZipStore, ZipStoreWriter};
/// let mut out = ZipStoreWriter::new(std::io::Cursor::new(Vec::new()));
/// out.put("a/zarr.json", b"{}")?;
/// let file = out.finish()?.into_inner();
/// assert_eq!(ZipStore::open(&file)?.names("")?, ["a"]);
/// assert_eq!(ZipStore::open(&file[..20]).map(|_| ()).map_err(|error| error.class()), Err("file/container"));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub struct ZipStore<'a>(RefCell<ZipArchive<Cursor<&'a [u8]>>>);

impl<'a> ZipStore<'a> {
    /// Opens the archive in these bytes. Fails if it is damaged or cut off.
    pub fn open(bytes: &'a [u8]) -> Result<ZipStore<'a>> {
        archive(bytes).map(|zip| ZipStore(RefCell::new(zip)))
    }
}

impl Store for ZipStore<'_> {
    fn get(&self, key: &str, most: u64) -> Result<Option<Cow<'_, [u8]>>> {
        let found = member(&mut self.0.borrow_mut(), key, 0, |_| Ok(most))?;
        Ok(found.map(|(bytes, _)| Cow::Owned(bytes)))
    }

    fn stored(&self, prefix: &str) -> Result<u64> {
        stored(&mut self.0.borrow_mut(), prefix)
    }

    fn names(&self, prefix: &str) -> Result<Vec<String>> {
        let zip = self.0.borrow();
        let next = |key: &str| key.strip_prefix(prefix)?.split('/').next().map(str::to_owned);
        let names: BTreeSet<String> = zip.file_names().filter_map(|key| next(&key.ok()?)).filter(|name| !name.is_empty()).collect();
        Ok(names.into_iter().collect())
    }

    fn below(&self, prefix: &str) -> Result<Vec<String>> {
        let zip = self.0.borrow();
        let rest = |key: &[u8]| key.strip_prefix(prefix.as_bytes()).map(|rest| String::from_utf8_lossy(rest).into_owned());
        let mut keys: Vec<String> = zip.file_names_raw().filter_map(rest).filter(|rest| !rest.is_empty()).collect();
        keys.sort();
        Ok(keys)
    }
}

/// An archive of uncompressed files, opened for writing.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("sparse-files-zip-{}.zarr.zip", std::process::id()));
/// use sparse_files::zarr::ZipStoreWriter;
/// use sparse_files::{FileKind, ReadOptions, binsparse, tns};
/// let a = tns::read(b"1 2 0.5\n", None)?;
/// let mut store = ZipStoreWriter::new(std::fs::File::create(&path)?);
/// binsparse::write_zarr(&mut store, &binsparse::encode(&a, binsparse::VERSION)?, None, true)?;
/// store.finish()?.sync_all()?;
/// assert_eq!(sparse_files::read(&path, &ReadOptions::default())?, (a, FileKind::Zarr));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ZipStoreWriter<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> ZipStoreWriter<W> {
    /// Starts a zip archive in `out`. The archive does not compress the files.
    pub fn new(out: W) -> ZipStoreWriter<W> {
        ZipStoreWriter(ZipWriter::new(out))
    }

    /// Copies the comment and the files of another archive, without inflating them, except files for whose keys `left_out` is
    /// true. Fails if that archive is damaged, or if the output fails.
    pub(crate) fn copy(&mut self, from: &ZipStore<'_>, left_out: impl Fn(&[u8]) -> bool) -> Result<()> {
        let mut zip = from.0.borrow_mut();
        self.0.set_raw_comment(zip.comment().into()).map_err(damaged)?;
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index).map_err(damaged)?;
            if !left_out(file.name_raw()) {
                self.0.raw_copy_file(file).map_err(damaged)?;
            }
        }
        Ok(())
    }

    /// Ends the archive and returns the output. Fails if the output fails.
    pub fn finish(self) -> Result<W> {
        self.0.finish().map_err(damaged)
    }
}

impl<W: Write + Seek> StoreWriter for ZipStoreWriter<W> {
    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.0.start_file(key, options.large_file(bytes.len() as u64 > u64::from(u32::MAX) - 4096)).map_err(damaged)?;
        Ok(self.0.write_all(bytes)?)
    }
}
