//! `crd2idx info`, `crd2idx convert`, `crd2idx check`: files of sparse tensors. `crd2idx reshard`: checkpoints. `crd2idx rechunk`: dense
//! arrays by chunks.

mod args;
#[cfg(feature = "files")]
mod check;
#[cfg(feature = "files")]
mod convert;
#[cfg(feature = "files")]
mod info;
#[cfg(feature = "files")]
mod open;
#[cfg(feature = "rechunk")]
mod rechunk;
#[cfg(feature = "files")]
mod reshard;
#[cfg(feature = "files")]
mod size;
#[cfg(feature = "files")]
mod spy;

use args::{Check, Convert, Info, Rechunk, Reshard};

/// The outcome of a command: the texts to print, and the messages of refusals.
#[derive(Default)]
pub struct Outcome {
    pub printed: Vec<String>,
    pub refused: Vec<String>,
}

impl Outcome {
    /// Returns the texts. Fails with all refusals if there are any.
    pub fn answer(self) -> Result<Option<String>, String> {
        if self.refused.is_empty() { Ok(Some(self.printed.join("\n"))) } else { Err(self.refused.join("\n")) }
    }
}

/// A command on files.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Describe files of sparse tensors: shape, format, counts, level sizes, bytes, density, and where elements are.
    ///
    /// crd2idx info a.mtx b.h5 --spy
    /// crd2idx info a.npz --svg a.svg
    /// crd2idx info a.h5ad --group layers/counts
    /// Content and name tell the kind: Matrix Market and FROSTT .tns (also in gzip, bzip2, Zstandard and xz), .npy, Binsparse in HDF5, .npz
    /// and Zarr, AnnData in HDF5 and Zarr, 10x Genomics in HDF5, .npz of SciPy and of PyData's sparse, tables in Arrow and Parquet.
    #[command(verbatim_doc_comment)]
    Info(Info),
    /// Convert files of sparse tensors from any kind and format to any other. Files are replaced as a whole.
    ///
    /// crd2idx convert a.mtx.gz a.h5 --format CSR --dedupe sum
    /// crd2idx convert a.tns a.npz --to scipy --scipy csc
    /// crd2idx convert "*.mtx" out/ --to hdf5
    /// crd2idx convert zero_based.tns.zst a.parquet --base 0
    /// zcat a.tns.gz | crd2idx convert - - --from tns --to npz --shape 3,4,5 > a.npz
    #[command(verbatim_doc_comment)]
    Convert(Box<Convert>),
    /// Check files of sparse tensors. For an invalid file, print the fault, its position and its class.
    ///
    /// crd2idx check *.h5 *.mtx
    ///
    /// The exit code is 2 if a file is invalid. Faults go to standard error, valid files to standard output.
    #[command(verbatim_doc_comment)]
    Check(Check),
    /// Move a checkpoint to other ranks: other meshes, other placements, other types of elements.
    ///
    /// crd2idx reshard four/ six/ --from four.toml --to six.toml --verify
    /// crd2idx reshard model/ ranks/ --to ranks.toml --cast bf16
    /// crd2idx reshard ranks/ model/ --from ranks.toml --shard-size 5GB --dry-run
    ///
    /// The same command continues a run that was killed. Files get their names after all of them are written.
    #[command(verbatim_doc_comment)]
    Reshard(Box<Reshard>),
    /// Copy a dense array into chunks of another shape within a memory bound: Zarr in folders, .npy files, and datasets of HDF5.
    ///
    /// crd2idx rechunk a.zarr b.zarr --chunks 1,1000,1000 --memory 2GiB
    /// crd2idx rechunk a.zarr b.zarr --chunks full,10,10 --shards full,100,100 --codec zstd:3
    /// crd2idx rechunk a.npy b.zarr --chunks 100,100 --dry-run
    /// crd2idx rechunk a.h5 b.zarr --group maps/wind --chunks full,100,100 --codec zstd:3
    ///
    /// The new array appears whole or not at all. HDF5 is read and not written.
    #[command(verbatim_doc_comment)]
    Rechunk(Box<Rechunk>),
}

/// Runs a command on all its files, and collects the texts and the refusals.
#[cfg(feature = "files")]
pub fn run(command: &Command) -> Outcome {
    match command {
        Command::Info(ask) => info::run(ask),
        Command::Convert(ask) => convert::run(ask),
        Command::Check(ask) => check::run(ask),
        Command::Reshard(ask) => reshard::run(ask),
        #[cfg(feature = "rechunk")]
        Command::Rechunk(ask) => rechunk::run(ask),
        #[cfg(not(feature = "rechunk"))]
        Command::Rechunk(_) => needs("rechunk needs the feature `rechunk` and Rust 1.91 (cargo install --path cli --features rechunk)"),
    }
}

/// Refuses the command, with the feature that it needs.
#[cfg(not(feature = "files"))]
pub fn run(_: &Command) -> Outcome {
    needs("files need the feature `files` (cargo install --path cli --features files); `rechunk` needs --features rechunk and Rust 1.91")
}

/// Returns the refusal of a command without its feature.
#[cfg(not(feature = "rechunk"))]
fn needs(message: &str) -> Outcome {
    Outcome { refused: vec![message.into()], ..Outcome::default() }
}
