//! Keys of objects that have no meaning.

use crate::heap::{String, ToOwned};
use core::fmt::{Display, Formatter, Result};

/// The most characters of a key that a message shows.
const SHOWN: usize = 60;

/// A key that has no meaning where it stands, and those that have one.
///
/// ```
/// use layout_core::error::UnknownKey;
/// let unknown = UnknownKey::among(["layout", "bse"], &["layout", "base"]).unwrap();
/// assert_eq!(unknown.to_string(), "unknown key `bse`, allowed are layout, base");
/// assert_eq!(UnknownKey::among(["base"], &["layout", "base"]), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKey {
    /// The key, or how it begins.
    pub key: String,
    /// The keys that have a meaning, separated by commas; empty where none has.
    pub allowed: String,
}

impl UnknownKey {
    /// The first of `keys` that is none of `allowed`.
    pub fn among<'k>(keys: impl IntoIterator<Item = &'k str>, allowed: &[&str]) -> Option<UnknownKey> {
        let key = keys.into_iter().find(|key| !allowed.contains(key))?;
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

impl core::error::Error for UnknownKey {}
