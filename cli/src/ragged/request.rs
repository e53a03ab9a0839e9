//! Reads ragged arrays of requests.

use super::option::Lists;
use crate::answer::{Refusal, Result};
use crate::real::{Kind, Real};
use crd2idx::ragged::{DynLevel, RaggedArray, RaggedError};
use serde::Deserialize;
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

/// The maximum number of elements, over all axes, of one request.
const MOST_ELEMENTS: usize = 1 << 26;

/// Returns `count`, or refuses it if it exceeds the elements of a request. `what` names `count` in the message.
pub fn bounded(count: usize, what: &str) -> Result<usize> {
    if count > MOST_ELEMENTS {
        return Err(Refusal::too_large(format!("{count} of `{what}` is more than {MOST_ELEMENTS}")));
    }
    Ok(count)
}

/// A ragged array, and the kind of its numbers.
pub struct Array {
    pub kind: Kind,
    pub array: RaggedArray<'static, Real>,
}

/// Returns the leaves of a list of numbers. Refuses numbers that are not of this kind. `key` names the list in the message.
pub fn leaves(numbers: &[Number], kind: Kind, key: &str) -> Result<Vec<Real>> {
    let leaf = |number| kind.read(number).ok_or_else(|| Refusal::malformed(format!("{key}: {number} is not a leaf of the array")));
    numbers.iter().map(leaf).collect()
}

/// An array: `data` with `offsets`, with `outer` and `levels`, or with `starts` and `sizes`; or nested `lists`, in which lists and numbers
/// may be null.
#[derive(Deserialize)]
pub struct Described {
    lists: Option<Value>,
    pub data: Option<Vec<Number>>,
    offsets: Option<Vec<Vec<i64>>>,
    starts: Option<Vec<u64>>,
    sizes: Option<Vec<u64>>,
    outer: Option<usize>,
    levels: Option<Vec<DescribedLevel>>,
}

/// A level: `{"kind": "regular", "size": n}` or `{"kind": "ragged", "offsets": [...]}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedLevel {
    kind: String,
    size: Option<usize>,
    offsets: Option<Vec<i64>>,
}

/// The number of leaves without content.
#[derive(Deserialize)]
pub struct Count {
    data_len: Option<usize>,
}

impl Count {
    /// Returns this number of leaves without content. Refuses a missing number.
    pub fn leaves(&self) -> Result<Vec<()>> {
        Ok(vec![(); self.data_len.ok_or_else(|| Refusal::missing("data_len"))?])
    }
}

impl Described {
    /// Returns the nested lists of the request, if it has any. Refuses other values.
    pub fn lists(&self) -> Result<Option<Lists>> {
        self.lists.as_ref().map(Lists::read).transpose()
    }

    /// Tests whether the request has nested lists.
    pub fn has_lists(&self) -> bool {
        self.lists.is_some()
    }

    /// Returns the array with its `data`, or of its `lists`. Refuses missing data, nulls, and arrays that are invalid or too large.
    pub fn array(self) -> Result<Array> {
        if let Some(lists) = self.lists()? {
            let (kind, array) = lists.present()?;
            return Ok(Array { kind, array });
        }
        let data = self.data.as_ref().ok_or_else(|| Refusal::missing("data"))?;
        let kind = Kind::of(data);
        let data = leaves(data, kind, "data")?;
        Ok(Array { kind, array: self.with(data)? })
    }

    /// Returns the array with its `data`. Without data, leaf `k` is the number `k`. Refuses as `array` does.
    pub fn array_or_numbers(mut self) -> Result<Array> {
        if self.data.is_none() && self.lists.is_none() {
            let ends = match (&self.offsets, &self.starts, &self.sizes) {
                (Some(offsets), _, _) => offsets.last().and_then(|level| level.last()).and_then(|end| usize::try_from(*end).ok()),
                (None, Some(starts), Some(sizes)) => {
                    let ends = starts.iter().zip(sizes).map(|(start, size)| if *size == 0 { 0 } else { start.saturating_add(*size) });
                    usize::try_from(ends.max().unwrap_or(0)).ok()
                }
                _ => None,
            };
            let count = bounded(ends.ok_or_else(|| Refusal::missing("data"))?, "elements")?;
            self.data = Some((0..count).map(Number::from).collect());
        }
        self.array()
    }

    /// Returns the array of these leaves. Refuses invalid arrays, and more than `MOST_ELEMENTS` elements.
    pub fn with<T: Clone + 'static>(self, data: Vec<T>) -> Result<RaggedArray<'static, T>> {
        let array = self.of_any_size(data)?;
        let elements = (0..array.depth()).try_fold(0_usize, |sum, axis| sum.checked_add(array.shape().count(axis)));
        bounded(elements.unwrap_or(usize::MAX), "elements")?;
        Ok(array)
    }

    /// Returns the array of these leaves, of any size. Refuses invalid arrays.
    pub fn of_any_size<T: Clone + 'static>(self, data: Vec<T>) -> Result<RaggedArray<'static, T>> {
        match self {
            Described { offsets: Some(offsets), .. } => Ok(RaggedArray::from_offsets(offsets, data)?),
            Described { starts: Some(starts), sizes, .. } => {
                Ok(RaggedArray::from_views(starts, sizes.ok_or_else(|| Refusal::missing("sizes"))?, data)?)
            }
            Described { levels: Some(levels), outer, .. } => {
                let levels = levels.into_iter().enumerate().map(|(q, level)| level.read(q)).collect::<Result<_>>()?;
                let outer = bounded(outer.ok_or_else(|| Refusal::missing("outer"))?, "outer")?;
                let array = RaggedArray::new(outer, levels, data)?;
                // A short request may describe many elements.
                let elements = (0..array.depth()).map(|axis| array.shape().count(axis));
                bounded(elements.fold(0, usize::saturating_add), "elements")?;
                Ok(array)
            }
            Described { lists: Some(_), .. } => {
                Err(Refusal::malformed("this request takes `lists` with their numbers only, without `data_len`"))
            }
            _ => Err(Refusal::malformed("one of the keys `lists`, `offsets`, `starts` and `levels` is needed")),
        }
    }
}

impl DescribedLevel {
    fn read(self, q: usize) -> Result<DynLevel<'static>> {
        match (self.kind.as_str(), self.size, self.offsets) {
            ("regular", Some(size), None) => Ok(DynLevel::fixed(size)),
            ("ragged", None, Some(offsets)) => {
                let level = DynLevel::offsets(offsets);
                Ok(level.map_err(|error| RaggedError::from(error.at_level(q)))?)
            }
            _ => Err(Refusal::malformed(format!(
                "levels[{q}]: a level has the kind `regular` and a `size`, or the kind `ragged` and `offsets`"
            ))),
        }
    }
}
