//! The parser of the notation.
//!
//! ```text
//! tuple    = leaf | "(" [tuple {"," tuple}] ")"          layout   = tuple ":" tuple
//! leaf     = "_" | number {"@" digits} | "^" digits      number   = ["_"] ["-"] digits | "?" ["{" fact {"," fact} "}"]
//! fact     = ("div=" | "min=" | "max=") digits
//! tile     = "[" operand {";" operand} "]"               swizzle  = ("S<" | "Sw<") int "," int "," int ">"
//! composed = (layout | swizzle) "o" tuple "o" layout
//! ```

use crate::algebra::operands::{ComposedValue, Inner, Operand};
use crate::algebra::tiler::Tiler;
use crate::error::{Cause, LayoutError, Op, Result, ok};
use crate::swizzle::Swizzle;
use crate::value::{Basis, ExprGraph, Facts, LayoutValue, Stride, SymInt, TupleValue};

/// The deepest nesting that the parser accepts.
const MAX_DEPTH: u8 = 64;

/// A parser of operands in a text.
///
/// ```
/// use layout_algebra::error::Op;
/// use layout_algebra::expression::{Operand, Parser};
/// use layout_algebra::value::{ExprGraph, LayoutValue};
/// let mut scope = ExprGraph::<0>::new(Op::Parse);
/// // A line of a file: a count, a layout, and optionally a tiler.
/// let mut line = Parser::new("3 * (8,6):(1,8), (4,3)");
/// let count = line.signed()?;
/// assert!(line.skip(b'*') && !line.skip(b'x'));
/// let layout: LayoutValue<16> = line.layout(&mut scope)?;
/// assert_eq!((count, layout.to_string().as_str(), line.position(), line.peek()), (3, "(8,6):(1,8)", 15, b','));
/// line.seek(16);
/// let tiler: Operand<16> = line.operand(&mut scope)?;
/// assert_eq!(tiler.to_string(), "(4,3)");
/// line.finish()?;
///
/// let error = Parser::whole::<16, 0>("(4,3) x", &mut scope).map(|_| ()).unwrap_err();
/// assert_eq!(error.to_string(), "parse: unexpected text at byte 6");
/// // A parser of a larger notation returns the same error at its own position.
/// line.seek(2);
/// assert_eq!(line.unexpected().to_string(), "parse: unexpected text at byte 2");
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    /// Starts at the first byte of `text`.
    pub const fn new(text: &'a str) -> Self {
        Parser { text: text.as_bytes(), at: 0 }
    }

    /// Returns the position of the next byte in the text, from 0.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Moves to the byte position `at`.
    pub const fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// Fails unless only white space is left.
    pub const fn finish(&mut self) -> Result<()> {
        // `peek` returns 0 at the end, but the text may contain a byte 0.
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Parses the whole text as one operand. Fails if it is none, or if the operand has more than `N` leaves or an index overflows.
    pub const fn whole<const N: usize, const E: usize>(text: &'a str, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
        let mut parser = Parser::new(text);
        let operand = ok!(parser.operand(cx));
        ok!(parser.finish());
        Ok(operand)
    }

    /// Skips white space. Returns the next byte, or 0 at the end.
    pub const fn peek(&mut self) -> u8 {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        if self.at < self.text.len() { self.text[self.at] } else { 0 }
    }

    /// Skips `byte` if it comes next. Returns true if it did.
    pub const fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.text.len();
        self.at += found as usize;
        found
    }

    const fn expect(&mut self, byte: u8) -> Result<()> {
        if self.skip(byte) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Returns the error of unexpected text at the current position.
    #[cold]
    pub const fn unexpected(&self) -> LayoutError {
        LayoutError::plain(Op::Parse, Cause::Syntax, self.at as i64, 0)
    }

    /// Parses one operand, and leaves the text after it. Fails as `Parser::whole` does.
    pub const fn operand<const N: usize, const E: usize>(&mut self, cx: &mut ExprGraph<E>) -> Result<Operand<N>> {
        let first = match self.peek() {
            b'[' => {
                let tiler = ok!(self.tiler(0, cx));
                return Ok(Operand::Tiler(tiler));
            }
            b'S' => {
                let swizzle = ok!(self.swizzle());
                if self.peek() != b'o' {
                    return Ok(Operand::Swizzle(swizzle));
                }
                Inner::Swizzle(swizzle)
            }
            _ => {
                let left = ok!(self.tuple(cx));
                if !self.skip(b':') {
                    return Ok(if left.is_integer() {
                        Operand::Tuple(TupleValue { tree: left.tree, leaf: left.stride })
                    } else {
                        Operand::Strides(left)
                    });
                }
                let layout = ok!(self.layout_after(&left, cx));
                if self.peek() != b'o' {
                    return Ok(Operand::Layout(layout));
                }
                Inner::Layout(layout)
            }
        };
        ok!(self.expect(b'o'));
        let offset = ok!(self.tuple::<N, E>(cx));
        let plain = offset.is_integer();
        let offset = TupleValue { tree: offset.tree, leaf: offset.stride };
        if !plain || offset.has_keep() {
            return Err(self.unexpected());
        }
        ok!(self.expect(b'o'));
        let outer = ok!(self.layout(cx));
        Ok(Operand::Composed(ComposedValue { inner: first, offset, outer }))
    }

    /// Parses a layout, and leaves the text after it. Fails if there is none.
    pub const fn layout<const N: usize, const E: usize>(&mut self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let left = ok!(self.tuple(cx));
        ok!(self.expect(b':'));
        self.layout_after(&left, cx)
    }

    const fn layout_after<const N: usize, const E: usize>(
        &mut self,
        shape: &LayoutValue<N>,
        cx: &mut ExprGraph<E>,
    ) -> Result<LayoutValue<N>> {
        let stride = ok!(self.tuple(cx));
        if !shape.is_integer() {
            return Err(self.unexpected());
        }
        cx.begin(Op::MakeLayout);
        let layout = ok!(LayoutValue::zip(&TupleValue { tree: shape.tree, leaf: shape.stride }, &stride, cx));
        ok!(layout.check(cx));
        Ok(layout)
    }

    const fn tiler<const N: usize, const E: usize>(&mut self, level: u8, cx: &mut ExprGraph<E>) -> Result<Tiler<N>> {
        ok!(self.expect(b'['));
        if level == MAX_DEPTH {
            return Err(LayoutError::plain(Op::Parse, Cause::TooDeep, MAX_DEPTH as i64, 0));
        }
        let mut out = Tiler { lay: LayoutValue::empty(), by: [0; N] };
        loop {
            let mode = if self.peek() == b'[' {
                ok!(self.tiler(level + 1, cx))
            } else {
                let left = ok!(self.tuple(cx));
                if self.skip(b':') {
                    let layout = ok!(self.layout_after(&left, cx));
                    Tiler::layout(&layout)
                } else {
                    if !left.is_integer() {
                        return Err(self.unexpected());
                    }
                    ok!(Tiler::shape(&TupleValue { tree: left.tree, leaf: left.stride }, cx))
                }
            };
            ok!(out.push_mode(&mode, cx));
            if self.skip(b']') {
                return Ok(out);
            }
            ok!(self.expect(b';'));
        }
    }

    const fn swizzle(&mut self) -> Result<Swizzle> {
        ok!(self.expect(b'S'));
        self.skip(b'w');
        ok!(self.expect(b'<'));
        let bits = ok!(self.signed());
        ok!(self.expect(b','));
        let base = ok!(self.signed());
        ok!(self.expect(b','));
        let shift = ok!(self.signed());
        ok!(self.expect(b'>'));
        Swizzle::new(bits, base, shift)
    }

    /// Parses an integer or a tuple, or fails. Its leaves are the strides of the result, because they may have a basis.
    ///
    /// ```
    /// use layout_algebra::{error::Op, text::Parser};
    /// use layout_algebra::value::{ExprGraph, LayoutValue, SymInt};
    /// let mut scope = ExprGraph::<0>::new(Op::Parse);
    /// let strides: LayoutValue<8> = Parser::new("(1@0,^9,4)").tuple(&mut scope)?;
    /// assert_eq!((0..3).map(|k| strides.scale(k)).collect::<Vec<_>>(), [1, 9, 4].map(SymInt::small));
    /// assert!(!strides.basis(0).is_integer() && strides.basis(1).is_xor());
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub const fn tuple<const N: usize, const E: usize>(&mut self, cx: &mut ExprGraph<E>) -> Result<LayoutValue<N>> {
        let mut out = LayoutValue::empty();
        // `level` counts the open tuples; `join` is the minimum of it since the leaf before.
        let (mut level, mut join) = (0u8, 0u8);
        loop {
            let mut empty = false;
            while !empty && self.skip(b'(') {
                if level == MAX_DEPTH {
                    return Err(LayoutError::plain(Op::Parse, Cause::TooDeep, MAX_DEPTH as i64, 0));
                }
                level += 1;
                empty = self.skip(b')');
            }
            cx.begin(Op::Parse);
            if empty {
                level -= 1;
                ok!(out.push_empty(level, join, cx));
                if level > 0 {
                    out.stride[out.tree.len - 1] = 1;
                }
            } else {
                let stride = ok!(self.leaf(cx));
                ok!(out.push_leaf(level, join, SymInt(0), stride, cx));
            }
            while level > 0 && self.skip(b')') {
                level -= 1;
            }
            if level == 0 {
                return Ok(out);
            }
            join = level;
            ok!(self.expect(b','));
        }
    }

    const fn leaf<const E: usize>(&mut self, cx: &mut ExprGraph<E>) -> Result<Stride> {
        if self.skip(b'^') {
            let start = self.position() as i64;
            return match SymInt::known(ok!(self.signed())) {
                Some(scale) => Ok(Stride { scale, basis: Basis::XOR }),
                None => Err(LayoutError::plain(Op::Parse, Cause::NumberTooLarge, start, 0)),
            };
        }
        let scale = if self.skip(b'?') {
            let facts = if self.skip(b'{') { ok!(self.facts()) } else { Facts::NATURAL };
            ok!(cx.input(facts))
        } else {
            if self.skip(b'_') {
                let next = self.peek();
                if !(next.is_ascii_digit() || next == b'-') {
                    return Ok(Stride::integer(SymInt::KEEP));
                }
            }
            self.peek();
            let start = self.at as i64;
            match SymInt::known(ok!(self.signed())) {
                Some(scale) => scale,
                None => return Err(LayoutError::plain(Op::Parse, Cause::NumberTooLarge, start, 0)),
            }
        };
        let mut basis = Basis(0);
        while self.skip(b'@') {
            // The innermost mode comes first in the text.
            let mode = ok!(self.signed());
            basis = match basis.inside(if mode < 0 || mode > 254 { 255 } else { mode as usize }) {
                Some(basis) => basis,
                None => return Err(self.unexpected()),
            };
        }
        Ok(Stride { scale, basis })
    }

    /// Parses `div=8,max=4096}`, after the opening brace. Fails if facts contradict each other, or at other text.
    const fn facts(&mut self) -> Result<Facts> {
        let mut facts = Facts::NATURAL;
        loop {
            let number = if self.skip_word(b"div=") {
                &mut facts.div
            } else if self.skip_word(b"max=") {
                &mut facts.hi
            } else if self.skip_word(b"min=") {
                &mut facts.lo
            } else {
                return Err(self.unexpected());
            };
            *number = ok!(self.signed());
            if facts.div < 1 || facts.div == i64::MAX || facts.lo < 0 || facts.hi < facts.lo {
                return Err(self.unexpected());
            }
            if !self.skip(b',') {
                ok!(self.expect(b'}'));
                return Ok(facts);
            }
        }
    }

    /// Skips the word if it comes next. Returns true if it did.
    const fn skip_word(&mut self, word: &[u8]) -> bool {
        let start = self.position();
        each!(k, 0..word.len(), {
            if !self.skip(word[k]) {
                self.seek(start);
                return false;
            }
        });
        true
    }

    /// Parses a decimal integer. Fails if there is no digit, or the number does not fit 64 bits.
    pub const fn signed(&mut self) -> Result<i64> {
        let negative = self.skip(b'-');
        if !self.peek().is_ascii_digit() {
            return Err(self.unexpected());
        }
        let too_large = LayoutError::plain(Op::Parse, Cause::NumberTooLarge, self.at as i64, 0);
        let mut value = 0i64;
        while self.at < self.text.len() && self.text[self.at].is_ascii_digit() {
            let digit = (self.text[self.at] - b'0') as i64;
            value = match value.checked_mul(10) {
                Some(tens) => match if negative { tens.checked_sub(digit) } else { tens.checked_add(digit) } {
                    Some(value) => value,
                    None => return Err(too_large),
                },
                None => return Err(too_large),
            };
            self.at += 1;
        }
        Ok(value)
    }
}
