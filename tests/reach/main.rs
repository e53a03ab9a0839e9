//! Combines every way to make a layout with every way to reach elements, and compares with a naive list of indices.
//!
//! A layout is a row: its extents, the index of a coordinate as a formula, and the expression that makes a tensor of it. A way is a
//! function of [`ways`], and every row calls it, so a new layout or a new way is one line. Elements know their positions, so the
//! check sees a wrong element and a write beside the layout. A row lists the ways that its layout refuses, with the reason.

mod case;
mod ways;

/// Calls one way on a fresh tensor, and checks the whole buffer afterwards.
macro_rules! one {
    ($case:ident, $data:ident, { $($setup:tt)* }, $tensor:expr, $way:expr) => {{
        let mut buffer = $case.buffer();
        let written = {
            let $data = &mut buffer[..];
            $($setup)*
            ($way)(&$case, $tensor)
        };
        $case.check(&buffer, written);
    }};
}

/// Calls the ways of a list on one row.
macro_rules! each {
    ($case:ident, $data:ident, $setup:tt, $tensor:expr; $($way:ident)*) => {
        $(one!($case, $data, $setup, $tensor, crate::ways::$way);)*
    };
}

/// One row of the table. All ways for any layout come first; ways that need more of the layout type follow by name.
/// `numbers` are the ways that need numbers as elements.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident: $case:expr; |$data:ident| $setup:tt $tensor:expr; $($more:tt)*) => {
        $(#[$doc])*
        #[test]
        fn $name() {
            let case = $case;
            each!(case, $data, $setup, $tensor; indexed prefetched index_mut get_mut iterated walked runs reduced);
            each!(case, $data, $setup, $tensor; ordered_mut for_each_mut for_each_at_mut filled zipped zip_mut assigned assigned_from);
            each!(case, $data, $setup, $tensor; contiguous contiguous_mut raw packed windows windows_mut blocks blocks_mut parallel_blocks);
            each!(case, $data, $setup, $tensor; arrays matrices matrix_views owned_arrays boxed);
            row!(@more case, $data, $setup, $tensor; $($more)*);
        }
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; ) => {};
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; numbers; $($more:tt)*) => {
        each!($case, $data, $setup, $tensor; descriptors recast transferred);
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    // Calls that the types of the layout refuse do not compile, so only the reason is recorded.
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; no $way:ident $reason:literal; $($more:tt)*) => {
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; tiles $tiler:expr, $tile:expr; $($more:tt)*) => {
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::tiles(case, t, $tiler, &$tile));
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::tiles_mut(case, t, $tiler, &$tile));
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::parallel_tiles(case, t, $tiler, &$tile));
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; refused tiles $tiler:expr; $($more:tt)*) => {
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::refused_tiles(case, t, $tiler));
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; vectors $lanes:literal along $mode:literal; $($more:tt)*) => {
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::vectors::<_, _, _, $lanes>(case, t, $mode));
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; slices; $($more:tt)*) => {
        one!($case, $data, $setup, $tensor, crate::ways::slices);
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
    (@more $case:ident, $data:ident, $setup:tt, $tensor:expr; masked $tiler:expr, $tile:expr, $c:expr; $($more:tt)*) => {
        one!($case, $data, $setup, $tensor, |case, t| crate::ways::masked(case, t, $tiler, &$tile, $c));
        row!(@more $case, $data, $setup, $tensor; $($more)*);
    };
}

mod layouts;
mod subtensors;
