//! The names and forms of the operations.

macro_rules! one_or_more {
    ($first:literal $($more:literal)*) => { concat!($first $(, $more)*) };
}

/// The treatment that an operation gives to a swizzled or composed first operand `c -> inner(offset + outer(c))`.
///
/// ```
/// use layout_algebra::error::{OfComposed, Op};
/// use layout_algebra::{expression::evaluate, value::ExprGraph};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// let mut text = |expression| evaluate::<16, 0>(expression, &mut scope).map(|result| result.to_string());
/// assert_eq!(Op::LogicalDivide.of_composed(), OfComposed::Domain);
/// assert_eq!(text("logical_divide(S<3,0,3> o 0 o 64:1, 8)")?, "S<3,0,3> o 0 o (8,8):(1,8)");
/// assert_eq!(Op::RightInverse.of_composed(), OfComposed::Bits);
/// assert_eq!(text("right_inverse(S<3,0,3> o 0 o 64:1)")?, "(8,8):(^1,^9)");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfComposed {
    /// It works on the layout `outer`, whose coordinates it rearranges. The result keeps `inner` and the offset.
    Domain,
    /// It works on the layout inside a swizzle, and ignores the swizzle. It refuses two composed layouts.
    Inside,
    /// It works on one layout with the operand's function: with XOR strides (`to_xor`) or composed. It fails if there is none.
    Bits,
    /// It works on the shape alone.
    Shape,
    /// It works on the operand as it is.
    Itself,
    /// It refuses the operand, because it works on numbers, tuples or plain layouts.
    Nothing,
}

macro_rules! of_composed {
    (domain) => {
        OfComposed::Domain
    };
    (inside) => {
        OfComposed::Inside
    };
    (bits) => {
        OfComposed::Bits
    };
    (shape) => {
        OfComposed::Shape
    };
    (itself) => {
        OfComposed::Itself
    };
    (nothing) => {
        OfComposed::Nothing
    };
}

