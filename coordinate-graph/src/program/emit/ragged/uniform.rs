//! Runs of uniform levels: a position is a row and coordinates in it, by a program without memory.

use super::super::width::{Int, Width};
use super::super::words::{Argument, Kind, Words};
use super::super::{Emit, EmitError, Source};
use super::{RaggedLevel, RaggedLevels, coordinates, number, refused};
use crate::program::{Output, Program, Time};
use core::ops::Range;
use layout_algebra::error::Result;
use layout_algebra::heap::*;
use layout_algebra::value::{Facts, SymInt};

/// The largest number of the type, or of `i64`.
pub(super) fn largest(int: Int) -> i64 {
    if int.is_narrow() { u32::MAX as i64 } else { i64::MAX }
}

/// How many positions a row of each level has.
#[derive(Clone)]
pub(super) enum Fanout {
    Known(Vec<i64>),
    /// The name of a parameter.
    Launch(String),
}

/// A run of levels of known sizes, or one level of a size known per launch.
pub(super) struct Uniform {
    /// Its first level.
    pub level: usize,
    /// Its function.
    pub function: String,
    /// The structure of what that returns: the row, and the coordinates.
    pub result: String,
    /// The coordinates it gives.
    pub axes: Range<usize>,
    pub source: Source,
    /// The argument that is known per launch; true if the function takes it last.
    pub argument: Option<(Argument, bool)>,
    pub fanout: Fanout,
}

impl Uniform {
    /// The call for this position.
    pub fn call(&self, words: &Words, position: &str) -> String {
        match &self.argument {
            None => words.call(&self.function, &[position], []),
            Some((argument, true)) => words.call(&self.function, &[position], [argument]),
            Some((argument, false)) => words.call(&self.function, &[&argument.name, position], []),
        }
    }
}

/// The run `levels` of `all`, whose dense level is known by the name `dense`.
pub(super) fn uniform(
    all: &RaggedLevels,
    levels: Range<usize>,
    axis: usize,
    emit: &Emit,
    words: &Words,
    prefix: &str,
    dense: Option<&str>,
) -> core::result::Result<Uniform, EmitError> {
    let first = levels.start;
    let run = &all.levels[levels.clone()];
    let axes = axis..axis + run.iter().map(coordinates).sum::<usize>();
    let program = program(run, axis, dense, largest(words.int)).map_err(|error| refused(first, error))?;
    let function = format!("{prefix}_split{first}");
    let width = match words.int {
        Int::Usize => None,
        int if int.is_narrow() => Some(Width::Bits32),
        _ => Some(Width::Bits64),
    };
    let source = program.emit(&Emit { name: function.clone(), width, ..emit.clone() })?;
    let structure = |what: &str| super::super::names::structure(words.language, &function, what);
    let (argument, fanout) = match dense {
        None => {
            let size = |level: &RaggedLevel| if let RaggedLevel::Block(layout) = level { layout.size() } else { fixed(level) };
            let sizes: Vec<i64> = run.iter().map(size).collect();
            let product = sizes.iter().try_fold(1_i64, |product, size| product.checked_mul(*size));
            if product.is_none_or(|product| product > largest(words.int)) {
                return Err(refused(first, format!("the sizes from here on multiply to more than {}", largest(words.int))));
            }
            (None, Fanout::Known(sizes))
        }
        Some(name) if source.host.is_some() => {
            let argument = Argument { name: format!("launch{first}"), kind: Kind::Launch(structure("launch")) };
            (Some((argument, true)), Fanout::Launch(name.to_string()))
        }
        Some(name) => {
            let argument = Argument { name: name.to_string(), kind: Kind::Number };
            (Some((argument, false)), Fanout::Launch(name.to_string()))
        }
    };
    Ok(Uniform { level: first, result: structure("result"), function, axes, source, argument, fanout })
}

/// The size of a fixed level; at least 1, for there is no position to ask of otherwise.
fn fixed(level: &RaggedLevel) -> i64 {
    match level {
        RaggedLevel::Fixed(n) => i64::try_from(*n).unwrap_or(i64::MAX),
        _ => 1,
    }
}

/// `row` and the coordinates of a position; coordinates are numbered from `axis`.
fn program(run: &[RaggedLevel], axis: usize, dense: Option<&str>, most: i64) -> Result<Program> {
    let mut program = Program::new();
    let facts = Facts { lo: 0, hi: most, div: 1 };
    let extent = dense.map(|name| program.input(name, Time::Launch, facts, None)).transpose()?;
    let position = program.input("position", Time::Thread, facts, None)?;
    let scope = &mut program.scope;
    let mut row = position;
    let mut values: Vec<SymInt> = Vec::new();
    for level in run.iter().rev() {
        let size = match (level, extent) {
            (RaggedLevel::Dense(_), Some(extent)) => extent,
            (RaggedLevel::Block(layout), _) => known(layout.size().max(1)),
            _ => known(fixed(level).max(1)),
        };
        let inside = scope.rem(row, size)?;
        row = scope.div(row, size)?;
        if let RaggedLevel::Block(layout) = level {
            let lay = layout.value();
            for k in (0..lay.len()).rev() {
                // The layout is a bijection onto its range: its strides are the weights of digits.
                let digit =
                    if number(lay.extent(k)) == 1 { SymInt::ZERO } else { scope.div(inside, known(number(lay.scale(k)).max(1)))? };
                values.push(scope.rem(digit, known(number(lay.extent(k)).max(1)))?);
            }
        } else {
            values.push(inside);
        }
    }
    program.outputs.push(Output { name: "row".into(), value: row });
    let values = values.into_iter().rev().enumerate();
    program.outputs.extend(values.map(|(k, value)| Output { name: format!("c{}", axis + k), value }));
    program.minimal()
}

pub(super) fn known(value: i64) -> SymInt {
    SymInt::known(value).unwrap_or(SymInt::ONE)
}
