//! The fields of requests on sparse tensors.

use crate::answer::{Refusal, Result, detail, only};
use crate::words::many;
use crd2idx::sparse::{Arrays, Balance, Format, FormatError, Indices, InterchangeError, LevelKind, OperationError, TensorError};
use serde_json::{Map, Value};

/// A refusal of this class: `family/detail`.
pub fn of_class(class: impl Into<String>, message: impl Into<String>) -> Refusal {
    let class = class.into();
    let refusal = Refusal::new(message);
    let refusal = if class.ends_with("/unsupported") { refusal.with("kind", "unsupported") } else { refusal };
    refusal.with("class", class)
}

impl Refusal {
    fn class(&self) -> &str {
        self.more.get("class").and_then(Value::as_str).unwrap_or_default()
    }

    /// Of this class.
    pub fn of_class(self, class: &str) -> Refusal {
        self.with("class", class)
    }

    /// Of the family that a request is of.
    pub fn of_family(self, family: &str) -> Refusal {
        let kind = detail(self.class()).to_owned();
        self.with("class", format!("{family}/{kind}"))
    }
}

/// The message, and the class in parentheses.
impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.message, self.class())
    }
}

macro_rules! from_errors {
    ($($error:ty)*) => { $(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                of_class(error.class(), error.to_string())
            }
        }
    )* };
}

from_errors! { FormatError TensorError OperationError InterchangeError }

/// A JSON object, and the family of its errors.
#[derive(Clone, Copy)]
pub struct Fields<'r> {
    value: &'r Value,
    family: &'static str,
}

impl<'r> Fields<'r> {
    /// The fields of a value.
    pub fn new(value: &'r Value, family: &'static str) -> Self {
        Fields { value, family }
    }

    /// A refusal of this family.
    pub fn refuse(&self, detail: &str, message: impl Into<String>) -> Refusal {
        of_class(format!("{}/{detail}", self.family), message)
    }

    /// Refuses fields other than these.
    pub fn only(&self, keys: &[&[&str]]) -> Result<()> {
        only(self.value, &[], keys).map_or(Ok(()), |unknown| Err(self.refuse("unexpected", unknown.to_string())))
    }

