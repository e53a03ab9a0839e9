//! The errors of printing programs and kernels as text.

use super::Language;
use core::fmt::Display;
use layout_algebra::error::from_fn;
use layout_algebra::heap::*;

layout_algebra::errors! {
    /// The reason why a program or a kernel has no text.
    ///
    /// Displays, for example, as `` `n` is in [0, ...], which does not fit 32 bits; give it closer bounds ``.
    ///
    /// ```
    /// use coordinate_graph::program::{Coordinates, Emit, EmitError, Language, Program};
    /// let element = Program::parse_layout("(4096,64):(1,?)", Coordinates::Modes).expect("a layout");
    /// let error = element.emit(&Emit::new(Language::Wgsl, "element")).unwrap_err();
    /// assert_eq!(error.class(), "emit/width");
    /// assert_eq!(error.to_string(), "`d1` is in [0, ...], which does not fit 32 bits; give it closer bounds");
    /// assert!(matches!(error, EmitError::Width { lo: Some(0), hi: None, bits: 32, .. }));
    /// ```
    #[non_exhaustive]
    EmitError {
        /// The program has no output.
        NoOutput => "emit/no_output", "the program has no output";
        /// The program does not have the output with this number.
        NoSuchOutput { output: usize, outputs: usize } => "emit/no_such_output", "output {output} is not one of the {outputs} outputs";
        /// No language has this name.
        UnknownLanguage { name: String } => "emit/unknown_language", "`{name}` is not a language; the languages are {}", Language::ALL.map(Language::name).join(", ");
        /// A number is not proven to fit the chosen width of the integers.
        Width {
            /// The name of the input, or the text of the expression.
            what: String,
            /// True if the number is an input.
            is_input: bool,
            /// The least value of the number; `None` if it has no lower bound.
            lo: Option<i64>,
            /// The greatest value of the number; `None` if it has no upper bound.
            hi: Option<i64>,
            bits: u32
        } => "emit/width", "`{what}` is in [{}, {}], which does not fit {bits} bits; give {} closer bounds",
            bound(lo), bound(hi), if *is_input { "it" } else { "its inputs" };
        /// The language has no integers of that width.
        NoSuchWidth { language: Language, bits: u32 } => "emit/no_such_width", "{language} has no integers of {bits} bits";
        /// The language does not have what the program needs.
        Construct { language: Language, construct: &'static str } => "emit/construct", "{language} cannot express {construct}";
        /// A level of a ragged array cannot be printed.
        Level { level: usize, /** Why it cannot. */ what: String } => "emit/level", "level {level}: {what}";
        /// A kernel cannot copy elements of this size.
        Element { /** The size of the elements. */ bytes: u32 } => "emit/element", "a kernel cannot copy elements of {bytes} bytes, only of 1, 2, 4, 8 or 16";
        /// The copies are more than one kernel may contain.
        Copies { copies: usize, limit: usize } => "emit/copies", "{copies} copies are too many for one kernel; the maximum is {limit}";
        /// A name is not one of the known names.
        UnknownName { name: String, /** The known names. */ known: String } => "emit/unknown_name", "`{name}` is unknown; expected one of {known}";
        /// The number of launch inputs is wrong.
        LaunchInputs { got: usize, expected: usize } => "emit/launch_inputs", "{got} numbers are given for the {expected} inputs of the launch";
        /// An input is outside its domain.
        Outside { name: String, value: i64, /** The domain of the input, in words. */ domain: String } => "emit/outside", "`{name}` is {value}, which is outside its domain: {domain}";
        /// An expression cannot be evaluated.
        Expression { /** Why it cannot, in words. */ why: String } => "emit/expression", "the expression has no value: {why}";
        /// The expression would repeat its subexpressions too often.
        TooLong { limit: u64 } => "emit/too_long", "an expression would repeat its subexpressions and exceed {limit} operations";
    }
}

fn bound(bound: &Option<i64>) -> impl Display {
    from_fn(move |f| match bound {
        Some(bound) => write!(f, "{bound}"),
        None => f.write_str("..."),
    })
}
