//! Reads JSON values with serde. An error gives the path of the wrong value, and the values that would be valid there.
//! Nothing here knows graphs; `graph.rs` and `transform.rs` do.

use super::JsonError;
use crate::error::UnknownKey;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::{self, Vec};
use core::fmt::Write;
use core::marker::PhantomData;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Map, Value};

type Result<T> = core::result::Result<T, JsonError>;

/// The maximum number of bytes of a value in a message.
const SHOWN: usize = 60;

/// A JSON value with the path to it.
#[derive(Clone, Copy)]
pub(super) struct At<'p, 'de> {
    value: &'de Value,
    step: Step<'de>,
    parent: Option<&'p At<'p, 'de>>,
}

#[derive(Clone, Copy)]
enum Step<'de> {
    Root,
    Key(&'de str),
    Index(usize),
}

impl<'de> At<'_, 'de> {
    pub(super) fn root(value: &'de Value) -> Self {
        At { value, step: Step::Root, parent: None }
    }

    /// Returns the path, such as `edges[3].params`; empty for the root.
    fn path(&self) -> String {
        let mut path = self.parent.map_or(String::new(), At::path);
        // Writing to a String cannot fail.
        let _ = match self.step {
            Step::Root => Ok(()),
            Step::Key(key) if path.is_empty() => path.write_str(key),
            Step::Key(key) => write!(path, ".{key}"),
            Step::Index(k) => write!(path, "[{k}]"),
        };
        path
    }

    // Every type that is read compiles the generic functions here anew, so they leave their work to functions that are not generic.

    /// Returns what `seed` reads from this value. Fails if `seed` does; an error without a path gets the path of this
    /// value.
    pub(super) fn read<T>(self, seed: impl DeserializeSeed<'de, Value = T>) -> Result<T> {
        match seed.deserialize(self) {
            Err(error) => Err(error.placed(|| self.place())),
            read => read,
        }
    }

    /// Reads the value of `key` in this object. Fails if the key is missing or the value has another form.
    pub(super) fn field<T: Deserialize<'de>>(&self, key: &'static str) -> Result<T> {
        match self.value.get(key) {
            Some(value) => self.below(Step::Key(key), value).read(PhantomData),
            None => Err(JsonError::missing_field(key).placed(|| self.place())),
        }
    }

    /// Fails if this value is not an object, or has a key that is not in `allowed`.
    pub(super) fn only(&self, allowed: &[&str]) -> Result<()> {
        let Value::Object(map) = self.value else { return Err(self.refuse(&"an object").placed(|| self.place())) };
        match UnknownKey::among(map.keys().map(String::as_str), allowed) {
            Some(unknown) => Err(JsonError::new(self.path(), unknown.into())),
            None => Ok(()),
        }
    }

    fn below(&self, step: Step<'de>, value: &'de Value) -> At<'_, 'de> {
        At { value, step, parent: Some(self) }
    }

    fn place(&self) -> (String, String) {
        (self.path(), shown(self.value))
    }

    fn refuse(&self, expected: &dyn Expected) -> JsonError {
        // `placed` adds the text of the value, so the kind here does not matter.
        JsonError::invalid_type(Unexpected::Unit, expected)
    }

    fn elements<'a>(&'a self, list: &'de [Value]) -> Elements<'a, 'de> {
        Elements { at: self, rest: list.iter().enumerate() }
    }

    fn entries<'a>(&'a self, map: &'de Map<String, Value>) -> Result<Entries<'a, 'de>> {
        // `serde_json` would read such an object as a number of any precision.
        if map.contains_key("$serde_json::private::Number") {
            return Err(JsonError::custom("an object without keys of `serde_json`"));
        }
        // The first fault does not depend on the order of keys, which some builds of `serde_json` preserve.
        let mut entries: Vec<_> = map.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        Ok(Entries { at: self, rest: entries.into_iter(), value: None })
    }

    /// Returns the entries of this object. If the value is no object, fails with the text `expected`.
    fn entries_for<'a>(&'a self, expected: &dyn Expected) -> Result<Entries<'a, 'de>> {
        match self.value {
            Value::Object(map) => self.entries(map),
            _ => Err(self.refuse(expected)),
        }
    }

    /// Gives this number to `visitor`, in the first type that holds it: `u64`, `i64`, `i128`, or `f64`. Fails if the value
    /// is no number or the visitor refuses it.
    fn number<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let Value::Number(number) = self.value else { return Err(self.refuse(&visitor)) };
        if let Some(number) = number.as_u64() {
            visitor.visit_u64(number)
        } else if let Some(number) = number.as_i64() {
            visitor.visit_i64(number)
        } else if let Some(number) = number.as_i128() {
            visitor.visit_i128(number)
        } else if let Some(number) = number.as_f64() {
            visitor.visit_f64(number)
        } else {
            Err(self.refuse(&visitor))
        }
    }
}

