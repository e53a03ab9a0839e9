//! `graph!`: coordinate graphs as straight-line functions.
//!
//! The graph is built and evaluated on symbols while the macro expands; what is left of each function is the simplified program, as Rust.

mod blame;
mod code;
mod function;
mod names;
mod quantity;
mod statement;
#[cfg(test)]
mod tests;
mod transform;

use crate::diag::{Error, Extent, Result};
use crate::parse::Cursor;
use function::{Function, What};
use layout_core::graph::{Bound, Domain, GraphError};
use layout_core::program::Program;
use layout_core::value::Facts;
use names::{Names, Origin, Parameters, text};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use statement::statements;

/// `graph!`.
pub fn graph(tokens: TokenStream) -> Result<TokenStream> {
    let last: Vec<TokenTree> = tokens.clone().into_iter().last().into_iter().collect();
    let mut cursor = Cursor::new(tokens, Extent::of(&last, Extent::at(Span::call_site())));
    let (names, functions) = statements(&mut cursor)?;
    let inner = inner(&names);
    functions.iter().map(|function| generate(&names, function, &inner)).collect()
}

/// A name for the function inside each function with which no name of the graph begins.
fn inner(names: &Names) -> String {
    let graph = &names.graph;
    let known = graph.dimensions().iter().map(|dim| &dim.name).chain(graph.parameters().iter().map(|parameter| &parameter.name));
    let known: Vec<String> = known.map(|name| name.to_ascii_lowercase()).collect();
    let mut name = "index".to_string();
    while known.iter().any(|known| known.starts_with(&name)) {
        name.push('x');
    }
    name
}

fn generate(names: &Names, function: &Function, inner: &str) -> Result<TokenStream> {
    let program = program(names, function)?;
    let mut idents = Parameters::default();
    let (mut parameters, mut generics, mut arguments, mut documents) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let coordinates = function.sources.iter().filter(|source| source.value.is_none() && !names.is_parameter(&text(&source.name)));
    let coordinates: Vec<(String, Ident)> =
        coordinates.map(|source| (text(&source.name), idents.name(&text(&source.name), source.name.span()))).collect();
    parameters.extend(coordinates.iter().map(|(_, ident)| ident.clone()));
    for (k, input) in program.inputs().iter().enumerate() {
        let origin = names.parameters.iter().find(|(known, _)| *known == input.name).map(|(_, origin)| origin);
        arguments.push(match origin {
            None => {
                let ident = coordinates.iter().find(|(name, _)| *name == input.name).map(|(_, ident)| ident);
                quote!(#ident)
            }
            Some(Origin::Argument(name)) => {
                let ident = idents.name(&input.name, name.span());
                parameters.push(ident.clone());
                quote!(#ident)
            }
            // Generic parameters are no patterns: a constant of their name is hidden.
            Some(Origin::Generic(name)) => {
                let ident = names::ident(&input.name, name.span());
                generics.push(ident.clone());
                quote!(#ident)
            }
            Some(Origin::Constant(path)) => path.clone(),
        });
        if !matches!(origin, Some(Origin::Constant(_))) {
            documents.push(format!("* `{}`{}", input.name, range(program.facts_of_input(k))));
        }
    }
    let mut idents = Parameters::default();
    let small = program.inputs().iter().map(|input| idents.name(&input.name.replace("::", "_"), Span::call_site()));
    let small: Vec<String> = small.map(|ident| text(&ident)).collect();
    let program = program.with_input_names(small);
    let (attributes, visibility, name) = (&function.attributes, &function.visibility, &function.name);
    let generics = if generics.is_empty() { quote!() } else { quote!(<#(const #generics: usize),*>) };
    let code = match &function.what {
        What::Validity => code::truth(&program, inner, &arguments).map(|code| (quote!(bool), code)),
        What::Values | What::Delta(..) => code::values(&program, inner, &arguments),
    };
    let (output, body) = code.map_err(|error| refuse(function, &error))?;
    let heading = if documents.is_empty() { "\n\nA constant." } else { "\n\nA straight-line function of" };
    Ok(quote! {
        #(#attributes)*
        #[doc = #heading]
        #(#[doc = #documents])*
        #[inline]
        #[allow(clippy::too_many_arguments, non_upper_case_globals, unused_variables)]
        #visibility const fn #name #generics (#(#parameters: usize),*) -> #output {
            #body
        }
    })
}

fn program(names: &Names, function: &Function) -> Result<Program> {
    let sources: Vec<(String, Option<i64>)> =
        function.sources.iter().map(|source| (text(&source.name), source.value.map(|(value, _)| value))).collect();
    let bound: Vec<Bound<'_>> = sources
        .iter()
        .map(|(name, value)| match value {
            Some(value) => Bound::Constant(name, *value),
            None => Bound::Thread(name),
        })
        .collect();
    let targets: Vec<String> = function.targets.iter().map(text).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let graph = &names.graph;
    // What the conditions share with the values must not shape them: each is simplified alone.
    let program = match &function.what {
        What::Delta(dim, by) => graph.delta_program(function.direction, &bound, &text(dim), *by, &targets, Domain::Declared),
        What::Values => graph
            .unsimplified(function.direction, &bound, &targets, Domain::Declared)
            .and_then(|program| program.without_conditions().simplified().map_err(GraphError::from)),
        What::Validity => graph
            .unsimplified(function.direction, &bound, &targets, Domain::Declared)
            .and_then(|program| program.validity().map_err(GraphError::from)),
    };
    program.map(|program| program.without_conditions().in_thread()).map_err(|error| blame::function(names, function, &error))
}

fn range(facts: Facts) -> String {
    let mut out = match (facts.lo, facts.hi) {
        (0, i64::MAX) => String::new(),
        (lo, i64::MAX) => format!(" at least {lo}"),
        (lo, hi) => format!(" in `{lo}..={hi}`"),
    };
    if facts.div > 1 {
        out += &format!(", a multiple of {}", facts.div);
    }
    out
}

fn refuse(function: &Function, error: &dyn core::fmt::Display) -> Error {
    Error::new(Extent::at(function.name.span()), error.to_string())
}
