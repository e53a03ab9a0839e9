//! A sparse tensor: its elements in a grid, beside the arrays of its levels.

use super::arrays::{Entry, array, below, drops};
use super::function::digits;
use super::spy::{Element, MOST_MARKS, spy};
use super::text::cut;
use super::{Arrow, CLASSES, Grid, Item, Picture, Rule, items};
use crd2idx::graph::visible;
use crd2idx::sparse::{Composite, Format, Indices, LevelKind, Part, Scheme, SparseTensor, SparsityPattern};
use serde_json::Value;
use std::collections::BTreeMap;

/// The maximum number of elements that a picture reads.
const MOST_ELEMENTS: u64 = 1 << 22;
/// The maximum number of sheets of a tensor of more than two axes.
const MOST_SHEETS: usize = 6;
/// The maximum number of characters of a value.
const MOST_TEXT: usize = 8;

/// Draws `sparse FILE` for a blocked or hybrid format: the arrays of each part on a line of their own.
pub fn blocked(composite: &Composite<'_, Value>, scheme: &Scheme) -> Result<Picture, String> {
    if composite.stored() as u64 > MOST_ELEMENTS {
        return Err(format!("{} elements are more than the {MOST_ELEMENTS} of a picture", composite.stored()));
    }
    let whole = composite.to_tensor(&Format::coo(composite.shape().len())).map_err(|error| error.to_string())?;
    // An element has the colour of its entry in the first level of its part.
    let mut classes = BTreeMap::new();
    for (k, Part { map, tensor }) in composite.parts().iter().enumerate() {
        let (columns, _) = composite.elements(k).map_err(|error| error.to_string())?;
        let first = tensor.format().axis_order().first().copied().unwrap_or(0);
        for e in 0..columns.first().map_or(0, Indices::len) {
            let at: Vec<u64> = columns.iter().filter_map(|column| column.get(e)).collect();
            let class = map.forward(&at).get(first).map_or(0, |c| (c % CLASSES as u64) as usize);
            classes.insert(at, class);
        }
    }
    let class = |at: &[u64]| classes.get(at).copied().unwrap_or(0);
    let caption = format!("{scheme}: {} of {} stored", whole.stored(), extents(composite.shape()));
    let places = places(&whole, caption, &class)?;
    let (mut lines, mut arrows, mut before) = (vec![items(places)], Vec::new(), 0);
    before += lines[0].len();
    for part in composite.parts() {
        let (mut arrays, drawn) = levels(&part.tensor);
        let digits = if part.map.is_identity() { String::new() } else { format!("stored: {}\n", part.map) };
        arrays[0].caption = format!("{digits}{}", arrays[0].caption);
        arrows.extend(drawn.into_iter().map(|arrow| Arrow {
            from: (arrow.from.0 + before, arrow.from.1),
            to: (arrow.to.0 + before, arrow.to.1),
            ..arrow
        }));
        before += arrays.len();
        lines.push(vec![Item::Stack(arrays)]);
    }
    let title = format!("a sparse tensor of shape {:?} as {scheme}", composite.shape());
    let description =
        format!("{} stored elements in {} parts, beside the arrays of each: {composite}.", composite.stored(), composite.parts().len());
    Picture { title, description, lines, arrows }.checked()
}

/// Returns the extents as text: `4 × 6`, or `1` without axes.
fn extents(shape: &[u64]) -> String {
    let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
    if dims.is_empty() { "1".into() } else { dims.join(" × ") }
}

