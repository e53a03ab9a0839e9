//! Checks of tensors and statements, before a program has them.

use crate::error::{Result, fail};
use crate::program::{Action, Element, LEAVES, Reference, Statement, TileMemory, TileTensor};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use layout_algebra::DynLayout;
use layout_core::atoms::ATOMS;

/// Fails unless coordinate `c` of each mode is at `c` times one stride, and no index is negative. Vectors and sectors are counted so.
pub(crate) fn strides(layout: &DynLayout<LEAVES>, extents: &[i64], line: usize) -> Result<()> {
    let index = |mode: usize, at: i64| {
        let mut coordinate = alloc::vec![0; extents.len()];
        coordinate[mode] = at as usize;
        layout.index(&coordinate).map(|index| index as i64)
    };
    for (mode, extent) in extents.iter().enumerate() {
        let Some(zero) = index(mode, 0) else { return fail(line, format!("`{layout}` has a negative index")) };
        let step = index(mode, 1).map_or(0, |one| one - zero);
        if let Some(at) = (0..*extent).find(|at| index(mode, *at) != Some(zero + at * step)) {
            return fail(line, format!("mode {mode} of `{layout}` has no single stride: {at} is not at {} of it", at * step));
        }
    }
    Ok(())
}

/// Checks the indices of a layout in shared memory: none is negative, and no two elements share one.
pub(crate) fn shared(layout: &str, indices: &[i64], line: usize) -> Result<()> {
    let mut seen = BTreeSet::new();
    match indices.iter().find(|index| **index < 0 || !seen.insert(**index)) {
        None => Ok(()),
        Some(index) if *index < 0 => fail(line, format!("`{layout}` has the index {index}")),
        Some(index) => fail(line, format!("two elements of `{layout}` share the index {index}")),
    }
}

/// Checks a statement whose tensors and variables are read. The target has the first `kept` variables.
pub(crate) fn statement(tensors: &[TileTensor], of: &Statement, kept: usize) -> Result<()> {
    let line = of.line;
    let memory = |reference: &Reference| tensors[reference.tensor].memory;
    let registers = |reference: &Reference| memory(reference) == TileMemory::Registers;
    let in_registers = registers(&of.target) && of.sources.iter().all(registers);
    let blank = |text: &String| text.trim().is_empty();
    match of.action {
        Action::Convert => {
            let moved = of.sources.len() == 1 && of.between.iter().all(blank) && in_registers;
            if !moved || of.sources[0].variables.len() != kept {
                return fail(line, "`convert` moves one tensor in registers to another with the same variables".into());
            }
        }
        Action::Multiply(atom) => {
            if !in_registers {
                return fail(line, "a product takes tensors in registers".into());
            }
            if let [first, comma, last] = &of.between[..]
                && blank(first)
                && comma.trim() == ","
                && blank(last)
            {
            } else {
                return fail(line, "a product is `c[m, n] <- a[m, k], b[n, k] by INSTRUCTION`".into());
            }
            let name = ATOMS[atom].name;
            for source in of.sources.iter().map(|source| &tensors[source.tensor]) {
                let types = elements(name);
                if !types.is_empty() && !types.contains(&source.element.name) {
                    let (own, types) = (source.element.name, types.join(", "));
                    return fail(line, format!("`{name}` multiplies {types}, and `{}` has {own}", source.name));
                }
            }
        }
        Action::Reduce(_) => {
            if !in_registers {
                return fail(line, "a reduction takes tensors in registers".into());
            }
            if of.sources.iter().any(|source| source.tensor == of.target.tensor) {
                return fail(line, format!("`{}` is the target of a reduction, and one of its sources", tensors[of.target.tensor].name));
            }
            expression(of)?;
        }
        Action::Map if of.sources.len() == 1 && of.between.iter().all(blank) => copy(tensors, of)?,
        Action::Map => {
            if !in_registers {
                return fail(line, "an expression takes tensors in registers; only copies reach memory".into());
            }
            expression(of)?;
        }
    }
    Ok(())
}

/// Checks a copy.
fn copy(tensors: &[TileTensor], of: &Statement) -> Result<()> {
    let (target, source) = (&tensors[of.target.tensor], &tensors[of.sources[0].tensor]);
    let registers = target.memory == TileMemory::Registers || source.memory == TileMemory::Registers;
    if !registers && target.memory == source.memory {
        return fail(of.line, "a copy within one memory goes through registers or the other memory".into());
    }
    if !registers && target.element.name != source.element.name {
        return fail(of.line, "a copy from memory to memory has one type of elements; a cast goes through registers".into());
    }
    let overlap = target.fixed.as_ref().filter(|_| target.memory == TileMemory::Global);
    if let Some(layout) = overlap
        && let Some(mode) =
            (0..target.extents.len()).find(|mode| target.extents[*mode] > 1 && layout.mode(*mode).is_ok_and(|of| of.cosize() == 1))
    {
        return fail(of.line, format!("`{}` has the stride 0 in mode {mode}: its elements would overwrite each other", target.name));
    }
    Ok(())
}

/// Checks the text of an expression, as far as C can be read without its types.
fn expression(of: &Statement) -> Result<()> {
    let mut depth = 0i64;
    for text in &of.between {
        if let Some(sign) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || "_.,+-*/%()<>=!?:&|^~ \t".contains(*c))) {
            return fail(of.line, format!("`{sign}` has no meaning in an expression"));
        }
        if text.contains("//") || text.contains("/*") {
            return fail(of.line, "a comment begins with `#`".into());
        }
        for sign in text.chars() {
            match sign {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => return fail(of.line, "`,` stands between the arguments of a function".into()),
                _ => {}
            }
            if depth < 0 {
                return fail(of.line, "`)` without `(`".into());
            }
        }
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        if let Some(variable) = words.into_iter().find(|word| of.variables.iter().any(|variable| variable == word)) {
            return fail(of.line, format!("the variable `{variable}` is an index, and no value"));
        }
    }
    if depth != 0 {
        return fail(of.line, "`(` without `)`".into());
    }
    Ok(())
}

/// Returns the types that an instruction multiplies; none if its name does not end with a type.
fn elements(instruction: &str) -> &'static [&'static str] {
    match instruction.rsplit_once('.').map_or("", |(_, ty)| ty) {
        "f64" => &["f64"],
        "tf32" => &["tf32"],
        "f32" => &["f32"],
        "f16" => &["f16", "bf16"],
        "s8" if instruction.contains("k32") => &["i8", "u8", "e4m3", "e5m2"],
        "s8" => &["i8", "u8"],
        "i8" if instruction.starts_with("mfma.") => &["i8"],
        "i8" => &["i8", "u8"],
        _ => &[],
    }
}

/// Tests whether a type has no arithmetic in CUDA: copies alone take its bytes.
pub(crate) fn is_bytes(element: &Element) -> bool {
    matches!(element.name, "e4m3" | "e5m2" | "b8")
}
