//! Hints for misspelt names.

use super::*;

#[test]
fn a_name_is_suggested_only_when_it_is_near() {
    let names = ["logical_divide", "zipped_divide", "coalesce"];
    assert_eq!(nearest("logical_devide", names.into_iter()), Some("logical_divide"));
    assert_eq!(nearest("coalesec", names.into_iter()), Some("coalesce"));
    assert_eq!(nearest("frobnicate", names.into_iter()), None);
    assert_eq!(nearest("rw", ["row", "col"].into_iter()), Some("row"));
    assert_eq!(nearest("i", ["j", "k"].into_iter()), None);
}
