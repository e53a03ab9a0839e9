//! Layouts in tiles: divides, products, and the tiles of a tensor.

use super::function::{Function, Value, applied, digits};
use super::layout::Style;
use super::{Axis, Cell, CellKind, Grid, Label, Look, Picture, Rule, class_of, items};
use crate::words::many;
use crd2idx::algebra::expression::Operand;
use crd2idx::error::Op;

/// Returns the axis with a thick rule between neighbours whose groups differ in each of the `lines` across the axis. If all
/// neighbours differ so, it has no rules.
///
/// `group` receives a line and a position on the axis, both from 0, and returns the group of that cell.
fn group_rules(axis: Axis, lines: usize, group: impl Fn(usize, usize) -> usize) -> Axis {
    let differs = |k: usize| (0..lines).all(|line| group(line, k - 1) != group(line, k));
    if axis.len < 2 || (1..axis.len).all(differs) {
        return axis.ruled(|_| Rule::None);
    }
    axis.ruled(|k| if differs(k) { Rule::Thick } else { Rule::None })
}

/// Draws `divide LAYOUT TILER`: the layout with its tiles, and the divide with a column for each tile.
pub fn divide(layout: Value, tiler: Value, style: Style) -> Result<Picture, String> {
    let f = Function::new(layout)?;
    let divided = Function::new(applied(Op::ZippedDivide, &[layout, tiler])?)?;
    // The same divide of the coordinate numbers tells which tile each element is in.
    let places = Function::new(applied(Op::ZippedDivide, &[f.natural()?, tiler])?)?;
    let tile = divided.extent(0);
    let mut tile_of = vec![0; f.size()];
    for k in 0..places.size() {
        let place = usize::try_from(places.index(k)?).ok().and_then(|at| tile_of.get_mut(at));
        *place.ok_or_else(|| format!("{tiler} names elements that {layout} does not have"))? = k / tile;
    }
    let tiles = divided.modes.get(1).cloned().unwrap_or_default();
    let class = |tile: usize| Some(class_of(digits(tile, tiles.iter().copied())));
    let mut left = style.sheets(&f, &layout.to_string(), |k| class(tile_of[k]))?;
    let (rows, columns) = if f.modes.len() < 2 { (1, f.extent(0)) } else { (f.extent(0), f.extent(1)) };
    for (sheet, grid) in left.iter_mut().enumerate() {
        let group = |row: usize, column: usize| tile_of[sheet * rows * columns + row + rows * column];
        grid.columns = group_rules(std::mem::take(&mut grid.columns), rows, group);
        grid.rows = group_rules(std::mem::take(&mut grid.rows), columns, |column, row| group(row, column));
    }
    let caption = format!("zipped_divide by {tiler} = {}", divided.value);
    let right = style.sheets(&divided, &caption, |k| class(k / tile))?;
    let title = format!("zipped_divide({layout}, {tiler})");
    let description = format!(
        "{layout} in {} tiles of {tile} elements, a colour for each tile, and its zipped divide by {tiler}: {}, a column for each tile.",
        divided.size() / tile,
        divided.value
    );
    let lines = vec![items(left.into_iter().chain(right))];
    Picture { title, description, lines, arrows: Vec::new() }.checked()
}

/// Draws `product A B`: the logical product with a column for each copy of A, and the blocked product if there is one.
pub fn product(a: Value, b: Value, style: Style) -> Result<Picture, String> {
    let (fa, fb) = (Function::new(a)?, Function::new(b)?);
    let result = Function::new(applied(Op::LogicalProduct, &[a, b])?)?;
    let class = |copy: usize| Some(class_of(fb.digits(copy)));
    let first = style.sheets(&fa, &format!("A = {a}"), |_| None)?.into_iter().chain(style.sheets(&fb, &format!("B = {b}"), class)?);
    let size = fa.size();
    let copies = style.sheets(&result, &format!("logical_product(A, B) = {}", result.value), |k| class(k / size))?;
    let mut lines = vec![items(first), items(copies)];
    if fa.modes.len() == fb.modes.len() && fa.modes.len() > 1 {
        let blocked = Function::new(applied(Op::BlockedProduct, &[a, b])?)?;
        let copy = |k: usize| {
            let mut step = 1;
            let places = blocked.digits(k).into_iter().enumerate().map(|(mode, digit)| {
                let place = digit / fa.extent(mode) * step;
                step *= fb.extent(mode);
                place
            });
            class(places.sum())
        };
        lines.push(items(style.sheets(&blocked, &format!("blocked_product(A, B) = {}", blocked.value), copy)?));
    }
    let description = format!("Copies of A = {a} placed by B = {b}: the logical product {}, a colour for each copy.", result.value);
    Picture { title: format!("logical_product({a}, {b})"), description, lines, arrows: Vec::new() }.checked()
}

