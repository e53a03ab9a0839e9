//! `crd2idx sparse`: builds, describes and checks the tensor in a JSON file.

use super::levels::MOST_NUMBERS;
use super::report::report;
use super::request::{Elements, Formatted, Stored as StoredArrays, of_class};
use super::{composite, levels, validate};
use crate::request::{Part, Request};
use crate::{answer, input};
use clap::{Args, Subcommand};
use crd2idx::error::UnknownKey;
use crd2idx::sparse::{Composite, Format, FormatError, Scheme, SparseTensor};
use serde_json::Value;
use std::path::PathBuf;

/// The subcommands of `crd2idx sparse`.
#[derive(Subcommand)]
pub enum Command {
    /// Print the arrays of a tensor in a format, as JSON.
    ///
    /// echo '{"shape": [2, 9], "coords": [[1, 7], [0, 3]], "values": [5, 6]}' | crd2idx sparse build - --format CSR
    /// crd2idx sparse build arrays.json --format C-DC-S-X[2,0,1] --duplicates sum
    ///
    /// The commands `build`, `info` and `check` read what `build` prints.
    #[command(verbatim_doc_comment)]
    Build {
        #[command(flatten)]
        from: From,
        /// The format, like C-S-R, CSR, COO, CSF or DC-S-S-X[2,0,1]. The default is the file's. Blocked and hybrid formats are blocks(2,2):C-S-R,
        /// hicoo(7,7,7), hbcsf[0,1,2](128), mmcsf, alto and dia, or as in papers BCSR(2,2) or HB-CSF[0,1,2]. They print a list of parts.
        #[arg(long, value_name = "NAME")]
        format: Option<String>,
        /// The treatment of elements that share a coordinate: sum, first, last or error (default: keep all).
        #[arg(long, value_name = "TREATMENT")]
        duplicates: Option<String>,
    },
    /// Report shape, format, number of elements and sizes of arrays.
    ///
    /// crd2idx sparse info tensor.json
    #[command(verbatim_doc_comment)]
    Info {
        #[command(flatten)]
        from: From,
    },
    /// Check all arrays, and print the number of stored elements.
    ///
    /// crd2idx sparse check tensor.json
    ///
    /// The message names the first fault: its array, its position and its numbers.
    #[command(verbatim_doc_comment)]
    Check {
        #[command(flatten)]
        from: From,
    },
}

/// The source of a tensor.
#[derive(Args)]
pub struct From {
    /// JSON, or `-` for standard input. A tensor is one of
    ///   coordinates   {"shape": [2, 9], "coords": [[0, 3], [1, 7]], "values": [6, 5]}
    ///                 in the format `structure`, or COO
    ///   arrays        {"shape": [2, 9], "structure": "CSR", "pointers": {"0": [0, 1, 2]}, "indices": {"1": [3, 7]}, "values": [6, 5]}
    ///                 of the levels, by level; or `iso`, one value for all
    ///   file          {"header": {"binsparse": ...}, "arrays": {"pointers_to_1": ...}} of a binary sparse file
    ///   parts         {"shape": [2, 9], "name": "hbcsf[0,1]", "parts": [{"indices": ..., "pointers": ..., "values": ...}, ...]}
    ///                 of a blocked or hybrid format, each with the arrays of its levels
    /// `fill` is the value of elements that are not stored, by default 0.
    #[arg(verbatim_doc_comment)]
    file: PathBuf,
}

/// Returns the text to print, or the message of a failure.
pub fn run(command: &Command) -> Result<String, String> {
    match command {
        Command::Build { from, format, duplicates } => from.stored(format.as_deref(), duplicates.as_deref()).map(|stored| match stored {
            Stored::Levels(tensor) => answer::text(levels::written(&tensor)),
            Stored::Parts(parts, scheme) => answer::text(composite::written(&parts, &scheme)),
        }),
        Command::Info { from } => from.stored(None, None).map(|stored| match stored {
            Stored::Levels(tensor) => report(tensor.pattern()),
            Stored::Parts(parts, scheme) => composite::report(&parts, &scheme),
        }),
        Command::Check { from } => from.with(|value| {
            Ok(match composite::read(&value)? {
                Some((parts, _)) => format!(
                    "{} stored elements in {} part{}",
                    composite::elements(&parts)?,
                    parts.parts().len(),
                    if parts.parts().len() == 1 { "" } else { "s" }
                ),
                None => format!("{} stored elements", tensor(&value)?.stored()),
            })
        }),
    }
}

