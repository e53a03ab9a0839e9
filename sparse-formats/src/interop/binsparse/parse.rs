//! A parser of JSON text without duplicate keys. Readers differ in which of two values they take.

use crate::InterchangeError;
use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt::{Formatter, Result as FormatResult};
use serde_core::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

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

/// Parses a JSON text. The keys of each object are sorted, whatever features `serde_json` has. Fails if the text is no JSON, or if an
/// object has a key twice, because readers differ in which of the two values they take.
///
/// ```
/// use sparse_formats::binsparse::parse_json;
/// let value = parse_json(r#"{"shape": [4, 5], "fill": true}"#)?;
/// assert_eq!(value.to_string(), r#"{"fill":true,"shape":[4,5]}"#);
///
/// let error = parse_json(r#"{"shape": [4, 5], "shape": [5, 4]}"#).unwrap_err();
/// assert_eq!(error.class(), "header/duplicate");
/// assert!(error.to_string().starts_with("the key `shape` occurs twice"));
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
pub fn parse_json(text: &str) -> Result<Value, InterchangeError> {
    let parsed = serde_json::from_str(text).and_then(|Distinct| serde_json::from_str::<Value>(text));
    parsed.map(sorted).map_err(|error| match error.is_data() {
        true => header_error!("duplicate", "{error}"),
        false => header_error!("json", "{error}"),
    })
}

/// Returns the value with sorted keys. Some builds of `serde_json` preserve the order of insertion, and nothing depends on it.
pub(super) fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}
