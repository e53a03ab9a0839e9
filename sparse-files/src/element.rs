//! The types of values in files, and their names. One table declares them; a new type also implements `Element` in
//! `value/element.rs`.

use sparse_formats::binsparse::{DataType, ScalarType};
use std::fmt::Display;

/// Evaluates `$body` with `$T` as the name of the Rust type that belongs to the [`ElementType`] `$element`.
///
/// ```
/// use sparse_files::{AnyArray, with_element};
/// let array = AnyArray::from_values(vec![3u16, 7, 5]);
/// // `$body` is compiled once for each type, so it may do what all of them can.
/// let shown = with_element!(array.element(), T => format!("{:?}", array.values::<T>().unwrap_or_default()));
/// assert_eq!(shown, "[3, 7, 5]");
/// ```
#[macro_export]
macro_rules! with_element {
    ($element:expr, $T:ident => $body:expr) => {
        $crate::with_element!(@ $element, $T => $body, U8 U16 U32 U64 I8 I16 I32 I64 F32 F64 Bool C64 C128)
    };
    (@ $element:expr, $T:ident => $body:expr, $($variant:ident)*) => {
        match $element {
            $($crate::ElementType::$variant => {
                type $T = $crate::types::$variant;
                $body
            })*
        }
    };
}

/// Declares the types of values. Each row has the variant, the Rust type, the word that holds a value, the scalar
/// type, and whether a value is complex.
macro_rules! elements {
    ($($(#[$doc:meta])* $variant:ident $type:ty, $word:ty, $scalar:expr, $complex:literal;)*) => {
        /// A type of values in files: integers, floating-point numbers, bools, or complex numbers.
        ///
        /// ```
        /// use sparse_files::ElementType;
        /// let element = ElementType::from_name("complex64").expect("a type");
        /// assert_eq!((element, element.size(), element.is_complex()), (ElementType::C64, 8, true));
        /// // Descriptors and messages have the name of Binsparse.
        /// assert_eq!(element.to_string(), "complex[float32]");
        /// assert_eq!(element.data_type().to_string(), "complex[float32]");
        /// assert_eq!(ElementType::ALL.iter().filter(|element| element.size() == 8).count(), 4);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum ElementType {
            $($(#[$doc])* $variant,)*
        }

        impl ElementType {
            /// All element types.
            pub const ALL: &[ElementType] = &[$(ElementType::$variant),*];

            /// Returns the type in the terms of Binsparse descriptors: one value for each element, so `iso` is false.
            pub const fn data_type(self) -> DataType {
                match self {
                    $(ElementType::$variant => DataType { scalar: $scalar, complex: $complex, iso: false },)*
                }
            }

            /// Returns the number of bytes of one value of the type.
            pub const fn size(self) -> usize {
                match self {
                    $(ElementType::$variant => size_of::<$word>(),)*
                }
            }
        }

        /// The Rust types, by the names of the variants of [`ElementType`].
        #[doc(hidden)]
        pub mod types {
            $(
                #[allow(missing_docs)]
                pub type $variant = $type;
            )*
        }
    };
}

elements! {
    /// `u8`
    U8 u8, u8, ScalarType::Uint(8), false;
    /// `u16`
    U16 u16, u16, ScalarType::Uint(16), false;
    /// `u32`
    U32 u32, u32, ScalarType::Uint(32), false;
    /// `u64`
    U64 u64, u64, ScalarType::Uint(64), false;
    /// `i8`
    I8 i8, u8, ScalarType::Int(8), false;
    /// `i16`
    I16 i16, u16, ScalarType::Int(16), false;
    /// `i32`
    I32 i32, u32, ScalarType::Int(32), false;
    /// `i64`
    I64 i64, u64, ScalarType::Int(64), false;
    /// `f32`
    F32 f32, u32, ScalarType::Float(32), false;
    /// `f64`
    F64 f64, u64, ScalarType::Float(64), false;
    /// `bool`
    Bool bool, u8, ScalarType::Bool, false;
    /// `Complex<f32>`
    C64 num_complex::Complex<f32>, [u32; 2], ScalarType::Float(32), true;
    /// `Complex<f64>`
    C128 num_complex::Complex<f64>, [u64; 2], ScalarType::Float(64), true;
}

impl ElementType {
    /// Returns the type with this name in descriptors or in NumPy: `float64`, `bint8` or `bool`, `complex[float64]` or
    /// `complex128`. Returns `None` for any other name.
    ///
    /// ```
    /// use sparse_files::ElementType;
    /// assert_eq!(ElementType::from_name("complex64"), ElementType::from_name("complex[float32]"));
    /// assert_eq!(ElementType::from_name("float16"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<ElementType> {
        let name = match name {
            "bool" => "bint8",
            "complex64" => "complex[float32]",
            "complex128" => "complex[float64]",
            name => name,
        };
        ElementType::ALL.iter().copied().find(|element| element.data_type().to_string() == name)
    }

    /// Returns the element type that a descriptor declares, whether for one value or for each element. Returns `None` if there
    /// is no such element type.
    ///
    /// ```
    /// use sparse_files::ElementType;
    /// use sparse_formats::binsparse::{DataType, ScalarType};
    /// assert_eq!(ElementType::of("iso[float64]".parse()?), Some(ElementType::F64));
    /// // No file has complex integers.
    /// assert_eq!(ElementType::of(DataType { scalar: ScalarType::Int(32), complex: true, iso: false }), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(data_type: DataType) -> Option<ElementType> {
        ElementType::ALL.iter().copied().find(|element| element.data_type() == DataType { iso: false, ..data_type })
    }

    /// Returns true for types of complex numbers.
    pub const fn is_complex(self) -> bool {
        self.data_type().complex
    }
}

impl Display for ElementType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.data_type(), f)
    }
}
