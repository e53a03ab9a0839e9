//! Text built in `const` context.

/// A string of at most `C` bytes, built by `const fn`. A longer text is cut off and ends in `~`.
///
/// ```
/// use core::fmt::Write;
/// use layout_algebra::error::Text;
/// const LABEL: Text<16> = {
///     let mut text = Text::EMPTY;
///     text.push_str("stride ");
///     text.push_int(-33);
///     text.push(b'!');
///     text
/// };
/// assert_eq!(LABEL.as_str(), "stride -33!");
/// let mut short = Text::<8>::EMPTY;
/// write!(short, "{} elements", 1024)?;
/// assert_eq!(short.as_str(), "1024 el~");
/// # Ok::<(), core::fmt::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Text<const C: usize> {
    bytes: [u8; C],
    len: usize,
}

impl<const C: usize> Text<C> {
    /// The empty text.
    pub const EMPTY: Self = Text { bytes: [0; C], len: 0 };

    /// Appends one ASCII byte. If the text is full, its last byte becomes `~`.
    pub const fn push(&mut self, byte: u8) {
        if self.len < C {
            self.bytes[self.len] = byte;
            self.len += 1;
        } else if C > 0 {
            self.bytes[C - 1] = b'~';
        }
    }

    /// Appends an ASCII string, as `push` appends its bytes.
    pub const fn push_str(&mut self, text: &str) {
        let bytes = text.as_bytes();
        each!(k, 0..bytes.len(), {
            self.push(bytes[k]);
        });
    }

    /// Appends a decimal number.
    pub const fn push_int(&mut self, value: i64) {
        let mut digits = [0u8; 20];
        let mut n = 0;
        let mut rest = value.unsigned_abs();
        loop {
            digits[n] = b'0' + (rest % 10) as u8;
            rest /= 10;
            n += 1;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.push(b'-');
        }
        while n > 0 {
            n -= 1;
            self.push(digits[n]);
        }
    }

    /// Returns the text.
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "text is not ASCII",
        }
    }
}

impl<const C: usize> core::fmt::Write for Text<C> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
