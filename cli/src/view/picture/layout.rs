//! A layout as grids: mode 0 runs down, mode 1 across, and each coordinate of the other modes has a sheet.

use super::function::{Function, Value};
use super::{Axis, CLASSES, Cell, Grid, Look, Picture, class_of, items};

/// The property that colours a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum By {
    /// The index, modulo the number of colours.
    Index,
    /// The block: every sub-mode but the first of each mode. If no mode is nested, the column.
    Mode,
    /// The thread. The same as `index` in pictures without threads.
    Thread,
}

/// The text of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Cells {
    /// The index.
    Index,
    /// The coordinate.
    Coordinate,
}

/// The user's choices for a picture. Each kind of picture has its own defaults.
#[derive(Clone, Copy, Default)]
pub struct Style {
    pub by: Option<By>,
    pub cells: Option<Cells>,
}

impl Style {
    /// Returns the style with `index` as the default colour.
    pub fn or_index(self) -> Style {
        Style { by: self.by.or(Some(By::Index)), ..self }
    }

    /// Names the texts of the cells, for captions.
    pub fn what(self) -> &'static str {
        if self.cells == Some(Cells::Coordinate) { "coordinates" } else { "indices" }
    }

    /// Returns the cell of coordinate number `k`, in the chosen colour, or in the colour `own` if none is chosen.
    pub fn cell(self, f: &Function, k: usize, own: Option<usize>) -> Result<Cell, String> {
        let text = if self.cells == Some(Cells::Coordinate) { f.coordinate(k)? } else { f.at(k)?.to_string() };
        let class = match self.by {
            None => own,
            Some(By::Mode) => Some(block_class(f, k)),
            Some(_) => Some(class_of_index(f.index(k)?)),
        };
        Ok(Cell::of(text, class))
    }

    /// Returns the grids of a function, one for each coordinate beyond mode 1. `own` gives the default colour of each
    /// coordinate number.
    pub fn sheets(self, f: &Function, caption: &str, own: impl Fn(usize) -> Option<usize>) -> Result<Vec<Grid>, String> {
        sheets(f, caption, |k| self.cell(f, k, own(k)))
    }
}

pub fn class_of_index(index: i64) -> usize {
    index.rem_euclid(CLASSES as i64) as usize
}

/// Returns the class of the block that contains coordinate number `k`: the column if no mode is nested.
fn block_class(f: &Function, k: usize) -> usize {
    let digits = f.digits(k);
    if f.modes.iter().all(|extents| extents.len() <= 1) {
        return class_of(digits.into_iter().skip(1));
    }
    class_of(digits.iter().zip(&f.modes).map(|(digit, extents)| if extents.len() > 1 { digit / extents[0].max(1) } else { 0 }))
}

/// Returns one grid for each coordinate of the modes beyond mode 1. `cell` makes the cell of a coordinate number. Fails if
/// `cell` does.
pub fn sheets(f: &Function, caption: &str, cell: impl Fn(usize) -> Result<Cell, String>) -> Result<Vec<Grid>, String> {
    let axis = |mode: usize| f.modes.get(mode).map_or(Axis::plain(1), |extents| Axis::of_leaves(extents));
    // A single mode is drawn as a row.
    let (rows, columns) = if f.modes.len() < 2 { (Axis::plain(1), axis(0)) } else { (axis(0), axis(1)) };
    let plane = rows.len * columns.len;
    (0..f.size() / plane)
        .map(|sheet| {
            let number = |at: usize| sheet * plane + at / columns.len + rows.len * (at % columns.len);
            let cells = (0..plane).map(|at| cell(number(at))).collect::<Result<_, _>>()?;
            let caption = match &f.digits(sheet * plane)[..] {
                [_, _, rest @ ..] if !rest.is_empty() => {
                    let rest: Vec<String> = rest.iter().map(usize::to_string).collect();
                    let at = format!("at (_,_,{})", rest.join(","));
                    if sheet == 0 { format!("{caption}\n{at}") } else { at }
                }
                _ => caption.to_owned(),
            };
            Ok(Grid { caption, rows: rows.clone(), columns: columns.clone(), cells, look: Look::Table })
        })
        .collect()
}

/// Draws `layout LAYOUT`: a grid of cells for each coordinate of the modes beyond mode 1.
pub fn picture(layout: Value, style: Style) -> Result<Picture, String> {
    let f = Function::new(layout)?;
    let title = layout.to_string();
    let grids = style.or_index().sheets(&f, &title, |_| None)?;
    let description = format!("The {} of the layout {title}, of size {}.", style.what(), f.size());
    Picture { title, description, lines: vec![items(grids)], arrows: Vec::new() }.checked()
}
