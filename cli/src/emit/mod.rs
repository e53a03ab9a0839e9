//! Index functions as source text: `crd2idx emit` and the request `emit`.

mod request;
pub mod text;

use super::eval::{EXPRESSION, describe};
use super::graph::From;
use crate::request::requests;
use clap::Args;
use crd2idx::program::Program;
use request::{Emission, OfGraph, OfLayout, Printed};
use std::path::Path;
use text::print;

requests! {
    /// Prints the index function of a layout, or of a question about a graph, as source text.
    "emit" => |emission: Emission| request::answer(emission);
}

/// The arguments of `crd2idx emit`.
#[derive(Args)]
pub struct Emit {
    /// A layout expression, or a graph: a file that ends in `.json`, or `-` for standard input.
    #[arg(value_name = "LAYOUT or FILE", value_hint = EXPRESSION)]
    source: String,
    #[command(flatten)]
    printed: Printed,
    /// Print only the host function, which computes the quantities that are constant in a launch.
    #[arg(long)]
    host: bool,
    #[command(flatten)]
    of_layout: OfLayout,
    #[command(flatten)]
    of_graph: OfGraph,
    /// For a graph: the meaning of Flatten: declared, sizes or strides.
    #[arg(long)]
    flatten: Option<String>,
}

/// Returns the text to print, or the message of a failure.
pub fn run(ask: &Emit) -> Result<String, String> {
    let printed = ask.printed.clone().of_command();
    let form = printed.form().map_err(|(key, message)| format!("--{key}: {message}"))?;
    let program = if is_graph(&ask.source) { of_graph(ask)? } else { of_layout(ask)? };
    let program = printed.renamed(program).map_err(|message| format!("--names: {message}"))?;
    if printed.expression {
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

fn of_layout(ask: &Emit) -> Result<Program, String> {
    let OfGraph { forward, reverse, targets, launch, bind, domain } = &ask.of_graph;
    let options = [
        ("forward", forward.is_some()),
        ("reverse", reverse.is_some()),
        ("target", targets.is_some()),
        ("launch", launch.is_some()),
        ("bind", bind.is_some()),
        ("domain", domain.is_some()),
        ("flatten", ask.flatten.is_some()),
    ];
    if let Some((option, _)) = options.iter().find(|(_, given)| *given) {
        return Err(format!("--{option} needs a graph: `{}` is a layout expression, no file that ends in .json", ask.source));
    }
    let coordinates = ask.of_layout.coordinates().map_err(|message| format!("--coordinates: {message}"))?;
    request::layout(&ask.source, coordinates, &ask.printed).map_err(|e| describe(&ask.source, &e))
}

fn of_graph(ask: &Emit) -> Result<Program, String> {
    if ask.of_layout.coordinates.is_some() {
        return Err(format!("--coordinates needs a layout: `{}` is a graph", ask.source));
    }
    let from = From { file: ask.source.clone().into(), flatten: ask.flatten.clone() };
    let program = ask.of_graph.clone().of_command().program(&from.read()?, &ask.printed);
    program.map_err(|refusal| format!("{}: {}", from.name(), refusal.message))
}