macro_rules! names {
    (
        layouts { $($name:ident $text:literal [$($alias:literal),*] on $composed:ident $(by $custom:ident)? {
            $($(#[doc = $law:literal])+ $method:ident $try_method:ident ($($arg:ident: $type:ident $kind:ident),*) => ($of:literal $(, $with:literal)*) $is:literal;)+
        })* }
        makers { $($maker:ident $maker_text:literal [$($maker_alias:literal),*] on $maker_composed:ident {
            $(#[doc = $maker_law:literal])+ $make:ident ($($maker_arg:ident: $maker_type:ident $maker_kind:ident),*) => ($maker_of:literal $(, $maker_with:literal)*) $maker_is:literal;
        })* }
        functions { $(
            $(#[doc = $fn_law:literal])+
            $fn_name:ident $fn_text:literal [$($fn_alias:literal),*] ($($fn_arg:ident: $fn_kind:ident),*) -> $result:ident on $fn_composed:ident $how:tt $fn_function:path => ($($fn_of:literal),+) $fn_is:literal;
        )* }
    ) => {
        /// An operation of the algebra, as errors and the text interface name it.
        ///
        /// ```
        /// use layout_algebra::error::{OfComposed, Op};
        /// let op = Op::from_name("compose").expect("an alternative name");
        /// assert_eq!((op, op.name(), op.aliases()), (Op::Composition, "composition", &["compose", "compose_by"][..]));
        /// assert_eq!((op.counts(), op.of_composed()), ((2, 2), OfComposed::Domain));
        /// assert_eq!(op.forms()[0].to_string(), "(a: layout, b: layout) -> layout");
        /// assert_eq!(Op::from_name("transpose"), None);
        /// // All operations run by name; layout types exist for those that return layouts.
        /// assert!(Op::ALL.contains(&Op::Size) && !Op::TYPED.contains(&Op::Size) && Op::TYPED.contains(&op));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Op {
            /// Parsing a text. It is not an operation, but errors name it.
            Parse,
            /// Making a tensor map. It is not an operation of the text interface, but errors name it.
            EncodeTiled,
            $(#[doc = names!(@law $([$($law)+])+)] $name,)*
            $($(#[doc = $maker_law])+ $maker,)*
            $($(#[doc = $fn_law])+ $fn_name,)*
        }

        impl Op {
            /// All operations that have a name in the text interface.
            pub const ALL: &'static [Op] = &[$(Op::$name,)* $(Op::$maker,)* $(Op::$fn_name,)*];

            /// All operations that have a layout type.
            pub const TYPED: &'static [Op] = &[$(Op::$name,)* $(Op::$maker,)* Op::Slice];

            /// Returns the name in the text interface.
            pub const fn name(self) -> &'static str {
                match self {
                    Op::Parse => "parse",
                    Op::EncodeTiled => "tensor_map",
                    $(Op::$name => $text,)*
                    $(Op::$maker => $maker_text,)*
                    $(Op::$fn_name => $fn_text,)*
                }
            }

            /// Returns the alternative names in the text interface.
            pub const fn aliases(self) -> &'static [&'static str] {
                match self {
                    Op::Parse | Op::EncodeTiled => &[],
                    $(Op::$name => &[$($alias),*],)*
                    $(Op::$maker => &[$($maker_alias),*],)*
                    $(Op::$fn_name => &[$($fn_alias),*],)*
                }
            }

            /// Returns the treatment that the operation gives to a swizzled or composed first operand.
            pub const fn of_composed(self) -> OfComposed {
                match self {
                    Op::Parse | Op::EncodeTiled => OfComposed::Nothing,
                    $(Op::$name => of_composed!($composed),)*
                    $(Op::$maker => of_composed!($maker_composed),)*
                    $(Op::$fn_name => of_composed!($fn_composed),)*
                }
            }

            /// Returns the ways to call the operation: operands, kind of the result, and law.
            pub const fn forms(self) -> &'static [Form] {
                match self {
                    Op::Parse | Op::EncodeTiled => &[],
                    $(Op::$name => &[$(Form {
                        operands: &[("a", "layout") $(, (stringify!($arg), stringify!($kind)))*],
                        result: "layout",
                        law: const { one_or_more!($($law)+).trim_ascii() },
                        given: &[$of $(, $with)*],
                        gives: $is,
                    }),+],)*
                    $(Op::$maker => &[Form {
                        operands: &[("shape", "shape") $(, (stringify!($maker_arg), stringify!($maker_kind)))*],
                        result: "layout",
                        law: const { one_or_more!($($maker_law)+).trim_ascii() },
                        given: &[$maker_of $(, $maker_with)*],
                        gives: $maker_is,
                    }],)*
                    $(Op::$fn_name => &[Form {
                        operands: &[$((stringify!($fn_arg), stringify!($fn_kind))),*],
                        result: stringify!($result),
                        law: const { one_or_more!($($fn_law)+).trim_ascii() },
                        given: &[$($fn_of),+],
                        gives: $fn_is,
                    }],)*
                }
            }
        }
    };
    (@law [$($law:literal)+] $($rest:tt)*) => { one_or_more!($($law)+) };
}

operations!(names);

/// One way to call an operation. Displays as `(a: layout, b: layout) -> layout`.
///
/// ```
/// use layout_algebra::error::Op;
/// let form = Op::Coalesce.forms()[1];
/// assert_eq!(form.operands, [("a", "layout"), ("profile", "coord")]);
/// assert_eq!((form.result, form.to_string().as_str()), ("layout", "(a: layout, profile: coord) -> layout"));
/// assert_eq!(form.law, "Coalesces mode by mode, down to the leaves of `profile`.");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The name and the kind of each operand.
    pub operands: &'static [(&'static str, &'static str)],
    /// The kind of the result.
    pub result: &'static str,
    /// The law of the operation, in words.
    pub law: &'static str,
    /// An example: the texts of the operands.
    pub given: &'static [&'static str],
    /// The text of the result for the operands `given`.
    pub gives: &'static str,
}

impl core::fmt::Display for Form {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (k, (name, kind)) in self.operands.iter().enumerate() {
            write!(f, "{}{name}: {kind}", if k == 0 { "(" } else { ", " })?;
        }
        write!(f, ") -> {}", self.result)
    }
}

impl Op {
    /// Returns the operation with this name or alternative name, or `None`.
    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name || op.aliases().contains(&name))
    }
}
