//! The positions of the stored elements of a matrix.

use super::{Axis, Cell, Grid, Label, Look};

/// The maximum numbers of rows and columns of a matrix whose elements are drawn as cells.
const MOST_CELLS: (usize, usize) = (24, 20);
/// The maximum numbers of rows and columns of marks.
pub const MOST_MARKS: (usize, usize) = (48, 60);

/// An element of a sheet of a tensor: the number of the sheet, row and column from 0, the text and the class that gives the
/// colour.
pub struct Element {
    pub sheet: usize,
    pub row: usize,
    pub column: usize,
    pub text: String,
    pub class: usize,
}

/// Returns the elements of a matrix of this shape as a grid: as cells, or in a large matrix as marks for several coordinates
/// each.
pub fn spy<'e>(caption: String, (rows, columns): (usize, usize), elements: impl IntoIterator<Item = &'e Element>) -> Grid {
    if rows <= MOST_CELLS.0 && columns <= MOST_CELLS.1 {
        let mut cells = vec![Cell::default(); rows * columns];
        for element in elements {
            if let Some(cell) = cells.get_mut(element.row * columns + element.column) {
                // The elements of a multigraph that share their coordinates share a cell.
                cell.lines = vec![cell.lines.first().map_or(element.text.clone(), |text| format!("{text},{}", element.text))];
                cell.class = Some(element.class);
            }
        }
        return Grid { caption, rows: Axis::numbered(rows), columns: Axis::numbered(columns), cells, look: Look::Table };
    }
    marks(caption, (rows, columns), |mark| elements.into_iter().for_each(|element| mark(element.row, element.column, element.class)))
}

/// Returns the elements of a large matrix as a grid of marks for several coordinates each. `visit` calls its argument with the
/// row, the column and the class of each element.
pub fn marks(caption: String, (rows, columns): (usize, usize), visit: impl FnOnce(&mut dyn FnMut(usize, usize, usize))) -> Grid {
    let step = (rows.div_ceil(MOST_MARKS.0).max(1), columns.div_ceil(MOST_MARKS.1).max(1));
    let (down, across) = (rows.div_ceil(step.0), columns.div_ceil(step.1));
    let mut cells = vec![Cell::default(); down * across];
    visit(&mut |row, column, class| {
        if let Some(cell) = cells.get_mut(row / step.0 * across + column / step.1) {
            cell.class = Some(class);
        }
    });
    let caption = match step {
        (1, 1) => caption,
        _ => format!("{caption}, a mark for {} × {}", step.0, step.1),
    };
    Grid { caption, rows: ends(rows, down), columns: ends(columns, across), cells, look: Look::Spy }
}

/// Returns an axis of `places` marks for `len` coordinates, with the first and the last coordinate as labels.
fn ends(len: usize, places: usize) -> Axis {
    let label = |k: usize| match k {
        0 => "0".into(),
        k if k + 1 == places => (len - 1).to_string(),
        _ => String::new(),
    };
    Axis { tiers: vec![(0..places).map(|k| Label::one(label(k))).collect()], ..Axis::plain(places) }
}
