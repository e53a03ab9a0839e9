//! `binsparse_to_npy TENSOR TENSOR_OUT PATTERN_OUT FILL_VALUE_OUT` writes three NumPy arrays: all elements of a
//! tensor, which of them are stored, and the fill value.

use sparse_files::{AnyArray, FileError, ReadOptions, Result, npy, read, replace, with_element};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tensor, dense, pattern, fill] = &arguments[..] else {
        eprintln!("usage: binsparse_to_npy TENSOR TENSOR_OUT PATTERN_OUT FILL_VALUE_OUT");
        return ExitCode::from(2);
    };
    match run(tensor, dense, pattern, fill) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("binsparse_to_npy: {error} ({})", error.class());
            ExitCode::FAILURE
        }
    }
}

fn run(tensor: &str, dense: &str, pattern: &str, fill: &str) -> Result<()> {
    let (tensor, _) = read(Path::new(tensor), &ReadOptions::default())?;
    let tensor = tensor.expand()?;
    let size = tensor.shape().iter().try_fold(1u64, |size, extent| size.checked_mul(*extent)).and_then(|size| usize::try_from(size).ok());
    let too_large = || FileError::NoPlace { what: format!("all elements of {:?}", tensor.shape()), kind: "memory" };
    let size = size.filter(|size| *size <= 1 << 32).ok_or_else(too_large)?;
    let mut stored = vec![false; size];
    let values = with_element!(tensor.element(), T => {
        let fill = tensor.fill().values::<T>().and_then(|fill| fill.first().copied()).unwrap_or_default();
        let mut values = vec![fill; size];
        tensor.for_each::<T>(|coordinate, value| {
            let at = coordinate.iter().zip(tensor.shape()).fold(0, |at, (c, extent)| at * extent + c) as usize;
            (values[at], stored[at]) = (value.unwrap_or(fill), true);
        });
        AnyArray::from_values(values)
    });
    let put = |path: &str, shape: &[u64], array: &AnyArray<'_>| replace(Path::new(path), |file| npy::write(file, shape, array));
    put(dense, tensor.shape(), &values)?;
    put(pattern, tensor.shape(), &AnyArray::from_values(stored))?;
    put(fill, &[], &tensor.fill())
}
