//! Grids as lines: labels, a frame, rules between groups, and bands of columns if a grid is wider than the terminal.

use super::paint::{Line, Paint};
use crate::view::picture::text::{columns as width_of, cut};
use crate::view::picture::{Axis, Cell, CellKind, Grid, Label, Look, Rule};
use std::ops::Range;

/// A grid with its measured widths.
struct Table<'a> {
    grid: &'a Grid,
    /// The number of terminal columns of the text of a cell.
    cell: usize,
    /// The number of terminal columns of each tier of row labels.
    labels: Vec<usize>,
}

/// Returns the number of terminal columns of the widest text of a cell, or that the labels above need. Marks have no text.
pub fn cell_width(grid: &Grid) -> usize {
    let text = |cell: &Cell| width_of(&cell.lines.join(" "));
    let cells = grid.cells.iter().map(text).max().unwrap_or(0);
    // Each label fits the cells below it.
    let tiers = grid.columns.tiers.iter().flatten().map(|label| (width_of(&label.text) + 1).div_ceil(label.span).saturating_sub(1));
    if grid.look == Look::Spy { 0 } else { cells.max(tiers.max().unwrap_or(0)) }
}

/// Returns the lines of a grid below its caption, at most `width` columns wide. Array names take at least `name` columns, cells `cell`.
pub fn lines(grid: &Grid, width: usize, name: usize, cell: usize) -> Vec<Line> {
    let label_width = |tier: &Vec<Label>| tier.iter().map(|label| width_of(&label.text)).max().unwrap_or(0);
    let mut table = Table { grid, cell: 0, labels: grid.rows.tiers.iter().map(label_width).collect() };
    if let (Look::Array, Some(first)) = (grid.look, table.labels.first_mut()) {
        *first = name.max(*first);
    }
    if grid.look != Look::Spy {
        table.cell = cell_width(grid).max(cell).min(width.saturating_sub(table.left() + 4).max(1));
    }
    let room = width.saturating_sub(table.left() + 3);
    let mut out = Vec::new();
    for band in grid.columns.bands(grid.look, |band| table.span(&band) <= room) {
        if band.start > 0 && grid.look != Look::Array {
            out.push(Line::of(format!("… from column {}", band.start), Paint::Faint));
        }
        out.extend(table.draw(band));
    }
    out
}

