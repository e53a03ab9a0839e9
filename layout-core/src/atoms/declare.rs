//! Macros that declare instructions, and layouts as types.

/// Returns the text of an element of an operand, or the text of its index.
macro_rules! element_text {
    (at a $first:literal $second:literal) => {
        concat!("m = ", $first, ", k = ", $second)
    };
    (at b $first:literal $second:literal) => {
        concat!("n = ", $first, ", k = ", $second)
    };
    (at c $first:literal $second:literal) => {
        concat!("m = ", $first, ", n = ", $second)
    };
    (index b $m:literal $n:literal $first:literal $second:literal) => {
        concat!($first, " + ", $n, " * ", $second)
    };
    (index $other:ident $m:literal $n:literal $first:literal $second:literal) => {
        concat!($first, " + ", $m, " * ", $second)
    };
}

/// Declares a layout type from the notation of a layout. The example says which element a thread holds as one of its values.
macro_rules! named_layout {
    (
        $ty:ident $layout:literal $what:expr,
        $part:ident $m:literal $n:literal ($thread:literal, $value:literal) => ($first:literal, $second:literal)
    ) => {
        #[doc = concat!("`", $layout, "`: ", $what)]
        ///
        /// ```
        #[doc = concat!("use layout_core::{Layout, atoms::", stringify!($ty), "};")]
        #[doc = concat!("// Value ", $value, " of thread ", $thread, " is the element of ", element_text!(at $part $first $second), ".")]
        #[doc = concat!("let index = ", stringify!($ty), ".crd2idx((", $thread, ", ", $value, "));")]
        #[doc = concat!("assert_eq!(index, ", element_text!(index $part $m $n $first $second), ");")]
        /// ```
        #[derive(Clone, Copy, Default)]
        pub struct $ty;

        impl crate::layouts::NamedLayout for $ty {
            const PATTERN: &'static crate::layouts::Pattern = &crate::layouts::Pattern::notation($layout);
        }
    };
}

/// Declares a layout type with a number from the pieces of its notation: texts, and expressions in parentheses.
macro_rules! counted_layout {
    ($(#[$doc:meta])* $ty:ident<$n:ident> if $known:expr, $why:literal; $($piece:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        pub struct $ty<const $n: usize>;

        impl<const $n: usize> crate::layouts::NamedLayout for $ty<$n> {
            const PATTERN: &'static crate::layouts::Pattern = &{
                assert!($known, $why);
                let mut text = layout_algebra::error::Text::<64>::EMPTY;
                $(counted_layout!(push text $piece);)*
                crate::layouts::Pattern::notation(text.as_str())
            };
        }
    };
    (push $text:ident $piece:literal) => {
        $text.push_str($piece)
    };
    (push $text:ident ($value:expr)) => {
        $text.push_int(($value) as i64)
    };
}

/// Declares a list of instructions: extents, and for each operand in registers its layout. A layout with the name of a type and an example
/// is also a type.
macro_rules! atoms {
    ($list:ident: $($name:literal $instruction:literal, $source:ident, $m:literal $n:literal $k:literal {
        $($part:ident $($ty:ident)? $layout:literal $(($thread:literal, $value:literal) => ($first:literal, $second:literal))?;)*
    })*) => {
        const $list: &[Atom] = &[$(Atom {
            name: $name,
            instruction: $instruction,
            source: $source,
            shape: [$m, $n, $k],
            layouts: {
                let mut layouts = [None; 3];
                $(layouts[operand(stringify!($part))] = Some($layout);)*
                layouts
            },
        }),*];

        $($($(named_layout! {
            $ty $layout concat!("operand ", stringify!($part), " of ", $instruction, "."),
            $part $m $n ($thread, $value) => ($first, $second)
        })?)*)*
    };
}

/// Returns the number of an operand: 0 for `a`, 1 for `b`, 2 for `c`.
pub(super) const fn operand(part: &str) -> usize {
    (part.as_bytes()[0] - b'a') as usize
}
