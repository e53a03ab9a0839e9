//! Errors of the algebra: the operation, the mode, the cause and the numbers.

// A new reason is a variant in `cause`. `op` names operations and `kind` their operands. `key` has the error of JSON keys, `rows`
// the macros that declare error types, and `text` text that constants build.
mod cause;
#[cfg(feature = "alloc")]
mod key;
mod kind;
mod op;
mod rows;
mod text;

pub use cause::Cause;
#[cfg(feature = "alloc")]
pub use key::UnknownKey;
pub use kind::OperandKind;
pub use op::{Form, OfComposed, Op};
#[doc(hidden)]
pub use rows::from_fn;
pub use text::Text;

use crate::sym_int::SymInt;

/// The position of a mode in a layout: the mode numbers from the outermost inwards. An empty path is the whole layout.
///
/// ```
/// use layout_algebra::{DynLayout, error::Path};
/// let a = DynLayout::<16>::parse("((2,6),8):((8,16),1)")?;
/// let error = a.logical_divide(&"[[_;4];_]".parse()?).unwrap_err();
/// assert_eq!(error.path.modes(), [0, 1]);
/// assert_eq!(error.path, Path::ROOT.then(0).then(1));
/// assert_eq!(error.reason().as_str(), "tile 4 does not divide the extent 6 of mode 0.1");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    len: u8,
    modes: [u8; 7],
}

impl Path {
    /// The whole layout.
    pub const ROOT: Path = Path { len: 0, modes: [0; 7] };

    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Returns the path to mode `mode` of this node. Steps beyond the seventh are not recorded.
    pub const fn then(mut self, mode: usize) -> Path {
        if (self.len as usize) < self.modes.len() {
            self.modes[self.len as usize] = if mode > 255 { 255 } else { mode as u8 };
            self.len += 1;
        }
        self
    }

    /// Returns the mode numbers, outermost first.
    pub fn modes(&self) -> &[u8] {
        &self.modes[..self.len as usize]
    }
}

/// A refused operation.
///
/// Displays as `zipped_divide: tile 8 does not divide the extent 30 of mode 0`.
///
/// ```
/// use layout_algebra::error::{Op, Path, Text};
/// use layout_algebra::{DynLayout, LayoutError};
/// let error = DynLayout::<16>::parse("(30,8):(1,30)")?.zipped_divide(&"(8,4)".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "zipped_divide: tile 8 does not divide the extent 30 of mode 0");
/// // A program reads the parts.
/// assert_eq!((error.op, error.path.modes(), error.numbers()), (Op::ZippedDivide, &[0][..], [Some(8), Some(30), Some(0)]));
/// assert_eq!((error.class(), error.symbols()[0].value()), ("layout/tile_does_not_divide", Some(8)));
/// // A constant reads the text, and a tool puts words of its own before the reason.
/// assert_eq!(error.text().as_str(), error.to_string());
/// let mut text = Text::EMPTY;
/// text.push_str("line 3: ");
/// error.push_reason(&mut text);
/// assert_eq!(text.as_str(), format!("line 3: {}", error.reason().as_str()));
/// // These are ways to make such an error.
/// assert_eq!(LayoutError::at_mode(error.op, 0, error.cause, 8, 30), error);
/// assert_eq!(LayoutError::new(error.op, Path::ROOT.then(0), error.cause, error.symbols()), error);
/// let whole = LayoutError::plain(error.op, error.cause, 8, 30);
/// assert_eq!(whole.reason().as_str(), "tile 8 does not divide the extent 30 of the layout");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LayoutError {
    /// The refused operation.
    pub op: Op,
    /// The mode at which the operation failed.
    pub path: Path,
    /// The cause of the refusal.
    pub cause: Cause,
    numbers: [SymInt; 3],
}

impl LayoutError {
    /// Makes an error about the node at `path`, with the numbers of its message.
    #[cold]
    pub const fn new(op: Op, path: Path, cause: Cause, numbers: [SymInt; 3]) -> Self {
        LayoutError { op, path, cause, numbers }
    }

    /// Makes an error about the whole input, with the known numbers `a` and `b` of its message.
    #[cold]
    pub const fn plain(op: Op, cause: Cause, a: i64, b: i64) -> Self {
        LayoutError::new(op, Path::ROOT, cause, [SymInt::raw(a), SymInt::raw(b), SymInt(0)])
    }

    /// Makes an error about mode `k`, with the known numbers `a` and `b` of its message.
    #[cold]
    pub const fn at_mode(op: Op, k: usize, cause: Cause, a: i64, b: i64) -> Self {
        LayoutError::new(op, Path::ROOT.then(k), cause, [SymInt::raw(a), SymInt::raw(b), SymInt(0)])
    }

    #[cold]
    pub(crate) const fn triple(op: Op, cause: Cause, a: i64, b: i64, c: i64) -> Self {
        LayoutError::new(op, Path::ROOT, cause, [SymInt::raw(a), SymInt::raw(b), SymInt::raw(c)])
    }

    /// Returns the numbers of the message, in the order of its text; `None` for a number that is only known at run time.
    pub const fn numbers(&self) -> [Option<i64>; 3] {
        [self.numbers[0].value(), self.numbers[1].value(), self.numbers[2].value()]
    }

    /// Returns the numbers of the message, symbols included.
    pub const fn symbols(&self) -> [SymInt; 3] {
        self.numbers
    }

    /// Returns the message. Unlike `Display`, it works in `const` context.
    pub const fn text(&self) -> Text<256> {
        let mut out = Text::EMPTY;
        out.push_str(self.op.name());
        out.push_str(": ");
        self.push_reason(&mut out);
        out
    }

