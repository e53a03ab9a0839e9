//! Pictures, and the two ways to draw them.
//!
//! A [`Kind`] of the command line becomes a [`picture::Picture`], cells with texts and colours by class; [`terminal`] draws it as text, [`svg`] as SVG or PNG.

mod kind;
pub mod picture;
pub mod svg;
pub mod terminal;

use clap::Args;
pub use kind::Kind;
use picture::layout::{By, Cells, Style};

/// The colours and the texts of cells.
#[derive(Args)]
pub struct LookArgs {
    /// The property that colours cells; each kind of picture has a default.
    #[arg(long, global = true)]
    by: Option<By>,
    /// What cells say.
    #[arg(long, global = true)]
    cells: Option<Cells>,
}

impl LookArgs {
    pub fn style(&self) -> Style {
        Style { by: self.by, cells: self.cells }
    }
}
