//! `crd2idx show`: pictures in the terminal.

mod join;
mod paint;
mod table;
mod tree;

use crate::view::picture::Picture;
use crate::view::{Kind, LookArgs};
use clap::{Args, ColorChoice};
use paint::Line;

/// The arguments of `crd2idx show`.
#[derive(Args)]
pub struct Show {
    #[command(subcommand)]
    kind: Kind,
    #[command(flatten)]
    look: LookArgs,
    /// The number of columns (default: the width of the terminal, or 100 without one).
    #[arg(long, global = true, value_name = "N")]
    width: Option<usize>,
    /// When to colour the cells. `auto` colours on a terminal that has colours, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

/// The minimum number of columns of a picture in the terminal.
const LEAST_WIDTH: usize = 20;

/// Returns the text to print, or the message of a failure.
pub fn run(show: &Show) -> Result<String, String> {
    shown(&show.kind.picture(show.look.style())?, show.width, show.color)
}

/// Returns a picture as text of at most `width` columns (default: the width of the terminal). Fails for less than `LEAST_WIDTH`
/// columns.
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
