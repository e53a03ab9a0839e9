//! Lines of a terminal, with colours or without.

use crate::view::picture::COLOURS;
use crate::view::picture::text::columns;

/// Background colours, of the terminal's 256, on which black text is legible.
const BACKGROUNDS: [u8; COLOURS] = [
    153, 223, 157, 218, 189, 229, 159, 187, 216, 115, 225, 151, 176, 194, 183, 192, 146, 230, 110, 222, 195, 217, 158, 219, 120, 213, 156,
    141, 228, 147, 180, 117,
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Faint,
    /// Black on the background of a class.
    Class(usize),
}

/// A line: texts with their paint.
#[derive(Clone, Default)]
pub struct Line(Vec<(String, Paint)>);

impl Line {
    /// Returns a line of one text with its paint.
    pub fn of(text: impl Into<String>, paint: Paint) -> Line {
        let mut out = Line::default();
        out.push(text, paint);
        out
    }

    /// Appends a text with its paint to the line.
    pub fn push(&mut self, text: impl Into<String>, paint: Paint) {
        let text = text.into();
        match self.0.last_mut() {
            Some((last, painted)) if *painted == paint => last.push_str(&text),
            _ => self.0.push((text, paint)),
        }
    }

    /// Appends the texts of another line.
    pub fn extend(&mut self, other: Line) {
        other.0.into_iter().for_each(|(text, paint)| self.push(text, paint));
    }

    /// Returns the number of columns of the line.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(text, _)| columns(text)).sum()
    }

    /// Appends spaces up to `width` columns.
    pub fn padded(mut self, width: usize) -> Line {
        let missing = width.saturating_sub(self.width());
        self.push(" ".repeat(missing), Paint::Plain);
        self
    }

    /// Returns the text without spaces at its end, and with escape sequences for colours if `color` is set.
    pub fn paint(&self, color: bool) -> String {
        let mut out = String::new();
        for (text, paint) in &self.0 {
            match paint {
                Paint::Faint if color => out.push_str(&format!("\x1b[2m{text}\x1b[0m")),
                Paint::Class(class) if color => {
                    out.push_str(&format!("\x1b[38;5;16;48;5;{}m{text}\x1b[0m", BACKGROUNDS[class % COLOURS]));
                }
                _ => out.push_str(text),
            }
        }
        out.truncate(out.trim_end_matches(' ').len());
        out
    }
}
