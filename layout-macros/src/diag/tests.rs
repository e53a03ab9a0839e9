//! A check of the tokens that an error points at, for the tests of all macros; tests of hints for misspelt names.

use super::*;

/// Checks that `expand` refuses the source with this message. `marked` is the source, in which `«` and `»` enclose the
/// tokens that the error must point at. `macro_name` appears only in the failure of the test.
#[track_caller]
pub fn points(macro_name: &str, expand: impl Fn(TokenStream) -> Result<TokenStream>, marked: &str, message: &str) {
    let source = marked.replace(['«', '»'], "");
    let error = match expand(source.parse().expect("tokens")) {
        Ok(tokens) => panic!("{macro_name}!({source}) expands to {tokens}"),
        Err(error) => error,
    };
    let (from, to) = (error.at.first.byte_range().start, error.at.last.byte_range().end);
    let expected = marked.find('«').zip(marked.find('»')).map(|(from, to)| (from, to - '«'.len_utf8()));
    assert_eq!(Some((from, to)), expected, "`{}` is blamed in {marked}: {}", &source[from..to], error.message);
    assert_eq!(error.message, message, "{marked}");
}

#[test]
fn a_name_is_suggested_only_when_it_is_near() {
    let names = ["logical_divide", "zipped_divide", "coalesce"];
    assert_eq!(nearest("logical_devide", names.into_iter()), Some("logical_divide"));
    assert_eq!(nearest("coalesec", names.into_iter()), Some("coalesce"));
    assert_eq!(nearest("frobnicate", names.into_iter()), None);
    assert_eq!(nearest("rw", ["row", "col"].into_iter()), Some("row"));
    assert_eq!(nearest("i", ["j", "k"].into_iter()), None);
}
