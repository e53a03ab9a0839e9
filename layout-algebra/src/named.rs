//! Enums whose variants have names.

/// Declares an enum with `ALL` of its variants, the `name` of each, and the variant `from_name`. What a variant carries has a value in `ALL` and from a name.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$of_enum:meta])* pub enum $ty:ident { $($(#[$doc:meta])* $variant:ident $(($of:ty = $value:expr))? = $text:literal,)* }) => {
        $(#[$of_enum])*
        pub enum $ty { $($(#[$doc])* $variant $(($of))?,)* }

        impl $ty {
            /// Every one, in the order of declaration.
            pub const ALL: [$ty; [$($text,)*].len()] = [$($ty::$variant $(($value))?,)*];

            /// The name in texts.
            ///
            #[doc = concat!($("`", $text, "` ",)*)]
            pub const fn name(self) -> &'static str {
                match self { $($ty::$variant { .. } => $text,)* }
            }

            /// The one with that name.
            pub fn from_name(name: &str) -> Option<$ty> {
                match name { $($text => Some($ty::$variant $(($value))?),)* _ => None }
            }
        }
    };
}
