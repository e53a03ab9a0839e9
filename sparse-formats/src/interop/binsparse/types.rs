//! Types of the arrays in files: numbers, complex numbers, and one value for all elements.

use crate::InterchangeError;
use alloc::string::{String, ToString};
use core::fmt::{Display, Formatter};
use core::str::FromStr;

/// A type of numbers.
///
/// ```
/// use sparse_formats::binsparse::{DataType, ScalarType};
/// assert_eq!([ScalarType::Uint(16), ScalarType::Bool].map(|scalar| scalar.to_string()), ["uint16", "bint8"]);
/// assert_eq!("float32".parse::<DataType>()?.scalar, ScalarType::Float(32));
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ScalarType {
    /// `uint8` to `uint64`. The field is the number of bits: 8, 16, 32 or 64.
    Uint(u8),
    /// `int8` to `int64`. The field is the number of bits: 8, 16, 32 or 64.
    Int(u8),
    /// `float32` or `float64`. The field is the number of bits: 32 or 64.
    Float(u8),
    /// `bint8`: 0 or 1 in a byte.
    Bool,
}

/// All types of numbers.
const SCALARS: [ScalarType; 11] = {
    use ScalarType::{Bool, Float, Int, Uint};
    [Uint(8), Uint(16), Uint(32), Uint(64), Int(8), Int(16), Int(32), Int(64), Float(32), Float(64), Bool]
};

impl Display for ScalarType {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match self {
            ScalarType::Uint(bits) => write!(f, "uint{bits}"),
            ScalarType::Int(bits) => write!(f, "int{bits}"),
            ScalarType::Float(bits) => write!(f, "float{bits}"),
            ScalarType::Bool => f.write_str("bint8"),
        }
    }
}

/// The type of an array in a file: the type of its numbers, and how they form values.
///
/// ```
/// use sparse_formats::binsparse::{DataType, ScalarType};
/// let data: DataType = "iso[complex[float64]]".parse()?;
/// assert_eq!((data.scalar, data.complex, data.iso), (ScalarType::Float(64), true, true));
/// assert!("complex[int32]".parse::<DataType>().is_err());
/// # Ok::<(), sparse_formats::InterchangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct DataType {
    /// The type of the numbers.
    pub scalar: ScalarType,
    /// True if a value consists of two numbers, the real and the imaginary part.
    pub complex: bool,
    /// True if one value stands for all elements.
    pub iso: bool,
}

impl FromStr for DataType {
    type Err = InterchangeError;

    fn from_str(text: &str) -> Result<DataType, InterchangeError> {
        let inside = |text: &'_ str, name: &str| text.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']').map(String::from);
        let of_iso = inside(text, "iso");
        let text = of_iso.as_deref().unwrap_or(text);
        let of_complex = inside(text, "complex");
        let known = SCALARS.iter().find(|scalar| scalar.to_string() == of_complex.as_deref().unwrap_or(text));
        let scalar = *known.ok_or_else(|| header_error!("dtype", "`{text}` is not a type"))?;
        if of_complex.is_some() && !matches!(scalar, ScalarType::Float(_)) {
            return Err(header_error!("dtype", "`{text}` is not a type"));
        }
        Ok(DataType { scalar, complex: of_complex.is_some(), iso: of_iso.is_some() })
    }
}

impl Display for DataType {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match (self.iso, self.complex) {
            (false, false) => write!(f, "{}", self.scalar),
            (false, true) => write!(f, "complex[{}]", self.scalar),
            (true, false) => write!(f, "iso[{}]", self.scalar),
            (true, true) => write!(f, "iso[complex[{}]]", self.scalar),
        }
    }
}
