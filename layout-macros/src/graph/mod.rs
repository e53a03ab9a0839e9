//! `graph!`: coordinate graphs as straight-line functions.
//!
//! The graph is built and evaluated on symbols while the macro expands; what is left of each function is the simplified program, as Rust.

mod names;
mod quantity;
mod statement;

use crate::diag::{Error, Extent, Result};
use crate::parse::Cursor;
use layout_core::graph::{Bound, Domain, GraphError};
use layout_core::program::{Emit, Language, Program};
use layout_core::value::Facts;
use names::{Names, Origin, text};
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use statement::{Function, What, statements};

/// `graph!`.
pub fn graph(tokens: TokenStream) -> Result<TokenStream> {
    let mut cursor = Cursor::new(tokens, Extent::at(Span::call_site()));
    let (names, functions) = statements(&mut cursor)?;
    functions.iter().map(|function| generate(&names, function)).collect()
}

fn generate(names: &Names, function: &Function) -> Result<TokenStream> {
    let program = program(names, function)?;
    let source = program.emit(&Emit::new(Language::Rust, "index").fast_division(false)).map_err(|error| refuse(function, &error))?;
    let body: TokenStream = source.device.parse().map_err(|error| refuse(function, &error))?;

    let (mut parameters, mut generics, mut arguments, mut documents) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (name, _) in function.sources.iter().filter(|(_, value)| value.is_none()) {
        if !names.parameters.iter().any(|(known, _)| *known == text(name)) {
            parameters.push(name.clone());
        }
    }
    let bound = parameters.len();
    // Coordinates are `usize`; where a number may be negative the function computes in `isize`.
    let signed = source.integer == "isize";
    for (k, input) in program.inputs().iter().enumerate() {
        let origin = names.parameters.iter().find(|(known, _)| *known == input.name).map(|(_, origin)| origin);
        let value = match origin {
            None => {
                let name = parameters[..bound].iter().find(|name| text(name) == input.name);
                quote!(#name)
            }
            Some(Origin::Argument(name)) => {
                parameters.push(name.clone());
                quote!(#name)
            }
            Some(Origin::Generic(name)) => {
                generics.push(name.clone());
                quote!(#name)
            }
            Some(Origin::Constant(path)) => path.clone(),
        };
        arguments.push(if signed { quote!(#value as isize) } else { value });
        if !matches!(origin, Some(Origin::Constant(_))) {
            documents.push(format!("* `{}`{}", input.name, range(program.facts_of_input(k))));
        }
    }
    let (attributes, visibility, name) = (&function.attributes, &function.visibility, &function.name);
    let generics = if generics.is_empty() { quote!() } else { quote!(<#(const #generics: usize),*>) };
    let (output, call) = match &function.what {
        What::Validity => (quote!(bool), quote!(index(#(#arguments),*) != 0)),
        What::Values | What::Delta(..) => values(&program, signed, &arguments),
    };
    let heading = "\n\nA straight-line function of";
    Ok(quote! {
        #(#attributes)*
        #[doc = #heading]
        #(#[doc = #documents])*
        #[inline]
        #[allow(clippy::too_many_arguments)]
        #visibility const fn #name #generics (#(#parameters: usize),*) -> #output {
            #body
            #call
        }
    })
}

/// The type of the outputs, and the call that computes them: unsigned where no output can be negative.
fn values(program: &Program, signed: bool, arguments: &[TokenStream]) -> (TokenStream, TokenStream) {
    let call = quote!(index(#(#arguments),*));
    let natural: Vec<bool> = (0..program.outputs().len()).map(|k| program.facts_of_output(k).lo >= 0).collect();
    let kinds = natural.iter().map(|natural| if *natural { quote!(usize) } else { quote!(isize) });
    let cast = |value: TokenStream, natural: bool| if signed && natural { quote!(#value as usize) } else { value };
    if let [natural] = natural.as_slice() {
        return (quote!(#(#kinds)*), cast(call, *natural));
    }
    let parts = natural.iter().enumerate().map(|(k, natural)| {
        let k = Literal::usize_unsuffixed(k);
        cast(quote!(all.#k), *natural)
    });
    (quote!((#(#kinds),*)), quote!({ let all = #call; (#(#parts),*) }))
}

fn program(names: &Names, function: &Function) -> Result<Program> {
    let sources: Vec<(String, Option<i64>)> = function.sources.iter().map(|(name, value)| (text(name), *value)).collect();
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
    let program = match &function.what {
        What::Delta(dim, by) => graph.delta_program(function.direction, &bound, &text(dim), *by, &targets, Domain::Declared),
        What::Values | What::Validity => graph.program(function.direction, &bound, &targets, Domain::Declared),
    };
    let program = match function.what {
        What::Validity => program.map(Program::validity).and_then(|valid| valid.map_err(GraphError::from)),
        What::Values | What::Delta(..) => program.map(Program::without_conditions),
    };
    program.map(Program::in_thread).map_err(|error| {
        let about = match &error {
            GraphError::Unreachable { target, .. } => function.targets.iter().find(|name| text(name) == *target),
            GraphError::BoundTwice(twice) => function.sources.iter().map(|(name, _)| name).rfind(|name| text(name) == *twice),
            _ => None,
        };
        names::at(about.unwrap_or(&function.name), &error)
    })
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
