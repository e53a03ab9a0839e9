//! Loops with constant bounds, written out as single steps.

/// Calls `f(args..., k)` for every `k` below `class` rounded up to one of 0, 2, 4, 8, 16, 32 and 64.
macro_rules! unroll {
    ($class:expr, $f:ident $args:tt) => {
        if const { $class > 0 } {
            unroll!(@ $f $args: 0 1);
        }
        if const { $class > 2 } {
            unroll!(@ $f $args: 2 3);
        }
        if const { $class > 4 } {
            unroll!(@ $f $args: 4 5 6 7);
        }
        if const { $class > 8 } {
            unroll!(@ $f $args: 8 9 10 11 12 13 14 15);
        }
        if const { $class > 16 } {
            unroll!(@ $f $args: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        }
        if const { $class > 32 } {
            unroll!(@ $f $args: 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
        }
    };
    (@ $f:ident $args:tt: $($k:literal)*) => { $(unroll!(@@ $f $args $k);)* };
    (@@ $f:ident ($($arg:expr),*) $k:literal) => { $f($($arg,)* $k) };
}
pub(crate) use unroll;
