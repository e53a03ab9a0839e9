//! Reads the fields of requests on sparse tensors.

pub use crate::answer::of_class;
use crate::answer::{Refusal, Result, detail};
use crate::request::value_of;
use crate::words::many;
use crd2idx::contraction::ContractionError;
use crd2idx::sparse::{
    Arrays, Balance, Format, FormatError, Indices, InterchangeError, LevelKind, MAX_RANK, OperationError, SparseError, Values,
};
use relayout::json::one_or_many;
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

impl Refusal {
    fn class(&self) -> &str {
        self.more.get("class").and_then(Value::as_str).unwrap_or_default()
    }

    /// Sets the error class, `family/detail`.
    pub fn of_class(self, class: &str) -> Refusal {
        self.with("class", class)
    }

    /// Replaces the family of the error class, and keeps its detail.
    pub fn of_family(self, family: &str) -> Refusal {
        let kind = detail(self.class()).to_owned();
        self.with("class", format!("{family}/{kind}"))
    }
}

/// Writes the message, and the class in parentheses.
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

from_errors! { FormatError SparseError OperationError InterchangeError ContractionError }

/// Extents and a format.
#[derive(Clone, Deserialize)]
pub struct Formatted {
    pub shape: Vec<u64>,
    axis_order: Option<Vec<usize>>,
    /// A [`Structure`]. It is read only when it is needed.
    pub structure: Option<Value>,
    multigraph: Option<bool>,
    unsorted: Option<Vec<bool>>,
    max_children: Option<usize>,
    balanced_level: Option<usize>,
}

/// The name of a format, or a list of tokens in the order of `axis_order`, dense axes last.
enum Structure {
    Name(String),
    Tokens(Vec<String>),
}

impl<'de> Deserialize<'de> for Structure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        one_or_many(deserializer, "a name or a list of tokens", Structure::Name, Structure::Tokens)
    }
}

/// Elements with their coordinates.
#[derive(Deserialize)]
pub struct Elements {
    coords: Option<Vec<Vec<u64>>>,
    pub values: Option<Vec<Value>>,
    pub duplicates: Option<String>,
    pub fill: Option<Value>,
}

/// The arrays of levels, the values, and the other keys that answers print with them.
#[derive(Deserialize)]
pub struct Stored {
    indices: Option<ByLevel>,
    pointers: Option<ByLevel>,
    pub values: Option<Vec<Value>>,
    pub iso: Option<Value>,
    pub fill: Option<Value>,
    pub name: Option<Value>,
    #[serde(rename = "stored")]
    _stored: Option<IgnoredAny>,
}

/// A number, or a list of numbers.
#[derive(Clone)]
pub enum OneOrMany {
    One(usize),
    Many(Vec<usize>),
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        one_or_many(deserializer, "a whole number from 0, or a list of these", OneOrMany::One, OneOrMany::Many)
    }
}

/// Arrays by level, from an object whose keys are levels, counted from 0. Levels without an array are `None`.
pub struct ByLevel(pub Vec<Option<Indices<'static>>>);

impl<'de> Deserialize<'de> for ByLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let mut out = Vec::new();
        for (level, array) in BTreeMap::<String, Vec<u64>>::deserialize(deserializer)? {
            let level: usize = level
                .parse()
                .ok()
                .filter(|level| *level <= MAX_RANK)
                .ok_or_else(|| D::Error::unknown_field(&level, &["the numbers of levels"]))?;
            if out.len() <= level {
                out.resize(level + 1, None);
            }
            out[level] = Some(Indices::narrowest(&array));
        }
        Ok(ByLevel(out))
    }
}

/// Refuses a request without a key that it needs.
pub fn missing(family: &str, key: &str) -> Refusal {
    of_class(format!("{family}/missing"), format!("the key `{key}` is missing"))
}

/// Returns the coordinates of a list of rows as one array per axis. Refuses a row without `rank` coordinates.
pub fn columns(coords: &[Vec<u64>], rank: usize, family: &str) -> Result<Vec<Indices<'static>>> {
    let mut columns = vec![Vec::with_capacity(coords.len()); rank];
    for (k, row) in coords.iter().enumerate() {
        if row.len() != rank {
            let message = format!("coords[{k}] has {} for {}", many(row.len() as i128, "coordinate"), many(rank as i128, "axis"));
            return Err(of_class(format!("{family}/shape"), message));
        }
        columns.iter_mut().zip(row).for_each(|(column, c)| column.push(*c));
    }
    Ok(columns.iter().map(|column| Indices::narrowest(column)).collect())
}

