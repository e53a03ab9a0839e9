//! A stand-in for `prove_kernel!` without the feature `verdicts`. Its error names the feature.

use crate::diag::{Error, Extent, Result};
use proc_macro2::{Span, TokenStream};

pub fn prove_kernel(_: TokenStream) -> Result<TokenStream> {
    let message =
        "`prove_kernel!` needs the feature `verdicts`: `cargo add crd2idx --features verdicts`; without a heap, `verdicts-macros`";
    Err(Error::new(Extent::at(Span::call_site()), message))
}

#[test]
fn the_feature_is_named() {
    let error = prove_kernel(TokenStream::new()).expect_err("no verdict");
    assert!(error.message.contains("needs the feature `verdicts`"), "{}", error.message);
}
