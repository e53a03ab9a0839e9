//! Prints the kernel that evaluates an expression at the coordinates of each leaf and writes the result to the leaf.
//!
//! Levels that are views may leave gaps between rows. The kernel does not write to leaves in a gap.

use super::cursor;
use super::plan::Plan;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use coordinate_graph::program::kernel::{Argument, ArrayAccess, Head, KernelThreads};
use coordinate_graph::program::{EmitError, Expr, Language, Program, Source, Time, WordWidth};
use layout_core::LayoutError;
use layout_core::algebra::value::{Facts, SymInt};

/// The text of the function of the coordinates, the axes whose coordinates it takes, and the type of its numbers.
struct Value {
    text: String,
    axes: Vec<usize>,
    integer: &'static str,
}

/// Prints the text of [`emit_visit`](super::RaggedLevels::emit_visit). Fails if `value` has names other than `c0`, `c1`, ...
pub(super) fn source(plan: &Plan<'_>, value: &Expr) -> Result<Source, EmitError> {
    let value = of_coordinates(plan, value)?;
    let data = plan.context.array("data", value.integer, ArrayAccess::Write);
    let mut arguments: Vec<Argument> = Vec::new();
    let wanted =
        [cursor::find_arguments(plan), cursor::next_arguments(plan), cursor::valid_arguments(plan), cursor::coordinate_arguments(plan)];
    for argument in wanted.into_iter().flatten().chain([Argument::number("begin"), Argument::number("end"), data.clone()]) {
        if !arguments.contains(&argument) {
            arguments.push(argument);
        }
    }
    let (mut device, host) = plan.head();
    device.extend(plan.context.bindings(&arguments, &arguments));
    device.extend(cursor::functions(plan));
    device.push(value.text.clone());
    device.push(kernel(plan, &value, &data, &arguments));
    Ok(Source { integer: value.integer, ..plan.source(device, host) })
}

fn kernel(plan: &Plan<'_>, value: &Value, data: &Argument, arguments: &[Argument]) -> String {
    let (dialect, tile, name) = (&plan.context.dialect, plan.tile, &plan.context.function);
    let head = Head {
        comment: &format!("{name}_value of the coordinates of the leaves begin..end, to data; a thread takes tiles of {tile} leaves"),
        name: format!("{name}_visit"),
        threads: KernelThreads::Grid,
    };
    let count = format!("(end - begin + {}) / {tile}", tile - 1);
    plan.context.elementwise(&head, arguments, ("tile", &count), |lines| {
        let text = format!("let first = begin + tile * {tile}\nvar last = end\nif end - first > {tile} {{ last = first + {tile} }}");
        lines.write(dialect, &text);
        let searched = !plan.searched().is_empty();
        let at: &[&str] = if searched { &["at"] } else { &[] };
        if searched {
            let found = dialect.call(&format!("{name}_find"), &["first"], &cursor::find_arguments(plan));
            lines.push(dialect.variable_of(&plan.context.structure("cursor"), "at", &found));
        }
        lines.write(dialect, "for leaf in first..last {");
        if searched {
            lines.push(format!("at = {};", dialect.call(&format!("{name}_next"), &["at", "leaf"], &cursor::next_arguments(plan))));
        }
        let views = plan.has_views();
        let leaf_and = |function: &str, arguments: &[Argument]| dialect.call(function, &[&["leaf"], at].concat(), arguments);
        if views {
            lines.write(dialect, &format!("if {} {{", leaf_and(&format!("{name}_is_valid"), &cursor::valid_arguments(plan))));
        }
        let c = leaf_and(name, &cursor::coordinate_arguments(plan));
        let result = if plan.axes > 1 { plan.context.structure("result") } else { dialect.ty().to_string() };
        let of_axis = |axis: usize| {
            let text = if plan.axes > 1 { dialect.field("c", &format!("c{axis}"), axis) } else { "c".to_string() };
            match dialect.language {
                _ if dialect.ty() == value.integer => text,
                Language::Rust => format!("{text} as {}", value.integer),
                Language::Wgsl => format!("{}({text})", value.integer),
                _ => format!("({}){text}", value.integer),
            }
        };
        if !value.axes.is_empty() {
            lines.push(dialect.constant_of(&result, "c", &c));
        }
        let taken: Vec<String> = value.axes.iter().map(|axis| of_axis(*axis)).collect();
        lines.push(format!("{} = {name}_value({});", dialect.element(&data.name, "leaf"), taken.join(", ")));
        if views {
            lines.close();
        }
        lines.close();
    })
}

/// Converts the expression to a function of the coordinates that it reads. Fails if it has names other than `c0`, `c1`, ...
fn of_coordinates(plan: &Plan<'_>, value: &Expr) -> Result<Value, EmitError> {
    let axis_of = |name: &str| name.strip_prefix('c').and_then(|digits| digits.parse::<usize>().ok()).filter(|axis| *axis < plan.axes);
    let unknown = |name: String| {
        let known = (0..plan.axes).map(|axis| format!("c{axis}")).collect::<Vec<_>>().join(", ");
        EmitError::UnknownName { name, known }
    };
    let mut axes = Vec::new();
    let mut refusal = None;
    value.visit(&mut |part| match part {
        Expr::Param(name) => match axis_of(name) {
            Some(axis) if axes.contains(&axis) => {}
            Some(axis) => axes.push(axis),
            None => refusal = Some(unknown(name.clone())),
        },
        Expr::Arg(k) => refusal = Some(unknown(format!("${k}"))),
        _ => {}
    });
    if let Some(error) = refusal {
        return Err(error);
    }
    axes.sort_unstable();
    let program = program(value, &axes, &axis_of, plan).map_err(|error| EmitError::Expression { why: error.to_string() })?;
    axes.retain(|axis| program.inputs().iter().any(|input| input.name == format!("c{axis}")));
    let width = plan.emit.width.filter(|width| *width == WordWidth::Bits64);
    let source = program.emit(&plan.emit.part(format!("{}_value", plan.context.function), width))?;
    Ok(Value { text: source.device, axes, integer: source.integer })
}

fn program(value: &Expr, axes: &[usize], axis_of: &dyn Fn(&str) -> Option<usize>, plan: &Plan<'_>) -> Result<Program, LayoutError> {
    let most = if plan.context.dialect.int.is_narrow() { i32::MAX as i64 } else { i64::MAX };
    let names: Vec<String> = axes.iter().map(|axis| format!("c{axis}")).collect();
    let inputs = names.iter().map(|name| (name.as_str(), Time::Thread, Facts { lo: 0, hi: most, div: 1 }));
    let program = Program::build(inputs, |scope, inputs| {
        let mut leaf = |part: &Expr, _: &mut _| {
            Ok::<SymInt, LayoutError>(match part {
                Expr::Int(value) => SymInt::known(*value).unwrap_or(SymInt::ZERO),
                Expr::Param(name) => {
                    let place = axis_of(name).and_then(|axis| axes.iter().position(|known| *known == axis));
                    place.and_then(|place| inputs.get(place)).copied().unwrap_or(SymInt::ZERO)
                }
                _ => SymInt::ZERO,
            })
        };
        Ok([("value".into(), value.evaluate(scope, &mut leaf)?)].into())
    })?;
    // An input that the simplified expression does not read is no parameter.
    Ok(program.without_unused_inputs())
}
