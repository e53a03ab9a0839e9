//! Reads and writes NumPy arrays by name in a zip file.

use crate::error::{FileError, Result};
use crate::npy::{self, Content, NpyArray};
use crate::progress::Progress;
use crate::size_limits::needed;
use crate::value::AnyArray;
use crate::zipped::{archive, damaged, member, start, stored};
use std::io::{Cursor, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A zip file of NumPy arrays, opened for reading.
///
/// ```
/// use sparse_files::npz::{Archive, ArchiveWriter};
/// use sparse_files::{AnyArray, Progress};
/// # let mut out = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
/// # out.put_text("unit", "mm")?;
/// # out.put_list("heights", &AnyArray::from_values(vec![1.5, 2.5]))?;
/// # let file = out.finish()?.into_inner();
/// // `file` has the bytes of `numpy.savez(.., unit="mm", heights=[1.5, 2.5])`.
/// let mut archive = Archive::open(&file)?.watched(&Progress::new(|done, all| assert!(done <= all)));
/// assert!(archive.has("unit") && !archive.has("widths"));
/// assert_eq!(archive.need("unit", 1)?.text("unit")?, "mm");
/// assert_eq!(archive.list("heights", 100)?.values::<f64>().as_deref(), Some(&[1.5, 2.5][..]));
/// // A missing array is `None` of `get`, and an error of `need` and `list`.
/// assert_eq!(archive.get("widths", 100)?, None);
/// assert_eq!(archive.need("widths", 100).unwrap_err().to_string(), "widths is missing");
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// The number of bytes of the archive.
    length: u64,
    progress: Progress,
}

/// The maximum number of bytes that are inflated for the header of an array. NumPy refuses headers of more than 10,000.
const HEADER: u64 = 1 << 14;
/// The maximum number of bytes of texts, unless ten times the bytes of the file are more.
const TEXT: u64 = 1 << 24;

impl<'a> Archive<'a> {
    /// Opens the archive in the bytes of a file. Fails if it is damaged or cut off.
    pub fn open(bytes: &'a [u8]) -> Result<Archive<'a>> {
        Ok(Archive { zip: archive(bytes)?, length: bytes.len() as u64, progress: Progress::default() })
    }

    /// Returns the archive, whose arrays are then read with reports to `progress`.
    pub fn watched(mut self, progress: &Progress) -> Archive<'a> {
        // If the list is damaged, reading returns the error.
        progress.expect(stored(&mut self.zip, "").unwrap_or(0) as usize);
        Archive { progress: progress.clone(), ..self }
    }

    /// Returns the names of the files in the archive. Names of arrays end with `.npy`.
    pub(crate) fn names(&self) -> Vec<String> {
        self.zip.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// Describes the contents outside of the files in the archive: bytes before it, and a comment. Fails if the archive is
    /// damaged.
    pub(crate) fn outside(&mut self) -> Result<Vec<String>> {
        let before = Some(start(&mut self.zip)?).filter(|start| *start > 0).map(|start| format!("{start} bytes before the archive"));
        let comment = (!self.zip.comment().is_empty()).then(|| "the comment of the archive".to_owned());
        Ok(before.into_iter().chain(comment).collect())
    }

    /// Tests whether the archive has an array of this name.
    pub fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// Reads the array of this name, or returns `None` if there is none. Fails if it is damaged or has more values than `most`,
    /// unless they take at most ten times the bytes of the archive.
    ///
    /// ```
    /// use sparse_files::AnyArray;
    /// use sparse_files::npz::{Archive, ArchiveWriter};
    /// let mut out = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), true);
    /// out.put_list("zeros", &AnyArray::from_values(vec![0u8; 1 << 20]))?;
    /// let file = out.finish()?.into_inner();
    /// // A small file may announce a large array, which a reader that needs ten values does not inflate.
    /// let error = Archive::open(&file)?.get("zeros", 10).unwrap_err();
    /// assert_eq!(error.class(), "file/claim");
    /// assert_eq!(Archive::open(&file)?.get("zeros", 1 << 20)?.map(|array| array.shape), Some(vec![1 << 20]));
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn get(&mut self, name: &str, most: u64) -> Result<Option<NpyArray<'static>>> {
        let length = self.length;
        let found = member(&mut self.zip, &format!("{name}.npy"), HEADER, |start| {
            let said = npy::said(name, start)?;
            match said.text {
                true => needed(name, said.bytes, 1, TEXT, length)?,
                false => needed(name, said.elements, said.size, most, length)?,
            }
            Ok(said.bytes.saturating_add(said.start))
        })?;
        let Some((bytes, packed)) = found else { return Ok(None) };
        self.progress.add(packed as usize);
        let NpyArray { shape, fortran, content } = npy::read(name, &bytes)?;
        let content = match content {
            Content::Values(values) => Content::Values(values.into_owned()),
            Content::Texts(texts) => Content::Texts(texts),
        };
        Ok(Some(NpyArray { shape, fortran, content }))
    }

