//! Why a program is not printed.

use super::Language;
use core::fmt::Display;
use layout_algebra::error::from_fn;
use layout_algebra::heap::*;

layout_algebra::errors! {
    /// A refused emission.
    ///
    /// Displays as `` `n` is in [0, ...], which does not fit 32 bits; give it a bound ``.
    #[non_exhaustive]
    EmitError {
        /// The program has no output.
        NoOutput => "emit/no_output", "the program has no output";
        /// There is no such output.
        NoSuchOutput { output: usize, outputs: usize } => "emit/no_such_output", "output {output} is not one of the {outputs} outputs";
        /// There is no such language.
        UnknownLanguage { name: String } => "emit/unknown_language", "`{name}` is none of the languages {}", Language::ALL.map(Language::name).join(", ");
        /// A number is not proven to fit the width.
        Width {
            /// The input or the expression.
            what: String,
            /// True if it is an input.
            is_input: bool,
            /// The least value it may have; `None` where unbounded.
            lo: Option<i64>,
            /// The largest value it may have; `None` where unbounded.
            hi: Option<i64>,
            bits: u32
        } => "emit/width", "`{what}` is in [{}, {}], which does not fit {bits} bits; give {} closer bounds",
            bound(lo), bound(hi), if *is_input { "it" } else { "its inputs" };
        /// The language has no integers of that width.
        NoSuchWidth { language: Language, bits: u32 } => "emit/no_such_width", "{language} has no integers of {bits} bits";
        /// The language does not have what the program needs.
        Construct { language: Language, construct: &'static str } => "emit/construct", "{language} has no text for {construct}";
        /// A level of a ragged array has no text.
        Level { level: usize, /** Why. */ what: String } => "emit/level", "level {level}: {what}";
        /// A kernel copies elements of other sizes.
        Element { /** The size asked for. */ bytes: u32 } => "emit/element", "elements of {bytes} bytes: a kernel copies 1, 2, 4, 8 or 16";
        /// More copies than are written into one kernel.
        Copies { copies: usize, limit: usize } => "emit/copies", "{copies} copies are more than the {limit} that are written into one kernel";
        /// A name that stands for nothing.
        UnknownName { name: String, /** The names there are. */ known: String } => "emit/unknown_name", "`{name}` is none of {known}";
        /// There are not as many inputs of the launch.
        LaunchInputs { got: usize, expected: usize } => "emit/launch_inputs", "{got} numbers for the {expected} inputs of the launch";
        /// An input is outside its domain.
        Outside { name: String, value: i64, /** What the text relies on. */ domain: String } => "emit/outside", "`{name}` is {value}, but {domain}";
        /// An expression has no value.
        Expression { /** Why not. */ why: String } => "emit/expression", "the expression has no value: {why}";
        /// One expression would repeat its parts too often.
        TooLong { limit: u64 } => "emit/too_long", "one expression would repeat its parts: more than {limit} operations";
    }
}

fn bound(bound: &Option<i64>) -> impl Display {
    from_fn(move |f| match bound {
        Some(bound) => write!(f, "{bound}"),
        None => f.write_str("..."),
    })
}
