//! Opens arrays, and copies them into new arrays with other chunks.

use crate::error::RechunkError;
#[cfg(feature = "hdf5")]
use crate::flat::zarr_type;
use crate::flat::{Flat, FlatOutput, is_npy as is_npy_file, numpy_type, type_bytes, whole};
use crate::grid::Grid;
#[cfg(feature = "hdf5")]
use crate::hdf5::{Hdf5Input, Hdf5Source};
use crate::options::{Chunks, RechunkOptions, RechunkReport};
use crate::plan::{RechunkPlan, RechunkPlanOptions, Stage};
use crate::stage::{Counter, Input, Output, Pieces, run};
#[cfg(feature = "zarr")]
use crate::zarr::{ZarrInput, ZarrOutput, new_metadata, plain_metadata};
use file_output::{Target, WriteSeek};
use sparse_files::npy::NpyHeader;
use std::io::{Cursor, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// An array to read: Zarr in a folder, a `.npy` file, a dataset of an HDF5 file, or memory.
///
/// ```
/// use chunked_arrays::{Chunks, RechunkOptions, SourceArray, rechunk};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.zarr");
/// let array = SourceArray::memory(&[4, 6], "uint8", (0..24).collect())?;
/// rechunk(&array, &path, &Chunks::new(&[4, 6], &[2, 4], None)?, &RechunkOptions::default(), &|_, _| ())?;
/// let copy = SourceArray::open(&path)?;
/// assert_eq!((copy.data_type(), copy.grid().chunks()), ("uint8", 4));
/// assert_eq!(copy.to_vec()?, (0..24).collect::<Vec<u8>>());
/// # Ok::<(), chunked_arrays::RechunkError>(())
/// ```
pub struct SourceArray {
    of: Of,
    /// The file or the folder, with all links followed. An array in memory has none.
    path: Option<PathBuf>,
    data_type: String,
    size: usize,
}

enum Of {
    Flat(Flat),
    #[cfg(feature = "hdf5")]
    Hdf5(Box<Hdf5Input>),
    #[cfg(feature = "zarr")]
    Zarr(Box<ZarrInput>),
}

impl SourceArray {
    /// Opens a `.npy` file, a Zarr array of version 2 or 3 in a folder, or the only dataset of an HDF5 file. Fails if the file is damaged
    /// or its type is not supported.
    pub fn open(path: &Path) -> Result<SourceArray, RechunkError> {
        let place = Some(path.canonicalize()?);
        if !path.is_dir() {
            if !is_npy_file(path) && is_hdf5_file(path)? {
                return SourceArray::dataset(path, None);
            }
            let (flat, data_type) = Flat::open(path)?;
            let size = type_bytes(&data_type).unwrap_or(1);
            return Ok(SourceArray { of: Of::Flat(flat), path: place, data_type, size });
        }
        #[cfg(feature = "zarr")]
        {
            let zarr = ZarrInput::open(path)?;
            let data_type = &zarr.metadata()["data_type"];
            let data_type = data_type.as_str().map_or_else(|| data_type.to_string(), str::to_owned);
            let size = zarr.size();
            Ok(SourceArray { of: Of::Zarr(Box::new(zarr)), path: place, data_type, size })
        }
        #[cfg(not(feature = "zarr"))]
        Err(RechunkError::Array(format!("{} is a folder; Zarr arrays need the feature `zarr`", path.display())))
    }

    /// Opens an array by its path in a container, like `layers/counts`: a dataset of an HDF5 file, or an array in the groups of a Zarr folder.
    /// Soft links of HDF5 are not followed. Fails as [`SourceArray::open`] does, and if the container has no such array.
    pub fn open_group(path: &Path, group: &str) -> Result<SourceArray, RechunkError> {
        let wrong = |what: &str| Err(RechunkError::Array(format!("{} {what}", path.display())));
        if path.is_dir() {
            let within = Path::new(group.trim_matches('/'));
            return match within.components().all(|part| matches!(part, Component::Normal(_))) {
                true => SourceArray::open(&path.join(within)),
                false => wrong(&format!("is a folder, and `{group}` is not a path within it")),
            };
        }
        match is_npy_file(path) || !is_hdf5_file(path)? {
            true => wrong("has no groups: only HDF5 files and Zarr folders have some"),
            false => SourceArray::dataset(path, Some(group)),
        }
    }

    /// Opens a dataset of an HDF5 file: the only one, or the one of this name.
    #[cfg(feature = "hdf5")]
    fn dataset(path: &Path, name: Option<&str>) -> Result<SourceArray, RechunkError> {
        let place = Some(path.canonicalize()?);
        let (source, type_name) = Hdf5Input::open(path, name)?;
        let data_type = zarr_type(&type_name).ok_or_else(|| RechunkError::Array(format!("the type {type_name} is not supported")))?;
        let size = type_bytes(data_type).unwrap_or(1);
        let of = match source {
            Hdf5Source::Header(flat) => Of::Flat(flat),
            Hdf5Source::Chunks(input) => Of::Hdf5(Box::new(input)),
        };
        Ok(SourceArray { of, path: place, data_type: data_type.into(), size })
    }

    #[cfg(not(feature = "hdf5"))]
    fn dataset(path: &Path, _: Option<&str>) -> Result<SourceArray, RechunkError> {
        Err(RechunkError::Array(format!("{} is an HDF5 file, which needs the feature `hdf5`", path.display())))
    }

    /// Returns an array in memory, in C order. `data_type` is the name of its type in Zarr, like float32. Fails if the type is not one of
    /// NumPy's numbers, or if the number of bytes does not match the shape.
    pub fn memory(shape: &[u64], data_type: &str, bytes: Vec<u8>) -> Result<SourceArray, RechunkError> {
        let size = type_bytes(data_type).ok_or_else(|| RechunkError::Array(format!("the type {data_type} is not supported")))?;
        Ok(SourceArray { of: Of::Flat(Flat::memory(shape, size, bytes)?), path: None, data_type: data_type.into(), size })
    }

    /// Returns the chunks. An array in a `.npy` file or in memory is one chunk, and so is a contiguous dataset of HDF5. For a sharded
    /// array, these are the chunks in its shards.
    pub fn grid(&self) -> &Grid {
        match &self.of {
            Of::Flat(flat) => flat.grid(),
            #[cfg(feature = "hdf5")]
            Of::Hdf5(input) => input.grid(),
            #[cfg(feature = "zarr")]
            Of::Zarr(zarr) => zarr.grid(),
        }
    }

    /// Returns the name of the type of elements in Zarr, like float32.
    pub fn data_type(&self) -> &str {
        &self.data_type
    }

    /// Returns the number of bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.size
    }

    /// Reads all elements, in C order. Fails if a chunk is damaged.
    pub fn to_vec(&self) -> Result<Vec<u8>, RechunkError> {
        let shape = self.grid().shape();
        let grid = whole(&shape)?;
        let stage = Stage {
            boxes: grid.clone(),
            output: grid,
            whole_reads: !self.partial(),
            whole_writes: false,
            bytes_read: 0,
            bytes_written: 0,
            requests: 0,
            threads: 1,
            peak_bytes: 0,
        };
        let mut out = Cursor::new(Vec::new());
        let output = FlatOutput::new(&mut out, 0, shape, self.size);
        let counter = Counter { read: 0.into(), written: 0.into(), all: 0, report: &|_, _| () };
        run(&stage, self.grid(), self.input(), self.partial(), &output, (self.size, 1 << 20), &counter)?;
        drop(output);
        Ok(out.into_inner())
    }

    fn partial(&self) -> bool {
        match &self.of {
            Of::Flat(_) => true,
            #[cfg(feature = "hdf5")]
            Of::Hdf5(input) => input.is_plain(),
            #[cfg(feature = "zarr")]
            Of::Zarr(zarr) => zarr.is_plain(),
        }
    }

    fn stored_bytes(&self) -> Option<u64> {
        match &self.of {
            Of::Flat(_) => None,
            #[cfg(feature = "hdf5")]
            Of::Hdf5(input) => (!input.is_plain()).then(|| input.stored_bytes()),
            #[cfg(feature = "zarr")]
            Of::Zarr(zarr) => Some(zarr.stored_bytes()),
        }
    }

    fn shard_bytes(&self) -> u64 {
        match &self.of {
            Of::Flat(_) => 0,
            #[cfg(feature = "hdf5")]
            Of::Hdf5(_) => 0,
            #[cfg(feature = "zarr")]
            Of::Zarr(zarr) => zarr.shard_bytes(),
        }
    }

    /// Returns the bytes of lists that are in memory while the array is open.
    fn list_bytes(&self) -> u64 {
        match &self.of {
            Of::Flat(_) => 0,
            #[cfg(feature = "hdf5")]
            Of::Hdf5(input) => input.list_bytes(),
            #[cfg(feature = "zarr")]
            Of::Zarr(_) => 0,
        }
    }

    fn input(&self) -> &dyn Input {
        match &self.of {
            Of::Flat(flat) => flat,
            #[cfg(feature = "hdf5")]
            Of::Hdf5(input) => &**input,
            #[cfg(feature = "zarr")]
            Of::Zarr(zarr) => &**zarr,
        }
    }
}

