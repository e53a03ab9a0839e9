//! The arguments of `info`, `check`, `convert`, `reshard` and `rechunk`. They are the same without the feature `files`.

use clap::Args;
use std::path::PathBuf;

/// Options that tell what the files leave open.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct From {
    /// The kind of the files, if content and name do not tell it: mtx, tns, npy, npz, scipy, pydata, hdf5, zarr, arrow, parquet.
    #[arg(long, value_name = "KIND")]
    pub from: Option<String>,
    /// The group or array of HDF5 or Zarr to read, like layers/counts. Default: the root, the X of an AnnData, or the only group.
    #[arg(long, value_name = "PATH")]
    pub group: Option<String>,
    /// The shape of files that do not give it, like 3,4,5.
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',')]
    pub shape: Option<Vec<u64>>,
    /// The rows to read, like 1000:2000, :10 or -5: (a slice of the first axis, as in NumPy).
    #[arg(long, value_name = "START:END", allow_hyphen_values = true)]
    pub rows: Option<String>,
    /// The first coordinate of each axis in a .tns file of FROSTT, 0 or 1 (default: 1).
    #[arg(long, value_name = "N")]
    pub base: Option<u8>,
}

/// The arguments of `reshard`.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Reshard {
    /// The folder of the checkpoint.
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// The folder to write, which is created if it does not exist.
    #[arg(value_name = "DST")]
    pub target: PathBuf,
    /// The specification of the checkpoint, a file in .toml or .json (default: whole tensors in the files of Hugging Face).
    #[arg(long, value_name = "SPEC")]
    pub from: Option<PathBuf>,
    /// The specification of the files to write (default: whole tensors in the files of Hugging Face).
    #[arg(long, value_name = "SPEC")]
    pub to: Option<PathBuf>,
    /// The type of all floating-point tensors in the target: f64, f32, f16, bf16, f8_e4m3, f8_e5m2.
    #[arg(long, value_name = "TYPE")]
    pub cast: Option<String>,
    /// The maximum size of all buffers, like 512MiB or 2GB.
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub memory: String,
    /// The maximum number of threads (default: one for each processor).
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The maximum size of a file of whole tensors, like 5GB. An index tells which file has which tensor.
    #[arg(long, value_name = "SIZE")]
    pub shard_size: Option<String>,
    /// Print the costs, and write nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// The bytes that the disks read or write in a second, like 2GB. A dry run then prints the time.
    #[arg(long, value_name = "SIZE", requires = "dry_run")]
    pub bandwidth: Option<String>,
    /// Compare checksums of all tensors in source and target afterwards.
    #[arg(long)]
    pub verify: bool,
    /// Discard an unfinished run in the folder, and begin anew.
    #[arg(long)]
    pub fresh: bool,
}

/// The arguments of `info`.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Info {
    /// Files, patterns like "*.mtx", or `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub from: From,
    /// Show where the stored elements are.
    #[arg(long)]
    pub spy: bool,
    /// Draw where the stored elements of one file are, into a file that ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// The number of columns of the terminal.
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,
}

/// The arguments of `check`.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Check {
    /// Files, patterns like "*.mtx", or `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub from: From,
}

/// The arguments of `convert`.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Convert {
    /// A file and the file to write; or several files or patterns, and a folder. `-` is standard input or standard output.
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub from: From,
    /// The kind of file to write, if its name does not tell it: mtx, tns, npy, npz, scipy, pydata, hdf5, zarr, arrow, parquet.
    #[arg(long, value_name = "KIND")]
    pub to: Option<String>,
    /// The format to write, like CSR, COO, C-S-C or DC-S-S-X[2,0,1] (default: the format of the file).
    #[arg(long, value_name = "NAME")]
    pub format: Option<String>,
    /// The axes in the order of the levels, like 1,0.
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    pub axis_order: Option<Vec<usize>>,
    /// The type of indices and pointers: u8, u16, u32, u64, or narrow for the narrowest that hold them.
    #[arg(long, value_name = "TYPE")]
    pub index: Option<String>,
    /// The treatment of elements that share a coordinate: sum, first, last or error.
    #[arg(long, value_name = "TREATMENT", default_value = "error")]
    pub dedupe: String,
    /// Store both triangles of a symmetric matrix. With --dedupe, elements that share a coordinate become one first.
    #[arg(long)]
    pub expand: bool,
    /// Omit stored elements that equal the fill value, usually 0. A file with all elements then becomes a list of coordinates.
    #[arg(long)]
    pub drop_zeros: bool,
    /// Compress arrays: by Deflate in archives, by Zstandard in Zarr, Arrow and Parquet.
    #[arg(long)]
    pub compress: bool,
    /// The format of SciPy: csr, csc, coo, dia, or bsr:2x3 with the extents of blocks.
    #[arg(long, value_name = "NAME")]
    pub scipy: Option<String>,
    /// The axes that form the rows of PyData's GCXS, like 0,2 (default: write COO).
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    pub compressed_axes: Option<Vec<usize>>,
    /// The group of HDF5 or Zarr to write. Other groups of an existing file stay.
    #[arg(long, value_name = "PATH")]
    pub to_group: Option<String>,
    /// Replace a container, or the group of --to-group, with everything in it.
    #[arg(long)]
    pub force: bool,
    /// The version of Binsparse to write: 0.1.0, or 0.1 for older readers.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    pub binsparse: String,
}

/// The arguments of `rechunk`.
#[derive(Args)]
#[cfg_attr(not(feature = "rechunk"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Rechunk {
    /// The folder of a Zarr array of version 2 or 3, a .npy file, or an HDF5 file.
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// The array to write: a .npy file if its name ends so, else a folder with a Zarr array of version 3.
    #[arg(value_name = "DST")]
    pub target: PathBuf,
    /// The dataset of HDF5 or the array of Zarr to read, like layers/counts. Default: the only dataset of a file.
    #[arg(long)]
    pub group: Option<String>,
    /// The extents of a chunk, like 1,1000,1000. `full` or -1 is the whole axis. Not for .npy files.
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',', allow_hyphen_values = true)]
    pub chunks: Option<Vec<String>>,
    /// The extents of a shard, a file of several chunks.
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',', allow_hyphen_values = true)]
    pub shards: Option<Vec<String>>,
    /// The compression: zstd:3, gzip:5 or none (default: the codecs of the source).
    #[arg(long, value_name = "NAME")]
    pub codec: Option<String>,
    /// The most memory for elements and buffers, like 512MiB or 2GiB.
    #[arg(long, value_name = "BYTES", default_value = "1GiB")]
    pub memory: String,
    /// The number of threads (default: all).
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print the plan, and copy nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Print the plan as JSON.
    #[arg(long, requires = "dry_run")]
    pub json: bool,
    /// Replace an existing array.
    #[arg(long)]
    pub force: bool,
}