    /// A field that is there and not null.
    pub fn get(&self, key: &str) -> Option<&'r Value> {
        self.value.get(key).filter(|value| !value.is_null())
    }

    /// A field that must be there.
    pub fn need(&self, key: &str) -> Result<&'r Value> {
        self.get(key).ok_or_else(|| self.refuse("missing", format!("the key `{key}` is missing")))
    }

    /// A whole number.
    pub fn number(&self, key: &str) -> Result<Option<u64>> {
        self.get(key).map(|value| self.whole(value, key)).transpose()
    }

    /// A number of things in memory.
    pub fn count(&self, key: &str) -> Result<Option<usize>> {
        let number = self.number(key)?;
        number.map(|number| usize::try_from(number).map_err(|_| self.refuse("range", format!("{key}: {number} is too large")))).transpose()
    }

    /// A list of whole numbers that must be there.
    pub fn numbers(&self, key: &str) -> Result<Vec<u64>> {
        self.whole_list(self.need(key)?, key)
    }

    /// A list of axes that must be there.
    pub fn places(&self, key: &str) -> Result<Vec<usize>> {
        self.numbers(key)?
            .into_iter()
            .map(|n| usize::try_from(n).map_err(|_| self.refuse("axes", format!("{key}: {n} is no axis"))))
            .collect()
    }

    /// The list `axis_order`; regular where there is none.
    pub fn axis_order(&self, rank: usize) -> Result<Vec<usize>> {
        if self.get("axis_order").is_some() { self.places("axis_order") } else { Ok((0..rank).collect()) }
    }

    fn whole(&self, value: &Value, key: &str) -> Result<u64> {
        let kind = if value.is_number() { "range" } else { "type" };
        value.as_u64().ok_or_else(|| self.refuse(kind, format!("{key}: {value} is not a whole number of 64 bits")))
    }

    /// The whole numbers of a list.
    pub fn whole_list(&self, value: &Value, key: &str) -> Result<Vec<u64>> {
        let list = value.as_array().ok_or_else(|| self.refuse("type", format!("{key}: {value} is not a list")))?;
        list.iter().enumerate().map(|(k, value)| self.whole(value, &format!("{key}[{k}]"))).collect()
    }

    /// The array of coordinates of each axis, from the list `coords` of rows.
    pub fn columns(&self, rank: usize) -> Result<Vec<Indices<'static>>> {
        let rows = self.need("coords")?.as_array().ok_or_else(|| self.refuse("type", "coords is not a list"))?;
        let mut columns = vec![Vec::with_capacity(rows.len()); rank];
        for (k, row) in rows.iter().enumerate() {
            let row = self.whole_list(row, &format!("coords[{k}]"))?;
            if row.len() != rank {
                return Err(self.refuse(
                    "shape",
                    format!("coords[{k}] has {} for {}", many(row.len() as i128, "coordinate"), many(rank as i128, "axis")),
                ));
            }
            columns.iter_mut().zip(row).for_each(|(column, c)| column.push(c));
        }
        Ok(columns.iter().map(|column| Indices::narrowest(column)).collect())
    }

    /// An array of whole numbers that must be there.
    pub fn array(&self, key: &str) -> Result<Indices<'static>> {
        Ok(Indices::narrowest(&self.numbers(key)?))
    }

    /// So many arrays of whole numbers, a list of lists.
    pub fn lists(&self, key: &str, count: usize) -> Result<Vec<Indices<'static>>> {
        let all = self.need(key)?.as_array().filter(|all| all.len() == count);
        let all = all.ok_or_else(|| self.refuse("shape", format!("{key} is not a list of {}", many(count as i128, "list"))))?;
        all.iter().enumerate().map(|(k, one)| Ok(Indices::narrowest(&self.whole_list(one, &format!("{key}[{k}]"))?))).collect()
    }

    /// The list `values`.
    pub fn values(&self) -> Result<Vec<Value>> {
        self.need("values")?.as_array().cloned().ok_or_else(|| self.refuse("type", "values is not a list"))
    }

    /// Arrays by level: an object whose keys are levels.
    fn by_level(&self, key: &str) -> Result<Vec<Option<Indices<'static>>>> {
        let mut out = Vec::new();
        let Some(value) = self.get(key) else { return Ok(out) };
        let object = value.as_object().ok_or_else(|| self.refuse("type", format!("{key} is not an object of arrays by level")))?;
        for (level, array) in object {
            let level: usize = level
                .parse()
                .ok()
                .filter(|level| *level <= crd2idx::sparse::MAX_RANK)
                .ok_or_else(|| self.refuse("unexpected", format!("{key}: `{level}` is not a level")))?;
            if out.len() <= level {
                out.resize(level + 1, None);
            }
            out[level] = Some(Indices::narrowest(&self.whole_list(array, &format!("{key}_{level}"))?));
        }
        Ok(out)
    }

    /// The objects `indices` and `pointers`.
    pub fn arrays(&self) -> Result<Arrays<'static>> {
        Ok(Arrays { indices: self.by_level("indices")?, pointers: self.by_level("pointers")? })
    }

    /// The format: `structure`, a name or a list of tokens in the order of `axis_order`, those of dense axes last, with flags.
    pub fn format(&self, rank: usize) -> Result<Format> {
        let structure = self.need("structure")?;
        let mut format = match structure {
            Value::String(name) => {
                let format = Format::parse_with_rank(name, rank)?;
                if self.get("axis_order").is_some() && self.places("axis_order")? != format.axis_order() {
                    let order = format.axis_order();
                    return Err(self.refuse("axes", format!("axis_order is not the order {order:?} that the structure `{name}` says")));
                }
                format
            }
            Value::Array(tokens) => {
                let kind = |token: &Value| {
                    let unknown = || FormatError::Token { token: token.as_str().map_or_else(|| token.to_string(), String::from) };
                    Ok(token.as_str().and_then(LevelKind::from_token).ok_or_else(unknown)?)
                };
                if tokens.len() != rank {
                    return Err(self.refuse("shape", format!("{} levels for {rank} axes", tokens.len())));
                }
                let dense = tokens.iter().rev().take_while(|token| token.as_str() == Some("D")).count();
                let kinds = tokens[..rank - dense].iter().map(kind).collect::<Result<Vec<_>>>()?;
                let format = Format::multigraph(&kinds, &self.axis_order(rank)?)?;
                let simple = kinds.last().is_none_or(|kind| *kind == LevelKind::Indices);
                format.with_multigraph(!simple)?
            }
            other => return Err(self.refuse("token", format!("structure: {other} is neither a name nor a list"))),
        };
        if let Some(multigraph) = self.get("multigraph") {
            let flag = multigraph.as_bool().ok_or_else(|| self.refuse("flag", "multigraph is not a boolean"))?;
            format = format.with_multigraph(flag)?;
        }
        if let Some(flags) = self.get("unsorted") {
            let flags = flags.as_array().and_then(|flags| flags.iter().map(Value::as_bool).collect::<Option<Vec<_>>>());
            format = format.with_unsorted(&flags.ok_or_else(|| self.refuse("flag", "unsorted is not a list of booleans"))?)?;
        }
        if let Some(most) = self.count("max_children")? {
            let level = self.count("balanced_level")?.unwrap_or(0);
            format = format.with_balanced(Some(Balance { level, most }))?;
        }
        Ok(format)
    }
}

/// Arrays by level, as an object.
pub fn object(arrays: &[Option<Indices>]) -> Value {
    let pairs = arrays.iter().enumerate().filter_map(|(level, array)| array.as_ref().map(|array| (level.to_string(), list(array))));
    Value::Object(Map::from_iter(pairs))
}

/// An array as a list.
pub fn list(array: &Indices) -> Value {
    array.iter().map(Value::from).collect()
}
