//! The threads that hold the elements of a tensor, and the number of each element among the values of its thread.

use super::function::{Function, Value};
use super::layout::{By, Style, sheets};
use super::{COLOURS, Cell, CellKind, Grid, Picture, Rule, items};
use crate::words::many;

/// Draws `threads LAYOUT THREADS VALUES`: each thread holds a block of shape VALUES, THREADS arranges the threads, the whole repeats.
pub fn blocks(layout: Value, threads: Value, values: Value, style: Style, only: Option<usize>) -> Result<Picture, String> {
    let (f, t, v) = (Function::new(layout)?, Function::new(threads)?, Function::new(values)?);
    let modes = f.modes.len();
    for (what, g) in [("threads", &t), ("values", &v)] {
        if g.modes.len() != modes {
            return Err(format!("the {what} {} have {}, but {layout} has {modes}", g.value, many(g.modes.len() as i128, "mode")));
        }
    }
    for mode in 0..modes {
        let (whole, threads, values) = (f.extent(mode), t.extent(mode), v.extent(mode));
        if whole % (threads * values) != 0 {
            return Err(format!("mode {mode}: {threads} threads of {values} values do not divide the extent {whole} of {layout}"));
        }
    }
    // Returns the thread of coordinate number `k`, and its value there.
    let place = |k: usize| {
        let (mut thread, mut value, mut steps) = (0, 0, (1, 1));
        for (mode, digit) in f.digits(k).into_iter().enumerate() {
            let (threads, values) = (t.extent(mode), v.extent(mode));
            thread += digit / values % threads * steps.0;
            value += digit % values * steps.1;
            steps = (steps.0 * threads, steps.1 * values);
        }
        Ok::<(i64, i64), String>((t.index(thread)?, v.index(value)?))
    };
    let title = format!("threads {threads} with values {values} over {layout}");
    let mut grids = sheets(&f, &title, |k| held(&f, k, &[place(k)?], style, only))?;
    let rule = |mode: usize| {
        let (threads, values) = (t.extent(mode), v.extent(mode));
        move |k: usize| match k {
            _ if k.is_multiple_of(threads * values) => Rule::Thick,
            _ if k.is_multiple_of(values) => Rule::Thin,
            _ => Rule::None,
        }
    };
    for grid in &mut grids {
        let (rows, columns) = (std::mem::take(&mut grid.rows), std::mem::take(&mut grid.columns));
        grid.columns = columns.ruled(rule(if modes < 2 { 0 } else { 1 }));
        grid.rows = if modes < 2 { rows } else { rows.ruled(rule(0)) };
    }
    let description = format!(
        "{layout} over {} threads, placed by {threads}, each with {} values, placed by {values}: T is the thread of an element, V its value.",
        t.size(),
        v.size()
    );
    Picture { title, description, lines: vec![items(grids)], arrows: Vec::new() }.checked()
}

/// Draws `threads LAYOUT PLACES`: PLACES maps a thread (mode 0) and a value (other modes) to an integer coordinate of LAYOUT.
pub fn places(layout: Value, places: Value, style: Style, only: Option<usize>) -> Result<Picture, String> {
    let title = format!("threads and values {places} over {layout}");
    let (grids, threads, values) = placed(layout, places, &title, style, only)?;
    let description = format!(
        "{layout} over {threads} threads with {values} values each, placed by {places}: T is the thread of an element, V its value.",
    );
    Picture { title, description, lines: vec![items(grids)], arrows: Vec::new() }.checked()
}

/// Returns the grids of [`places`] under a caption, the number of threads, and the number of values per thread. Fails if a
/// coordinate of `places` is outside of `layout`.
pub fn placed(layout: Value, places: Value, caption: &str, style: Style, only: Option<usize>) -> Result<(Vec<Grid>, usize, usize), String> {
    let (f, tv) = (Function::new(layout)?, Function::new(places)?);
    let threads = tv.extent(0);
    let mut holders = vec![Vec::new(); f.size()];
    for k in 0..tv.size() {
        let at = tv.index(k)?;
        let of = usize::try_from(at).ok().and_then(|at| holders.get_mut(at));
        let of = of.ok_or_else(|| format!("{places} takes thread {} to {at}, which is no coordinate of {layout}", k % threads))?;
        of.push(((k % threads) as i64, (k / threads) as i64));
    }
    let grids = sheets(&f, caption, |k| held(&f, k, &holders[k], style, only))?;
    Ok((grids, threads, tv.size() / threads))
}

/// Returns the cell of coordinate number `k`. `holders` are pairs of thread and value; the cells of thread `only` are emphasized.
fn held(f: &Function, k: usize, holders: &[(i64, i64)], style: Style, only: Option<usize>) -> Result<Cell, String> {
    let by = style.by.filter(|by| *by != By::Thread);
    let own = holders.first().map(|(thread, _)| thread.rem_euclid(COLOURS as i64) as usize);
    let mut cell = Style { by, ..style }.cell(f, k, own)?;
    if style.cells.is_none() {
        cell.lines = match holders {
            [] => vec!["-".into()],
            [(thread, value)] => vec![format!("T{thread}"), format!("V{value}")],
            [(first, value), .., (last, _)] => vec![format!("T{first}..{last}"), format!("V{value}")],
        };
    }
    if only.is_some_and(|only| holders.iter().any(|(thread, _)| *thread == only as i64)) {
        cell.kind = CellKind::Marked;
    }
    Ok(cell)
}
