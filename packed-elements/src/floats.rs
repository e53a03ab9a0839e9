//! Floating-point numbers of 4 and 6 bits, as the OCP Microscaling Formats (MX) Specification, version 1.0, defines them: FP6 in
//! section 5.3.2, FP4 in section 5.3.3. Every pattern is a number: there is no infinity and no NaN.

use crate::element::PackedElement;
use core::{cmp, fmt};

/// Returns the number of a pattern: `(-1)^sign 2^(exponent - bias) (1 + mantissa / 2^M)`, or, if the exponent is 0,
/// `(-1)^sign 2^(1 - bias) (mantissa / 2^M)`. Both are exact.
const fn to_f32(bits: u8, exponent_bits: u32, mantissa_bits: u32) -> f32 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let mantissa = bits as u32 & ((1 << mantissa_bits) - 1);
    let exponent = bits as u32 >> mantissa_bits & ((1 << exponent_bits) - 1);
    let (significand, exponent) = if exponent == 0 { (mantissa, 1) } else { (mantissa | 1 << mantissa_bits, exponent) };
    // A power of 2 as its pattern.
    let unit = f32::from_bits((127 + exponent - bias - mantissa_bits) << 23);
    let magnitude = significand as f32 * unit;
    if bits >> (exponent_bits + mantissa_bits) & 1 == 1 { -magnitude } else { magnitude }
}

/// Returns the pattern of the nearest number, with ties to the even pattern. Numbers beyond the range become the greatest in magnitude.
const fn of_f32(value: f32, exponent_bits: u32, mantissa_bits: u32) -> u8 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (sign, greatest) = (1 << (exponent_bits + mantissa_bits), (1 << (exponent_bits + mantissa_bits)) - 1);
    if value.is_nan() {
        return greatest;
    }
    let bits = value.to_bits();
    let sign = if bits >> 31 == 1 { sign } else { 0 };
    // Both exponents have the bias of f32. An f32 below its normal numbers rounds to 0, because `drop` exceeds 24.
    let (exponent, least) = ((bits >> 23 & 0xFF) as i32, 127 + 1 - bias);
    let significand = bits & 0x7F_FFFF | 1 << 23;
    let binade = if exponent > least { exponent } else { least };
    // The number of lowest bits of the significand that are less than the unit of the result.
    let drop = (23 - mantissa_bits as i32 + binade - exponent) as u32;
    if drop > 24 {
        return sign;
    }
    let half = 1 << (drop - 1);
    let units = (significand + (half - 1) + (significand >> drop & 1)) >> drop;
    // The patterns ascend with the numbers, so a carry of the rounding leads to the next binade.
    let pattern = ((binade - least) as u32) << mantissa_bits;
    let pattern = pattern + units;
    sign | if pattern > greatest as u32 { greatest } else { pattern as u8 }
}

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident: $exponent:literal, $mantissa:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        pub struct $name(u8);

        impl $name {
            /// The greatest number.
            pub const MAX: $name = $name((1 << ($exponent + $mantissa)) - 1);
            /// The least number above 0.
            pub const MIN_POSITIVE: $name = $name(1);

            /// Returns the number nearest to `value`. If two are equally near, returns the one with an even pattern.
            ///
            /// Numbers beyond [`MAX`](Self::MAX) in magnitude, and infinities, become `MAX` or `-MAX`. The specification leaves NaN to
            /// the implementation; here it becomes `MAX`, as in `cvt.satfinite` of PTX. The sign of 0 is kept.
            #[inline]
            pub const fn from_f32(value: f32) -> $name {
                $name(of_f32(value, $exponent, $mantissa))
            }

            /// Returns the number, which is exact.
            #[inline]
            pub const fn to_f32(self) -> f32 {
                const NUMBERS: [f32; 1 << (1 + $exponent + $mantissa)] = {
                    let mut numbers = [0.0; 1 << (1 + $exponent + $mantissa)];
                    let mut bits = 0;
                    while bits < numbers.len() {
                        numbers[bits] = to_f32(bits as u8, $exponent, $mantissa);
                        bits += 1;
                    }
                    numbers
                };
                NUMBERS[self.0 as usize]
            }
        }

        impl PackedElement for $name {
            const BITS: u32 = 1 + $exponent + $mantissa;
            #[inline(always)]
            fn from_bits(bits: u16) -> Self {
                $name(bits as u8 & const { (1 << (1 + $exponent + $mantissa)) - 1 })
            }
            #[inline(always)]
            fn to_bits(self) -> u16 {
                self.0.into()
            }
        }

        /// Compares the numbers, so the two zeros are equal.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl From<$name> for f32 {
            #[inline(always)]
            fn from(element: $name) -> f32 {
                element.to_f32()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    )* };
}

floats! {
    /// A floating-point number of 4 bits, FP4 of the MX specification: 1 sign bit, 2 exponent bits, 1 mantissa bit, and bias 1.
    ///
    /// The magnitudes are 0, 0.5, 1, 1.5, 2, 3, 4 and 6 (section 5.3.3).
    ///
    /// ```
    /// use packed_elements::{F4E2M1, PackedElement};
    /// let magnitudes = [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| F4E2M1::from_bits(bits).to_f32());
    /// assert_eq!(magnitudes, [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]);
    /// // 2.5 and 5 are ties; 100 is beyond the range.
    /// assert_eq!([2.5, 2.51, 5.0, -100.0].map(|x| F4E2M1::from_f32(x).to_f32()), [2.0, 3.0, 4.0, -6.0]);
    /// ```
    F4E2M1: 2, 1;
    /// A floating-point number of 6 bits, FP6 of the MX specification: 1 sign bit, 2 exponent bits, 3 mantissa bits, and bias 1.
    ///
    /// The magnitudes go from 0.125 to 7.5 (section 5.3.2).
    ///
    /// ```
    /// use packed_elements::F6E2M3;
    /// assert_eq!((F6E2M3::MIN_POSITIVE.to_f32(), F6E2M3::MAX.to_f32()), (0.125, 7.5));
    /// assert_eq!(F6E2M3::from_f32(3.1).to_f32(), 3.0);
    /// ```
    F6E2M3: 2, 3;
    /// A floating-point number of 6 bits, FP6 of the MX specification: 1 sign bit, 3 exponent bits, 2 mantissa bits, and bias 3.
    ///
    /// The magnitudes go from 0.0625 to 28 (section 5.3.2).
    ///
    /// ```
    /// use packed_elements::F6E3M2;
    /// assert_eq!((F6E3M2::MIN_POSITIVE.to_f32(), F6E3M2::MAX.to_f32()), (0.0625, 28.0));
    /// assert_eq!(F6E3M2::from_f32(9.1).to_f32(), 10.0);
    /// ```
    F6E3M2: 3, 2;
}
