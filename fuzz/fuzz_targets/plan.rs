//! Plans between any two sides copy what enumeration copies, or are refused for a reason that enumeration finds
//! too. `cargo +nightly fuzz run plan -- -max_total_time=60`
#![no_main]

#[path = "../../relayout/tests/plan/generate.rs"]
mod generate;
#[path = "../../relayout/tests/plan/oracle.rs"]
mod oracle;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    oracle::check(&generate::question(&mut generate::Bytes::new(data)));
});
