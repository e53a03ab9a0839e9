//! Stand-ins for `graph!` and `layout_text!` without the feature `graph`. Their errors name the feature.

use crate::diag::{Error, Extent, Result};
use proc_macro2::{Span, TokenStream};

fn refuse(name: &str) -> Result<TokenStream> {
    let message = format!("`{name}!` needs the feature `graph`: `cargo add crd2idx --features graph`; without a heap, `graph-macros`");
    Err(Error::new(Extent::at(Span::call_site()), message))
}

pub mod graph {
    pub fn graph(_: super::TokenStream) -> super::Result<super::TokenStream> {
        super::refuse("graph")
    }
}

pub mod texts {
    pub fn layout_text(_: super::TokenStream) -> super::Result<super::TokenStream> {
        super::refuse("layout_text")
    }
}
