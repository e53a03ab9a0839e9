//! Requests in JSON: their parts, and the arrays that they describe.

use crate::answer::{Refusal, Result, known, part};
use crd2idx::ragged::{DynLevel, RaggedArray, RaggedError};
use serde_json::{Number, Value};

impl From<RaggedError> for Refusal {
    fn from(error: RaggedError) -> Self {
        let mut refusal = Refusal::new(error.to_string()).with_kind(error.class());
        for (key, number) in [("level", error.level()), ("index", error.index())] {
            refusal.more.extend(number.map(|number| (key.into(), number.into())));
        }
        refusal
    }
}

/// The most elements of all axes together that one request may have.
const MOST_ELEMENTS: usize = 1 << 26;

/// The elements of a list.
pub fn list<'v>(value: &'v Value, what: &str) -> Result<&'v [Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| Refusal::malformed(format!("`{what}` is not a list")))
}

/// A list of numbers that `read` accepts.
pub fn numbers<T>(value: &Value, what: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>> {
    let wrong = |value: &Value| Refusal::malformed(format!("{value} in `{what}` is not a number of its kind"));
    list(value, what)?.iter().map(|value| read(value).ok_or_else(|| wrong(value))).collect()
}

/// The list of numbers at a key, which `read` accepts.
pub fn numbers_at<T>(value: &Value, key: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>> {
    numbers(part(value, key)?, key, read)
}

/// A number that counts or addresses.
pub fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|value| usize::try_from(value).ok())
}

/// The index at a key.
pub fn index_at(value: &Value, key: &str) -> Result<usize> {
    let number = part(value, key)?;
    index(number).ok_or_else(|| Refusal::malformed(format!("{number} of `{key}` is not an index")))
}

/// The number of rows at a key, of which there may not be too many.
pub fn rows_at(value: &Value, key: &str) -> Result<usize> {
    bounded(index_at(value, key)?, key)
}

fn bounded(count: usize, what: &str) -> Result<usize> {
    if count > MOST_ELEMENTS {
        return Err(Refusal::too_large(format!("{count} of `{what}` is more than {MOST_ELEMENTS}")));
    }
    Ok(count)
}

/// A leaf: an integer of any size, or a floating-point number where one of all leaves is.
pub trait Leaf: crd2idx::ragged::Number {
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

/// A ragged array of integers, or of floating-point numbers where not all leaves are integers.
pub enum Array {
    Integers(RaggedArray<'static, i128>),
    Floats(RaggedArray<'static, f64>),
}

/// `body` with `array` bound to the array, whatever its leaves.
macro_rules! with_leaves {
    ($this:expr, $array:ident => $body:expr) => {
        match $this {
            $crate::ragged::request::Array::Integers($array) => $body,
            $crate::ragged::request::Array::Floats($array) => $body,
        }
    };
}
pub(super) use with_leaves;

/// The keys of an array.
pub const ARRAY: &[&str] = &["data", "offsets", "starts", "sizes", "outer", "levels"];

/// The array of an object: `data` and `offsets`, or `outer` and `levels`, or `starts` and `sizes`.
pub fn array(value: &Value) -> Result<Array> {
    let data = part(value, "data")?;
    match numbers(data, "data", i128::from_json) {
        Ok(integers) => array_of(value, integers).map(Array::Integers),
        Err(_) => array_of(value, numbers(data, "data", f64::from_json)?).map(Array::Floats),
    }
}

/// The array that an object describes, of these leaves, if it has not too many elements to list.
pub fn array_of<T: Clone + 'static>(value: &Value, data: Vec<T>) -> Result<RaggedArray<'static, T>> {
    let array = array_of_any_size(value, data)?;
    let elements = (0..array.depth()).try_fold(0_usize, |sum, axis| sum.checked_add(array.shape().count(axis)));
    bounded(elements.unwrap_or(usize::MAX), "elements")?;
    Ok(array)
}

/// The array that an object describes, of these leaves.
pub fn array_of_any_size<T: Clone + 'static>(value: &Value, data: Vec<T>) -> Result<RaggedArray<'static, T>> {
    if let Some(given) = value.get("offsets") {
        let offsets = list(given, "offsets")?.iter().map(|level| numbers(level, "offsets", Value::as_i64));
        Ok(RaggedArray::from_offsets(offsets.collect::<Result<_>>()?, data)?)
    } else if let Some(starts) = value.get("starts") {
        Ok(RaggedArray::from_views(numbers(starts, "starts", Value::as_u64)?, numbers_at(value, "sizes", Value::as_u64)?, data)?)
    } else if let Some(levels) = value.get("levels") {
        let levels = list(levels, "levels")?.iter().enumerate().map(|(q, value)| level(q, value)).collect::<Result<_>>()?;
        Ok(RaggedArray::new(rows_at(value, "outer")?, levels, data)?)
    } else {
        Err(Refusal::malformed("one of the keys `offsets`, `starts` and `levels` is needed"))
    }
}

/// The level `{"kind": "regular", "size": n}` or `{"kind": "ragged", "offsets": [...]}`.
fn level(q: usize, value: &Value) -> Result<DynLevel<'static>> {
    let of = |key| known(value, &format!("levels[{q}]"), key);
    match part(value, "kind")?.as_str() {
        Some("regular") => {
            of(&[&["kind", "size"]])?;
            Ok(DynLevel::fixed(index_at(value, "size")?))
        }
        Some("ragged") => {
            of(&[&["kind", "offsets"]])?;
            let level = DynLevel::offsets(numbers_at(value, "offsets", Value::as_i64)?);
            Ok(level.map_err(|error| RaggedError::from(error.at_level(q)))?)
        }
        _ => Err(Refusal::malformed("the kind of a level is `regular` or `ragged`")),
    }
}
