//! Quotients compared with those of the processor.

use super::*;

macro_rules! check {
    ($name:ident, $word:ident, $test:ident) => {
        #[test]
        fn $test() {
            let mut state = 0x9e37_79b9_7f4a_7c15_u64;
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // Numbers of every length in bits.
                (state as $word) >> (state >> 48) as u32 % $word::BITS
            };
            let exact = |by: $name, n: $word| {
                let d = by.divisor();
                assert_eq!(by.div_rem(n), (n / d, n % d), "{n} / {d}");
                assert_eq!((by.quotient(n), by.remainder(n)), by.div_rem(n));
            };
            let corners = |d: $word| {
                let by = $name::new(d.try_into().unwrap());
                let most = $word::MAX / d;
                for n in [0, 1, 2, d - 1, d, d.saturating_add(1), $word::MAX - 1, $word::MAX, $word::MAX / 2, $word::MAX / 2 + 1] {
                    exact(by, n);
                }
                for k in [1, 2, 3, most / 2, most / 2 + 1, most - 1, most] {
                    if k >= 1 && k <= most {
                        exact(by, k * d - 1);
                        exact(by, k * d);
                        exact(by, (k * d).saturating_add(1));
                    }
                }
            };
            (1..=1000).for_each(corners);
            for k in 1..$word::BITS {
                let power = (1 as $word) << k;
                [power - 1, power, power + 1].into_iter().for_each(corners);
            }
            let half = $word::MAX / 2;
            [$word::MAX, $word::MAX - 1, half, half + 1, half + 2, $word::MAX / 3].into_iter().for_each(corners);
            for _ in 0..1_000_000 {
                let (d, n) = (random().max(1), random());
                exact($name::total(d), n);
            }
            for _ in 0..2_000 {
                corners(random().max(1));
            }
            for n in [0, 1, $word::MAX] {
                assert_eq!($name::total(0).div_rem(n), (0, n));
            }
        }
    };
}

check!(FastDiv32, u32, every_boundary_in_32_bits);
check!(FastDiv64, u64, every_boundary_in_64_bits);
check!(FastDiv, usize, every_boundary_of_addresses);
