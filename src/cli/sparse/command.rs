//! `crd2idx sparse`.

use super::{levels, request::Fields, request::Refusal, validate};
use clap::{Args, Subcommand};
use crd2idx::sparse::{Indices, SparseTensor};
use serde_json::Value;
use std::fmt::Write;
use std::io::Read;
use std::path::PathBuf;

/// What to do with a sparse tensor.
#[derive(Subcommand)]
pub enum Command {
    /// Print the arrays of a tensor in a format, as JSON.
    ///
    /// crd2idx sparse build coordinates.json --format C-DC-S-R
    Build {
        #[command(flatten)]
        from: From,
        /// The format: C-S-R, CSR, DC-S-S-X[2,0,1]; that of the file where none is given.
        #[arg(long, value_name = "NAME")]
        format: Option<String>,
        /// What becomes of elements of one coordinate: sum, first, last or error; they are kept where nothing is said.
        #[arg(long, value_name = "TREATMENT")]
        duplicates: Option<String>,
    },
    /// Report shape, format, number of elements and sizes of arrays.
    Info {
        #[command(flatten)]
        from: From,
    },
    /// Check all arrays; print the number of stored elements.
    Check {
        #[command(flatten)]
        from: From,
    },
}

/// Where the tensor is.
#[derive(Args)]
pub struct From {
    /// JSON with `shape`, and `coords` and `values`; or `structure`, `indices`, `pointers` and `values`; or `header` and `arrays` of a binary sparse
    /// file. `-` is standard input.
    file: PathBuf,
}

/// Runs the command.
pub fn run(command: &Command) -> Result<String, String> {
    match command {
        Command::Build { from, format, duplicates } => from.with(|value| {
            let mut value = value;
            let options = [("structure", format), ("duplicates", duplicates)];
            let given = options.into_iter().filter_map(|(key, option)| Some((key, option.as_ref()?)));
            if value.get("coords").is_none() && given.clone().next().is_some() {
                value = coordinates(&tensor(&value)?);
            }
            for (key, option) in given {
                value[key] = Value::String(option.clone());
            }
            tensor(&value).map(|tensor| levels::written(&tensor).to_string())
        }),
        Command::Info { from } => from.with(|value| tensor(&value).map(|tensor| report(&tensor))),
        Command::Check { from } => from.with(|value| tensor(&value).map(|tensor| format!("{} stored elements", tensor.stored()))),
    }
}

impl From {
    /// What `f` makes of the value in the file.
    fn with(&self, f: impl FnOnce(Value) -> Result<String, Refusal>) -> Result<String, String> {
        let stdin = self.file.as_os_str() == "-";
        let named =
            |message: String| format!("{}: {message}", if stdin { "standard input".into() } else { self.file.display().to_string() });
        let mut bytes = Vec::new();
        let read = if stdin {
            std::io::stdin().lock().read_to_end(&mut bytes)
        } else {
            std::fs::File::open(&self.file).and_then(|mut file| file.read_to_end(&mut bytes))
        };
        read.map_err(|error| named(error.to_string()))?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| named(error.to_string()))?;
        if !value.is_object() {
            return Err(named("not a JSON object".into()));
        }
        f(value).map_err(|refusal| named(refusal.to_string()))
    }
}

/// The tensor of coordinates, of the arrays of levels, or of a file's descriptor and arrays.
fn tensor(value: &Value) -> Result<SparseTensor<'static, Value>, Refusal> {
    let fields = Fields::new(value, "levels");
    if fields.get("header").is_some() || fields.get("header_text").is_some() {
        return validate::file(value);
    }
    match fields.get("coords") {
        Some(_) => levels::tensor(&fields, fields.format(fields.numbers("shape")?.len())?),
        None => levels::read(&fields),
    }
}

/// A tensor as coordinates and values.
fn coordinates(tensor: &SparseTensor<Value>) -> Value {
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    tensor.for_each(|coordinate, value| {
        coords.push(Value::from(coordinate));
        values.extend(value.cloned());
    });
    let mut out = serde_json::json!({"shape": tensor.shape(), "coords": coords});
    if values.len() == coords.len() {
        out["values"] = Value::from(values);
    }
    out
}

fn report(tensor: &SparseTensor<Value>) -> String {
    let (pattern, format) = (tensor.pattern(), tensor.format());
    let mut out = String::new();
    let mut line = |what: &str, text: String| {
        // A String takes all that is written.
        let _ = writeln!(out, "{:<10}{text}", format!("{what}:"));
    };
    line("shape", format!("{:?}", tensor.shape()));
    line("format", format.to_string());
    line("alias", format.alias().unwrap_or("none").into());
    line("stored", tensor.stored().to_string());
    let elements: f64 = tensor.shape().iter().map(|extent| *extent as f64).product();
    let block: f64 = pattern.block_shape().iter().map(|extent| *extent as f64).product();
    line("density", if elements == 0.0 { "none".into() } else { format!("{:.3e}", tensor.stored() as f64 * block / elements) });
    for (level, kind) in format.kinds().iter().enumerate() {
        let array = |name: &str, array: Option<&Indices>| {
            array.map(|array| format!(", {name} of {} bits", array.width().bits())).unwrap_or_default()
        };
        let arrays = array("indices", pattern.indices(level)) + &array("pointers", pattern.pointers(level));
        line(
            &format!("level {level}"),
            format!("{}, axis {}, {} entries{arrays}", kind.token(), format.axis_order()[level], pattern.entries(level)),
        );
    }
    let arrays = pattern.arrays().indices.iter().chain(&pattern.arrays().pointers).flatten();
    let bytes: usize = arrays.map(|array| array.len() * (array.width().bits() / 8) as usize).sum();
    line("bytes", format!("{bytes} of indices and pointers"));
    out.truncate(out.trim_end().len());
    out
}
