//! The JSON descriptor.

use super::{DataType, HeaderError};
use crate::{Custom, CustomLevel, InteropError, Symmetry, Triangle};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde_json::{Value, json};

/// Formats with names: their levels, and whether axes are in contrary order.
const NAMES: &[(&str, &[CustomLevel], bool)] = &[
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

/// Structures with names.
const STRUCTURES: &[(&str, Symmetry, Triangle)] = &[
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
/// # Ok::<(), sparse_formats::binsparse::HeaderError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The levels.
    pub custom: Custom,
    /// The extents, in the order of the axes of the tensor.
    pub shape: Vec<u64>,
    /// The number of stored values, those of dense levels included.
    pub stored: u64,
    /// The types of the arrays.
    pub data_types: BTreeMap<String, DataType>,
    /// Whether there is a fill value.
    pub fill: bool,
    /// The symmetry and the triangle that stands for both.
    pub structure: Option<(Symmetry, Triangle)>,
}

impl Header {
    /// The descriptor of a JSON text.
    pub fn parse(text: &str) -> Result<Header, HeaderError> {
        Header::read(&serde_json::from_str(text).map_err(|error| HeaderError::Json(error.to_string()))?)
    }

    /// The descriptor of a JSON value: the object, or an object that has it under `binsparse`.
    pub fn read(value: &Value) -> Result<Header, HeaderError> {
        let value = value.get("binsparse").unwrap_or(value);
        let object = value.as_object().ok_or_else(|| HeaderError::Json("the descriptor is not an object".into()))?;
        let need = |key: &'static str| object.get(key).ok_or(HeaderError::Missing(key));
        let version = need("version")?;
        if !version.as_str().is_some_and(|version| version == "0.1" || version.starts_with("0.1.")) {
            return Err(HeaderError::Version(version.to_string()));
        }
        if object.get("index_base").is_some_and(|base| base != &json!(0)) {
            return Err(HeaderError::Extension("index_base".into()));
        }
        let shape = need("shape")?;
        let list = |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
        let extents = list(shape).ok_or_else(|| HeaderError::Shape(format!("{shape} is not a list of whole numbers of 64 bits")))?;
        let custom = levels(object.get("format"), object.get("custom"), extents.len())?;
        if custom.transpose().len() != extents.len() {
            return Err(HeaderError::Shape(format!("{shape} has not the {} axes of the format", custom.transpose().len())));
        }
        let stored = need("number_of_stored_values")?;
        let stored = stored.as_u64().ok_or_else(|| HeaderError::Stored(stored.to_string()))?;
        let types = need("data_types")?;
        let types = types.as_object().ok_or_else(|| HeaderError::DataTypes(types.to_string()))?;
        let data_type = |(name, value): (&String, &Value)| {
            let text = value.as_str().ok_or_else(|| HeaderError::DataType { text: value.to_string() })?;
            Ok((name.clone(), text.parse()?))
        };
        let data_types = types.iter().map(data_type).collect::<Result<BTreeMap<String, DataType>, HeaderError>>()?;
        let fill = object.get("fill").unwrap_or(&Value::Bool(false));
        let fill = fill.as_bool().ok_or_else(|| HeaderError::Fill(fill.to_string()))?;
        let header = Header { custom, shape: extents, stored, data_types, fill, structure: None };
        let structure = object.get("structure").filter(|structure| !structure.is_null());
        let structure = structure.map(|structure| header.structure(structure)).transpose()?;
        Ok(Header { structure, ..header })
    }

    fn structure(&self, value: &Value) -> Result<(Symmetry, Triangle), HeaderError> {
        let known = STRUCTURES.iter().find(|(name, ..)| value.as_str() == Some(name));
        let (_, symmetry, triangle) = known.ok_or_else(|| HeaderError::Structure(format!("{value} is not known")))?;
        let complex = self.data_types.get("values").is_some_and(|values| values.complex);
        match self.shape.as_slice() {
            [rows, columns] if rows == columns && (complex || *symmetry != Symmetry::Hermitian) => Ok((*symmetry, *triangle)),
            shape => Err(HeaderError::Structure(format!("{value} of the shape {shape:?}, complex: {complex}"))),
        }
    }

    /// The type of an array, which the file says of each that it has.
    pub fn data_type(&self, array: &str) -> Result<DataType, HeaderError> {
        self.data_types.get(array).copied().ok_or_else(|| HeaderError::DataTypes(format!("without the type of {array}")))
    }

    /// The names of the arrays that the file has.
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

/// The levels of a format by name, or as they are described.
fn levels(format: Option<&Value>, custom: Option<&Value>, rank: usize) -> Result<Custom, HeaderError> {
    let name = match (format, custom) {
        (None, None) => return Err(HeaderError::Missing("format")),
        // Some writers leave the format out where they describe it.
        (None, Some(_)) => "custom",
        (Some(format), _) => format.as_str().ok_or_else(|| HeaderError::Format(format.to_string()))?,
    };
    if name == "custom" {
        return Custom::from_json(custom.ok_or(HeaderError::Missing("custom"))?, rank);
    }
    let (_, levels, contrary) = NAMES.iter().find(|(known, ..)| *known == name).ok_or_else(|| HeaderError::Format(format!("`{name}`")))?;
    let axes = levels.iter().map(|level| level.rank()).sum::<usize>();
    let transpose: Vec<usize> = if *contrary { (0..axes).rev().collect() } else { (0..axes).collect() };
    Custom::new(levels, &transpose).map_err(|error| HeaderError::Custom(error.to_string()))
}

impl Custom {
    /// The levels of a JSON value `{"level": {"level_desc": "dense", "rank": 1, "level": {...}}, "transpose": [...]}` of a tensor of this rank.
    pub fn from_json(value: &Value, rank: usize) -> Result<Custom, HeaderError> {
        let mut levels = Vec::new();
        let mut next = value.get("level").ok_or_else(|| HeaderError::Custom("the key `level` is missing".into()))?;
        loop {
            let described = next.get("level_desc").and_then(Value::as_str);
            if next.get("sorted").is_some_and(|sorted| sorted != &Value::Bool(true)) {
                return Err(HeaderError::Extension("sorted".into()));
            }
            let make = match described {
                Some("element") => break,
                Some("dense") => CustomLevel::Dense,
                Some("sparse") => CustomLevel::Sparse,
                _ => return Err(HeaderError::Custom(format!("{} is not a level", described.unwrap_or("what has no level_desc")))),
            };
            let axes = next.get("rank").unwrap_or(&json!(1)).as_u64().and_then(|axes| usize::try_from(axes).ok());
            let axes = axes.filter(|axes| (1..=rank).contains(axes));
            levels.push(make(axes.ok_or_else(|| HeaderError::Custom(format!("a level of rank {} of {rank} axes", next["rank"])))?));
            next = next.get("level").ok_or_else(|| HeaderError::Custom("the levels do not end with an element".into()))?;
        }
        let transpose: Vec<usize> = match value.get("transpose").filter(|transpose| !transpose.is_null()) {
            None => (0..rank).collect(),
            Some(transpose) => {
                let axes = transpose.as_array().and_then(|axes| axes.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
                let axes: Vec<u64> = axes.ok_or_else(|| HeaderError::Transpose(transpose.to_string()))?;
                let mut seen = vec![false; rank];
                let fresh = |axis: &u64| seen.get_mut(*axis as usize).is_some_and(|seen| !core::mem::replace(seen, true));
                if axes.len() != rank || !axes.iter().all(fresh) {
                    return Err(HeaderError::Transpose(transpose.to_string()));
                }
                axes.into_iter().map(|axis| axis as usize).collect()
            }
        };
        Custom::new(&levels, &transpose).map_err(|error| match error {
            InteropError::Axes { levels, .. } => HeaderError::Custom(format!("levels of {levels} axes of {rank}")),
            error => HeaderError::Custom(error.to_string()),
        })
    }

    /// The levels as the JSON value that is nested under the key `level`.
    ///
    /// ```
    /// use sparse_formats::{Custom, Format};
    /// let levels = Custom::of(&Format::csr()).unwrap().level_json();
    /// assert_eq!(levels["level"]["level_desc"], "sparse");
    /// ```
    pub fn level_json(&self) -> Value {
        let element = json!({"level_desc": "element"});
        self.levels().iter().rev().fold(element, |below, level| json!({"level_desc": level.name(), "rank": level.rank(), "level": below}))
    }
}
