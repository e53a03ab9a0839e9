//! `binsparse_to_binsparse TENSOR TENSOR_OUT` reads a tensor and writes it again, with the same levels and the same
//! types of arrays.

use sparse_files::{FileError, FileKind, ReadOptions, Result, WriteOptions, descriptor, read, write};
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
    let kind = FileKind::of_name(to).ok_or_else(|| FileError::Kind { what: format!("`{to}`") })?;
    let mut like = descriptor(Path::new(from), &options)?;
    if let Some(inside) = like.get_mut("binsparse").and_then(|inside| inside.as_object_mut()) {
        // If a format has two names, write the one that declares the order of the axes. Also write the version of
        // this writer.
        inside.retain(|key, value| key != "version" && (key != "format" || value == "custom"));
    }
    write(Path::new(to), &tensor, kind, &WriteOptions { like: Some(like), ..WriteOptions::default() })
}