impl Table<'_> {
    /// Returns the number of terminal columns of the row labels.
    fn left(&self) -> usize {
        self.labels.iter().map(|width| width + 1).sum()
    }

    fn step(&self) -> usize {
        if self.grid.look == Look::Spy { 1 } else { self.cell + 1 }
    }

    fn rule(&self, column: usize, band: &Range<usize>) -> Rule {
        if column == band.start || self.grid.look == Look::Spy { Rule::None } else { self.grid.columns.rules[column] }
    }

    /// Returns the number of terminal columns of the cells of a band and of the rules between them.
    fn span(&self, band: &Range<usize>) -> usize {
        let rules = band.clone().filter(|column| self.rule(*column, band) > Rule::None).count();
        band.len() * self.step() + 2 * rules
    }

    fn draw(&self, band: Range<usize>) -> Vec<Line> {
        let grid = self.grid;
        let mut out: Vec<Line> = (0..grid.columns.tiers.len()).filter_map(|tier| self.head(tier, &band)).collect();
        let boxed = grid.look != Look::Array;
        out.extend(boxed.then(|| self.border(['┌', '┬', '╥', '┐'], false, &band)));
        for row in 0..grid.rows.len {
            let rule = grid.rows.rules.get(row).copied().unwrap_or_default();
            if row > 0 && rule > Rule::None && grid.look != Look::Spy {
                let double = rule > Rule::Thin;
                out.push(self.border(if double { ['╞', '╪', '╬', '╡'] } else { ['├', '┼', '╫', '┤'] }, double, &band));
            }
            out.push(self.row(row, &band));
        }
        out.extend(boxed.then(|| self.border(['└', '┴', '╨', '┘'], false, &band)));
        out
    }

    /// Returns the line of the labels of a tier above the columns, or `None` if all are empty.
    fn head(&self, tier: usize, band: &Range<usize>) -> Option<Line> {
        if self.grid.look == Look::Spy {
            return Some(self.ends(tier, band));
        }
        let mut line = Line::of(" ".repeat(self.left() + 1), Paint::Faint);
        let mut any = false;
        for (over, label) in Axis::labels(&self.grid.columns.tiers[tier]) {
            let here = over.start.max(band.start)..over.end.min(band.end);
            if here.is_empty() {
                continue;
            }
            // The columns of a rule belong to the label before it.
            let room = self.span(&here);
            if self.rule(here.start, band) > Rule::None {
                line.push("  ", Paint::Faint);
            }
            any |= !label.text.is_empty();
            let text = cut(&label.text, room.max(width_of(&label.text).min(2)));
            let space = room.saturating_sub(width_of(&text));
            // Align right over a single column, as the numbers below are; centre over several.
            let before = if label.span == 1 { space } else { space.div_ceil(2) };
            line.push(format!("{}{text}{}", " ".repeat(before), " ".repeat(space - before)), Paint::Faint);
        }
        any.then_some(line)
    }

    /// Returns the line with the labels of the first and the last mark only: marks are narrower than their labels.
    fn ends(&self, tier: usize, band: &Range<usize>) -> Line {
        let labels = &self.grid.columns.tiers[tier];
        let text = |at: Option<usize>| at.and_then(|at| labels.get(at)).map_or("", |label| label.text.as_str());
        let (first, last) = (text(Some(band.start)), if band.len() > 1 { text(band.end.checked_sub(1)) } else { "" });
        let space = (band.len() + 1).saturating_sub(width_of(first) + width_of(last)).max(1);
        Line::of(format!("{}{first}{}{last}", " ".repeat(self.left() + 1), " ".repeat(space - 1)), Paint::Faint)
    }

    /// Returns a line across the frame. `left` and `right` are its ends, `thin` and `thick` its crossings with rules.
    fn border(&self, [left, thin, thick, right]: [char; 4], double: bool, band: &Range<usize>) -> Line {
        let stroke = if double { "═" } else { "─" };
        let mut text = format!("{}{left}", " ".repeat(self.left()));
        for column in band.clone() {
            match self.rule(column, band) {
                Rule::None => {}
                Rule::Thin => text.extend([stroke, &thin.to_string()]),
                Rule::Thick | Rule::Gap => text.extend([stroke, &thick.to_string()]),
            }
            text.push_str(&stroke.repeat(self.step()));
        }
        text.push_str(if self.grid.look == Look::Spy { "" } else { stroke });
        text.push(right);
        Line::of(text, Paint::Faint)
    }

    fn row(&self, row: usize, band: &Range<usize>) -> Line {
        let mut line = Line::default();
        for (tier, width) in self.grid.rows.tiers.iter().zip(&self.labels) {
            // A label stands at the first row that it covers.
            let label = Axis::labels(tier).find(|(over, _)| over.start == row);
            // A mark replaces the name of an array in its later bands.
            let goes_on = self.grid.look == Look::Array && band.start > 0;
            let text = if goes_on { "…" } else { label.map_or("", |(_, label)| label.text.as_str()) };
            line.push(format!("{}{text} ", " ".repeat(width - width_of(text))), Paint::Faint);
        }
        line.push("│", Paint::Faint);
        for column in band.clone() {
            match self.rule(column, band) {
                Rule::None => {}
                Rule::Thin => line.push(" │", Paint::Faint),
                Rule::Thick | Rule::Gap => line.push(" ║", Paint::Faint),
            }
            self.cell(&self.grid.cells[row * self.grid.columns.len + column], &mut line);
        }
        line.push(if self.grid.look == Look::Spy { "│" } else { " │" }, Paint::Faint);
        line
    }

    fn cell(&self, cell: &Cell, line: &mut Line) {
        let paint = cell.class.map_or(Paint::Plain, Paint::Class);
        if self.grid.look == Look::Spy {
            return line.push(if cell.class.is_some() { "#" } else { "·" }, paint);
        }
        let text = match cell.kind {
            CellKind::Outside => "-".into(),
            _ => cut(&cell.lines.join(" "), self.cell),
        };
        let paint = if cell.kind.is_element() { paint } else { Paint::Faint };
        line.push(format!(" {}{text}", " ".repeat(self.cell.saturating_sub(width_of(&text)))), paint);
    }
}
