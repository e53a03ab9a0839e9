//! `crd2idx svg`: pictures as SVG and as PNG.

mod flow;
mod grid;
mod order;
mod page;
#[cfg(feature = "png")]
mod png;
mod scene;
mod theme;
mod write;

use crate::input;
use crate::view::picture::Picture;
use crate::view::{Kind, LookArgs};
use clap::Args;
use file_output::Target;
use std::path::{Path, PathBuf};
use theme::Theme;

/// The arguments of `crd2idx svg`.
#[derive(Args)]
pub struct Svg {
    #[command(subcommand)]
    kind: Kind,
    #[command(flatten)]
    look: LookArgs,
    /// The file to write: .svg or .png, replaced as a whole. `-` (standard output), a device or a FIFO gets an SVG unless named .png.
    #[arg(short, long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The background of the page.
    #[arg(long, global = true, default_value = "light")]
    theme: Theme,
    /// The maximum width of the picture, in pixels. A wider picture is drawn smaller, or in bands.
    #[arg(long, global = true, value_name = "PX", default_value_t = 720)]
    width: u32,
}

impl Svg {
    fn picture(&self) -> Result<Picture, String> {
        if !WIDTHS.contains(&self.width) {
            return Err(format!("--width {} is not between {} and {}", self.width, WIDTHS.start(), WIDTHS.end()));
        }
        self.kind.picture(self.look.style())
    }
}

/// The picture in a terminal.
#[cfg(feature = "shell")]
impl Svg {
    /// Draws the picture in characters, as `crd2idx show` does. Fails with the message of the refusal, and if a file is to be written.
    pub fn in_characters(&self) -> Result<String, String> {
        let picture = self.shown()?;
        super::terminal::shown(&picture, None, clap::ColorChoice::Auto)
    }

    /// Returns the picture as the bytes of a PNG file. Fails as `in_characters` does.
    #[cfg(feature = "png")]
    pub fn png(&self) -> Result<Vec<u8>, String> {
        rasterised(&drawn(&self.shown()?, self.theme, self.width))
    }

    fn shown(&self) -> Result<Picture, String> {
        match &self.output {
            Some(path) => Err(format!("{}: `picture` writes no file, `svg` does", path.display())),
            None => self.picture(),
        }
    }
}

/// The supported page widths.
const WIDTHS: std::ops::RangeInclusive<u32> = 160..=8192;

/// Returns the text to print, or none if the picture went to a file; or the message of a failure.
pub fn run(svg: &Svg) -> Result<Option<String>, String> {
    let is_png = svg.output.as_deref().map(is_png).transpose()?;
    let text = drawn(&svg.picture()?, svg.theme, svg.width);
    let (Some(path), Some(is_png)) = (&svg.output, is_png) else { return Ok(Some(text.trim_end().to_owned())) };
    if input::is_stdin(path) {
        return Ok(Some(text.trim_end().to_owned()));
    }
    put(path, text, is_png).map(|()| None)
}

/// Returns a picture as SVG text, on a page of this width.
fn drawn(picture: &Picture, theme: Theme, width: u32) -> String {
    write::svg(&page::scene(picture, f64::from(width)), &picture.title, &picture.description, theme)
}

/// Writes a picture to a file that ends in .svg or .png. Fails for standard output and other endings, and if the file cannot be
/// written.
#[cfg(feature = "files")]
pub fn save(picture: &Picture, path: &Path) -> Result<(), String> {
    if input::is_stdin(path) {
        return Err("--svg: standard output is for the text, so name a file that ends in .svg or .png".into());
    }
    let is_png = is_png(path)?;
    put(path, drawn(picture, Theme::Light, 720), is_png)
}

/// Writes an SVG as it is or, if `is_png`, as PNG. Fails if the file cannot be drawn or written.
fn put(path: &Path, text: String, is_png: bool) -> Result<(), String> {
    let bytes = if is_png { rasterised(&text)? } else { text.into_bytes() };
    file_output::write(path, |file| file.write_all(&bytes)).map_err(|error| format!("{}: {error}", path.display()))
}

fn is_png(path: &Path) -> Result<bool, String> {
    match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ if input::is_stdin(path) || matches!(file_output::target(path), Ok(Target::Stream(_) | Target::Descriptor(_))) => Ok(false),
        _ => Err(format!("{}: a picture is written to a file that ends in .svg or .png", path.display())),
    }
}

#[cfg(feature = "png")]
use png::rasterised;

#[cfg(not(feature = "png"))]
fn rasterised(_: &str) -> Result<Vec<u8>, String> {
    Err("pictures as PNG need the feature `png` (cargo install --path cli --features png): write a file that ends in .svg".into())
}
