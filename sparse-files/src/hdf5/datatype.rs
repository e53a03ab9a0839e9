//! Translates the types of HDF5 arrays to `Encoding`.

use crate::ElementType;
use crate::error::{FileError, Result};
use crate::value::Encoding;
use hdf5_pure::{CompoundMember, Datatype, DatatypeByteOrder, EnumMember, FloatingPointLayout};
use sparse_formats::binsparse::{DataType, ScalarType};

/// The layout of IEEE 754's binary16 in HDF5.
const BINARY16: FloatingPointLayout = FloatingPointLayout {
    bit_offset: 0,
    bit_precision: 16,
    exponent_location: 10,
    exponent_size: 5,
    mantissa_location: 0,
    mantissa_size: 10,
    exponent_bias: 15,
};

/// The names that writers give to the two parts of complex numbers. The first pair is the one of h5py.
const PARTS: [[&str; 2]; 3] = [["r", "i"], ["re", "im"], ["real", "imag"]];

/// Returns the type of an array, and true if it is big-endian. Fails if the type cannot be read. `name` is the name of the
/// array in errors.
///
/// A compound of two numbers with the names of parts is complex, and an enumeration of `FALSE` and `TRUE` is bool, as
/// h5py writes them. Other enumerations are numbers.
pub(super) fn encoding(of: &Datatype, name: &str) -> Result<(Encoding, bool)> {
    let unknown = || FileError::ArrayHeader {
        array: name.into(),
        what: format!("its type is not supported; the supported types are: {}", Encoding::names()),
    };
    let (encoding, order) = match of {
        Datatype::Enumeration { base_type, members, .. } if base_type.type_size() == 1 && is_bool(members) => {
            return Ok((ElementType::Bool.into(), false));
        }
        Datatype::Enumeration { base_type, .. } => return self::encoding(base_type, name),
        Datatype::Compound { size, members } => complex(*size, members).ok_or_else(unknown)?,
        Datatype::FloatingPoint { size: 2, byte_order, layout } if *layout == BINARY16 => (Encoding::Half, byte_order),
        number => scalar(number).and_then(|(scalar, order)| Some((plain(scalar, false)?, order))).ok_or_else(unknown)?,
    };
    match order {
        DatatypeByteOrder::LittleEndian => Ok((encoding, false)),
        DatatypeByteOrder::BigEndian => Ok((encoding, true)),
        _ => Err(unknown()),
    }
}

fn plain(scalar: ScalarType, complex: bool) -> Option<Encoding> {
    ElementType::of(DataType { scalar, complex, iso: false }).map(Encoding::Plain)
}

/// Returns the type of number whose bits fill an HDF5 type, and the order of the bytes. Returns `None` if some bits are
/// padding, or if the type is no number.
fn scalar(of: &Datatype) -> Option<(ScalarType, &DatatypeByteOrder)> {
    match of {
        Datatype::FixedPoint { size, byte_order, layout }
            if layout.bit_offset == 0 && u64::from(layout.bit_precision) == u64::from(*size) * 8 =>
        {
            let bits = u8::try_from(layout.bit_precision).ok()?;
            Some((if layout.signed { ScalarType::Int(bits) } else { ScalarType::Uint(bits) }, byte_order))
        }
        Datatype::FloatingPoint { size: 4, byte_order, layout } if *layout == FloatingPointLayout::IEEE754_BINARY32 => {
            Some((ScalarType::Float(32), byte_order))
        }
        Datatype::FloatingPoint { size: 8, byte_order, layout } if *layout == FloatingPointLayout::IEEE754_BINARY64 => {
            Some((ScalarType::Float(64), byte_order))
        }
        _ => None,
    }
}

/// Returns the complex type of a compound of two real numbers of one type, one after the other, and the order of their bytes.
/// Returns `None` for any other compound. `size` is the number of bytes of the compound.
fn complex(size: u32, members: &[CompoundMember]) -> Option<(Encoding, &DatatypeByteOrder)> {
    let [re, im] = members else { return None };
    let named = PARTS.iter().any(|[first, second]| re.name == *first && im.name == *second);
    let placed = re.byte_offset == 0 && im.byte_offset * 2 == u64::from(size) && re.datatype.type_size() * 2 == size;
    let (of, order) = scalar(&re.datatype)?;
    (named && placed && scalar(&im.datatype)? == (of, order) && matches!(of, ScalarType::Float(_))).then_some((plain(of, true)?, order))
}

/// Tests whether the members of an enumeration are `FALSE`, which is 0, and `TRUE`, which is 1, both of one byte.
fn is_bool(members: &[EnumMember]) -> bool {
    let has = |name: &str, value: u8| members.iter().any(|member| member.name == name && member.value == [value]);
    members.len() == 2 && has("FALSE", 0) && has("TRUE", 1)
}
