//! The injectivity test compared with an enumeration.

use super::*;
use crate::dynamic::DynLayout;
use crate::heap::{ToString, Vec, format};

fn answer(text: &str) -> Option<bool> {
    injective(DynLayout::<16>::parse(text).unwrap().value())
}

#[test]
fn known_answers() {
    assert_eq!(answer("(3,3):(2,3)"), Some(true));
    assert_eq!(answer("(3,4):(2,2)"), Some(false));
    assert_eq!(answer("(4,8):(-1,4)"), Some(true));
    assert_eq!(answer("(4,1,8):(1,0,4)"), Some(true));
    assert_eq!(answer("(4,2):(1,0)"), Some(false));
    assert_eq!(answer("(4,0):(1,0)"), Some(true));
    assert_eq!(answer("(1000000007,998244353):(998244353,1000000007)"), Some(true));
    assert_eq!(answer("(1000000008,998244354):(998244353,1000000007)"), Some(false));
}

/// Compares random layouts of small extents and strides with an enumeration.
#[test]
fn enumeration() {
    let mut seed = 7u64;
    let mut next = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for _ in 0..20_000 {
        let rank = 1 + next(4);
        let modes: Vec<(i64, i64)> = (0..rank).map(|_| (1 + next(5) as i64, next(25) as i64 - 12)).collect();
        let list = |f: fn(&(i64, i64)) -> i64| modes.iter().map(|m| f(m).to_string()).collect::<Vec<_>>().join(",");
        let text = format!("({}):({})", list(|m| m.0), list(|m| m.1));
        let size: i64 = modes.iter().map(|m| m.0).product();
        let index = |mut i: i64| -> i64 {
            modes
                .iter()
                .map(|(extent, stride)| {
                    let digit = i % extent;
                    i /= extent;
                    digit * stride
                })
                .sum()
        };
        let mut indices: Vec<i64> = (0..size).map(index).collect();
        indices.sort_unstable();
        let distinct = indices.windows(2).all(|pair| pair[0] < pair[1]);
        assert_eq!(answer(&text), Some(distinct), "{text}");
    }
}
