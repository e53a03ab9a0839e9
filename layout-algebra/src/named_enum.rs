//! Enums whose variants have names.

/// Declares an enum with `ALL` of its variants, and a `name` and `from_name` for each; a payload gets the listed value.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    ($(#[$of_enum:meta])* pub enum $ty:ident { $($(#[$doc:meta])* $variant:ident $(($of:ty = $value:expr))? = $text:literal,)* }) => {
        $(#[$of_enum])*
        pub enum $ty { $($(#[$doc])* $variant $(($of))?,)* }

        impl $ty {
            /// All variants, in the order of declaration.
            pub const ALL: [$ty; [$($text,)*].len()] = [$($ty::$variant $(($value))?,)*];

            /// Returns the name of the variant.
            ///
            #[doc = concat!($("`", $text, "` ",)*)]
            pub const fn name(self) -> &'static str {
                match self { $($ty::$variant { .. } => $text,)* }
            }

            /// Returns the variant with that name, or `None`.
            pub fn from_name(name: &str) -> Option<$ty> {
                match name { $($text => Some($ty::$variant $(($value))?),)* _ => None }
            }
        }
    };
}
