//! Code for leaves and tuples, as values and as types. Only this module decides which Rust code a leaf becomes.

use super::root::Root;
use crate::diag::{Error, Result};
use crate::parse::{Kind, Leaf, Tree, is_operator, is_type_path};
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

impl Root {
    /// Returns the code of a leaf, as a type if `as_type`, else as a value. Fails at a leaf that has no such code.
    pub fn leaf(&self, leaf: &Leaf, as_type: bool) -> Result<TokenStream> {
        let span = leaf.at.first;
        let root = self.at(span);
        // `Int::<8>` is both a value and a type.
        let integer = if leaf.xor { quote_spanned!(span=> number::Xor) } else { quote_spanned!(span=> Int) };
        let (constant, negative) = match &leaf.kind {
            Kind::Value(tokens) if !as_type || is_type_path(tokens) => return Ok(solid(tokens.iter().cloned())),
            Kind::Value(_) => return Err(Error::new(leaf.at, "a named layout is static, and this is known only at run time")),
            Kind::Keep => return Ok(quote_spanned!(span=> #root::number::Keep)),
            Kind::Basis(_) => return Err(Error::new(leaf.at, "a stride along a basis has no type")),
            // The bound refuses `usize`, whose default is also a value.
            Kind::Type(name) if !as_type && !leaf.negative => {
                return Ok(quote_spanned! {span=> {
                    #[inline(always)]
                    fn only_value<T: #root::number::StaticInt>() -> T {
                        T::default()
                    }
                    only_value::<#name>()
                }});
            }
            Kind::Type(name) => (name.clone(), leaf.negative),
            Kind::Int(value) => {
                let mut magnitude = Literal::u64_unsuffixed(value.unsigned_abs());
                magnitude.set_span(leaf.at.last);
                (quote_spanned!(span=> #root::#integer::<#magnitude>), *value < 0)
            }
            Kind::Static(value) | Kind::Name(value) => {
                // In braces, the compiler looks up a name that does not exist among values, not among types. These
                // braces are generated, because the compiler warns about unneeded braces that users write.
                let block = TokenTree::from(Group::new(Delimiter::Brace, solid(value.clone())));
                (quote_spanned!(span=> #root::#integer::<#block>), leaf.negative)
            }
        };
        Ok(match (negative, as_type) {
            (false, _) => constant,
            (true, true) => quote_spanned!(span=> #root::number::Neg<#constant>),
            (true, false) => quote_spanned!(span=> #root::number::Neg::<#constant>::new()),
        })
    }

    /// Returns the code of a leaf or a tuple, as a type if `as_type`, else as a value. Fails at a leaf that has no such
    /// code.
    pub fn tree(&self, tree: &Tree, as_type: bool) -> Result<TokenStream> {
        match tree {
            Tree::Leaf(leaf) => self.leaf(leaf, as_type),
            Tree::Tuple { modes, span, .. } => group(modes.iter().map(|mode| self.tree(mode, as_type)), *span),
        }
    }
}

/// Replaces invisible delimiters around an expression by parentheses. An expression that `macro_rules` passes as
/// `$e:expr` is one operand, but the compiler forgets this when it reads the output of a macro.
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

/// Returns the tuple `(a, b,)` of the codes of its modes. Fails if the code of a mode does.
pub fn group(modes: impl Iterator<Item = Result<TokenStream>>, span: Span) -> Result<TokenStream> {
    let mut group = Group::new(Delimiter::Parenthesis, modes.map(|mode| mode.map(|mode| quote!(#mode,))).collect::<Result<_>>()?);
    group.set_span(span);
    Ok(TokenTree::from(group).into())
}
