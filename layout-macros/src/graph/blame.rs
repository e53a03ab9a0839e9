//! Maps errors of the graph to the tokens that caused them. A new error points at the transform or the function unless it
//! gets an arm here.

use super::function::Function;
use super::names::{EdgeAt, Names, text};
use crate::diag::{Error, Extent};
use coordinate_graph::graph::{EdgeName, FlattenMode, GraphError, Transform};

/// Returns the error of one transform. It points at the field or the dimension that the error names, else at the name of
/// the transform.
pub fn edge(edge: &EdgeAt, error: &GraphError) -> Error {
    let field = |what: &str| {
        let declared = Transform::field_names(&text(&edge.name)).unwrap_or(&[]).iter();
        let key = declared.into_iter().find(|field| field.what == what)?.key;
        edge.fields.iter().find(|(name, _)| *name == key).map(|(_, at)| *at)
    };
    let at = match error {
        GraphError::Range { what, .. } | GraphError::Length { what, .. } => field(what),
        GraphError::RepeatedDimension { dim, .. } | GraphError::Sizes { dim, .. } => Some(edge.mention(dim)),
        GraphError::MissingSize { dim, .. } | GraphError::MissingStride { dim, .. } => Some(edge.mention(dim)),
        GraphError::Conflict { dim, .. } => Some(edge.mention(dim)),
        _ => None,
    };
    Error::new(at.unwrap_or(Extent::at(edge.name.span())), error.to_string())
}

/// Returns the error of one function. It points at the transform or the size that the error names, else at the function.
pub fn function(names: &Names, function: &Function, error: &GraphError) -> Error {
    let place = match error {
        GraphError::MissingSize { edge, .. } | GraphError::MissingStride { edge, .. } | GraphError::Entry { edge, .. } => edge.0.as_str(),
        GraphError::Conflict { edges: (_, last), .. } => last.0.as_str(),
        GraphError::Range { place, .. } | GraphError::Arithmetic { place, .. } => place.as_str(),
        _ => return asked(names, function, error),
    };
    if let Some(at) = written(names, place) {
        let found = edge(at, error);
        let mixed = at.name == "Flatten" && names.graph.flatten_mode() == FlattenMode::Declared;
        let hint = match error {
            GraphError::MissingStride { .. } if mixed => "; give one to all or to none of them, or write `flatten sizes;`".into(),
            GraphError::MissingSize { .. } | GraphError::MissingStride { .. } => format!(" (`{}` needs it)", text(&function.name)),
            _ => String::new(),
        };
        return Error { message: found.message + &hint, ..found };
    }
    let dim = names.graph.dimensions().iter().position(|dim| *place == format!("`{}`", dim.name));
    let at = dim.and_then(|k| names.sizes.get(k)).copied();
    Error::new(at.unwrap_or(Extent::at(function.name.span())), error.to_string())
}

/// Returns the last transform that errors call `name`, such as `Tile(k -> i, j)`; `None` if there is none.
fn written<'a>(names: &'a Names, name: &str) -> Option<&'a EdgeAt> {
    names.edges.iter().rfind(|edge| edge.text() == name)
}

/// Returns an error in the sources, the direction or the targets of a function. It points at the source, the direction or
/// the target that the error names, else at the function.
fn asked(names: &Names, function: &Function, error: &GraphError) -> Error {
    let at = match error {
        GraphError::Unreachable { target, missing, .. } => {
            let asked = function.targets.iter().find(|name| text(name) == *target);
            let Some(asked) = asked else { return unasked(function, target, missing) };
            Extent::at(asked.span())
        }
        GraphError::UndefinedDirection { .. } => Extent::at(function.direction_at),
        GraphError::BoundTwice { name: twice } => {
            let source = function.sources.iter().rfind(|source| text(&source.name) == *twice);
            Extent::at(source.map_or(&function.name, |source| &source.name).span())
        }
        GraphError::SwitchOutOfRange { edge: EdgeName(edge), value, .. } => {
            let ends = written(names, edge).map_or(Vec::new(), |edge| edge.sides.iter().filter_map(|side| side.last()).map(text).collect());
            let is_switch = |dim: &str| ends.iter().any(|end| end == dim);
            let given = function.sources.iter().filter(|source| is_switch(&text(&source.name)));
            let given = given.filter_map(|source| source.value).find(|(number, _)| number == value);
            given.map_or(Extent::at(function.name.span()), |(_, at)| at)
        }
        _ => Extent::at(function.name.span()),
    };
    Error::new(at, error.to_string())
}

/// Returns the error for the dimension `dim`, which the targets need and which has no value because `missing` have none.
fn unasked(function: &Function, dim: &str, missing: &[String]) -> Error {
    let missing: Vec<String> = missing.iter().filter(|name| *name != dim).map(|name| format!("`{name}`")).collect();
    let more = if missing.is_empty() { String::new() } else { format!(": missing {}", missing.join(", ")) };
    let message = format!("`{}` needs `{dim}`, which nothing given determines{more}", text(&function.name));
    Error::new(Extent::at(function.direction_at), message)
}
