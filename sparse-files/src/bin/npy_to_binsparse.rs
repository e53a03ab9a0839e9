//! `npy_to_binsparse TENSOR PATTERN FILL_VALUE HEADER OUT` writes a NumPy array as a Binsparse tensor. It stores the elements
//! that the array `PATTERN` selects. `HEADER` is a descriptor that must contain the format. Its version and types are kept.

use sparse_files::{AnyArray, AnyTensor, AnyValues, Bytes, Dedupe, FileError, FileKind, Result, WriteOptions, npy, with_element, write};
use sparse_formats::binsparse::Header;
use sparse_formats::{Format, Indices, Widths};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tensor, pattern, fill, header, out] = &arguments[..] else {
        eprintln!("usage: npy_to_binsparse TENSOR PATTERN FILL_VALUE HEADER OUT");
        return ExitCode::from(2);
    };
    match run(tensor, pattern, fill, header, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("npy_to_binsparse: {error} ({})", error.class());
            ExitCode::FAILURE
        }
    }
}

fn run(tensor: &str, pattern: &str, fill: &str, header: &str, out: &str) -> Result<()> {
    let array = |path: &str| -> Result<(Vec<u64>, bool, AnyArray<'static>)> {
        let bytes = Bytes::open(Path::new(path))?;
        let array = npy::read(path, &bytes)?;
        let (shape, fortran) = (array.shape.clone(), array.fortran);
        Ok((shape, fortran, array.values(path)?.into_owned()))
    };
    let (shape, fortran, values) = array(tensor)?;
    let (of_pattern, pattern_fortran, stored) = array(pattern)?;
    if shape != of_pattern {
        return Err(FileError::ArrayShape { array: pattern.into(), found: of_pattern, expected: format!("{shape:?}") });
    }
    let (_, _, fill) = array(fill)?;
    let header: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(header)?).map_err(|error| FileError::System { message: error.to_string() })?;
    let (format, user) = format(&header, &shape)?;
    let wrong = || FileError::ArrayType { array: pattern.into(), found: stored.element(), expected: sparse_files::ElementType::Bool };
    let stored = stored.values::<bool>().ok_or_else(wrong)?;
    // Read both arrays at the coordinates of the stored elements, in the order of the axes.
    let place = |coordinate: &[u64], fortran: bool| {
        let axes = 0..shape.len();
        let step = |at: u64, axis: usize| at * shape[axis] + coordinate[axis];
        (if fortran { axes.rev().fold(0, step) } else { axes.fold(0, step) }) as usize
    };
    let mut columns = vec![Vec::new(); shape.len()];
    let mut places = Vec::new();
    let size: u64 = shape.iter().product();
    let mut coordinate = vec![0; shape.len()];
    for element in 0..size {
        let mut rest = element;
        for axis in (0..shape.len()).rev() {
            coordinate[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        if stored[place(&coordinate, pattern_fortran)] {
            columns.iter_mut().zip(&coordinate).for_each(|(column, c)| column.push(*c));
            places.push(place(&coordinate, fortran));
        }
    }
    let columns: Vec<Indices> = columns.iter().map(|column| Indices::narrowest(column)).collect();
    let element = values.element();
    let kept = with_element!(element, T => {
        let values = values.values::<T>().unwrap_or_default();
        AnyArray::from_values(places.iter().map(|place| values[*place]).collect::<Vec<T>>())
    });
    let built = if shape.is_empty() && !places.is_empty() {
        AnyTensor::dense(&shape, &[], kept)?
    } else {
        AnyTensor::build(&shape, &columns, &AnyValues::Each(kept), &format, Dedupe::Refuse, &Widths::narrowest())?
    };
    let mut attributes = built.attributes().clone();
    attributes.user.extend(user);
    let built = built.with_fill(&fill)?.with_attributes(attributes)?;
    let kind = FileKind::of_name(out).ok_or_else(|| FileError::Kind { what: format!("`{out}`") })?;
    write(Path::new(out), &built, kind, &WriteOptions { like: Some(header), ..WriteOptions::default() })
}

/// Returns the format of a descriptor, which may be incomplete, and the keys in it that Binsparse does not define, with their
/// values. Fails if the descriptor is invalid.
fn format(header: &serde_json::Value, shape: &[u64]) -> Result<(Format, Vec<(String, String)>)> {
    let mut header = header.get("binsparse").unwrap_or(header).clone();
    if let Some(header) = header.as_object_mut() {
        header.insert("shape".into(), shape.into());
        header.entry("version").or_insert("0.1.0".into());
        header.entry("number_of_stored_values").or_insert(0.into());
        header.entry("data_types").or_insert_with(|| serde_json::json!({}));
    }
    let header = Header::read(&header)?;
    Ok((header.custom.format()?, header.other.iter().map(|(key, value)| (key.clone(), value.to_string())).collect()))
}
