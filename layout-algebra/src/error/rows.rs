//! Errors as rows: a variant with its fields and its message.

use core::fmt;

/// Declares an error: its variants with their fields, each with its message, which is documented too, and, after the name of a function, with the class that
/// the function tells programs; and the errors that it passes on.
#[doc(hidden)]
#[macro_export]
macro_rules! errors {
    (
        $(#[$meta:meta])*
        $name:ident $(of $($inner:ident($error:ty)),+)? {
            $($(#[$doc:meta])* $variant:ident $({ $($(#[$of_field:meta])* $field:ident: $type:ty),* })? =>
                $message:literal $(, $argument:expr)*;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq)]
        pub enum $name {
            $($(
                #[doc = concat!("That of a [`", stringify!($error), "`].")]
                $inner($error),
            )+)?
            $(
                $(#[$doc])*
                #[doc = concat!("\n\n`` ", $message, " ``")]
                $variant $({ $($(#[$of_field])* #[doc = concat!("`", stringify!($field), "` of the message.")] $field: $type),* })?,
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

        $crate::displayed_error! { $name }

        $($(
            impl From<$error> for $name {
                fn from(error: $error) -> Self {
                    $name::$inner(error)
                }
            }
        )+)?
    };
    (
        $(#[$of_class:meta])*
        fn $class_of:ident;
        $(#[$meta:meta])*
        $name:ident $(of $($inner:ident($error:ty)),+)? {
            $($(#[$doc:meta])* $variant:ident $({ $($(#[$of_field:meta])* $field:ident: $type:ty),* })? =>
                $class:expr, $message:literal $(, $argument:expr)*;)*
        }
    ) => {
        $crate::errors! {
            $(#[$meta])*
            $name $(of $($inner($error)),+)? {
                $($(#[$doc])* $variant $({ $($(#[$of_field])* $field: $type),* })? => $message $(, $argument)*;)*
            }
        }

        impl $name {
            $(#[$of_class])*
            #[allow(unused_variables, reason = "few classes depend on a field")]
            pub const fn $class_of(&self) -> &'static str {
                match self {
                    $($($name::$inner(error) => error.$class_of(),)+)?
                    $($name::$variant $({ $($field),* })? => $class,)*
                }
            }
        }
    };
}

/// Makes of a type that displays an error: `unwrap` and a `main` that returns it print the message, so that `Debug` writes that too.
#[doc(hidden)]
#[macro_export]
macro_rules! displayed_error {
    ($name:ty) => {
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl core::error::Error for $name {}
    };
}

/// The text that a function writes: `core::fmt::from_fn`, which older compilers do not have.
#[doc(hidden)]
pub fn from_fn(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    struct Written<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Written<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    Written(write)
}
