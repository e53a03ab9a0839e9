//! Casts between types of floating-point numbers, and sums of partial results.

use float8::{F8E4M3, F8E5M2};
use half::{bf16, f16};
use safetensors::Dtype;

/// The types that casts read and write, with their names.
const FLOATS: [(&str, Dtype); 6] = [
    ("f64", Dtype::F64),
    ("f32", Dtype::F32),
    ("f16", Dtype::F16),
    ("bf16", Dtype::BF16),
    ("f8_e4m3", Dtype::F8_E4M3),
    ("f8_e5m2", Dtype::F8_E5M2),
];

/// Returns the type of this name: `f64`, `f32`, `f16`, `bf16`, `f8_e4m3` or `f8_e5m2`. Returns `None` for other names.
///
/// ```
/// use checkpoints::{Dtype, dtype_named};
/// assert_eq!(dtype_named("bf16"), Some(Dtype::BF16));
/// assert_eq!(dtype_named("int4"), None);
/// ```
pub fn dtype_named(name: &str) -> Option<Dtype> {
    FLOATS.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype)
}

/// Tests whether casts apply to a type.
pub(crate) fn is_float(dtype: Dtype) -> bool {
    FLOATS.iter().any(|(_, float)| *float == dtype)
}

/// Returns the type of the elements of a tensor after a cast. Tensors of integers keep their type.
pub(crate) fn after(dtype: Dtype, cast: Option<Dtype>) -> Dtype {
    cast.filter(|_| is_float(dtype)).unwrap_or(dtype)
}

/// An element with its bytes in little-endian order. Every type is exact as `f32` or is `f64`.
trait Float: Copy {
    const BYTES: usize;
    type Wide: Copy;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
    fn wide(self) -> Self::Wide;
    fn of_f32(value: f32) -> Self;
}

