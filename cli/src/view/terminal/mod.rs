//! `crd2idx show`: pictures in the terminal.

mod join;
mod paint;
mod table;
mod tree;

use crate::view::picture::Picture;
use crate::view::{Kind, LookArgs};
use clap::{Args, ColorChoice};
use paint::Line;

/// What to show, and how.
#[derive(Args)]
pub struct Show {
    #[command(subcommand)]
    kind: Kind,
    #[command(flatten)]
    look: LookArgs,
    /// Columns of the terminal; its own, or 100, where none are given.
    #[arg(long, global = true, value_name = "N")]
    width: Option<usize>,
    /// Colours in cells; `auto` is in a terminal that has them, unless NO_COLOR says otherwise.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// The narrowest width that is drawn for.
const LEAST_WIDTH: usize = 20;

/// The text that the command prints, or a message.
pub fn run(show: &Show) -> Result<String, String> {
    shown(&show.kind.picture(show.look.style())?, show.width, show.color)
}

/// A picture as text of so many columns, or of those of the terminal.
pub fn shown(picture: &Picture, width: Option<usize>, color: ColorChoice) -> Result<String, String> {
    let width = width.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into())).unwrap_or(100);
    if width < LEAST_WIDTH {
        return Err(format!("--width {width} is less than {LEAST_WIDTH} columns"));
    }
    let color = match color {
        ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    };
    let lines = join::picture(picture, width);
    Ok(lines.iter().map(|line: &Line| line.paint(color)).collect::<Vec<_>>().join("\n"))
}
