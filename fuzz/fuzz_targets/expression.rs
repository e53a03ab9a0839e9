//! Any text gives an answer or an error. A printed answer parses to the same text.
//! `cargo +nightly fuzz run expression -- -max_total_time=60`
#![no_main]

use layout_core::algebra::expression::evaluate;
use layout_core::algebra::value::ExprGraph;
use layout_core::error::Op;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(value) = evaluate::<32, 32>(text, &mut ExprGraph::new(Op::Parse)) {
        let printed = value.to_string();
        let again = evaluate::<32, 32>(&printed, &mut ExprGraph::new(Op::Parse)).expect("what is printed parses");
        assert_eq!(printed, again.to_string());
    }
});