/// A tensor in the levels of one format, or in the parts of a blocked or hybrid one.
pub enum Stored {
    Levels(SparseTensor<'static, Value>),
    Parts(Composite<'static, Value>, Scheme),
}

/// Returns the blocked or hybrid format of a name, or `None` for no name or a format of levels. Fails if its parameters cannot
/// be read.
fn blocked_scheme(name: Option<&str>) -> Result<Option<Scheme>, String> {
    // Names of levels are parsed later, with the number of axes.
    let parsed = name.filter(|name| Scheme::is_blocked_name(name)).map(str::parse).transpose();
    parsed.map_err(|error: FormatError| format!("{error} ({})", error.class()))
}

/// Returns the tensor of the JSON value of a file, in levels: in the given format or in its own, with this treatment of
/// duplicates. Refuses invalid arrays, and duplicates that the treatment refuses.
fn built(value: &Value, format: Option<&str>, duplicates: Option<&str>) -> answer::Result<SparseTensor<'static, Value>> {
    let given = |rank| format.map(|name| Format::parse_with_rank(name, rank)).transpose();
    let tensor = match composite::read(value)? {
        Some((parts, _)) => composite::list(&parts)?,
        None if value.get("coords").is_some() => return of_coordinates(value, given, duplicates),
        None => tensor(value)?,
    };
    match (given(tensor.shape().len())?, duplicates) {
        (None, None) => Ok(tensor),
        (format, _) => converted(&tensor, format, duplicates),
    }
}

impl From {
    /// Reads the tensor in the file, in the given format or in its own, with this treatment of duplicates. Fails with the name
    /// of the file and the first fault.
    pub fn stored(&self, format: Option<&str>, duplicates: Option<&str>) -> Result<Stored, String> {
        let scheme = blocked_scheme(format)?;
        self.with(|value| match scheme {
            Some(scheme) => {
                let tensor = built(&value, None, duplicates)?;
                Ok(Stored::Parts(Composite::with_at_most(&tensor, &scheme, MOST_NUMBERS)?, scheme))
            }
            None => match composite::read(&value)? {
                Some((parts, scheme)) if format.is_none() => Ok(Stored::Parts(parts, scheme)),
                _ => built(&value, format, duplicates).map(Stored::Levels),
            },
        })
    }

    /// Returns the answer of `f` for the JSON value in the file. Fails with the name of the file if it is no object, has a key
    /// that no tensor has, or is refused by `f`.
    fn with<T>(&self, f: impl FnOnce(Value) -> answer::Result<T>) -> Result<T, String> {
        let value = input::json(&self.file)?;
        let answer = if value.is_object() {
            known(&value).and_then(|()| f(value)).map_err(|refusal| refusal.to_string())
        } else {
            Err("not a JSON object".into())
        };
        answer.map_err(|message| format!("{}: {message}", input::name(&self.file)))
    }
}

/// Refuses a value with a key that no tensor has.
fn known(value: &Value) -> answer::Result<()> {
    let keys = [Formatted::keys(), Elements::keys(), StoredArrays::keys(), validate::File::keys(), &["levels", "parts"]].concat();
    let unknown = UnknownKey::among(value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()), &keys);
    unknown.map_or(Ok(()), |unknown| Err(of_class("levels/unexpected", unknown.to_string())))
}

/// Returns the tensor of coordinates, of the arrays of levels, or of a file's descriptor and arrays. Refuses a value without
/// any of them, and those that form no tensor.
fn tensor(value: &Value) -> answer::Result<SparseTensor<'static, Value>> {
    let has = |key: &str| value.get(key).is_some_and(|value| !value.is_null());
    if has("header") || has("header_text") {
        let (file,): (validate::File,) = Request::read(value, "header")?;
        return file.tensor();
    }
    if has("coords") {
        return of_coordinates(value, |_| Ok(None), None);
    }
    if !has("structure") {
        let ways = "`coords`, `structure` with `indices` and `pointers`, `parts` with `name`, or `header` and `arrays`";
        return Err(of_class("levels/missing", format!("the value describes no tensor: give {ways}")));
    }
    let (formatted, stored) = Request::read(value, "levels")?;
    levels::stored(&formatted, stored)
}

/// Returns the tensor of coordinates in the given format, else in `structure`, else in COO. `duplicates` overrides the
/// treatment in the value. Refuses coordinates and values that do not form a tensor.
fn of_coordinates(
    value: &Value,
    given: impl FnOnce(usize) -> Result<Option<Format>, FormatError>,
    duplicates: Option<&str>,
) -> answer::Result<SparseTensor<'static, Value>> {
    let (formatted, mut elements): (Formatted, Elements) = Request::read(value, "levels")?;
    if let Some(treatment) = duplicates {
        elements.duplicates = Some(treatment.into());
    }
    let rank = formatted.shape.len();
    let format = match given(rank)? {
        Some(format) => format,
        None if formatted.structure.is_some() => formatted.format()?,
        None => Format::coo(rank).with_axis_order(&formatted.axis_order())?,
    };
    levels::tensor(&formatted.shape, &elements, format, "levels")
}

/// Returns the tensor in another format, or in its own with another treatment of duplicates. Refuses too many elements, and
/// what the conversion refuses.
fn converted(
    tensor: &SparseTensor<'static, Value>,
    format: Option<Format>,
    duplicates: Option<&str>,
) -> answer::Result<SparseTensor<'static, Value>> {
    levels::few(tensor)?;
    let format = match format {
        Some(format) => format,
        None => tensor.format().clone().with_multigraph(false)?,
    };
    levels::resolved(duplicates, "levels", format, tensor.fill().clone(), |builder| tensor.convert(builder))
}