/// Tests whether a path names a `.npy` file to write. All other paths name folders of Zarr.
fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

/// Tests whether a file is HDF5. Fails if it cannot be read.
#[cfg(feature = "hdf5")]
fn is_hdf5_file(path: &Path) -> Result<bool, RechunkError> {
    sparse_files::hdf5::is_hdf5(path).map_err(|error| RechunkError::Array(error.to_string()))
}

/// Tests whether a path has an ending of HDF5 files.
#[cfg(not(feature = "hdf5"))]
fn is_hdf5_file(path: &Path) -> Result<bool, RechunkError> {
    Ok(is_hdf5(path))
}

/// Tests whether a path has an ending of HDF5 files: `.h5` or `.hdf5`.
fn is_hdf5(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("h5") || ending.eq_ignore_ascii_case("hdf5"))
}

/// Returns the plan by which [`rechunk`] would copy an array. `chunks` is ignored for a `.npy` file, which has none. Fails as
/// [`RechunkPlan::new`] does, and if the path ends in `.h5` or `.hdf5`: HDF5 files are not written.
pub fn plan(source: &SourceArray, path: &Path, chunks: &Chunks, options: &RechunkOptions) -> Result<RechunkPlan, RechunkError> {
    if is_hdf5(path) {
        let reason = "ends as HDF5 files do, which are not written within a memory bound; write a .npy file or a Zarr folder";
        return Err(RechunkError::Target(format!("{} {reason}", path.display())));
    }
    // The list of chunks takes its part of the memory.
    let (lists, bound) = (source.list_bytes(), options.memory_bytes);
    let options = RechunkPlanOptions {
        memory_bytes: options.memory_bytes.saturating_sub(lists),
        threads: options.threads as u64,
        partial_reads: source.partial(),
        partial_writes: is_npy(path),
        request_bytes: options.request_bytes,
        shard_bytes: source.shard_bytes(),
        stored_bytes: source.stored_bytes(),
        ..RechunkPlanOptions::default()
    };
    let target = if is_npy(path) { whole(&source.grid().shape())? } else { chunks.grid.clone() };
    RechunkPlan::new(source.size as u64, source.grid(), &target, &options).map_err(|error| match error {
        RechunkError::Memory { needed, source_chunk, target_chunk, .. } => {
            RechunkError::Memory { bound, needed: needed.saturating_add(lists), source_chunk, target_chunk }
        }
        error => error,
    })
}

