//! Loops over a range in `const fn`, which have no iterators.

/// `for k in lo..hi { .. }`, as `each!(k, lo..hi, { .. })`: `break`, `continue` and `return` mean what they mean there. The range is computed once.
macro_rules! each {
    ($k:ident, $range:expr, $body:block) => {{
        let core::ops::Range { start: mut next, end } = $range;
        while next < end {
            let $k = next;
            next += 1;
            $body
        }
    }};
}
