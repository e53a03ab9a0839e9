//! `binsparse_to_binsparse TENSOR TENSOR_OUT`: a tensor read and written again, its levels described as they were and its arrays of the same types.

use sparse_files::{FileError, Kind, ReadOptions, Result, WriteOptions, descriptor, read, write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        eprintln!("usage: binsparse_to_binsparse TENSOR TENSOR_OUT");
        return ExitCode::from(2);
    };
    match run(from, to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("binsparse_to_binsparse: {error} ({})", error.class());
            ExitCode::FAILURE
        }
    }
}

fn run(from: &str, to: &str) -> Result<()> {
    let options = ReadOptions::default();
    let (tensor, _) = read(Path::new(from), &options)?;
    let kind = Kind::of_name(to).ok_or_else(|| FileError::Kind { what: format!("`{to}`") })?;
    let mut like = descriptor(Path::new(from), &options)?;
    if let Some(inside) = like.get_mut("binsparse").and_then(|inside| inside.as_object_mut()) {
        // Of two names of a format the one that says the order is written, in the version of this writer.
        inside.retain(|key, value| key != "version" && (key != "format" || value == "custom"));
    }
    write(Path::new(to), &tensor, kind, &WriteOptions { like: Some(like), ..WriteOptions::default() })
}
