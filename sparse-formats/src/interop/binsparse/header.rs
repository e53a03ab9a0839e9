//! The JSON descriptor of a binary sparse file, and its parser. `write` does the inverse: a new key must go into both.

use super::DataType;
use super::parse::{parse_json, sorted};
use crate::{Custom, CustomLevel, InterchangeError, Symmetry, Triangle};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde_json::{Value, json};

/// The names of formats: for each its levels, and whether the axes are in reverse order.
pub(super) const NAMES: &[(&str, &[CustomLevel], bool)] = &[
    ("DVEC", &[CustomLevel::Dense(1)], false),
    ("DMAT", &[CustomLevel::Dense(1), CustomLevel::Dense(1)], false),
    ("DMATR", &[CustomLevel::Dense(1), CustomLevel::Dense(1)], false),
    ("DMATC", &[CustomLevel::Dense(1), CustomLevel::Dense(1)], true),
    ("CVEC", &[CustomLevel::Sparse(1)], false),
    ("CSR", &[CustomLevel::Dense(1), CustomLevel::Sparse(1)], false),
    ("CSC", &[CustomLevel::Dense(1), CustomLevel::Sparse(1)], true),
    ("DCSR", &[CustomLevel::Sparse(1), CustomLevel::Sparse(1)], false),
    ("DCSC", &[CustomLevel::Sparse(1), CustomLevel::Sparse(1)], true),
    ("COO", &[CustomLevel::Sparse(2)], false),
    ("COOR", &[CustomLevel::Sparse(2)], false),
    ("COOC", &[CustomLevel::Sparse(2)], true),
];

/// The names of structures, each with the symmetry and the stored triangle that it means.
pub(super) const STRUCTURES: &[(&str, Symmetry, Triangle)] = &[
    ("symmetric_lower", Symmetry::Symmetric, Triangle::Lower),
    ("symmetric_upper", Symmetry::Symmetric, Triangle::Upper),
    ("hermitian_lower", Symmetry::Hermitian, Triangle::Lower),
    ("hermitian_upper", Symmetry::Hermitian, Triangle::Upper),
    ("skew_symmetric_lower", Symmetry::Skew, Triangle::Lower),
    ("skew_symmetric_upper", Symmetry::Skew, Triangle::Upper),
];

/// The descriptor of a tensor in a file.
///
/// ```
/// use sparse_formats::binsparse::Header;
/// let header = Header::parse(r#"{"binsparse": {"version": "0.1.0", "format": "CSC", "shape": [4, 5], "number_of_stored_values": 6,
///     "data_types": {"pointers_to_1": "uint64", "indices_1": "uint64", "values": "float64"}}}"#)?;
/// assert_eq!(header.custom.format().unwrap().to_string(), "C-S-C");
/// assert_eq!(header.arrays(), ["pointers_to_1", "indices_1", "values"]);
/// assert_eq!(header.data_type("values")?.to_string(), "float64");
/// assert_eq!(header.data_type("fill_value").unwrap_err().to_string(), "data_types lacks the type of fill_value");
/// assert_eq!(Header::read(&header.to_json("0.1"))?, header);
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The levels and their axes.
    pub custom: Custom,
    /// The extents, in the order of the axes of the tensor.
    pub shape: Vec<u64>,
    /// The number of stored values, including all values of dense levels.
    pub stored: u64,
    /// The types of the arrays, by the names of the arrays.
    pub data_types: BTreeMap<String, DataType>,
    /// True if the file has a fill value.
    pub fill: bool,
    /// The symmetry, and the stored triangle, which stands for both.
    pub structure: Option<(Symmetry, Triangle)>,
    /// The number with which indices and pointers begin, 0 or 1.
    pub index_base: u8,
    /// For each level, whether its coordinates need not be sorted.
    pub unsorted: Vec<bool>,
    /// The unknown keys and their values, from the descriptor and from the object that contains it.
    pub other: BTreeMap<String, Value>,
}

/// The keys of a descriptor that `Header::read` knows. All others go into `other`.
const KEYS: [&str; 9] =
    ["version", "format", "shape", "number_of_stored_values", "data_types", "fill", "structure", "custom", "index_base"];

