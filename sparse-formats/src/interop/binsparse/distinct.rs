//! A check that JSON text has no duplicate keys. Readers differ in which of two values they take.

use crate::InterchangeError;
use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt::{Formatter, Result as FormatResult};
use serde_core::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A JSON value without duplicate keys. Parsing checks it and drops the contents.
struct Distinct;

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Distinct, D::Error> {
        deserializer.deserialize_any(Distinct)
    }
}

macro_rules! scalars {
    ($($visit:ident $type:ty;)*) => { $(
        fn $visit<E: Error>(self, _: $type) -> Result<Distinct, E> {
            Ok(Distinct)
        }
    )* };
}

impl<'de> Visitor<'de> for Distinct {
    type Value = Distinct;

    fn expecting(&self, f: &mut Formatter<'_>) -> FormatResult {
        f.write_str("a value")
    }

    scalars! { visit_bool bool; visit_i64 i64; visit_u64 u64; visit_i128 i128; visit_u128 u128; visit_f64 f64; visit_str &str; }

    fn visit_unit<E: Error>(self) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Distinct, A::Error> {
        while list.next_element::<Distinct>()?.is_some() {}
        Ok(Distinct)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Distinct, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = object.next_key::<String>()? {
            if keys.contains(&key) {
                object.next_value::<IgnoredAny>()?;
                return Err(Error::custom(format_args!("the key `{key}` occurs twice")));
            }
            keys.insert(key);
            object.next_value::<Distinct>()?;
        }
        Ok(Distinct)
    }
}

/// Checks a JSON text. Fails if it is no JSON, or if an object has a key twice, because readers differ in which of the two
/// values they take.
///
/// ```
/// use sparse_formats::binsparse::distinct;
/// assert!(distinct(r#"{"shape": [4, 5], "fill": true}"#).is_ok());
/// let error = distinct(r#"{"shape": [4, 5], "shape": [5, 4]}"#).unwrap_err();
/// assert_eq!(error.class(), "header/duplicate");
/// assert!(error.to_string().starts_with("the key `shape` occurs twice"));
/// ```
pub fn distinct(text: &str) -> Result<(), InterchangeError> {
    match serde_json::from_str::<Distinct>(text) {
        Ok(Distinct) => Ok(()),
        Err(error) if error.is_data() => Err(header_error!("duplicate", "{error}")),
        Err(error) => Err(header_error!("json", "{error}")),
    }
}
