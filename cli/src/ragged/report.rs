//! `crd2idx ragged info` and `crd2idx ragged check`.

use super::read::{Array, with_leaves};
use crd2idx::sparse::ragged::{DynLevel, RaggedArray};
use std::fmt::Write;

/// One line: how many elements each axis has.
pub fn summary(array: &Array) -> String {
    with_leaves!(array, array => {
        let counts: Vec<String> = (0..array.depth()).map(|axis| array.shape().count(axis).to_string()).collect();
        format!("ok: depth {}, {} elements on its axes", array.depth(), counts.join(", "))
    })
}

/// What there is to say of an array, a line each.
pub fn info(array: &Array) -> String {
    with_leaves!(array, array => lines(array))
}

fn lines<T: Clone + 'static>(array: &RaggedArray<'_, T>) -> String {
    let shape = array.shape();
    let mut out = format!("{:<10} {}\n{:<10} {} rows", "depth", array.depth(), "axis 0", array.len());
    for (q, level) in shape.levels().iter().enumerate() {
        let lengths = || (0..shape.count(q)).map(|row| shape.row(q, row).len());
        let empty = lengths().filter(|len| *len == 0).count();
        let (least, most) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
        let kind = match level {
            DynLevel::Fixed(_) => "one length",
            level if level.is_consecutive() => "offsets",
            _ => "views",
        };
        let _ =
            write!(out, "\n{:<10} {} lists by {kind}, lengths {least} to {most}, {empty} empty", format!("axis {}", q + 1), shape.count(q));
    }
    let placed = match (shape.is_consecutive(), shape.is_disjoint()) {
        (true, _) => "consecutive",
        (false, true) => "views, no two of one leaf",
        (false, false) => "views, some of one leaf",
    };
    let _ = write!(out, "\n{:<10} {}, lists {placed}", "leaves", array.leaves().len());
    out
}
