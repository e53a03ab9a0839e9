//! Ragged arrays from JSON.

use crate::answer::{Answer, failure};
use crd2idx::sparse::ragged::{DynLevel, RaggedArray, RaggedError};
use serde_json::{Number, Value};

/// Why a request is refused.
pub enum Refusal {
    /// It has not the form it must have.
    Malformed(String),
    /// More than one request may ask for.
    TooLarge(String),
    /// Arrays or an operation that are not right.
    Ragged(RaggedError),
}

impl Refusal {
    /// The text.
    pub fn message(&self) -> String {
        match self {
            Refusal::Malformed(message) | Refusal::TooLarge(message) => message.clone(),
            Refusal::Ragged(error) => error.to_string(),
        }
    }
}

impl From<RaggedError> for Refusal {
    fn from(error: RaggedError) -> Self {
        Refusal::Ragged(error)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut out = failure(refusal.message());
        let kind = match &refusal {
            Refusal::Malformed(_) => "malformed",
            Refusal::TooLarge(_) => "too_large",
            Refusal::Ragged(error) => {
                out.extend(error.level().map(|level| ("level".into(), level.into())));
                out.extend(error.index().map(|index| ("index".into(), index.into())));
                error.kind()
            }
        };
        out.insert("kind".into(), kind.into());
        out
    }
}

pub type Result<T> = std::result::Result<T, Refusal>;

/// The most elements of all axes together that one request may have.
const MOST_ELEMENTS: usize = 1 << 26;

/// A part of an object.
pub fn part<'v>(value: &'v Value, key: &str) -> Result<&'v Value> {
    value.get(key).ok_or_else(|| Refusal::Malformed(format!("the key `{key}` is missing")))
}

/// A list.
pub fn list<'v>(value: &'v Value, what: &str) -> Result<&'v [Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| Refusal::Malformed(format!("`{what}` is not a list")))
}

/// A list of numbers that `read` accepts.
pub fn numbers<T>(value: &Value, what: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>> {
    let wrong = |value: &Value| Refusal::Malformed(format!("{value} in `{what}` is not a number of its kind"));
    list(value, what)?.iter().map(|value| read(value).ok_or_else(|| wrong(value))).collect()
}

/// A number that counts or addresses.
pub fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|value| usize::try_from(value).ok())
}

/// The number at a key.
pub fn index_at(value: &Value, key: &str) -> Result<usize> {
    let number = part(value, key)?;
    index(number).ok_or_else(|| Refusal::Malformed(format!("{number} of `{key}` is not an index")))
}

/// A number that counts rows, of which there may not be too many.
pub fn rows_at(value: &Value, key: &str) -> Result<usize> {
    bounded(index_at(value, key)?, key)
}

fn bounded(count: usize, what: &str) -> Result<usize> {
    if count > MOST_ELEMENTS {
        return Err(Refusal::TooLarge(format!("{count} of `{what}` is more than {MOST_ELEMENTS}")));
    }
    Ok(count)
}

/// Offsets of each level.
pub fn offsets(value: &Value) -> Result<Vec<Vec<i64>>> {
    list(value, "offsets")?.iter().map(|level| numbers(level, "offsets", Value::as_i64)).collect()
}

/// A leaf: an integer of any size, or a floating-point number where one of all leaves is.
pub trait Leaf: crd2idx::sparse::ragged::Number {
    fn from_json(value: &Value) -> Option<Self>;
    fn to_json(self) -> Value;
}

impl Leaf for i128 {
    fn from_json(value: &Value) -> Option<i128> {
        value.as_number().and_then(Number::as_i128)
    }
    fn to_json(self) -> Value {
        Number::from_i128(self).map_or(Value::Null, Value::Number)
    }
}

impl Leaf for f64 {
    fn from_json(value: &Value) -> Option<f64> {
        value.as_f64()
    }
    fn to_json(self) -> Value {
        self.into()
    }
}

/// The leaves of a request, of the kind that holds all of them.
pub enum Leaves<I, F> {
    Integers(I),
    Floats(F),
}

/// A ragged array of integers, or of floating-point numbers.
pub type Array = Leaves<RaggedArray<'static, i128>, RaggedArray<'static, f64>>;

/// `body` with `array` bound to what `this` holds.
macro_rules! with_leaves {
    ($this:expr, $array:ident => $body:expr) => {
        match $this {
            $crate::ragged::read::Leaves::Integers($array) => $body,
            $crate::ragged::read::Leaves::Floats($array) => $body,
        }
    };
}
pub(super) use with_leaves;

/// The leaves of a list.
pub fn leaves(value: &Value) -> Result<Leaves<Vec<i128>, Vec<f64>>> {
    match numbers(value, "data", i128::from_json) {
        Ok(integers) => Ok(Leaves::Integers(integers)),
        Err(_) => numbers(value, "data", f64::from_json).map(Leaves::Floats),
    }
}

/// The array of an object: `data` and `offsets`, or `outer` and `levels`, or `starts` and `sizes`.
pub fn array(value: &Value) -> Result<Array> {
    Ok(match leaves(part(value, "data")?)? {
        Leaves::Integers(data) => Leaves::Integers(array_of(value, data)?),
        Leaves::Floats(data) => Leaves::Floats(array_of(value, data)?),
    })
}

/// The same with these leaves.
pub fn array_of<T: Clone + 'static>(value: &Value, data: Vec<T>) -> Result<RaggedArray<'static, T>> {
    let array = if let Some(given) = value.get("offsets") {
        RaggedArray::from_offsets(offsets(given)?, data)?
    } else if let Some(starts) = value.get("starts") {
        RaggedArray::from_views(numbers(starts, "starts", Value::as_u64)?, numbers(part(value, "sizes")?, "sizes", Value::as_u64)?, data)?
    } else if let Some(levels) = value.get("levels") {
        let levels = list(levels, "levels")?.iter().enumerate().map(|(q, value)| level(q, value)).collect::<Result<_>>()?;
        RaggedArray::new(rows_at(value, "outer")?, levels, data)?
    } else {
        return Err(Refusal::Malformed("one of the keys `offsets`, `starts` and `levels` is needed".into()));
    };
    let shape = array.shape();
    let elements = (0..array.depth()).try_fold(0_usize, |sum, axis| sum.checked_add(shape.count(axis)));
    bounded(elements.unwrap_or(usize::MAX), "elements")?;
    Ok(array)
}

/// `{"kind": "regular", "size": n}` or `{"kind": "ragged", "offsets": [...]}`.
fn level(q: usize, value: &Value) -> Result<DynLevel<'static>> {
    match part(value, "kind")?.as_str() {
        Some("regular") => Ok(DynLevel::Fixed(crd2idx::level::Fixed::new(index_at(value, "size")?))),
        Some("ragged") => {
            let offsets = numbers(part(value, "offsets")?, "offsets", Value::as_i64)?;
            Ok(DynLevel::offsets(offsets).map_err(|error| RaggedError::Level(error.at_level(q)))?)
        }
        _ => Err(Refusal::Malformed("the kind of a level is `regular` or `ragged`".into())),
    }
}
