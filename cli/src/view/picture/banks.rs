//! The banks of shared memory of the elements of a layout, and the bytes that the lanes of one access request.

use super::function::{Function, Value};
use super::layout::{Style, sheets};
use super::{COLOURS, Cell, CellKind, Picture, items};
use crate::words::many;
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::memory::{Access, Banks, Threads};

/// The access of the first warp that a picture shows.
#[derive(Clone, Copy)]
pub struct Asked {
    /// The bits of an element, and the elements per instruction.
    pub access: Access,
    /// The number of the access, from 0.
    pub number: usize,
}

/// Draws `banks LAYOUT THREADS`: the elements coloured by bank. Elements that the access requests show their lanes.
pub fn picture(layout: Value, threads: Value, asked: Asked, style: Style) -> Result<Picture, String> {
    let Operand::Layout(places) = &threads else { return Err(format!("{threads} is not a layout of threads")) };
    let refuse = |error: crd2idx::LayoutError| error.to_string();
    let (f, banks, access) = (Function::new(layout)?, Banks::NVIDIA, asked.access);
    let report = Threads::through(&layout, places).and_then(|of| of.banks(access, banks)).map_err(refuse)?;
    let warps = Function::new(threads)?.extent(0).div_ceil(banks.warp() as usize).max(1);
    let (Some(served), Some(lanes)) = (report.accesses.get(asked.number), report.lanes.get(asked.number)) else {
        let count = report.accesses.len() / warps;
        return Err(format!("access {} is named, but the first warp has {}, counted from 0", asked.number, many(count as i128, "access")));
    };
    // `asking` below are the lanes that request the byte where an element begins.
    let bits = i64::from(access.element_bits);
    let cell = |k: usize| {
        let byte = f.index(k)? * bits / 8;
        let bank = banks.bank(byte);
        let asking: Vec<usize> =
            (0..lanes.len()).filter(|lane| lanes.byte(*lane).is_some_and(|at| (at..at + lanes.bytes()).contains(&byte))).collect();
        let mut cell = style.cell(&f, k, Some(bank as usize % COLOURS))?;
        if style.cells.is_none() {
            cell.lines = vec![bank.to_string()];
            cell.lines.extend(match asking.as_slice() {
                [] => None,
                [lane] => Some(format!("T{lane}")),
                [first, .., last] => Some(format!("T{first}..{last}")),
            });
        }
        if !asking.is_empty() {
            cell.kind = CellKind::Marked;
        }
        Ok::<Cell, String>(cell)
    };
    let caption = format!("{layout}: {} wavefronts, {} conflicts", served.wavefronts, served.conflicts());
    let grids = sheets(&f, &caption, cell)?;
    let worst = match banks.collisions(lanes).first() {
        Some(worst) => format!("{} words of bank {} are requested", worst.words.len(), worst.bank),
        None => "no two words of one bank are requested".to_owned(),
    };
    let description = format!(
        "The banks of the elements of {layout}, of {bits} bits; T is the lane that requests an element in access {} of {threads}: {} wavefronts, {worst}.",
        asked.number, served.wavefronts
    );
    Picture { title: format!("banks of {layout}"), description, lines: vec![items(grids)], arrows: Vec::new() }.checked()
}
