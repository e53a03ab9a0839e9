//! Arrays of numbers, one below the other.

use super::{Axis, Cell, Grid, Label, Look, Rule};

/// The most numbers of an array that are shown.
const MOST: usize = 40;
/// How many of them are its last.
const LAST: usize = 6;

/// What an array looks like at one position.
pub struct Entry {
    /// Its text.
    pub text: String,
    /// Its colour.
    pub class: Option<usize>,
    /// What stands before it.
    pub rule: Rule,
}

/// The positions of an array of `len` that are shown; `None` for those left out.
pub fn shown(len: usize) -> Vec<Option<usize>> {
    if len <= MOST {
        return (0..len).map(Some).collect();
    }
    (0..MOST - LAST).map(Some).chain([None]).chain((len - LAST..len).map(Some)).collect()
}

/// The array of `len` entries.
pub fn array(name: impl Into<String>, len: usize, entry: impl Fn(usize) -> Entry) -> Grid {
    let (mut labels, mut rules, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    for place in shown(len) {
        let (label, rule, cell) = match place.map(|at| (at, entry(at))) {
            Some((at, Entry { text, class, rule })) => (at.to_string(), rule, Cell::of(text, class)),
            None => (String::new(), Rule::Thin, Cell::note("…")),
        };
        labels.push(Label { span: 1, text: label });
        rules.push(if cells.is_empty() { Rule::None } else { rule });
        cells.push(cell);
    }
    let rows = Axis { len: 1, tiers: vec![vec![Label { span: 1, text: name.into() }]], rules: vec![Rule::None] };
    let columns = Axis { len: cells.len(), tiers: vec![labels], rules };
    Grid { caption: String::new(), rows, columns, cells, look: Look::Array }
}

/// The longest array whose entries have arrows.
pub const MOST_ARROWS: usize = 24;
