//! `crd2idx svg`: pictures as SVG and as PNG.

mod file;
mod flow;
mod grid;
mod order;
mod page;
#[cfg(feature = "png")]
mod png;
mod scene;
mod theme;
mod write;

use crate::picture::Picture;
use crate::show::{Kind, LookArgs};
use clap::Args;
use std::path::{Path, PathBuf};
use theme::Theme;

/// What to draw, and how.
#[derive(Args)]
pub struct Svg {
    #[command(subcommand)]
    kind: Kind,
    #[command(flatten)]
    look: LookArgs,
    /// A file that ends in .svg or .png; it is replaced as a whole.
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The page that the picture is on.
    #[arg(long, global = true, default_value = "light")]
    theme: Theme,
    /// The widest that the picture may be; what is wider is drawn smaller, or in bands.
    #[arg(long, global = true, value_name = "PX", default_value_t = 720)]
    width: u32,
}

/// The widths that are drawn for.
const WIDTHS: std::ops::RangeInclusive<u32> = 160..=8192;

/// The text that the command prints, or a message.
pub fn run(svg: &Svg) -> Result<Option<String>, String> {
    if !WIDTHS.contains(&svg.width) {
        return Err(format!("--width {} is not between {} and {}", svg.width, WIDTHS.start(), WIDTHS.end()));
    }
    let is_png = svg.output.as_deref().map(is_png).transpose()?;
    let text = drawn(&svg.kind.picture(svg.look.style())?, svg.theme, svg.width);
    let (Some(path), Some(is_png)) = (&svg.output, is_png) else { return Ok(Some(text.trim_end().to_owned())) };
    file::replace(path, &if is_png { rasterised(&text)? } else { text.into_bytes() })?;
    Ok(None)
}

/// A picture as SVG.
fn drawn(picture: &Picture, theme: Theme, width: u32) -> String {
    write::svg(&page::scene(picture, f64::from(width)), &picture.title, &picture.description, theme)
}

/// Writes a picture to a file that ends in .svg or .png.
#[cfg(feature = "files")]
pub fn save(picture: &Picture, path: &Path) -> Result<(), String> {
    let is_png = is_png(path)?;
    let text = drawn(picture, Theme::Light, 720);
    file::replace(path, &if is_png { rasterised(&text)? } else { text.into_bytes() })
}

fn is_png(path: &Path) -> Result<bool, String> {
    match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => Err(format!("{}: a picture is written to a file that ends in .svg or .png", path.display())),
    }
}

#[cfg(feature = "png")]
use png::rasterised;

#[cfg(not(feature = "png"))]
fn rasterised(_: &str) -> Result<Vec<u8>, String> {
    Err("pictures as PNG need the feature `png` (cargo install --path cli --features png): write a file that ends in .svg".into())
}
