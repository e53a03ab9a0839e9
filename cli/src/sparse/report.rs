//! The report of `crd2idx sparse info` on a tensor of levels.

use crd2idx::sparse::{Indices, SparsityPattern};
use std::fmt::Write;

/// Returns shape, format, number of elements and sizes of arrays, a line each.
pub fn report(pattern: &SparsityPattern<'_>) -> String {
    let format = pattern.format();
    let mut out = String::new();
    let mut line = |what: &str, text: String| {
        // Writing to a String never fails.
        let _ = writeln!(out, "{:<10}{text}", format!("{what}:"));
    };
    line("shape", format!("{:?}", pattern.shape()));
    line("format", format.to_string());
    line("alias", format.alias().unwrap_or("none").into());
    line("stored", pattern.stored().to_string());
    let elements: f64 = pattern.shape().iter().map(|extent| *extent as f64).product();
    let block: f64 = pattern.block_shape().iter().map(|extent| *extent as f64).product();
    line("density", if elements == 0.0 { "none".into() } else { format!("{:.3e}", pattern.stored() as f64 * block / elements) });
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