impl Elements {
    /// Returns the coordinates as one array per axis. Refuses missing ones, and rows without `rank` coordinates.
    pub fn columns(&self, rank: usize, family: &str) -> Result<Vec<Indices<'static>>> {
        columns(self.coords.as_ref().ok_or_else(|| missing(family, "coords"))?, rank, family)
    }

    /// Returns the values, and refuses missing ones.
    pub fn values(&self, family: &str) -> Result<&[Value]> {
        self.values.as_deref().ok_or_else(|| missing(family, "values"))
    }
}

impl Stored {
    /// Takes the arrays `indices` and `pointers` out of the request.
    pub fn arrays(&mut self) -> Arrays<'static> {
        let mut of =
            |arrays: fn(&mut Stored) -> &mut Option<ByLevel>| arrays(self).take().map(|ByLevel(arrays)| arrays).unwrap_or_default();
        Arrays { indices: of(|stored| &mut stored.indices), pointers: of(|stored| &mut stored.pointers) }
    }

    /// Returns the values: one for each element, one for all, or none.
    pub fn values(&self) -> Values<'static, Value> {
        match (&self.values, &self.iso) {
            (Some(values), _) => values.clone().into(),
            (None, Some(iso)) => Values::Iso(iso.clone()),
            (None, None) => Values::PatternOnly,
        }
    }
}

/// Returns the value of elements that are not stored, by default 0.
pub fn fill(given: &Option<Value>) -> Value {
    given.clone().unwrap_or(json!(0))
}

/// Returns the axes in the given order, or in their own.
pub fn axis_order(order: Option<&[usize]>, rank: usize) -> Vec<usize> {
    order.map_or_else(|| (0..rank).collect(), <[usize]>::to_vec)
}

impl Formatted {
    /// Returns the order of the axes.
    pub fn axis_order(&self) -> Vec<usize> {
        axis_order(self.axis_order.as_deref(), self.shape.len())
    }

    /// Returns the format: `structure` with the flags of the request. Refuses a missing or invalid structure, and flags that do
    /// not fit it.
    pub fn format(&self) -> Result<Format> {
        let rank = self.shape.len();
        let refuse = |detail: &str, message: String| of_class(format!("levels/{detail}"), message);
        let structure = self.structure.as_ref().ok_or_else(|| missing("levels", "structure"))?;
        let mut format = match value_of(structure, "structure", "levels")? {
            Structure::Name(name) => {
                let format = Format::parse_with_rank(&name, rank)?;
                if self.axis_order.as_deref().is_some_and(|order| order != format.axis_order()) {
                    let order = format.axis_order();
                    return Err(refuse("axes", format!("axis_order is not the order {order:?} that the structure `{name}` says")));
                }
                format
            }
            Structure::Tokens(tokens) => {
                let kind = |token: &String| LevelKind::from_token(token).ok_or_else(|| FormatError::Token { token: token.clone() });
                if tokens.len() != rank {
                    return Err(refuse(
                        "shape",
                        format!(
                            "the structure has {}, but the shape has {}: give one level for each axis",
                            many(tokens.len() as i128, "level"),
                            many(rank as i128, "axis")
                        ),
                    ));
                }
                let dense = tokens.iter().rev().take_while(|token| *token == "D").count();
                let kinds = tokens[..rank - dense].iter().map(kind).collect::<std::result::Result<Vec<_>, _>>()?;
                let format = Format::multigraph(&kinds, &self.axis_order())?;
                let simple = kinds.last().is_none_or(|kind| *kind == LevelKind::Indices);
                format.with_multigraph(!simple)?
            }
        };
        if let Some(multigraph) = self.multigraph {
            format = format.with_multigraph(multigraph)?;
        }
        if let Some(unsorted) = &self.unsorted {
            format = format.with_unsorted(unsorted)?;
        }
        if let Some(most) = self.max_children {
            format = format.with_balanced(Some(Balance { level: self.balanced_level.unwrap_or(0), most }))?;
        }
        Ok(format)
    }
}

/// Returns arrays by level as a JSON object.
pub fn object(arrays: &[Option<Indices>]) -> Value {
    let pairs = arrays.iter().enumerate().filter_map(|(level, array)| array.as_ref().map(|array| (level.to_string(), list(array))));
    Value::Object(Map::from_iter(pairs))
}

/// Returns an array as a JSON list.
pub fn list(array: &Indices) -> Value {
    array.iter().map(Value::from).collect()
}
