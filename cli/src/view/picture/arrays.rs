//! Builds arrays of numbers as grids, and the arrows from each to the array below it.

use super::{Arrow, Axis, Cell, Grid, Label, Look, Rule};
use std::ops::Range;

/// The maximum number of entries that an array shows.
const MOST: usize = 40;
/// The number of shown entries that come from the end of a longer array.
const LAST: usize = 6;
/// The longest array whose entries have arrows. It is below [`MOST`]: arrows number cells, so an array with arrows must not be cut.
const MOST_ARROWS: usize = 24;

/// An entry of an array: its colour, and the rule before it.
pub type Entry = (Option<usize>, Rule);

/// Returns `count` entries of the array below: those in range `k` have the colour of `entries[k]`. `first` maps the rule of
/// `entries[k]` to the rule before the range.
pub fn below(entries: &[Entry], ranges: impl IntoIterator<Item = Range<usize>>, count: usize, first: impl Fn(Rule) -> Rule) -> Vec<Entry> {
    let mut out = vec![(None, Rule::None); count];
    for ((class, rule), range) in entries.iter().zip(ranges) {
        let children = out.iter_mut().take(range.end).skip(range.start).enumerate();
        children.for_each(|(k, child)| *child = (*class, if k == 0 { first(*rule) } else { Rule::None }));
    }
    out
}

/// Returns arrows from array `grid` to positions `at` of the next array of `below` entries; none if either exceeds [`MOST_ARROWS`].
pub fn drops(grid: usize, at: &[usize], below: usize, class: impl Fn(usize) -> Option<usize>) -> Vec<Arrow> {
    let arrow = |(k, at): (usize, &usize)| Arrow { turns: false, from: (grid, k), to: (grid + 1, *at), class: class(k) };
    let shown = if at.len().max(below) <= MOST_ARROWS { at } else { &[] };
    shown.iter().enumerate().map(arrow).collect()
}

/// Returns an array of `len` entries as a grid. A long array is cut in the middle.
pub fn array(name: impl Into<String>, len: usize, text: impl Fn(usize) -> String, entry: impl Fn(usize) -> Entry) -> Grid {
    let shown: Vec<Option<usize>> = match len {
        ..=MOST => (0..len).map(Some).collect(),
        _ => (0..MOST - LAST).map(Some).chain([None]).chain((len - LAST..len).map(Some)).collect(),
    };
    let labels = shown.iter().map(|at| Label::one(at.map_or(String::new(), |at| at.to_string()))).collect();
    let cells = shown.iter().map(|at| at.map_or(Cell::note("…"), |at| Cell::of(text(at), entry(at).0))).collect();
    let rows = Axis { tiers: vec![vec![Label::one(name)]], ..Axis::plain(1) };
    let columns = Axis { tiers: vec![labels], ..Axis::plain(shown.len()).ruled(|k| shown[k].map_or(Rule::Thin, |at| entry(at).1)) };
    Grid { caption: String::new(), rows, columns, cells, look: Look::Array }
}