/// Copies an array into a new one with other chunks: a `.npy` file if the path ends so, else a Zarr array of version 3 in a folder. The
/// new array appears whole or not at all. A Zarr source keeps its attributes, dimension names, fill value and codecs.
///
/// `report` gets the bytes of elements read and written so far, and the bytes of the whole copy. Any thread may call it.
///
/// Fails as [`plan`] does, if the target exists and may not be replaced, if a chunk of the source is damaged, or if the system refuses.
/// Only arrays are replaced: neither groups of Zarr nor other folders and files, and nothing that has, is, or is in the source.
pub fn rechunk(
    source: &SourceArray,
    path: &Path,
    chunks: &Chunks,
    options: &RechunkOptions,
    report: &(dyn Fn(u64, u64) + Sync),
) -> Result<RechunkReport, RechunkError> {
    let plan = plan(source, path, chunks, options)?;
    check_target(source, path, options.overwrite)?;
    let counter = Counter { read: 0.into(), written: 0.into(), all: plan.bytes(), report };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = if is_npy(path) {
        let (name, shape) = (numpy_type(&source.data_type)?, source.grid().shape());
        let mut header = Vec::new();
        NpyHeader::write(&mut header, &name, &shape).map_err(|error| RechunkError::Array(error.to_string()))?;
        let write = |out: &mut dyn WriteSeek| {
            out.write_all(&header)?;
            let output = FlatOutput::new(out, header.len() as u64, shape, source.size);
            stages(&plan, source, folder, &output, &counter)
        };
        if options.overwrite { file_output::write(path, write) } else { file_output::create(path, write) }
    } else {
        #[cfg(feature = "zarr")]
        {
            let like = match &source.of {
                Of::Zarr(zarr) => zarr.metadata().clone(),
                _ => plain_metadata(&source.grid().shape(), &source.data_type),
            };
            let metadata = new_metadata(&like, &chunks.grid, chunks.inner.as_deref(), options.codec)?;
            let write = |new: &Path| {
                let output = ZarrOutput::new(new, metadata)?;
                stages(&plan, source, folder, &output, &counter)?;
                output.finish(new)
            };
            match options.overwrite {
                true => file_output::write_folder(path, None, |old| replaceable(old, path), write),
                false => file_output::create_folder(path, write),
            }
        }
        #[cfg(not(feature = "zarr"))]
        return Err(RechunkError::Array("Zarr arrays need the feature `zarr`".into()));
    };
    written.map_err(|error| match error {
        RechunkError::Io(error) if error.kind() == ErrorKind::AlreadyExists => RechunkError::Exists(path.display().to_string()),
        error => error,
    })?;
    Ok(RechunkReport { bytes_read: counter.read.into_inner(), bytes_written: counter.written.into_inner() })
}

