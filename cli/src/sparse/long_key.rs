//! Integers of more than 64 bits, as the words of keys: 63 bits each, the highest first.

use serde_json::{Number, Value};

const BITS: u32 = 63;

/// The power of ten by which one step of a conversion divides: each step yields nine decimal digits.
const STEP: u64 = 1_000_000_000;

/// Returns the JSON integer with these words.
pub fn number(words: &[u64]) -> Value {
    let mut words: Vec<u64> = words.iter().copied().skip_while(|word| *word == 0).collect();
    let mut digits: Vec<u64> = Vec::new();
    while !words.is_empty() {
        let mut rest = 0;
        for word in &mut words {
            let all = u128::from(rest) << BITS | u128::from(*word);
            (*word, rest) = ((all / u128::from(STEP)) as u64, (all % u128::from(STEP)) as u64);
        }
        digits.push(rest);
        if words[0] == 0 {
            words.remove(0);
        }
    }
    let mut text = digits.pop().unwrap_or(0).to_string();
    digits.iter().rev().for_each(|part| text.push_str(&format!("{part:09}")));
    serde_json::from_str::<Number>(&text).map_or(Value::Null, Value::Number)
}

/// Returns the `count` words of an integer, or `None` if it is negative, no integer, or needs more words.
pub fn words(value: &Value, count: usize) -> Option<Vec<u64>> {
    let text = value.as_number()?.to_string();
    let mut words = vec![0u64; count];
    for digit in text.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for word in words.iter_mut().rev() {
            let all = u128::from(*word) * 10 + carry;
            (*word, carry) = ((all & ((1 << BITS) - 1)) as u64, all >> BITS);
        }
        if carry != 0 {
            return None;
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for text in [
            "0",
            "1",
            "9223372036854775808",
            "340282366920938463463374607431768211455",
            "4000000000000000000000000000000000000000000000001",
        ] {
            let value: Value = serde_json::from_str(text).expect("a number");
            let words = words(&value, 3).expect("it fits");
            assert_eq!(number(&words).to_string(), text);
        }
        assert_eq!(words(&serde_json::json!(8), 0), None);
        assert_eq!(words(&serde_json::json!(-8), 1), None);
        assert_eq!(words(&serde_json::json!(1.5), 1), None);
    }
}
