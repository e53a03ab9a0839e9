//! Types of arrays in files.

use crate::interop::InterchangeError;
use core::fmt::{Display, Formatter};
use core::str::FromStr;

/// A type of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Scalar {
    /// `uint8` to `uint64`, by its bits.
    Uint(u8),
    /// `int8` to `int64`, by its bits.
    Int(u8),
    /// `float32` or `float64`, by its bits.
    Float(u8),
    /// `bint8`: 0 or 1 in a byte.
    Bool,
}

/// The type of an array.
///
/// ```
/// use sparse_formats::binsparse::{DataType, Scalar};
/// let data: DataType = "iso[complex[float64]]".parse()?;
/// assert_eq!((data.scalar, data.complex, data.iso), (Scalar::Float(64), true, true));
/// assert!("complex[int32]".parse::<DataType>().is_err());
/// # Ok::<(), sparse_formats::binsparse::InterchangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct DataType {
    /// The type of its numbers.
    pub scalar: Scalar,
    /// Whether two of them, real and imaginary part, are one value.
    pub complex: bool,
    /// Whether one value stands for all.
    pub iso: bool,
}

impl FromStr for DataType {
    type Err = InterchangeError;

    fn from_str(text: &str) -> Result<DataType, InterchangeError> {
        let inside =
            |text: &'_ str, name: &str| text.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']').map(alloc::string::String::from);
        let of_iso = inside(text, "iso");
        let text = of_iso.as_deref().unwrap_or(text);
        let of_complex = inside(text, "complex");
        let scalar = match of_complex.as_deref().unwrap_or(text) {
            "uint8" => Scalar::Uint(8),
            "uint16" => Scalar::Uint(16),
            "uint32" => Scalar::Uint(32),
            "uint64" => Scalar::Uint(64),
            "int8" => Scalar::Int(8),
            "int16" => Scalar::Int(16),
            "int32" => Scalar::Int(32),
            "int64" => Scalar::Int(64),
            "float32" => Scalar::Float(32),
            "float64" => Scalar::Float(64),
            "bint8" => Scalar::Bool,
            _ => return Err(header_error!("dtype", "`{text}` is not a type")),
        };
        if of_complex.is_some() && !matches!(scalar, Scalar::Float(_)) {
            return Err(header_error!("dtype", "`{text}` is not a type"));
        }
        Ok(DataType { scalar, complex: of_complex.is_some(), iso: of_iso.is_some() })
    }
}

impl Display for DataType {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(if self.iso { "iso[" } else { "" })?;
        f.write_str(if self.complex { "complex[" } else { "" })?;
        match self.scalar {
            Scalar::Uint(bits) => write!(f, "uint{bits}")?,
            Scalar::Int(bits) => write!(f, "int{bits}")?,
            Scalar::Float(bits) => write!(f, "float{bits}")?,
            Scalar::Bool => f.write_str("bint8")?,
        }
        f.write_str(if self.complex { "]" } else { "" })?;
        f.write_str(if self.iso { "]" } else { "" })
    }
}
