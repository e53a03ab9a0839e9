//! Leaves and tuples, as values and as types.

use super::root::Root;
use crate::diag::{Error, Result};
use crate::parse::{Kind, Leaf, Tree, is_operator, is_type_path};
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

impl Root {
    /// A leaf as a value.
    pub fn leaf(&self, leaf: &Leaf) -> TokenStream {
        let span = leaf.at.first;
        let root = self.at(span);
        // `Int::<8>` is a value and a type.
        let (value, negative) = match &leaf.kind {
            Kind::Value(tokens) => return solid(tokens.iter().cloned()),
            Kind::Keep => return quote_spanned!(span=> #root::Keep),
            Kind::Type { name, negative: false } => {
                // The bound keeps out `usize`, whose default is a value too.
                return quote_spanned! {span=> {
                    #[inline(always)]
                    fn only_value<T: #root::StaticInt>() -> T {
                        T::default()
                    }
                    only_value::<#name>()
                }};
            }
            Kind::Type { name, negative: true } => return quote_spanned!(span=> #root::Neg::<#name>::new()),
            Kind::Int(value) => (magnitude(*value, leaf.at.last), *value < 0),
            Kind::Static { value, negative, .. } => (block(value), *negative),
            // Callers refuse strides along a basis.
            Kind::Basis(_) => return TokenStream::new(),
        };
        if negative { quote_spanned!(span=> #root::Neg::<#root::Int<#value>>::new()) } else { quote_spanned!(span=> #root::Int::<#value>) }
    }

    /// A tuple as a value.
    pub fn tree(&self, tree: &Tree) -> TokenStream {
        match tree {
            Tree::Leaf(leaf) => self.leaf(leaf),
            Tree::Tuple { modes, span, .. } => group(modes.iter().map(|mode| self.tree(mode)), *span),
        }
    }

    /// The type of a static leaf.
    pub fn leaf_type(&self, leaf: &Leaf) -> Result<TokenStream> {
        let span = leaf.at.first;
        let root = self.at(span);
        let (ty, negative) = match &leaf.kind {
            Kind::Int(value) => {
                let magnitude = magnitude(*value, leaf.at.last);
                (quote_spanned!(span=> #root::Int<#magnitude>), *value < 0)
            }
            Kind::Static { value, negative, .. } => {
                let value = block(value);
                (quote_spanned!(span=> #root::Int<#value>), *negative)
            }
            Kind::Type { name, negative } => (name.clone(), *negative),
            Kind::Keep => (quote_spanned!(span=> #root::Keep), false),
            Kind::Value(tokens) if is_type_path(tokens) => (tokens.iter().cloned().collect(), false),
            Kind::Value(_) => return Err(Error::new(leaf.at, "a named layout is static, and this is known only at run time")),
            Kind::Basis(_) => return Err(Error::new(leaf.at, NO_BASIS)),
        };
        Ok(if negative { quote_spanned!(span=> #root::Neg<#ty>) } else { ty })
    }

    /// The type of a static tuple.
    pub fn tree_type(&self, tree: &Tree) -> Result<TokenStream> {
        match tree {
            Tree::Leaf(leaf) => self.leaf_type(leaf),
            Tree::Tuple { modes, span, .. } => {
                let modes = modes.iter().map(|mode| self.tree_type(mode)).collect::<Result<Vec<_>>>()?;
                Ok(group(modes.into_iter(), *span))
            }
        }
    }
}

const NO_BASIS: &str = "a stride along a basis has no type";

/// Refuses a tuple with strides along a basis.
pub fn no_basis(tree: &Tree) -> Result<()> {
    match tree.find(|leaf| matches!(leaf.kind, Kind::Basis(_))) {
        Some(leaf) => Err(Error::new(leaf.at, NO_BASIS)),
        None => Ok(()),
    }
}

/// An expression with parentheses for the invisible ones: what `macro_rules` passes on as `$e:expr` is one operand, but the compiler forgets
/// that when it reads the output of a macro.
fn solid(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let solid_group = |group: Group| {
        let inside = solid(group.stream());
        let has_operator =
            inside.clone().into_iter().any(|token| is_operator(&token) || matches!(&token, TokenTree::Ident(word) if word == "as"));
        let delimiter = match group.delimiter() {
            Delimiter::None if has_operator => Delimiter::Parenthesis,
            delimiter => delimiter,
        };
        let mut solid = Group::new(delimiter, inside);
        solid.set_span(group.span());
        TokenTree::from(solid)
    };
    tokens.into_iter().map(|token| if let TokenTree::Group(group) = token { solid_group(group) } else { token }).collect()
}

/// A const argument in braces: a name that does not exist is looked for among values then, and not among types. The braces are ours, as the
/// compiler warns of the user's where they are not needed.
fn block(value: &TokenStream) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::Brace, solid(value.clone()))).into()
}

fn magnitude(value: i64, span: Span) -> TokenStream {
    let mut literal = Literal::u64_unsuffixed(value.unsigned_abs());
    literal.set_span(span);
    TokenTree::from(literal).into()
}

/// `(a, b,)`.
pub fn group(modes: impl Iterator<Item = TokenStream>, span: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, modes.map(|mode| quote!(#mode,)).collect());
    group.set_span(span);
    TokenTree::from(group).into()
}
