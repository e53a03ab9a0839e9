//! The layouts that are chosen for a tile program.

use super::function::{Function, Value};
use super::layout::{Style, sheets};
use super::threads::placed;
use super::{COLOURS, Grid, Picture, items};
use crd2idx::algebra::expression::Parser;
use crd2idx::algebra::memory::Banks;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::choice::{TileChoice, TileMemory, TileTensor};
use crd2idx::error::Op;
use crd2idx::graph::nearest;

/// Draws `choice FILE [TILE]`: the threads and values of the tiles in registers; of those in shared memory the elements, in the
/// colours of their banks. Without `only`, all tiles.
pub fn picture(choice: &TileChoice, only: Option<&str>, style: Style) -> Result<Picture, String> {
    let program = choice.program();
    let drawn = || program.tensors().iter().filter(|tensor| tensor.memory() != TileMemory::Global);
    if let Some(only) = only.filter(|only| drawn().all(|tensor| tensor.name() != *only)) {
        let names = || drawn().map(TileTensor::name);
        let hint = nearest(only, names()).map_or(".".to_owned(), |near| format!(", did you mean {near}?"));
        return Err(format!(
            "no tile in registers or in shared memory is called {only}{hint} There are {}",
            names().collect::<Vec<_>>().join(", ")
        ));
    }
    let mut lines = Vec::new();
    for tensor in drawn().filter(|tensor| only.is_none_or(|only| tensor.name() == only)) {
        if let Some(layout) = choice.layout(tensor.name()) {
            lines.push(items(tile(tensor, &layout, program.banks(), style)?));
        }
    }
    let title = format!("layouts of {}", program.name());
    let description = format!(
        "The tiles of {} for {} threads. In registers, T is the thread of an element and V its value; in shared memory, colours are banks modulo {COLOURS}.",
        program.name(),
        program.threads()
    );
    let picture = Picture { title, description, lines, arrows: Vec::new() };
    let cells = |picture: &Picture| picture.grids().map(|grid| grid.cells.len()).sum::<usize>();
    if only.is_none() && cells(&picture) > super::MOST_CELLS {
        return Err(format!("the tiles have {} cells, and a picture at most {}: name one tile", cells(&picture), super::MOST_CELLS));
    }
    picture.checked()
}

/// Returns the grids of a tile.
fn tile(tensor: &TileTensor, layout: &str, banks: Banks, style: Style) -> Result<Vec<Grid>, String> {
    let read = |text: &str| -> Result<Value, String> {
        Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).map_err(|error| error.to_string())
    };
    let caption = format!("{}: {layout}", tensor.name());
    if tensor.memory() == TileMemory::Registers {
        let columns: Vec<i64> = (0..tensor.extents().len()).map(|mode| tensor.extents()[..mode].iter().product()).collect();
        let list = |of: &[i64]| of.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let (grids, ..) =
            placed(read(&format!("({}):({})", list(tensor.extents()), list(&columns)))?, read(layout)?, &caption, style, None)?;
        return Ok(grids);
    }
    let f = Function::new(read(layout)?)?;
    let bank = |k: usize| Ok::<_, String>(banks.bank(f.index(k)? * i64::from(tensor.element_bits()) / 8) as usize % COLOURS);
    sheets(&f, &caption, |k| style.cell(&f, k, Some(bank(k)?)))
}
