//! Distributions that are not searched: programs state them, or matrix instructions have them.

use crate::component::Operand;
use crate::distribution::{Digit, Distribution, digits, product};
use crate::error::{Result, fail};
use crate::program::{LEAVES, Statement, TileProgram};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layout_algebra::DynLayout;
use layout_core::atoms::ATOMS;

/// Returns the distribution of a layout from `(thread, value)` to the integer coordinate of a tile. Mode `k` of the tile is
/// dimension `dimensions[k]`.
///
/// Fails unless the layout has two modes, and each of its leaves moves along one mode of the tile.
pub(crate) fn distribution(
    layout: &DynLayout<LEAVES>,
    extents: &[i64],
    dimensions: &[usize],
    lanes: i64,
    line: usize,
) -> Result<Distribution> {
    if layout.rank() != 2 {
        return fail(line, format!("`{layout}` does not have two modes, threads and values"));
    }
    let mut places = Vec::new();
    for k in 0..2 {
        let mode = layout.mode(k).map_err(|error| crate::ChoiceError { line, message: format!("`{layout}`: {error}") })?;
        let mut all = Vec::new();
        for (extent, stride) in mode.shape().leaves().zip(mode.stride().leaves()) {
            let (Some(extent @ 1..), Some(stride)) = (extent, stride) else {
                return fail(line, format!("`{layout}` has a leaf without a positive extent and a known stride"));
            };
            all.extend(parts(extent, stride, extents, dimensions).ok_or(()).or_else(|()| {
                fail(line, format!("the leaf {extent}:{stride} of `{layout}` does not stay in one mode of the extents {extents:?}"))
            })?);
        }
        places.push(all);
    }
    let (registers, threads) = (places.pop().unwrap_or_default(), places.pop().unwrap_or_default());
    // The lanes are the minor digits of the threads.
    let (mut lane, mut warp, mut left) = (Vec::new(), Vec::new(), lanes);
    for digit in threads {
        if left % digit.radix == 0 && warp.is_empty() {
            left /= digit.radix;
            lane.push(digit);
        } else if left == 1 {
            warp.push(digit);
        } else {
            return fail(line, format!("the threads of `{layout}` do not split into warps of {lanes} lanes"));
        }
    }
    if left != 1 {
        return fail(line, format!("the threads of `{layout}` do not fill a warp of {lanes} lanes"));
    }
    Ok(Distribution { registers, lanes: lane, warps: warp })
}

/// Returns the digits of the leaf `extent:stride` of integer coordinates; `None` if it enters a mode in the middle of another step.
fn parts(extent: i64, stride: i64, extents: &[i64], dimensions: &[usize]) -> Option<Vec<Digit>> {
    if stride == 0 {
        return Some(digits(0, extent).into_iter().map(|digit| Digit { mode: None, ..digit }).collect());
    }
    let (mut out, mut left, mut stride, mut below) = (Vec::new(), extent, stride, 1);
    for (size, mode) in extents.iter().zip(dimensions) {
        if left > 1 && stride < below * size {
            // The leaf takes what is left of this mode, and goes on with the next.
            let (weight, whole) = (stride / below, stride % below == 0 && stride > 0);
            let room = size / weight.max(1);
            let taken = left.min(room);
            if !whole || left > room && (size % weight != 0 || left % room != 0) {
                return None;
            }
            out.extend(digits(*mode, taken).into_iter().map(|digit| Digit { weight: digit.weight * weight, ..digit }));
            left /= taken;
            stride = below * size;
        }
        below *= size;
    }
    (left == 1).then_some(out)
}

