//! A grid as shapes: cells, labels by tier, rules, and bands of columns where it is wider than the page.

use super::scene::{Align, Ink, Scene, Shape, Stroke, text_width};
use crate::picture::{Axis, Cell, CellKind, Grid, Label, Look, Rule};
use std::ops::Range;

/// The side of a mark.
const MARK: f64 = 7.0;
/// The space that separates tiles.
const GAP: f64 = 8.0;
/// Between the text of a cell and its border, of both sides together, in em.
const PADDING: f64 = 0.7;

/// Where the parts of a grid are, for arrows.
#[derive(Clone, Default)]
pub struct Place {
    /// The line of items that it is in.
    pub line: usize,
    /// The upper edge of the labels of columns, that of the cells, and the lower edge of all.
    pub head: f64,
    pub top: f64,
    pub bottom: f64,
    /// The left edges of the columns, and the right edge of the last; nothing where they are in several bands.
    pub columns: Vec<f64>,
    /// The middles of the rows.
    pub rows: Vec<f64>,
}

impl Place {
    pub fn moved(mut self, dx: f64, dy: f64) -> Place {
        [&mut self.head, &mut self.top, &mut self.bottom].into_iter().chain(&mut self.rows).for_each(|y| *y += dy);
        self.columns.iter_mut().for_each(|x| *x += dx);
        self
    }
}

/// The sizes of a grid at a size of text.
pub struct Measures {
    size: f64,
    cell: (f64, f64),
    labels: Vec<f64>,
    /// Below which the width of the labels may not fall: arrays of a stack begin together.
    left: f64,
}

impl Measures {
    /// The measures of a grid whose texts have this size.
    pub fn of(grid: &Grid, size: f64) -> Measures {
        let widest = |lines: &mut dyn Iterator<Item = &String>| lines.map(|line| text_width(line, size)).fold(0.0, f64::max);
        let text = widest(&mut grid.cells.iter().flat_map(|cell| &cell.lines));
        let lines = grid.cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(1).max(1);
        let small = label_size(size);
        // A label fits the cells it is over.
        let label = |tiers: &[Vec<Label>], of: &dyn Fn(&Label) -> f64| tiers.iter().flatten().map(of).fold(0.0, f64::max);
        let head = label(&grid.columns.tiers, &|label| (text_width(&label.text, small) + 4.0) / label.span as f64);
        let least = size * 1.9;
        let cell = match grid.look {
            Look::Spy => (MARK, MARK),
            _ => ((text + PADDING * size).max(head).max(least), (size * 1.2 * lines as f64 + PADDING * size).max(least)),
        };
        let row_labels =
            grid.rows.tiers.iter().map(|tier| label(std::slice::from_ref(tier), &|label| text_width(&label.text, small)) + 6.0);
        Measures { size, cell: (cell.0.ceil(), cell.1.ceil()), labels: row_labels.collect(), left: 0.0 }
    }

    /// With labels and cells of at least these widths.
    pub fn at_least(self, left: f64, cell: f64) -> Measures {
        Measures { left, cell: (self.cell.0.max(cell), self.cell.1), ..self }
    }

    /// The width of a cell.
    pub fn cell(&self) -> f64 {
        self.cell.0
    }

    /// The width of the row labels.
    pub fn left(&self) -> f64 {
        self.labels.iter().sum::<f64>().max(self.left)
    }

    /// The width of the whole grid in one band.
    pub fn width(&self, grid: &Grid) -> f64 {
        self.left() + self.span(&grid.columns, 0..grid.columns.len) + 1.0
    }

    fn span(&self, axis: &Axis, range: Range<usize>) -> f64 {
        let gaps = range.clone().skip(1).filter(|k| axis.rules[*k] == Rule::Gap).count();
        range.len() as f64 * self.cell.0 + gaps as f64 * GAP
    }
}

/// The size of labels beside texts of this size.
pub fn label_size(size: f64) -> f64 {
    (size * 0.85).max(8.0)
}

/// Draws a grid into `room`, its caption left out.
pub fn draw(grid: &Grid, m: &Measures, room: f64) -> (Scene, Place) {
    let bands = grid.columns.bands(grid.look, |band| m.left() + m.span(&grid.columns, band) + 1.0 <= room);
    let one = bands.len() == 1;
    let (mut out, mut first) = (Scene::default(), None);
    for band in bands {
        let y = if first.is_some() { out.h + 10.0 } else { 0.0 };
        let (scene, place) = Band { grid, m, band }.draw();
        out.place(scene, 0.0, y);
        first.get_or_insert(place);
    }
    let mut place = first.unwrap_or_default();
    if !one {
        place.columns.clear();
    }
    (out, place)
}

/// Some of the columns.
struct Band<'a> {
    grid: &'a Grid,
    m: &'a Measures,
    band: Range<usize>,
}