    /// Reads the array of this name as `get` does. Also fails if it is missing.
    pub fn need(&mut self, name: &str, most: u64) -> Result<NpyArray<'static>> {
        self.get(name, most)?.ok_or_else(|| FileError::Missing { array: name.into() })
    }

    /// Reads the numbers of the array of this name as `get` does. Also fails if it is missing or does not have one axis.
    pub fn list(&mut self, name: &str, most: u64) -> Result<AnyArray<'static>> {
        self.need(name, most)?.list(name)
    }
}

/// A zip file of NumPy arrays, opened for writing.
///
/// ```
/// use sparse_files::AnyArray;
/// use sparse_files::npz::{Archive, ArchiveWriter};
/// let mut out = ArchiveWriter::new(std::io::Cursor::new(Vec::new()), false);
/// out.put_text("unit", "mm")?;
/// out.put("grid", &[2, 3], &AnyArray::from_values(vec![1i16, 2, 3, 4, 5, 6]))?;
/// out.put_list("offsets", &AnyArray::from_values(vec![0u32, 4]))?;
/// let file = out.finish()?.into_inner();
/// // In Python, `numpy.load` has `unit`, `grid` and `offsets`.
/// assert_eq!(Archive::open(&file)?.need("grid", 6)?.shape, [2, 3]);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub struct ArchiveWriter<W: Write + Seek> {
    zip: ZipWriter<W>,
    options: SimpleFileOptions,
}

impl<W: Write + Seek> ArchiveWriter<W> {
    /// Starts an archive in `out`. The arrays are deflated if `compressed`; otherwise they are stored at multiples of
    /// 64 bytes.
    pub fn new(out: W, compressed: bool) -> ArchiveWriter<W> {
        let options = SimpleFileOptions::default();
        let options = match compressed {
            true => options.compression_method(CompressionMethod::Deflated),
            false => options.compression_method(CompressionMethod::Stored).with_alignment(64),
        };
        ArchiveWriter { zip: ZipWriter::new(out), options }
    }

    /// Adds an array of these extents, the last axis fastest, with one value for each element. Fails if the output fails.
    pub fn put(&mut self, name: &str, shape: &[u64], values: &AnyArray<'_>) -> Result<()> {
        let large = values.bytes().len() as u64 > u64::from(u32::MAX) - 4096;
        self.zip.start_file(format!("{name}.npy"), self.options.large_file(large)).map_err(damaged)?;
        npy::write(&mut self.zip, shape, values)
    }

    /// Adds an array of one axis. Fails if the output fails.
    pub fn put_list(&mut self, name: &str, values: &AnyArray<'_>) -> Result<()> {
        self.put(name, &[values.len() as u64], values)
    }

    /// Adds an array of one text and no axis. Fails if the output fails.
    pub fn put_text(&mut self, name: &str, text: &str) -> Result<()> {
        self.zip.start_file(format!("{name}.npy"), self.options).map_err(damaged)?;
        npy::write_text(&mut self.zip, text)
    }

    /// Ends the archive and returns the output. Fails if the output fails.
    pub fn finish(self) -> Result<W> {
        self.zip.finish().map_err(damaged)
    }
}