macro_rules! float {
    ($type:ty, $bytes:literal, $wide:ty, $to_wide:expr, $of_f32:expr) => {
        impl Float for $type {
            const BYTES: usize = $bytes;
            type Wide = $wide;
            fn read(bytes: &[u8]) -> Self {
                let mut array = [0; $bytes];
                array.copy_from_slice(bytes);
                Self::from_le_bytes(array)
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
            fn wide(self) -> $wide {
                $to_wide(self)
            }
            fn of_f32(value: f32) -> Self {
                $of_f32(value)
            }
        }
    };
}

float!(f64, 8, f64, |x| x, f64::from);
float!(f32, 4, f32, |x| x, |x| x);
float!(f16, 2, f32, f16::to_f32, f16::from_f32);
float!(bf16, 2, f32, bf16::to_f32, bf16::from_f32);

macro_rules! float8 {
    ($type:ty) => {
        impl Float for $type {
            const BYTES: usize = 1;
            type Wide = f32;
            fn read(bytes: &[u8]) -> Self {
                Self::from_bits(bytes[0])
            }
            fn write(self, bytes: &mut [u8]) {
                bytes[0] = self.to_bits();
            }
            fn wide(self) -> f32 {
                self.to_f32()
            }
            fn of_f32(value: f32) -> Self {
                Self::from_f32(value)
            }
        }
    };
}
float8!(F8E4M3);
float8!(F8E5M2);

fn each<A: Float, B: Float>(from: &[u8], to: &mut [u8], narrow: impl Fn(A::Wide) -> B) {
    for (from, to) in from.chunks_exact(A::BYTES).zip(to.chunks_exact_mut(B::BYTES)) {
        narrow(A::read(from).wide()).write(to);
    }
}

fn from_f32<A: Float<Wide = f32>>(from: &[u8], to: &mut [u8], dtype: Dtype) {
    match dtype {
        Dtype::F64 => each::<A, f64>(from, to, f64::of_f32),
        Dtype::F32 => each::<A, f32>(from, to, f32::of_f32),
        Dtype::F16 => each::<A, f16>(from, to, f16::of_f32),
        Dtype::BF16 => each::<A, bf16>(from, to, bf16::of_f32),
        Dtype::F8_E4M3 => each::<A, F8E4M3>(from, to, F8E4M3::of_f32),
        _ => each::<A, F8E5M2>(from, to, F8E5M2::of_f32),
    }
}

/// Returns a number in single precision, rounded to odd: towards 0, with the last bit set if the number is not exact. Rounding the
/// result to a type with fewer bits then gives the nearest number of that type. `half` ignores the lower half of a double.
fn odd(value: f64) -> f32 {
    let near = value as f32;
    let exact = f64::from(near);
    if exact == value || value.is_nan() {
        return near;
    }
    f32::from_bits((near.to_bits() - u32::from(exact.abs() > value.abs())) | 1)
}

/// Casts elements from one type of numbers to another, rounded to the nearest. Both types are floating-point types. Types of 8 bits
/// have their largest number in place of larger ones and of infinity.
pub(crate) fn cast(from: &[u8], dtype: Dtype, to: &mut [u8], target: Dtype) {
    match (dtype, target) {
        (Dtype::F64, Dtype::F64) => to.copy_from_slice(from),
        (Dtype::F64, Dtype::F32) => each::<f64, f32>(from, to, |value| value as f32),
        (Dtype::F64, Dtype::F16) => each::<f64, f16>(from, to, |value| f16::from_f32(odd(value))),
        (Dtype::F64, Dtype::BF16) => each::<f64, bf16>(from, to, |value| bf16::from_f32(odd(value))),
        (Dtype::F64, Dtype::F8_E4M3) => each::<f64, F8E4M3>(from, to, |value| F8E4M3::from_f32(odd(value))),
        (Dtype::F64, _) => each::<f64, F8E5M2>(from, to, |value| F8E5M2::from_f32(odd(value))),
        (Dtype::F32, _) => from_f32::<f32>(from, to, target),
        (Dtype::F16, _) => from_f32::<f16>(from, to, target),
        (Dtype::BF16, _) => from_f32::<bf16>(from, to, target),
        (Dtype::F8_E4M3, _) => from_f32::<F8E4M3>(from, to, target),
        _ => from_f32::<F8E5M2>(from, to, target),
    }
}

/// Returns the type in which partial results of a type are summed.
pub(crate) fn sum_type(dtype: Dtype) -> Dtype {
    if dtype == Dtype::F64 { Dtype::F64 } else { Dtype::F32 }
}

/// Adds elements of a type to sums of its [`sum_type`].
pub(crate) fn add(sums: &mut [u8], from: &[u8], dtype: Dtype) {
    if dtype == Dtype::F64 {
        let pairs = sums.chunks_exact_mut(8).zip(from.chunks_exact(8));
        return pairs.for_each(|(sum, next)| (f64::read(sum) + f64::read(next)).write(sum));
    }
    let mut wide = vec![0; sums.len()];
    cast(from, dtype, &mut wide, Dtype::F32);
    let pairs = sums.chunks_exact_mut(4).zip(wide.chunks_exact(4));
    pairs.for_each(|(sum, next)| (f32::read(sum) + f32::read(next)).write(sum));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_agree_with_half() {
        let values: Vec<f32> = (0..70_000_u32).map(|k| f32::from_bits(k.wrapping_mul(0x9E37_79B9))).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut out = vec![0; values.len() * 2];
        cast(&bytes, Dtype::F32, &mut out, Dtype::BF16);
        let expected: Vec<u8> = values.iter().flat_map(|value| bf16::from_f32(*value).to_le_bytes()).collect();
        assert_eq!(out, expected);
        cast(&bytes, Dtype::F32, &mut out, Dtype::F16);
        let expected: Vec<u8> = values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()).collect();
        assert_eq!(out, expected);
    }

    #[test]
    fn narrow_types_return_from_wide_ones() {
        let every: Vec<u8> = (0..=u8::MAX).collect();
        for (name, dtype) in &FLOATS[4..] {
            for (_, wide) in &FLOATS[..3] {
                let (mut up, mut down) = (vec![0; 256 * wide.bitsize() / 8], vec![0; 256]);
                cast(&every, *dtype, &mut up, *wide);
                cast(&up, *wide, &mut down, *dtype);
                // NaN may come back with other bits, and infinity is the largest number.
                let infinity = if *dtype == Dtype::F8_E4M3 { 0x7F } else { 0x7C };
                let expected = |byte: u8| if byte & 0x7F == 0x7C && infinity == 0x7C { byte - 1 } else { byte };
                let nan = |byte: u8| byte & 0x7F > infinity || byte & 0x7F == 0x7F;
                assert!(every.iter().zip(&down).all(|(a, b)| expected(*a) == *b || nan(*a) && nan(*b)), "{name} {wide}: {down:?}");
            }
        }
    }

    /// A value halfway between two bfloat16 in double precision must not be rounded twice.
    #[test]
    fn double_precision_is_rounded_once() {
        let half = f64::from(bf16::EPSILON) / 2.0;
        let next = 1.0 + f64::from(bf16::EPSILON);
        for (value, expected) in [
            (1.0 + half + 1e-12, next),
            (1.0 + half, 1.0),
            (1.0 + half - 1e-12, 1.0),
            (-1.0 - half - 1e-12, -next),
            (1e300, f64::INFINITY),
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (1e-300, 0.0),
            (0.0, 0.0),
        ] {
            let mut out = [0; 2];
            cast(&value.to_le_bytes(), Dtype::F64, &mut out, Dtype::BF16);
            assert_eq!(bf16::from_le_bytes(out).to_f64(), expected, "{value}");
        }
        assert!(odd(f64::NAN).is_nan());
    }
}