/// Checks that a new array may get its path. Fails if it may not, or if the enclosing folder does not exist.
fn check_target(source: &SourceArray, path: &Path, overwrite: bool) -> Result<(), RechunkError> {
    let refuse = |reason: &str| Err(RechunkError::Target(format!("{} {reason}", path.display())));
    let target = file_output::target(path)?;
    if !overwrite && !matches!(target, Target::Nothing(_)) {
        return Err(RechunkError::Exists(path.display().to_string()));
    }
    if let (Some(source), Target::Nothing(place) | Target::File(place) | Target::Folder(place)) = (&source.path, &target)
        && (place.starts_with(source) || source.starts_with(place))
    {
        return refuse(&format!("has, is, or is in the source {}; choose another target", source.display()));
    }
    match target {
        Target::Nothing(_) => Ok(()),
        Target::File(place) if is_npy(path) => match is_npy_file(&place) {
            true => Ok(()),
            false => refuse("is not a .npy file, so it is not replaced"),
        },
        #[cfg(feature = "zarr")]
        Target::Folder(place) if !is_npy(path) => replaceable(&place, path),
        _ => refuse("is not an array of the new kind, so it is not replaced"),
    }
}

/// Checks that a folder is a Zarr array and has nothing else. Fails for groups and other folders; `path` is the name in the message.
#[cfg(feature = "zarr")]
fn replaceable(folder: &Path, path: &Path) -> Result<(), RechunkError> {
    let refuse = |reason: String| Err(RechunkError::Target(format!("{} {reason}, so it is not replaced", path.display())));
    if !crate::zarr::is_array(folder) {
        return refuse("is a folder that is not a Zarr array".into());
    }
    match crate::zarr::foreign(folder)? {
        Some(other) => refuse(format!("has {}, which is not part of the array", other.display())),
        None => Ok(()),
    }
}

/// Runs all stages of a plan. Temporary files are in `folder`, and have no names.
fn stages(plan: &RechunkPlan, source: &SourceArray, folder: &Path, output: &dyn Output, counter: &Counter<'_>) -> Result<(), RechunkError> {
    let mut before: Option<(Pieces, Grid)> = None;
    for (number, stage) in plan.stages().iter().enumerate() {
        let (input, grid, runs_only): (&dyn Input, _, _) = match &before {
            None => (source.input(), source.grid(), !stage.whole_reads),
            Some((pieces, grid)) => (pieces, grid, true),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(stage.threads as usize).build();
        let pool = pool.map_err(|error| RechunkError::Array(error.to_string()))?;
        let last = number + 1 == plan.stages().len();
        let pieces = if last { None } else { Some(Pieces::new(folder, &stage.output, source.size)?) };
        let to: &dyn Output = match &pieces {
            Some(pieces) => pieces,
            None => output,
        };
        pool.install(|| run(stage, grid, input, runs_only, to, (source.size, plan.run_buffer), counter))?;
        before = pieces.map(|pieces| (pieces, stage.output.clone()));
    }
    Ok(())
}
