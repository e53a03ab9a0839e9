//! A ragged array: its lists as rows, beside the offsets and the leaves.

use super::arrays::{Entry, array, below, drops};
use super::text::cut;
use super::{Arrow, Axis, CLASSES, Cell, Grid, Item, Label, Look, Picture, Rule};
use crd2idx::graph::visible;
use crd2idx::ragged::RaggedShape;

/// The maximum number of rows, and of leaves in one row.
const MOST: (usize, usize) = (48, 24);
/// The maximum number of characters of a leaf.
const MOST_TEXT: usize = 8;

/// A row of the picture: the path of its list, which has a number from 0 for each axis, and the range of its leaves. The path
/// of an empty list may be shorter.
struct Row {
    path: Vec<usize>,
    leaves: std::ops::Range<usize>,
}

/// Draws `ragged FILE` for an array of this shape. `leaf` gives the text of each leaf.
pub fn picture(shape: &RaggedShape<'_>, leaf: &dyn Fn(usize) -> String) -> Result<Picture, String> {
    let depth = shape.depth();
    let leaf = |k: usize| cut(&visible(&leaf(k)), MOST_TEXT);
    let mut all = Vec::new();
    (0..shape.count(0)).for_each(|first| rows(shape, &mut vec![first], first, &mut all));
    if all.is_empty() {
        return Err("the array has no rows to draw".into());
    }
    let counts: Vec<String> = (0..depth).map(|axis| shape.count(axis).to_string()).collect();
    let title = format!("a ragged array of depth {depth}, {} elements on its axes", counts.join(", "));
    let lists = Item::Stack(vec![lists(shape, &all, &leaf)]);
    let (arrays, arrows) = arrays(shape, &leaf);
    let description = format!("The lists of {title}, beside the offsets of its levels and its leaves; a colour for each row of axis 0.");
    Picture { title, description, lines: vec![vec![lists, Item::Stack(arrays)]], arrows }.checked()
}

/// Appends the rows below element `at` of the axis that `path` reaches. Stops soon after [`MOST`] rows.
fn rows(shape: &RaggedShape<'_>, path: &mut Vec<usize>, at: usize, out: &mut Vec<Row>) {
    let axis = path.len() - 1;
    if out.len() > MOST.0 {
        return;
    }
    let below = if shape.depth() == 1 { at..at + 1 } else { shape.row(axis, at) };
    if axis + 2 >= shape.depth() || below.is_empty() {
        let leaves = if axis + 2 >= shape.depth() { below } else { 0..0 };
        return out.push(Row { path: path.clone(), leaves });
    }
    for (k, child) in below.enumerate() {
        path.push(k);
        rows(shape, path, child, out);
        path.pop();
    }
}

/// Returns the lists as a grid: a row for each innermost list, and for each empty list above it.
fn lists(shape: &RaggedShape<'_>, rows: &[Row], leaf: &dyn Fn(usize) -> String) -> Grid {
    let more = rows.len() > MOST.0;
    let rows = &rows[..rows.len().min(MOST.0)];
    let longest = rows.iter().map(|row| row.leaves.len()).max().unwrap_or(0);
    let columns = longest.clamp(1, MOST.1 + 1);
    let levels = shape.depth().saturating_sub(1).max(1);
    let cell = |(row, column): (&Row, usize)| match column {
        0 if row.leaves.is_empty() => Cell::note("[]"),
        _ if column >= row.leaves.len() => Cell::absent(),
        _ if column == MOST.1 => Cell::note("…"),
        _ => Cell::of(leaf(row.leaves.start + column), Some(row.path[0] % CLASSES)),
    };
    let mut cells: Vec<Cell> = rows.iter().flat_map(|row| (0..columns).map(move |column| (row, column))).map(cell).collect();
    let label =
        |rows: &[Row], tier: usize| Label { span: rows.len(), text: rows[0].path.get(tier).map_or(String::new(), usize::to_string) };
    let tier = |tier: usize| rows.chunk_by(|a, b| a.path.get(..=tier) == b.path.get(..=tier)).map(|rows| label(rows, tier)).collect();
    let mut tiers: Vec<Vec<Label>> = (0..levels).map(tier).collect();
    let mut len = rows.len();
    if more {
        len += 1;
        tiers.iter_mut().for_each(|tier| tier.push(Label::one("")));
        cells.push(Cell::note("…"));
        cells.resize(len * columns, Cell::absent());
    }
    // Each row is a list of its own, and a line before each would separate nothing. Draw lines only between lists of axis 0.
    let rule = |k: usize| if levels > 1 && (k >= rows.len() || rows[k].path[0] != rows[k - 1].path[0]) { Rule::Thin } else { Rule::None };
    let axis = Axis { len, tiers, rules: Vec::new() }.ruled(rule);
    let caption = format!("{} rows, depth {}", shape.count(0), shape.depth());
    Grid { caption, rows: axis, columns: Axis::numbered(columns), cells, look: Look::Table }
}

/// Returns the offsets of each level and the leaves, and arrows from each offset to the beginning of its list.
fn arrays(shape: &RaggedShape<'_>, leaf: &dyn Fn(usize) -> String) -> (Vec<Grid>, Vec<Arrow>) {
    let depth = shape.depth();
    let (mut grids, mut arrows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut entries: Vec<Entry> = (0..shape.count(0)).map(|k| (Some(k % CLASSES), Rule::None)).collect();
    for (q, level) in shape.levels().iter().enumerate() {
        let count = shape.count(q);
        let ranges: Vec<_> = (0..count).map(|row| shape.row(q, row)).collect();
        let first = |rule| if rule == Rule::None && q > 0 { Rule::Thin } else { Rule::Thick };
        let below = below(&entries, ranges.iter().cloned(), shape.count(q + 1), first);
        let class = |k: usize| entries.get(k).and_then(|(class, _)| *class);
        let entry = |k: usize| (class(k), Rule::None);
        let name = |what: &str| if depth > 2 { format!("{what} {q}") } else { what.to_owned() };
        match level {
            level if level.fixed_size().is_some() => {
                notes.push(format!("axis {}: {} elements each", q + 1, ranges.first().map_or(0, |range| range.len())));
            }
            level if level.is_consecutive() => {
                let ends = ranges.last().map_or(0, |range| range.end);
                let at: Vec<usize> = ranges.iter().map(|range| range.start).chain([ends]).collect();
                // An arrow reaches the array right below, so draw it only if that array belongs to the next axis.
                if shape.levels().get(q + 1).is_none_or(|next| next.fixed_size().is_none()) {
                    arrows.extend(drops(grids.len() + 1, &at, below.len(), class));
                }
                grids.push(array(name("offsets"), at.len(), |k| at[k].to_string(), entry));
            }
            _ => {
                grids.push(array(name("starts"), count, |k| ranges[k].start.to_string(), entry));
                grids.push(array(name("sizes"), count, |k| ranges[k].len().to_string(), entry));
            }
        }
        entries = below;
    }
    grids.push(array("leaves", entries.len(), leaf, |k| entries[k]));
    if let Some(first) = grids.first_mut() {
        first.caption = notes.join(", ");
    }
    (grids, arrows)
}
