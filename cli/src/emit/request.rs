//! The options of printed functions, from the command line or from JSON.

use super::text::{Form, named, renamed};
use crate::answer::{Refusal, Result};
use crate::eval::describe;
use crate::graph::Binding;
use crate::graph::query::{Asked, names};
use crate::request::{Request, Unread, fields, or_default, read};
use clap::Args;
use crd2idx::LayoutError;
use crd2idx::graph::{Bound, CoordGraph, Direction, Domain};
use crd2idx::json::JsonError;
use crd2idx::program::{Coordinates, EmitError, Program};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The coordinates of a layout by name, the default first.
const COORDINATES: &[(&str, Coordinates)] =
    &[("modes", Coordinates::Modes), ("linear", Coordinates::Linear), ("leaves", Coordinates::Leaves)];

/// The domains by name, the default first.
const DOMAINS: &[(&str, Domain)] = &[("declared", Domain::Declared), ("natural", Domain::Natural), ("any", Domain::Any)];

/// The options of a printed function.
#[derive(Args, Clone, Deserialize)]
pub struct Printed {
    /// The language: c, cuda, hip, opencl, wgsl, rust or mlir.
    #[arg(long, value_name = "LANGUAGE")]
    pub to: String,
    /// The name of the function.
    #[arg(long, default_value = "crd2idx")]
    #[serde(default = "usual_name", deserialize_with = "name")]
    name: String,
    /// The names of its parameters, in order (default: the graph's names, or n0, d0, i0, ...).
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    names: Option<Vec<String>>,
    /// The size of its integers in bits, 32 or 64 (default: 32 if that is proven enough).
    #[arg(long)]
    width: Option<u32>,
    /// Divide by launch parameters with `/`, not with magic numbers.
    #[arg(long = "no-fast-division", action = clap::ArgAction::SetFalse)]
    #[serde(default = "yes", deserialize_with = "unless_false")]
    fast_division: bool,
    /// Print expressions, one a line, instead of a function.
    #[arg(long, conflicts_with_all = ["host", "width", "fast_division", "name"])]
    #[serde(default, deserialize_with = "or_default")]
    pub expression: bool,
    /// Print the formulas without simplification.
    #[arg(long)]
    #[serde(default, deserialize_with = "or_default")]
    unsimplified: bool,
}

fn usual_name() -> String {
    "crd2idx".into()
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(usual_name))
}

fn yes() -> bool {
    true
}

fn unless_false<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(true))
}

impl Printed {
    /// Returns the form of the function. Fails with the name of the invalid option and the reason.
    pub fn form(&self) -> std::result::Result<Form, (&'static str, String)> {
        Form::new(&self.to, &self.name, self.width, self.fast_division)
    }

    /// Returns the program with its inputs renamed by the option `names`. Fails for a name that is no identifier, and for more
    /// names than inputs.
    pub fn renamed(&self, program: Program) -> std::result::Result<Program, String> {
        renamed(program, &names(self.names.as_deref().unwrap_or_default()))
    }
}

/// The inputs of the function of a layout.
#[derive(Args, Clone, Deserialize)]
pub struct OfLayout {
    /// For a layout: its inputs: modes (one per mode, the default), linear (one in all) or leaves (one per leaf).
    #[arg(long, value_name = "WHICH")]
    pub coordinates: Option<String>,
}

impl OfLayout {
    /// Returns the inputs that the option names, or one per mode without a name. Fails for an unknown name.
    pub fn coordinates(&self) -> std::result::Result<Coordinates, String> {
        named(self.coordinates.as_deref(), COORDINATES)
    }
}

/// Returns the index function of a layout expression. Fails if the expression cannot be read or is refused.
pub fn layout(text: &str, coordinates: Coordinates, printed: &Printed) -> std::result::Result<Program, LayoutError> {
    if printed.unsimplified { Program::parse_layout_unsimplified(text, coordinates) } else { Program::parse_layout(text, coordinates) }
}

/// A question about a graph, and when its coordinates become known.
#[derive(Args, Clone, Deserialize)]
pub struct OfGraph {
    /// For a graph: compute outputs from these coordinates of each thread.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "reverse")]
    pub forward: Option<Vec<String>>,
    /// For a graph: compute inputs from these coordinates of each thread.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub reverse: Option<Vec<String>>,
    /// For a graph: the dimensions to compute.
    #[arg(long = "target", value_name = "NAME,...", value_delimiter = ',')]
    pub targets: Option<Vec<String>>,
    /// For a graph: coordinates that are constant in a launch, as parameters are.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub launch: Option<Vec<String>>,
    /// For a graph: a dimension or a parameter and its value.
    #[arg(long, value_name = "NAME=VALUE")]
    #[serde(default, deserialize_with = "bindings")]
    pub bind: Option<Vec<Binding>>,
    /// For a graph: the coordinates that occur: declared (inside their sizes, the default), natural (not negative) or any.
    #[arg(long)]
    pub domain: Option<String>,
}

