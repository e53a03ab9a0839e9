//! `graph!`: coordinate graphs as straight-line functions.
//!
//! The macro builds the graph and evaluates it on symbols during expansion. It writes the simplified program of
//! each function as Rust. `statement`, `transform`, `function` and `quantity` read the input, `code` writes the
//! functions, and `blame` finds the tokens of an error.

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
use crate::expand::Root;
use crate::parse::{Cursor, is_condition};
use crate::texts::{Wanted, texts};
use coordinate_graph::graph::{Bound, Domain, GraphError};
use coordinate_graph::program::Program;
use function::{Function, What};
use layout_algebra::value::Facts;
use names::{Names, Origin, Parameters, text};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use statement::statements;

/// Returns the expansion of `graph!`: the code of all functions. Fails at the first statement or function that is refused.
pub fn graph(tokens: TokenStream) -> Result<TokenStream> {
    let last: Vec<TokenTree> = tokens.clone().into_iter().last().into_iter().collect();
    let mut cursor = Cursor::new(tokens, Extent::of(&last, Extent::at(Span::call_site())));
    let root = Root::take(&mut cursor);
    let (names, functions) = statements(&mut cursor)?;
    let inner = inner(&names);
    let both = |function| Ok([generate(&root, &names, function, &inner)?, devices(&root, &names, function)?].into_iter().collect());
    functions.iter().map(both).collect::<Result<Vec<TokenStream>>>().map(|all| all.into_iter().collect())
}

/// Returns a stem for the names of inner functions, with which no name of the graph begins.
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

