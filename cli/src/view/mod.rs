//! Pictures, and the two ways to draw them: `crd2idx show` and `crd2idx svg`.
//!
//! A [`Kind`] builds a [`picture::Picture`]: cells with texts and classes of colour. [`terminal`] draws it as text, [`svg`] as
//! SVG or PNG. A new kind of picture gets a case in `kind` and a builder in `picture`.

mod kind;
pub mod picture;
pub mod svg;
pub mod terminal;

use clap::Args;
pub use kind::Kind;
use picture::layout::{By, Cells, Style};

/// The options that choose the colours and the texts of cells.
#[derive(Args)]
pub struct LookArgs {
    /// The property that colours the cells. Each kind of picture has a default.
    #[arg(long, global = true)]
    by: Option<By>,
    /// The text of the cells.
    #[arg(long, global = true)]
    cells: Option<Cells>,
}

impl LookArgs {
    pub fn style(&self) -> Style {
        Style { by: self.by, cells: self.cells }
    }
}
