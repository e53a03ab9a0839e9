//! Requests in JSON. A request is a struct that serde reads, a function that answers it, and a row of a table. The function
//! refuses what it cannot answer, with the class of the error.
//!
//! The fields of the struct are the keys of the request. Refusals, `crd2idx requests` and the stubs of the Python package list them.

use crate::answer::{Answer, Refusal, Result, of_class, success};
use crd2idx::error::UnknownKey;
use crd2idx::json::{self, JsonError, JsonFault};
use serde::de::value::Error as Stopped;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};
use serde_json::Value;

/// A request that `crd2idx batch` answers.
pub struct Row {
    /// The name: the value of `op`.
    pub name: &'static str,
    /// A sentence that says what the request does.
    pub about: &'static str,
    /// The keys besides `op` and `id`.
    pub keys: fn() -> Vec<&'static str>,
    /// Answers a request. Its keys `op` and `id` have been removed.
    pub answer: fn(&Value) -> Result<Answer>,
}

/// Declares a table of requests. A row has a sentence, a name, the family of its error classes if they have one, and a function.
macro_rules! requests {
    ($($(#[doc = $about:literal])* $name:literal $(of $family:literal)? => $answer:expr;)*) => {
        /// The requests of this module.
        pub const REQUESTS: &[$crate::request::Row] = &[$($crate::request::Row {
            name: $name,
            about: concat!($($about),*),
            keys: || $crate::request::keys_of($answer),
            answer: |request| $crate::request::answer(request, concat!($($family)?), $answer),
        },)*];
    };
}
pub(crate) use requests;

/// Declares structs of requests, one a row, with their attributes.
macro_rules! structs {
    ($($(#[$about:meta])* $part:ident { $($of:vis $field:ident: $type:ty),* })*) => { $(
        #[derive(serde::Deserialize)]
        $(#[$about])*
        pub struct $part { $($of $field: $type),* }
    )* };
}
pub(crate) use structs;

/// The error of a value that cannot be read, and the family of the error class.
pub(crate) struct Unread {
    family: &'static str,
    error: Box<JsonError>,
}

impl From<JsonError> for Unread {
    fn from(error: JsonError) -> Unread {
        Unread { family: "", error: error.into() }
    }
}

/// One struct, or several side by side. Their fields are the keys of one object.
pub trait Request: Sized {
    /// Returns the keys that the struct, or the structs together, read.
    fn keys() -> Vec<&'static str>;

    /// Reads the fields, and ignores other keys. Fails if a field is missing or of another type. The error is of `family`,
    /// unless a part has its own family.
    fn read(value: &Value, family: &'static str) -> std::result::Result<Self, Unread>;
}

/// One struct of a request.
pub trait Part: Sized {
    /// Returns the names of the fields of the struct.
    fn keys() -> &'static [&'static str];

    /// Reads the struct. Fails if a field is missing or of another type. The error is of `family`, unless the struct has its
    /// own family.
    fn read(value: &Value, family: &'static str) -> std::result::Result<Self, Unread>;
}

impl<T: DeserializeOwned> Part for T {
    fn keys() -> &'static [&'static str] {
        fields::<T>()
    }

    fn read(value: &Value, family: &'static str) -> std::result::Result<T, Unread> {
        match json::read(value) {
            Ok(part) => Ok(part),
            Err(error) => Err(Unread { family, error: error.into() }),
        }
    }
}

/// Declares parts with an error family of their own.
macro_rules! part_of_family {
    ($($(#[doc = $doc:literal])* $name:ident $family:literal)*) => { $(
        $(#[doc = $doc])*
        pub struct $name<T>(pub T);

        impl<T: Part> Part for $name<T> {
            fn keys() -> &'static [&'static str] {
                T::keys()
            }

            fn read(value: &Value, _: &'static str) -> std::result::Result<Self, Unread> {
                T::read(value, $family).map($name)
            }
        }
    )* };
}

part_of_family! {
    /// The elements of a tensor.
    Input "input"
    /// The parameters of a blocked format.
    Parameter "parameter"
    /// The operands of a kernel.
    OfKernel "kernel"
}

macro_rules! side_by_side {
    ($($part:ident)*) => {
        impl<$($part: Part),*> Request for ($($part,)*) {
            fn keys() -> Vec<&'static str> {
                distinct(&[$($part::keys(),)*])
            }

            fn read(value: &Value, family: &'static str) -> std::result::Result<Self, Unread> {
                Ok(($($part::read(value, family)?,)*))
            }
        }
    };
}
side_by_side! { A }
side_by_side! { A B }
side_by_side! { A B C }
side_by_side! { A B C D }

/// Returns all keys of the lists, each once, in the order in which they first occur.
fn distinct(lists: &[&[&'static str]]) -> Vec<&'static str> {
    let mut keys = Vec::new();
    for key in lists.iter().copied().flatten() {
        if !keys.contains(key) {
            keys.push(*key);
        }
    }
    keys
}

/// A result of a request: the value of `ok`, or the whole answer.
pub trait Reply {
    /// Returns the result as a whole answer.
    fn into_answer(self) -> Answer;
}

impl Reply for Value {
    fn into_answer(self) -> Answer {
        success(self)
    }
}

impl Reply for Answer {
    fn into_answer(self) -> Answer {
        self
    }
}

/// Returns the keys of the request that a function answers.
pub fn keys_of<R: Request, T>(_: fn(R) -> Result<T>) -> Vec<&'static str> {
    R::keys()
}

/// Reads a request and answers it. Refuses unknown keys, unreadable fields, and whatever `answer` refuses.
pub fn answer<R: Request, T: Reply>(request: &Value, family: &'static str, answer: fn(R) -> Result<T>) -> Result<Answer> {
    if let Some(unknown) = unknown_key(request, &R::keys(), &[]) {
        return Err(JsonError::from(unknown).into());
    }
    match answer(R::read(request, family)?) {
        Ok(reply) => Ok(reply.into_answer()),
        Err(refusal) => Err(refusal),
    }
}

/// Reads an object. Fails if a field cannot be read, or for a key that is neither of `R` nor among `beside`.
pub fn read<R: Request>(value: &Value, beside: &[&str]) -> std::result::Result<R, JsonError> {
    match unknown_key(value, &R::keys(), beside) {
        Some(unknown) => Err(unknown.into()),
        None => R::read(value, "").map_err(|unread| *unread.error),
    }
}

/// Reads the object `value`, which stands at `key` of a request. Refuses unreadable fields and keys that are not of `R`, with
/// errors of `family`.
pub fn read_of<R: Request>(value: &Value, key: &str, family: &'static str) -> Result<R> {
    let read = match unknown_key(value, &R::keys(), &[]) {
        Some(unknown) => Err(Unread { family, error: Box::new(unknown.into()) }),
        None => R::read(value, family),
    };
    read.map_err(|Unread { family, error }| Unread { family, error: error.below(key).into() }.into())
}

/// Reads `value`, which stands at `key` of a request. Refuses values of another type, with errors of `family`.
pub fn value_of<T: DeserializeOwned>(value: &Value, key: &str, family: &'static str) -> Result<T> {
    json::read(value).map_err(|error| Unread { family, error: error.below(key).into() }.into())
}

/// Returns the first key of an object that is neither in `keys` nor in `beside`, or `None` if there is none.
fn unknown_key(value: &Value, keys: &[&str], beside: &[&str]) -> Option<UnknownKey> {
    let found = value.as_object().into_iter().flat_map(|object| object.keys()).map(String::as_str);
    UnknownKey::among(found.filter(|key| !beside.contains(key)), keys)
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Refusal {
        let refusal = Refusal::new(error.to_string()).with_kind(error.class());
        if error.path().is_empty() { refusal } else { refusal.with("path", error.path()) }
    }
}

/// Refuses with the class of the error. An error without a family makes the request malformed.
impl From<Unread> for Refusal {
    fn from(Unread { family, error }: Unread) -> Refusal {
        let key = error.path().split(['.', '[']).next().unwrap_or_default();
        let class = match (family, error.fault(), key) {
            ("", ..) => return (*error).into(),
            ("request", ..) => "request".into(),
            (_, JsonFault::Found { found, .. }, _) if found == "null" && error.path() == key => format!("{family}/missing"),
            ("parameter", JsonFault::UnknownKey(_), _) => "blocked/unexpected".into(),
            ("parameter", ..) | ("blocked", JsonFault::Found { .. }, "format") => "blocked/parameter".into(),
            (_, JsonFault::MissingKey { .. }, _) => format!("{family}/missing"),
            (_, JsonFault::UnknownKey(_), _) => format!("{family}/unexpected"),
            ("kernel", _, "kernel") => "kernel/unsupported".into(),
            ("kernel", _, "format" | "op2" | "order") => format!("kernel/{key}"),
            // All mismatches of operands of kernels, in number, extents or kind, have one class.
            ("kernel", ..) => "kernel/shape".into(),
            (_, _, "multigraph" | "unsorted") => format!("{family}/flag"),
            (_, _, "levels") if error.path() != key => format!("{family}/token"),
            (_, _, "structure") => format!("{family}/token"),
            (_, JsonFault::Found { found, expected }, _) if is_number(found) && expected.contains("number") => format!("{family}/range"),
            _ => format!("{family}/type"),
        };
        let refusal = of_class(class, error.to_string());
        if error.path().is_empty() { refusal } else { refusal.with("path", error.path()) }
    }
}

/// Reads a value, or returns the default of its type for null. Fails if the value is of another type.
pub fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> std::result::Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Tests whether the text of a value is a number.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

/// Returns the names of the fields of a struct. Returns none if serde does not read the type as a struct, as with `flatten`.
pub fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Fields<'f>(&'f mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = Stopped;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> std::result::Result<V::Value, Stopped> {
            Err(Stopped::custom("no struct"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> std::result::Result<V::Value, Stopped> {
            *self.0 = fields;
            Err(Stopped::custom("the fields are known"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Fields(&mut fields));
    fields
}
