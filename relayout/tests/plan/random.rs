//! Random questions.

use super::generate::{Choices, question};
use super::oracle::check;

/// A multiplicative generator, by its state.
struct Random(u64);

impl Choices for Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 11) * u128::from(n)) >> 53) as u64
    }
}

/// As many as `RELAYOUT_QUESTIONS` says, 300 where it says nothing.
#[test]
fn as_enumeration_says() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default);
    let first = number("RELAYOUT_SEED", 1);
    for seed in first..first + number("RELAYOUT_QUESTIONS", 300) {
        check(&question(&mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))));
    }
}
