//! Numbers with their nouns, for messages and texts.

/// Returns the number `n` with the noun `what`, in the plural unless `n` is 1: `1 step`, `2 steps`, `2 copies`, `2 boxes`,
/// `2 axes`.
pub fn many(n: i128, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if n == 1 => format!("1 {what}"),
        Some(stem) => format!("{n} {stem}ies"),
        None if what.ends_with("is") => format!("{n} {}es", what.trim_end_matches("is")),
        None if what.ends_with('x') || what.ends_with("ss") => format!("{n} {what}es"),
        None => format!("{n} {what}s"),
    }
}
