//! Macros that declare an error type from rows: a variant with its fields, class and message.

use core::fmt;

/// Declares an error enum: variants with fields, a class, and a message that also documents them. After `of` come wrapped errors.
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    (
        $(#[$meta:meta])*
        $name:ident $(of $($inner:ident($error:ty)),+)? {
            $($(#[$doc:meta])* $variant:ident $({ $($(#[$of_field:meta])* $field:ident: $type:ty),* })? =>
                $class:expr, $message:literal $(, $argument:expr)*;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq)]
        pub enum $name {
            $($(
                #[doc = concat!("Wraps a [`", stringify!($error), "`].")]
                $inner($error),
            )+)?
            $(
                $(#[$doc])*
                #[doc = concat!("\n\n`` ", $message, " ``")]
                $variant $({ $($(#[$of_field])* #[doc = concat!("The value of `", stringify!($field), "` in the message.")] $field: $type),* })?,
            )*
        }

        impl core::fmt::Display for $name {
            #[allow(unused_variables, reason = "messages that compute what they say of a field")]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($($name::$inner(error) => core::fmt::Display::fmt(error, f),)+)?
                    $($name::$variant $({ $($field),* })? => write!(f, $message $(, $argument)*),)*
                }
            }
        }

        $crate::displayed_error! { $name, |error| match error {
            $($($name::$inner(error) => error.class(),)+)?
            $($name::$variant $({ $($field),* })? => $class,)*
        } }

        $($(
            impl From<$error> for $name {
                fn from(error: $error) -> Self {
                    $name::$inner(error)
                }
            }
        )+)?
    };
}

/// Implements `Error`, `Debug` and `class` for a type with `Display`. `unwrap` prints `Debug`, so `Debug` writes the message too.
#[doc(hidden)]
#[macro_export]
macro_rules! displayed_error {
    ($name:ty, |$error:ident| $class:expr) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl core::error::Error for $name {}

        impl $name {
            /// Returns the class of the error, `family/detail`, for programs. It is the same in every version.
            #[allow(unused_variables, reason = "few classes depend on the numbers")]
            pub const fn class(&self) -> &'static str {
                let $error = self;
                $class
            }
        }
    };
}

/// Returns the text that a function writes. It replaces `core::fmt::from_fn`, which older compilers lack.
#[doc(hidden)]
pub fn from_fn(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    struct FromFn<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for FromFn<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    FromFn(write)
}
