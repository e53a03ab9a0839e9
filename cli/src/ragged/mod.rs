//! Ragged arrays: `crd2idx ragged`, and the requests `ragged` and `ragged.*` of `batch`.

pub mod batch;
mod emit;
mod fields;
pub mod lists;
mod option;
mod paged;
pub mod request;

use crate::answer::Refusal;
use crate::input;
use crate::request::read;
use clap::Subcommand;
use crd2idx::ragged::RaggedShape;
use request::{Array, Described};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The subcommands of `crd2idx ragged`.
#[derive(Subcommand)]
pub enum Command {
    /// Print depth, lengths, empty lists and the arrangement of the leaves, a line each.
    ///
    /// crd2idx ragged info array.json
    Info {
        /// An object with `data` and one of `offsets`; `outer` and `levels`; `starts` and `sizes`. `-` is standard input.
        file: PathBuf,
    },
    /// Check whether the arrays form a ragged array. If not, print the level and the number that are wrong.
    Check {
        /// An object as for `info`.
        file: PathBuf,
    },
    /// Print the functions and kernels that traverse arrays of these levels: C, CUDA, HIP, OpenCL, WGSL, Rust.
    ///
    /// crd2idx ragged emit levels.json --to cuda --name rows
    /// crd2idx ragged emit levels.json --to wgsl --function parents
    /// crd2idx ragged emit levels.json --to c --function visit --write '{"op": "add", "args": ["c0", "c1"]}'
    #[command(verbatim_doc_comment)]
    Emit(Box<emit::Emit>),
}

/// Returns the text to print, or the message of a failure.
pub fn run(command: &Command) -> Result<String, String> {
    match command {
        Command::Info { file } => Ok(info(array_of(&input::json(file)?, file)?.array.shape())),
        Command::Check { file } => Ok(summary(array_of(&input::json(file)?, file)?.array.shape())),
        Command::Emit(ask) => emit::text(ask, &input::json(&ask.file)?, &input::name(&ask.file)),
    }
}

/// Returns one line with the number of elements of each axis.
fn summary(shape: &RaggedShape<'_>) -> String {
    let counts: Vec<String> = (0..shape.depth()).map(|axis| shape.count(axis).to_string()).collect();
    format!("ok: depth {}, {} elements on its axes", shape.depth(), counts.join(", "))
}

/// Returns the description of a structure, a line for each axis.
fn info(shape: &RaggedShape<'_>) -> String {
    let mut out = format!("{:<10} {}\n{:<10} {} rows", "depth", shape.depth(), "axis 0", shape.count(0));
    for (q, level) in shape.levels().iter().enumerate() {
        let lengths = || (0..shape.count(q)).map(|row| shape.row(q, row).len());
        let empty = lengths().filter(|len| *len == 0).count();
        let (least, most) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        let kind = match level {
            level if level.fixed_size().is_some() => "one length",
            level if level.is_consecutive() => "offsets",
            _ => "views",
        };
        let (axis, lists) = (format!("axis {}", q + 1), shape.count(q));
        let _ = write!(out, "\n{axis:<10} {lists} lists by {kind}, lengths {least} to {most}, {empty} empty");
    }
    let placed = match (shape.is_consecutive(), shape.is_disjoint()) {
        (true, _) => "consecutive",
        (false, true) => "views, no two of one leaf",
        (false, false) => "views, some of one leaf",
    };
    let _ = write!(out, "\n{:<10} {}, lists {placed}", "leaves", shape.count(shape.depth() - 1));
    out
}

/// The content of a file of ragged data.
pub enum Content {
    /// An array.
    Array(Array),
    /// Sequences of tokens in pages.
    Pages(paged::Shape),
}

/// Reads an array or pages from a file. Fails with the name of the file and the first fault.
pub fn content(file: &Path) -> Result<Content, String> {
    let value = input::json(file)?;
    if value.get("page").is_none() {
        return array_of(&value, file).map(Content::Array);
    }
    let shape = read(&value, &[]).map_err(Refusal::from).and_then(|(pages,): (paged::Pages,)| pages.shape());
    shape.map(Content::Pages).map_err(|refusal| format!("{}: {}", input::name(file), refusal.message))
}

/// Returns the array of a value from this file. Fails with the name of the file and the first fault.
fn array_of(value: &Value, file: &Path) -> Result<Array, String> {
    let array = read(value, &[]).map_err(Refusal::from).and_then(|(array,): (Described,)| array.array());
    array.map_err(|refusal| format!("{}: {}", input::name(file), refusal.message))
}
