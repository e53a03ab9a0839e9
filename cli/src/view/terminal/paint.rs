//! Lines of a terminal, in colours or without.

use crate::view::picture::COLOURS;
use crate::view::picture::text::columns;

/// Backgrounds from the 256 colours of a terminal, on which black is read.
const BACKGROUNDS: [u8; COLOURS] = [
    153, 223, 157, 218, 189, 229, 159, 187, 216, 115, 225, 151, 176, 194, 183, 192, 146, 230, 110, 222, 195, 217, 158, 219, 120, 213, 156,
    141, 228, 147, 180, 117,
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Faint,
    /// On the colour of a class.
    Class(usize),
}

/// A line in pieces.
#[derive(Clone, Default)]
pub struct Line(Vec<(String, Paint)>);

impl Line {
    /// A line of one piece.
    pub fn of(text: impl Into<String>, paint: Paint) -> Line {
        let mut out = Line::default();
        out.push(text, paint);
        out
    }

    /// Appends a piece.
    pub fn push(&mut self, text: impl Into<String>, paint: Paint) {
        let text = text.into();
        match self.0.last_mut() {
            Some((last, painted)) if *painted == paint => last.push_str(&text),
            _ => self.0.push((text, paint)),
        }
    }

    /// Appends a line.
    pub fn extend(&mut self, other: Line) {
        other.0.into_iter().for_each(|(text, paint)| self.push(text, paint));
    }

    /// The columns that it takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(text, _)| columns(text)).sum()
    }

    /// With spaces up to `width` columns.
    pub fn padded(mut self, width: usize) -> Line {
        let missing = width.saturating_sub(self.width());
        self.push(" ".repeat(missing), Paint::Plain);
        self
    }

    /// The text, with escapes for colours if they are wanted; no spaces at its end.
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
