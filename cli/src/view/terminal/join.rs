//! Items side by side if the terminal is wide enough, otherwise below each other.

use super::paint::{Line, Paint};
use super::{table, tree};
use crate::view::picture::text::{columns, wrap};
use crate::view::picture::{Grid, Item, Look, Picture};

/// The space between items that stand side by side.
const GAP: &str = "   ";

/// Returns the lines of a picture, at most `width` columns wide.
pub fn picture(picture: &Picture, width: usize) -> Vec<Line> {
    let turned = picture.arrows.iter().any(|arrow| arrow.turns);
    let cells = [Look::Table, Look::Array].map(|look| common_cell(picture, look, width));
    let mut out = Vec::new();
    for items in &picture.lines {
        let mut row: Vec<Vec<Line>> = Vec::new();
        for item in items {
            let block = item_lines(item, width, cells);
            let between = if turned && !row.is_empty() { 3 } else { 0 };
            let used: usize = row.iter().map(|block| wide(block) + GAP.len()).sum();
            if !row.is_empty() && used + between + wide(&block) > width {
                flush(&mut row, turned, &mut out);
                if turned {
                    out.push(Line::of("↓", Paint::Faint));
                }
            }
            row.push(block);
        }
        flush(&mut row, turned, &mut out);
    }
    out
}

/// Returns the cell width, in columns of the terminal, that all grids of this look share, so that equal columns align. Returns
/// 0 if they do not all fit with it.
fn common_cell(picture: &Picture, look: Look, width: usize) -> usize {
    let grids = || picture.grids().filter(|grid| grid.look == look);
    let cell = grids().map(table::cell_width).max().unwrap_or(0);
    let labels = |grid: &Grid| grid.rows.tiers.iter().flatten().map(|label| columns(&label.text) + 1).max().unwrap_or(0);
    let fits = |grid: &Grid| labels(grid) * grid.rows.tiers.len() + 4 + grid.columns.len * (cell + 3) <= width;
    if grids().all(fits) { cell } else { 0 }
}

fn wide(block: &[Line]) -> usize {
    block.iter().map(Line::width).max().unwrap_or(0)
}

/// Puts blocks side by side. If rows become columns, an arrow stands between them.
fn flush(row: &mut Vec<Vec<Line>>, turned: bool, out: &mut Vec<Line>) {
    if row.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push(Line::default());
    }
    let height = row.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = row.iter().map(|block| wide(block)).collect();
    for at in 0..height {
        let mut line = Line::default();
        for (k, (block, width)) in row.iter().zip(&widths).enumerate() {
            if k > 0 {
                let between = match turned {
                    true if at == height / 2 => "   → ",
                    true => "     ",
                    false => GAP,
                };
                line.push(between, Paint::Faint);
            }
            line.extend(block.get(at).cloned().unwrap_or_default().padded(*width));
        }
        out.push(line);
    }
    row.clear();
}

fn item_lines(item: &Item, width: usize, cells: [usize; 2]) -> Vec<Line> {
    match item {
        Item::Graph(flow) => tree::lines(flow, width),
        Item::Stack(grids) => {
            // Arrays below one another begin at one column.
            let names = grids.iter().filter(|grid| grid.look == Look::Array).flat_map(|grid| grid.rows.tiers.iter().flatten());
            let name = names.map(|label| columns(&label.text)).max().unwrap_or(0);
            grids.iter().flat_map(|grid| grid_lines(grid, width, name, cells[usize::from(grid.look == Look::Array)])).collect()
        }
    }
}

fn grid_lines(grid: &Grid, width: usize, name: usize, cell: usize) -> Vec<Line> {
    let body = table::lines(grid, width, name, cell);
    // A caption may be wider than a narrow grid, but not much.
    let most = width.min(wide(&body).max(48));
    let caption = if grid.caption.is_empty() { Vec::new() } else { wrap(&grid.caption, most, columns) };
    caption.into_iter().map(|line| Line::of(line, Paint::Plain)).chain(body).collect()
}