impl Header {
    /// Parses a descriptor from JSON text. Fails if the text is no JSON or an object has a key twice, and as
    /// `Header::read` does.
    pub fn parse(text: &str) -> Result<Header, InterchangeError> {
        Header::read(&parse_json(text)?)
    }

    /// Reads a descriptor from a JSON value: the descriptor itself, or an object that has it under `binsparse`.
    ///
    /// Fails if a needed key is missing, a value is invalid, the version is not 0.1, or the format or the structure is
    /// unknown or does not fit the shape.
    ///
    /// ```
    /// use sparse_formats::binsparse::Header;
    /// let mut descriptor = serde_json::json!({"version": "0.1", "format": "COO", "shape": [4, 5], "number_of_stored_values": 6,
    ///     "data_types": {"indices_0": "uint8", "indices_1": "uint8", "values": "float32"}});
    /// assert_eq!(Header::read(&descriptor)?.shape, [4, 5]);
    /// descriptor["version"] = "2.0".into();
    /// assert_eq!(Header::read(&descriptor).unwrap_err().class(), "header/version");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn read(value: &Value) -> Result<Header, InterchangeError> {
        let whole = &sorted(value.clone());
        let value = whole.get("binsparse").unwrap_or(whole);
        let beside = whole.as_object().filter(|_| !core::ptr::eq(whole, value)).into_iter().flatten();
        let beside = beside.filter(|(key, _)| *key != "binsparse");
        let object = value.as_object().ok_or_else(|| header_error!("json", "the descriptor is not an object"))?;
        let need = |key: &'static str| object.get(key).ok_or_else(|| header_error!("missing", "the key `{key}` is missing"));
        let version = need("version")?;
        let patch = version.as_str().and_then(|version| version.strip_prefix("0.1"));
        let number = |patch: &str| !patch.is_empty() && patch.bytes().all(|digit| digit.is_ascii_digit());
        if !patch.is_some_and(|patch| patch.is_empty() || patch.strip_prefix('.').is_some_and(number)) {
            return Err(header_error!("version", "the version is {version}, but only 0.1 is supported"));
        }
        let index_base = match object.get("index_base").map(Value::as_u64) {
            None | Some(Some(0)) => 0,
            Some(Some(1)) => 1,
            Some(_) => return Err(header_error!("index_base", "index_base is {}, neither 0 nor 1", object["index_base"])),
        };
        let shape = need("shape")?;
        let list = |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let extents =
            list(shape).ok_or_else(|| header_error!("shape", "the shape {shape} is not a list of unsigned integers of 64 bits"))?;
        let (custom, unsorted) = levels(object.get("format"), object.get("custom"), extents.len())?;
        if custom.transpose().len() != extents.len() {
            return Err(header_error!("shape", "the format has {} axes, but the shape is {shape}", custom.transpose().len()));
        }
        let stored = need("number_of_stored_values")?;
        let stored = stored
            .as_u64()
            .ok_or_else(|| header_error!("nnz", "number_of_stored_values is {stored}, not an unsigned integer of 64 bits"))?;
        let types = need("data_types")?;
        let types =
            types.as_object().ok_or_else(|| header_error!("dtype", "data_types is {types}, not an object that maps arrays to types"))?;
        let data_type = |(name, value): (&String, &Value)| {
            let text = value.as_str().ok_or_else(|| header_error!("dtype", "`{value}` is not a type"))?;
            Ok((name.clone(), text.parse()?))
        };
        let data_types = types.iter().map(data_type).collect::<Result<BTreeMap<String, DataType>, InterchangeError>>()?;
        let fill = object.get("fill").unwrap_or(&Value::Bool(false));
        let fill = fill.as_bool().ok_or_else(|| header_error!("fill", "fill is {fill}, not a boolean"))?;
        let other = object.iter().filter(|(key, _)| !KEYS.contains(&key.as_str()));
        let other = other.chain(beside).map(|(key, value)| (key.clone(), value.clone())).collect();
        let header = Header { custom, shape: extents, stored, data_types, fill, structure: None, index_base, unsorted, other };
        let structure = object.get("structure").filter(|structure| !structure.is_null());
        let structure = structure.map(|structure| header.structure(structure)).transpose()?;
        Ok(Header { structure, ..header })
    }

    /// Reads the value of the key `structure`. Fails if it is unknown, or does not fit the shape or the type of the values.
    fn structure(&self, value: &Value) -> Result<(Symmetry, Triangle), InterchangeError> {
        let known = STRUCTURES.iter().find(|(name, ..)| value.as_str() == Some(name));
        let (_, symmetry, triangle) = known.ok_or_else(|| header_error!("structure", "the structure {value} is unknown"))?;
        let complex = self.data_types.get("values").is_some_and(|values| values.complex);
        match self.shape.as_slice() {
            [rows, columns] if rows == columns && (complex || *symmetry != Symmetry::Hermitian) => Ok((*symmetry, *triangle)),
            shape => Err(header_error!(
                "structure",
                "the structure {value} needs a square matrix, complex if hermitian; the shape is {shape:?}, complex: {complex}"
            )),
        }
    }

    /// Returns the type of the array with the name `array`. Fails if the descriptor does not give it.
    pub fn data_type(&self, array: &str) -> Result<DataType, InterchangeError> {
        self.data_types.get(array).copied().ok_or_else(|| header_error!("dtype", "data_types lacks the type of {array}"))
    }

    /// Returns the names of the arrays that the file must have.
    pub fn arrays(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut axis = 0;
        for level in self.custom.levels() {
            if let CustomLevel::Sparse(rank) = level {
                out.extend((axis > 0).then(|| format!("pointers_to_{axis}")));
                out.extend((axis..axis + rank).map(|axis| format!("indices_{axis}")));
            }
            axis += level.rank();
        }
        out.push("values".into());
        out.extend(self.fill.then(|| "fill_value".into()));
        out
    }
}

