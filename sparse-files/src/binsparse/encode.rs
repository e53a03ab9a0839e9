//! Encodes tensors as descriptors and arrays.

use super::decode::json;
use crate::ElementType;
use crate::error::Result;
use crate::value::{AnyArray, AnyTensor, AnyValues, Dedupe};
use sparse_formats::binsparse::{DataType, Header};
use sparse_formats::{Custom, CustomArrays, SparseError};
use std::collections::BTreeMap;

/// The version of Binsparse that is written by default.
///
/// ```
/// use sparse_files::{WriteOptions, binsparse};
/// assert_eq!(WriteOptions::default().version, binsparse::VERSION);
/// ```
pub const VERSION: &str = "0.1.0";

/// A tensor as a container stores it: a descriptor and arrays.
///
/// ```
/// use sparse_files::{binsparse, matrix_market};
/// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n")?;
/// let encoded = binsparse::encode(&a, binsparse::VERSION)?;
/// let names: Vec<&str> = encoded.arrays.iter().map(|(name, _)| &name[..]).collect();
/// assert_eq!(names, ["indices_0", "indices_1", "values", "fill_value"]);
/// // A pattern becomes one `true` for all elements, stored as a byte.
/// assert_eq!(encoded.descriptor["binsparse"]["data_types"]["values"], "iso[bint8]");
/// assert_eq!(encoded.arrays[2].1.values::<u8>().as_deref(), Some(&[1][..]));
/// # Ok::<(), sparse_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded<'a> {
    /// The descriptor: a JSON object with the key `binsparse`, and with attributes beside it.
    pub descriptor: serde_json::Value,
    /// The arrays with their names. All contain numbers: complex values are pairs of numbers, and bools are bytes.
    pub arrays: Vec<(String, AnyArray<'a>)>,
}

impl AnyTensor<'_> {
    /// Returns the tensor in the nearest format that promises sorted and distinct entries, or `None` if its own format already
    /// promises this and can be a Binsparse format.
    ///
    /// Fails if two elements have the same coordinate.
    ///
    /// ```
    /// use sparse_files::tns;
    /// let a = tns::read(b"1 1 0.5\n2 2 4\n1 2 3\n", None)?;
    /// assert_eq!(a.format().to_string(), "S-S-R+multigraph+unsorted(0)");
    /// let sorted = a.canonical()?.expect("another format");
    /// assert_eq!((sorted.format().to_string(), sorted.canonical()?), ("S-S-R".into(), None));
    /// assert!(tns::read(b"1 1 0.5\n1 1 4\n", None)?.canonical().is_err());
    /// # Ok::<(), sparse_files::FileError>(())
    /// ```
    pub fn canonical(&self) -> Result<Option<AnyTensor<'static>>> {
        let format = self.format();
        if Custom::of(format).is_ok() {
            return Ok(None);
        }
        let plain = format.clone().with_unsorted(&vec![false; format.levels()]).and_then(|format| format.with_balanced(None));
        let plain = plain.and_then(|format| format.with_multigraph(false)).map_err(SparseError::from)?;
        self.convert(&plain, Dedupe::Refuse).map(Some)
    }
}

/// Encodes a tensor as a descriptor of this version and arrays. Attributes become keys beside the descriptor.
///
/// Fails if two elements have the same coordinate.
///
/// ```
/// use sparse_files::{binsparse, matrix_market};
/// let a = matrix_market::read(b"%%MatrixMarket matrix coordinate complex general\n3 2 1\n3 1 0.5 -1\n")?;
/// let encoded = binsparse::encode(&a, binsparse::VERSION)?;
/// assert_eq!(encoded.descriptor["binsparse"]["format"], "COOR");
/// assert_eq!(encoded.descriptor["binsparse"]["data_types"]["values"], "complex[float64]");
/// let mut arrays = encoded.arrays.into_iter().collect::<std::collections::HashMap<_, _>>();
/// let b = binsparse::decode(&encoded.descriptor.to_string(), &mut |name| Ok(arrays.remove(name)))?;
/// assert_eq!(a, b);
/// # Ok::<(), sparse_files::FileError>(())
/// ```
pub fn encode<'a>(tensor: &'a AnyTensor<'_>, version: &str) -> Result<Encoded<'a>> {
    if let Some(plain) = tensor.canonical()? {
        let Encoded { descriptor, arrays } = encode(&plain, version)?;
        return Ok(Encoded { descriptor, arrays: arrays.into_iter().map(|(name, array)| (name, array.into_owned())).collect() });
    }
    let custom = Custom::of(tensor.format())?;
    let mut arrays: Vec<(String, AnyArray<'a>)> = Vec::new();
    let CustomArrays { pointers_to, indices } = tensor.pattern().custom_arrays()?;
    for (axis, (pointers, indices)) in pointers_to.into_iter().zip(indices).enumerate() {
        arrays.extend(pointers.map(|pointers| (format!("pointers_to_{axis}"), AnyArray::from(pointers))));
        arrays.extend(indices.map(|indices| (format!("indices_{axis}"), AnyArray::from(indices))));
    }
    let mut data_types: BTreeMap<String, DataType> =
        arrays.iter().map(|(name, array)| (name.clone(), array.element().data_type())).collect();
    let iso = |array: AnyArray<'a>| (array.element().data_type(), true, array);
    let (of, iso, values) = match tensor.values() {
        AnyValues::Each(array) => (array.element().data_type(), false, array),
        AnyValues::Iso(array) => iso(array),
        AnyValues::PatternOnly => iso(AnyArray::from_values(vec![true])),
    };
    data_types.insert("values".into(), DataType { iso, ..of });
    arrays.push(("values".into(), values));
    // Write the fill value always: readers that find none assume one of another type.
    data_types.insert("fill_value".into(), tensor.element().data_type());
    arrays.push(("fill_value".into(), tensor.fill()));
    let attributes = tensor.attributes();
    let other = attributes.user.iter().filter(|(key, _)| *key != "binsparse").map(|(key, value)| (key.clone(), json(value))).collect();
    let header = Header {
        unsorted: vec![false; custom.levels().len()],
        custom,
        shape: tensor.shape().to_vec(),
        stored: tensor.values_len() as u64,
        data_types,
        fill: true,
        structure: attributes.symmetry.zip(attributes.triangle),
        index_base: 0,
        other,
    };
    let arrays = arrays.into_iter().map(|(name, array)| Ok((name, plain(array)?))).collect::<Result<_>>()?;
    Ok(Encoded { descriptor: header.to_json(version), arrays })
}

/// Returns the array as containers store it: complex values as pairs of numbers, bools as bytes. Other arrays stay as they are,
/// and no array fails.
fn plain(array: AnyArray<'_>) -> Result<AnyArray<'_>> {
    let numbers = match array.element() {
        ElementType::Bool => ElementType::U8,
        ElementType::C64 => ElementType::F32,
        ElementType::C128 => ElementType::F64,
        _ => return Ok(array),
    };
    array.reinterpreted("values", numbers)
}
