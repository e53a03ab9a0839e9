//! Loops over a range in `const fn`, where iterators are not available.

/// Runs `for k in lo..hi { .. }` as `each!(k, lo..hi, { .. })`, with `break`, `continue`, `return`. Evaluates the range once.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    ($k:ident, $lo:literal..$hi:expr, $body:block) => {{
        let end = $hi;
        $crate::each!(@ $k, $lo, end, $body)
    }};
    ($k:ident, $range:expr, $body:block) => {{
        let core::ops::Range { start, end } = $range;
        $crate::each!(@ $k, start, end, $body)
    }};
    // Constant evaluation pays for each statement, so `$k` is declared once.
    (@ $k:ident, $lo:expr, $end:ident, $body:block) => {{
        let mut next = $lo;
        let mut $k;
        while next < $end {
            $k = next;
            next += 1;
            $body
        }
    }};
}
