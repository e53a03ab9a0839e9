//! Parses numbers from text, and prints them.

use num_complex::Complex;
use std::io::Write;

/// A value in a line of text, which can be parsed and printed.
pub(crate) trait Field: Copy + Default + Send + Sync + 'static {
    /// The description of a missing value in error messages. It is empty for lines without a value.
    const WHAT: &'static str;

    /// The smallest number of bytes of a value with its separator.
    const LEAST: usize = 2;

    /// Parses the value at byte `at`, and moves `at` behind the value. Returns `None` if there is no value of this type.
    fn read(text: &[u8], at: &mut usize) -> Option<Self>;

    /// Appends the shortest text that parses to this value.
    fn write(self, out: &mut Vec<u8>);
}

/// Tests whether a byte separates numbers in a line. These are the white-space bytes of C without the newline, which
/// readers of Matrix Market in C skip.
#[inline(always)]
pub(crate) fn blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c')
}

/// Parses the digits at byte `at` as a whole number, and moves `at` behind them. Returns `None` if there is no digit, or if the
/// number does not fit 64 bits.
#[inline(always)]
pub(crate) fn number(text: &[u8], at: &mut usize) -> Option<u64> {
    let start = *at;
    let mut value = 0u64;
    while let Some(digit) = text.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        // Nineteen digits fit 64 bits; `long` parses longer numbers again.
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at += 1;
    }
    match *at - start {
        0 => None,
        1..=19 => Some(value),
        _ => long(&text[start..*at]),
    }
}

#[cold]
fn long(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// Parses the whole number at byte `at`, which may have a sign. Returns `None` if there is none, or if its digits do not fit 64
/// bits.
#[inline(always)]
pub(crate) fn whole(text: &[u8], at: &mut usize) -> Option<i128> {
    let negative = match text.get(*at) {
        Some(b'-') => true,
        Some(b'+') => false,
        _ => return number(text, at).map(i128::from),
    };
    *at += 1;
    number(text, at).map(|number| if negative { -i128::from(number) } else { i128::from(number) })
}

/// Parses the real number at byte `at`, or returns `None` if there is none. Its exponent may follow `e`, `E`, or `d` and `D` as
/// in Fortran.
#[inline(always)]
pub(crate) fn real<F: fast_float2::FastFloat>(text: &[u8], at: &mut usize) -> Option<F> {
    let mut rest = text.get(*at..)?;
    if let [b'+', next, ..] = rest
        && *next != b'-'
        && *next != b'+'
    {
        *at += 1;
        rest = &rest[1..];
    }
    let (value, length) = fast_float2::parse_partial(rest).ok()?;
    if let Some(b'd' | b'D') = rest.get(length) {
        return fortran(rest, length, at);
    }
    *at += length;
    Some(value)
}

#[cold]
fn fortran<F: fast_float2::FastFloat>(rest: &[u8], mantissa: usize, at: &mut usize) -> Option<F> {
    let exponent = rest[mantissa + 1..].iter().take(8).take_while(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9')).count();
    let mut text = rest[..mantissa + 1 + exponent].to_vec();
    text[mantissa] = b'e';
    *at += text.len();
    fast_float2::parse(&text).ok()
}

/// The absence of a value: the line ends after its coordinates.
impl Field for () {
    const WHAT: &'static str = "";
    const LEAST: usize = 0;

    #[inline(always)]
    fn read(_: &[u8], _: &mut usize) -> Option<()> {
        Some(())
    }
    fn write(self, _: &mut Vec<u8>) {}
}

impl Field for bool {
    const WHAT: &'static str = "0 or 1";

    fn read(text: &[u8], at: &mut usize) -> Option<bool> {
        number(text, at).and_then(|number| [false, true].get(usize::try_from(number).ok()?).copied())
    }
    fn write(self, out: &mut Vec<u8>) {
        out.push(if self { b'1' } else { b'0' });
    }
}

macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Field for $type {
            const WHAT: &'static str = concat!("an integer of type ", stringify!($type));

            #[inline(always)]
            fn read(text: &[u8], at: &mut usize) -> Option<$type> {
                whole(text, at).and_then(|number| $type::try_from(number).ok())
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(itoa::Buffer::new().format(self).as_bytes());
            }
        }
    )* };
}
integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

macro_rules! reals {
    ($($type:ident)*) => { $(
        impl Field for $type {
            const WHAT: &'static str = "a number";

            #[inline(always)]
            fn read(text: &[u8], at: &mut usize) -> Option<$type> {
                real(text, at)
            }
            fn write(self, out: &mut Vec<u8>) {
                if self.is_finite() {
                    out.extend_from_slice(zmij::Buffer::new().format_finite(self).as_bytes());
                } else {
                    // Write NaN, inf or -inf. Writing to memory cannot fail.
                    let _ = write!(out, "{self}");
                }
            }
        }

        impl Field for Complex<$type> {
            const WHAT: &'static str = "two numbers";
            const LEAST: usize = 4;

            #[inline(always)]
            fn read(text: &[u8], at: &mut usize) -> Option<Self> {
                let re = real(text, at)?;
                while text.get(*at).is_some_and(|byte| blank(*byte)) {
                    *at += 1;
                }
                Some(Complex::new(re, real(text, at)?))
            }
            fn write(self, out: &mut Vec<u8>) {
                self.re.write(out);
                out.push(b' ');
                self.im.write(out);
            }
        }
    )* };
}
reals! { f32 f64 }

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a value at the start of a text. Also returns the position after it.
    fn read<T: Field>(text: &str) -> Option<(T, usize)> {
        let mut at = 0;
        T::read(text.as_bytes(), &mut at).map(|value| (value, at))
    }

    #[test]
    fn bools_are_0_and_1() {
        assert_eq!((read("0"), read("1 "), read("001")), (Some((false, 1)), Some((true, 1)), Some((true, 3))));
        for text in ["2", "10", "-1", "+1", "true", "", "18446744073709551616", "18446744073709551617"] {
            assert_eq!(read::<bool>(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_those_of_their_type() {
        macro_rules! ends {
            ($($t:ident)*) => { $(
                for value in [$t::MIN, $t::MAX] {
                    assert_eq!(read(&value.to_string()), Some((value, value.to_string().len())));
                }
                let beyond = [i128::from($t::MIN) - 1, i128::from($t::MAX) + 1];
                assert!(beyond.iter().all(|value| read::<$t>(&value.to_string()).is_none()));
            )* };
        }
        ends! { u8 u16 u32 u64 i8 i16 i32 i64 }
    }
}
