//! Every pattern of every type, and conversions compared with the definitions.

use crate::random::Random;
use packed_elements::{F4E2M1, F6E2M3, F6E3M2, I2, I4, I6, PackedElement, PackedError, U1, U2, U4, U6};

fn patterns_return<E: PackedElement>() {
    for pattern in 0..1_u32 << E::BITS {
        assert_eq!(u32::from(E::from_bits(pattern as u16).to_bits()), pattern, "{}", core::any::type_name::<E>());
        // Higher bits are ignored.
        assert_eq!(u32::from(E::from_bits((0xFFFF_u32 << E::BITS | pattern) as u16).to_bits()), pattern);
    }
}

#[test]
fn every_pattern_returns() {
    macro_rules! each {
        ($($type:ty)*) => { $(patterns_return::<$type>();)* };
    }
    each!(U1 U2 U4 U6 I2 I4 I6 F4E2M1 F6E2M3 F6E3M2 u8 i8 u16 i16);
    #[cfg(feature = "half")]
    each!(half::f16 half::bf16);
    #[cfg(feature = "float8")]
    each!(float8::F8E4M3 float8::F8E5M2);
}

#[test]
fn integers_are_checked_and_ordered() {
    macro_rules! each {
        ($($type:ident $repr:ident $bits:literal;)*) => { $(
            let span = 1_i32 << $bits;
            let least = if i32::from(<$repr>::MIN) < 0 { -span / 2 } else { 0 };
            assert_eq!((i32::from($type::MIN.get()), i32::from($type::MAX.get())), (least, least + span - 1));
            for value in <$repr>::MIN..=<$repr>::MAX {
                let number = i32::from(value);
                if (least..least + span).contains(&number) {
                    let element = $type::new(value).expect("in range");
                    assert_eq!((element.get(), <$repr>::from(element), element.to_string()), (value, value, value.to_string()));
                    // Two's complement.
                    assert_eq!(i32::from(element.to_bits()), number.rem_euclid(span));
                    assert_eq!($type::from_bits(element.to_bits()), element);
                    assert!($type::MIN <= element && element <= $type::MAX);
                } else {
                    let error = PackedError::Value { value: number, least, greatest: least + span - 1 };
                    assert_eq!($type::try_from(value), Err(error));
                }
            }
        )* };
    }
    each! { U1 u8 1; U2 u8 2; U4 u8 4; U6 u8 6; I2 i8 2; I4 i8 4; I6 i8 6; }
}

/// Returns the numbers of all patterns without the sign, by the formulas of sections 5.3.2 and 5.3.3 of the specification.
fn magnitudes(exponent_bits: i32, mantissa_bits: i32, bias: i32) -> Vec<f64> {
    let mut numbers = Vec::new();
    for exponent in 0..1 << exponent_bits {
        for mantissa in 0..1 << mantissa_bits {
            let fraction = f64::from(mantissa) / 2_f64.powi(mantissa_bits);
            numbers.push(match exponent {
                0 => 2_f64.powi(1 - bias) * fraction,
                _ => 2_f64.powi(exponent - bias) * (1.0 + fraction),
            });
        }
    }
    numbers
}

/// Returns the pattern, without its sign, of the nearest number; the even pattern of two that are as near.
fn nearest(numbers: &[f64], magnitude: f64) -> u16 {
    let greatest = numbers[numbers.len() - 1];
    let distance = |pattern: usize| (numbers[pattern] - magnitude.min(greatest)).abs();
    let better = |best: usize, other: usize| {
        let closer = distance(other) < distance(best);
        if closer || (distance(other) == distance(best) && other.is_multiple_of(2)) { other } else { best }
    };
    (0..numbers.len()).reduce(better).expect("numbers") as u16
}

fn conversions<F: PackedElement + Into<f32>>(numbers: &[f64], of_f32: impl Fn(f32) -> F) {
    let sign = numbers.len() as u16;
    for (pattern, number) in numbers.iter().enumerate() {
        for (bits, number) in [(pattern as u16, *number), (pattern as u16 | sign, -*number)] {
            let float: f32 = F::from_bits(bits).into();
            assert_eq!((f64::from(float), float.is_sign_negative()), (number, bits >= sign), "{bits:b}");
            assert_eq!(of_f32(float).to_bits(), bits);
        }
    }
    let check = |value: f32| {
        let expected = if value.is_nan() {
            sign - 1
        } else {
            nearest(numbers, f64::from(value).abs()) | if value.is_sign_negative() { sign } else { 0 }
        };
        assert_eq!(of_f32(value).to_bits(), expected, "{value:e}");
    };
    // Around each number, and around each middle of two.
    for pair in numbers.windows(2) {
        for exact in [pair[0] as f32, ((pair[0] + pair[1]) / 2.0) as f32] {
            for value in [exact, f32::from_bits(exact.to_bits() + 1), f32::from_bits(exact.to_bits().saturating_sub(1))] {
                check(value);
                check(-value);
            }
        }
    }
    let greatest = numbers[numbers.len() - 1] as f32;
    for value in [greatest, greatest * 1.001, greatest * 1.5, f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::from_bits(1), 0.0]
    {
        check(value);
        check(-value.abs());
    }
    // Patterns of f32 of every kind, and numbers around the range.
    (0..65_536_u32).for_each(|k| check(f32::from_bits(k.wrapping_mul(0x9E37_79B9))));
    let mut random = Random::new(7);
    (0..20_000).for_each(|_| check((random.next() as f32 / (1_u64 << 55) as f32 - 1.0) * greatest * 1.1));
}

#[test]
fn floats_are_those_of_the_specification() {
    let [fp4, fp6, fp6_wide] = [magnitudes(2, 1, 1), magnitudes(2, 3, 1), magnitudes(3, 2, 3)];
    // The greatest and the least numbers that the tables of the specification list.
    assert_eq!((fp4[7], fp4[1], fp6[31], fp6[1], fp6_wide[31], fp6_wide[1]), (6.0, 0.5, 7.5, 0.125, 28.0, 0.0625));
    conversions(&fp4, F4E2M1::from_f32);
    conversions(&fp6, F6E2M3::from_f32);
    conversions(&fp6_wide, F6E3M2::from_f32);
}

#[test]
fn floats_compare_as_numbers() {
    assert_eq!(F4E2M1::from_f32(-0.0), F4E2M1::from_f32(0.0));
    assert_ne!(F4E2M1::from_f32(-0.0).to_bits(), F4E2M1::from_f32(0.0).to_bits());
    assert!(F6E3M2::from_f32(-28.0) < F6E3M2::MIN_POSITIVE && F6E3M2::MIN_POSITIVE < F6E3M2::MAX);
    assert_eq!(format!("{} {:?}", F6E2M3::from_f32(-1.25), F6E2M3::MAX), "-1.25 7.5");
}
