//! Arrays of numbers, one below the other.

use super::{Axis, Cell, Grid, Label, Look, Rule};

/// The most numbers of an array that are shown.
const MOST: usize = 40;
/// How many of them are its last.
const LAST: usize = 6;
/// The longest array whose entries have arrows.
pub const MOST_ARROWS: usize = 24;

/// The array of `len` entries, each with what stands before it.
pub fn array(name: impl Into<String>, len: usize, entry: impl Fn(usize) -> (Cell, Rule)) -> Grid {
    let shown: Vec<Option<usize>> = match len {
        ..=MOST => (0..len).map(Some).collect(),
        _ => (0..MOST - LAST).map(Some).chain([None]).chain((len - LAST..len).map(Some)).collect(),
    };
    let labels = shown.iter().map(|at| Label::one(at.map_or(String::new(), |at| at.to_string()))).collect();
    let (cells, rules): (Vec<Cell>, Vec<Rule>) = shown.iter().map(|at| at.map_or((Cell::note("…"), Rule::Thin), &entry)).unzip();
    let rows = Axis { tiers: vec![vec![Label::one(name)]], ..Axis::plain(1) };
    let columns = Axis { tiers: vec![labels], ..Axis::plain(cells.len()).ruled(|k| rules[k]) };
    Grid { caption: String::new(), rows, columns, cells, look: Look::Array }
}
