//! A grid as shapes: cells, tiers of labels, rules, and bands of columns if the grid is wider than the page.

use super::scene::{Align, Ink, Scene, Shape, Stroke, text_width};
use crate::view::picture::{Axis, Cell, CellKind, Grid, Label, Look, Rule};
use std::ops::Range;

/// The side of a mark.
const MARK: f64 = 7.0;
/// The space that separates tiles.
const GAP: f64 = 8.0;
/// The space between the text of a cell and its border, left and right together, in em.
const PADDING: f64 = 0.7;

/// The positions of a grid on the page, which arrows need.
#[derive(Clone, Default)]
pub struct Place {
    /// The number of the line of items that contains the grid.
    pub line: usize,
    /// The upper edge of the column labels. `top` is the upper edge of the cells, `bottom` the lower edge of the grid.
    pub head: f64,
    pub top: f64,
    pub bottom: f64,
    /// The left edges of the columns, then the right edge of the last. Empty if the columns are in several bands.
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

/// A grid measured at a text size.
pub struct Measured<'a> {
    grid: &'a Grid,
    size: f64,
    cell: (f64, f64),
    labels: Vec<f64>,
    /// The minimum width of the row labels: the arrays of a stack begin at one column.
    left: f64,
}

impl<'a> Measured<'a> {
    pub fn new(grid: &'a Grid, size: f64) -> Self {
        let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let text = widest(&mut grid.cells.iter().flat_map(|cell| &cell.lines).map(|line| text_width(line, size)));
        let lines = grid.cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(1).max(1);
        let label = |label: &Label| text_width(&label.text, label_size(size));
        // Each label fits the cells below it.
        let head = widest(&mut grid.columns.tiers.iter().flatten().map(|over| (label(over) + 4.0) / over.span as f64));
        let least = size * 1.9;
        let cell = match grid.look {
            Look::Spy => (MARK, MARK),
            _ => ((text + PADDING * size).max(head).max(least), (size * 1.2 * lines as f64 + PADDING * size).max(least)),
        };
        let labels = grid.rows.tiers.iter().map(|tier| widest(&mut tier.iter().map(label)) + 6.0).collect();
        Measured { grid, size, cell: (cell.0.ceil(), cell.1.ceil()), labels, left: 0.0 }
    }

    /// Sets minimum widths of the labels and of the cells.
    pub fn at_least(self, left: f64, cell: f64) -> Self {
        Measured { left, cell: (self.cell.0.max(cell), self.cell.1), ..self }
    }

    /// Returns the width of a cell.
    pub fn cell(&self) -> f64 {
        self.cell.0
    }

    /// Returns the width of the row labels.
    pub fn left(&self) -> f64 {
        self.labels.iter().sum::<f64>().max(self.left)
    }

    /// Returns the width of the whole grid in one band.
    pub fn width(&self) -> f64 {
        self.band_width(0..self.grid.columns.len)
    }

    fn band_width(&self, band: Range<usize>) -> f64 {
        let gaps = band.clone().skip(1).filter(|k| self.grid.columns.rules[*k] == Rule::Gap).count();
        self.left() + band.len() as f64 * self.cell.0 + gaps as f64 * GAP + 1.0
    }

    /// Draws the grid, without its caption, in bands at most `room` wide.
    pub fn draw(&self, room: f64) -> (Scene, Place) {
        let bands = self.grid.columns.bands(self.grid.look, |band| self.band_width(band) <= room);
        let one = bands.len() == 1;
        let (mut out, mut first) = (Scene::default(), None);
        for band in bands {
            let y = if first.is_some() { out.h + 10.0 } else { 0.0 };
            let (scene, place) = self.draw_band(band);
            out.place(scene, 0.0, y);
            first.get_or_insert(place);
        }
        let mut place = first.unwrap_or_default();
        if !one {
            place.columns.clear();
        }
        (out, place)
    }

