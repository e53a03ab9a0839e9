//! The threads and values of a matrix instruction.

use super::function::Value;
use super::layout::Style;
use super::threads::placed;
use super::{Picture, items};
use crd2idx::algebra::expression::Parser;
use crd2idx::algebra::value::ExprGraph;
use crd2idx::atoms::{ATOMS, Atom};
use crd2idx::error::Op;
use crd2idx::graph::nearest;

/// The operands: their names, and the names of their modes.
const OPERANDS: [(&str, &str); 3] = [("A", "m, k"), ("B", "n, k"), ("C", "m, n")];

/// Draws `atom NAME [OPERAND]`: for each element of an operand, the thread that holds it, and as which of its values.
pub fn picture(name: &str, operand: Option<&str>, style: Style, only: Option<usize>) -> Result<Picture, String> {
    let atom = Atom::find(name).ok_or_else(|| {
        let names = || ATOMS.iter().map(|atom| atom.name);
        let hint = nearest(name, names()).map_or(".".to_owned(), |near| format!(", did you mean {near}?"));
        let mut few: Vec<String> = names().map(family).collect();
        few.dedup();
        format!("there is no instruction {name}{hint} There are {}", few.join(", "))
    })?;
    let wanted = |k: &usize| operand.is_none_or(|operand| OPERANDS[*k].0.eq_ignore_ascii_case(operand));
    let mut lines = Vec::new();
    for k in (0..OPERANDS.len()).filter(wanted) {
        let Some(layout) = atom.layouts[k] else { continue };
        let ((what, modes), [rows, columns]) = (OPERANDS[k], atom.extents(k));
        let read = |text: &str| -> Result<Value, String> {
            Parser::whole(text, &mut ExprGraph::<0>::new(Op::Parse)).map_err(|error| error.to_string())
        };
        let caption = format!("{what} ({modes}): {layout}");
        let (grids, ..) = placed(read(&format!("({rows},{columns}):(1,{rows})"))?, read(layout)?, &caption, style, only)?;
        lines.push(items(grids));
    }
    if lines.is_empty() {
        return Err(format!("{name} has no operand {} in registers", operand.unwrap_or("a")));
    }
    let description = format!("The threads T and their values V of {}: {}.", atom.instruction, atom.source);
    Picture { title: atom.instruction.to_owned(), description, lines, arrows: Vec::new() }.checked()
}

/// Returns the name with `N`, `X` or `M` in place of the number in which the instructions of a family differ.
fn family(name: &str) -> String {
    let (start, letter) = match name {
        _ if name.starts_with("m64n") => (4, 'N'),
        _ if name.starts_with("tcgen05.mma.") => (name.rfind('n').map_or(0, |at| at + 1), 'N'),
        _ if name.starts_with("tcgen05.ld.") => (name.rfind('x').map_or(0, |at| at + 1), 'X'),
        _ if name.starts_with("dpas.") => (5, 'M'),
        _ => return name.to_owned(),
    };
    let (before, after) = name.split_at(start);
    format!("{before}{letter}{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
}
