//! The names in a graph: their meaning, and the tokens where they are written.

use crate::diag::{Error, Extent, Result, nearest};
use crate::parse::Cursor;
pub use crate::parse::text;
use coordinate_graph::graph::{CoordGraph, DimId, Dimension, Expr};
use layout_algebra::value::Facts;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// The origin of the value of a parameter, with its name in the function or its path.
pub enum Origin {
    /// An argument of the functions that need the parameter.
    Argument(Ident),
    /// A const generic parameter of the functions that need the parameter.
    Generic(Ident),
    /// A constant in scope, given by its path.
    Constant(TokenStream),
}

/// A transform, as it is written.
pub struct EdgeAt {
    /// The name of the transform.
    pub name: Ident,
    /// The names of the inputs, and of the outputs.
    pub sides: [Vec<Ident>; 2],
    /// The fields: the key of each, and the tokens of its value.
    pub fields: Vec<(&'static str, Extent)>,
}

impl EdgeAt {
    /// Returns the name that errors give to the transform: `Tile(k -> i, j)`.
    pub fn text(&self) -> String {
        let [inputs, outputs] = [0, 1].map(|side| self.sides[side].iter().map(text).collect::<Vec<_>>().join(", "));
        format!("{}({inputs} -> {outputs})", self.name)
    }

    /// Returns the tokens of the last mention of the dimension `dim` in the transform, or of the name of the transform.
    pub fn mention(&self, dim: &str) -> Extent {
        let found = self.sides.iter().flatten().rfind(|name| text(name) == dim);
        Extent::at(found.unwrap_or(&self.name).span())
    }
}

/// The graph that is read so far, with its names.
#[derive(Default)]
pub struct Names {
    /// The graph.
    pub graph: CoordGraph,
    /// The parameters: the name in the graph and the origin of the value.
    pub parameters: Vec<(String, Origin)>,
    /// For each dimension, the tokens of its size, or of its name if it has no size.
    pub sizes: Vec<Extent>,
    /// The transforms, in order.
    pub edges: Vec<EdgeAt>,
}

impl Names {
    /// Declares a parameter with these facts. Fails if the name is taken.
    pub fn declare(&mut self, name: &Ident, origin: Origin, facts: Facts) -> Result<()> {
        self.graph.parameter(text(name), facts).map_err(|error| Error::new(Extent::at(name.span()), error.to_string()))?;
        self.parameters.push((text(name), origin));
        Ok(())
    }

    /// Adds a dimension whose size is written at `size`. Fails if the name is taken or the size is negative.
    pub fn add(&mut self, name: &Ident, dim: Dimension, size: Extent) -> Result<()> {
        let at = |error: &coordinate_graph::graph::GraphError| if error.class() == "graph/range" { size } else { Extent::at(name.span()) };
        self.graph.add(dim).map_err(|error| Error::new(at(&error), error.to_string()))?;
        self.sizes.push(size);
        Ok(())
    }

    /// Returns the origin of a parameter or a constant; `None` for other names.
    pub fn origin(&self, name: &str) -> Option<&Origin> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, origin)| origin)
    }

    /// Returns true if `name` is a parameter or a constant.
    pub fn is_parameter(&self, name: &str) -> bool {
        self.origin(name).is_some()
    }

    /// Returns the dimension `name`. Fails if the graph has none of that name.
    pub fn dimension(&self, name: &Ident) -> Result<DimId> {
        self.graph.find(&text(name)).map_err(|error| {
            if self.is_parameter(&text(name)) {
                return Error::new(Extent::at(name.span()), format!("`{}` is a parameter, not a dimension", text(name)));
            }
            Error::new(Extent::at(name.span()), error.to_string())
        })
    }

    /// Reads the name of a parameter, or the path of a constant, and returns it as a quantity. Fails at other names; a
    /// constant is spelled in capitals.
    pub fn parameter_or_constant(&mut self, cursor: &mut Cursor) -> Result<Expr> {
        let start = cursor.position();
        let Some(TokenTree::Ident(first)) = cursor.next() else {
            return cursor.expected("a parameter or a constant");
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
            name = format!("{name}::{next}");
            last = next;
        }
        if self.is_parameter(&name) {
            return Ok(Expr::Param(name));
        }
        let at = cursor.since(start);
        if !crate::parse::is_constant_name(&last) {
            if self.graph.find(&name).is_ok() {
                return Err(Error::new(at, format!("`{name}` is a dimension, which is no number: only parameters and constants are")));
            }
            let names = self.parameters.iter().map(|(name, _)| name.as_str());
            let hint = nearest(&name, names).map(|best| format!("is it `{best}`?"));
            let hint = hint.unwrap_or_else(|| "declare it with `param`, or spell a constant in capitals".into());
            return Err(Error::new(at, format!("`{name}` is not a parameter; {hint}")));
        }
        self.graph.parameter(name.clone(), Facts::NATURAL).map_err(|error| Error::new(at, error.to_string()))?;
        self.parameters.push((name.clone(), Origin::Constant(path)));
        Ok(Expr::Param(name))
    }
}

/// The keywords of all editions, including reserved ones.
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in \
    let loop macro match mod move mut override priv pub ref return self Self static struct super trait true try type typeof unsafe unsized \
    use virtual where while yield";

/// The names of the arguments of a function, so far. Each is used once.
#[derive(Default)]
pub struct Parameters(Vec<String>);

impl Parameters {
    /// Returns an unused identifier like `name`, in small letters, because a constant in scope may have the name in
    /// capitals. A keyword becomes a raw identifier.
    pub fn name(&mut self, name: &str, at: Span) -> Ident {
        let mut word = name.to_lowercase();
        let unfit = |word: &str| matches!(word, "self" | "super" | "crate");
        while unfit(&word) || self.0.contains(&word) {
            word.push('_');
        }
        self.0.push(word.clone());
        ident(&word, at)
    }
}

/// Returns the identifier `word`. A keyword becomes a raw identifier.
pub fn ident(word: &str, at: Span) -> Ident {
    if KEYWORDS.split_ascii_whitespace().any(|keyword| keyword == word) { Ident::new_raw(word, at) } else { Ident::new(word, at) }
}