/// Draws `tile LAYOUT TILE`: the tensor cut into tiles. The cells of a last tile beyond the tensor are empty.
pub fn tile(layout: Value, tile: Value, style: Style) -> Result<Picture, String> {
    let f = Function::new(layout)?;
    let modes = f.modes.len().max(1);
    if modes > 2 {
        return Err(format!("{layout} has {modes} modes: tiles are drawn of one or two, like slice({layout}, (_,_,0))"));
    }
    let Operand::Tuple(given) = tile else { return Err(format!("{tile} is not a tile: write its extents, like (4,8)")) };
    if given.len() > modes {
        return Err(format!(
            "the tile {tile} has {} for the {} of {layout}",
            many(given.len() as i128, "extent"),
            many(modes as i128, "mode")
        ));
    }
    let extent = |mode: usize| -> Result<(usize, usize), String> {
        let whole = f.extent(mode);
        if mode >= given.len() || given.leaf(mode).is_keep() {
            return Ok((whole, whole));
        }
        match given.leaf(mode).value().and_then(|n| usize::try_from(n).ok()) {
            Some(n) if n > 0 => Ok((whole, n)),
            _ => Err(format!("the tile {tile} has no elements in mode {mode}")),
        }
    };
    let (down, across) = if modes == 1 { ((1, 1), extent(0)?) } else { (extent(0)?, extent(1)?) };
    let axis = |(whole, tile): (usize, usize), labels: bool| {
        let tiles = whole.div_ceil(tile);
        let len = tiles.checked_mul(tile).filter(|len| *len <= super::MOST_CELLS).ok_or_else(|| super::too_many(whole.max(tile)))?;
        let axis = Axis::plain(len).ruled(|k| if k % tile == 0 { Rule::Gap } else { Rule::None });
        let outer = (0..tiles).map(|k| Label { span: tile, text: format!("tile {k}") }).collect();
        let inner = (0..len).map(|k| Label::one(if k < whole { k.to_string() } else { String::new() })).collect();
        Ok::<_, String>(if labels { Axis { tiers: vec![outer, inner], ..axis } } else { axis })
    };
    let (rows, columns) = (axis(down, modes > 1)?, axis(across, true)?);
    if rows.len * columns.len > super::MOST_CELLS {
        return Err(super::too_many(rows.len * columns.len));
    }
    let cell = |at: usize| {
        let (row, column) = (at / columns.len, at % columns.len);
        if row >= down.0 || column >= across.0 {
            return Ok(Cell { kind: CellKind::Outside, ..Cell::default() });
        }
        let k = row + down.0 * column;
        style.cell(&f, k, Some(class_of([row / down.1, column / across.1])))
    };
    let cells = (0..rows.len * columns.len).map(cell).collect::<Result<_, String>>()?;
    let title = format!("{layout} in tiles of {tile}");
    let outside = rows.len * columns.len - f.size();
    let rest = if outside > 0 { format!(" {outside} places of the last tiles are beyond it.") } else { String::new() };
    let description = format!("The {} of {layout} in tiles of {tile}, a colour for each.{rest}", style.what());
    let grid = Grid { caption: title.clone(), rows, columns, cells, look: Look::Table };
    Picture { title, description, lines: vec![items([grid])], arrows: Vec::new() }.checked()
}
