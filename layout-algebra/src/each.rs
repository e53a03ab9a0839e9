//! Loops over a range in `const fn`, which have no iterators.

/// `for k in lo..hi { .. }`, as `each!(k, lo..hi, { .. })`: `break`, `continue` and `return` mean what they mean there. The range is computed once.
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
    // Constant evaluation pays for each statement: `$k` is not made anew.
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