/// Returns the levels for a tensor of `rank` axes, and for each level whether it may be unsorted. `format` and `custom` are
/// the values of these keys: a name, or `"custom"` with a description. Fails if both are missing, unknown or invalid.
fn levels(format: Option<&Value>, custom: Option<&Value>, rank: usize) -> Result<(Custom, Vec<bool>), InterchangeError> {
    let name = match (format, custom) {
        (None, None) => return Err(header_error!("missing", "the key `format` is missing")),
        // Some writers leave out `format` if they describe it.
        (None, Some(_)) => "custom",
        (Some(format), _) => format.as_str().ok_or_else(|| header_error!("format", "the format {format} is unknown"))?,
    };
    if name == "custom" {
        return described(custom.ok_or_else(|| header_error!("missing", "the key `custom` is missing"))?, rank);
    }
    let (_, levels, contrary) =
        NAMES.iter().find(|(known, ..)| *known == name).ok_or_else(|| header_error!("format", "the format `{name}` is unknown"))?;
    let axes = levels.iter().map(|level| level.rank()).sum::<usize>();
    let transpose: Vec<usize> = if *contrary { (0..axes).rev().collect() } else { (0..axes).collect() };
    let custom = Custom::new(levels, &transpose).map_err(|error| header_error!("custom", "custom: {error}"))?;
    Ok((custom, vec![false; levels.len()]))
}

/// Fails if an object has an unknown key, which might change what the levels mean.
fn only(value: &Value, known: &[&str]) -> Result<(), InterchangeError> {
    let mut keys = value.as_object().into_iter().flat_map(|object| object.keys());
    match keys.find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(header_error!("extension", "the key `{key}` of a level is unknown, and might change what the arrays mean")),
        None => Ok(()),
    }
}

