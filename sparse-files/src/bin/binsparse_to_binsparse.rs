//! `binsparse_to_binsparse TENSOR TENSOR_OUT`: a tensor read and written again.

use sparse_files::{FileError, Kind, ReadOptions, Result, WriteOptions, read, write};
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
    let (tensor, _) = read(Path::new(from), &ReadOptions::default())?;
    let kind = Kind::of_name(to).ok_or_else(|| FileError::Kind { what: format!("`{to}`") })?;
    write(Path::new(to), &tensor, kind, &WriteOptions::default())
}
