//! A sparse tensor: its elements in place, beside the arrays of its levels.

use super::arrays::{Entry, MOST_ARROWS, array};
use super::spy::{Element, MOST_MARKS, spy};
use super::text::cut;
use super::{Arrow, CLASSES, Grid, Item, Picture, Rule};
use crd2idx::graph::visible;
use crd2idx::sparse::{Indices, LevelKind, SparseTensor, SparsityPattern};
use serde_json::Value;

/// The most elements that are gone through.
const MOST_ELEMENTS: u64 = 1 << 22;
/// The most sheets of a tensor of more than two axes.
const MOST_SHEETS: usize = 6;
/// The most characters of a value.
const MOST_TEXT: usize = 8;

/// `sparse FILE`
pub fn picture(tensor: &SparseTensor<'_, Value>) -> Result<Picture, String> {
    let block: u64 = tensor.pattern().block_shape().iter().product();
    let elements = (tensor.stored() as u64).saturating_mul(block);
    if elements > MOST_ELEMENTS {
        return Err(format!("{elements} elements are more than the {MOST_ELEMENTS} of a picture"));
    }
    let places = places(tensor)?;
    let (arrays, mut arrows) = levels(tensor);
    arrows.iter_mut().for_each(|arrow| {
        if let Arrow::Drop { from, to, .. } = arrow {
            from.0 += places.len();
            to.0 += places.len();
        }
    });
    let format = tensor.format();
    let name = format.alias().map_or(format.to_string(), |alias| format!("{alias} ({format})"));
    let title = format!("a sparse tensor of shape {:?} as {name}", tensor.shape());
    let kinds = (0..format.levels()).map(|level| format!("level {level} is {}", kind(format.kinds()[level])));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let description =
        format!("{} stored elements of a tensor of shape {:?}, beside the arrays of its levels: {kinds}.", tensor.stored(), tensor.shape());
    let mut lines: Vec<Vec<Item>> = vec![places.into_iter().map(Item::from).collect()];
    // Beside one sheet, below several.
    match &mut lines[..] {
        [line] if line.len() == 1 => line.push(Item::Stack(arrays)),
        _ => lines.push(vec![Item::Stack(arrays)]),
    }
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

/// The elements in place: the first axis down, the second across, a sheet for each coordinate of the others, or all others across.
fn places(tensor: &SparseTensor<'_, Value>) -> Result<Vec<Grid>, String> {
    let shape: Vec<usize> = tensor.shape().iter().map(|extent| usize::try_from(*extent).unwrap_or(usize::MAX)).collect();
    let first = tensor.format().axis_order().first().copied().unwrap_or(0);
    let mut all: Vec<(Vec<usize>, String, usize)> = Vec::new();
    tensor.for_each(|coordinate, value| {
        let coordinate: Vec<usize> = coordinate.iter().map(|c| *c as usize).collect();
        let class = coordinate.get(first).map_or(0, |c| c % CLASSES);
        all.push((coordinate, text(value), class));
    });
    let element = |row, column, text: &str, class| Element { row, column, text: text.into(), class };
    let dims: Vec<String> = if shape.is_empty() { vec!["1".into()] } else { shape.iter().map(usize::to_string).collect() };
    let caption = format!(
        "{}: {} of {} stored",
        tensor.format().alias().map_or(tensor.format().to_string(), Into::into),
        tensor.stored(),
        dims.join(" × ")
    );
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
    // The number of a coordinate beyond the second axis, the last fastest.
    let number = |coordinate: &[usize]| {
        let rest = coordinate.get(2..).unwrap_or_default().iter().zip(rest);
        rest.fold(0_usize, |number, (c, extent)| number.saturating_mul(*extent).saturating_add(*c))
    };
    let area = rows.min(MOST_MARKS.0) * columns.min(MOST_MARKS.1);
    if sheets > MOST_SHEETS || sheets > 1 && sheets * area > MOST_MARKS.0 * MOST_MARKS.1 {
        let across = columns.checked_mul(sheets).ok_or_else(|| format!("the extents {shape:?} are too large to draw"))?;
        let elements =
            all.iter().map(|(c, text, class)| element(c[0], c[1].saturating_mul(sheets).saturating_add(number(c)), text, *class));
        return Ok(vec![spy(&format!("{caption}, axis 0 down, the others across"), (rows, across), elements)]);
    }
    Ok((0..sheets)
        .map(|sheet| {
            let mut at: Vec<String> = Vec::new();
            rest.iter().rev().fold(sheet, |k, extent| {
                at.insert(0, (k % extent).to_string());
                k / extent
            });
            let caption = match (rest.is_empty(), sheet) {
                (true, _) => caption.clone(),
                // In lines: a caption wider than its sheet moves the next one away.
                (_, 0) => format!("{}\nat [_,_,{}]", caption.replacen(": ", "\n", 1), at.join(",")),
                _ => format!("at [_,_,{}]", at.join(",")),
            };
            let here = all.iter().filter(|(c, ..)| number(c) == sheet).map(|(c, text, class)| match c[..] {
                [] => element(0, 0, text, *class),
                [column] => element(0, column, text, *class),
                [row, column, ..] => element(row, column, text, *class),
            });
            spy(&caption, (rows, columns), here)
        })
        .collect())
}

/// What is known of the entries of a level: a colour for each, and where a parent's begin.
struct Entries {
    classes: Vec<Option<usize>>,
    begins: Vec<bool>,
}

impl Entries {
    /// The entries of the first level.
    fn roots(pattern: &SparsityPattern<'_>) -> Entries {
        let count = if pattern.format().levels() == 0 { pattern.stored() } else { pattern.entries(0) };
        let class = |k: usize| match (pattern.format().kinds().first(), pattern.indices(0)) {
            (Some(_), Some(indices)) => indices.get(k).map(|c| (c % CLASSES as u64) as usize),
            (Some(_), None) => Some(k % CLASSES),
            (None, _) => Some(0),
        };
        Entries { classes: (0..count).map(class).collect(), begins: vec![false; count] }
    }

    /// Those of the next level, or the elements.
    fn below(&self, pattern: &SparsityPattern<'_>, level: usize) -> Entries {
        let last = level + 1 == pattern.format().levels();
        let count = if last { pattern.stored() } else { pattern.entries(level + 1) };
        let mut out = Entries { classes: vec![None; count], begins: vec![false; count] };
        for (k, class) in self.classes.iter().enumerate() {
            let children = match pattern.pointers(level) {
                Some(pointers) => pointers.get(k).unwrap_or(0) as usize..pointers.get(k + 1).unwrap_or(0) as usize,
                // Each entry has the same number of children: one, or one for each coordinate of a compressed level.
                None => {
                    let each = count.checked_div(self.classes.len()).unwrap_or(0);
                    k * each..(k + 1) * each
                }
            };
            // Entries below a sparse level are the same ones, further on.
            let group = pattern.pointers(level).is_some() || self.begins.get(k) == Some(&true);
            if let Some(begin) = out.begins.get_mut(children.start).filter(|_| group && !children.is_empty()) {
                *begin = true;
            }
            out.classes.iter_mut().take(children.end).skip(children.start).for_each(|out| *out = *class);
        }
        out
    }
}

/// The arrays of the levels and the values, and arrows from pointers to what they point at.
fn levels(tensor: &SparseTensor<'_, Value>) -> (Vec<Grid>, Vec<Arrow>) {
    let (pattern, format) = (tensor.pattern(), tensor.format());
    let (mut grids, mut arrows) = (Vec::new(), Vec::new());
    let rule = |begins: bool| if begins { Rule::Thin } else { Rule::None };
    let mut entries = Entries::roots(pattern);
    for level in 0..format.levels() {
        if let Some(indices) = pattern.indices(level) {
            grids.push(array(format!("indices {level}"), indices.len(), |k| Entry {
                text: number(indices, k),
                class: entries.classes.get(k).copied().flatten(),
                rule: rule(entries.begins.get(k) == Some(&true)),
            }));
        }
        if let Some(pointers) = pattern.pointers(level) {
            let below = if level + 1 < format.levels() { pattern.entries(level + 1) } else { pattern.stored() };
            if pointers.len() <= MOST_ARROWS && below <= MOST_ARROWS {
                arrows.extend(pointers.iter().enumerate().map(|(k, at)| Arrow::Drop {
                    from: (grids.len(), k),
                    to: (grids.len() + 1, at as usize),
                    class: entries.classes.get(k).copied().flatten(),
                }));
            }
            grids.push(array(format!("pointers {level}"), pointers.len(), |k| Entry {
                text: number(pointers, k),
                class: entries.classes.get(k).copied().flatten(),
                rule: Rule::None,
            }));
        }
        entries = entries.below(pattern, level);
    }
    let values = tensor.values().len().unwrap_or(0).max(usize::from(tensor.values().get(0).is_some()));
    let block = (values / tensor.stored().max(1)).max(1);
    grids.push(array("values", values, |k| Entry {
        text: text(tensor.values().get(k)),
        class: entries.classes.get(k / block).copied().flatten(),
        rule: rule(k % block == 0 && (block > 1 || entries.begins.get(k) == Some(&true))),
    }));
    let dense = format.axis_order().iter().skip(format.levels()).map(|axis| format!("dense: axis {axis}"));
    let kinds =
        (0..format.levels()).map(|level| format!("level {level}: {}, axis {}", kind(format.kinds()[level]), format.axis_order()[level]));
    if let Some(first) = grids.first_mut() {
        first.caption = kinds.chain(dense).collect::<Vec<_>>().join("\n");
    }
    (grids, arrows)
}

fn number(indices: &Indices<'_>, k: usize) -> String {
    indices.get(k).map_or(String::new(), |n| n.to_string())
}
