//! Pictures inside the terminal, by the graphics protocols of Kitty and of iTerm2.

use crate::view::svg::Svg;
use clap::ValueEnum;

/// The choice of a way to show pictures.
#[derive(Clone, Copy, ValueEnum)]
pub enum Choice {
    /// The protocol of the terminal if it is known, or else characters.
    Auto,
    /// The graphics protocol of Kitty.
    Kitty,
    /// The inline images of iTerm2.
    Iterm,
    /// Characters.
    None,
}

/// A way to show pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pictures {
    Kitty,
    Iterm,
    /// Characters, because the terminal is not known to show pictures.
    Unknown,
    /// Characters, as the user asked.
    Characters,
}

impl Pictures {
    /// Returns the way to show pictures on standard output, which is a terminal or not. `variable` returns variables of the environment.
    pub fn new(choice: Choice, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Pictures {
        match choice {
            Choice::Kitty => return Pictures::Kitty,
            Choice::Iterm => return Pictures::Iterm,
            Choice::None => return Pictures::Characters,
            Choice::Auto => {}
        }
        let text = |name: &str| variable(name).unwrap_or_default();
        let (term, program) = (text("TERM"), text("TERM_PROGRAM"));
        // Multiplexers pass no pictures on, but they pass on the variables of the terminal.
        if !is_terminal || variable("TMUX").is_some() || term.starts_with("screen") || term.starts_with("tmux") {
            return Pictures::Unknown;
        }
        match program.as_str() {
            "WezTerm" | "iTerm.app" => Pictures::Iterm,
            _ if term.contains("kitty") || term.contains("ghostty") || program == "ghostty" => Pictures::Kitty,
            _ if variable("KITTY_WINDOW_ID").is_some() => Pictures::Kitty,
            _ if text("LC_TERMINAL") == "iTerm2" => Pictures::Iterm,
            _ => Pictures::Unknown,
        }
    }

    /// Returns the text that shows a picture. Notes on standard error how to get pictures if the terminal shows characters. Fails with the
    /// message of the refusal.
    pub fn shown(self, svg: &Svg) -> Result<String, String> {
        match self {
            #[cfg(feature = "png")]
            Pictures::Kitty | Pictures::Iterm => self.escaped(svg),
            #[cfg(not(feature = "png"))]
            Pictures::Kitty | Pictures::Iterm => {
                in_characters(svg, Some("pictures need the feature `png`: cargo install --path cli --features png"))
            }
            Pictures::Unknown => in_characters(
                svg,
                Some("pictures need kitty, Ghostty, WezTerm or iTerm2; if this is one, `crd2idx repl --pictures kitty` or `iterm`"),
            ),
            Pictures::Characters => in_characters(svg, None),
        }
    }

    #[cfg(feature = "png")]
    fn escaped(self, svg: &Svg) -> Result<String, String> {
        use base64::Engine;
        /// The maximum length of the payload of one escape sequence of Kitty.
        const CHUNK: usize = 4096;
        /// The number of pixels of a PNG for each column: 8 units of the picture, at twice their resolution.
        const PIXELS: u32 = 16;
        let png = svg.png()?;
        let width = png.get(16..20).and_then(|width| width.try_into().ok()).map_or(0, u32::from_be_bytes);
        let most = terminal_size::terminal_size().map_or(u32::MAX, |(columns, _)| columns.0.into());
        let columns = width.div_ceil(PIXELS).clamp(1, most.max(1));
        let payload = base64::engine::general_purpose::STANDARD.encode(&png);
        if self == Pictures::Iterm {
            let size = png.len();
            return Ok(format!("\x1b]1337;File=inline=1;size={size};width={columns};preserveAspectRatio=1:{payload}\x07"));
        }
        let mut out = String::new();
        let mut rest = payload.as_str();
        // The keys: a PNG (f), shown at once (a) without an answer (q), this number of columns wide (c). `m=1` says that another
        // chunk follows.
        let mut keys = format!("f=100,a=T,q=2,c={columns},");
        while !rest.is_empty() {
            let (chunk, after) = rest.split_at(rest.len().min(CHUNK));
            out += &format!("\x1b_G{keys}m={};{chunk}\x1b\\", u8::from(!after.is_empty()));
            (rest, keys) = (after, String::new());
        }
        Ok(out)
    }
}

/// Draws a picture as `crd2idx show` does, and notes on standard error how to get pictures.
fn in_characters(svg: &Svg, note: Option<&str>) -> Result<String, String> {
    let text = svg.in_characters()?;
    if let Some(note) = note {
        eprintln!("crd2idx: note: {note}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Choice, Pictures};

    #[test]
    fn the_environment_tells_the_terminal() {
        for (variables, pictures) in [
            (&[("TERM", "xterm-kitty")][..], Pictures::Kitty),
            (&[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Pictures::Kitty),
            (&[("TERM", "xterm-ghostty")], Pictures::Kitty),
            (&[("TERM_PROGRAM", "WezTerm")], Pictures::Iterm),
            (&[("TERM_PROGRAM", "iTerm.app")], Pictures::Iterm),
            (&[("LC_TERMINAL", "iTerm2")], Pictures::Iterm),
            (&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")], Pictures::Unknown),
            (&[("TERM", "xterm-256color")], Pictures::Unknown),
        ] {
            let variable = |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(Pictures::new(Choice::Auto, true, variable), pictures, "{variables:?}");
            assert_eq!(Pictures::new(Choice::Auto, false, variable), Pictures::Unknown);
            assert_eq!(Pictures::new(Choice::Iterm, false, variable), Pictures::Iterm);
            assert_eq!(Pictures::new(Choice::None, true, variable), Pictures::Characters);
        }
    }
}