fn generate(root: &Root, names: &Names, function: &Function, inner: &str) -> Result<TokenStream> {
    let program = program(names, function)?.in_thread();
    let mut idents = Parameters::default();
    // Arguments are the listed sources in their order, then the other parameters that the program needs, as declared.
    let listed = function.sources.iter().filter(|source| source.value.is_none()).map(|source| (text(&source.name), source.name.span()));
    let needed = program.inputs().iter().map(|input| (input.name.clone(), Span::call_site()));
    let mut parameters: Vec<(String, Ident)> = Vec::new();
    for (name, at) in listed.chain(needed) {
        let at = match names.origin(&name) {
            None => at,
            Some(Origin::Argument(declared)) => declared.span(),
            Some(_) => continue,
        };
        if !parameters.iter().any(|(known, _)| *known == name) {
            let ident = idents.name(&name, at);
            parameters.push((name, ident));
        }
    }
    let (mut generics, mut arguments, mut documents) = (Vec::new(), Vec::new(), Vec::new());
    for (k, input) in program.inputs().iter().enumerate() {
        arguments.push(match names.origin(&input.name) {
            None | Some(Origin::Argument(_)) => {
                let ident = parameters.iter().find(|(name, _)| *name == input.name).map(|(_, ident)| ident);
                quote!(#ident)
            }
            // Unlike an argument, a generic parameter is not a pattern, so it may have the name of a constant and
            // hides it.
            Some(Origin::Generic(name)) => {
                let ident = names::ident(&input.name, name.span());
                generics.push(ident.clone());
                quote!(#ident)
            }
            Some(Origin::Constant(path)) => {
                arguments.push(path.clone());
                continue;
            }
        });
        documents.push(format!("* `{}`{}", input.name, range(program.facts_of_input(k))));
    }
    let mut idents = Parameters::default();
    let small = program.inputs().iter().map(|input| idents.name(&input.name.replace("::", "_"), Span::call_site()));
    let small: Vec<String> = small.map(|ident| text(&ident)).collect();
    let program = program.with_input_names(small);
    let (attributes, visibility, name) = (&function.attributes, &function.visibility, &function.name);
    let generics = if generics.is_empty() { quote!() } else { quote!(<#(const #generics: usize),*>) };
    let code = match &function.what {
        What::Validity => code::truth(&program, inner, &arguments).map(|code| (quote!(bool), code)),
        What::Values | What::Delta(..) | What::Runs(_) => code::values(&program, inner, &arguments),
    };
    let (output, body) = code.map_err(|error| refuse(function, &error))?;
    let runs = match &function.what {
        What::Runs(along) => parameters.iter().find(|(name, _)| *name == text(along)).map(|(_, ident)| ident.clone()),
        _ => None,
    };
    let (output, body, constant) = match &runs {
        Some(along) => {
            let (output, body) = code::runs(&root.at(Span::call_site()), along, function.targets.len(), body);
            (output, body, quote!())
        }
        None => (output, body, quote!(const)),
    };
    let heading = match (documents.is_empty(), &function.what) {
        (true, _) => "\n\nA constant.",
        (false, What::Runs(_)) => "\n\nThe runs of a straight-line function of",
        _ => "\n\nA straight-line function of",
    };
    let (fields, parameters): (Vec<String>, Vec<Ident>) = parameters.into_iter().unzip();
    let range = quote!(::core::ops::Range<usize>);
    let types: Vec<TokenStream> =
        parameters.iter().map(|ident| if runs.as_ref() == Some(ident) { range.clone() } else { quote!(usize) }).collect();
    // Runs start from a range, which is not `Copy`.
    let copy = if runs.is_some() { quote!() } else { quote!(Copy,) };
    let (structure, parameters) = if function.named {
        let ty = Ident::new(&format!("{}Args", camel(&text(name))), name.span());
        let (about, fields) = (format!("The arguments of [`{}`].", text(name)), fields.iter().map(|field| format!("`{field}`")));
        let conditions = attributes.iter().filter(|attribute| is_condition(attribute));
        let structure = quote! {
            #(#conditions)*
            #[doc = #about]
            #[derive(Clone, #copy PartialEq, Eq, Debug)]
            #visibility struct #ty { #(#[doc = #fields] #visibility #parameters: #types),* }
        };
        (structure, quote!(#ty { #(#parameters),* }: #ty))
    } else {
        (quote!(), quote!(#(#parameters: #types),*))
    };
    Ok(quote! {
        #structure
        #(#attributes)*
        #[doc = #heading]
        #(#[doc = #documents])*
        #[inline]
        #[allow(clippy::too_many_arguments, clippy::unnecessary_cast, non_upper_case_globals, unused_variables)]
        #visibility #constant fn #name #generics (#parameters) -> #output {
            #body
        }
    })
}

/// Converts `snake_case` to `CamelCase`.
fn camel(name: &str) -> String {
    let word = |word: &str| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>();
    name.split('_').map(word).collect()
}

/// Returns the constants with the text of the function in the languages that it requests. Fails if a language cannot
/// express it.
fn devices(root: &Root, names: &Names, function: &Function) -> Result<TokenStream> {
    let Some((_, at)) = function.languages.first() else { return Ok(TokenStream::new()) };
    let program = program(names, function)?;
    for input in program.inputs() {
        let what = match names.origin(&input.name) {
            Some(Origin::Constant(_)) => "a constant, whose number is not known while the macro expands",
            Some(Origin::Generic(_)) => "a const parameter, of which a text has none",
            _ => continue,
        };
        let message = format!("`{}` needs `{}`, {what}: make it a `param` or a number", text(&function.name), input.name);
        return Err(Error::new(Extent::at(at.span()), message));
    }
    let Function { attributes, visibility, name, languages, .. } = function;
    let about = format!("The text of [`{}`]", text(name));
    texts(root, &Wanted { attributes, visibility, name, languages, about: &about }, &program)
}

/// Returns the program of the function. Coordinates are thread inputs, and so are parameters in the list of sources. Other
/// parameters are launch inputs. Fails if the graph does not determine the targets.
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
    // The conditions and the values are simplified separately, so that neither changes the form of the other.
    let program = match &function.what {
        What::Delta(dim, by) => graph.delta_program(function.direction, &bound, &text(dim), *by, &targets, Domain::Declared),
        What::Runs(dim) => graph.run_program(function.direction, &bound, &text(dim), &targets, Domain::Declared),
        What::Values => graph
            .unsimplified(function.direction, &bound, &targets, Domain::Declared)
            .and_then(|program| program.without_conditions().simplified().map_err(GraphError::from)),
        What::Validity => graph
            .unsimplified(function.direction, &bound, &targets, Domain::Declared)
            .and_then(|program| program.validity().map_err(GraphError::from)),
    };
    program.map(Program::without_conditions).map_err(|error| blame::function(names, function, &error))
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