fn bindings<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Vec<Binding>>, D::Error> {
    let bound = Option::<BTreeMap<String, i64>>::deserialize(deserializer)?;
    Ok(bound.map(|bound| bound.into_iter().map(|(name, value)| Binding(name, value)).collect()))
}

impl OfGraph {
    /// Returns the program of this question about a graph. Refuses a question without a direction or targets, and names that
    /// the graph does not have or cannot compute.
    pub fn program(&self, graph: &CoordGraph, printed: &Printed) -> Result<Program> {
        let (direction, threads) = match (&self.forward, &self.reverse) {
            (Some(threads), None) => (Direction::Forward, threads),
            (None, Some(threads)) => (Direction::Reverse, threads),
            _ => return Err(Refusal::malformed("list the coordinates of each thread in `forward` or in `reverse`")),
        };
        let [launch, targets] = [&self.launch, &self.targets].map(|list| names(list.as_deref().unwrap_or_default()));
        if targets.is_empty() {
            return Err(Refusal::malformed("`targets` is empty: list the dimensions to compute"));
        }
        let domain = named(self.domain.as_deref(), DOMAINS).map_err(|message| Refusal::malformed(format!("domain: {message}")))?;
        let launch = launch.into_iter().map(Bound::Launch);
        let threads = names(threads).into_iter().map(Bound::Thread);
        let constants = self.bind.iter().flatten().map(|Binding(name, value)| Bound::Constant(name, *value));
        let sources: Vec<Bound<'_>> = launch.chain(threads).chain(constants).collect();
        let compute = if printed.unsimplified { CoordGraph::unsimplified } else { CoordGraph::program };
        Ok(compute(graph, direction, &sources, &targets, domain)?)
    }
}

/// Removes the empty name that an empty option has on the command line.
fn filled(list: &mut Option<Vec<String>>) {
    list.iter_mut().for_each(|list| list.retain(|name| !name.is_empty()));
}

impl Printed {
    /// Returns the options of the command line. There an empty list is one empty name, which is removed.
    pub fn of_command(mut self) -> Printed {
        filled(&mut self.names);
        self
    }
}

impl OfGraph {
    /// Returns the options of the command line. There an empty list is one empty name, which is removed.
    pub fn of_command(mut self) -> OfGraph {
        [&mut self.forward, &mut self.reverse, &mut self.targets, &mut self.launch].into_iter().for_each(filled);
        self
    }
}

#[derive(Deserialize)]
struct Layout {
    layout: String,
}

/// A layout or a graph, with the options of its printed function.
pub enum Emission {
    Layout(Printed, String, OfLayout),
    Graph(Printed, Asked, OfGraph),
}

impl Request for Emission {
    fn keys() -> Vec<&'static str> {
        [fields::<Layout>(), fields::<OfLayout>(), fields::<Asked>(), fields::<OfGraph>(), fields::<Printed>()].concat()
    }

    fn read(value: &Value, _: &'static str) -> std::result::Result<Emission, Unread> {
        if value.get("graph").is_some() {
            return Ok(read(value, &[]).map(|(printed, asked, question)| Emission::Graph(printed, asked, question))?);
        }
        if value.get("layout").is_none() {
            return Err(JsonError::missing_field("layout` or `graph").into());
        }
        Ok(read(value, &[]).map(|(Layout { layout }, printed, question)| Emission::Layout(printed, layout, question))?)
    }
}

/// Answers `{"device": text, "host": text or null}`, or `{"expressions": {name: text}}`.
pub fn answer(emission: Emission) -> Result<Value> {
    let wrong = |key: &str, message: String| Refusal::malformed(format!("{key}: {message}"));
    let (printed, program) = match &emission {
        Emission::Layout(printed, text, question) => {
            let coordinates = question.coordinates().map_err(|message| wrong("coordinates", message))?;
            let program = layout(text, coordinates, printed);
            (printed, program.map_err(|error| Refusal::new(describe(text, &error)).with("kind", "layout")))
        }
        Emission::Graph(printed, asked, question) => (printed, question.program(&asked.graph()?, printed)),
    };
    let form = printed.form().map_err(|(key, message)| wrong(key, message))?;
    let program = printed.renamed(program?).map_err(|message| wrong("names", message))?;
    let refused = |error: EmitError| Refusal::new(error.to_string()).with("kind", "emit");
    if printed.expression {
        let lines = form.expressions(&program).map_err(refused)?;
        return Ok(json!({"expressions": lines.into_iter().map(|(name, text)| (name, text.into())).collect::<Map<_, _>>()}));
    }
    let source = form.source(&program).map_err(refused)?;
    Ok(json!({"device": source.device, "host": source.host}))
}