impl Band<'_> {
    fn draw(self) -> (Scene, Place) {
        let (grid, m) = (self.grid, self.m);
        let mut scene = Scene::default();
        let (small, left) = (label_size(m.size), m.left());
        let tier_height = small * 1.35;
        let array = grid.look == Look::Array;
        let heads = if array { 0.0 } else { grid.columns.tiers.len() as f64 * tier_height };
        let columns = edges(left, &grid.columns.rules, self.band.clone(), m.cell.0);
        let rows = edges(heads, &grid.rows.rules, 0..grid.rows.len, m.cell.1);
        let (right, bottom) = (columns.last().map_or(left, |edge| edge.1), rows.last().map_or(heads, |edge| edge.1));

        for (tier, labels) in grid.columns.tiers.iter().enumerate() {
            let y = if array { bottom + tier_height * 0.6 } else { (tier as f64 + 0.5) * tier_height };
            self.column_labels(&mut scene, labels, &columns, y, small);
        }
        let mut x = left - m.labels.iter().sum::<f64>();
        for (labels, width) in grid.rows.tiers.iter().zip(&m.labels) {
            x += width;
            for (over, label) in Axis::labels(labels) {
                let (Some(first), Some(last)) = (rows.get(over.start), rows.get(over.end.saturating_sub(1))) else { break };
                let text = if self.band.start > 0 && array { "…" } else { &label.text };
                scene.text((x - 6.0, (first.0 + last.1) / 2.0), small, Align::End, Ink::Faint, text);
            }
        }
        for (row, y) in rows.iter().enumerate() {
            for (column, x) in self.band.clone().zip(&columns) {
                self.cell(&mut scene, &grid.cells[row * grid.columns.len + column], (x.0, y.0));
            }
        }
        self.rules(&mut scene, &columns, &rows);
        let below = if array && !grid.columns.tiers.is_empty() { bottom + tier_height * 1.1 } else { bottom };
        scene.w = scene.w.max(right + 1.0);
        scene.h = scene.h.max(below + 1.0);
        let columns = columns.iter().map(|edge| edge.0).chain([right]).collect();
        let rows = rows.iter().map(|edge| (edge.0 + edge.1) / 2.0).collect();
        (scene, Place { line: 0, head: 0.0, top: heads, bottom: below, columns, rows })
    }

    fn column_labels(&self, scene: &mut Scene, labels: &[Label], columns: &[(f64, f64)], y: f64, size: f64) {
        for (over, label) in Axis::labels(labels) {
            let here = over.start.max(self.band.start)..over.end.min(self.band.end);
            if here.is_empty() {
                continue;
            }
            let (first, last) = (columns[here.start - self.band.start], columns[here.end - 1 - self.band.start]);
            // Labels of marks stand at the ends, and are wider than these.
            let (x, align) = match self.grid.look {
                Look::Spy if here.start == 0 => (first.0, Align::Start),
                Look::Spy => (last.1, Align::End),
                _ => ((first.0 + last.1) / 2.0, Align::Middle),
            };
            if align != Align::Middle || text_width(&label.text, size) <= last.1 - first.0 {
                scene.text((x, y), size, align, Ink::Faint, &label.text);
            }
        }
    }

    fn cell(&self, scene: &mut Scene, cell: &Cell, (x, y): (f64, f64)) {
        let (w, h) = self.m.cell;
        if self.grid.look == Look::Spy {
            if let Some(class) = cell.class {
                let mark = Shape::rect((x + 0.5, y + 0.5), (w - 1.0, h - 1.0), Some(Ink::Strong(class)), None);
                scene.shapes.push(mark.rounded(1.0));
            }
            return;
        }
        if cell.kind != CellKind::Note {
            let fill = (cell.kind == CellKind::Full).then(|| cell.class.map_or(Ink::Blank, Ink::Class));
            let line = Stroke { ink: Ink::Line, width: 0.75, dashed: fill.is_none() };
            scene.shapes.push(Shape::rect((x, y), (w, h), fill, Some(line)));
        }
        let ink = if cell.kind == CellKind::Full { Ink::Text } else { Ink::Faint };
        let step = self.m.size * 1.2;
        for (k, line) in cell.lines.iter().enumerate() {
            let middle = y + h / 2.0 + (k as f64 - (cell.lines.len() as f64 - 1.0) / 2.0) * step;
            scene.text((x + w / 2.0, middle), self.m.size, Align::Middle, ink, line);
        }
    }

    /// Lines between groups, and a frame where the cells are marks.
    fn rules(&self, scene: &mut Scene, columns: &[(f64, f64)], rows: &[(f64, f64)]) {
        let (Some(left), Some(right), Some(top), Some(bottom)) = (columns.first(), columns.last(), rows.first(), rows.last()) else {
            return;
        };
        let (left, right, top, bottom) = (left.0, right.1, top.0, bottom.1);
        if self.grid.look == Look::Spy {
            let line = Stroke { ink: Ink::Line, width: 1.0, dashed: false };
            return scene.shapes.push(Shape::rect((left, top), (right - left, bottom - top), None, Some(line)));
        }
        let width = |rule: Rule| match rule {
            Rule::Thin => Some(1.5),
            Rule::Thick => Some(2.5),
            Rule::None | Rule::Gap => None,
        };
        for (column, edge) in self.band.clone().zip(columns).skip(1) {
            if let Some(width) = width(self.grid.columns.rules[column]) {
                scene.line((edge.0, top), (edge.0, bottom), Ink::Rule, width);
            }
        }
        for (rule, edge) in self.grid.rows.rules.iter().zip(rows).skip(1) {
            if let Some(width) = width(*rule) {
                scene.line((left, edge.0), (right, edge.0), Ink::Rule, width);
            }
        }
    }
}

/// The two edges of each row or column, from `at` on.
fn edges(at: f64, rules: &[Rule], range: Range<usize>, step: f64) -> Vec<(f64, f64)> {
    let (mut at, first) = (at, range.start);
    range
        .map(|k| {
            if k > first && rules.get(k) == Some(&Rule::Gap) {
                at += GAP;
            }
            at += step;
            (at - step, at)
        })
        .collect()
}
