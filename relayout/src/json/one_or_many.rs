//! Reads a value or a list of values from any format of `serde`.

use core::fmt::Formatter;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, IntoDeserializer, SeqAccess, Unexpected, Visitor};

/// Reads a list as `many`, and a whole number or a text as `one`.
///
/// # Errors
/// Returns the error of an element with its path inside the list. Any other value is an error that names what is `expected`.
///
/// ```
/// use relayout::json::one_or_many;
/// use serde::Deserializer;
/// use serde::de::{IntoDeserializer, value::{Error, SeqDeserializer}};
///
/// fn read<'de>(deserializer: impl Deserializer<'de, Error = Error>) -> Result<[u64; 2], Error> {
///     one_or_many(deserializer, "a whole number, or a list of two", |both| [both; 2], |each| each)
/// }
/// assert_eq!(read(4_u64.into_deserializer()), Ok([4, 4]));
/// assert_eq!(read(SeqDeserializer::new([4_u64, 2].into_iter())), Ok([4, 2]));
/// assert!(read("x".into_deserializer()).is_err() && read(SeqDeserializer::new([4_u64, 2, 1].into_iter())).is_err());
/// ```
pub fn one_or_many<'de, D: Deserializer<'de>, One: Deserialize<'de>, Many: Deserialize<'de>, T>(
    deserializer: D,
    expected: &str,
    one: fn(One) -> T,
    many: fn(Many) -> T,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(OneOrMany { expected, one, many })
}

struct OneOrMany<'e, One, Many, T> {
    expected: &'e str,
    one: fn(One) -> T,
    many: fn(Many) -> T,
}

impl<'de, One: Deserialize<'de>, Many: Deserialize<'de>, T> OneOrMany<'_, One, Many, T> {
    /// Reads a number or a text. Its error names everything that is expected, because neither has paths inside.
    fn one<E: Error>(self, value: impl IntoDeserializer<'de, E>, found: Unexpected<'_>) -> Result<T, E> {
        One::deserialize(value.into_deserializer()).map(self.one).map_err(|_| E::invalid_value(found, &self))
    }
}

impl<'de, One: Deserialize<'de>, Many: Deserialize<'de>, T> Visitor<'de> for OneOrMany<'_, One, Many, T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.one(number, Unexpected::Unsigned(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.one(number, Unexpected::Signed(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.one(text, Unexpected::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<T, A::Error> {
        let read = Many::deserialize(SeqAccessDeserializer::new(&mut list))?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok((self.many)(read)),
            Some(_) => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }
}