macro_rules! numbers {
    ($($method:ident)*) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.number(visitor)
        }
    )* };
}

impl<'de> Deserializer<'de> for At<'_, 'de> {
    type Error = JsonError;

    numbers! {
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_f32 deserialize_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(number) if number.as_u64().is_some() || number.as_i64().is_some() => self.number(visitor),
            // If no number type holds the number, `serde_json` presents it as an object, for readers that keep all
            // its digits.
            Value::Number(number) => number.deserialize_any(visitor).map_err(|error| {
                let text = error.to_string();
                JsonError::custom(expected(text.rsplit_once("expected ").map_or(text.as_str(), |(_, words)| words)))
            }),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(list) => visitor.visit_seq(self.elements(list)),
            Value::Object(map) => visitor.visit_map(self.entries(map)?),
        }
    }

    // Each of these methods accepts one kind of value. With `deserialize_any` alone, every type would compile the code for
    // all kinds.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Bool(flag) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_bool(*flag)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::String(text) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Array(list) = self.value else { return Err(self.refuse(&visitor)) };
        visitor.visit_seq(self.elements(list))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Array(list) if list.len() == length => visitor.visit_seq(self.elements(list)),
            _ => Err(JsonError::custom(format!("a list of {length}"))),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, length: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        let entries = self.entries_for(&visitor)?;
        visitor.visit_map(entries)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let entries = self.entries_for(&visitor)?;
        visitor.visit_map(entries)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, names: &'static [&'static str], visitor: V) -> Result<V::Value> {
        match self.value {
            Value::String(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            _ => Err(JsonError::unknown_variant("", names)),
        }
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct identifier
    }
}

impl<'de> IntoDeserializer<'de, JsonError> for At<'_, 'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// An iterator over the elements of a JSON list, for serde.
struct Elements<'p, 'de> {
    at: &'p At<'p, 'de>,
    rest: core::iter::Enumerate<core::slice::Iter<'de, Value>>,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = JsonError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((k, value)) = self.rest.next() else { return Ok(None) };
        match self.at.below(Step::Index(k), value).read(seed) {
            Ok(element) => Ok(Some(element)),
            Err(error) => Err(error),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// An iterator over the keys and values of a JSON object, for serde.
struct Entries<'p, 'de> {
    at: &'p At<'p, 'de>,
    rest: vec::IntoIter<(&'de String, &'de Value)>,
    value: Option<At<'p, 'de>>,
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(self.at.below(Step::Key(key), value));
        match seed.deserialize(BorrowedStrDeserializer::new(key)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.value.take().unwrap_or(*self.at).read(seed)
    }
}

/// Returns the text of a value with sorted keys, cut after [`SHOWN`] bytes.
pub(super) fn shown(value: &Value) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    let mut out = Clip(String::new());
    // Writing fails when the text is cut.
    let _ = write!(out, "{value}");
    out.0
}

/// A text of at most [`SHOWN`] bytes, with `...` at the end if it is cut.
struct Clip(String);

impl Write for Clip {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = SHOWN.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.0.push_str(&text[..end]);
        self.0.push_str("...");
        Err(core::fmt::Error)
    }
}

/// Translates the expectations of serde to plain words: `u64` becomes `a whole number of 64 bits`.
pub(super) fn expected(text: &str) -> String {
    match text {
        "a boolean" => "true or false".into(),
        "a sequence" => "a list".into(),
        "a map" => "an object".into(),
        "a borrowed string" => "a string".into(),
        "f64" | "f32" => "a number".into(),
        "usize" => "a whole number from 0".into(),
        "isize" => "an integer".into(),
        text if text.starts_with("struct ") => "an object".into(),
        text if text.starts_with("an array of length ") => text.replace("an array of length", "a list of"),
        text => match text.split_at_checked(1).map(|(sign, bits)| (sign, bits.parse::<u32>())) {
            Some(("u", Ok(bits))) => format!("a whole number of {bits} bits"),
            Some(("i", Ok(bits))) => format!("an integer of {bits} bits"),
            _ => text.into(),
        },
    }
}