/// Draws `sparse FILE` for a format of levels: the elements, beside or above the arrays of the levels.
pub fn picture(tensor: &SparseTensor<'_, Value>) -> Result<Picture, String> {
    let block: u64 = tensor.pattern().block_shape().iter().product();
    let elements = (tensor.stored() as u64).saturating_mul(block);
    if elements > MOST_ELEMENTS {
        return Err(format!("{elements} elements are more than the {MOST_ELEMENTS} of a picture"));
    }
    let first = tensor.format().axis_order().first().copied().unwrap_or(0);
    let class = |at: &[u64]| at.get(first).map_or(0, |c| (c % CLASSES as u64) as usize);
    let short = tensor.format().alias().map_or(tensor.format().to_string(), Into::into);
    let caption = format!("{short}: {} of {} stored", tensor.stored(), extents(tensor.shape()));
    let places = places(tensor, caption, &class)?;
    let (arrays, mut arrows) = levels(tensor);
    arrows.iter_mut().for_each(|arrow| (arrow.from.0, arrow.to.0) = (arrow.from.0 + places.len(), arrow.to.0 + places.len()));
    let format = tensor.format();
    let name = format.alias().map_or(format.to_string(), |alias| format!("{alias} ({format})"));
    let title = format!("a sparse tensor of shape {:?} as {name}", tensor.shape());
    let kinds = (0..format.levels()).map(|level| format!("level {level} is {}", kind(format.kinds()[level])));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let description =
        format!("{} stored elements of a tensor of shape {:?}, beside the arrays of its levels: {kinds}.", tensor.stored(), tensor.shape());
    let (mut first, arrays) = (items(places), Item::Stack(arrays));
    // The arrays stand beside a single sheet, but below several.
    let lines = if first.len() == 1 {
        first.push(arrays);
        vec![first]
    } else {
        vec![first, vec![arrays]]
    };
    Picture { title, description, lines, arrows }.checked()
}

fn kind(kind: LevelKind) -> &'static str {
    match kind {
        LevelKind::Indices => "sparse",
        LevelKind::Pointers => "compressed",
        LevelKind::IndexedPointers => "doubly compressed",
    }
}

fn text(value: Option<&Value>) -> String {
    value.map_or("×".into(), |value| cut(&visible(&value.to_string()), MOST_TEXT))
}

/// Returns the elements as grids: axis 0 down, axis 1 across, a sheet per coordinate of the others, or one sheet if they are many.
fn places(tensor: &SparseTensor<'_, Value>, caption: String, class: &dyn Fn(&[u64]) -> usize) -> Result<Vec<Grid>, String> {
    let shape: Vec<usize> = tensor.shape().iter().map(|extent| usize::try_from(*extent).unwrap_or(usize::MAX)).collect();
    let (rows, columns) = match shape[..] {
        [] => (1, 1),
        [n] => (1, n),
        [m, n, ..] => (m, n),
    };
    let rest = shape.get(2..).unwrap_or_default();
    let sheets = rest.iter().try_fold(1_usize, |sheets, extent| sheets.checked_mul(*extent)).unwrap_or(usize::MAX);
    if rows == 0 || columns == 0 || sheets == 0 {
        return Err(format!("a tensor of shape {shape:?} has no element to draw"));
    }
    let mut elements: Vec<Element> = Vec::new();
    tensor.for_each(|coordinate, value| {
        let c: Vec<usize> = coordinate.iter().map(|c| *c as usize).collect();
        let (row, column) = match c[..] {
            [] => (0, 0),
            [column] => (0, column),
            [row, column, ..] => (row, column),
        };
        // The last axis runs fastest through the sheets.
        let beyond = c.get(2..).unwrap_or_default().iter().zip(rest);
        let sheet = beyond.fold(0_usize, |number, (c, extent)| number.saturating_mul(*extent).saturating_add(*c));
        elements.push(Element { sheet, row, column, text: text(value), class: class(coordinate) });
    });
    let area = rows.min(MOST_MARKS.0) * columns.min(MOST_MARKS.1);
    if sheets > MOST_SHEETS || sheets > 1 && sheets * area > MOST_MARKS.0 * MOST_MARKS.1 {
        let across = columns.checked_mul(sheets).ok_or_else(|| format!("the extents {shape:?} are too large to draw"))?;
        elements.iter_mut().for_each(|element| element.column = element.column.saturating_mul(sheets).saturating_add(element.sheet));
        return Ok(vec![spy(format!("{caption}, axis 0 down, the others across"), (rows, across), &elements)]);
    }
    let sheet = |sheet: usize| {
        let at: Vec<String> = digits(sheet, rest.iter().rev().copied()).iter().rev().map(usize::to_string).collect();
        let at = format!("at [_,_,{}]", at.join(","));
        let caption = match sheet {
            _ if rest.is_empty() => caption.clone(),
            // Break the caption: one wider than its sheet would move the next sheet away.
            0 => format!("{}\n{at}", caption.replacen(": ", "\n", 1)),
            _ => at,
        };
        spy(caption, (rows, columns), elements.iter().filter(|element| element.sheet == sheet))
    };
    Ok((0..sheets).map(sheet).collect())
}

