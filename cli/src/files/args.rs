//! The arguments, which are the same with the feature `files` and without it.

use clap::Args;
use std::path::PathBuf;

/// Files, and what they do not say of themselves.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct From {
    /// The kind of the files, where it is not that of their content or name: mtx, tns, npy, npz, scipy, pydata, hdf5, zarr, arrow, parquet.
    #[arg(long, value_name = "KIND")]
    pub from: Option<String>,
    /// The group or the array of HDF5 or of Zarr that is the tensor, like layers/counts; without it, the root, the X of an AnnData, or the only group that is one.
    #[arg(long, value_name = "PATH")]
    pub group: Option<String>,
    /// The shape of files that do not say it, like 3,4,5.
    #[arg(long, value_name = "EXTENTS", value_delimiter = ',')]
    pub shape: Option<Vec<u64>>,
    /// The first coordinate of each axis in FROSTT's text, which may be 0; 1 where it is not said.
    #[arg(long, value_name = "N")]
    pub base: Option<u8>,
}

/// What `info` is asked.
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
    /// Draw where the stored elements of one file are, to a file that ends in .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Columns of the terminal.
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,
}

/// What `check` is asked.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Check {
    /// Files, patterns like "*.mtx", or `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub from: From,
}

/// What `convert` is asked.
#[derive(Args)]
#[cfg_attr(not(feature = "files"), allow(dead_code, reason = "what is only said to need a feature is not read"))]
pub struct Convert {
    /// A file and the one to write; or several, patterns included, and a folder. `-` is standard input, and standard output.
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub from: From,
    /// The kind of file to write, where its name does not say it: mtx, tns, npy, npz, scipy, pydata, hdf5, zarr, arrow, parquet.
    #[arg(long, value_name = "KIND")]
    pub to: Option<String>,
    /// The format, like CSR, COO, C-S-C or DC-S-S-X[2,0,1]; that of the file where none is given.
    #[arg(long, value_name = "NAME")]
    pub format: Option<String>,
    /// The axes in the order of the levels, like 1,0.
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    pub axis_order: Option<Vec<usize>>,
    /// The type of indices and pointers: u8, u16, u32, u64, or narrow for the narrowest that hold them.
    #[arg(long, value_name = "TYPE")]
    pub index: Option<String>,
    /// What becomes of elements of one coordinate: sum, first, last or error.
    #[arg(long, value_name = "TREATMENT", default_value = "error")]
    pub dedupe: String,
    /// Store both triangles of a symmetric matrix; elements of one coordinate become one before.
    #[arg(long)]
    pub expand: bool,
    /// Leave out stored elements that are 0, or that equal the fill value where that is another; of a file with all elements, the rest is stored by coordinates.
    #[arg(long)]
    pub drop_zeros: bool,
    /// Deflate arrays in archives, and compress those of Zarr, Arrow and Parquet by Zstandard.
    #[arg(long)]
    pub compress: bool,
    /// The format of SciPy: csr, csc, coo, dia, or bsr:2x3 with the sizes of blocks.
    #[arg(long, value_name = "NAME")]
    pub scipy: Option<String>,
    /// The axes that make the rows of PyData's GCXS, like 0,2; COO is written where none are given.
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    pub compressed_axes: Option<Vec<usize>>,
    /// The group of HDF5 or of Zarr to write; other groups of a file that exists stay.
    #[arg(long, value_name = "PATH")]
    pub to_group: Option<String>,
    /// Replace a container, or the group of --to-group, whatever else it has.
    #[arg(long)]
    pub force: bool,
    /// The version of Binsparse to write: 0.1.0, or 0.1 for readers that are older.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0")]
    pub binsparse: String,
}
