//! Which thread has which element of a tensor, and as which of its values.

use super::function::{Function, Value};
use super::layout::{By, Style, class_of_index, sheets};
use super::{Picture, Rule, items};

/// `threads LAYOUT THREADS VALUES`: each thread has a block of the shape of VALUES, the threads lie as THREADS says, and the whole repeats.
pub fn picture(layout: Value, threads: Value, values: Value, style: Style) -> Result<Picture, String> {
    let (f, t, v) = (Function::new(layout)?, Function::new(threads)?, Function::new(values)?);
    let modes = f.modes.len();
    for (what, g) in [("threads", &t), ("values", &v)] {
        if g.modes.len() != modes {
            return Err(format!("the {what} {} have {} modes, but {layout} has {modes}", g.value, g.modes.len()));
        }
    }
    for mode in 0..modes {
        let (whole, threads, values) = (f.extent(mode), t.extent(mode), v.extent(mode));
        if whole % (threads * values) != 0 {
            return Err(format!("mode {mode}: {threads} threads of {values} values do not divide the extent {whole} of {layout}"));
        }
    }
    // The number of a coordinate among the threads, and among the values of one.
    let place = |k: usize| {
        let (mut thread, mut value, mut steps) = (0, 0, (1, 1));
        for (mode, digit) in f.digits(k).into_iter().enumerate() {
            let (threads, values) = (t.extent(mode), v.extent(mode));
            thread += digit / values % threads * steps.0;
            value += digit % values * steps.1;
            steps = (steps.0 * threads, steps.1 * values);
        }
        (thread, value)
    };
    let cell = |k: usize| {
        let (thread, value) = place(k);
        let by = style.by.filter(|by| *by != By::Thread);
        let mut cell = Style { by, ..style }.cell(&f, k, Some(class_of_index(t.index(thread)?)))?;
        if style.cells.is_none() {
            cell.lines = vec![format!("T{}", t.at(thread)?), format!("V{}", v.at(value)?)];
        }
        Ok(cell)
    };
    let title = format!("threads {threads} with values {values} over {layout}");
    let mut grids = sheets(&f, &title, cell)?;
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
