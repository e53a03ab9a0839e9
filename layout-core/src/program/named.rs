//! Enums whose variants have names.

/// Declares an enum with `ALL` of its variants, the `name` of each, and the variant `from_name`.
macro_rules! named {
    ($(#[$of_enum:meta])* pub enum $ty:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$of_enum])*
        pub enum $ty { $($(#[$doc])* $variant,)* }

        impl $ty {
            /// Every one, in the order of declaration.
            pub const ALL: [$ty; [$($text,)*].len()] = [$($ty::$variant,)*];

            /// The name in texts.
            ///
            #[doc = concat!($("`", $text, "` ",)*)]
            pub const fn name(self) -> &'static str {
                match self { $($ty::$variant => $text,)* }
            }

            /// The one with that name.
            pub fn from_name(name: &str) -> Option<$ty> {
                match name { $($text => Some($ty::$variant),)* _ => None }
            }
        }
    };
}

pub(crate) use named;
