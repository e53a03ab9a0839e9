//! The types in which files store values: every `ElementType`, and types that are read as another one.

use super::AnyArray;
use crate::ElementType;
use crate::error::Result;
use std::borrow::Cow;
use std::fmt;

/// The type in which a file stores values: a type of tensors, or a type that is read as another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// The values are stored as in memory, except for the order of bytes.
    Plain(ElementType),
    /// Numbers of half precision (IEEE 754 binary16), which are read as [`ElementType::F32`]. This conversion is
    /// exact.
    Half,
}

/// The name of half precision in NumPy and Zarr.
const HALF: &str = "float16";

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Encoding::Plain(element) => element.fmt(f),
            Encoding::Half => f.write_str(HALF),
        }
    }
}

impl From<ElementType> for Encoding {
    fn from(element: ElementType) -> Encoding {
        Encoding::Plain(element)
    }
}

impl Encoding {
    /// Returns `Half` for `float16`, and the type of any other name as [`ElementType::from_name`] does, or `None`.
    #[cfg(feature = "zarr")]
    pub fn from_name(name: &str) -> Option<Encoding> {
        if name == HALF { Some(Encoding::Half) } else { ElementType::from_name(name).map(Encoding::Plain) }
    }

    /// Returns the names of all types, for error messages.
    #[cfg(any(feature = "hdf5", feature = "zarr", feature = "arrow", feature = "parquet"))]
    pub fn names() -> String {
        ElementType::ALL.iter().map(ToString::to_string).chain([HALF.into()]).collect::<Vec<_>>().join(", ")
    }

    /// Returns the type of the values after reading.
    #[cfg(any(feature = "hdf5", feature = "zarr", feature = "parquet"))]
    pub const fn element(self) -> ElementType {
        match self {
            Encoding::Plain(element) => element,
            Encoding::Half => ElementType::F32,
        }
    }

    /// Returns the number of bytes of a stored value.
    pub const fn size(self) -> usize {
        match self {
            Encoding::Plain(element) => element.size(),
            Encoding::Half => 2,
        }
    }

    /// Returns the array of the values in these bytes. Borrows the bytes if memory has the same representation. `name` is the
    /// name of the array in errors.
    ///
    /// Fails if bytes are left over, or if a bool is neither 0 nor 1.
    pub fn array<'a>(self, name: &str, bytes: Cow<'a, [u8]>, big_endian: bool) -> Result<AnyArray<'a>> {
        match self {
            Encoding::Plain(element) => AnyArray::from_bytes(name, element, bytes, big_endian),
            Encoding::Half => {
                let words = AnyArray::from_bytes(name, ElementType::U16, bytes, big_endian)?;
                let words = words.values::<u16>().unwrap_or_default();
                Ok(AnyArray::from_values(words.iter().copied().map(of_half).collect()))
            }
        }
    }
}

/// Widens a number of half precision, given by its bits. This is exact; a NaN keeps its sign and its bits.
pub(crate) fn of_half(bits: u16) -> f32 {
    // Exponent and significand move to their places in single precision, whose exponents begin 112 lower.
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let (sign, rest) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7fff) << 13);
    let magnitude = match bits & 0x7c00 {
        0x7c00 => 0x7f80_0000 | rest,
        _ => (f32::from_bits(rest) * SCALE).to_bits(),
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_half_precision_is_widened_exactly() {
        for bits in 0..=u16::MAX {
            let (sign, exponent, significand) = (bits >> 15, i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let magnitude = match exponent {
                31 if significand == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                0 => significand * f64::exp2(-24.0),
                _ => (1024.0 + significand) * f64::exp2(f64::from(exponent - 25)),
            };
            let found = of_half(bits);
            assert_eq!(found.is_sign_negative(), sign == 1, "{bits:#06x}");
            if magnitude.is_nan() {
                assert_eq!((found.is_nan(), found.to_bits() >> 13 & 1023), (true, u32::from(bits & 1023)), "{bits:#06x}");
            } else {
                assert_eq!(f64::from(found.abs()), magnitude, "{bits:#06x}");
            }
        }
    }

    #[test]
    fn halves_are_read_in_either_order_of_bytes() {
        let read = |bytes: &[u8], big| Encoding::Half.array("a", bytes.to_vec().into(), big);
        for (bytes, big) in [([0x00, 0x38, 0x01, 0x80], false), ([0x38, 0x00, 0x80, 0x01], true)] {
            let array = read(&bytes, big).expect("halves");
            assert_eq!(array.values::<f32>().as_deref(), Some(&[0.5, -f32::exp2(-24.0)][..]));
        }
        assert_eq!(read(&[0; 3], false).expect_err("a byte is left over").class(), "array/length");
    }
}
