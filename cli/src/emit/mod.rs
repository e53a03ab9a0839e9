//! Index functions as source text: `crd2idx emit` and the operation `emit` of `batch`.

pub mod batch;
mod program;
pub mod text;

use super::eval::describe;
use super::graph::{From, pair};
use clap::Args;
use crd2idx::graph::Direction;
use program::{COORDINATES, DOMAINS, Question, layout};
use std::path::Path;
use text::{Form, named, print, renamed};

/// A layout or a question about a graph, and how its index function is printed.
#[derive(Args)]
pub struct Emit {
    /// A layout expression, or a graph: a file that ends in `.json`, or `-` for standard input.
    #[arg(value_name = "LAYOUT or FILE")]
    source: String,
    /// The language: c, cuda, hip, opencl, wgsl, rust or mlir.
    #[arg(long, value_name = "LANGUAGE")]
    to: String,
    /// The name of the function.
    #[arg(long, default_value = "crd2idx")]
    name: String,
    /// The names of its parameters, in order, in place of those of the graph or of n0, d0, i0, ...
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    names: Vec<String>,
    /// The bits of its integers, 32 or 64, instead of 32 where that is proven enough.
    #[arg(long)]
    width: Option<u32>,
    /// Divide by numbers known per launch with `/`, not with magic numbers.
    #[arg(long)]
    no_fast_division: bool,
    /// The function of the host alone, which computes what is known per launch.
    #[arg(long)]
    host: bool,
    /// Expressions, one a line, instead of a function.
    #[arg(long, conflicts_with_all = ["host", "width", "no_fast_division", "name"])]
    expression: bool,
    /// As the formulas are, not simplified.
    #[arg(long)]
    unsimplified: bool,
    /// Of a layout, what the inputs are: one for each of its modes (the default), linear for one in all, or leaves.
    #[arg(long, value_name = "WHICH")]
    coordinates: Option<String>,
    /// Of a graph, from these coordinates of each thread, inputs to outputs.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "reverse")]
    forward: Option<Vec<String>>,
    /// Of a graph, from these coordinates of each thread, outputs to inputs.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    reverse: Option<Vec<String>>,
    /// Of a graph, the dimensions to compute.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    target: Vec<String>,
    /// Of a graph, coordinates that are the same for a launch, as parameters are.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    launch: Vec<String>,
    /// Of a graph, a dimension or a parameter and its value.
    #[arg(long, value_name = "NAME=VALUE")]
    bind: Vec<String>,
    /// Of a graph, what holds of coordinates: declared, that they lie inside their sizes (the default), natural or any.
    #[arg(long)]
    domain: Option<String>,
    /// Of a graph, how Flatten is read: declared, sizes or strides.
    #[arg(long)]
    flatten: Option<String>,
}

/// The text that the command prints, or a message.
pub fn run(ask: &Emit) -> Result<String, String> {
    let form = Form::new(&ask.to, &ask.name, ask.width, !ask.no_fast_division).map_err(|(key, message)| format!("--{key}: {message}"))?;
    let program = if is_graph(&ask.source) { of_graph(ask)? } else { of_layout(ask)? };
    let program = renamed(program, &names(&ask.names)).map_err(|message| format!("--names: {message}"))?;
    if ask.expression {
        let lines = form.expressions(&program).map_err(|e| e.to_string())?;
        let several = lines.len() > 1;
        let line = |(name, text): &(String, String)| if several { format!("{name} = {text}") } else { text.clone() };
        return Ok(lines.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    let source = form.source(&program).map_err(|e| e.to_string())?;
    print(source, form.language, ask.host).map(|text| text.trim_end().to_owned())
}

fn is_graph(source: &str) -> bool {
    source == "-" || Path::new(source).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn of_layout(ask: &Emit) -> Result<crd2idx::program::Program, String> {
    let options = [
        ("forward", ask.forward.is_some()),
        ("reverse", ask.reverse.is_some()),
        ("target", !ask.target.is_empty()),
        ("launch", !ask.launch.is_empty()),
        ("bind", !ask.bind.is_empty()),
        ("domain", ask.domain.is_some()),
        ("flatten", ask.flatten.is_some()),
    ];
    if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
        return Err(format!("--{option} is of graphs: `{}` is a layout expression, no file that ends in .json", ask.source));
    }
    let coordinates = named(ask.coordinates.as_deref(), COORDINATES).map_err(|message| format!("--coordinates: {message}"))?;
    layout(&ask.source, coordinates, ask.unsimplified).map_err(|e| describe(&ask.source, &e))
}

fn of_graph(ask: &Emit) -> Result<crd2idx::program::Program, String> {
    if ask.coordinates.is_some() {
        return Err(format!("--coordinates is of layouts: `{}` is a graph", ask.source));
    }
    let from = From { file: ask.source.clone().into(), flatten: ask.flatten.clone() };
    let (direction, threads) = match (&ask.forward, &ask.reverse) {
        (Some(names), _) => (Direction::Forward, names),
        (_, Some(names)) => (Direction::Reverse, names),
        _ => return Err(format!("{}: --forward or --reverse says from which coordinates", from.name())),
    };
    if ask.target.is_empty() {
        return Err(format!("{}: --target says what to compute", from.name()));
    }
    let domain = named(ask.domain.as_deref(), DOMAINS).map_err(|message| format!("--domain: {message}"))?;
    let constants = ask.bind.iter().map(|text| pair("--bind", text)).collect::<Result<Vec<_>, _>>()?;
    let question = Question {
        direction,
        threads: names(threads),
        launch: names(&ask.launch),
        constants,
        targets: names(&ask.target),
        domain,
        unsimplified: ask.unsimplified,
    };
    question.program(&from.read()?).map_err(|error| format!("{}: {error}", from.name()))
}

/// The names of a list, which may be empty.
fn names(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
}