    fn draw_band(&self, band: Range<usize>) -> (Scene, Place) {
        let grid = self.grid;
        let mut scene = Scene::default();
        let (small, left) = (label_size(self.size), self.left());
        let tier_height = small * 1.35;
        let array = grid.look == Look::Array;
        let heads = if array { 0.0 } else { grid.columns.tiers.len() as f64 * tier_height };
        let columns = edges(left, &grid.columns.rules, band.clone(), self.cell.0);
        let rows = edges(heads, &grid.rows.rules, 0..grid.rows.len, self.cell.1);
        let (right, bottom) = (columns.last().map_or(left, |edge| edge.1), rows.last().map_or(heads, |edge| edge.1));

        for (tier, labels) in grid.columns.tiers.iter().enumerate() {
            let y = if array { bottom + tier_height * 0.6 } else { (tier as f64 + 0.5) * tier_height };
            for (over, label) in Axis::labels(labels) {
                let here = over.start.max(band.start)..over.end.min(band.end);
                if here.is_empty() {
                    continue;
                }
                let (first, last) = (columns[here.start - band.start].0, columns[here.end - 1 - band.start].1);
                // Marks are narrower than their labels, so these stand at the two ends.
                let (x, align) = match grid.look {
                    Look::Spy if here.start == 0 => (first, Align::Start),
                    Look::Spy => (last, Align::End),
                    _ => ((first + last) / 2.0, Align::Middle),
                };
                if align != Align::Middle || text_width(&label.text, small) <= last - first {
                    scene.text((x, y), small, align, Ink::Faint, &label.text);
                }
            }
        }
        let mut x = left - self.labels.iter().sum::<f64>();
        for (labels, width) in grid.rows.tiers.iter().zip(&self.labels) {
            x += width;
            for (over, label) in Axis::labels(labels) {
                let (Some(first), Some(last)) = (rows.get(over.start), rows.get(over.end.saturating_sub(1))) else { break };
                let text = if band.start > 0 && array { "…" } else { &label.text };
                scene.text((x - 6.0, (first.0 + last.1) / 2.0), small, Align::End, Ink::Faint, text);
            }
        }
        for (row, y) in rows.iter().enumerate() {
            for (column, x) in band.clone().zip(&columns) {
                self.cell_at(&mut scene, &grid.cells[row * grid.columns.len + column], (x.0, y.0));
            }
        }
        if let (Some((left, _)), Some((top, _))) = (columns.first(), rows.first()) {
            if grid.look == Look::Spy {
                let line = Stroke { ink: Ink::Line, width: 1.0, dashed: false };
                scene.shapes.push(Shape::rect((*left, *top), (right - left, bottom - top), None, Some(line)));
            } else {
                // Lines between groups.
                let down = ruled(&columns, &grid.columns.rules[band.start..]).map(|(x, width)| ((x, *top), (x, bottom), width));
                let across = ruled(&rows, &grid.rows.rules).map(|(y, width)| ((*left, y), (right, y), width));
                down.chain(across).for_each(|(from, to, width)| scene.line(from, to, Ink::Rule, width));
            }
        }
        let below = if array && !grid.columns.tiers.is_empty() { bottom + tier_height * 1.1 } else { bottom };
        (scene.w, scene.h) = (scene.w.max(right + 1.0), scene.h.max(below + 1.0));
        let columns = columns.iter().map(|edge| edge.0).chain([right]).collect();
        let rows = rows.iter().map(|edge| (edge.0 + edge.1) / 2.0).collect();
        (scene, Place { line: 0, head: 0.0, top: heads, bottom: below, columns, rows })
    }

    fn cell_at(&self, scene: &mut Scene, cell: &Cell, (x, y): (f64, f64)) {
        let (w, h) = self.cell;
        if self.grid.look == Look::Spy {
            if let Some(class) = cell.class {
                let mark = Shape::rect((x + 0.5, y + 0.5), (w - 1.0, h - 1.0), Some(Ink::Strong(class)), None);
                scene.shapes.push(mark.rounded(1.0));
            }
            return;
        }
        if cell.kind != CellKind::Note {
            let fill = cell.kind.is_element().then(|| cell.class.map_or(Ink::Blank, Ink::Class));
            let line = Stroke { ink: Ink::Line, width: 0.75, dashed: fill.is_none() };
            scene.shapes.push(Shape::rect((x, y), (w, h), fill, Some(line)));
            if cell.kind == CellKind::Marked {
                let ring = Stroke { ink: Ink::Rule, width: 2.0, dashed: false };
                scene.shapes.push(Shape::rect((x + 1.5, y + 1.5), (w - 3.0, h - 3.0), fill, Some(ring)));
            }
        }
        let ink = if cell.kind.is_element() { Ink::Text } else { Ink::Faint };
        scene.centred(&cell.lines, (x + w / 2.0, y + h / 2.0), self.size * 1.2, |_| (self.size, ink));
    }
}

/// Returns the text size of labels beside texts of this size.
fn label_size(size: f64) -> f64 {
    (size * 0.85).max(8.0)
}

/// Returns the positions of lines for rules, and their widths. Gaps have no line.
fn ruled(edges: &[(f64, f64)], rules: &[Rule]) -> impl Iterator<Item = (f64, f64)> {
    edges.iter().zip(rules).skip(1).filter_map(|(edge, rule)| match rule {
        Rule::Thin => Some((edge.0, 1.5)),
        Rule::Thick => Some((edge.0, 2.5)),
        Rule::None | Rule::Gap => None,
    })
}

/// Returns the two edges of each row or column in `range`, of size `step` each, from `at` on.
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
