//! Layouts beside their results: compositions, swizzles, transpositions.

use super::function::{Function, Value, applied, integer};
use super::layout::{Style, class_of_index};
use super::{Arrow, CLASSES, Picture, items};
use crd2idx::algebra::expression::{Operand, Parser};
use crd2idx::algebra::value::ExprGraph;
use crd2idx::error::Op;

/// The maximum number of arrows of a transposition.
const MOST_ARROWS: usize = 16;

/// Draws `compose A B`: A, with the elements that B selects in colour; B; and A(B) in the same colours.
pub fn compose(a: Value, b: Value, style: Style) -> Result<Picture, String> {
    let (fa, result) = (Function::new(a)?, Function::new(applied(Op::Composition, &[a, b])?)?);
    // Draw a tiler as the coordinate numbers that it selects.
    let fb = match b {
        Operand::Layout(_) => Function::new(b)?,
        _ => Function::new(applied(Op::Composition, &[fa.natural()?, b])?)?,
    };
    let named = (0..fb.size()).map(|k| fb.index(k)).collect::<Result<Vec<_>, _>>()?;
    let named_class = |k: usize| named.get(k).map(|at| class_of_index(*at));
    let title = format!("{a} o {b}");
    let grids_a = style.sheets(&fa, &format!("A = {a}"), |k| named.contains(&(k as i64)).then(|| class_of_index(k as i64)))?;
    let grids_b = style.sheets(&fb, &format!("B = {b}"), named_class)?;
    let grids = style.sheets(&result, &format!("A o B = {}", result.value), named_class)?;
    // If each has one sheet, B and the result stand side by side.
    let lines = match grids_b.len() {
        1 => vec![items(grids_a), items(grids_b.into_iter().chain(grids))],
        _ => vec![items(grids_a), items(grids_b), items(grids)],
    };
    let description = format!(
        "The composition of A = {a} with B = {b} is {}: each value of B is a coordinate of A, and the cell of the same colour in A holds the result.",
        result.value
    );
    Picture { title, description, lines, arrows: Vec::new() }.checked()
}

/// Draws `swizzle LAYOUT SWIZZLE`: the indices before and after, coloured by the bits that change.
pub fn swizzle(layout: Value, swizzle: Value, style: Style) -> Result<Picture, String> {
    let Operand::Swizzle(s) = swizzle else { return Err(format!("{swizzle} is not a swizzle: write S<bits,base,shift>")) };
    let before = Function::new(layout)?;
    let after = Function::new(applied(Op::Composed, &[swizzle, integer(0)?, layout])?)?;
    // The swizzle keeps the lower bits, so leave them out of the colours.
    let low = if s.is_identity() { 0 } else { s.target().trailing_zeros() };
    let grids = |f: &Function| style.sheets(f, &f.value.to_string(), |k| f.index(k).ok().map(|index| class_of_index(index >> low)));
    let line = items(grids(&before)?.into_iter().chain(grids(&after)?));
    let same = if low == 0 { "indices".to_owned() } else { format!("groups of {} indices", 1i64 << low) };
    let description =
        format!("The indices of {layout}, and those after the swizzle {swizzle}; equal colours are equal {same} modulo {CLASSES}.");
    Picture { title: after.value.to_string(), description, lines: vec![line], arrows: Vec::new() }.checked()
}

/// Draws `transpose LAYOUT`: the layout beside the one with its modes exchanged. Row `i` becomes column `i`.
pub fn transpose(layout: Value, style: Style) -> Result<Picture, String> {
    let f = Function::new(layout)?;
    if f.modes.len() != 2 {
        return Err(format!("{layout} has rank {}: a transposition exchanges two modes", f.modes.len()));
    }
    let order: Value = Parser::whole("(1,0)", &mut ExprGraph::<0>::new(Op::Parse)).map_err(|error| error.to_string())?;
    let turned = Function::new(applied(Op::Select, &[layout, order])?)?;
    let (rows, columns) = (f.extent(0), f.extent(1));
    let left = style.sheets(&f, &layout.to_string(), |k| Some(k % rows % CLASSES))?;
    let right = style.sheets(&turned, &turned.value.to_string(), |k| Some(k / columns % CLASSES))?;
    let step = rows.div_ceil(MOST_ARROWS);
    let arrow = |row: usize| Arrow { turns: true, from: (0, row), to: (1, row), class: Some(row % CLASSES) };
    let arrows = (0..rows).step_by(step).map(arrow).collect();
    let lines = vec![items(left.into_iter().chain(right))];
    let description = format!("{layout} and its transposition {}: row i of the first is column i of the second.", turned.value);
    Picture { title: format!("transposition of {layout}"), description, lines, arrows }.checked()
}
