//! Pictures: what there is to draw, and two that draw it.
//!
//! A [`Kind`] of the command line becomes a [`picture::Picture`], cells with texts and colours by class; [`terminal`] draws it as text, [`svg`] as SVG or PNG.

mod kind;
pub mod picture;
pub mod svg;
pub mod terminal;

use clap::Args;
pub use kind::Kind;
use picture::layout::{By, Cells, Style};

/// What colours cells and what they say.
#[derive(Args)]
pub struct LookArgs {
    /// What colours cells; each kind of picture has its own where nothing is said.
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
