//! Reads JSON values by serde; an error says where a value is wrong, and what could stand there.

use super::JsonError;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Map, Value, map};

type Result<T> = core::result::Result<T, JsonError>;

/// The most bytes of a value that a message shows.
const SHOWN: usize = 60;

/// A value, and the way to it.
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

    /// `edges[3].params`
    fn path(&self) -> String {
        let mut path = self.parent.map_or(String::new(), At::path);
        // A String takes all that is written.
        let _ = match self.step {
            Step::Root => Ok(()),
            Step::Key(key) if path.is_empty() => path.write_str(key),
            Step::Key(key) => write!(path, ".{key}"),
            Step::Index(k) => write!(path, "[{k}]"),
        };
        path
    }

    /// The result of `seed` for the value here; an error gets this place unless it has one.
    pub(super) fn read<T>(self, seed: impl DeserializeSeed<'de, Value = T>) -> Result<T> {
        seed.deserialize(self).map_err(|error| error.placed(|| (self.path(), shown(self.value))))
    }

    fn refuse<T>(&self, expected: &impl Expected) -> Result<T> {
        // The place adds the text of the value, so no kind of it is needed here.
        Err(JsonError::invalid_type(Unexpected::Unit, expected))
    }

    fn list<V: Visitor<'de>>(&self, list: &'de [Value], visitor: V) -> Result<V::Value> {
        visitor.visit_seq(Elements { at: self, rest: list.iter().enumerate() })
    }

    fn object<V: Visitor<'de>>(&self, map: &'de Map<String, Value>, visitor: V) -> Result<V::Value> {
        // `serde_json` would take it for a number with all its digits.
        if map.contains_key("$serde_json::private::Number") {
            return Err(JsonError::custom("an object without keys of `serde_json`"));
        }
        visitor.visit_map(Entries { at: self, rest: map.iter(), value: None })
    }

    /// A number for visitors of numbers: the first of `u64`, `i64`, `i128` that has it, or `f64`.
    fn number<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let Value::Number(number) = self.value else { return self.refuse(&visitor) };
        if let Some(number) = number.as_u64() {
            visitor.visit_u64(number)
        } else if let Some(number) = number.as_i64() {
            visitor.visit_i64(number)
        } else if let Some(number) = number.as_i128() {
            visitor.visit_i128(number)
        } else if let Some(number) = number.as_f64() {
            visitor.visit_f64(number)
        } else {
            self.refuse(&visitor)
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
            // `serde_json` presents a number that no type of numbers holds as an object, to those who want all its digits.
            Value::Number(number) => number.deserialize_any(visitor).map_err(|error| {
                let text = error.to_string();
                JsonError::custom(expected(text.rsplit_once("expected ").map_or(text.as_str(), |(_, words)| words)))
            }),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(list) => self.list(list, visitor),
            Value::Object(map) => self.object(map, visitor),
        }
    }

    // These take one kind of value each: through `deserialize_any`, every type would compile the code of all kinds.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Bool(flag) = self.value else { return self.refuse(&visitor) };
        visitor.visit_bool(*flag)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::String(text) = self.value else { return self.refuse(&visitor) };
        visitor.visit_borrowed_str(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Array(list) = self.value else { return self.refuse(&visitor) };
        self.list(list, visitor)
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
            Value::Array(list) if list.len() == length => self.list(list, visitor),
            _ => Err(JsonError::custom(format!("a list of {length}"))),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, length: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Object(map) = self.value else { return self.refuse(&visitor) };
        self.object(map, visitor)
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

/// The elements of a list.
struct Elements<'p, 'de> {
    at: &'p At<'p, 'de>,
    rest: core::iter::Enumerate<core::slice::Iter<'de, Value>>,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = JsonError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some((k, value)) = self.rest.next() else { return Ok(None) };
        At { value, step: Step::Index(k), parent: Some(self.at) }.read(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The keys and values of an object.
struct Entries<'p, 'de> {
    at: &'p At<'p, 'de>,
    rest: map::Iter<'de>,
    value: Option<At<'p, 'de>>,
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(At { value, step: Step::Key(key), parent: Some(self.at) });
        seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.value.take().unwrap_or(*self.at).read(seed)
    }
}

/// The text of a value, or how it begins.
pub(super) fn shown(value: &Value) -> String {
    let mut out = Clip(String::new());
    // Fails where the text is clipped.
    let _ = write!(out, "{value}");
    out.0
}

/// A text of at most [`SHOWN`] bytes, and `...` where it is cut.
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

/// Says in plain words what serde expects: `u64` is `a whole number of 64 bits`.
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
