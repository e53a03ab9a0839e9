//! The kinds of pictures, as the command line names them.

use crate::picture::function::{LEAVES, Value};
use crate::picture::layout::Style;
use crate::picture::{self, Picture};
use crate::{eval, graph, plan, ragged, sparse};
use clap::Subcommand;
use crd2idx::error::Op;
use crd2idx::expression::evaluate;
use crd2idx::value::ExprGraph;
use std::path::PathBuf;

/// What to draw; layouts are written as `crd2idx eval` takes them, operations by name included.
#[derive(Subcommand)]
pub enum Kind {
    /// A layout: mode 0 down, mode 1 across.
    Layout { layout: String },
    /// A composition: A, and B beside A(B).
    Compose { a: String, b: String },
    /// A layout with its tiles, and its zipped divide.
    Divide { layout: String, tiler: String },
    /// The logical product of two layouts, and the blocked one.
    Product { a: String, b: String },
    /// A layout before and after a swizzle, S<bits,base,shift>.
    Swizzle { layout: String, swizzle: String },
    /// A layout of two modes and the one with its modes exchanged.
    Transpose { layout: String },
    /// A tensor cut into tiles, which need not divide it.
    Tile { layout: String, tile: String },
    /// Threads and values: each thread has a block of the shape of VALUES, the threads lie as THREADS says.
    Threads { layout: String, threads: String, values: String },
    /// A plan: the places that elements are in and go to, a colour for each message.
    Plan(Box<plan::Question>),
    /// A coordinate graph, of JSON as `crd2idx graph` takes it.
    Graph {
        #[command(flatten)]
        from: graph::From,
    },
    /// A sparse tensor in place and the arrays of its levels, or of its parts, of JSON as `crd2idx sparse` takes it.
    Sparse {
        #[command(flatten)]
        from: sparse::From,
        /// The format to convert to.
        #[arg(long, value_name = "NAME")]
        format: Option<String>,
    },
    /// A ragged array, its offsets and its leaves, of JSON as `crd2idx ragged` takes it; or sequences of tokens in pages, of JSON as `ragged.paged` takes it.
    Ragged {
        /// JSON, or `-` for standard input.
        file: PathBuf,
    },
}

impl Kind {
    pub fn picture(&self, style: Style) -> Result<Picture, String> {
        match self {
            Kind::Layout { layout } => picture::layout::picture(value(layout)?, style),
            Kind::Compose { a, b } => picture::pairs::compose(value(a)?, value(b)?, style),
            Kind::Divide { layout, tiler } => picture::tiles::divide(value(layout)?, value(tiler)?, style),
            Kind::Product { a, b } => picture::tiles::product(value(a)?, value(b)?, style),
            Kind::Swizzle { layout, swizzle } => picture::pairs::swizzle(value(layout)?, value(swizzle)?, style),
            Kind::Transpose { layout } => picture::pairs::transpose(value(layout)?, style),
            Kind::Tile { layout, tile } => picture::tiles::tile(value(layout)?, value(tile)?, style),
            Kind::Threads { layout, threads, values } => picture::threads::picture(value(layout)?, value(threads)?, value(values)?, style),
            Kind::Plan(question) => picture::plan::picture(question),
            Kind::Graph { from } => picture::graph::picture(&from.read()?, &from.stem()),
            Kind::Sparse { from, format } => match sparse::blocked_scheme(format.as_deref())? {
                Some(scheme) => picture::sparse::blocked(&from.composite(&scheme)?, &scheme),
                None => picture::sparse::picture(&from.tensor(format.as_deref())?),
            },
            Kind::Ragged { file } => ragged::picture(file),
        }
    }
}

fn value(text: &str) -> Result<Value, String> {
    let mut scope = ExprGraph::<{ eval::SYMBOLS }>::new(Op::Parse);
    evaluate::<LEAVES, { eval::SYMBOLS }>(text, &mut scope).map_err(|error| eval::describe(text, &error))
}