/// Returns the levels that the value of the key `custom` describes, and for each whether it may be unsorted. Fails if the
/// description is invalid or its number of axes is not `rank`.
fn described(value: &Value, rank: usize) -> Result<(Custom, Vec<bool>), InterchangeError> {
    let (mut levels, mut unsorted) = (Vec::new(), Vec::new());
    only(value, &["level", "transpose"])?;
    let mut next = value.get("level").ok_or_else(|| header_error!("custom", "custom: the key `level` is missing"))?;
    loop {
        let described = next.get("level_desc").and_then(Value::as_str);
        only(next, &["level_desc", "rank", "level", "sorted"])?;
        let sorted = next.get("sorted").unwrap_or(&Value::Bool(true));
        let sorted = sorted.as_bool().ok_or_else(|| header_error!("custom", "custom: sorted is {sorted}, not a boolean"))?;
        let make = match described {
            Some("element") => break,
            Some("dense") => CustomLevel::Dense,
            Some("sparse") => CustomLevel::Sparse,
            _ => return Err(header_error!("custom", "custom: {} is not a level", described.unwrap_or("an object without level_desc"))),
        };
        let axes = next.get("rank").unwrap_or(&json!(1)).as_u64().and_then(|axes| usize::try_from(axes).ok());
        let axes = axes.filter(|axes| (1..=rank).contains(axes));
        unsorted.push(!sorted && described == Some("sparse"));
        levels.push(make(
            axes.ok_or_else(|| header_error!("custom", "custom: a level has rank {}, but the tensor has {rank} axes", next["rank"]))?,
        ));
        next = next.get("level").ok_or_else(|| header_error!("custom", "custom: the innermost level is not `element`"))?;
    }
    let transpose: Vec<usize> = match value.get("transpose").filter(|transpose| !transpose.is_null()) {
        None => (0..rank).collect(),
        Some(transpose) => {
            let axes = transpose.as_array().and_then(|axes| axes.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
            let axes: Vec<u64> =
                axes.ok_or_else(|| header_error!("transpose", "transpose: {transpose} must name each of the {rank} axes once"))?;
            let mut seen = vec![false; rank];
            let fresh = |axis: &u64| seen.get_mut(*axis as usize).is_some_and(|seen| !core::mem::replace(seen, true));
            if axes.len() != rank || !axes.iter().all(fresh) {
                return Err(header_error!("transpose", "transpose: {transpose} must name each of the {rank} axes once"));
            }
            axes.into_iter().map(|axis| axis as usize).collect()
        }
    };
    let custom = Custom::new(&levels, &transpose).map_err(|error| match error {
        InterchangeError::Axes { levels, .. } => header_error!("custom", "custom: the levels have {levels} axes, but the shape has {rank}"),
        error => header_error!("custom", "custom: {error}"),
    })?;
    Ok((custom, unsorted))
}

impl Custom {
    /// Reads levels from a JSON value
    /// `{"level": {"level_desc": "dense", "rank": 1, "level": {...}}, "transpose": [...]}`, for a tensor of `rank`
    /// axes.
    ///
    /// Fails if the value does not have this form, if its number of axes is not `rank`, and for levels that need not be
    /// sorted; [`Header`] reads those.
    ///
    /// ```
    /// use sparse_formats::{Custom, Format};
    /// let value = serde_json::json!({"level": {"level_desc": "dense", "rank": 1, "level":
    ///     {"level_desc": "sparse", "rank": 1, "level": {"level_desc": "element"}}}, "transpose": [1, 0]});
    /// assert_eq!(Custom::from_json(&value, 2)?.format()?, Format::csc());
    /// assert!(Custom::from_json(&value, 3).is_err(), "the levels have two axes");
    /// # Ok::<(), sparse_formats::InterchangeError>(())
    /// ```
    pub fn from_json(value: &Value, rank: usize) -> Result<Custom, InterchangeError> {
        match described(&sorted(value.clone()), rank)? {
            (_, unsorted) if unsorted.contains(&true) => {
                Err(header_error!("extension", "the levels have unsorted indices (`sorted` is false), which this function does not read"))
            }
            (custom, _) => Ok(custom),
        }
    }

    /// Returns the levels as a JSON value, nested under the key `level`, with sorted keys.
    ///
    /// ```
    /// use sparse_formats::{Custom, Format};
    /// let levels = Custom::of(&Format::csr()).unwrap().level_json();
    /// assert_eq!(levels["level"].to_string(), r#"{"level":{"level_desc":"element"},"level_desc":"sparse","rank":1}"#);
    /// ```
    pub fn level_json(&self) -> Value {
        let element = json!({"level_desc": "element"});
        let around = |below, level: &CustomLevel| json!({"level_desc": level.name(), "rank": level.rank(), "level": below});
        sorted(self.levels().iter().rev().fold(element, around))
    }
}
