//! Turns a program into the statements of a function. The arithmetic is the emitted Rust text of the program; only branches
//! and casts are added here.

use super::names::text;
use coordinate_graph::program::{Emit, Language, Program};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The maximum depth of branches in a function.
const DEPTH: usize = 3;

/// A result whose error is a text: the reason why a program cannot be written.
type Result<T> = core::result::Result<T, String>;

/// A program as straight-line functions with branches between them. Each function has all arguments and computes all
/// outputs.
enum Code {
    /// One function, called `name`. Its integers are `isize` if `signed`, else `usize`. `natural[k]` is true if output `k`
    /// is never negative.
    Line { name: Ident, text: TokenStream, signed: bool, natural: Vec<bool> },
    /// A condition, the code for a condition that holds, and the code for one that does not.
    Branch(Box<[Code; 3]>),
}

/// Returns the type of the outputs, and the statements that compute them from `arguments`. An output that is never negative
/// is `usize`; the others are `isize`. The names of inner functions begin with `stem`. Fails if the program has no text.
pub fn values(program: &Program, stem: &str, arguments: &[TokenStream]) -> Result<(TokenStream, TokenStream)> {
    let code = code(program, stem, &mut 0, DEPTH)?;
    let mut natural = vec![true; program.outputs().len()];
    code.conjoin(&mut natural);
    let kinds = natural.iter().map(|natural| if *natural { quote!(usize) } else { quote!(isize) });
    let kinds = if natural.len() == 1 { quote!(#(#kinds)*) } else { quote!((#(#kinds),*)) };
    let mut items = TokenStream::new();
    code.items(&mut items);
    let value = code.value(stem, arguments, &natural);
    Ok((kinds, quote!(#items #value)))
}

/// Returns the type of the runs, along the argument `along`, of `targets` indices, and the expression that makes them.
/// `body` computes the outputs of the program of runs.
pub fn runs(root: &TokenStream, along: &Ident, targets: usize, body: TokenStream) -> (TokenStream, TokenStream) {
    let name = |stem: &str, k: usize| Ident::new(&format!("{}_{stem}_{k}", text(along)), Span::call_site());
    let (indices, steps): (Vec<Ident>, Vec<Ident>) = (0..targets).map(|k| (name("index", k), name("step", k))).unzip();
    let [count, valid] = [name("count", 0), name("valid", 0)];
    let runs = quote!(#root::layouts::runs::Runs<impl ::core::clone::Clone + ::core::ops::Fn(usize) -> #root::layouts::runs::Run<#targets>, #targets>);
    let code = quote! {
        #root::layouts::runs::Runs::new(#along, move |#along: usize| {
            let (#(#indices,)* #(#steps,)* #count, #valid) = { #body };
            #root::layouts::runs::Run {
                first: #along,
                count: #count as usize,
                indices: [#(#indices as isize),*],
                steps: [#(#steps as isize),*],
                valid: #valid != 0,
            }
        })
    };
    (runs, code)
}

/// Returns the statements that compute the only output from `arguments` as a truth value, in a function called `stem`.
/// Fails if the program has no text.
pub fn truth(program: &Program, stem: &str, arguments: &[TokenStream]) -> Result<TokenStream> {
    let code = line(program, stem.to_string())?;
    let mut items = TokenStream::new();
    code.items(&mut items);
    let call = code.call(arguments);
    Ok(quote!(#items #call != 0))
}

fn code(program: &Program, stem: &str, count: &mut usize, depth: usize) -> Result<Code> {
    let mut name = || {
        *count += 1;
        if *count == 1 { stem.to_string() } else { format!("{stem}_{count}") }
    };
    match if depth == 0 { None } else { program.cases().map_err(|error| error.to_string())? } {
        None => line(program, name()),
        Some(cases) => {
            let condition = line(&cases.condition, name())?;
            let then = code(&cases.then, stem, count, depth - 1)?;
            Ok(Code::Branch(Box::new([condition, then, code(&cases.otherwise, stem, count, depth - 1)?])))
        }
    }
}

fn line(program: &Program, name: String) -> Result<Code> {
    let source = program.emit(&Emit::new(Language::Rust, &name).fast_division(false)).map_err(|error| error.to_string())?;
    let text = source.device.parse::<TokenStream>().map_err(|error| error.to_string())?;
    let signed = source.integer == "isize";
    let natural = (0..program.outputs().len()).map(|k| !signed || program.facts_of_output(k).lo >= 0).collect();
    Ok(Code::Line { name: Ident::new(&name, Span::call_site()), text, signed, natural })
}

impl Code {
    /// Sets `all[k]` to false for each output `k` that may be negative.
    fn conjoin(&self, all: &mut [bool]) {
        match self {
            Code::Line { natural, .. } => all.iter_mut().zip(natural).for_each(|(all, natural)| *all &= natural),
            Code::Branch(parts) => parts[1..].iter().for_each(|part| part.conjoin(all)),
        }
    }

    fn items(&self, out: &mut TokenStream) {
        match self {
            Code::Line { text, .. } => out.extend(text.clone()),
            Code::Branch(parts) => parts.iter().for_each(|part| part.items(out)),
        }
    }

    fn call(&self, arguments: &[TokenStream]) -> TokenStream {
        match self {
            Code::Line { name, signed: true, .. } => quote!(#name(#((#arguments) as isize),*)),
            Code::Line { name, .. } => quote!(#name(#(#arguments),*)),
            Code::Branch(parts) => parts[0].call(arguments),
        }
    }

    /// Returns the expression of the outputs: output `k` as `usize` if `natural[k]`, else as `isize`.
    fn value(&self, stem: &str, arguments: &[TokenStream], natural: &[bool]) -> TokenStream {
        let signed = match self {
            Code::Line { signed, .. } => *signed,
            Code::Branch(parts) => {
                let condition = parts[0].call(arguments);
                let [then, otherwise] = [1, 2].map(|k| parts[k].value(stem, arguments, natural));
                return quote!(if #condition != 0 { #then } else { #otherwise });
            }
        };
        let call = self.call(arguments);
        let cast = |value: TokenStream, natural: bool| match (signed, natural) {
            (true, true) => quote!(#value as usize),
            (false, false) => quote!(#value as isize),
            _ => value,
        };
        if let [natural] = natural {
            return cast(call, *natural);
        }
        if natural.iter().all(|natural| *natural != signed) {
            return call;
        }
        let all = Ident::new(&format!("{stem}_all"), Span::call_site());
        let parts = natural.iter().enumerate().map(|(k, natural)| {
            let k = Literal::usize_unsuffixed(k);
            cast(quote!(#all.#k), *natural)
        });
        quote!(let #all = #call; (#(#parts),*))
    }
}
