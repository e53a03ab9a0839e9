//! Errors about unknown keys of JSON objects.

use crate::heap::{String, ToOwned};
use core::fmt::{Display, Formatter, Result};

/// The maximum number of characters of a key in a message.
const SHOWN: usize = 60;

/// An unknown key of an object, and the keys that are allowed there.
///
/// ```
/// use layout_algebra::error::UnknownKey;
/// let unknown = UnknownKey::among(["layout", "bse"], &["layout", "base"]).unwrap();
/// assert_eq!(unknown.to_string(), "unknown key `bse`, allowed are layout, base");
/// assert_eq!(unknown.class(), "json/malformed");
/// assert_eq!(UnknownKey::among(["base"], &["layout", "base"]), None);
/// assert_eq!(UnknownKey::among(["z", "b"], &["base"]), UnknownKey::among(["b", "z"], &["base"]));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownKey {
    /// The key, cut after 60 characters.
    pub key: String,
    /// The allowed keys, separated by commas; empty if there is none.
    pub allowed: String,
}

impl UnknownKey {
    /// Returns the error of the least of `keys` that is not in `allowed`, or `None` if all are. The order of the keys does not matter.
    pub fn among<'k>(keys: impl IntoIterator<Item = &'k str>, allowed: &[&str]) -> Option<UnknownKey> {
        let key = keys.into_iter().filter(|key| !allowed.contains(key)).min()?;
        let key = match key.char_indices().nth(SHOWN) {
            Some((end, _)) => key[..end].to_owned() + "...",
            None => key.to_owned(),
        };
        Some(UnknownKey { key, allowed: allowed.join(", ") })
    }
}

impl Display for UnknownKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "unknown key `{}`, ", self.key)?;
        match self.allowed.as_str() {
            "" => f.write_str("none is allowed here"),
            allowed => write!(f, "allowed are {allowed}"),
        }
    }
}

crate::displayed_error! { UnknownKey, |error| "json/malformed" }
