//! Layouts beside what becomes of them: compositions, swizzles, transpositions.

use super::function::{Function, Value, applied, integer};
use super::layout::{Style, class_of_index, sheets};
use super::{Arrow, CLASSES, Cell, Item, Picture};
use crd2idx::error::Op;
use crd2idx::text::{Operand, Parser};
use crd2idx::value::ExprGraph;
use std::collections::BTreeSet;

/// The most arrows of a transposition.
const MOST_ARROWS: usize = 16;

fn items(grids: Vec<super::Grid>) -> Vec<Item> {
    grids.into_iter().map(Item::from).collect()
}

/// `compose A B`: A with the elements that B names, and B above A(B) coordinate by coordinate, in the colours of A's elements.
pub fn compose(a: Value, b: Value, style: Style) -> Result<Picture, String> {
    let (fa, result) = (Function::new(a)?, Function::new(applied(Op::Composition, &[a, b])?)?);
    // A tiler is drawn as the places it names.
    let fb = match b {
        Operand::Layout(_) => Function::new(b)?,
        _ => Function::new(applied(Op::Composition, &[fa.natural()?, b])?)?,
    };
    let named = (0..fb.size()).map(|k| fb.index(k)).collect::<Result<Vec<_>, _>>()?;
    let known: BTreeSet<i64> = named.iter().copied().collect();
    let class = |f: &Function, k: usize, own: Option<usize>| if style.by.is_some() { style.class(f, k) } else { Ok(own) };
    let cell_a = |k: usize| {
        let own = known.contains(&(k as i64)).then(|| class_of_index(k as i64));
        Ok(Cell::of(style.text(&fa, k)?, class(&fa, k, own)?))
    };
    let of_b = |f: &Function, k: usize| Ok(Cell::of(style.text(f, k)?, class(f, k, named.get(k).map(|at| class_of_index(*at)))?));
    let title = format!("{a} o {b}");
    let lines = vec![
        items(sheets(&fa, &format!("A = {a}"), cell_a)?),
        items(sheets(&fb, &format!("B = {b}"), |k| of_b(&fb, k))?),
        items(sheets(&result, &format!("A o B = {}", result.value()), |k| of_b(&result, k))?),
    ];
    // One sheet of each stands beside the other.
    let lines = match <[Vec<Item>; 3]>::try_from(lines) {
        Ok([a, mut b, mut result]) if b.len() == 1 => {
            b.append(&mut result);
            vec![a, b]
        }
        Ok(lines) => lines.into(),
        Err(lines) => lines,
    };
    let description = format!(
        "The composition of A = {a} with B = {b} is {}: each value of B is a coordinate of A, and the cell of the same colour in A holds the result.",
        result.value()
    );
    Picture { title, description, lines, arrows: Vec::new() }.checked()
}

/// `swizzle LAYOUT SWIZZLE`: the indices before and after.
pub fn swizzle(layout: Value, swizzle: Value, style: Style) -> Result<Picture, String> {
    let Operand::Swizzle(_) = swizzle else { return Err(format!("{swizzle} is not a swizzle: write S<bits,base,shift>")) };
    let before = Function::new(layout)?;
    let after = Function::new(applied(Op::Composed, &[swizzle, integer(0)?, layout])?)?;
    let grids = |f: &Function| sheets(f, &f.value().to_string(), |k| Ok(Cell::of(style.text(f, k)?, style.class(f, k)?)));
    let mut line = items(grids(&before)?);
    line.extend(items(grids(&after)?));
    let description =
        format!("The indices of {layout}, and those after the swizzle {swizzle}; equal colours are equal indices modulo {CLASSES}.");
    Picture { title: after.value().to_string(), description, lines: vec![line], arrows: Vec::new() }.checked()
}

/// `transpose LAYOUT`: the layout and the one with its modes exchanged; row `i` becomes column `i`.
pub fn transpose(layout: Value, style: Style) -> Result<Picture, String> {
    let f = Function::new(layout)?;
    if f.modes().len() != 2 {
        return Err(format!("{layout} has rank {}: a transposition exchanges two modes", f.modes().len()));
    }
    let order: Value = Parser::whole("(1,0)", &mut ExprGraph::<0>::new(Op::Parse)).map_err(|error| error.to_string())?;
    let turned = Function::new(applied(Op::Select, &[layout, order])?)?;
    let class = |f: &Function, k: usize, row: usize| if style.by.is_some() { style.class(f, k) } else { Ok(Some(row % CLASSES)) };
    let (rows, columns) = (f.extent(0), f.extent(1));
    let left = sheets(&f, &layout.to_string(), |k| Ok(Cell::of(style.text(&f, k)?, class(&f, k, k % rows)?)))?;
    let right = sheets(&turned, &turned.value().to_string(), |k| Ok(Cell::of(style.text(&turned, k)?, class(&turned, k, k / columns)?)))?;
    let mut line = items(left);
    line.extend(items(right));
    let step = rows.div_ceil(MOST_ARROWS);
    let arrows = (0..rows).step_by(step).map(|row| Arrow::Turn { from: (0, row), to: (1, row), class: row % CLASSES }).collect();
    let description = format!("{layout} and its transposition {}: row i of the first is column i of the second.", turned.value());
    Picture { title: format!("transposition of {layout}"), description, lines: vec![line], arrows }.checked()
}
