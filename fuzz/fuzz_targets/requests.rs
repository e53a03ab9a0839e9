//! Each request of the table gets an answer of one line, whatever values its keys have.
//! `cargo +nightly fuzz run requests -- -max_total_time=60`
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let table: Vec<_> = crd2idx_cli::requests().collect();
    let (name, keys, _) = &table[usize::from(bytes.next()) % table.len()];
    let mut request = Map::from_iter([("op".to_owned(), json!(name))]);
    for key in keys.iter().filter(|_| bytes.next() % 4 > 0).collect::<Vec<_>>() {
        request.insert((*key).to_owned(), bytes.value(3));
    }
    let text = crd2idx_cli::reply(Value::Object(request).to_string().as_bytes());
    assert!(!text.contains('\n'), "{text}");
    let reply: Value = serde_json::from_str(&text).expect("one line of JSON");
    assert!(reply.get("ok").is_some() != reply.get("error").is_some(), "{reply}");
    assert!(reply.get("kind") != Some(&json!("unknown_op")), "{reply}");
});

/// Makes values from bytes.
struct Bytes<'d>(&'d [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Makes a value from a byte: null, a flag, a text that some key accepts, an extreme number, an object, a
    /// list, or a small number. Lists nest at most `depth` levels.
    fn value(&mut self, depth: u32) -> Value {
        const TEXTS: &[&str] = &["", "x", "4:1", "(4,8):(8,1)", "32:1", "CSR", "hicoo", "regular", "ragged", "u32", "sum", "c", "spmv", "forward"];
        let length = || 0..usize::from(depth > 0) * 3;
        match self.next() % 12 {
            0 => Value::Null,
            1 => json!(self.next() % 2 == 0),
            2 => json!(TEXTS[usize::from(self.next()) % TEXTS.len()]),
            3 => [json!(-1), json!(1.5), json!(u64::MAX), json!(i64::MIN), json!(1_u64 << 40)][usize::from(self.next() % 5)].clone(),
            4 => Value::Object(length().map(|_| (TEXTS[usize::from(self.next()) % TEXTS.len()].to_owned(), self.value(depth - 1))).collect()),
            5..=8 => Value::Array(length().map(|_| self.value(depth - 1)).collect()),
            _ => json!(self.next() & 7),
        }
    }
}