/// Returns the entries of the first level, coloured by their coordinates.
fn roots(pattern: &SparsityPattern<'_>) -> Vec<Entry> {
    let count = if pattern.format().levels() == 0 { pattern.stored() } else { pattern.entries(0) };
    let class = |k: usize| match (pattern.format().kinds().first(), pattern.indices(0)) {
        (Some(_), Some(indices)) => indices.get(k).map(|c| (c % CLASSES as u64) as usize),
        (Some(_), None) => Some(k % CLASSES),
        (None, _) => Some(0),
    };
    (0..count).map(|k| (class(k), Rule::None)).collect()
}

/// Returns the arrays of the levels and the values, and arrows from each pointer to the entry that it points to.
fn levels(tensor: &SparseTensor<'_, Value>) -> (Vec<Grid>, Vec<Arrow>) {
    let (pattern, format) = (tensor.pattern(), tensor.format());
    let (mut grids, mut arrows) = (Vec::new(), Vec::new());
    let mut entries = roots(pattern);
    for level in 0..format.levels() {
        let entry = |k: usize| entries.get(k).copied().unwrap_or_default();
        let number = |numbers: &Indices<'_>, k: usize| numbers.get(k).map_or(String::new(), |n| n.to_string());
        if let Some(indices) = pattern.indices(level) {
            grids.push(array(format!("indices {level}"), indices.len(), |k| number(indices, k), entry));
        }
        let count = if level + 1 < format.levels() { pattern.entries(level + 1) } else { pattern.stored() };
        let next = if let Some(pointers) = pattern.pointers(level) {
            let at: Vec<usize> = pointers.iter().map(|at| at as usize).collect();
            arrows.extend(drops(grids.len(), &at, count, |k| entry(k).0));
            grids.push(array(format!("pointers {level}"), pointers.len(), |k| number(pointers, k), |k| (entry(k).0, Rule::None)));
            below(&entries, at.windows(2).map(|ends| ends[0]..ends[1]), count, |_| Rule::Thin)
        } else {
            // Every entry of a level without pointers has the same number of children: one, itself, or one per coordinate.
            let each = count.checked_div(entries.len()).unwrap_or(0);
            below(&entries, (0..entries.len()).map(|k| k * each..(k + 1) * each), count, |rule| rule)
        };
        entries = next;
    }
    let values = tensor.values().len().unwrap_or(0).max(usize::from(tensor.values().get(0).is_some()));
    let block = (values / tensor.stored().max(1)).max(1);
    let entry = |k: usize| {
        let (class, rule) = entries.get(k / block).copied().unwrap_or_default();
        (class, if !k.is_multiple_of(block) { Rule::None } else { rule.max(if block > 1 { Rule::Thin } else { Rule::None }) })
    };
    grids.push(array("values", values, |k| text(tensor.values().get(k)), entry));
    let dense = format.axis_order().iter().skip(format.levels()).map(|axis| format!("dense: axis {axis}"));
    let kinds =
        (0..format.levels()).map(|level| format!("level {level}: {}, axis {}", kind(format.kinds()[level]), format.axis_order()[level]));
    if let Some(first) = grids.first_mut() {
        first.caption = kinds.chain(dense).collect::<Vec<_>>().join("\n");
    }
    (grids, arrows)
}