    /// Returns the message without the name of the operation.
    pub const fn reason(&self) -> Text<256> {
        let mut out = Text::EMPTY;
        self.push_reason(&mut out);
        out
    }

    /// Appends the message without the name of the operation.
    pub const fn push_reason(&self, out: &mut Text<256>) {
        let template = self.cause.template().as_bytes();
        let mut k = 0;
        while k < template.len() {
            if template[k] != b'{' {
                out.push(template[k]);
                k += 1;
                continue;
            }
            match template[k + 1] {
                b'a' => self.push_path(out),
                b'o' => self.push_operand(out),
                b'k' => out.push_str(OperandKind::name(self.numbers[1].word())),
                b't' => self.push_taken(out),
                b'c' => self.push_count(out),
                digit => {
                    let number = self.numbers[(digit - b'0') as usize].value();
                    match (template[k + 2], number) {
                        (b'?', number) => push_choice(template, k + 3, matches!(number, Some(1)), out),
                        (_, Some(value)) => out.push_int(value),
                        (_, None) => out.push(b'?'),
                    }
                }
            }
            while template[k] != b'}' {
                k += 1;
            }
            k += 1;
        }
    }

    /// Appends the name of the operand whose index, from 0, is number 0 of the error: `the first operand`.
    const fn push_operand(&self, out: &mut Text<256>) {
        if matches!(self.op, Op::Parse) {
            return out.push_str("the text");
        }
        const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];
        let at = self.numbers[0].word() as usize;
        if at < ORDINALS.len() {
            out.push_str("the ");
            out.push_str(ORDINALS[at]);
            out.push_str(" operand");
        } else {
            out.push_str("operand ");
            out.push_int(at as i64 + 1);
        }
    }

    /// Appends the kinds that the operand may have whose index, from 0, is number 0 of the error.
    const fn push_taken(&self, out: &mut Text<256>) {
        if matches!(self.op, Op::Parse) {
            return out.push_str(OperandKind::name(self.numbers[2].word()));
        }
        self.op.taken(self.numbers[0].word() as usize).push_names(out);
    }

    /// Appends the number of operands needed. Number 0 of the error is the minimum, number 1 the maximum.
    const fn push_count(&self, out: &mut Text<256>) {
        let (least, most) = (self.numbers[0].word(), self.numbers[1].word());
        if most == i64::MAX {
            out.push_str("at least ");
        }
        out.push_int(least);
        if least < most && most < i64::MAX {
            out.push_str(if most == least + 1 { " or " } else { " to " });
            out.push_int(most);
        }
        out.push_str(if least == 1 && (most == 1 || most == i64::MAX) { " operand is" } else { " operands are" });
    }

    const fn push_path(&self, out: &mut Text<256>) {
        if self.path.len == 0 {
            out.push_str("the layout");
            return;
        }
        out.push_str("mode ");
        each!(k, 0..self.path.len as usize, {
            if k > 0 {
                out.push(b'.');
            }
            out.push_int(self.path.modes[k] as i64);
        });
    }
}

/// Appends from `one|many}`, which begins at byte `at` of the template, the text before the bar if `one`, else the text after it.
const fn push_choice(template: &[u8], at: usize, one: bool, out: &mut Text<256>) {
    let (mut k, mut first) = (at, true);
    while template[k] != b'}' {
        if template[k] == b'|' {
            first = false;
        } else if first == one {
            out.push(template[k]);
        }
        k += 1;
    }
}

impl core::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

crate::displayed_error! { LayoutError, |error| error.cause.class() }

/// Panics with the message of `error`. In constant evaluation this is a compile error at the caller's line.
///
/// ```compile_fail,E0080
/// use layout_algebra::{Swizzle, error::refuse};
/// // The build fails with `swizzle: swizzle <3,4,2> is outside its range`.
/// const SWIZZLE: Swizzle = match Swizzle::new(3, 4, 2) {
///     Ok(swizzle) => swizzle,
///     Err(error) => refuse(error),
/// };
/// assert_eq!(SWIZZLE.width(), 9);
/// ```
#[track_caller]
pub const fn refuse(error: LayoutError) -> ! {
    panic!("{}", error.text().as_str())
}

/// The `Result` of the algebra.
///
/// ```
/// use layout_algebra::{DynLayout, error::Result};
/// fn tiles(matrix: &str) -> Result<DynLayout> {
///     DynLayout::parse(matrix)?.zipped_divide(&"(8,4)".parse()?)
/// }
/// assert_eq!(tiles("(32,8):(1,32)")?.to_string(), "((8,4),(4,2)):((1,32),(8,128))");
/// assert!(tiles("(30,8):(1,30)").is_err());
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub type Result<T> = core::result::Result<T, LayoutError>;

/// Propagates an error like `?`, in `const fn`.
#[doc(hidden)]
#[macro_export]
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
#[doc(hidden)]
pub use ok;

/// Returns from the caller with an error of the scope `$cx` if the condition holds. Omitted numbers of the message are 0.
#[doc(hidden)]
#[macro_export]
macro_rules! refuse_if {
    ($cx:expr, $condition:expr, $cause:ident) => {
        $crate::refuse_if!($cx, $condition, $cause, $crate::value::SymInt(0))
    };
    ($cx:expr, $condition:expr, $cause:ident, $a:expr) => {
        $crate::refuse_if!($cx, $condition, $cause, $a, $crate::value::SymInt(0))
    };
    ($cx:expr, $condition:expr, $cause:ident, $a:expr, $b:expr) => {
        if $condition {
            return Err($cx.fail($crate::error::Cause::$cause, $a, $b));
        }
    };
}
#[doc(hidden)]
pub use refuse_if;