/// Returns the distributions of the operands of a product, the target first, for each way to share its tiles among the warps.
///
/// A warp computes tiles that are neighbours. With `w` warps along a mode, the major digits of its tiles number the warps. Warps that
/// differ only along a mode which an operand lacks hold copies of it.
pub(crate) fn products(program: &TileProgram, statement: &Statement, operands: &[Operand], atom: usize) -> Result<Vec<Vec<Distribution>>> {
    let (atom, line) = (&ATOMS[atom], statement.line);
    let [target, a, b] = [Some(&statement.target), statement.sources.first(), statement.sources.get(1)];
    let (Some(target), Some(a), Some(b), 2) = (target, a, b, statement.sources.len()) else {
        return fail(line, format!("a product has two sources, {} are given", statement.sources.len()));
    };
    let two = |of: &crate::program::Reference| of.variables.len() == 2;
    let common = |x: &[usize], y: &[usize]| x.iter().copied().find(|v| y.contains(v));
    let modes = (common(&target.variables, &a.variables), common(&target.variables, &b.variables), common(&a.variables, &b.variables));
    let ((Some(m), Some(n), Some(k)), true) = (modes, two(target) && two(a) && two(b)) else {
        return fail(line, "a product is `c[m, n] <- a[m, k], b[n, k]`, with the modes of each tensor in any order".into());
    };
    let references = [target, a, b];
    let extent = |variable: usize| {
        let of = references.iter().find_map(|r| r.variables.iter().position(|v| *v == variable).map(|mode| (r.tensor, mode)));
        of.map_or(1, |(tensor, mode)| program.tensors[tensor].extents[mode])
    };
    let lanes = program.machine.lanes;
    // For each operand: its layout, its two variables in the order of the layout, and its distribution for one instruction.
    let mut single = Vec::new();
    for (operand, (number, pair)) in [(2, [m, n]), (0, [m, k]), (1, [n, k])].into_iter().enumerate() {
        let Some(text) = atom.layouts[number] else {
            return fail(line, format!("`{}` does not take all operands from registers", atom.name));
        };
        let layout = DynLayout::<LEAVES>::parse(text).map_err(|error| crate::ChoiceError { line, message: format!("{error}") })?;
        let [first, second] = atom.extents(number);
        let place = |variable: usize| references[operand].variables.iter().position(|v| *v == variable).unwrap_or(0);
        let dimensions = pair.map(|variable| operands[operand].dimensions[place(variable)]);
        let of = distribution(&layout, &[first as i64, second as i64], &dimensions, lanes, line)?;
        if !of.warps.is_empty() {
            return fail(line, format!("`{}` takes more threads than a warp of {lanes} lanes", atom.name));
        }
        single.push((pair, dimensions, of));
    }
    let mut tiles = Vec::new();
    for (variable, size) in [(m, atom.shape[0]), (n, atom.shape[1]), (k, atom.shape[2])] {
        let (extent, size) = (extent(variable), size as i64);
        if extent % size != 0 {
            let name = &statement.variables[variable];
            return fail(line, format!("`{name}` is {extent}, no multiple of the {size} of `{}`", atom.name));
        }
        let weighted = |digit: Digit| Digit { weight: digit.weight * size, ..digit };
        tiles.push((variable, digits(0, extent / size).into_iter().map(weighted).collect::<Vec<Digit>>()));
    }
    let warps = program.threads / lanes;
    let mut out = Vec::new();
    for along in (1..=warps).filter(|along| warps % along == 0) {
        let (Some(rows), Some(columns)) = (last(&tiles[0].1, along), last(&tiles[1].1, warps / along)) else { continue };
        let mut all = Vec::new();
        for (pair, dimensions, of) in &single {
            let dimension = |variable: usize| pair.iter().position(|v| *v == variable).map(|k| dimensions[k]);
            let mut distribution = of.clone();
            for (variable, digits) in &tiles {
                let shared: &[Digit] = if *variable == m {
                    &rows
                } else if *variable == n {
                    &columns
                } else {
                    &[]
                };
                for digit in digits.iter().filter(|digit| !shared.contains(digit)) {
                    if let Some(mode) = dimension(*variable) {
                        distribution.registers.push(Digit { mode: Some(mode), ..*digit });
                    }
                }
                distribution.warps.extend(shared.iter().map(|digit| Digit { mode: dimension(*variable), ..*digit }));
            }
            all.push(distribution);
        }
        out.push(all);
    }
    if out.is_empty() {
        let counts: Vec<i64> = tiles[..2].iter().map(|(_, digits)| product(digits)).collect();
        return fail(line, format!("{warps} warps cannot share {} x {} instructions of `{}` equally", counts[0], counts[1], atom.name));
    }
    Ok(out)
}

/// Returns digits with the product `count`, major ones first in choice; `None` if there are none.
fn last(digits: &[Digit], count: i64) -> Option<Vec<Digit>> {
    if count == 1 {
        return Some(vec![]);
    }
    let (digit, rest) = digits.split_last()?;
    if count % digit.radix == 0
        && let Some(mut found) = last(rest, count / digit.radix)
    {
        found.push(*digit);
        return Some(found);
    }
    last(rest, count)
}
