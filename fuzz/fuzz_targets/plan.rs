//! Plans between any two sides do what enumeration says, or are refused for what it finds. `cargo +nightly fuzz run plan -- -max_total_time=60`
#![no_main]

#[path = "../../relayout/tests/plan/generate.rs"]
mod generate;
#[path = "../../relayout/tests/plan/oracle.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;

/// Choices by bytes, as many as the bound needs; 0 when they have run out.
struct Bytes<'a>(&'a [u8]);

impl generate::Choices for Bytes<'_> {
    fn below(&mut self, n: u64) -> u64 {
        let count = if n <= 1 << 8 { 1 } else { 2 };
        let (word, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        word.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)) % n
    }
}

fuzz_target!(|data: &[u8]| {
    oracle::check(&generate::question(&mut Bytes(data)));
});
