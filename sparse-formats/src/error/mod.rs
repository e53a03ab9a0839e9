//! Errors: values with numbers, each with a class for programs and a message.

mod format;
mod operation;
mod tensor;

pub use format::FormatError;
pub use operation::OperationError;
pub use tensor::{ArrayName, TensorError};

use core::fmt;

/// Declares an error: its variants with their fields, each with its class and its message, which is documented too; and the errors that it passes on.
macro_rules! errors {
    (
        $(#[$meta:meta])*
        $name:ident $(of $($inner:ident($error:ty)),+)? {
            $($(#[$doc:meta])* $variant:ident $({ $($field:ident: $type:ty),* })? => $class:expr, $message:literal $(, $argument:expr)*;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(
                #[doc = concat!("That of a [`", stringify!($error), "`].")]
                $inner($error),
            )+)?
            $(
                $(#[$doc])*
                #[doc = concat!("\n\n`` ", $message, " ``")]
                $variant $({ $(#[doc = concat!("`", stringify!($field), "` of the message.")] $field: $type),* })?,
            )*
        }

        impl $name {
            /// The family and the kind of the error, `family/kind`: the same in every version.
            #[allow(unused_variables, reason = "few classes depend on a field")]
            pub fn class(&self) -> &'static str {
                match self {
                    $($($name::$inner(error) => error.class(),)+)?
                    $($name::$variant $({ $($field),* })? => $class,)*
                }
            }
        }

        impl core::fmt::Display for $name {
            #[allow(unused_variables, reason = "messages that compute what they say of a field")]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $($($name::$inner(error) => error.fmt(f),)+)?
                    $($name::$variant $({ $($field),* })? => write!(f, $message $(, $argument)*),)*
                }
            }
        }

        impl core::error::Error for $name {}

        $($(
            impl From<$error> for $name {
                fn from(error: $error) -> Self {
                    $name::$inner(error)
                }
            }
        )+)?
    };
}
pub(crate) use errors;

/// The text that a function writes: `core::fmt::from_fn`, which older compilers do not have.
fn from_fn(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    struct Written<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Written<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    Written(write)
}
