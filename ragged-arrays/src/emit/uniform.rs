//! Prints runs of uniform levels: a program that computes the row and the coordinates of a position without reading memory.

use super::level::RaggedLevel;
use super::{RaggedLevels, largest, number, refused, width_of};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use coordinate_graph::program::kernel::{Argument, ArgumentKind, Dialect};
use coordinate_graph::program::{Emit, EmitError, Program, Source, Time};
use core::ops::Range;
use layout_core::algebra::value::{Facts, SymInt};
use layout_core::error::Result;

/// The number of positions of a row, for each level of a run.
#[derive(Clone)]
pub(super) enum Fanout {
    Known(Vec<i64>),
    /// The name of the parameter with the number of positions, for a single level.
    Launch(String),
}

/// A run of levels of known sizes, or one level whose size is known per launch.
pub(super) struct Uniform {
    /// The number of the first level of the run.
    pub level: usize,
    /// The name of the printed function of the run.
    pub function: String,
    /// The structure that the function returns: the row and the coordinates.
    pub result: String,
    /// The numbers of the axes whose coordinates the function returns.
    pub axes: Range<usize>,
    pub source: Source,
    /// The argument that is known per launch. The flag is true if the function takes it last.
    pub argument: Option<(Argument, bool)>,
    pub fanout: Fanout,
}

impl Uniform {
    /// Returns the text of the call of the run's function for the text `position`.
    pub fn call(&self, dialect: &Dialect, position: &str) -> String {
        match &self.argument {
            None => dialect.call(&self.function, &[position], []),
            Some((argument, true)) => dialect.call(&self.function, &[position], [argument]),
            Some((argument, false)) => dialect.call(&self.function, &[&argument.name, position], []),
        }
    }
}

/// Creates the run of `levels`, from axis `axis` on. `dense` names the size of a dense level. Fails if the sizes are too great.
pub(super) fn uniform(
    all: &RaggedLevels,
    levels: Range<usize>,
    axis: usize,
    emit: &Emit,
    dialect: &Dialect,
    prefix: &str,
    dense: Option<&str>,
) -> core::result::Result<Uniform, EmitError> {
    let first = levels.start;
    let run = &all.levels[levels.clone()];
    let axes = axis..axis + run.iter().map(RaggedLevel::axes).sum::<usize>();
    let program = program(run, axis, dense, largest(dialect.int)).map_err(|error| refused(first, error))?;
    let function = format!("{prefix}_split{first}");
    let source = program.emit(&emit.part(&*function, width_of(dialect.int)))?;
    let structure = |what: &str| dialect.structure_name(&function, what);
    let (argument, fanout) = match dense {
        None => {
            let sizes: Vec<i64> = run.iter().map(|level| level.known_size().unwrap_or(1)).collect();
            let product = sizes.iter().try_fold(1_i64, |product, size| product.checked_mul(*size));
            if product.is_none_or(|product| product > largest(dialect.int)) {
                return Err(refused(first, format!("the product of the sizes from this level on exceeds {}", largest(dialect.int))));
            }
            (None, Fanout::Known(sizes))
        }
        Some(name) if source.host.is_some() => {
            let argument = Argument { name: format!("launch{first}"), kind: ArgumentKind::Launch(structure("launch")) };
            (Some((argument, true)), Fanout::Launch(name.to_string()))
        }
        Some(name) => (Some((Argument::number(name), false)), Fanout::Launch(name.to_string())),
    };
    Ok(Uniform { level: first, result: structure("result"), function, axes, source, argument, fanout })
}

/// Returns the program for `row` and the coordinates, numbered from `axis`, of a position up to `most`. Fails if it overflows.
fn program(run: &[RaggedLevel], axis: usize, dense: Option<&str>, most: i64) -> Result<Program> {
    let facts = Facts { lo: 0, hi: most, div: 1 };
    let inputs = dense.map(|name| (name, Time::Launch, facts)).into_iter().chain([("position", Time::Thread, facts)]);
    Program::build(inputs, |scope, inputs| {
        let (extent, position) = (inputs[0], inputs[inputs.len() - 1]);
        let mut row = position;
        let mut values: Vec<SymInt> = Vec::new();
        for level in run.iter().rev() {
            let size = level.known_size().map_or(extent, |size| known(size.max(1)));
            let inside = scope.rem(row, size)?;
            row = scope.div(row, size)?;
            let Some(layout) = level.layout() else {
                values.push(inside);
                continue;
            };
            let lay = layout.value();
            for k in (0..lay.len()).rev() {
                // The layout is a bijection onto its range, so its strides are the weights of the digits.
                let digit =
                    if number(lay.extent(k)) == 1 { SymInt::ZERO } else { scope.div(inside, known(number(lay.scale(k)).max(1)))? };
                values.push(scope.rem(digit, known(number(lay.extent(k)).max(1)))?);
            }
        }
        let values = values.into_iter().rev().enumerate();
        Ok(core::iter::once(("row".into(), row)).chain(values.map(|(k, value)| (format!("c{}", axis + k), value))).collect())
    })
}

pub(super) fn known(value: i64) -> SymInt {
    SymInt::known(value).unwrap_or(SymInt::ONE)
}
