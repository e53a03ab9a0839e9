//! What a name in a graph stands for.

use crate::diag::{Error, Extent, Result, nearest};
use crate::parse::Cursor;
use layout_core::graph::{CoordGraph, DimId, Expr, GraphError};
use layout_core::value::Facts;
use proc_macro2::{Ident, TokenStream, TokenTree};

/// Where the value of a parameter comes from.
pub enum Origin {
    /// An argument of the functions that need it.
    Argument(Ident),
    /// A const generic parameter of the functions that need it.
    Generic(Ident),
    /// A constant in scope.
    Constant(TokenStream),
}

/// The graph so far, and its names.
#[derive(Default)]
pub struct Names {
    /// The graph.
    pub graph: CoordGraph,
    /// The name of each parameter in the graph, and where it comes from.
    pub parameters: Vec<(String, Origin)>,
}

impl Names {
    /// Declares a parameter.
    pub fn declare(&mut self, name: &Ident, origin: Origin, facts: Facts) -> Result<()> {
        self.graph.parameter(text(name), facts).map_err(|error| at(name, &error))?;
        self.parameters.push((text(name), origin));
        Ok(())
    }

    /// The dimension of that name.
    pub fn dimension(&self, name: &Ident) -> Result<DimId> {
        self.graph.find(&text(name)).map_err(|error| {
            let names = self.graph.dimensions().iter().map(|dim| dim.name.as_str());
            let hint = nearest(&text(name), names).map(|best| format!("; is it `{best}`?"));
            Error::new(Extent::at(name.span()), format!("{error}{}", hint.unwrap_or_default()))
        })
    }

    /// Reads a parameter, or the path of a constant.
    pub fn parameter_or_constant(&mut self, cursor: &mut Cursor) -> Result<Expr> {
        let start = cursor.here();
        let Some(TokenTree::Ident(first)) = cursor.next() else {
            return Err(Error::new(start, "expected a parameter or a constant"));
        };
        let mut path = TokenStream::from(TokenTree::from(first.clone()));
        let (mut last, mut name) = (first.clone(), text(&first));
        while let (Some(TokenTree::Punct(a)), Some(TokenTree::Punct(b)), Some(TokenTree::Ident(next))) =
            (cursor.peek(0).cloned(), cursor.peek(1).cloned(), cursor.peek(2).cloned())
        {
            if a.as_char() != ':' || b.as_char() != ':' {
                break;
            }
            for _ in 0..3 {
                path.extend(cursor.next());
            }
            name = format!("{name}_{next}");
            last = next;
        }
        if self.parameters.iter().any(|(known, _)| *known == name) {
            return Ok(Expr::Param(name));
        }
        if !crate::parse::is_constant_name(&last) {
            let names = self.parameters.iter().map(|(name, _)| name.as_str());
            let hint = nearest(&name, names).map(|best| format!("is it `{best}`?"));
            let hint = hint.unwrap_or_else(|| "declare it with `param`, or spell a constant in capitals".into());
            return Err(Error::new(Extent::at(first.span()), format!("`{name}` is not a parameter; {hint}")));
        }
        self.graph.parameter(name.clone(), Facts::NATURAL).map_err(|error| at(&first, &error))?;
        self.parameters.push((name.clone(), Origin::Constant(path)));
        Ok(Expr::Param(name))
    }
}

/// The text of a name, without `r#`.
pub fn text(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map(str::to_string).unwrap_or(text)
}

/// An error of the graph, shown at a name.
pub fn at(name: &Ident, error: &GraphError) -> Error {
    Error::new(Extent::at(name.span()), error.to_string())
}
